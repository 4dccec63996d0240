//! What a controller is told about its node.

use determinism::Time;
use listener::ListenerId;
use records::NodeId;
use records::feature::UnstableFeatureVersions;

/// Whether `zookeeper.metadata.migration.enable` is set (3.9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZkMigrationConfig {
    /// It is not.
    #[default]
    Disabled,
    /// It is.
    Enabled,
}

/// The settings of a quorum controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControllerConfig {
    /// `node.id`.
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
        }
    }
}
