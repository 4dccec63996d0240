//! Replicas of raft in a small cluster: golden scripts, topic by topic, to be read and reviewed as a diff, and random ones.
//!
//! `UPDATE_EXPECT=1 cargo test -p simulator --test raft` writes what happens now into the scripts.

mod cluster;
mod safety;
mod script;

use std::fs;
use std::path::{Path, PathBuf};

fn scripts() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/raft/scripts");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder of scripts")
        .map(|entry| entry.expect("an entry of the folder").path())
        .collect();
    paths.sort();
    paths
}

fn first_difference(path: &Path, written: &str, now: &str) -> String {
    let mut pairs = written.lines().zip(now.lines());
    let line = pairs.position(|(of, to)| of != to).unwrap_or(0);
    let (of, to) = (written.lines().nth(line), now.lines().nth(line));
    let (path, line) = (path.display(), line + 1);
    format!("{path}:{line}\n  written {of:?}\n  now     {to:?}")
}

#[test]
fn every_script_happens_as_written() {
    let renews = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut differing = Vec::new();
    for path in scripts() {
        let written = fs::read_to_string(&path).expect("a script");
        let now = script::rerun(&written);
        if now != written && renews {
            fs::write(&path, now).expect("a script is written");
        } else if now != written {
            differing.push(first_difference(&path, &written, &now));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert!(scripts().len() >= 17, "scripts are missing");
}
