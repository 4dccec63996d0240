//! Batches and records as the recorder writes them, the same in all recordings.

use records::NodeId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A batch of a log or of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// Of its first record.
    pub offset: i64,
    /// The leader's epoch.
    pub epoch: i64,
    /// Whether raft wrote it, and not a controller.
    pub control: bool,
    /// In bytes, with its header.
    pub size: u64,
    /// `false` where the checksum is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid: Option<bool>,
    /// How many periodic no-op records below it the recorder left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noops_before: Option<u64>,
    /// What it holds.
    pub records: Vec<Record>,
    /// The action under which the recorder noted it, where that is not the one that wrote it.
    #[serde(skip)]
    pub noted_under: Option<u64>,
}

/// A record, with Kafka's names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// `TOPIC_RECORD`, `LeaderChange` and so on.
    #[serde(rename = "type")]
    pub kind: String,
    /// Of its schema.
    #[serde(default)]
    pub version: i16,
    #[serde(default)]
    pub data: Map<String, Value>,
}

impl Batch {
    /// The offset after its last record.
    pub fn end(&self) -> i64 {
        self.offset + self.records.len() as i64
    }

    /// Who begins its epoch with this batch.
    pub fn leader(&self) -> Option<NodeId> {
        let first = self.records.first().filter(|first| first.is_leadership())?;
        first.id("leaderId")
    }

    /// The controllers whose registrations stand in it.
    pub fn registered(&self) -> Vec<NodeId> {
        let registrations = self.records.iter().filter(|one| one.is_registration());
        registrations
            .filter_map(|record| record.id("controllerId"))
            .collect()
    }
}

impl Record {
    /// Whether it begins the epoch of a leader.
    pub fn is_leadership(&self) -> bool {
        self.kind == "LeaderChange"
    }

    /// Whether it registers a controller, which every controller asks for by itself.
    pub fn is_registration(&self) -> bool {
        self.kind == "REGISTER_CONTROLLER_RECORD"
    }

    /// A field; null where there is none.
    pub fn field(&self, name: &str) -> &Value {
        self.data.get(name).unwrap_or(&Value::Null)
    }

    /// A field that holds the id of a node.
    pub fn id(&self, name: &str) -> Option<NodeId> {
        let id = i32::try_from(self.field(name).as_i64()?).ok()?;
        Some(NodeId(id))
    }

    /// The record with each of its fields changed.
    #[must_use]
    pub fn map(&self, mut change: impl FnMut(&Value) -> Value) -> Record {
        let data = self.data.iter();
        Record {
            kind: self.kind.clone(),
            version: self.version,
            data: data
                .map(|(name, value)| (name.clone(), change(value)))
                .collect(),
        }
    }
}
