//! New topics (`createTopics` in `4.4:…/controller/ReplicationControlManager.java`).

use std::collections::BTreeMap;

use records::metadata::{PartitionRecord, RecordKind, TopicRecord, VersionedRecord};
use releases::topic_configs::{TopicConfig, Visibility};

use crate::api_error::{ApiError, ErrorCode};
use crate::chance::Chance;
use crate::control_state::unified_name;
use crate::heartbeats::Heartbeats;
use crate::replica_placer::{Availability, UsableBroker, place};
use crate::request::{ControllerResponse, CreatedTopic, NewTopic, TopicProperties};
use crate::result::{ControllerResult, WriteFailure, bounded, refused};
use crate::topic_config::effective_config;
use crate::view::View;

/// How many partitions may be asked for at once (`MAX_PARTITIONS_PER_BATCH`).
const MAX_PARTITIONS_PER_REQUEST: i64 = 10_000;
/// How long the name of a topic may be.
const MAX_NAME_LENGTH: usize = 249;

/// Whether a name can be that of a topic (`4.4:clients/…/common/internals/Topic.java`).
pub(crate) fn check_topic_name(name: &str) -> Result<(), ApiError> {
    let invalid = |reason: String| Err(ApiError::new(ErrorCode::InvalidTopic, reason));
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    match name {
        "" => invalid("the name is empty".to_owned()),
        "." | ".." => invalid(format!("the name cannot be `{name}`")),
        _ if name.chars().count() > MAX_NAME_LENGTH => invalid(format!(
            "the name is longer than {MAX_NAME_LENGTH} characters"
        )),
        _ if !name.chars().all(is_allowed) => invalid(format!(
            "`{name}` has other characters than letters, digits, `.`, `_` and `-`"
        )),
        _ => Ok(()),
    }
}

pub(crate) fn create_topics(
    view: View<'_>,
    heartbeats: &Heartbeats,
    chance: &mut Chance,
    topics: &[NewTopic],
) -> Result<(ControllerResult, ControllerResponse), WriteFailure> {
    check_partition_count(view, topics)?;
    let mut refusals: BTreeMap<&str, ApiError> = BTreeMap::new();
    for topic in topics {
        if let Err(error) = check_new_name(view, &topic.name) {
            refusals.entry(&topic.name).or_insert(error);
        }
    }
    let (mut records, mut created) = (Vec::new(), Vec::new());
    for topic in topics {
        let outcome = match refusals.remove(topic.name.as_str()) {
            Some(error) => Err(error),
            None => create_topic(view, heartbeats, chance, topic, &mut records)?,
        };
        created.push(CreatedTopic {
            name: topic.name.clone(),
            outcome,
        });
    }
    let records = bounded(records)?;
    Ok((
        ControllerResult::atomic(records),
        ControllerResponse::TopicsCreated(created),
    ))
}

fn check_partition_count(view: View<'_>, topics: &[NewTopic]) -> Result<(), WriteFailure> {
    let asked = topics.iter().map(|topic| match topic.partitions {
        -1 => i64::from(view.config.default_partitions),
        count => i64::from(count.max(0)),
    });
    if asked.sum::<i64>() > MAX_PARTITIONS_PER_REQUEST {
        let text = format!("more than {MAX_PARTITIONS_PER_REQUEST} partitions at once");
        return Err(refused(ErrorCode::PolicyViolation, text));
    }
    Ok(())
}

fn check_new_name(view: View<'_>, name: &str) -> Result<(), ApiError> {
    if view.is_name_taken(name) {
        let text = format!("there is a topic {name}");
        return Err(ApiError::new(ErrorCode::TopicAlreadyExists, text));
    }
    check_topic_name(name)?;
    let alike = unified_name(name);
    match alike.and_then(|plain| view.state.ambiguous_names.get(&plain)) {
        Some(_) => Err(ApiError::new(
            ErrorCode::InvalidTopic,
            format!("metrics would not tell {name} from another topic"),
        )),
        None => Ok(()),
    }
}

/// Brokers that replicas may be placed on.
fn usable_brokers(view: View<'_>, heartbeats: &Heartbeats) -> Vec<UsableBroker> {
    let cluster = view.image().cluster();
    let usable = heartbeats.usable();
    let usable = usable.filter_map(|(id, fenced)| {
        let known = cluster.broker(id)?;
        let cordoned = known.cordoned_log_dirs.as_deref().unwrap_or_default();
        let is_cordoned =
            !known.log_dirs.is_empty() && known.log_dirs.iter().all(|id| cordoned.contains(id));
        (!is_cordoned).then(|| UsableBroker {
            id: id.0,
            rack: known.rack.clone(),
            availability: if fenced {
                Availability::Fenced
            } else {
                Availability::Unfenced
            },
        })
    });
    usable.collect()
}

fn create_topic(
    view: View<'_>,
    heartbeats: &Heartbeats,
    chance: &mut Chance,
    topic: &NewTopic,
    records: &mut Vec<VersionedRecord>,
) -> Result<Result<TopicProperties, ApiError>, WriteFailure> {
    let refuse = |error, text: &str| Ok(Err(ApiError::new(error, text)));
    if topic.replication_factor < -1 || topic.replication_factor == 0 {
        let text = "the replication factor has to be positive, or -1 for the default";
        return refuse(ErrorCode::InvalidReplicationFactor, text);
    }
    if topic.partitions < -1 || topic.partitions == 0 {
        let text = "the number of partitions has to be positive, or -1 for the default";
        return refuse(ErrorCode::InvalidPartitions, text);
    }
    let or_default = |given: i32, default| if given == -1 { default } else { given };
    let count = or_default(topic.partitions, view.config.default_partitions);
    let factor = or_default(
        topic.replication_factor,
        view.config.default_replication_factor,
    );
    let usable = usable_brokers(view, heartbeats);
    let placed = place(count.max(0) as usize, factor, usable, &mut chance.placer);
    let placed = match placed {
        Ok(placed) => placed,
        Err(error) => {
            return refuse(ErrorCode::InvalidReplicationFactor, &error.to_string());
        }
    };
    let mut partitions = Vec::with_capacity(placed.len());
    for replicas in placed {
        let Some(partition) = new_partition(view, replicas) else {
            let text = "all its brokers are fenced or shutting down";
            return refuse(ErrorCode::InvalidReplicationFactor, text);
        };
        partitions.push(partition);
    }
    let topic_id = chance.ids.next_id();
    let properties = TopicProperties {
        id: topic_id,
        partitions: partitions.len(),
        replication_factor: factor.max(0) as usize,
        configs: default_topic_configs(view),
    };
    let record = TopicRecord {
        name: topic.name.clone(),
        topic_id,
        ..Default::default()
    };
    records.push(VersionedRecord::new(0, record));
    let version = view.record_version(RecordKind::Partition);
    for (number, partition) in (0..).zip(partitions) {
        let record = PartitionRecord {
            partition_id: number,
            topic_id,
            ..partition
        };
        records.push(VersionedRecord::new(version, record));
    }
    Ok(Ok(properties))
}

/// A partition on these brokers; `None` if nobody could lead it.
fn new_partition(view: View<'_>, replicas: Vec<i32>) -> Option<PartitionRecord> {
    let in_service = replicas.iter().copied();
    let isr: Vec<i32> = in_service.filter(|id| view.is_in_service(*id)).collect();
    let leader = *isr.first()?;
    let has_directories = view.can(records::feature::Capability::DirectoryAssignment);
    let directories = replicas.iter().map(|id| view.default_directory(*id));
    Some(PartitionRecord {
        directories: directories.filter(|_| has_directories).collect(),
        replicas,
        isr,
        leader,
        leader_epoch: 0,
        partition_epoch: 0,
        ..Default::default()
    })
}

/// What a topic is configured with that says nothing itself.
fn default_topic_configs(view: View<'_>) -> Vec<crate::request::EffectiveConfig> {
    TopicConfig::of(view.rules.features.line)
        .filter(|config| config.visibility == Visibility::Public)
        .map(|config| effective_config(view, config, None))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_topics() {
        assert!(check_topic_name("a.b_c-9").is_ok());
        let long = "a".repeat(250);
        for name in ["", ".", "..", "a b", "é", &long] {
            let error = check_topic_name(name).unwrap_err();
            assert_eq!(error.error, ErrorCode::InvalidTopic, "{name}");
        }
    }
}
