//! What a controller is told about its node.

use std::collections::BTreeMap;

use determinism::Time;
use image::FaultPolicy;
use listener::ListenerId;
use records::NodeId;
use records::feature::UnstableFeatureVersions;

/// Whether `zookeeper.metadata.migration.enable` is set (3.9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZkMigrationConfig {
    /// It is not.
    #[default]
    Disabled,
    Enabled,
}

/// Which work comes back by itself while a controller is active.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BackgroundWork {
    /// `NoOpRecord`s. For a world without brokers: nobody there sends heartbeats, so that sessions would end which end
    /// nowhere else.
    #[default]
    NoOpRecords,
    /// All that Kafka has: ended sessions are looked for, and elections.
    Everything,
}

/// The settings of a quorum controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControllerConfig {
    pub node_id: NodeId,
    /// The listener that the controller is registered as.
    pub listener: ListenerId,
    /// The controllers that `controller.quorum.voters` or the bootstrap servers name.
    pub quorum_node_ids: Vec<NodeId>,
    /// `metadata.max.idle.interval.ms`; `None` for 0: no `NoOpRecord`s are written.
    pub max_idle_interval: Option<Time>,
    /// How many records go into one append; 10 000 in Kafka.
    pub max_records_per_batch: usize,
    /// `min.insync.replicas` of the server's configuration.
    pub min_insync_replicas: u32,
    /// `unstable.feature.versions.enable`.
    pub unstable_feature_versions: UnstableFeatureVersions,
    /// `zookeeper.metadata.migration.enable`.
    pub zk_migration: ZkMigrationConfig,
    /// Which work comes back by itself.
    pub background_work: BackgroundWork,
    /// What a [`crate::FatalFault`] means. In a server the process ends; a handler of faults that only notes it, as in
    /// Kafka's own tests, lets the controller's thread go on.
    pub fatal_faults: FaultPolicy,
    /// `broker.session.timeout.ms`.
    pub session_timeout: Time,
    /// `leader.imbalance.check.interval.seconds`; `None` where leaders do not move back by themselves.
    pub leader_imbalance_check_interval: Option<Time>,
    pub default_replication_factor: i32,
    /// `num.partitions`.
    pub default_partitions: i32,
    /// The lines of the server's configuration, some of which topics take over.
    pub static_config: BTreeMap<String, String>,
}

impl ControllerConfig {
    /// How many records Kafka puts into one append (`QuorumController.DEFAULT_MAX_RECORDS_PER_BATCH`).
    pub const MAX_RECORDS_PER_BATCH: usize = 10_000;

    /// Kafka's defaults for a node.
    pub fn new(node_id: NodeId, listener: ListenerId, quorum_node_ids: Vec<NodeId>) -> Self {
        ControllerConfig {
            node_id,
            listener,
            quorum_node_ids,
            max_idle_interval: Some(Time::from_millis(500)),
            max_records_per_batch: Self::MAX_RECORDS_PER_BATCH,
            min_insync_replicas: 1,
            unstable_feature_versions: UnstableFeatureVersions::Disabled,
            zk_migration: ZkMigrationConfig::Disabled,
            background_work: BackgroundWork::default(),
            fatal_faults: FaultPolicy::EndsProcess,
            session_timeout: Time::from_millis(9000),
            leader_imbalance_check_interval: Some(Time::from_millis(300_000)),
            default_replication_factor: 1,
            default_partitions: 1,
            static_config: BTreeMap::new(),
        }
    }
}
