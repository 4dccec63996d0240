//! Leaders and in-sync replicas when a broker comes or goes (`4.4:…/controller/ReplicationControlManager.java`).

use records::feature::{Capability, MetadataVersion};
use records::metadata::{
    BrokerRegistrationChangeRecord, FenceBrokerRecord, RecordKind, RegisterBrokerRecord,
    UnfenceBrokerRecord, UnregisterBrokerRecord, VersionedRecord,
};
use records::{NodeId, Uuid};
use releases::replication::NewIncarnation;

use crate::broker_partitions::TopicPartition;
use crate::partition_change::{Ability, ChangeContext, Election, PartitionChange};
use crate::result::WriteFailure;
use crate::topic_config::{allows_unclean_elections, min_isr};
use crate::view::View;

/// `fenced` and `inControlledShutdown` of a record that changes a registration.
const FENCE: i8 = 1;
const UNFENCE: i8 = -1;
const IN_CONTROLLED_SHUTDOWN: i8 = 1;

/// 3.2-IV0, from which on a partition says that its leader recovers.
const LEADER_RECOVERY: MetadataVersion = MetadataVersion(3);

/// What happens to a broker's replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BrokerMove {
    /// It leaves the in-sync replicas, and leads nothing.
    Leaves(NodeId),
    /// It may lead again, though it still counts as fenced.
    Comes(NodeId),
    /// Its replicas may have lost what they had.
    LostItsReplicas(NodeId),
}

/// The record of a change of one partition; `say` tells what is to change.
pub(crate) fn change_partition(
    view: View<'_>,
    at: TopicPartition,
    may_lead: &dyn Fn(i32) -> bool,
    say: impl FnOnce(&mut PartitionChange<'_>),
) -> Result<Option<VersionedRecord>, WriteFailure> {
    let missing = || WriteFailure::Unexpected(format!("there is no partition {at:?}"));
    let topic = view
        .image()
        .topics()
        .with_id(at.topic)
        .ok_or_else(missing)?;
    let partition = topic.partition(at.partition).ok_or_else(missing)?;
    let has_directory = |broker: i32| {
        let place = partition.replicas.iter().position(|id| *id == broker);
        let directory = place.and_then(|place| partition.directories.get(place));
        directory.is_some_and(|directory| view.has_online_directory(broker, *directory))
    };
    let version = view.known_version()?;
    let supports = |capability| Ability::from(view.rules.features.supports(version, capability));
    let may_lead = |broker| may_lead(broker) && has_directory(broker);
    let default_directory = |broker| view.default_directory(broker);
    let setting = ChangeContext {
        rules: &view.rules.replication,
        eligible_leaders: view.has_eligible_leaders().into(),
        bump_on_isr_shrink: match supports(Capability::LeaderEpochKeptOnIsrShrink) {
            Ability::Yes => Ability::No,
            Ability::No => Ability::Yes,
        },
        leader_recovery: (version >= LEADER_RECOVERY).into(),
        directories: supports(Capability::DirectoryAssignment),
        record_version: view.record_version(RecordKind::PartitionChange),
        min_isr: min_isr(view, topic.name())?,
        may_lead: &may_lead,
        default_directory: &default_directory,
    };
    let mut change = PartitionChange::new(at, partition, setting);
    say(&mut change);
    Ok(change.build())
}

/// The changes of partitions that a broker's coming or going brings about.
pub(crate) fn move_broker(
    view: View<'_>,
    broker_move: BrokerMove,
    partitions: &[TopicPartition],
    records: &mut Vec<VersionedRecord>,
) -> Result<(), WriteFailure> {
    let may_lead = |broker: i32| match broker_move {
        BrokerMove::Leaves(NodeId(id)) | BrokerMove::LostItsReplicas(NodeId(id)) => {
            broker != id && view.is_in_service(broker)
        }
        BrokerMove::Comes(NodeId(id)) => broker == id || view.is_in_service(broker),
    };
    for at in partitions {
        let topic = view.image().topics().with_id(at.topic);
        let is_unclean = topic.is_some_and(|topic| allows_unclean_elections(view, topic.name()));
        let record = change_partition(view, *at, &may_lead, |change| {
            if is_unclean {
                change.election = Election::Unclean;
            }
            match broker_move {
                BrokerMove::Leaves(NodeId(id)) => change.isr.retain(|of| *of != id),
                BrokerMove::LostItsReplicas(NodeId(id)) => {
                    change.isr.retain(|of| *of != id);
                    change.unclean_shutdown = Some(id);
                }
                BrokerMove::Comes(_) => {}
            }
        })?;
        records.extend(record);
    }
    Ok(())
}

pub(crate) fn fence_broker(
    view: View<'_>,
    broker: NodeId,
    records: &mut Vec<VersionedRecord>,
) -> Result<(), WriteFailure> {
    let Some(known) = view.image().cluster().broker(broker) else {
        let text = format!("there is no registration of broker {broker}");
        return Err(WriteFailure::Unexpected(text));
    };
    let in_sync = view.state.in_sync.of(broker.0);
    move_broker(view, BrokerMove::Leaves(broker), &in_sync, records)?;
    let epoch = known.broker_epoch;
    records.push(if view.can(Capability::BrokerRegistrationChangeRecord) {
        let record = BrokerRegistrationChangeRecord {
            fenced: FENCE,
            ..registration_change(broker, epoch)
        };
        VersionedRecord::new(0, record)
    } else {
        let record = FenceBrokerRecord {
            id: broker.0,
            epoch,
            ..Default::default()
        };
        VersionedRecord::new(0, record)
    });
    Ok(())
}

pub(crate) fn unfence_broker(
    view: View<'_>,
    broker: NodeId,
    epoch: i64,
    records: &mut Vec<VersionedRecord>,
) -> Result<(), WriteFailure> {
    records.push(if view.can(Capability::BrokerRegistrationChangeRecord) {
        let record = BrokerRegistrationChangeRecord {
            fenced: UNFENCE,
            ..registration_change(broker, epoch)
        };
        VersionedRecord::new(0, record)
    } else {
        let record = UnfenceBrokerRecord {
            id: broker.0,
            epoch,
            ..Default::default()
        };
        VersionedRecord::new(0, record)
    });
    let without_leader = view.state.in_sync.without_leader();
    move_broker(view, BrokerMove::Comes(broker), &without_leader, records)
}

pub(crate) fn begin_controlled_shutdown(
    view: View<'_>,
    known: &RegisterBrokerRecord,
    records: &mut Vec<VersionedRecord>,
) -> Result<(), WriteFailure> {
    let broker = NodeId(known.broker_id);
    if view.can(Capability::InControlledShutdown) && !known.in_controlled_shutdown {
        let record = BrokerRegistrationChangeRecord {
            in_controlled_shutdown: IN_CONTROLLED_SHUTDOWN,
            ..registration_change(broker, known.broker_epoch)
        };
        records.push(VersionedRecord::new(1, record));
    }
    let in_sync = view.state.in_sync.of(broker.0);
    move_broker(view, BrokerMove::Leaves(broker), &in_sync, records)
}

/// A broker is taken away: it leaves in-sync and eligible replicas.
pub(crate) fn take_broker_away(
    view: View<'_>,
    broker: NodeId,
    epoch: i64,
) -> Result<Vec<VersionedRecord>, WriteFailure> {
    let mut records = Vec::new();
    let state = view.state;
    for partitions in [state.in_sync.of(broker.0), state.eligible.of(broker.0)] {
        move_broker(view, BrokerMove::Leaves(broker), &partitions, &mut records)?;
    }
    let record = UnregisterBrokerRecord {
        broker_id: broker.0,
        broker_epoch: epoch,
        ..Default::default()
    };
    records.push(VersionedRecord::new(0, record));
    Ok(records)
}

/// A broker comes back as a new process: what becomes of the replicas of the old one.
pub(crate) fn end_old_incarnation(
    view: View<'_>,
    broker: NodeId,
    was_clean: bool,
    records: &mut Vec<VersionedRecord>,
) -> Result<(), WriteFailure> {
    let state = view.state;
    let is_lost = match view.rules.replication.new_incarnation {
        NewIncarnation::UncleanWithElrRecords if view.can(Capability::ElrRecords) => true,
        NewIncarnation::UncleanWithElrRecords => return Ok(()),
        NewIncarnation::ByShutdown => view.has_eligible_leaders() && !was_clean,
    };
    let in_sync = state.in_sync.of(broker.0);
    if !is_lost {
        return move_broker(view, BrokerMove::Leaves(broker), &in_sync, records);
    }
    let lost = BrokerMove::LostItsReplicas(broker);
    move_broker(view, lost, &in_sync, records)?;
    move_broker(view, lost, &state.eligible.of(broker.0), records)
}

/// Log directories of a broker stopped working.
pub(crate) fn lose_directories(
    view: View<'_>,
    known: &RegisterBrokerRecord,
    offline: &[Uuid],
    records: &mut Vec<VersionedRecord>,
) -> Result<(), WriteFailure> {
    let mut directories = known.log_dirs.clone();
    directories.sort_unstable();
    let (lost, left): (Vec<Uuid>, Vec<Uuid>) =
        directories.into_iter().partition(|id| offline.contains(id));
    if lost.is_empty() {
        return Ok(());
    }
    let broker = NodeId(known.broker_id);
    for directory in lost {
        let partitions = view.state.in_directory(directory);
        move_broker(view, BrokerMove::Leaves(broker), &partitions, records)?;
    }
    let record = BrokerRegistrationChangeRecord {
        log_dirs: left,
        ..registration_change(broker, known.broker_epoch)
    };
    records.push(VersionedRecord::new(2, record));
    Ok(())
}

/// A record that changes nothing yet.
pub(crate) fn registration_change(broker: NodeId, epoch: i64) -> BrokerRegistrationChangeRecord {
    BrokerRegistrationChangeRecord {
        broker_id: broker.0,
        broker_epoch: epoch,
        ..Default::default()
    }
}
