//! Every file that real Kafka wrote is read and written again, by way of typed values, into the same bytes.

use std::collections::BTreeMap;

use bytes::Bytes;
use config::meta_properties::MetaProperties;
use config::properties::Properties;
use kraftsim_tests::kafka_files::{KafkaFile, distinct};
use kraftsim_tests::repository;
use raft_log::batch::{Batch, BatchBuilder, read_batches};
use raft_log::checkpoint::{Checkpoint, CheckpointWriter, KRaftRecords, parse_name};
use raft_log::legacy::{self, LegacyFile};
use raft_log::partition_metadata::PartitionMetadata;
use raft_log::quorum_state::QuorumStateFile;
use raft_log::{Corrupt, leader_epochs};
use rayon::prelude::*;
use records::NodeId;
use records::control::ControlRecord;
use serde_json::Value;

/// Version 1, CRC-32C, no producers.
const NO_PRODUCERS: &[u8] = b"\x00\x01\x48\x67\x4b\xc7\x00\x00\x00\x00";

#[test]
fn every_file_is_read_and_rewritten() {
    let files = distinct();
    // What lies beside the segment of a swap, and an index on its way out, is thrown away unread.
    let read = files.par_iter().filter(|file| kind(file) != "thrown-away");
    let outcomes: Vec<(&'static str, Option<String>)> =
        read.map(|file| (kind(file), problem(file))).collect();
    let problems: Vec<&String> = outcomes
        .iter()
        .filter_map(|(_, found)| found.as_ref())
        .collect();
    assert!(
        problems.is_empty(),
        "{} problems: {problems:#?}",
        problems.len()
    );
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (kind, _) in &outcomes {
        *counts.entry(kind).or_default() += 1;
    }
    // Each kind is there, so that a change to the archives does not empty this test.
    for (kind, least) in [
        ("bootstrap.checkpoint", 100),
        ("checkpoint", 200),
        ("leader-epoch-checkpoint", 10),
        ("meta.properties", 100),
        ("partition.metadata", 1),
        ("producers", 1),
        ("quorum-state", 10),
        ("segment", 200),
        ("server.properties", 10),
    ] {
        let found = counts.get(kind).copied().unwrap_or(0);
        assert!(
            found >= least,
            "{found} files of kind {kind}, expected at least {least}"
        );
    }
    assert_eq!(counts.get("unknown"), None);
}

fn kind(file: &KafkaFile) -> &'static str {
    match file.name.trim_end_matches(".deleted") {
        legacy::FILE_NAME => "bootstrap.checkpoint",
        "leader-epoch-checkpoint" => "leader-epoch-checkpoint",
        "meta.properties" => "meta.properties",
        "partition.metadata" => "partition.metadata",
        "quorum-state" => "quorum-state",
        "server.properties" => "server.properties",
        name => match bare(name).rsplit('.').next() {
            Some("index" | "timeindex") => "thrown-away",
            Some("snapshot") if bare(name) != name => "thrown-away",
            Some("log") => "segment",
            Some("snapshot") => "producers",
            Some("checkpoint") => "checkpoint",
            _ => "unknown",
        },
    }
}

/// The name without what says that the file is not in use, or not yet.
fn bare(name: &str) -> &str {
    let marks = [".part", ".swap", ".cleaned"];
    let mut found = marks.iter().filter_map(|mark| name.strip_suffix(mark));
    found.next().unwrap_or(name)
}

/// What is wrong with the file that comes out, if anything. A damaged file has to be refused at a place inside it, or
/// come out as it went in.
fn problem(file: &KafkaFile) -> Option<String> {
    let complain = |what: String| Some(format!("{}: {what}", file.origin));
    match rewritten(file) {
        Ok(bytes) if bytes == file.content => None,
        Ok(bytes) => {
            let at = bytes
                .iter()
                .zip(&file.content)
                .take_while(|(a, b)| a == b)
                .count();
            complain(format!("differs from byte {at} on"))
        }
        Err(error) if file.tampered && error.position <= file.content.len() as u64 => None,
        Err(error) => complain(error.to_string()),
    }
}

fn rewritten(file: &KafkaFile) -> Result<Bytes, Corrupt> {
    let (name, content) = (file.name.as_str(), &file.content);
    match kind(file) {
        // Only batches are sure to be left of what was cut up.
        "bootstrap.checkpoint" | "checkpoint" if file.tampered => rewritten_batches(name, content),
        "bootstrap.checkpoint" => rewritten_legacy(name, content),
        "leader-epoch-checkpoint" if content.is_empty() => Ok(Bytes::new()),
        "leader-epoch-checkpoint" => Ok(leader_epochs::to_bytes(&leader_epochs::parse(
            name, content,
        )?)),
        "meta.properties" => rewritten_meta_properties(name, content),
        "partition.metadata" => Ok(PartitionMetadata::parse(name, content)?.to_bytes()),
        "producers" => Ok(Bytes::from_static(NO_PRODUCERS)),
        "quorum-state" => Ok(QuorumStateFile::parse(name, content)?.to_bytes()),
        "server.properties" => Ok(Properties::parse(name, content)?.to_bytes()),
        "checkpoint" => rewritten_checkpoint(name, content),
        _ => rewritten_batches(name, content),
    }
}

/// The file is what Kafka stored, or what a recorder edited; an edited one keeps its bytes, not its order.
fn rewritten_meta_properties(name: &str, content: &Bytes) -> Result<Bytes, Corrupt> {
    let properties = Properties::parse(name, content)?;
    let meta = MetaProperties::from_properties(name, &properties)?;
    let comments: Vec<String> = properties.comments().collect();
    match &comments[..] {
        [empty, date] if empty == "#" => Ok(meta.to_bytes(&date[1..])),
        _ => Ok(properties.to_bytes()),
    }
}

fn retyped(name: &str, position: u64, batch: &Batch) -> Result<Batch, Corrupt> {
    let (offset, epoch, time) = (
        batch.base_offset(),
        batch.leader_epoch(),
        batch.base_timestamp(),
    );
    let in_file = |error: raft_log::batch::RecordError| error.in_file(name, position);
    if batch.is_control() {
        let mut builder = BatchBuilder::control(offset, epoch, time);
        for record in batch.control_records().map_err(in_file)? {
            builder
                .append_control(&record)
                .expect("what was read can be written");
        }
        return Ok(builder.finish());
    }
    let mut builder = BatchBuilder::data(offset, epoch, time);
    for record in batch.data_records().map_err(in_file)? {
        builder
            .append_data(&record)
            .expect("what was read can be written");
    }
    Ok(builder.finish())
}

fn rewritten_batches(name: &str, content: &Bytes) -> Result<Bytes, Corrupt> {
    let mut bytes = Vec::new();
    for batch in read_batches(name, content, 0) {
        let rewritten = retyped(name, bytes.len() as u64, &batch?)?;
        bytes.extend_from_slice(rewritten.bytes());
    }
    Ok(Bytes::from(bytes))
}

/// Through [`CheckpointWriter`], where the file has the shape that it writes.
fn rewritten_checkpoint(name: &str, content: &Bytes) -> Result<Bytes, Corrupt> {
    let plain = rewritten_batches(name, content)?;
    let Ok(Some(parsed)) = parse_name(name) else {
        return Ok(plain);
    };
    let checkpoint = Checkpoint::new(name, parsed.id, content.clone());
    let batches: Vec<(u64, Batch)> = checkpoint.batches().collect::<Result<_, _>>()?;
    let Some((_, first)) = batches.first() else {
        return Ok(plain);
    };
    let mut control = first.control_records().expect("read before").into_iter();
    let Some(ControlRecord::SnapshotHeader(header)) = control.next() else {
        return Ok(plain);
    };
    let quorum = match (control.next(), control.next()) {
        (None, _) => KRaftRecords::Absent,
        (Some(ControlRecord::KRaftVersion(version)), voters) => {
            let voters = voters.map(|record| match record {
                ControlRecord::KRaftVoters(voters) => voters,
                other => panic!("{name}: {other:?} after the version"),
            });
            KRaftRecords::Present { version, voters }
        }
        (Some(other), _) => panic!("{name}: {other:?} after the header"),
    };
    let timestamp = header.last_contained_log_timestamp;
    let mut writer = CheckpointWriter::new(parsed.id, timestamp, quorum, first.base_timestamp())
        .expect("what was read can be written");
    let mut written = Vec::new();
    for (_, batch) in batches.iter().filter(|(_, batch)| !batch.is_control()) {
        let records = batch.data_records().expect("read before");
        written.extend(
            writer
                .append(&records, batch.base_timestamp())
                .expect("what was read can be written"),
        );
    }
    if batches.len() > 1 {
        let last = &batches[batches.len() - 1].1;
        written.extend(
            writer
                .finish(last.base_timestamp())
                .expect("what was read can be written"),
        );
    }
    let bytes: Vec<&[u8]> = written.iter().map(|batch| &batch.bytes()[..]).collect();
    Ok(Bytes::from(bytes.concat()))
}

/// Through [`legacy::to_bytes`].
fn rewritten_legacy(name: &str, content: &Bytes) -> Result<Bytes, Corrupt> {
    rewritten_batches(name, content)?;
    let file = LegacyFile::parse(name, content)?;
    let records: Vec<_> = file.records().cloned().collect();
    let mut times =
        read_batches(name, content, 0).map(|batch| batch.expect("read before").base_timestamp());
    Ok(legacy::to_bytes(&records, || times.next().unwrap_or(0))
        .expect("what was read can be written"))
}

/// Odd texts of quorum-state are taken and refused as Kafka's reader takes and refuses them (recorded by
/// `tests/quorum-state-texts`).
#[test]
fn odd_quorum_states_are_read_as_kafka_reads_them() {
    let fixture = repository::root().join("tests/fixtures/quorum-state.jsonl");
    let mut counts = [0, 0];
    for line in std::fs::read_to_string(fixture).unwrap().lines() {
        let answer: Value = serde_json::from_str(line).unwrap();
        let text = answer["text"].as_str().unwrap();
        let read = QuorumStateFile::parse("quorum-state", &Bytes::copy_from_slice(text.as_bytes()));
        let read = read.ok().map(|state| {
            let id = |node: NodeId| i64::from(node.0);
            let (leader, voted) = (
                state.leader_id.map(id),
                state.voted_key().map(|key| id(key.id)),
            );
            (i64::from(state.leader_epoch), leader, voted)
        });
        let expected = answer["epoch"]
            .as_i64()
            .map(|epoch| (epoch, answer["leader"].as_i64(), answer["voted"].as_i64()));
        assert_eq!(read, expected, "{text}: Kafka: {}", answer["refused"]);
        counts[usize::from(read.is_some())] += 1;
    }
    assert_eq!(counts, [94, 50], "refused, read");
}
