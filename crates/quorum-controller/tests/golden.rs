//! Activations of real Kafka, one by one: from the bootstrap records that it committed, the controller makes the same
//! records, and reports the same of them in its own words.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use image::feature_record;
use quorum_controller::{
    BootstrapMetadata, BootstrapSource, Controller, ControllerConfig, LogContent, Shape,
};
use records::metadata::{MetadataRecord, VersionedRecord};
use releases::Release;
use serde_json::Value;
use support::{Bench, config};

/// Records that activation adds to the bootstrap records.
const ADDED: [&str; 4] = [
    "BEGIN_TRANSACTION_RECORD",
    "END_TRANSACTION_RECORD",
    "ZK_MIGRATION_STATE_RECORD",
    "CONFIG_RECORD",
];

fn golden() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let mut cells: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().join("result.json"))
        .filter(|path| path.exists())
        .collect();
    cells.sort();
    let read = |path: &Path| -> Value {
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    cells
        .iter()
        .map(|path| (path.display().to_string(), read(path)))
        .collect()
}

/// The records of the transaction or batch that an activation wrote first into the log of node 1.
fn first_data(cell: &Value, count: usize) -> Option<Vec<(String, Value)>> {
    let batches = cell["log"]
        .as_object()?
        .values()
        .next()?
        .as_array()?
        .first()?["batches"]
        .as_array()?;
    let batch = batches
        .iter()
        .find(|batch| batch["control"] == Value::Bool(false))?;
    let records = batch["records"].as_array()?;
    let typed = |record: &Value| {
        (
            record["type"].as_str().unwrap().to_owned(),
            record["data"].clone(),
        )
    };
    let all: Vec<_> = records.iter().map(typed).collect();
    let own = all
        .iter()
        .filter(|(kind, _)| !ADDED.contains(&kind.as_str()))
        .count();
    (own == count).then_some(all)
}

fn source(text: &str) -> BootstrapSource {
    match text.strip_prefix("the binary bootstrap metadata file: ") {
        Some(path) => BootstrapSource::LegacyFile(path.to_owned()),
        None if text == "bootstrap" => BootstrapSource::ZeroCheckpoint,
        None if text == "the default bootstrap" => BootstrapSource::Default,
        None => panic!("unknown source {text}"),
    }
}

/// The record, if it is one that can be made from what the cell says of it; secrets are left out there.
fn feature_level(kind: &str, data: &Value) -> Option<VersionedRecord> {
    let level = i16::try_from(data["featureLevel"].as_i64()?).ok()?;
    (kind == "FEATURE_LEVEL_RECORD").then_some(feature_record(data["name"].as_str()?, level))
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let start = text.find(before)? + before.len();
    let end = text[start..].find(after)? + start;
    Some(&text[start..end])
}

#[test]
fn activations_of_real_kafka() {
    let mut checked: BTreeMap<String, usize> = BTreeMap::new();
    for (name, cell) in golden() {
        let phases = cell["phases"].as_array().map_or(&[][..], Vec::as_slice);
        let [phase] = phases else { continue };
        for node in phase["nodes"].as_object().unwrap().values() {
            let Some(line) = node["activation"][0].as_str() else {
                continue;
            };
            let said = line.split_once("] ").unwrap().1;
            if !said.contains("appears to be empty") {
                continue;
            }
            let count: usize = between(said, "Appending ", " bootstrap")
                .unwrap()
                .parse()
                .unwrap();
            let Some(committed) = first_data(&cell, count) else {
                continue;
            };
            let own: Option<Vec<VersionedRecord>> = committed
                .iter()
                .filter(|(kind, _)| !ADDED.contains(&kind.as_str()))
                .map(|(kind, data)| feature_level(kind, data))
                .collect();
            let Some(own) = own else { continue };
            let release: Release = node["version"].as_str().unwrap().parse().unwrap();
            let source = source(between(said, "from bootstrap source '", "'").unwrap());
            let rules = release.rules();
            let bootstrap = BootstrapMetadata::from_records(own.clone(), source).unwrap();
            // `min.insync.replicas` of the server is known from the record alone.
            let min_insync_replicas = committed
                .iter()
                .find(|(kind, _)| kind == "CONFIG_RECORD")
                .map_or(1, |(_, data)| {
                    data["value"].as_str().unwrap().parse().unwrap()
                });
            let config = ControllerConfig {
                min_insync_replicas,
                ..config()
            };
            let mut bench = Bench {
                controller: Controller::new(config, rules, bootstrap),
                ..Bench::new(release, own)
            };
            bench.lead(1).unwrap();
            let activation = &bench.controller.activations()[0];
            let transaction = said.contains("in metadata transaction");
            assert_eq!(activation.log, LogContent::Empty, "{name}");
            assert_eq!(activation.bootstrap_records, count, "{name}");
            assert_eq!(activation.shape == Shape::MayBeSplit, transaction, "{name}");
            let version = between(said, "at metadata.version ", " from").unwrap();
            assert_eq!(activation.metadata_version, version, "{name}");
            assert_eq!(
                said.contains("ZK migration state"),
                activation.message.contains("ZooKeeper migration state"),
                "{name}"
            );
            let written: Vec<_> = bench.raft.records();
            let types: Vec<_> = written
                .iter()
                .map(|(_, record)| record.record.type_name())
                .collect();
            let expected: Vec<_> = committed.iter().map(|(kind, _)| kind.as_str()).collect();
            assert_eq!(types, expected, "{name}");
            for ((_, record), (_, data)) in written.iter().zip(&committed) {
                if let MetadataRecord::Config(config) = &record.record {
                    assert_eq!(Some(config.name.as_str()), data["name"].as_str(), "{name}");
                    assert_eq!(config.value.as_deref(), data["value"].as_str(), "{name}");
                }
            }
            *checked.entry(release.to_string()).or_default() += 1;
        }
    }
    assert!(
        checked.len() >= 6 && checked.values().sum::<usize>() >= 150,
        "{checked:?}"
    );
}
