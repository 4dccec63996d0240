//! What README.md shows is what the commands print.

use std::collections::BTreeSet;
use std::fs;

use kraftsim_tests::cli::{Session, golden_work};
use kraftsim_tests::repository::root;

/// The blocks between lines of three backticks.
fn blocks(text: &str) -> Vec<&str> {
    text.split("```").skip(1).step_by(2).collect()
}

/// Every line of `shown` but the elisions and the command itself stands in `printed`, in that order.
fn assert_shows(shown: &str, printed: &str) {
    let mut lines = printed.lines();
    for line in shown
        .lines()
        .filter(|line| !line.is_empty() && *line != "…" && !line.starts_with("$ "))
    {
        assert!(
            lines.any(|printed| printed == line),
            "README.md shows a line that is not printed:\n{line}"
        );
    }
}

#[test]
fn the_rehearsal_is_a_real_one() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let work = golden_work("a-static-f3.9.2-s3.9.2");
    let config = work.config("phase-1/node-1");
    let mut session = Session::in_folder(&work);
    session.run(&[
        "rehearse", "-c", &config, "--on", "3.9.2", "--then", "4.3.1",
    ]);
    assert_shows(
        blocks(&readme)[0],
        &session.finish().replace("<work>/phase-1/", ""),
    );
}

#[test]
fn the_verdicts_are_real_ones() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let folder = root().join("simulations/kip-1170").display().to_string();
    let mut session = Session::default();
    session.run(&["run", &folder]);
    let root = format!("{}/", root().display());
    // The columns are as wide as the paths are long: compared word by word.
    let words = |text: &str| {
        let lines = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        lines.collect::<Vec<_>>().join("\n")
    };
    let printed = words(&session.finish().replace(&root, ""));
    assert_shows(&words(blocks(&readme)[1]), &printed);
}

/// Commands that a reader is told to type exist.
#[test]
fn every_command_exists() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let named: BTreeSet<&str> = readme
        .split("`kraftsim ")
        .skip(1)
        .filter_map(|rest| rest.split([' ', '`']).next())
        .collect();
    assert!(
        named.contains("rehearse") && named.contains("matrix"),
        "{named:?}"
    );
    for command in named {
        let mut session = Session::default();
        session.run(&[command, "--help"]);
        assert!(
            session.finish().ends_with("exit 0\n\n"),
            "kraftsim {command}"
        );
    }
}
