//! Brokers register, send heartbeats, and go (`4.4:…/controller/ClusterControlManager.java`,
//! `ReplicationControlManager.java`, `ProducerIdControlManager.java`).

use std::collections::BTreeSet;

use determinism::Time;
use records::feature::{Capability, KRAFT_VERSION, METADATA_VERSION, VersionRange};
use records::metadata::{
    BrokerEndpoint, BrokerFeature, BrokerRegistrationChangeRecord, ProducerIdsRecord, RecordKind,
    RegisterBrokerRecord, VersionedRecord,
};
use records::{NodeId, Uuid};

use crate::api_error::ErrorCode;
use crate::heartbeats::{BrokerState, Heartbeats, Report};
use crate::replication_control::registration_change;
use crate::replication_control::{
    begin_controlled_shutdown, end_old_incarnation, fence_broker, lose_directories,
    take_broker_away, unfence_broker,
};
use crate::request::{
    BrokerHeartbeat, BrokerRegistration, BrokerWish, ControllerResponse, HeartbeatReply,
    RequestError,
};
use crate::result::{ControllerResult, More, WriteFailure, bounded, refused};
use crate::sessions::BrokerIdAndEpoch;
use crate::view::View;

/// Source: `ProducerIdsBlock.PRODUCER_ID_BLOCK_SIZE`.
const PRODUCER_IDS_PER_BLOCK: i32 = 1000;

pub(crate) fn register_broker(
    view: View<'_>,
    heartbeats: &mut Heartbeats,
    now: Time,
    registration: &BrokerRegistration,
    kraft_version: i16,
    next_offset: Option<i64>,
) -> Result<(ControllerResult, ControllerResponse), WriteFailure> {
    let version = view.known_version()?;
    let id = registration.broker_id;
    let existing = view.image().cluster().broker(id).cloned();
    if let Some(known) = &existing {
        check_no_other_process(heartbeats, now, known, registration.incarnation_id)?;
    }
    let has_directories = view.can(Capability::DirectoryAssignment);
    if has_directories {
        check_directories(view, registration).map_err(WriteFailure::Refused)?;
    }
    check_features(view, registration, version.0, kraft_version).map_err(WriteFailure::Refused)?;
    let mut record = record_of(registration);
    if has_directories {
        record.log_dirs.clone_from(&registration.log_dirs);
    }
    let same = existing
        .as_ref()
        .filter(|known| known.incarnation_id == registration.incarnation_id);
    let is_new = same.is_none();
    let mut records = Vec::new();
    if let Some(known) = same {
        record.fenced = known.fenced;
        record.in_controlled_shutdown = known.in_controlled_shutdown;
        record.broker_epoch = known.broker_epoch;
    } else {
        let known_epoch = existing.as_ref().map(|known| known.broker_epoch);
        let was_clean = known_epoch.is_some() && known_epoch == registration.previous_epoch;
        end_old_incarnation(view, id, was_clean, &mut records)?;
        record.broker_epoch = next_offset
            .ok_or_else(|| WriteFailure::Unexpected("the next offset is not known".to_owned()))?;
    }
    let (epoch, fenced) = (record.broker_epoch, record.fenced);
    let record_version = view.record_version(RecordKind::RegisterBroker);
    records.push(VersionedRecord::new(record_version, record));
    if is_new {
        heartbeats.remove(id);
    }
    heartbeats.register(now, id, fenced);
    Ok((
        ControllerResult::splittable(records),
        ControllerResponse::BrokerRegistered { epoch },
    ))
}

/// Another process cannot take a broker's place while the broker is heard of.
fn check_no_other_process(
    heartbeats: &Heartbeats,
    now: Time,
    known: &RegisterBrokerRecord,
    incarnation: Uuid,
) -> Result<(), WriteFailure> {
    let session = BrokerIdAndEpoch {
        id: NodeId(known.broker_id),
        epoch: known.broker_epoch,
    };
    let is_there = heartbeats.has_valid_session(now, session);
    if is_there && known.incarnation_id != incarnation {
        let text = format!(
            "another process is registered as broker {}",
            known.broker_id
        );
        return Err(refused(ErrorCode::DuplicateBrokerRegistration, text));
    }
    Ok(())
}

fn check_directories(
    view: View<'_>,
    registration: &BrokerRegistration,
) -> Result<(), RequestError> {
    let invalid = |reason: String| Err(RequestError::InvalidRegistration { reason });
    let directories = &registration.log_dirs;
    if directories.is_empty() {
        return invalid("it names no log directories".to_owned());
    }
    if directories.iter().any(Uuid::is_reserved) {
        return invalid("a directory has a reserved id".to_owned());
    }
    if directories.iter().collect::<BTreeSet<_>>().len() != directories.len() {
        return invalid("it names a directory twice".to_owned());
    }
    let others = view.image().cluster().brokers();
    let mut others = others.filter(|other| other.broker_id != registration.broker_id.0);
    match others.find(|other| other.log_dirs.iter().any(|id| directories.contains(id))) {
        Some(other) => invalid(format!("broker {} has such a directory", other.broker_id)),
        None => Ok(()),
    }
}

/// A broker has to support what is finalized.
fn check_features(
    view: View<'_>,
    registration: &BrokerRegistration,
    metadata_version: i16,
    kraft_version: i16,
) -> Result<(), RequestError> {
    let levels = view.image().features().levels();
    let own = [
        (METADATA_VERSION, metadata_version),
        (KRAFT_VERSION, kraft_version),
    ];
    for (name, level) in levels.chain(own) {
        let supported = registration.features.iter().find(|(of, _)| of == name);
        let range = supported.map_or(VersionRange { min: 0, max: 0 }, |(_, range)| *range);
        if !range.contains(level) {
            return Err(RequestError::UnsupportedVersion {
                version: level.to_string(),
                what: "register a broker that does not support it",
            });
        }
    }
    Ok(())
}

pub(crate) fn unregister_broker(
    view: View<'_>,
    broker: NodeId,
) -> Result<ControllerResult, WriteFailure> {
    let Some(known) = view.image().cluster().broker(broker) else {
        let text = format!("broker {broker} is not registered");
        return Err(refused(ErrorCode::BrokerIdNotRegistered, text));
    };
    let records = take_broker_away(view, broker, known.broker_epoch)?;
    Ok(ControllerResult::splittable(bounded(records)?))
}

/// The registration that a broker speaks of.
pub(crate) fn current_registration(
    view: View<'_>,
    broker: NodeId,
    epoch: i64,
) -> Result<&RegisterBrokerRecord, WriteFailure> {
    let stale = |text| refused(ErrorCode::StaleBrokerEpoch, text);
    match view.image().cluster().broker(broker) {
        None => Err(stale(format!("broker {broker} is not registered"))),
        Some(known) if known.broker_epoch != epoch => Err(stale(format!(
            "broker {broker} is at epoch {}, not {epoch}",
            known.broker_epoch
        ))),
        Some(known) => Ok(known),
    }
}

pub(crate) fn process_heartbeat(
    view: View<'_>,
    heartbeats: &mut Heartbeats,
    now: Time,
    beat: &BrokerHeartbeat,
) -> Result<(ControllerResult, ControllerResponse), WriteFailure> {
    let id = beat.broker_id;
    let known = current_registration(view, id, beat.broker_epoch)?.clone();
    let registered_at = view.state.registration_offsets.get(&id);
    let is_caught_up = registered_at.is_some_and(|at| beat.metadata_offset >= *at);
    let (wants_fence, wants_shutdown) = match beat.wish {
        BrokerWish::Serve => (false, false),
        BrokerWish::Fence => (true, false),
        BrokerWish::ShutDown => (false, true),
        BrokerWish::FenceAndShutDown => (true, true),
    };
    let report = Report {
        wants_fence,
        wants_shutdown,
        is_caught_up,
    };
    let leads = view.state.in_sync.leads(id.0);
    let (current, next) = heartbeats
        .next_state(id, report, leads)
        .ok_or_else(|| WriteFailure::Unexpected(format!("broker {id} has no heartbeats")))?;
    let mut records = Vec::new();
    if current != next {
        match next {
            BrokerState::Fenced | BrokerState::ShutdownNow => {
                fence_broker(view, id, &mut records)?;
            }
            BrokerState::Unfenced => {
                unfence_broker(view, id, known.broker_epoch, &mut records)?;
            }
            BrokerState::ControlledShutdown => {
                begin_controlled_shutdown(view, &known, &mut records)?;
            }
        }
    }
    heartbeats.touch(now, id, next.is_fenced(), beat.metadata_offset);
    if view.can(Capability::DirectoryAssignment) {
        lose_directories(view, &known, &beat.offline_log_dirs, &mut records)?;
    }
    if view.can(Capability::CordonedLogDirs) {
        records.extend(cordon(&known, beat.cordoned_log_dirs.as_deref()));
    }
    let reply = HeartbeatReply {
        is_caught_up,
        is_fenced: next.is_fenced(),
        in_controlled_shutdown: next == BrokerState::ControlledShutdown,
        should_shut_down: next == BrokerState::ShutdownNow,
    };
    Ok((
        ControllerResult::splittable(records),
        ControllerResponse::Heartbeat(reply),
    ))
}

/// Fences one broker whose session has ended, if there is one; whether there may be more.
pub(crate) fn fence_one_stale_broker(
    view: View<'_>,
    heartbeats: &mut Heartbeats,
    now: Time,
) -> Result<(Vec<VersionedRecord>, More), WriteFailure> {
    let mut records = Vec::new();
    let Some((id, epoch)) = heartbeats.take_ended(now) else {
        return Ok((records, More::No));
    };
    let known = view.image().cluster().broker(id);
    let current = known.map(|known| known.broker_epoch);
    match (current, epoch) {
        (None, Some(_)) => {
            heartbeats.remove(id);
            return Ok((records, More::Maybe));
        }
        (Some(current), Some(epoch)) if current != epoch => return Ok((records, More::Maybe)),
        _ => {}
    }
    fence_broker(view, id, &mut records)?;
    heartbeats.fence(id);
    Ok((records, More::Maybe))
}

pub(crate) fn allocate_producer_ids(
    view: View<'_>,
    broker: NodeId,
    broker_epoch: i64,
) -> Result<(ControllerResult, ControllerResponse), WriteFailure> {
    current_registration(view, broker, broker_epoch)?;
    let first = view.state.next_producer_id.unwrap_or(0);
    let Some(next) = first.checked_add(PRODUCER_IDS_PER_BLOCK.into()) else {
        let text = "all producer ids are handed out";
        return Err(refused(ErrorCode::UnknownServerError, text));
    };
    let record = ProducerIdsRecord {
        broker_id: broker.0,
        broker_epoch,
        next_producer_id: next,
        ..Default::default()
    };
    Ok((
        ControllerResult::splittable(vec![VersionedRecord::new(0, record)]),
        ControllerResponse::ProducerIds {
            first,
            count: PRODUCER_IDS_PER_BLOCK,
        },
    ))
}

/// The record of what a broker says of its cordoned directories, if that is news.
fn cordon(known: &RegisterBrokerRecord, cordoned: Option<&[Uuid]>) -> Option<VersionedRecord> {
    let cordoned = cordoned?;
    let set = |ids: &[Uuid]| ids.iter().copied().collect::<BTreeSet<_>>();
    let is_known = known.cordoned_log_dirs.as_deref().map(set) == Some(set(cordoned));
    (!is_known).then(|| {
        let record = BrokerRegistrationChangeRecord {
            cordoned_log_dirs: Some(cordoned.to_vec()),
            ..registration_change(NodeId(known.broker_id), known.broker_epoch)
        };
        VersionedRecord::new(3, record)
    })
}

fn record_of(registration: &BrokerRegistration) -> RegisterBrokerRecord {
    RegisterBrokerRecord {
        broker_id: registration.broker_id.0,
        incarnation_id: registration.incarnation_id,
        end_points: registration
            .endpoints
            .iter()
            .map(|endpoint| BrokerEndpoint {
                name: endpoint.name.clone(),
                host: endpoint.host.clone(),
                port: endpoint.port,
                security_protocol: endpoint.security_protocol,
                ..Default::default()
            })
            .collect(),
        features: registration
            .features
            .iter()
            .map(|(name, range)| BrokerFeature {
                name: name.clone(),
                min_supported_version: range.min,
                max_supported_version: range.max,
                ..Default::default()
            })
            .collect(),
        ..Default::default()
    }
}
