use records::control::ControlRecord;
use records::feature::{FeatureTable, Line, MetadataVersion};
use records::metadata::{MetadataRecord, VersionedRecord};
use records::visit::Secrecy;

use super::one_line::OneLine;
use super::visible::visible;

/// `metadata.version 33 (4.4-IV2)`, `group.version 1`.
pub fn feature_level(name: &str, level: i16) -> String {
    let known = |line: &Line| FeatureTable::of(*line).metadata_version(MetadataVersion(level));
    // The newest line that knows a level: what an unstable level was called once is of no use.
    match Line::ALL.iter().rev().find_map(known) {
        Some(info) if name == "metadata.version" => format!("{name} {level} ({})", info.name),
        _ => format!("{name} {level}"),
    }
}

/// A metadata record in words.
pub fn record(record: &VersionedRecord) -> String {
    visible(&words(record)).into_owned()
}

fn words(record: &VersionedRecord) -> String {
    match &record.record {
        MetadataRecord::FeatureLevel(feature) => {
            feature_level(&feature.name, feature.feature_level)
        }
        MetadataRecord::NoOp(_) => "no-op".to_owned(),
        MetadataRecord::BeginTransaction(begin) => match &begin.name {
            Some(name) => format!("begin transaction '{name}'"),
            None => "begin transaction".to_owned(),
        },
        MetadataRecord::EndTransaction(_) => "end transaction".to_owned(),
        MetadataRecord::AbortTransaction(abort) => match &abort.reason {
            Some(reason) => format!("abort transaction: {reason}"),
            None => "abort transaction".to_owned(),
        },
        MetadataRecord::RegisterController(controller) => {
            format!("controller {} registers", controller.controller_id)
        }
        MetadataRecord::Config(config) => {
            let value = match (&config.value, config.value_secrecy()) {
                (None, _) => "removed".to_owned(),
                (Some(_), Secrecy::Secret) => "= (redacted)".to_owned(),
                (Some(value), Secrecy::Public) => format!("= {value}"),
            };
            let whose = match (config.resource_type, config.resource_name.as_str()) {
                (4, "") => "all brokers".to_owned(),
                (4, name) => format!("broker {name}"),
                (2, name) => format!("topic {name}"),
                (kind, name) => format!("resource type {kind} '{name}'"),
            };
            format!("config of {whose}: {} {value}", config.name)
        }
        MetadataRecord::UserScramCredential(user) => {
            format!(
                "SCRAM credential of {} ({})",
                user.name,
                scram_mechanism(user.mechanism)
            )
        }
        MetadataRecord::ZkMigrationState(state) => {
            format!("ZooKeeper migration state {}", state.zk_migration_state)
        }
        _ => {
            let mut fields = OneLine::default();
            record.accept(&mut fields);
            format!("{} {}", record.record.type_name(), fields.finish())
        }
    }
}

fn scram_mechanism(mechanism: i8) -> String {
    match mechanism {
        1 => "SCRAM-SHA-256".to_owned(),
        2 => "SCRAM-SHA-512".to_owned(),
        other => format!("mechanism {other}"),
    }
}

/// A control record in words.
pub fn control_record(record: &ControlRecord) -> String {
    match record {
        ControlRecord::LeaderChange(change) => {
            let voters = ids(change.voters.iter().map(|voter| voter.voter_id));
            format!("leader {}, voters {voters}", change.leader_id)
        }
        ControlRecord::SnapshotHeader(_) => "snapshot header".to_owned(),
        ControlRecord::SnapshotFooter(_) => "snapshot footer".to_owned(),
        ControlRecord::KRaftVersion(version) => {
            feature_level("kraft.version", version.kraft_version)
        }
        ControlRecord::KRaftVoters(voters) => {
            format!(
                "voters {}",
                ids(voters.voters.iter().map(|voter| voter.voter_id))
            )
        }
        ControlRecord::Unknown { type_id, value, .. } => {
            format!(
                "control record of unknown type {type_id}, {} bytes",
                value.len()
            )
        }
    }
}

/// `{1, 2, 3}`, whatever the order they stand in.
fn ids(ids: impl Iterator<Item = i32>) -> String {
    let mut ids: Vec<i32> = ids.collect();
    ids.sort_unstable();
    let ids: Vec<String> = ids.iter().map(i32::to_string).collect();
    format!("{{{}}}", ids.join(", "))
}

#[cfg(test)]
mod tests {
    use records::control::{LeaderChangeMessage, LeaderChangeVoter};
    use records::metadata::{
        BeginTransactionRecord, FeatureLevelRecord, TopicRecord, UserScramCredentialRecord,
    };

    use super::*;

    fn words(one: impl Into<MetadataRecord>) -> String {
        record(&VersionedRecord::new(0, one))
    }

    #[test]
    fn metadata_records() {
        let level = |name: &str, feature_level| FeatureLevelRecord {
            name: name.to_owned(),
            feature_level,
            ..Default::default()
        };
        assert_eq!(
            words(level("metadata.version", 21)),
            "metadata.version 21 (3.9-IV0)"
        );
        assert_eq!(
            words(level("metadata.version", 4)),
            "metadata.version 4 (3.3-IV0)"
        );
        assert_eq!(
            words(level("metadata.version", 200)),
            "metadata.version 200"
        );
        assert_eq!(words(level("group.version", 1)), "group.version 1");
        let begin = BeginTransactionRecord {
            name: Some("Bootstrap records".to_owned()),
            ..Default::default()
        };
        assert_eq!(words(begin), "begin transaction 'Bootstrap records'");
        let topic = TopicRecord {
            name: "a".to_owned(),
            ..Default::default()
        };
        assert_eq!(
            words(topic),
            "TOPIC_RECORD {name: a, topicId: AAAAAAAAAAAAAAAAAAAAAA}"
        );
    }

    #[test]
    fn keys_are_not_shown() {
        let credential = UserScramCredentialRecord {
            name: "alice".to_owned(),
            mechanism: 1,
            stored_key: bytes::Bytes::from_static(b"secret"),
            ..Default::default()
        };
        assert_eq!(
            words(credential),
            "SCRAM credential of alice (SCRAM-SHA-256)"
        );
    }

    #[test]
    fn control_records() {
        let voter = |voter_id| LeaderChangeVoter {
            voter_id,
            ..Default::default()
        };
        let change = LeaderChangeMessage {
            leader_id: 2,
            voters: vec![voter(3), voter(1), voter(2)],
            ..Default::default()
        };
        assert_eq!(control_record(&change.into()), "leader 2, voters {1, 2, 3}");
    }
}
