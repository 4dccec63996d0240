//! Unreadable is not absent: whatever stands in a directory or an archive and is not read whole is named first, and nothing
//! is concluded from it. Nothing that is looked at makes the program wait or grow.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use kraftsim_tests::cli::{Answer, Work, ask, golden_work};
use kraftsim_tests::repository::golden;
use serde_json::Value;

/// Far more than any of these commands takes.
const PATIENCE: Duration = Duration::from_mins(1);

/// Asks in a thread of its own, so that a command that waits for ever fails its test.
fn ask_in_time(args: &[&str]) -> Answer {
    let (say, hear) = mpsc::channel();
    let args: Vec<String> = args.iter().map(ToString::to_string).collect();
    let shown = args.join(" ");
    std::thread::spawn(move || say.send(ask(&args)));
    hear.recv_timeout(PATIENCE)
        .unwrap_or_else(|_| panic!("`{shown}` does not end"))
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// What stands in the place of a file, and what is said of it.
type Obstacle = (&'static str, fn(&Path), &'static str);

const OBSTACLES: [Obstacle; 8] = [
    ("a FIFO", fifo, "a FIFO, not a regular file"),
    (
        "/dev/zero behind a link",
        |path| symlink("/dev/zero", path).unwrap(),
        "a character device, not a regular file",
    ),
    (
        "a link to nothing",
        |path| symlink("no-such-file", path).unwrap(),
        "a symbolic link to nothing",
    ),
    (
        "a link to itself",
        |path| symlink(path.file_name().unwrap(), path).unwrap(),
        "a symbolic link that cannot be followed",
    ),
    (
        "a link to the root",
        |path| symlink("/", path).unwrap(),
        "a directory, not a regular file",
    ),
    (
        "a directory",
        |path| fs::create_dir(path).unwrap(),
        "a directory, not a regular file",
    ),
    (
        "a socket",
        |path| drop(UnixListener::bind(path).unwrap()),
        "a socket, not a regular file",
    ),
    (
        "a file without end",
        |path| {
            let file = fs::File::create(path).unwrap();
            file.set_len(5 << 30).unwrap();
        },
        "the limit of one file is",
    ),
];

/// Set where root runs a test once more as nobody.
const AS_NOBODY: &str = "KRAFTSIM_TEST_AS_NOBODY";

/// Files of a controller, in whose place an obstacle is put.
const PLACES: [&str; 4] = [
    "__cluster_metadata-0/00000000000000000000.log",
    "__cluster_metadata-0/00000000000000000008-0000000001.checkpoint",
    "__cluster_metadata-0/quorum-state",
    "bootstrap.checkpoint",
];

/// A node that has a log, and its data directory.
fn node() -> (Work, String, PathBuf) {
    let work = golden_work("c-restart-static-4.4.0");
    let config = work.config("phase-2/node-1");
    let data = work.path().join("phase-2/node-1/data");
    assert!(data.join(PLACES[0]).is_file());
    (work, config, data)
}

fn rehearse(config: &str) -> Answer {
    ask_in_time(&["rehearse", "-c", config, "--on", "4.4.0"])
}

#[test]
fn a_node_that_cannot_be_read_whole_is_not_rehearsed() {
    let (_work, config, _) = node();
    assert_eq!(rehearse(&config).code, 0);
    for place in PLACES {
        for (what, put, why) in OBSTACLES {
            let (_work, config, data) = node();
            let path = data.join(place);
            let _ = fs::remove_file(&path);
            put(&path);
            let answer = rehearse(&config);
            let case = format!("{what} at {place}: {answer:?}");
            assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{case}");
            let first = answer.err.lines().next().unwrap_or_default();
            assert!(first.contains("not read whole"), "{case}");
            assert!(
                answer.err.contains(&format!("{}: ", path.display())),
                "{case}"
            );
            assert!(answer.err.contains(why), "{case}");
        }
    }
}

#[test]
fn a_metadata_log_that_leads_nowhere_is_not_an_empty_one() {
    for (what, put, _) in OBSTACLES {
        let (_work, config, data) = node();
        let partition = data.join("__cluster_metadata-0");
        fs::remove_dir_all(&partition).unwrap();
        put(&partition);
        let answer = rehearse(&config);
        // An empty directory is one; what is read of the root has no file of a controller.
        let whole = ["a directory", "a link to the root"].contains(&what);
        let expected = if whole { 0 } else { 2 };
        assert_eq!(answer.code, expected, "{what}: {answer:?}");
    }
}

#[test]
fn inspect_names_what_it_did_not_read_first_and_fails() {
    for place in PLACES {
        for (what, put, why) in OBSTACLES {
            let (_work, _, data) = node();
            let path = data.join(place);
            let _ = fs::remove_file(&path);
            put(&path);
            let data = data.display().to_string();
            let answer = ask_in_time(&["inspect", &data]);
            let case = format!("{what} at {place}: {answer:?}");
            assert_eq!(answer.code, 2, "{case}");
            assert!(answer.out.starts_with("NOT READ WHOLE"), "{case}");
            let second = answer.out.lines().nth(1).unwrap_or_default();
            assert!(second.contains(place) && second.contains(why), "{case}");
            assert!(!answer.out.contains("no damage"), "{case}");

            let answer = ask_in_time(&["inspect", &data, "--json"]);
            let report: Value = serde_json::from_str(&answer.out).unwrap();
            assert_eq!((answer.code, &report["whole"]), (2, &Value::Bool(false)));
            assert_eq!(report["not_read"][0]["path"], place, "{case}");

            // Compared with itself: what was not read is not the same.
            let answer = ask_in_time(&["inspect", &data, "--diff", &data]);
            assert_eq!(answer.code, 2, "{case}: {answer:?}");
            assert!(answer.out.starts_with("NOT READ WHOLE"), "{case}");
            assert!(!answer.out.contains(&format!("{place}: same")), "{case}");
            let alone = ask_in_time(&["inspect", &format!("{data}/{place}")]);
            assert!([1, 2].contains(&alone.code), "{case}: {alone:?}");
        }
    }
}

/// Mode 000 keeps everybody out but root, who runs this test once more as nobody.
#[test]
fn a_file_without_the_right_to_read_it_is_not_absent() {
    const NOBODY: u32 = 65_534;
    let marks = ["meta.properties", "__cluster_metadata-0", ""];
    for place in PLACES.into_iter().chain(marks) {
        let (_work, config, data) = node();
        let path = data.join(place);
        if !path.exists() {
            fs::write(&path, b"x").unwrap();
        }
        let before = fs::metadata(&path).unwrap().permissions();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o000)).unwrap();
        let readable = fs::File::open(&path).is_ok();
        let data = data.display().to_string();
        let answers = (!readable).then(|| {
            [
                rehearse(&config),
                ask_in_time(&["inspect", &data]),
                ask_in_time(&["inspect", &data, "--json"]),
                ask_in_time(&["inspect", &data, "--diff", &data]),
            ]
        });
        fs::set_permissions(&path, before).unwrap();
        let Some(answers) = answers else {
            assert_eq!(std::env::var_os(AS_NOBODY), None, "nobody reads mode 000");
            let again = Command::new(std::env::current_exe().unwrap())
                .args([
                    "--exact",
                    "a_file_without_the_right_to_read_it_is_not_absent",
                ])
                .env(AS_NOBODY, "1")
                .uid(NOBODY)
                .gid(NOBODY)
                .output()
                .expect("root can run a program as nobody");
            let said = String::from_utf8_lossy(&again.stdout).into_owned();
            assert!(
                said.contains("1 passed"),
                "{said}{}",
                String::from_utf8_lossy(&again.stderr)
            );
            return;
        };
        for answer in answers {
            assert_eq!(answer.code, 2, "{place}: {answer:?}");
            let said = format!("{}{}", answer.out, answer.err);
            assert!(said.contains("ermission denied"), "{place}: {answer:?}");
            let is_same = said.lines().any(|line| line == format!("{place}: same"));
            assert!(!is_same, "{place}: {answer:?}");
            for conclusion in ["no damage", "no difference", "became active", "empty"] {
                assert!(!said.contains(conclusion), "{place}: {answer:?}");
            }
        }
    }
}

#[test]
fn an_archive_that_leaves_something_out_is_not_whole() {
    let (work, _, data) = node();
    let scenario = work.path().join("loads.scenario");
    fs::write(&scenario, "controllers 1\nload 1 from packed.tar\n").unwrap();
    let packed = work.path().join("packed.tar");
    let segment = data.join(PLACES[0]);
    let pack = |options: &[&str]| {
        let tar = Command::new("tar")
            .arg("-C")
            .arg(&data)
            .args(options)
            .arg("-cf")
            .arg(&packed)
            .arg(".")
            .output()
            .unwrap();
        assert!(tar.status.success(), "{tar:?}");
    };
    let check = |what: &str, whole: bool| {
        let inspected = ask_in_time(&["inspect", packed.to_str().unwrap()]);
        let ran = ask_in_time(&["run", scenario.to_str().unwrap()]);
        let codes = if whole { (0, 0) } else { (2, 2) };
        // What is loaded is printed, which the scenario does not expect.
        let ran_code = if ran.code == 1 { 0 } else { ran.code };
        assert_eq!(
            (inspected.code, ran_code),
            codes,
            "{what}: {inspected:?} {ran:?}"
        );
        if !whole {
            assert!(
                inspected.out.starts_with("NOT READ WHOLE"),
                "{what}: {inspected:?}"
            );
            assert!(ran.err.contains("not read whole"), "{what}: {ran:?}");
        }
    };
    pack(&[]);
    check("a plain archive", true);

    fs::hard_link(&segment, data.join("__cluster_metadata-0/copy.log")).unwrap();
    pack(&[]);
    check("a hard link", false);
    fs::remove_file(data.join("__cluster_metadata-0/copy.log")).unwrap();

    for (what, put, _) in OBSTACLES.into_iter().take(5) {
        let path = data.join(PLACES[1]);
        put(&path);
        pack(&[]);
        check(what, false);
        fs::remove_file(&path).unwrap();
    }

    let file = fs::OpenOptions::new().write(true).open(&segment).unwrap();
    file.set_len(1 << 20).unwrap();
    for format in ["--format=gnu", "--format=posix"] {
        pack(&["--sparse", format]);
        check("a sparse file", false);
    }
}

#[test]
fn a_directory_that_load_cannot_read_whole_is_not_loaded() {
    for (what, put, why) in OBSTACLES {
        let (work, _, data) = node();
        let path = data.join(PLACES[0]);
        fs::remove_file(&path).unwrap();
        put(&path);
        if path.is_dir() {
            continue;
        }
        let scenario = work.path().join("loads.scenario");
        let text = format!("controllers 1\nload 1 from {}\n", data.display());
        fs::write(&scenario, text).unwrap();
        let answer = ask_in_time(&["run", scenario.to_str().unwrap()]);
        assert_eq!(answer.code, 2, "{what}: {answer:?}");
        assert!(answer.err.contains(why), "{what}: {answer:?}");
    }
}

#[test]
fn a_link_to_the_root_and_loops_of_links_end() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::write(
        root.join("meta.properties"),
        "version=1\ncluster.id=x\nnode.id=7\n",
    )
    .unwrap();
    symlink("/", root.join("everything")).unwrap();
    symlink(".", root.join("itself")).unwrap();
    symlink("..", root.join("above")).unwrap();
    symlink(".", root.join("__cluster_metadata-0")).unwrap();
    let answer = ask_in_time(&["inspect", root.to_str().unwrap()]);
    assert_eq!(answer.code, 2, "{answer:?}");
    for link in ["everything", "itself", "above"] {
        assert!(
            answer.out.contains(&format!("{link}: a symbolic link")),
            "{answer:?}"
        );
    }
    assert!(answer.out.contains("directories deep"), "{answer:?}");
    fs::write(root.join("a.scenario"), "controllers 1\n").unwrap();
    let answer = ask_in_time(&["run", root.to_str().unwrap()]);
    assert_eq!(answer.code, 2, "{answer:?}");
    assert!(answer.err.contains("itself: a symbolic link"), "{answer:?}");
}

#[test]
fn configurations_and_scenarios_are_regular_files_of_a_reasonable_size() {
    let folder = tempfile::tempdir().unwrap();
    for (what, put, _) in OBSTACLES {
        let path = folder.path().join("input.scenario");
        put(&path);
        let given = path.to_str().unwrap();
        let commands: [&[&str]; 5] = [
            &["rehearse", "-c", given, "--on", "4.4.0"],
            &[
                "format",
                "-c",
                given,
                "-t",
                "a3JhZnRzaW0tb3JhY2xlMQ",
                "--kafka",
                "4.4.0",
            ],
            &["info", "-c", given, "--kafka", "4.4.0"],
            &["run", given],
            &["inspect", given],
        ];
        for command in commands {
            let answer = ask_in_time(command);
            // A folder may be inspected and run; that of the root is not walked through here.
            let is_folder = path.is_dir() && ["run", "inspect"].contains(&command[0]);
            if what == "a link to the root" && is_folder {
                continue;
            }
            assert_eq!(answer.code, 2, "{what}, {command:?}: {answer:?}");
        }
        if path.is_dir() && !path.is_symlink() {
            fs::remove_dir(&path).unwrap();
        } else {
            fs::remove_file(&path).unwrap();
        }
    }
}

#[test]
fn formatting_waits_for_nobody() {
    let work = golden_work("a-static-f4.3.1-s4.4.0");
    let config = work.config("phase-1/node-1");
    let meta = work.path().join("phase-1/node-1/data/meta.properties");
    fs::remove_file(&meta).unwrap();
    fifo(&meta);
    let cluster = ["-t", "a3JhZnRzaW0tb3JhY2xlMQ", "--kafka", "4.4.0"];
    let answer = ask_in_time(&[&["format", "-c", &config][..], &cluster].concat());
    assert_eq!(answer.code, 1, "{answer:?}");
    assert!(answer.err.contains("a FIFO"), "{answer:?}");
    let answer = ask_in_time(&["info", "-c", &config, "--kafka", "4.4.0"]);
    assert_eq!(answer.code, 1, "{answer:?}");
    assert!(answer.out.contains("a FIFO"), "{answer:?}");
}

#[test]
fn a_small_archive_that_unpacks_to_much_is_refused_in_both_places() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // 6 GiB of zeros, as a segment and as something that nobody reads.
    for name in ["00000000000000000000.log", "unknown"] {
        let script = format!(
            "truncate -s 300M {name} && tar -cf - {name} {name} {name} | gzip -1 > bomb.tar.gz && rm {name}"
        );
        let made = Command::new("sh")
            .current_dir(folder.path())
            .args(["-c", &script])
            .status();
        assert!(made.unwrap().success());
        let bomb = at("bomb.tar.gz");
        assert!(fs::metadata(&bomb).unwrap().len() < 8 << 20);
        let answer = ask_in_time(&["inspect", bomb.to_str().unwrap()]);
        assert_eq!(answer.code, 2, "{answer:?}");
        let said = format!("{}{}", answer.out, answer.err);
        assert!(
            said.contains("unpacks to more than 268435456 bytes"),
            "{answer:?}"
        );
        fs::write(at("a.scenario"), "controllers 1\nload 1 from bomb.tar.gz\n").unwrap();
        let answer = ask_in_time(&["run", at("a.scenario").to_str().unwrap()]);
        assert_eq!(answer.code, 2, "{answer:?}");
        assert!(answer.err.contains("unpacks to more than"), "{answer:?}");
    }
}

#[test]
fn every_packing_can_be_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let lived = golden().with_file_name("lived/l1-old-4.4.0/controllers.tar.xz");
    let scenario = folder.path().join("a.scenario");
    let text = format!(
        "controllers 1\nload 1 from {}/final/node-1\nexpect file 1:meta.properties\n",
        lived.display()
    );
    fs::write(&scenario, text).unwrap();
    let answer = ask(&["run", scenario.to_str().unwrap()]);
    assert!(answer.out.contains("files"), "{answer:?}");
    assert!(answer.err.is_empty(), "{answer:?}");
}
