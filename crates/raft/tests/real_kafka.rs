//! Step by step against Kafka's own classes: what real raft clients answered to the same commands, recorded.
//!
//! The recordings were made with `oracle/kafka-oracle drive RELEASE`, by drawing commands at random: polls, deliveries,
//! losses, time, appends, snapshots, restarts, voter changes. Every message, draw, callback, wait and state is compared.
//! More of them are compared by the example `step_by_step`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod drive;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;

fn recordings() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/answers");
    let mut found: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let mut text = String::new();
            GzDecoder::new(File::open(&path).unwrap())
                .read_to_string(&mut text)
                .unwrap();
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                text,
            )
        })
        .collect();
    found.sort();
    found
}

#[test]
fn every_recorded_step_agrees() {
    let recordings = recordings();
    assert!(recordings.len() >= 10, "recordings are missing");
    let differing: Vec<String> = recordings
        .iter()
        .filter_map(|(name, text)| {
            drive::replay(text)
                .err()
                .map(|difference| format!("{name}: {difference}"))
        })
        .collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
fn the_comparison_notices_one_changed_number() {
    let (_, text) = &recordings()[0];
    let at = text
        .find("\"next_poll_within\":2")
        .expect("some poll waits for 2… ms");
    let mut changed = text.clone();
    changed.replace_range(at.., &text[at..].replacen(":2", ":3", 1));
    assert!(drive::replay(&changed).is_err());
}
