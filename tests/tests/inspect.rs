//! `kraftsim inspect` over everything that real Kafka left, whole and damaged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kraftsim::{Console, Exit, Style};
use kraftsim_tests::kafka_files::{KafkaFile, distinct};
use kraftsim_tests::repository::{files, golden, root};
use rayon::prelude::*;
use serde_json::{Value, json};

fn inspect(arguments: &[&str]) -> (Exit, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let all = ["kraftsim", "inspect"].iter().chain(arguments);
    let exit = kraftsim::run(all, &mut Console::new(&mut out, &mut err, Style::Plain));
    let text = |bytes| String::from_utf8(bytes).expect("what is printed is UTF-8");
    (exit, text(out), text(err))
}

/// The document of a source that is whole; the exit status says whether anything in it is damaged.
fn document(path: &Path) -> Value {
    let (exit, out, err) = inspect(&[&path.display().to_string(), "--json"]);
    let report: Value = serde_json::from_str(&out).expect("--json prints a document");
    let files = report["files"].as_array().expect("files are listed");
    let damaged = files.iter().any(|file| file["damage"] != json!([]));
    let expected = if damaged { Exit::Failed } else { Exit::Held };
    assert_eq!((exit, err.as_str()), (expected, ""), "{}", path.display());
    report
}

/// Cells that were recorded from files damaged on purpose.
fn is_damaged(cell: &str) -> bool {
    let damages = [
        "-corrupt-",
        "-cut-",
        "-garbage-",
        "-zeros-",
        "-snapshot-swap-",
        "-truncated-",
        "-trailing-",
        "-torn-",
        "-no-header-",
        "-no-footer-",
        "-data-only-",
        "-bad-",
        "-version-9-",
        "-odd-name-",
        "-empty-",
        "-missing-",
    ];
    damages.iter().any(|damage| cell.contains(damage))
}

#[test]
fn every_archive_of_real_kafka_is_told_apart_and_read_whole() {
    let mut archives = files(&golden(), &["input.tar.gz"]);
    archives.extend(files(&root().join("tests/lived"), &["controllers.tar.xz"]));
    assert!(archives.len() > 500, "{} archives", archives.len());
    let damaged: usize = archives
        .par_iter()
        .map(|path| {
            let cell = path.parent().and_then(Path::file_name).unwrap_or_default();
            let cell = cell.to_string_lossy().into_owned();
            let report = document(path);
            assert_eq!(report["whole"], true, "{cell}");
            assert_eq!(report["not_read"], json!([]), "{cell}");
            let found = report["files"].as_array().expect("files are listed");
            assert!(!found.is_empty(), "{cell}");
            let damaged = found
                .iter()
                .filter(|file| file["damage"] != Value::Array(Vec::new()));
            let damaged: Vec<&Value> = damaged.collect();
            assert!(
                damaged.is_empty() || is_damaged(&cell),
                "{cell}: {damaged:#?}"
            );
            let unknown = found
                .iter()
                .filter(|file| file["kind"] == "not a file of a controller");
            assert_eq!(unknown.count(), 0, "{cell}");
            damaged.len()
        })
        .sum();
    assert!(damaged > 50, "{damaged} damaged files are told as damaged");
}

#[test]
fn a_checkpoint_under_another_name_is_named() {
    let said = |cell: &str| {
        let report = document(&golden().join(cell).join("input.tar.gz"));
        let files = report["files"].as_array().expect("files are listed");
        let notes = files
            .iter()
            .flat_map(|file| file["notes"].as_array().into_iter().flatten());
        let notes = notes.filter_map(Value::as_str);
        notes
            .filter(|note| note.contains("take this file away"))
            .count()
    };
    assert!(said("x-name-copy-beyond-4.4.0") > 0);
    assert_eq!(said("a-standalone-f4.4.0-s4.3.1"), 0);
}

#[test]
fn damaged_archives_give_an_answer_or_a_clear_error() {
    let archives = files(&golden(), &["input.tar.gz"]);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    archives
        .par_iter()
        .take(100)
        .enumerate()
        .for_each(|(number, path)| {
            let bytes = std::fs::read(path).expect("an archive of the repository can be read");
            let at = 1 + number * (bytes.len() - 2) / 100;
            let mut flipped = bytes.clone();
            flipped[at] ^= 0xff;
            for (how, damaged) in [("cut", &bytes[..at]), ("flipped", &flipped[..])] {
                let copy = folder.path().join(format!("{number}-{how}.tar.gz"));
                std::fs::write(&copy, damaged).expect("a temporary folder can be written");
                let (exit, out, err) = inspect(&[&copy.display().to_string(), "--brief"]);
                match exit {
                    // A byte of the header that says nothing of the content may change.
                    Exit::Held => {
                        assert!(how == "flipped" && err.is_empty(), "{how} at {at}: {out}");
                    }
                    Exit::BadInput if out.is_empty() => assert!(
                        err.starts_with("error: ") && err.contains(".tar.gz"),
                        "{how} at {at}: {err}"
                    ),
                    Exit::BadInput => assert!(
                        out.starts_with("NOT READ WHOLE") && err.is_empty(),
                        "{how} at {at}: {out}{err}"
                    ),
                    Exit::Failed | Exit::Interrupted => panic!("{how} at {at}: {out}{err}"),
                }
            }
        });
}

#[test]
fn secrets_are_shown_on_demand_only() {
    let archive = golden().join("d-scram1-4.3.1/input.tar.gz");
    let path = archive.display().to_string();
    for shape in [&[][..], &["--json"]] {
        let (_, hidden, _) = inspect(&[&[path.as_str()][..], shape].concat());
        let (_, shown, _) = inspect(&[&[path.as_str(), "--show-secrets"][..], shape].concat());
        let key = shown
            .split("storedKey")
            .nth(1)
            .and_then(|rest| rest.split('"').nth(2));
        let key = key.expect("a credential has a stored key");
        assert!(key.len() > 20 && !hidden.contains(key), "{key}");
    }
}

#[test]
fn two_directories_side_by_side() {
    let cell = |id: &str| golden().join(id).join("input.tar.gz").display().to_string();
    let (one, other) = (
        cell("a-static-f3.9.2-s3.9.2"),
        cell("a-static-f4.3.1-s4.3.1"),
    );
    let (exit, out, _) = inspect(&[&one, "--diff", &one]);
    assert_eq!(exit, Exit::Held);
    assert!(!out.contains("differs"), "{out}");
    let (exit, out, _) = inspect(&[&one, "--diff", &other, "--json"]);
    assert_eq!(exit, Exit::Failed);
    let report: Value = serde_json::from_str(&out).expect("--json prints a document");
    let legacy = report["files"]
        .as_array()
        .expect("files are listed")
        .iter()
        .find(|file| {
            file["path"]
                .as_str()
                .is_some_and(|path| path.ends_with("bootstrap.checkpoint"))
        });
    let differences = &legacy.expect("both have the legacy file")["differences"];
    let level = differences
        .as_array()
        .into_iter()
        .flatten()
        .find(|difference| difference["at"] == "batches[1].records[0].data.featureLevel");
    let level = level.expect("the metadata.version differs");
    assert_eq!(level["left"], 21);
    assert_ne!(level["right"], 21);
}

#[test]
fn a_directory_in_use_is_read_and_said_to_be() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let put = |name: &str, content: &[u8]| {
        std::fs::write(folder.path().join(name), content).expect("it can be written");
    };
    put(".lock", b"");
    put("meta.properties", b"version=1\ncluster.id=x\nnode.id=7\n");
    put("quorum-state", b"{\"leaderId\":1");
    let before = std::fs::metadata(folder.path())
        .and_then(|m| m.modified())
        .expect("it is there");
    let (exit, out, err) = inspect(&[&folder.path().display().to_string()]);
    assert_eq!((exit, err.as_str()), (Exit::Failed, ""));
    assert!(out.contains(".lock stands there"), "{out}");
    assert!(out.contains("node_id = 7"), "{out}");
    assert!(
        out.contains("damage at byte 13: expected the rest of a JSON object"),
        "{out}"
    );
    let after = std::fs::metadata(folder.path())
        .and_then(|m| m.modified())
        .expect("it is there");
    assert_eq!(before, after, "nothing is written");
}

#[test]
fn what_is_no_input_is_an_error() {
    for (path, found) in [
        ("/nonexistent/place", "No such file or directory"),
        (
            env!("CARGO_MANIFEST_PATH"),
            "nothing in it is a file of a Kafka controller",
        ),
    ] {
        let (exit, out, err) = inspect(&[path]);
        assert_eq!((exit, out.as_str()), (Exit::BadInput, ""));
        assert!(
            err.starts_with("error: ") && err.contains(path) && err.contains(found),
            "{err}"
        );
    }
}

/// What `--diff` says of two checkpoints under one name, and its exit status.
fn side_by_side(name: &str, left: &[u8], right: &[u8]) -> (Exit, String) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let paths = [("left", left), ("right", right)].map(|(side, content)| {
        let path = folder.path().join(side).join(name);
        fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("it can be made");
        fs::write(&path, content).expect("a temporary folder can be written");
        path.display().to_string()
    });
    let (exit, out, _) = inspect(&[&paths[0], "--diff", &paths[1], "--json"]);
    let report: Value = serde_json::from_str(&out).expect("--json prints a document");
    let status = report["files"][0]["status"].as_str();
    (exit, status.unwrap_or_default().to_owned())
}

/// Real Kafka's checkpoints, by cluster and name: each node wrote its own.
fn by_cluster_and_id() -> BTreeMap<(String, String), Vec<KafkaFile>> {
    let mut written: BTreeMap<(String, String), Vec<KafkaFile>> = BTreeMap::new();
    for file in distinct() {
        let cluster = file.origin.split('/').next().unwrap_or_default().to_owned();
        let is_later = file.name.ends_with(".checkpoint")
            && file.name.starts_with('0')
            && !file.name.starts_with("00000000000000000000-");
        if cluster.starts_with("l2-") && is_later {
            let key = (cluster, file.name.clone());
            written.entry(key).or_default().push(file);
        }
    }
    written
}

#[test]
fn checkpoints_of_one_id_by_two_nodes_hold_the_same_records_in_another_order() {
    let written = by_cluster_and_id();
    let mut pairs = 0;
    for ((cluster, name), files) in &written {
        for pair in files.windows(2) {
            let found = side_by_side(name, &pair[0].content, &pair[1].content);
            let expected = (Exit::Held, "same-records".to_owned());
            assert_eq!(found, expected, "{cluster} {name}");
            pairs += 1;
        }
    }
    assert!(pairs > 50, "{pairs} pairs");
    let later: Vec<_> = written.values().map(|files| &files[0]).collect();
    let (one, other) = (later[0], later[1]);
    let differs = (Exit::Failed, "differs".to_owned());
    assert_eq!(
        side_by_side(&one.name, &one.content, &other.content),
        differs,
        "another state under the same name"
    );
    let (name, twins) = written
        .iter()
        .find(|(_, files)| files.len() > 1)
        .expect("pairs");
    let cut = &twins[0].content[..twins[0].content.len() - 1];
    assert_eq!(
        side_by_side(&name.1, cut, &twins[1].content),
        differs,
        "a footer that is cut short"
    );
}
