//! `rehearse` looks at real directories and changes nothing in them, and says so when they are in use.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use kraftsim_tests::cli::{Session, ask, golden_work};
use serde_json::Value;

/// Every path below a folder with its time of change and its content.
fn state(folder: &Path) -> Vec<(String, SystemTime, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let changed = entry.metadata().unwrap().modified().unwrap();
        let content = if path.is_dir() {
            Vec::new()
        } else {
            fs::read(&path).unwrap()
        };
        found.push((path.display().to_string(), changed, content));
        if path.is_dir() {
            found.extend(state(&path));
        }
    }
    found.sort();
    found
}

#[test]
fn nothing_is_written() {
    for cell in ["b4-static-s4.4.0", "c-downgrade-static-4.4.0-4.3.1"] {
        let work = golden_work(cell);
        let config = work.config("phase-1/node-1");
        let before = state(work.path());
        let mut session = Session::in_folder(&work);
        session.run(&[
            "rehearse", "-c", &config, "--on", "4.4.0", "--then", "4.4.0",
        ]);
        assert!(session.finish().ends_with("exit 0\n\n"));
        assert_eq!(before, state(work.path()), "{cell}");
    }
}

#[test]
fn a_directory_in_use_is_read_and_said_to_be() {
    let work = golden_work("a-static-f4.3.1-s4.4.0");
    let config = work.config("phase-1/node-1");
    let lock = work.write("phase-1/node-1/data/.lock", "");
    let mut session = Session::in_folder(&work);
    session.run(&["rehearse", "-c", &config, "--on", "4.4.0"]);
    let printed = session.finish();
    assert!(
        printed.contains("note: <work>/phase-1/node-1/data/.lock"),
        "{printed}"
    );
    assert!(Path::new(&lock).is_file());
    assert!(printed.ends_with("exit 0\n\n"), "{printed}");
}

#[test]
fn a_missing_directory_is_a_mistake_unless_the_node_is_said_to_be_unformatted() {
    let work = golden_work("a-static-f4.3.1-s4.4.0");
    let config = work.config("phase-1/node-1");
    let data = work.path().join("phase-1/node-1/data");
    let rehearse = ["rehearse", "-c", &config, "--on", "4.4.0", "--json"];
    let unformatted = [&rehearse[..], &["--unformatted", "1"]].concat();
    // Said of a node that is formatted it is a mistake.
    let answer = ask(&unformatted);
    assert_eq!(answer.code, 2, "{answer:?}");
    assert!(
        answer.err.contains("is said to be unformatted"),
        "{answer:?}"
    );

    fs::remove_dir_all(&data).unwrap();
    let answer = ask(&rehearse);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("does not exist"), "{answer:?}");
    assert!(answer.err.contains("--unformatted 1"), "{answer:?}");

    let answer = ask(&unformatted);
    assert_eq!(answer.code, 0, "{answer:?}");
    let document: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(document["phases"][0]["outcome"], "exited");
    assert!(document["phases"][0]["nodes"]["1"]["refusal"].is_string());
    let stranger = [&rehearse[..], &["--unformatted", "7"]].concat();
    assert_eq!(ask(&stranger).code, 2);
}
