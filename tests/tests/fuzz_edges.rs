//! A fuzz target for everything that the command line reads: archives, scenarios, schedules, configurations. Whatever is
//! given, the program answers with 0, 1 or 2, prints no control character, and writes nothing that it was not asked for.
//!
//! Under `cargo test` each target runs a bounded number of random inputs. `BOLERO_RANDOM_TEST_TIME_MS=3600000
//! BOLERO_RANDOM_ITERATIONS=1000000000 cargo test --release -p kraftsim-tests --test fuzz_edges TARGET` runs one for an
//! hour; docs/fuzzing.md says what came of it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use kraftsim::archive;
use kraftsim::drive::{DrivenSchedule, ScheduleLine};
use kraftsim_tests::cli::{Answer, ask};
use kraftsim_tests::hostile::{self, Dice};
use releases::Release;

/// What holds of every answer.
fn judge(answer: &Answer, what: &str) {
    assert!(answer.code <= 2, "{what}: {answer:?}");
    let shown = format!("{}{}", answer.out, answer.err);
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    assert!(!shown.contains(control), "{what}: {answer:?}");
    if answer.code == 2 {
        assert!(!shown.is_empty(), "{what}: bad input is named");
    }
}

fn ask_and_judge(args: &[&str]) -> Answer {
    let answer = ask(args);
    judge(&answer, &args.join(" "));
    answer
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn archives() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let path = |name: &str| at(name).display().to_string();
    fs::write(
        at("a.scenario"),
        "controllers 1\nload 1 from x.tar\nstart 1\nrun 1s\n",
    )
    .unwrap();
    let config = "process.roles=controller\nnode.id=1\ncontroller.listener.names=CONTROLLER\n\
                  listeners=CONTROLLER://localhost:9093\ncontroller.quorum.voters=1@localhost:9093\n";
    let config = format!("{config}log.dirs={}\n", path("unpacked"));
    fs::write(at("server.properties"), config).unwrap();
    bolero::check!()
        .with_iterations(150)
        .with_max_len(2_048)
        .for_each(|input: &[u8]| {
            fs::write(
                at("x.tar"),
                hostile::archive::archive(&mut Dice::new(input)),
            )
            .unwrap();
            let inspected = ask_and_judge(&["inspect", &path("x.tar")]);
            ask_and_judge(&["inspect", &path("x.tar"), "--json"]);
            let ran = ask_and_judge(&["run", &path("a.scenario"), "--keep", &path("keep")]);
            // A directory with the name of a file is loaded as it is.
            let is_loaded = inspected.out.contains("a directory, not a regular file");
            if inspected.code == 2 && !is_loaded {
                assert_eq!(ran.code, 2, "one reader of archives: {inspected:?} {ran:?}");
            }
            if unpack(&at("x.tar"), &at("unpacked")) {
                ask_and_judge(&[
                    "rehearse",
                    "-c",
                    &path("server.properties"),
                    "--on",
                    "4.4.0",
                ]);
                let _ = fs::remove_dir_all(at("unpacked"));
            }
            let _ = fs::remove_dir_all(at("keep"));
            assert_eq!(
                names(folder.path()),
                ["a.scenario", "server.properties", "x.tar"]
            );
        });
    assert!(!Path::new("/tmp/kraftsim-outside").exists());
}

/// Writes what the archive holds below a new folder, as a user's tar would; whether anything was there.
fn unpack(tar: &Path, to: &Path) -> bool {
    let read = archive::open(tar, &mut disk::tree::Budget::default(), &mut |_| {
        disk::tree::Want::Whole
    });
    let Ok(Some((_, reading))) = read else {
        return false;
    };
    let parts = reading.parts();
    fs::create_dir(to).unwrap();
    for file in &parts.0 {
        // Whatever node's directory it was, it is this node's now.
        let name = match file.path.find("data/") {
            Some(place) => &file.path[place + "data/".len()..],
            None => file.path.as_str(),
        };
        let path = to.join(name);
        let Some(content) = &file.content else {
            continue;
        };
        if fs::create_dir_all(path.parent().unwrap()).is_ok() {
            let _ = fs::write(path, content);
        }
    }
    true
}

#[test]
fn scenarios() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.scenario");
    let given = path.display().to_string();
    bolero::check!()
        .with_iterations(400)
        .with_max_len(1_024)
        .for_each(|input: &[u8]| {
            fs::write(&path, hostile::scenario::scenario(&mut Dice::new(input))).unwrap();
            let text = ask_and_judge(&["run", &given]);
            let json = ask_and_judge(&["run", &given, "--json", "--trace"]);
            assert_eq!(text.code, json.code);
        });
}

#[test]
fn schedules() {
    bolero::check!()
        .with_iterations(300)
        .with_max_len(1_024)
        .for_each(|input: &[u8]| {
            let mut dice = Dice::new(input);
            let release = *dice.one(&Release::ALL);
            let mut session = DrivenSchedule::new(release.rules());
            for line in hostile::schedule::schedule(&mut dice) {
                let answered = session.line(&ScheduleLine::Whole(line.clone()));
                let silent = line.trim().is_empty() || line.starts_with('#');
                assert_eq!(answered.is_none(), silent, "{line}");
            }
        });
}

#[test]
fn configurations() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("server.properties");
    let given = path.display().to_string();
    let data = folder.path().join("data").display().to_string();
    let releases = Release::ALL.map(Release::name);
    bolero::check!()
        .with_iterations(400)
        .with_max_len(512)
        .for_each(|input: &[u8]| {
            let mut dice = Dice::new(input);
            let release = *dice.one(&releases);
            let bytes = hostile::properties::properties(&mut dice, &data);
            fs::write(&path, bytes).unwrap();
            ask_and_judge(&["info", "-c", &given, "--kafka", release]);
            ask_and_judge(&[
                "rehearse",
                "-c",
                &given,
                "--on",
                release,
                "--unformatted",
                "1",
            ]);
            assert_eq!(names(folder.path()), ["server.properties"]);
        });
}
