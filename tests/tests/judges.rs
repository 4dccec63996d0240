//! The judge in Python that came with the cells, and ours, give the same verdicts.
//!
//! Starts some thousand processes, so that it runs on demand only:
//! `cargo test --release -p kraftsim-tests --test judges -- --ignored`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use kraftsim_tests::agree::{Kraftsim, Place, Verdict, cells_in, judge};
use kraftsim_tests::repository::{golden, root};
use rayon::prelude::*;

/// The program in the profile of this test, built if need be.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let profile = test.ancestors().nth(2).expect("tests lie in PROFILE/deps");
    let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    cargo.args(["build", "-p", "kraftsim", "--target-dir"]);
    cargo.arg(
        profile
            .parent()
            .expect("a profile lies in the target folder"),
    );
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    assert!(
        cargo
            .current_dir(root())
            .status()
            .expect("cargo runs")
            .success()
    );
    profile.join("kraftsim")
}

/// Verdict by cell, as the Python judge prints it.
fn verdicts_in_python(program: &Path) -> BTreeMap<String, String> {
    let output = Command::new("python3")
        .arg(root().join("tests/judge/agree.py"))
        .args([program, &golden(), Path::new("-v")])
        .output()
        .expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().filter_map(|line| line.split_once(": "));
    lines
        .filter_map(|(start, _)| {
            let (verdict, cell) = start.split_once(' ')?;
            Some((cell.trim().to_owned(), verdict.to_owned()))
        })
        .collect()
}

#[test]
#[ignore = "starts some thousand processes; see the top of the file"]
fn both_judges_say_the_same() {
    let program = program();
    let theirs = verdicts_in_python(&program);
    let kraftsim = Kraftsim {
        place: Place::Program(program),
        seed: None,
    };
    let cells = cells_in(&golden()).expect("the repository carries its cells");
    let ours: BTreeMap<String, Verdict> = cells
        .par_iter()
        .map(|cell| (cell.id(), judge(&kraftsim, cell)))
        .collect();
    assert_eq!(theirs.len(), ours.len(), "both judge every cell");
    let differing: Vec<String> = ours
        .iter()
        .filter(|(cell, verdict)| theirs.get(*cell).map(String::as_str) != Some(verdict.name()))
        .map(|(cell, verdict)| format!("{cell}: {verdict:?}, in Python {:?}", theirs.get(cell)))
        .collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}
