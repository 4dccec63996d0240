//! Leaders tell who is in sync, brokers tell where their replicas lie (`alterPartition` and `handleAssignReplicasToDirs` in
//! `4.4:…/controller/ReplicationControlManager.java`).

use determinism::java::HashTable;
use image::parts::topics::merge;
use records::feature::Capability;
use records::metadata::{MetadataRecord, PartitionRecord, VersionedRecord};
use records::{NodeId, Uuid};
use releases::replication::EligibleLeadersAtAssignment;

use crate::api_error::{ApiError, ErrorCode};
use crate::bootstrap::version_name;
use crate::broker_control::current_registration;
use crate::broker_partitions::TopicPartition;
use crate::partition_change::{Election, RECOVERING};
use crate::replication_control::BrokerMove;
use crate::replication_control::{change_partition, move_broker};
use crate::request::{
    AlterPartition, AlterPartitionForm, AlteredTopic, AssignReplicas, ControllerResponse, InSync,
    PartitionOutcome, PartitionStanding, RequestError,
};
use crate::result::{ControllerResult, WriteFailure};
use crate::topic_config::allows_unclean_elections;
use crate::view::View;

/// `leader` of a record that keeps the leader.
const NO_LEADER_CHANGE: i32 = -2;

type Told<T> = Result<Result<T, ApiError>, WriteFailure>;

fn refusal<T>(error: ErrorCode, text: &str) -> Result<T, ApiError> {
    Err(ApiError::new(error, text))
}

pub(crate) fn alter_partition(
    view: View<'_>,
    told: &AlterPartition,
) -> Result<(ControllerResult, ControllerResponse), WriteFailure> {
    current_registration(view, NodeId(told.broker), told.broker_epoch)?;
    let mut records = Vec::new();
    let mut results = Vec::new();
    for topic in &told.topics {
        let mut outcomes = Vec::new();
        for partition in &topic.partitions {
            outcomes.push(PartitionOutcome {
                partition: partition.partition,
                outcome: alter_one(view, told, topic, partition, &mut records)?,
            });
        }
        results.push((topic.id, outcomes));
    }
    Ok((
        ControllerResult::splittable(records),
        ControllerResponse::PartitionsAltered(results),
    ))
}

fn alter_one(
    view: View<'_>,
    told: &AlterPartition,
    topic: &AlteredTopic,
    wanted: &InSync,
    records: &mut Vec<VersionedRecord>,
) -> Told<PartitionStanding> {
    let topics = view.image().topics();
    let (found, unknown) = match told.form {
        AlterPartitionForm::ByName => (
            topics.named(&topic.name),
            ErrorCode::UnknownTopicOrPartition,
        ),
        AlterPartitionForm::ById => (topics.with_id(topic.id), ErrorCode::UnknownTopicId),
    };
    let Some(topic) = found else {
        return Ok(refusal(unknown, "there is no such topic"));
    };
    let Some(partition) = topic.partition(wanted.partition) else {
        let text = "the topic has no such partition";
        return Ok(refusal(ErrorCode::UnknownTopicOrPartition, text));
    };
    if let Err(error) = check_in_sync(view, told, partition, wanted) {
        return Ok(Err(error));
    }
    let at = TopicPartition {
        topic: topic.id(),
        partition: wanted.partition,
    };
    let is_unclean = allows_unclean_elections(view, topic.name());
    let record = change_partition(view, at, &|broker| view.is_in_service(broker), |change| {
        if is_unclean {
            change.election = Election::Unclean;
        }
        change.isr = wanted.isr.iter().map(|(broker, _)| *broker).collect();
        change.recovery_state = wanted.recovery_state;
    })?;
    let mut after = partition.clone();
    if let Some(record) = record {
        if let MetadataRecord::PartitionChange(change) = &record.record {
            after = merge(partition, change);
            if change.leader != told.broker && change.leader != NO_LEADER_CHANGE {
                let error = match told.form {
                    AlterPartitionForm::ByName => ErrorCode::FencedLeaderEpoch,
                    AlterPartitionForm::ById => ErrorCode::NewLeaderElected,
                };
                records.push(record);
                return Ok(refusal(
                    error,
                    "the end of a reassignment brought another leader",
                ));
            }
        }
        records.push(record);
    }
    Ok(Ok(PartitionStanding {
        leader: after.leader,
        leader_epoch: after.leader_epoch,
        isr: after.isr,
        recovery_state: after.leader_recovery_state,
        partition_epoch: after.partition_epoch,
    }))
}

fn check_in_sync(
    view: View<'_>,
    told: &AlterPartition,
    partition: &PartitionRecord,
    wanted: &InSync,
) -> Result<(), ApiError> {
    let refuse = |error, text: &str| Err(ApiError::new(error, text));
    let isr: Vec<i32> = wanted.isr.iter().map(|(broker, _)| *broker).collect();
    let mut different = isr.clone();
    different.sort_unstable();
    different.dedup();
    let can_be = !isr.is_empty()
        && different.len() == isr.len()
        && isr.iter().all(|broker| partition.replicas.contains(broker));
    let is_recovering = wanted.recovery_state == RECOVERING;
    if wanted.leader_epoch > partition.leader_epoch
        || wanted.partition_epoch > partition.partition_epoch
    {
        let text = "the leader knows more than this controller";
        return refuse(ErrorCode::NotController, text);
    }
    if wanted.leader_epoch < partition.leader_epoch {
        return refuse(ErrorCode::FencedLeaderEpoch, "the leader epoch is over");
    }
    if told.broker != partition.leader {
        return refuse(ErrorCode::InvalidRequest, "another broker leads");
    }
    if wanted.partition_epoch < partition.partition_epoch {
        let text = "the partition has changed since";
        return refuse(ErrorCode::InvalidUpdateVersion, text);
    }
    if !can_be || !isr.contains(&partition.leader) {
        let text = "these cannot be the replicas in sync";
        return refuse(ErrorCode::InvalidRequest, text);
    }
    if is_recovering && (isr.len() > 1 || partition.leader_recovery_state != RECOVERING) {
        let text = "a leader that recovers is alone, and has begun with it before";
        return refuse(ErrorCode::InvalidRequest, text);
    }
    if wanted.isr.iter().any(|of| !can_be_in_sync(view, *of)) {
        let error = match told.form {
            AlterPartitionForm::ByName => ErrorCode::OperationNotAttempted,
            AlterPartitionForm::ById => ErrorCode::IneligibleReplica,
        };
        return refuse(
            error,
            "a replica is fenced, shutting down, or another process",
        );
    }
    Ok(())
}

fn can_be_in_sync(view: View<'_>, (broker, epoch): (i32, i64)) -> bool {
    let known = view.image().cluster().broker(NodeId(broker));
    view.is_in_service(broker)
        && known.is_some_and(|known| epoch == -1 || known.broker_epoch == epoch)
}

pub(crate) fn assign_replicas(
    view: View<'_>,
    told: &AssignReplicas,
) -> Result<(ControllerResult, ControllerResponse), WriteFailure> {
    if !view.can(Capability::DirectoryAssignment) {
        let version = version_name(view.rules.features, view.known_version()?);
        return Err(WriteFailure::Refused(RequestError::UnsupportedVersion {
            version,
            what: "assign replicas to directories",
        }));
    }
    let broker = NodeId(told.broker);
    current_registration(view, broker, told.broker_epoch)?;
    let mut records = Vec::new();
    let mut offline = Vec::new();
    let mut results = Vec::new();
    for (directory, topics) in &told.directories {
        let is_online = view.has_online_directory(told.broker, *directory);
        let mut of_topics = Vec::new();
        for (topic, partitions) in topics {
            let mut outcomes = Vec::new();
            for partition in partitions {
                let at = TopicPartition {
                    topic: *topic,
                    partition: *partition,
                };
                let outcome = assign_one(view, told.broker, at, *directory, &mut records)?;
                if outcome.is_ok() && !is_online && !offline.contains(&at) {
                    offline.push(at);
                }
                outcomes.push(PartitionOutcome {
                    partition: *partition,
                    outcome,
                });
            }
            of_topics.push((*topic, outcomes));
        }
        results.push((*directory, of_topics));
    }
    HashTable::new().sort(&mut offline, |at| view.state.hash_of(at));
    move_broker(view, BrokerMove::Leaves(broker), &offline, &mut records)?;
    Ok((
        ControllerResult::splittable(records),
        ControllerResponse::ReplicasAssigned(results),
    ))
}

fn assign_one(
    view: View<'_>,
    broker: i32,
    at: TopicPartition,
    directory: Uuid,
    records: &mut Vec<VersionedRecord>,
) -> Told<()> {
    if view.image().topics().with_id(at.topic).is_none() {
        return Ok(refusal(ErrorCode::UnknownTopicId, "there is no such topic"));
    }
    match view.state.partition(at) {
        None => Ok(refusal(
            ErrorCode::UnknownTopicOrPartition,
            "the topic has no such partition",
        )),
        Some(partition) if !partition.replicas.contains(&broker) => Ok(refusal(
            ErrorCode::NotLeaderOrFollower,
            "the broker has no replica of it",
        )),
        Some(_) => {
            let may_lead = |id| view.is_in_service(id);
            let record = change_partition(view, at, &may_lead, |change| {
                match view.rules.replication.eligible_leaders_at_assignment {
                    EligibleLeadersAtAssignment::Cleared => change.disable_eligible_leaders(),
                    EligibleLeadersAtAssignment::Kept => {}
                }
                change.set_directory(broker, directory);
            })?;
            records.extend(record);
            Ok(Ok(()))
        }
    }
}
