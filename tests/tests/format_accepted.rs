//! What real Kafka made of directories that kraftsim formatted, and which bytes real kafka-storage wrote: recorded by
//! `tests/format-accepted` in `tests/fixtures/format-accepted`, held here against the cells and against kraftsim as it is.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use kraftsim::{Console, Exit, Style};
use kraftsim_tests::agree::files_below;
use kraftsim_tests::repository;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const CLUSTER: &str = "a3JhZnRzaW0tb3JhY2xlMQ";

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn fixtures() -> Vec<Value> {
    let folder = repository::root().join("tests/fixtures/format-accepted");
    let fixtures: Vec<Value> = files_below(&folder)
        .into_iter()
        .map(|(_, path)| read(&path))
        .collect();
    assert_eq!(fixtures.len(), 10, "five releases, static and standalone");
    fixtures
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// A directory of kraftsim's and one of the release's own tool become the same log.
#[test]
fn real_kafka_activates_with_the_same_records() {
    let mut compared = 0;
    for fixture in fixtures() {
        let (release, quorum) = (text(&fixture["release"]), text(&fixture["quorum"]));
        assert_eq!(fixture["as_its_own"], true, "{quorum} {release}");
        let cell = repository::golden().join(format!("a-{quorum}-f{release}-s{release}"));
        if !cell.is_dir() {
            continue;
        }
        compared += 1;
        let result = read(&cell.join("result.json"));
        let node = &result["phases"][0]["nodes"]["1"];
        let own = json!({
            "outcome": result["phases"][0]["outcome"],
            "exited": node["exited"],
            "bootstrap_source": node["bootstrap_source"],
            "activation": node["activation"],
            "log": result["log"]["1"],
        });
        assert_eq!(fixture["accepted"], own, "{quorum} {release}");
    }
    assert!(compared >= 8, "{compared} of the ten have a cell");
}

/// Given the ids and times of a directory that kafka-storage formatted, kraftsim writes the same bytes.
#[test]
fn kafka_storage_made_the_same_bytes() {
    for fixture in fixtures() {
        let (release, quorum) = (text(&fixture["release"]), text(&fixture["quorum"]));
        let recorded = &fixture["same_bytes"];
        assert_eq!(recorded["equal"], true, "{quorum} {release}");
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().display().to_string();
        let config = folder.path().join("server.properties");
        let lines: Vec<&str> = list(&recorded["config"]).iter().map(text).collect();
        fs::write(&config, lines.join("\n").replace("@WORK@", &work)).unwrap();

        let config = config.display().to_string();
        let mut args = vec![
            "kraftsim", "format", "-c", &config, "-t", CLUSTER, "--kafka", release,
        ];
        args.extend(list(&recorded["args"]).iter().map(text));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let exit = kraftsim::run(args, &mut Console::new(&mut out, &mut err, Style::Plain));
        assert_eq!(exit, Exit::Held, "{}", String::from_utf8_lossy(&err));

        let mut made = serde_json::Map::new();
        for (name, path) in files_below(&folder.path().join("data")) {
            let bytes = fs::read(path).unwrap();
            made.insert(
                name,
                json!({ "size": bytes.len(), "sha256": hex(&Sha256::digest(&bytes)) }),
            );
        }
        assert_eq!(recorded["files"], Value::Object(made), "{quorum} {release}");
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}
