//! The checkpoints that appear on disks.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use kraftsim::json::{self, Secrets};
use raft_log::batch::read_batches;
use records::NodeId;
use serde_json::Value;
use simulator::World;

use super::fold;
use super::log::{Log, PARTITION, plain, shared};
use super::names::Names;
use super::recording::Recording;
use crate::agree::list;
use kraftsim::recorded::filled_in;

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
            let batches: Vec<Value> = batches
                .map(|batch| names.in_value(&json::batch(&batch, Secrets::Shown)))
                .collect();
            Some(((*node, offset, rank), records(&batches, names)))
        });
        each.collect()
    }
}

/// Whatever its offset, a recorded checkpoint holds what our image makes of the recorded log up to there.
fn folded(recording: &Recording) -> Vec<String> {
    let volatile = &recording.result["volatile"];
    let mut differences = Vec::new();
    let mut known: BTreeMap<i64, Option<Vec<Value>>> = BTreeMap::new();
    for seen in list(&recording.result["checkpoints_seen"]) {
        let name = seen["name"].as_str().unwrap_or_default();
        let Some((offset, _)) = id_of(name).filter(|(offset, _)| *offset > 0) else {
            continue;
        };
        let decoded =
            &recording.result["checkpoints"][seen["decoded"].as_str().unwrap_or_default()];
        let batches: Vec<Value> = list(&decoded["batches"])
            .iter()
            .map(|batch| filled_in(batch, volatile))
            .collect();
        let theirs = records(&batches, &Names::default());
        let ours = known.entry(offset).or_insert_with(|| {
            let folded = fold::checkpoint_of(recording, offset)?;
            let batch = serde_json::json!({ "records": folded });
            Some(records(&[batch], &Names::default()))
        });
        match ours {
            Some(ours) if *ours == theirs => {}
            Some(ours) => differences.push(format!(
                "{name} of node {} does not hold the log up to there: {}",
                seen["node"],
                first_unlike(&theirs, ours)
            )),
            None => differences.push(format!("{name}: the log up to there cannot be folded")),
        }
    }
    differences
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
    let seen = list(&recording.result["checkpoints_seen"]).iter();
    let each = seen.filter_map(|seen| {
        let node = NodeId(seen["node"].as_i64()? as i32);
        let (offset, epoch) = id_of(seen["name"].as_str()?)?;
        let rank = theirs.rank(epoch).unwrap_or(0);
        let offset = theirs.place(offset);
        let decoded = &recording.result["checkpoints"][seen["decoded"].as_str()?];
        let batches: Vec<Value> = list(&decoded["batches"])
            .iter()
            .map(|batch| filled_in(batch, &shared))
            .collect();
        Some(((node, offset, rank), records(&batches, &Names::default())))
    });
    each.collect()
}

/// The records of a checkpoint; of an incarnation only that there is one, as a process draws it. Kafka walks through maps whose
/// order depends on identity hashes of the process, so metadata records count as a set.
fn records(batches: &[Value], names: &Names) -> Vec<Value> {
    let all = batches.iter().flat_map(|batch| list(&batch["records"]));
    let records = all.map(|record| {
        let mut record = plain(&names.in_value(record));
        let controller = record["type"] == "REGISTER_CONTROLLER_RECORD";
        let data = record.get_mut("data").and_then(Value::as_object_mut);
        if let Some(data) = data.filter(|_| controller) {
            data.remove("incarnationId");
        }
        record
    });
    let is_control = |record: &Value| {
        let name = record["type"].as_str().unwrap_or_default();
        name.starts_with("Snapshot") || name.starts_with("KRaft")
    };
    let (mut kept, mut metadata): (Vec<Value>, Vec<Value>) = records.partition(is_control);
    metadata.sort_by_key(Value::to_string);
    kept.extend(metadata);
    kept
}

/// Offset and epoch of a checkpoint's name.
pub fn id_of(name: &str) -> Option<(i64, i64)> {
    let (offset, epoch) = name.strip_suffix(".checkpoint")?.split_once('-')?;
    Some((offset.parse().ok()?, epoch.parse().ok()?))
}
