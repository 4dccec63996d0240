//! Elections that no broker brings about (`electLeaders`, `maybeBalancePartitionLeaders` and `maybeElectUncleanLeaders` in
//! `4.4:…/controller/ReplicationControlManager.java`).

use records::metadata::{PartitionRecord, VersionedRecord};

use crate::api_error::{ApiError, ErrorCode};
use crate::broker_partitions::TopicPartition;
use crate::control_state::has_preferred_leader;
use crate::partition_change::Election;
use crate::replication_control::change_partition;
use crate::request::{ControllerResponse, ElectLeaders, ElectionKind, PartitionOutcome};
use crate::result::{ControllerResult, More, WriteFailure, bounded};
use crate::topic_config::allows_unclean_elections;
use crate::view::View;

/// How many leaders are elected at once (`MAX_ELECTIONS_PER_IMBALANCE`).
const MAX_ELECTIONS: usize = 1000;

/// Leaders go back to preferred replicas, where these can lead.
pub(crate) fn balance_leaders(
    view: View<'_>,
) -> Result<(Vec<VersionedRecord>, More), WriteFailure> {
    let mut records = Vec::new();
    for (at, ()) in view.state.imbalanced.in_order() {
        if records.len() >= MAX_ELECTIONS {
            break;
        }
        records.extend(elect(view, *at, Election::Preferred)?);
    }
    let more = more(&records);
    Ok((records, more))
}

/// Partitions without a leader get one, where topics allow that data is lost.
pub(crate) fn elect_unclean_leaders(
    view: View<'_>,
) -> Result<(Vec<VersionedRecord>, More), WriteFailure> {
    let mut records = Vec::new();
    for at in view.state.in_sync.without_leader() {
        if records.len() >= MAX_ELECTIONS {
            break;
        }
        let topic = view.image().topics().with_id(at.topic);
        if topic.is_some_and(|topic| allows_unclean_elections(view, topic.name()))
            && !view.state.partition(at).is_some_and(has_leader)
        {
            records.extend(elect(view, at, Election::Unclean)?);
        }
    }
    let more = more(&records);
    Ok((records, more))
}

pub(crate) fn elect_leaders(
    view: View<'_>,
    asked: &ElectLeaders,
) -> Result<(ControllerResult, ControllerResponse), WriteFailure> {
    let mut records = Vec::new();
    let mut results = Vec::new();
    for (topic, partitions) in &asked.partitions {
        let mut outcomes = Vec::new();
        for partition in partitions {
            let outcome = elect_leader(view, topic, *partition, asked.kind)?;
            outcomes.push(PartitionOutcome {
                partition: *partition,
                outcome: outcome.map(|record| records.push(record)),
            });
        }
        results.push((topic.clone(), outcomes));
    }
    Ok((
        ControllerResult::splittable(bounded(records)?),
        ControllerResponse::LeadersElected(results),
    ))
}

fn elect_leader(
    view: View<'_>,
    topic: &str,
    partition: i32,
    kind: ElectionKind,
) -> Result<Result<VersionedRecord, ApiError>, WriteFailure> {
    let refuse = |error, text: String| Ok(Err(ApiError::new(error, text)));
    let found = view.image().topics().named(topic);
    let Some((id, known)) = found.and_then(|of| Some((of.id(), of.partition(partition)?))) else {
        let text = format!("there is no partition {partition} of a topic {topic}");
        return refuse(ErrorCode::UnknownTopicOrPartition, text);
    };
    let (is_needed, election, otherwise) = match kind {
        ElectionKind::Preferred => (
            !has_preferred_leader(known),
            Election::Preferred,
            ErrorCode::PreferredLeaderNotAvailable,
        ),
        ElectionKind::Unclean => (
            !has_leader(known),
            Election::Unclean,
            ErrorCode::EligibleLeadersNotAvailable,
        ),
    };
    if !is_needed {
        return refuse(
            ErrorCode::ElectionNotNeeded,
            "no election is needed".to_owned(),
        );
    }
    let at = TopicPartition {
        topic: id,
        partition,
    };
    match elect(view, at, election)? {
        Some(record) => Ok(Ok(record)),
        None => refuse(otherwise, "nobody can be elected".to_owned()),
    }
}

/// The record of an election; `None` if it changes nothing.
pub(crate) fn elect(
    view: View<'_>,
    at: TopicPartition,
    election: Election,
) -> Result<Option<VersionedRecord>, WriteFailure> {
    let may_lead = |broker| view.is_in_service(broker);
    change_partition(view, at, &may_lead, |change| change.election = election)
}

pub(crate) fn has_leader(partition: &PartitionRecord) -> bool {
    partition.leader >= 0
}

fn more(records: &[VersionedRecord]) -> More {
    if records.len() >= MAX_ELECTIONS {
        More::Maybe
    } else {
        More::No
    }
}
