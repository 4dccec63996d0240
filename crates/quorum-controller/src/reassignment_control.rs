//! Partitions go to other brokers (`alterPartitionReassignments` in
//! `4.4:…/controller/ReplicationControlManager.java`).

use std::collections::BTreeSet;

use records::NodeId;
use records::metadata::{PartitionRecord, VersionedRecord};

use crate::api_error::{ApiError, ErrorCode};
use crate::broker_partitions::TopicPartition;
use crate::partition_change::Election;
use crate::reassignment::{RevertedReassignment, Way, is_in_progress};
use crate::replication_control::change_partition;
use crate::request::{ControllerResponse, FactorChange, PartitionOutcome, Reassign};
use crate::result::{ControllerResult, WriteFailure, bounded};
use crate::topic_config::allows_unclean_elections;
use crate::view::View;

/// The record of a reassignment, which may change nothing; or why there is none.
type Reassigned = Result<Result<Option<VersionedRecord>, ApiError>, WriteFailure>;

pub(crate) fn reassign(
    view: View<'_>,
    asked: &Reassign,
) -> Result<(ControllerResult, ControllerResponse), WriteFailure> {
    let mut records = Vec::new();
    let mut results = Vec::new();
    for (topic, partitions) in &asked.topics {
        let mut outcomes = Vec::new();
        for (partition, replicas) in partitions {
            let outcome = reassign_one(
                view,
                topic,
                *partition,
                replicas.as_deref(),
                asked.replication_factor,
            )?;
            outcomes.push(PartitionOutcome {
                partition: *partition,
                outcome: outcome.map(|record| records.extend(record)),
            });
        }
        results.push((topic.clone(), outcomes));
    }
    Ok((
        ControllerResult::atomic(bounded(records)?),
        ControllerResponse::Reassigned {
            replication_factor: asked.replication_factor,
            topics: results,
        },
    ))
}

fn reassign_one(
    view: View<'_>,
    topic: &str,
    number: i32,
    replicas: Option<&[i32]>,
    factor: FactorChange,
) -> Reassigned {
    let found = view.image().topics().named(topic);
    let found = found.and_then(|of| Some((of.id(), of.partition(number)?)));
    let Some((id, partition)) = found else {
        let text = format!("there is no partition {number} of a topic {topic}");
        let error = ApiError::new(ErrorCode::UnknownTopicOrPartition, text);
        return Ok(Err(error));
    };
    let at = TopicPartition {
        topic: id,
        partition: number,
    };
    match replicas {
        None => cancel_reassignment(view, topic, at, partition),
        Some(replicas) => {
            let checked = check_replicas(view, replicas)
                .and_then(|()| check_factor(partition, replicas, factor));
            if let Err(error) = checked {
                return Ok(Err(error));
            }
            begin_reassignment(view, at, partition, replicas).map(Ok)
        }
    }
}

fn cancel_reassignment(
    view: View<'_>,
    topic: &str,
    at: TopicPartition,
    partition: &PartitionRecord,
) -> Reassigned {
    let refuse = |error, text: &str| Ok(Err(ApiError::new(error, text)));
    if !is_in_progress(partition) {
        let text = "the partition is not being reassigned";
        return refuse(ErrorCode::NoReassignmentInProgress, text);
    }
    let is_unclean = allows_unclean_elections(view, topic);
    match RevertedReassignment::of(partition) {
        Some(revert) if !revert.is_unclean || is_unclean => {
            let may_lead = |broker| view.is_in_service(broker);
            let record = change_partition(view, at, &may_lead, |change| {
                if is_unclean {
                    change.election = Election::Unclean;
                }
                change.isr.clone_from(&revert.isr);
                change.replicas.clone_from(&revert.replicas);
                change.removing.clear();
                change.adding.clear();
            })?;
            Ok(Ok(record))
        }
        _ => refuse(
            ErrorCode::InvalidReplicaAssignment,
            "to go back, somebody would have to lead who is not in sync",
        ),
    }
}

fn begin_reassignment(
    view: View<'_>,
    at: TopicPartition,
    partition: &PartitionRecord,
    replicas: &[i32],
) -> Result<Option<VersionedRecord>, WriteFailure> {
    let way = Way::between(&partition.replicas, replicas);
    let may_lead = |broker| view.is_in_service(broker);
    change_partition(view, at, &may_lead, |change| {
        change.replicas = way.replicas;
        if !way.removing.is_empty() {
            change.removing = way.removing;
        }
        if !way.adding.is_empty() {
            change.adding = way.adding;
        }
    })
}

/// Whether an administrator may put a partition on these brokers.
fn check_replicas(view: View<'_>, replicas: &[i32]) -> Result<(), ApiError> {
    let refuse = |text: String| Err(ApiError::new(ErrorCode::InvalidReplicaAssignment, text));
    if replicas.is_empty() {
        return refuse("no replicas are named".to_owned());
    }
    let mut known = BTreeSet::new();
    for broker in replicas {
        let Some(registration) = view.image().cluster().broker(NodeId(*broker)) else {
            return refuse(format!("broker {broker} is not registered"));
        };
        let cordoned = registration
            .cordoned_log_dirs
            .as_deref()
            .unwrap_or_default();
        let directories = &registration.log_dirs;
        if !directories.is_empty() && directories.iter().all(|id| cordoned.contains(id)) {
            return refuse(format!(
                "all log directories of broker {broker} are cordoned"
            ));
        }
        if !known.insert(*broker) {
            return refuse(format!("broker {broker} is named twice"));
        }
    }
    Ok(())
}

fn check_factor(
    partition: &PartitionRecord,
    replicas: &[i32],
    factor: FactorChange,
) -> Result<(), ApiError> {
    let current: BTreeSet<i32> = partition
        .replicas
        .iter()
        .chain(&partition.adding_replicas)
        .filter(|broker| !partition.removing_replicas.contains(broker))
        .copied()
        .collect();
    match factor {
        FactorChange::Refused if current.len() != replicas.len() => Err(ApiError::new(
            ErrorCode::InvalidReplicationFactor,
            format!("the number of replicas is {}", current.len()),
        )),
        FactorChange::Refused | FactorChange::Allowed => Ok(()),
    }
}
