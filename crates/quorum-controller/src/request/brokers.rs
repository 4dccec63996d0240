//! What brokers ask.

use records::feature::VersionRange;
use records::{NodeId, Uuid};

use super::Endpoint;

/// What a broker tells about itself when it registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokerRegistration {
    /// Its node id.
    pub broker_id: NodeId,
    /// Drawn anew by every process.
    pub incarnation_id: Uuid,
    /// Its listeners, the order counts.
    pub endpoints: Vec<Endpoint>,
    /// The features it supports, the order counts.
    pub features: Vec<(String, VersionRange)>,
    /// The ids of its log directories.
    pub log_dirs: Vec<Uuid>,
    /// The epoch it had when it was shut down cleanly; `None` from a broker that does not say.
    pub previous_epoch: Option<i64>,
}

/// What a broker wants to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokerWish {
    /// In service, as soon as it has caught up.
    Serve,
    Fence,
    /// Gone, after its partitions have other leaders.
    ShutDown,
    /// Gone at once.
    FenceAndShutDown,
}

/// What a broker sends at intervals, so that it stays unfenced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokerHeartbeat {
    pub broker_id: NodeId,
    /// The epoch of its registration.
    pub broker_epoch: i64,
    /// How far it has read the metadata log.
    pub metadata_offset: i64,
    /// What it wants.
    pub wish: BrokerWish,
    /// Log directories that do not work any more.
    pub offline_log_dirs: Vec<Uuid>,
    /// Log directories that take no new replicas; `None` from a broker that does not say.
    pub cordoned_log_dirs: Option<Vec<Uuid>>,
}

/// The answer to a heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the four flags of Kafka's answer"
)]
pub struct HeartbeatReply {
    /// Whether the broker has read its own registration.
    pub is_caught_up: bool,
    /// Whether it is fenced now.
    pub is_fenced: bool,
    /// Whether it is shutting down.
    pub in_controlled_shutdown: bool,
    /// Whether it may go.
    pub should_shut_down: bool,
}
