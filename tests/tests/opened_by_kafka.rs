//! What three simulated controllers leave is what real Kafka opened: recorded by `tests/opened-by-kafka/record` in
//! `tests/fixtures/opened-by-kafka`, held here against kraftsim as it is.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use kraftsim::{Console, Exit, Style};
use kraftsim_tests::agree::files_below;
use kraftsim_tests::repository;
use rayon::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// What to do when the simulation changed: real Kafka has to open the new bytes.
const ADVICE: &str = "real Kafka has not seen these bytes: let it open them, which needs Java, by \
     `cargo build --release -p kraftsim && tests/opened-by-kafka/record target/release/kraftsim --write`";

fn root() -> PathBuf {
    repository::root().join("tests")
}

fn fixtures() -> Vec<Value> {
    let fixtures: Vec<Value> = files_below(&root().join("fixtures/opened-by-kafka"))
        .into_iter()
        .map(|(_, path)| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap())
        .collect();
    assert_eq!(fixtures.len(), 20, "four scenarios on five releases");
    fixtures
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

/// The files that the nodes leave, by node and name: size and SHA-256.
fn simulated(scenario: &str, release: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let path = root().join(format!("opened-by-kafka/{scenario}.scenario"));
    let told = fs::read_to_string(path).unwrap();
    let changed = told.lines().map(|line| match line {
        line if line.starts_with("release ") => format!("release {release}\n"),
        line => format!("{line}\n"),
    });
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join(format!("{scenario}.scenario"));
    fs::write(&copy, changed.collect::<String>()).unwrap();
    let kept = folder.path().join("kept");
    let (copy, kept) = (copy.display().to_string(), kept.display().to_string());
    let args = [
        "kraftsim", "run", &copy, "--kafka", release, "--keep", &kept,
    ];
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = kraftsim::run(args, &mut Console::new(&mut out, &mut err, Style::Plain));
    assert_eq!(exit, Exit::Held, "{}", String::from_utf8_lossy(&out));

    let mut nodes: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (name, path) in files_below(&Path::new(&kept).join(scenario)) {
        if let Some((node, name)) = name.split_once("/data/") {
            let bytes = fs::read(path).unwrap();
            let told = format!("{} {}", bytes.len(), hex(&Sha256::digest(&bytes)));
            nodes
                .entry(node.to_owned())
                .or_default()
                .insert(name.to_owned(), told);
        }
    }
    nodes
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[test]
fn the_bytes_are_those_that_real_kafka_opened() {
    fixtures().par_iter().for_each(|fixture| {
        let (scenario, release) = (text(&fixture["scenario"]), text(&fixture["release"]));
        let nodes = simulated(scenario, release);
        let differing: Vec<String> = nodes
            .iter()
            .flat_map(|(node, files)| files.iter().map(move |(name, told)| (node, name, told)))
            .filter(|(node, name, told)| fixture["simulated"][node][name] != **told)
            .map(|(node, name, _)| format!("{node}/{name}"))
            .collect();
        assert!(
            differing.is_empty(),
            "{scenario} {release}: {differing:?}; {ADVICE}"
        );
        assert_eq!(
            fixture["simulated"],
            json!(nodes),
            "{scenario} {release}; {ADVICE}"
        );
    });
}

/// Real Kafka read every batch as kraftsim does, led in a higher epoch, kept every byte and appended; and so did kraftsim
/// after it. The recording command stops where that is not so; a fixture that was changed by hand shows here.
#[test]
fn real_kafka_went_on() {
    for fixture in fixtures() {
        let name = format!("{} {}", fixture["scenario"], fixture["release"]);
        assert!(number(&fixture["dumped"]["batches"]) > 10, "{name}");
        let alone = ["static", "one-voter"].contains(&text(&fixture["scenario"]));
        assert_eq!(fixture.get("alone").is_some(), alone, "{name}");
        for went_on in ["together", "taken_back"]
            .into_iter()
            .chain(alone.then_some("alone"))
        {
            let told = &fixture[went_on];
            assert!(
                number(&told["epoch"]) > number(&told["epoch_before"]),
                "{name} {went_on}"
            );
            assert!(number(&told["kept_batches"]) > 0, "{name} {went_on}");
            assert!(number(&told["appended_batches"]) > 0, "{name} {went_on}");
        }
        let (real, back) = (&fixture["together"], &fixture["taken_back"]);
        assert!(
            number(&back["epoch_before"]) >= number(&real["epoch"]),
            "{name}"
        );
    }
}

/// The scenarios are scenarios: with the release they name, they print what stands in them.
#[test]
fn the_scenarios_hold() {
    let folder = root().join("opened-by-kafka").display().to_string();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["kraftsim", "run", &folder];
    let exit = kraftsim::run(args, &mut Console::new(&mut out, &mut err, Style::Plain));
    assert_eq!(exit, Exit::Held, "{}", String::from_utf8_lossy(&out));
}

/// The table in `docs/opened-by-kafka.md` is what the fixtures say. `UPDATE_EXPECT=1` writes it anew.
#[test]
fn the_page_says_what_was_recorded() {
    let mut table = String::from(
        "| scenario | release | files, batches, records read alike | last epoch | real Kafka led epoch | batches kept \
         | alone too | kraftsim after it |\n|---|---|--:|--:|--:|--:|---|--:|\n",
    );
    for fixture in fixtures() {
        let (dumped, real) = (&fixture["dumped"], &fixture["together"]);
        let alone = match fixture.get("alone") {
            Some(told) => format!("epoch {}", told["epoch"]),
            None => String::new(),
        };
        let (scenario, release) = (text(&fixture["scenario"]), text(&fixture["release"]));
        writeln!(
            table,
            "| {scenario} | {release} | {}, {}, {} | {} | {} | {} | {alone} | epoch {} |",
            dumped["files"],
            dumped["batches"],
            dumped["records"],
            real["epoch_before"],
            real["epoch"],
            real["kept_batches"],
            fixture["taken_back"]["epoch"],
        )
        .unwrap();
    }
    let path = repository::root().join("docs/opened-by-kafka.md");
    let page = fs::read_to_string(&path).unwrap();
    let (above, found) = page.split_once("## What real Kafka said\n\n").unwrap();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, format!("{above}## What real Kafka said\n\n{table}")).unwrap();
        return;
    }
    assert_eq!(found, table);
}

/// Nothing that stands there already is touched.
#[test]
fn what_was_kept_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().display().to_string();
    let scenario = root()
        .join("opened-by-kafka/dynamic.scenario")
        .display()
        .to_string();
    let run = || {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let args = ["kraftsim", "run", &scenario, "--keep", &kept];
        kraftsim::run(args, &mut Console::new(&mut out, &mut err, Style::Plain))
    };
    assert_eq!(run(), Exit::Held);
    let config = folder.path().join("dynamic/node-1/server.properties");
    fs::write(&config, "mine").unwrap();
    assert_eq!(run(), Exit::BadInput);
    assert_eq!(fs::read_to_string(&config).unwrap(), "mine");
}
