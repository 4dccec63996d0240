//! Golden scripts: what a small cluster does, topic by topic, to be read and reviewed as a diff.
//!
//! `cargo test -p raft --test scripts -- --ignored` writes what happens now into them.

mod script;

use std::fs;
use std::path::PathBuf;

fn scripts() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder of scripts")
        .map(|entry| entry.expect("an entry of the folder").path())
        .collect();
    paths.sort();
    paths
}

#[test]
fn every_script_happens_as_written() {
    let mut differing = Vec::new();
    for path in scripts() {
        let written = fs::read_to_string(&path).expect("a script");
        let now = script::rerun(&written);
        if now != written {
            let line = written
                .lines()
                .zip(now.lines())
                .position(|(a, b)| a != b)
                .unwrap_or(0);
            let (of, to) = (written.lines().nth(line), now.lines().nth(line));
            differing.push(format!(
                "{}:{}\n  written {of:?}\n  now     {to:?}",
                path.display(),
                line + 1
            ));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert!(scripts().len() >= 7, "scripts are missing");
}

#[test]
#[ignore = "rewrites the scripts"]
fn rewrite() {
    for path in scripts() {
        let written = fs::read_to_string(&path).expect("a script");
        fs::write(&path, script::rerun(&written)).expect("a script is written");
    }
}
