//! The checkpoints that appear on disks.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use raft_log::batch::read_batches;
use records::NodeId;
use serde_json::{Value, json};
use simulator::World;

use super::fold;
use super::log::{Log, PARTITION, plain, shared, simulated_batch};
use super::names::Names;
use super::recording::Recording;
use crate::recorded::Record;
use crate::recorded::lived::Volatile;

/// The checkpoints that were ever seen on the simulated disks, by node and name.
#[derive(Clone, Debug, Default)]
pub struct Checkpoints {
    seen: BTreeMap<(NodeId, String), Bytes>,
}

/// How the checkpoints of both sides compare.
#[derive(Clone, Debug, Default)]
pub struct CheckpointsVerdict {
    /// So many recorded ones were made here too, of the same offset and with the same content.
    pub same: usize,
    /// So many were made at another offset here.
    pub elsewhere: usize,
    /// The former, by node and offset.
    pub matched: BTreeSet<(NodeId, i64)>,
    /// What is not as it should be.
    pub differences: Vec<String>,
}

/// A checkpoint: which node made or fetched it, its id with the epoch counted among those of the log, its records.
type Found = BTreeMap<(NodeId, i64, usize), Vec<Value>>;

impl Checkpoints {
    /// Looks what stands on the disks now.
    pub fn look(&mut self, world: &World, controllers: &[NodeId]) {
        for id in controllers {
            let Some(machine) = world.machine(*id) else {
                continue;
            };
            for (name, _) in machine.disk().files_in(PARTITION) {
                if name.ends_with(".checkpoint") {
                    let content = machine.disk().look(&format!("{PARTITION}/{name}"));
                    // A disk that was replaced may hold another one of the same name: as in the recording, the last counts.
                    self.seen.insert((*id, name), content.unwrap_or_default());
                }
            }
        }
    }

    /// How they differ from the recorded ones.
    pub fn compare(
        &self,
        recording: &Recording,
        names: &Names,
        theirs: &Log,
        ours: &Log,
    ) -> CheckpointsVerdict {
        let (expected, found) = (recorded(recording, theirs), self.found(names, ours));
        let mut verdict = CheckpointsVerdict::default();
        let mut before: BTreeMap<NodeId, i64> = BTreeMap::new();
        for (key, records) in &expected {
            let (node, offset, _) = key;
            let since = before.insert(*node, *offset).unwrap_or(0);
            match found.get(key) {
                Some(ours) if ours == records => {
                    verdict.same += 1;
                    verdict.matched.insert((*node, *offset));
                }
                Some(ours) => verdict.differences.push(format!(
                    "node {node}: the checkpoint of offset {offset} holds something else: {}",
                    first_unlike(records, ours)
                )),
                // Kafka counts from where a process began to publish, and publishes several batches at once.
                None if fold::is_due(recording, since, *offset) => verdict.elsewhere += 1,
                None => verdict.differences.push(format!(
                    "node {node}: a checkpoint of offset {offset} there, which was not due"
                )),
            }
        }
        let mut before: BTreeMap<NodeId, i64> = BTreeMap::new();
        for key in found.keys() {
            let (node, offset, _) = key;
            let since = before.insert(*node, *offset).unwrap_or(0);
            if !expected.contains_key(key) && !fold::is_due(recording, since, *offset) {
                verdict.differences.push(format!(
                    "node {node}: a checkpoint of offset {offset} here, which was not due"
                ));
            }
        }
        verdict.differences.extend(folded(recording));
        verdict
    }

    fn found(&self, names: &Names, ours: &Log) -> Found {
        let each = self.seen.iter().filter_map(|((node, name), bytes)| {
            let (offset, epoch) = id_of(name)?;
            let rank = ours.rank(epoch).unwrap_or(0);
            let offset = ours.place(offset);
            let batches = read_batches(name, bytes, 0).map_while(Result::ok);
            let found = batches.flat_map(|batch| simulated_batch(names, &batch).records);
            Some(((*node, offset, rank), records(found)))
        });
        each.collect()
    }
}

/// Whatever its offset, a recorded checkpoint holds what our image makes of the recorded log up to there.
fn folded(recording: &Recording) -> Vec<String> {
    let mut differences = Vec::new();
    let mut known: BTreeMap<i64, Option<Vec<Value>>> = BTreeMap::new();
    for seen in &recording.outcome.checkpoints_seen {
        let name = &seen.name;
        let Some((offset, _)) = id_of(name).filter(|(offset, _)| *offset > 0) else {
            continue;
        };
        let theirs = decoded(recording, &seen.decoded, &recording.outcome.volatile);
        let ours = known
            .entry(offset)
            .or_insert_with(|| Some(records(fold::checkpoint_of(recording, offset)?.into_iter())));
        match ours {
            Some(ours) if *ours == theirs => {}
            Some(ours) => differences.push(format!(
                "{name} of node {} does not hold the log up to there: {}",
                seen.node,
                first_unlike(&theirs, ours)
            )),
            None => differences.push(format!("{name}: the log up to there cannot be folded")),
        }
    }
    differences
}

/// The records of a decoded checkpoint.
fn decoded(recording: &Recording, label: &str, volatile: &Volatile) -> Vec<Value> {
    let decoded = recording.outcome.checkpoints.get(label).into_iter();
    let batches = decoded.flat_map(|decoded| &decoded.batches);
    records(batches.flat_map(|batch| volatile.batch(batch).records))
}

fn first_unlike(expected: &[Value], found: &[Value]) -> String {
    let pairs = expected.iter().zip(found);
    match pairs.into_iter().find(|(one, other)| one != other) {
        Some((expected, found)) => format!("{expected} there, {found} here"),
        None => format!("{} records there, {} here", expected.len(), found.len()),
    }
}

fn recorded(recording: &Recording, theirs: &Log) -> Found {
    let shared = shared(recording);
    let each = recording
        .outcome
        .checkpoints_seen
        .iter()
        .filter_map(|seen| {
            let (offset, epoch) = id_of(&seen.name)?;
            let rank = theirs.rank(epoch).unwrap_or(0);
            let key = (seen.node(), theirs.place(offset), rank);
            Some((key, decoded(recording, &seen.decoded, &shared)))
        });
    each.collect()
}

/// The records of a checkpoint; of an incarnation only that there is one, as a process draws it. Kafka walks through maps whose
/// order depends on identity hashes of the process, so metadata records count as a set.
fn records(all: impl Iterator<Item = Record>) -> Vec<Value> {
    let records = all.map(|mut record| {
        if record.is_registration() {
            record.data.shift_remove("incarnationId");
        }
        record
    });
    let is_control =
        |record: &Record| record.kind.starts_with("Snapshot") || record.kind.starts_with("KRaft");
    let (kept, metadata): (Vec<Record>, Vec<Record>) = records.partition(is_control);
    let told = |records: Vec<Record>| records.into_iter().map(|record| plain(&json!(record)));
    let mut kept: Vec<Value> = told(kept).collect();
    let mut metadata: Vec<Value> = told(metadata).collect();
    metadata.sort_by_key(Value::to_string);
    kept.extend(metadata);
    kept
}

/// Offset and epoch of a checkpoint's name.
pub fn id_of(name: &str) -> Option<(i64, i64)> {
    let (offset, epoch) = name.strip_suffix(".checkpoint")?.split_once('-')?;
    Some((offset.parse().ok()?, epoch.parse().ok()?))
}
