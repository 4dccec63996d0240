//! A report as JSON.

use config::meta_properties::MetaProperties;
use config::properties::Properties;
use raft_log::Corrupt;
use raft_log::Damage;
use raft_log::quorum_state::{QuorumStateFile, QuorumStateVersion};
use records::metadata::ConfigRecord;
use records::visit::Secrecy;
use serde_json::{Map, Value, json};

use super::Report;
use super::file_report::{BatchAt, Content, FileReport};
use super::source::SourceKind;
use crate::archive::Packing;
use crate::json::{self, Secrets};

/// The whole report.
pub fn document(report: &Report, secrets: Secrets) -> Value {
    let source = &report.source;
    json!({
        "path": source.path,
        "kind": match source.kind {
            SourceKind::Directory => "directory",
            SourceKind::File => "file",
            SourceKind::Archive(Packing::Plain) => "tar",
            SourceKind::Archive(Packing::Gzip) => "tar.gz",
            SourceKind::Archive(Packing::Xz) => "tar.xz",
        },
        "damage": source.damage,
        "in_use": source.in_use,
        "files": report.files.iter().map(|file| self::file(file, secrets)).collect::<Vec<_>>(),
    })
}

/// One file.
pub fn file(file: &FileReport, secrets: Secrets) -> Value {
    let mut fields = Map::new();
    fields.insert("path".to_owned(), json!(file.path));
    fields.insert("kind".to_owned(), json!(file.kind.name()));
    fields.insert("size".to_owned(), json!(file.size));
    if let Some((name, value)) = content(&file.content, secrets) {
        fields.insert(name.to_owned(), value);
    }
    fields.insert(
        "damage".to_owned(),
        file.damage.iter().map(damage).collect(),
    );
    fields.insert("notes".to_owned(), json!(file.notes));
    Value::Object(fields)
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

/// The content under its name.
pub fn content(content: &Content, secrets: Secrets) -> Option<(&'static str, Value)> {
    Some(match content {
        Content::None => return None,
        Content::Batches(batches) => (
            "batches",
            batches
                .iter()
                .map(|batch| batch_at(batch, secrets))
                .collect(),
        ),
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

fn batch_at(found: &BatchAt, secrets: Secrets) -> Value {
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
