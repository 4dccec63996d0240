//! Leaders and in-sync replicas when a broker comes or goes (`4.4:…/controller/ReplicationControlManager.java`).

use image::parts::configs::{BROKER, TOPIC};
use records::feature::{Capability, MetadataVersion};
use records::metadata::{
    BrokerRegistrationChangeRecord, FenceBrokerRecord, RecordKind, RegisterBrokerRecord,
    UnfenceBrokerRecord, UnregisterBrokerRecord, VersionedRecord, record_version_for,
};
use records::{NodeId, Uuid};
use releases::replication::{EligibleLeaders, NewIncarnation};
use releases::topic_configs::TopicConfig;

use crate::broker_partitions::TopicPartition;
use crate::controller::Controller;
use crate::partition_change::{Ability, Election, PartitionChange, Setting};
use crate::request::{ConfigSource, EffectiveConfig};
use crate::write_path::WriteFailure;

/// The directory of a replica whose broker has not said yet where it lies (`DirectoryId.MIGRATING`).
const MIGRATING: Uuid = Uuid::ZERO;
/// The broker chooses a directory (`DirectoryId.UNASSIGNED`).
const UNASSIGNED: Uuid = Uuid::from_bytes([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
/// The directory is gone (`DirectoryId.LOST`).
const LOST: Uuid = Uuid::from_bytes([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);

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

impl Controller {
    pub(crate) fn known_version(&self) -> Result<MetadataVersion, WriteFailure> {
        self.metadata_version()
            .ok_or_else(|| WriteFailure::Unexpected("the metadata.version is not known".to_owned()))
    }

    pub(crate) fn can(&self, capability: Capability) -> bool {
        let version = self.metadata_version();
        version.is_some_and(|version| self.rules.features.supports(version, capability))
    }

    pub(crate) fn record_version(&self, kind: RecordKind) -> i16 {
        let version = self.metadata_version();
        version
            .and_then(|version| record_version_for(self.rules.features.line, kind, version))
            .unwrap_or(0)
    }

    /// Whether eligible leader replicas are enabled.
    pub(crate) fn has_eligible_leaders(&self) -> bool {
        match self.rules.replication.eligible_leaders {
            EligibleLeaders::Never => false,
            EligibleLeaders::ByFeature => self.image().features().is_elr_enabled(),
        }
    }

    /// Whether a broker is neither fenced nor shutting down.
    pub(crate) fn is_in_service(&self, broker: i32) -> bool {
        let known = self.image().cluster().broker(NodeId(broker));
        known.is_some_and(|known| !known.fenced && !known.in_controlled_shutdown)
    }

    pub(crate) fn has_online_directory(&self, broker: i32, directory: Uuid) -> bool {
        let Some(known) = self.image().cluster().broker(NodeId(broker)) else {
            return false;
        };
        match directory {
            MIGRATING | UNASSIGNED => true,
            LOST => false,
            _ => known.log_dirs.is_empty() || known.log_dirs.contains(&directory),
        }
    }

    /// Where a broker puts a new replica.
    pub(crate) fn default_directory(&self, broker: i32) -> Uuid {
        if !self.can(Capability::DirectoryAssignment) {
            return MIGRATING;
        }
        let known = self.image().cluster().broker(NodeId(broker));
        match known.map(|known| known.log_dirs.as_slice()) {
            Some([]) => MIGRATING,
            Some([directory]) => *directory,
            Some(_) | None => UNASSIGNED,
        }
    }

    /// A topic's configuration in force: its own, else the controller's dynamic one, else that of all nodes, else the
    /// file's (`4.4:metadata/…/metadata/KafkaConfigSchema.java`).
    pub(crate) fn effective_config(
        &self,
        config: &'static TopicConfig,
        topic: Option<&str>,
    ) -> EffectiveConfig {
        let configs = self.image().configs();
        let found = |value: Option<String>, source| EffectiveConfig {
            name: config.name,
            value,
            source,
        };
        if let Some(value) = topic.and_then(|topic| configs.get(TOPIC, topic, config.name)) {
            return found(Some(value.to_owned()), ConfigSource::Topic);
        }
        let own = self.config.node_id.to_string();
        let look_up = |source: ConfigSource, name: &str| match source {
            ConfigSource::Node => configs.get(BROKER, &own, name).map(str::to_owned),
            ConfigSource::Cluster => configs.get(BROKER, "", name).map(str::to_owned),
            ConfigSource::File => self.config.static_config.get(name).cloned(),
            ConfigSource::Topic | ConfigSource::Default => None,
        };
        for source in [
            ConfigSource::Node,
            ConfigSource::Cluster,
            ConfigSource::File,
        ] {
            for synonym in config.synonyms {
                if let Some(value) = look_up(source, synonym.name) {
                    return found(Some(converted(value, synonym.factor)), source);
                }
            }
        }
        found(config.default.map(str::to_owned), ConfigSource::Default)
    }

    /// A topic's configuration by the controller's file alone.
    pub(crate) fn file_config(&self, config: &'static TopicConfig) -> Option<String> {
        let lines = &self.config.static_config;
        let given = config.synonyms.iter().find_map(|of| {
            let value = lines.get(of.name)?.clone();
            Some(converted(value, of.factor))
        });
        given.or_else(|| config.default.map(str::to_owned))
    }

    fn topic_config(&self, topic: &str, name: &str) -> String {
        let config = TopicConfig::named(self.rules.features.line, name);
        config
            .and_then(|config| self.effective_config(config, Some(topic)).value)
            .unwrap_or_default()
    }

    pub(crate) fn allows_unclean_elections(&self, topic: &str) -> bool {
        let value = self.topic_config(topic, "unclean.leader.election.enable");
        value.eq_ignore_ascii_case("true")
    }

    fn min_isr(&self, topic: &str) -> Result<i32, WriteFailure> {
        let value = self.topic_config(topic, "min.insync.replicas");
        let configured: i32 = value.parse().map_err(|_| {
            WriteFailure::Unexpected(format!("min.insync.replicas of {topic} is {value:?}"))
        })?;
        let first = self.image().topics().named(topic);
        let first = first.and_then(|topic| topic.partition(0));
        let replicas = first.map_or(0, |partition| partition.replicas.len() as i32);
        Ok(configured.min(replicas))
    }

    /// The record of a change of one partition; `say` tells what is to change.
    pub(crate) fn change_partition(
        &self,
        at: TopicPartition,
        may_lead: &dyn Fn(i32) -> bool,
        say: impl FnOnce(&mut PartitionChange<'_>),
    ) -> Result<Option<VersionedRecord>, WriteFailure> {
        let missing = || WriteFailure::Unexpected(format!("there is no partition {at:?}"));
        let topic = self
            .image()
            .topics()
            .with_id(at.topic)
            .ok_or_else(missing)?;
        let partition = topic.partition(at.partition).ok_or_else(missing)?;
        let has_directory = |broker: i32| {
            let place = partition.replicas.iter().position(|id| *id == broker);
            let directory = place.and_then(|place| partition.directories.get(place));
            directory.is_some_and(|directory| self.has_online_directory(broker, *directory))
        };
        let version = self.known_version()?;
        let supports =
            |capability| Ability::from(self.rules.features.supports(version, capability));
        let may_lead = |broker| may_lead(broker) && has_directory(broker);
        let default_directory = |broker| self.default_directory(broker);
        let setting = Setting {
            rules: &self.rules.replication,
            eligible_leaders: self.has_eligible_leaders().into(),
            bump_on_isr_shrink: match supports(Capability::LeaderEpochKeptOnIsrShrink) {
                Ability::Yes => Ability::No,
                Ability::No => Ability::Yes,
            },
            leader_recovery: (version >= LEADER_RECOVERY).into(),
            directories: supports(Capability::DirectoryAssignment),
            record_version: self.record_version(RecordKind::PartitionChange),
            min_isr: self.min_isr(topic.name())?,
            may_lead: &may_lead,
            default_directory: &default_directory,
        };
        let mut change = PartitionChange::new(at, partition, setting);
        say(&mut change);
        Ok(change.build())
    }

    /// The changes of partitions that a broker's coming or going brings about.
    pub(crate) fn move_broker(
        &self,
        broker_move: BrokerMove,
        partitions: &[TopicPartition],
        records: &mut Vec<VersionedRecord>,
    ) -> Result<(), WriteFailure> {
        let may_lead = |broker: i32| match broker_move {
            BrokerMove::Leaves(NodeId(id)) | BrokerMove::LostItsReplicas(NodeId(id)) => {
                broker != id && self.is_in_service(broker)
            }
            BrokerMove::Comes(NodeId(id)) => broker == id || self.is_in_service(broker),
        };
        for at in partitions {
            let topic = self.image().topics().with_id(at.topic);
            let is_unclean = topic.is_some_and(|topic| self.allows_unclean_elections(topic.name()));
            let record = self.change_partition(*at, &may_lead, |change| {
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
        &self,
        broker: NodeId,
        records: &mut Vec<VersionedRecord>,
    ) -> Result<(), WriteFailure> {
        let Some(known) = self.image().cluster().broker(broker) else {
            let text = format!("there is no registration of broker {broker}");
            return Err(WriteFailure::Unexpected(text));
        };
        let in_sync = self.state().in_sync.of(broker.0);
        self.move_broker(BrokerMove::Leaves(broker), &in_sync, records)?;
        let epoch = known.broker_epoch;
        records.push(if self.can(Capability::BrokerRegistrationChangeRecord) {
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
        &self,
        broker: NodeId,
        epoch: i64,
        records: &mut Vec<VersionedRecord>,
    ) -> Result<(), WriteFailure> {
        records.push(if self.can(Capability::BrokerRegistrationChangeRecord) {
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
        let without_leader = self.state().in_sync.without_leader();
        self.move_broker(BrokerMove::Comes(broker), &without_leader, records)
    }

    pub(crate) fn begin_controlled_shutdown(
        &self,
        known: &RegisterBrokerRecord,
        records: &mut Vec<VersionedRecord>,
    ) -> Result<(), WriteFailure> {
        let broker = NodeId(known.broker_id);
        if self.can(Capability::InControlledShutdown) && !known.in_controlled_shutdown {
            let record = BrokerRegistrationChangeRecord {
                in_controlled_shutdown: IN_CONTROLLED_SHUTDOWN,
                ..registration_change(broker, known.broker_epoch)
            };
            records.push(VersionedRecord::new(1, record));
        }
        let in_sync = self.state().in_sync.of(broker.0);
        self.move_broker(BrokerMove::Leaves(broker), &in_sync, records)
    }

    /// A broker is taken away: it leaves in-sync and eligible replicas.
    pub(crate) fn take_broker_away(
        &self,
        broker: NodeId,
        epoch: i64,
    ) -> Result<Vec<VersionedRecord>, WriteFailure> {
        let mut records = Vec::new();
        let state = self.state();
        for partitions in [state.in_sync.of(broker.0), state.eligible.of(broker.0)] {
            self.move_broker(BrokerMove::Leaves(broker), &partitions, &mut records)?;
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
        &self,
        broker: NodeId,
        was_clean: bool,
        records: &mut Vec<VersionedRecord>,
    ) -> Result<(), WriteFailure> {
        let state = self.state();
        let is_lost = match self.rules.replication.new_incarnation {
            NewIncarnation::UncleanWithElrRecords if self.can(Capability::ElrRecords) => true,
            NewIncarnation::UncleanWithElrRecords => return Ok(()),
            NewIncarnation::ByShutdown => self.has_eligible_leaders() && !was_clean,
        };
        let in_sync = state.in_sync.of(broker.0);
        if !is_lost {
            return self.move_broker(BrokerMove::Leaves(broker), &in_sync, records);
        }
        let lost = BrokerMove::LostItsReplicas(broker);
        self.move_broker(lost, &in_sync, records)?;
        self.move_broker(lost, &state.eligible.of(broker.0), records)
    }

    /// Log directories of a broker stopped working.
    pub(crate) fn lose_directories(
        &self,
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
            let partitions = self.state().in_directory(directory);
            self.move_broker(BrokerMove::Leaves(broker), &partitions, records)?;
        }
        let record = BrokerRegistrationChangeRecord {
            log_dirs: left,
            ..registration_change(broker, known.broker_epoch)
        };
        records.push(VersionedRecord::new(2, record));
        Ok(())
    }
}

/// What a topic would say where a node says `value`.
fn converted(value: String, factor: Option<i64>) -> String {
    match factor.zip(value.trim().parse::<i64>().ok()) {
        Some((factor, number)) => number.saturating_mul(factor).to_string(),
        None => value,
    }
}

/// A record that changes nothing yet.
pub(crate) fn registration_change(broker: NodeId, epoch: i64) -> BrokerRegistrationChangeRecord {
    BrokerRegistrationChangeRecord {
        broker_id: broker.0,
        broker_epoch: epoch,
        ..Default::default()
    }
}
