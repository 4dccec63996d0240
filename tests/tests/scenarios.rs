//! Every scenario under `simulations/`: it holds, prints what stands in it, does so twice with the same hash, and says
//! where it comes from.

use std::path::{Path, PathBuf};

use kraftsim::{Console, Exit, Style};
use kraftsim_tests::repository;
use rayon::prelude::*;
use serde_json::Value;

fn scenarios() -> Vec<PathBuf> {
    let found = repository::files(&repository::root().join("simulations"), &[".scenario"]);
    assert!(
        found.len() > 50,
        "simulations/ holds only {} scenarios",
        found.len()
    );
    found
}

/// Runs `kraftsim run --json` on a scenario: its exit status, and what it says of it.
fn run(path: &Path, options: &[&str]) -> (Exit, Value) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let path = path.display().to_string();
    let args = [&["kraftsim", "run", "--json", &path], options].concat();
    let exit = kraftsim::run(args, &mut Console::new(&mut out, &mut err, Style::Plain));
    let said = String::from_utf8_lossy(&err).into_owned();
    let document: Value = serde_json::from_slice(&out).unwrap_or_else(|_| panic!("{path}: {said}"));
    (exit, document["scenarios"][0].clone())
}

#[test]
fn every_scenario_holds_twice_with_the_same_hash() {
    let wrong: Vec<String> = scenarios()
        .par_iter()
        .filter_map(|path| {
            let ((exit, first), (_, second)) = (run(path, &[]), run(path, &[]));
            let name = path.display();
            if exit != Exit::Held {
                return Some(format!("{name} does not hold: {first:#}"));
            }
            (first != second).then(|| format!("{name} differs from run to run"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Messages as bytes change nothing where both sides speak the newest versions, and nothing that a scenario shows anywhere.
#[test]
fn every_scenario_holds_with_messages_as_bytes() {
    let differs = |path: &PathBuf| {
        let ((exit, on), (_, off)) = (run(path, &["--wire", "on"]), run(path, &["--wire", "off"]));
        let name = path.display();
        if exit != Exit::Held {
            return Some(format!("{name} does not hold: {on:#}"));
        }
        (on != off).then(|| format!("{name} is another run with messages as bytes"))
    };
    let wrong: Vec<String> = scenarios().par_iter().filter_map(differs).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_scenario_says_in_words_what_it_shows_and_where_that_comes_from() {
    for path in scenarios() {
        let name = path.display();
        let text = std::fs::read_to_string(&path).unwrap();
        let comment: Vec<&str> = text
            .lines()
            .take_while(|line| line.starts_with('#'))
            .collect();
        assert!(
            comment.len() > 1,
            "{name}: the first lines say in plain words what it shows"
        );
        assert!(text.contains("# Source: "), "{name}: no source");
        assert!(text.contains("\ntitle \""), "{name}: no title");
        for cell in text.split("tests/golden/").skip(1) {
            let end = cell.find(|c: char| !(c.is_alphanumeric() || "-.".contains(c)));
            let cell = cell[..end.unwrap_or(cell.len())].trim_end_matches(['.', '-']);
            assert!(
                repository::golden().join(cell).is_dir(),
                "{name}: no cell {cell}"
            );
        }
    }
}

#[test]
fn a_known_bug_shows_where_it_is_and_nowhere_else() {
    let museum = repository::root().join("simulations/museum/KAFKA-20839.scenario");
    for (options, holds) in [
        (&["--kafka", "3.9.1"][..], Exit::Held),
        (&["--kafka", "4.0.0"], Exit::Held),
        (&["--kafka", "4.0.2"], Exit::Held),
        (&["--kafka", "4.1.2"], Exit::Failed),
        (&["--kafka", "4.4.0"], Exit::Failed),
        (&["--kafka", "4.4.0", "--with", "KAFKA-20839"], Exit::Held),
        (&["--without", "KAFKA-20839"], Exit::Failed),
    ] {
        let (exit, said) = run(&museum, options);
        assert_eq!(exit, holds, "{options:?}: {said:#}");
    }
}

/// The sources that KIP-1170's table and the recorded cells name, state by state.
#[test]
fn the_states_of_kip_1170_have_the_sources_of_its_table() {
    let default = |dynamic: bool| if dynamic { None } else { Some("default") };
    let legacy = |dynamic: bool| if dynamic { None } else { Some("legacy-file") };
    for (kind, dynamic) in [("static", false), ("dynamic", true)] {
        for (release, table) in [
            (
                "4.3.1",
                [
                    default(dynamic),
                    legacy(dynamic),
                    Some("legacy-file"),
                    Some("default"),
                    Some("legacy-file"),
                ],
            ),
            (
                "4.4.0",
                [
                    default(dynamic),
                    legacy(dynamic),
                    Some("legacy-file"),
                    Some("zero-checkpoint"),
                    Some("zero-checkpoint"),
                ],
            ),
            (
                "kip-1170",
                [
                    default(dynamic),
                    legacy(dynamic),
                    Some("legacy-file"),
                    Some("zero-checkpoint"),
                    Some("zero-checkpoint"),
                ],
            ),
        ] {
            for (state, source) in table.into_iter().enumerate() {
                let name =
                    format!("simulations/kip-1170/state-{state}-{kind}-on-{release}.scenario");
                let (_, said) = run(&repository::root().join(&name), &[]);
                assert_eq!(
                    said["activations"][0]["bootstrap_source"].as_str(),
                    source,
                    "{name}"
                );
            }
        }
    }
}
