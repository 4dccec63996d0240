//! `version-mapping` and `feature-dependencies` against the fact tables, and whole outputs of what kafka-storage does.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

use std::collections::BTreeMap;
use std::fs;

use kraftsim::{Console, Exit, Style};
use kraftsim_tests::cli::{Session, golden_work};
use kraftsim_tests::repository;
use snapbox::{Data, assert_data_eq};

fn table(name: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(repository::root().join("tests/facts").join(name)).unwrap();
    let mut lines = text
        .lines()
        .map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let head = lines.next().unwrap();
    lines
        .map(|row| head.iter().cloned().zip(row).collect())
        .collect()
}

fn ask(args: &[&str]) -> (Exit, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let line = std::iter::once("kraftsim").chain(args.iter().copied());
    let exit = kraftsim::run(line, &mut Console::new(&mut out, &mut err, Style::Plain));
    (exit, String::from_utf8(out).unwrap())
}

/// Every metadata.version of every release: the levels that go with it.
#[test]
fn version_mapping_knows_every_default() {
    let mut count = 0;
    for row in table("feature_defaults.tsv") {
        let (release, version) = (row["release"].as_str(), row["metadata_version"].as_str());
        let (exit, out) = ask(&["version-mapping", "--kafka", release, "-r", version]);
        if row["branch"] == "3.9" {
            assert_eq!(
                (exit, out.as_str()),
                (Exit::Failed, ""),
                "{release} has no such command"
            );
            continue;
        }
        let mut printed: Vec<&str> = out.lines().collect();
        assert_eq!(
            printed.remove(0),
            format!("metadata.version={} ({version})", row["mv_level"])
        );
        let mut expected: Vec<String> = row
            .iter()
            .filter(|(name, level)| name.ends_with(".version") && level.as_str() != "-")
            .map(|(name, level)| format!("{name}={level}"))
            .collect();
        printed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(printed, expected, "{release} at {version}");
        count += 1;
    }
    assert!(count > 100, "{count} mappings");
}

/// Every level of every feature: what the release's own tool says it needs.
#[test]
fn feature_dependencies_says_what_the_tool_says() {
    let mut count = 0;
    for row in table("features.tsv")
        .iter()
        .filter(|row| row["branch"] != "3.9")
    {
        let feature = format!("{}={}", row["feature"], row["level"]);
        let (exit, out) = ask(&[
            "feature-dependencies",
            "--kafka",
            &row["release"],
            "-f",
            &feature,
        ]);
        assert_eq!(exit, Exit::Held, "{feature}");
        let said = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            said,
            format!("{feature} {}", row["feature_dependencies_tool_says"]),
            "{}",
            row["release"]
        );
        count += 1;
    }
    assert!(count > 40, "{count} levels");
}

fn compare(name: &str, printed: String) {
    let path = repository::root()
        .join("tests/cli")
        .join(format!("{name}.txt"));
    assert_data_eq!(printed, Data::read_from(&path, None));
}

#[test]
fn what_the_tables_look_like() {
    let mut session = Session::default();
    session.run(&["version-mapping", "--kafka", "4.0.2"]);
    session.run(&[
        "version-mapping",
        "--kafka",
        "4.4.0",
        "-r",
        "4.0.1",
        "--json",
    ]);
    session.run(&["version-mapping", "--kafka", "4.1.2", "-r", "4.9"]);
    session.run(&["version-mapping", "--kafka", "3.9.2"]);
    session.run(&[
        "feature-dependencies",
        "--kafka",
        "4.0.1",
        "-f",
        "kraft.version=1",
        "-f",
        "group.version=1",
    ]);
    session.run(&[
        "feature-dependencies",
        "--kafka",
        "4.4.0",
        "-f",
        "metadata.version=21",
        "-f",
        "group.version=9",
    ]);
    compare("feature-tables", session.finish());
}

#[test]
fn what_formatting_looks_like() {
    let work = golden_work("d-scram-dup-4.3.1");
    let config = work.config("formatted/node-1");
    let fresh = fs::read_to_string(&config)
        .unwrap()
        .replace("/data", "/fresh");
    let fresh = work.write("fresh.properties", &fresh);
    let ids = [
        "--directory-id",
        "rKbpSS2gSkUD5MsL3sIKaQ",
        "--timestamp-ms",
        "1796000000000",
    ];
    let format = |config: &str, release: &str, more: &[&str]| -> Vec<String> {
        let fixed = [
            "format",
            "-c",
            config,
            "-t",
            "a3JhZnRzaW0tb3JhY2xlMQ",
            "--kafka",
            release,
        ];
        fixed
            .iter()
            .chain(more)
            .map(|arg| (*arg).to_owned())
            .collect()
    };
    let mut session = Session::in_folder(&work);
    let mut run =
        |args: Vec<String>| session.run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    run(vec![
        "info".to_owned(),
        "-c".to_owned(),
        fresh.clone(),
        "--kafka".to_owned(),
        "4.3.1".to_owned(),
    ]);
    run(format(&config, "4.3.1", &[]));
    run(format(&config, "4.3.1", &["--ignore-formatted"]));
    run(format(&fresh, "4.3.1", &["--standalone"]));
    run(format(&fresh, "4.3.1", &["--release-version", "9.9"]));
    run(format(&fresh, "4.3.1", &["--feature", "share.version=7"]));
    run(format(
        &fresh,
        "4.3.1",
        &["--directory-id", "/elsewhere=rKbpSS2gSkUD5MsL3sIKaQ"],
    ));
    run(format(&fresh, "4.3.1", &["-s", "-N"]));
    let scram = "SCRAM-SHA-256=[name=alice,iterations=8192,salt=\"MWx2NHBkbnc0ZndxN25vdGN4bTB5Y2o=\",password=alice-secret]";
    run(format(
        &fresh,
        "4.4.0",
        &[&ids[..], &["--add-scram", scram, "--json"]].concat(),
    ));
    run(vec![
        "info".to_owned(),
        "-c".to_owned(),
        fresh.clone(),
        "--kafka".to_owned(),
        "4.4.0".to_owned(),
    ]);
    run(format(&config, "4.3.9", &[]));
    compare("format", session.finish());
}

#[test]
fn what_explaining_looks_like() {
    let mut session = Session::default();
    session.run(&["explain", "KAFKA-20839"]);
    session.run(&["explain", "controller.empty_log_test"]);
    session.run(&["explain", "empty_log"]);
    compare("explain", session.finish());
}
