//! A committed log as it is compared: record by record, without what is chance.

use std::collections::BTreeMap;

use kraftsim::json::{self, Secrets};
use raft_log::batch::{Batch, read_batches};
use serde_json::{Map, Value, json};
use simulator::SimDisk;

use super::names::Names;
use super::recording::Recording;
use crate::recorded::lived::Volatile;
use crate::recorded::same::{CHANCE, is_empty, is_set};
use crate::recorded::{Batch as RecordedBatch, Record};

/// Where every simulated node keeps its metadata log.
pub const PARTITION: &str = "/data/__cluster_metadata-0";

/// One record that must agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Where it stands.
    pub at: i64,
    /// Where it would stand without the registrations that were made again.
    pub offset: i64,
    /// The epoch, counted among those that begin in this log.
    pub epoch: usize,
    /// Type, version and fields, ids by name.
    pub record: Value,
}

/// A committed log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// All records but registrations of controllers.
    pub entries: Vec<Entry>,
    /// The registrations of each controller, in order: at which entry, and what they say.
    pub registrations: BTreeMap<String, Vec<(usize, Record)>>,
    /// Sizes of the batches that hold neither registrations nor the beginning of an epoch, by offset.
    pub sizes: BTreeMap<i64, u64>,
    /// The epochs that begin in it.
    pub epochs: Vec<i64>,
    incarnations: BTreeMap<String, Vec<Value>>,
    /// Offsets of registrations that a process made again.
    repeated: Vec<i64>,
}

impl Log {
    /// Takes in one more batch, whose ids have their names.
    pub fn push(&mut self, batch: &RecordedBatch) {
        let records = &batch.records;
        let leads = records.first().is_some_and(Record::is_leadership);
        if leads {
            self.epochs.push(batch.epoch);
        }
        if !leads && !records.iter().any(Record::is_registration) {
            self.sizes.insert(self.place(batch.offset), batch.size);
        }
        for (offset, record) in (batch.offset..).zip(records) {
            if record.is_registration() {
                self.register(offset, record);
                continue;
            }
            self.entries.push(Entry {
                at: offset,
                offset: self.place(offset),
                epoch: self.epochs.len(),
                record: plain(&json!(record)),
            });
        }
    }

    /// Each process of a controller draws an id of its own; only that it is another one counts. Where the leader is gone
    /// before it has answered, a process registers again: that is chance, and such a record does not count.
    fn register(&mut self, offset: i64, record: &Record) {
        let controller = record.field("controllerId").to_string();
        let known = self.incarnations.entry(controller.clone()).or_default();
        let (incarnation, features) = (record.field("incarnationId"), record.field("features"));
        if known.contains(incarnation) && self.said_before(&controller, features) {
            self.repeated.push(offset);
            return;
        }
        let known = self.incarnations.entry(controller.clone()).or_default();
        let place = known.iter().position(|id| id == incarnation);
        let place = place.unwrap_or_else(|| {
            known.push(incarnation.clone());
            known.len() - 1
        });
        let mut said = record.clone();
        let process = json!(format!("process {}", place + 1));
        said.data.insert("incarnationId".to_owned(), process);
        let registrations = self.registrations.entry(controller).or_default();
        registrations.push((self.entries.len(), plain_record(&said)));
    }

    fn said_before(&self, controller: &str, features: &Value) -> bool {
        let last = self
            .registrations
            .get(controller)
            .and_then(|all| all.last());
        last.is_some_and(|(_, said)| *said.field("features") == plain(features))
    }

    /// An offset as it would be without the registrations that were made again.
    pub fn place(&self, offset: i64) -> i64 {
        let before = self.repeated.iter().filter(|at| **at < offset);
        offset - before.count() as i64
    }

    /// Leaves out a record that only this log has, for everything that is counted in offsets.
    pub fn leave_out(&mut self, offset: i64) {
        self.repeated.push(offset);
    }

    /// The number of an epoch among those that begin in this log, from 1.
    pub fn rank(&self, epoch: i64) -> Option<usize> {
        let place = self.epochs.iter().position(|one| *one == epoch);
        place.map(|place| place + 1)
    }
}

/// A record without what is chance or says nothing: who granted votes, times, the order of sets, empty defaults.
pub fn plain(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields
                .iter()
                .filter(|(name, _)| !CHANCE.contains(&name.as_str()) && *name != "grantingVoters")
                .map(|(name, value)| (name.clone(), plain(value)))
                .filter(|(_, value)| !says_nothing(value));
            let mut kept: Vec<(String, Value)> = kept.collect();
            kept.sort_by(|one, other| one.0.cmp(&other.0));
            kept.into_iter().collect::<Map<_, _>>().into()
        }
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(plain).collect();
            if is_set(&items) {
                items.sort_by_key(Value::to_string);
            }
            items.into()
        }
        other => other.clone(),
    }
}

/// The same of the fields of a record.
pub fn plain_record(record: &Record) -> Record {
    let data = plain(&Value::Object(record.data.clone()));
    Record {
        data: data.as_object().cloned().unwrap_or_default(),
        ..record.clone()
    }
}

fn says_nothing(value: &Value) -> bool {
    is_empty(value) || *value == 0 || *value == false
}

/// Ids and ports of the recording that the simulated cluster has too: all but those that controllers draw.
pub fn shared(recording: &Recording) -> Volatile {
    let Volatile { ids, ports } = &recording.outcome.volatile;
    let own: Vec<String> = recording
        .controllers()
        .into_iter()
        .flat_map(|id| ["dir", "incarnation"].map(|kind| format!("<{kind}-{id}")))
        .collect();
    let is_own = |name: &str| {
        own.iter().any(|own| {
            let rest = name.strip_prefix(own.as_str());
            rest.is_some_and(|rest| rest.starts_with(['>', '.']))
        })
    };
    let mut ids = ids.clone();
    ids.retain(|name, _| !is_own(name));
    Volatile {
        ids,
        ports: ports.clone(),
    }
}

/// The batches of the metadata log on a disk.
pub fn batches_on(disk: &SimDisk) -> Vec<Batch> {
    let files = disk.files_in(PARTITION);
    let mut segments: Vec<String> = files
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| name.strip_suffix(".log").is_some())
        .collect();
    segments.sort();
    let contents = segments
        .iter()
        .filter_map(|name| disk.look(&format!("{PARTITION}/{name}")));
    contents
        .flat_map(|bytes| {
            let batches: Vec<Batch> = read_batches("", &bytes, 0).map_while(Result::ok).collect();
            batches
        })
        .collect()
}

/// A batch of a simulated log or checkpoint in the recorder's form, ids by name.
pub fn simulated_batch(names: &Names, batch: &Batch) -> RecordedBatch {
    let told = names.in_value(&json::batch(batch, Secrets::Shown));
    serde_json::from_value(told).expect("kraftsim writes batches in the recorder's form")
}
