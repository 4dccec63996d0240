//! A report as JSON.

use config::meta_properties::MetaProperties;
use config::properties::Properties;
use raft_log::Corrupt;
use raft_log::Damage;
use raft_log::quorum_state::{QuorumStateFile, QuorumStateVersion};
use records::metadata::ConfigRecord;
use records::visit::Secrecy;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Value, json};

use super::InspectReport;
use super::file_report::{BatchAt, Content, FileReport};
use super::source::SourceKind;
use crate::archive::Packing;
use crate::json::{self, Secrets};

/// The whole report. A value is made of one batch after the other, so that printing takes no more memory than the files.
pub struct Document<'a> {
    /// What is printed.
    pub report: &'a InspectReport,
    /// Whether credentials are.
    pub secrets: Secrets,
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let source = &self.report.source;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("path", &source.path)?;
        let kind = match source.kind {
            SourceKind::Directory => "directory",
            SourceKind::File => "file",
            SourceKind::Archive(Packing::Plain) => "tar",
            SourceKind::Archive(Packing::Gzip) => "tar.gz",
            SourceKind::Archive(Packing::Xz) => "tar.xz",
        };
        map.serialize_entry("kind", kind)?;
        map.serialize_entry("whole", &self.report.is_whole())?;
        map.serialize_entry("not_read", &not_read(self.report))?;
        map.serialize_entry("in_use", &source.in_use)?;
        let secrets = self.secrets;
        let files = Each(self.report.files.as_slice(), |file| FileDocument {
            file,
            secrets,
        });
        map.serialize_entry("files", &files)?;
        map.end()
    }
}

/// What stands there and was not read, with the reason; the path is empty where the source itself ends too early.
pub fn not_read(report: &InspectReport) -> Value {
    let each = report.source.not_read.iter();
    each.map(|one| json!({ "path": one.path, "why": one.why }))
        .collect()
}

/// Items, each as what is made of it when its turn comes.
struct Each<'a, T, F>(&'a [T], F);

impl<'a, T, V: Serialize, F: Fn(&'a T) -> V> Serialize for Each<'a, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(&self.1))
    }
}

struct FileDocument<'a> {
    file: &'a FileReport,
    secrets: Secrets,
}

impl Serialize for FileDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let FileDocument { file, secrets } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("path", &file.path)?;
        map.serialize_entry("kind", file.kind.name())?;
        map.serialize_entry("size", &file.size)?;
        match &file.content {
            Content::Batches(batches) => {
                let each = Each(batches.as_slice(), |found| batch_at(found, *secrets));
                map.serialize_entry("batches", &each)?;
            }
            other => {
                if let Some((name, value)) = content(other, *secrets) {
                    map.serialize_entry(name, &value)?;
                }
            }
        }
        map.serialize_entry("damage", &damages(file))?;
        map.serialize_entry("notes", &file.notes)?;
        map.end()
    }
}

/// Where a file is not what it should be.
pub fn damages(file: &FileReport) -> Value {
    file.damage.iter().map(damage).collect()
}

fn damage(damage: &Corrupt) -> Value {
    json!({
        "position": damage.position,
        "expected": damage.expected,
        "found": damage.found,
        "kind": match damage.damage {
            Damage::Torn => "torn",
            Damage::Invalid => "invalid",
        },
    })
}

/// The content under its name; that of a file of batches comes batch by batch from [`batch_at`].
pub fn content(content: &Content, secrets: Secrets) -> Option<(&'static str, Value)> {
    Some(match content {
        Content::None | Content::Batches(_) => return None,
        Content::QuorumState(state) => ("quorum_state", quorum_state(state)),
        Content::Epochs(entries) => (
            "epochs",
            entries
                .iter()
                .map(|entry| json!({ "epoch": entry.epoch, "start_offset": entry.start_offset }))
                .collect(),
        ),
        Content::PartitionMetadata(metadata) => (
            "partition_metadata",
            json!({ "version": metadata.version, "topic_id": metadata.topic_id.to_string() }),
        ),
        Content::MetaProperties(meta) => ("meta_properties", meta_properties(meta)),
        Content::Properties(found) => ("properties", properties(found, secrets)),
        Content::Text(text) => ("text", json!(text)),
    })
}

/// A batch of a file.
pub fn batch_at(found: &BatchAt, secrets: Secrets) -> Value {
    let mut value = json!({ "position": found.position });
    if let (Some(fields), Value::Object(batch)) =
        (value.as_object_mut(), json::batch(&found.batch, secrets))
    {
        for (name, field) in batch {
            if name == "records" {
                fields.insert(
                    "timestamp_ms".to_owned(),
                    json!(found.batch.base_timestamp()),
                );
                fields.insert("crc".to_owned(), json!(found.batch.stored_checksum()));
                fields.insert("checksum_holds".to_owned(), json!(found.checksum_holds));
            }
            fields.insert(name, field);
        }
    }
    value
}

fn quorum_state(state: &QuorumStateFile) -> Value {
    let mut value = json!({
        "data_version": state.data_version(),
        "leader_epoch": state.leader_epoch,
        "leader_id": state.leader_id.map(|id| id.0),
        "voted_id": state.voted_id.map(|id| id.0),
    });
    let (name, field) = match &state.version {
        QuorumStateVersion::V0 { current_voters, .. } => (
            "current_voters",
            current_voters.iter().map(|id| json!(id.0)).collect(),
        ),
        QuorumStateVersion::V1 { .. } => {
            let directory = state.voted_key().and_then(|key| key.directory_id);
            (
                "voted_directory_id",
                json!(directory.map(|id| id.to_string())),
            )
        }
    };
    value[name] = field;
    value
}

fn meta_properties(meta: &MetaProperties) -> Value {
    json!({
        "version": meta.version.number(),
        "cluster_id": meta.cluster_id,
        "node_id": meta.node_id.map(|id| id.0),
        "directory_id": meta.directory_id.map(|id| id.to_string()),
    })
}

fn properties(found: &Properties, secrets: Secrets) -> Value {
    let entries = found.iter().map(|(key, value)| {
        let hidden = secrets == Secrets::Redacted && names_a_secret(key);
        (
            key.to_owned(),
            json!(if hidden { "(redacted)" } else { value }),
        )
    });
    Value::Object(entries.collect())
}

/// Whether a configuration's value may be a credential, judged by its name.
pub fn names_a_secret(key: &str) -> bool {
    let entry = ConfigRecord {
        name: key.to_owned(),
        ..Default::default()
    };
    entry.value_secrecy() == Secrecy::Secret
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hidden() {
        assert!(names_a_secret("listener.name.x.ssl.key.password"));
        assert!(names_a_secret("sasl.jaas.config"));
        assert!(!names_a_secret("controller.quorum.voters"));
    }
}
