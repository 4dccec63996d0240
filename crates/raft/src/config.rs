use std::sync::Arc;

use raft_log::log::LogConfig;
use records::{NodeId, Uuid};

use crate::{Address, Endpoints, ListenerName, SupportedVersionRange};

/// What a replica is configured with: the `controller.quorum.*` properties and what the node knows of itself.
#[derive(Clone, Debug)]
pub struct RaftConfig {
    pub node_id: NodeId,
    /// `directory.id` of the metadata log directory.
    pub directory_id: Uuid,
    pub cluster_id: Arc<str>,
    /// `controller.quorum.voters`, in the order of the map that Kafka is given; empty for a dynamic quorum.
    pub static_voters: Vec<(NodeId, Address)>,
    /// `controller.quorum.bootstrap.servers`, in order. Where it is empty the static voters serve as such.
    pub bootstrap_servers: Vec<Address>,
    /// The first of `controller.listener.names`: over which replicas talk.
    pub listener_name: ListenerName,
    /// The controller listeners of this node, as others are to reach them; empty for a broker.
    pub local_listeners: Endpoints,
    /// kraft.version levels this node can do.
    pub supported_kraft_version: SupportedVersionRange,
    /// The node has the controller role: it flushes what it fetches, and may become a voter.
    pub voter_ability: VoterAbility,
    /// `controller.quorum.auto.join.enable` (4.2+).
    pub auto_join: AutoJoinSetting,
    /// `controller.quorum.election.timeout.ms`.
    pub election_timeout_ms: i32,
    /// `controller.quorum.election.backoff.max.ms`.
    pub election_backoff_max_ms: i32,
    /// `controller.quorum.fetch.timeout.ms`.
    pub fetch_timeout_ms: i32,
    /// `controller.quorum.request.timeout.ms`.
    pub request_timeout_ms: i32,
    /// `controller.quorum.retry.backoff.ms`.
    pub retry_backoff_ms: i32,
    /// `controller.quorum.append.linger.ms`.
    pub append_linger_ms: i32,
    /// `controller.quorum.fetch.max.bytes` (4.3+).
    pub fetch_max_bytes: i32,
    /// `controller.quorum.fetch.snapshot.max.bytes` (4.3+).
    pub fetch_snapshot_max_bytes: i32,
    /// The directory of the metadata partition: `…/__cluster_metadata-0`.
    pub partition_dir: String,
    /// `metadata.log.segment.*` and `metadata.max.retention.*`.
    pub log: LogConfig,
    /// The wall clock.
    pub clock: WallClock,
}

/// Whether a replica can become a voter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoterAbility {
    /// The node is a controller.
    CanBecomeVoter,
    /// The node is a broker.
    ObserverOnly,
}

/// `controller.quorum.auto.join.enable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoJoinSetting {
    /// An observer controller waits to be added.
    Disabled,
    /// An observer controller adds itself, and removes its own older entry.
    Enabled,
}

/// What a node's wall clock shows, in milliseconds since 1970. Kafka's raft reads only this clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WallClock {
    /// What it shows at the beginning of the run.
    pub at_start_ms: i64,
}

impl WallClock {
    /// What it shows at `now`.
    pub fn millis(self, now: determinism::Time) -> i64 {
        self.at_start_ms.saturating_add(now.as_millis() as i64)
    }

    /// When it will show `ms`; the beginning of the run if that is past.
    pub fn time_of(self, ms: i64) -> determinism::Time {
        let since_start = ms.saturating_sub(self.at_start_ms).max(0) as u64;
        if ms == i64::MAX {
            determinism::Time::MAX
        } else {
            determinism::Time::from_millis(since_start)
        }
    }
}

impl RaftConfig {
    /// Kafka's defaults for a controller `node_id` of an empty static quorum; the rest is the caller's to set.
    pub fn defaults(node_id: NodeId, directory_id: Uuid, partition_dir: &str) -> Self {
        RaftConfig {
            node_id,
            directory_id,
            cluster_id: "".into(),
            static_voters: Vec::new(),
            bootstrap_servers: Vec::new(),
            listener_name: ListenerName::normalised("CONTROLLER"),
            local_listeners: Endpoints::empty(),
            supported_kraft_version: SupportedVersionRange { min: 0, max: 1 },
            voter_ability: VoterAbility::CanBecomeVoter,
            auto_join: AutoJoinSetting::Disabled,
            election_timeout_ms: 1000,
            election_backoff_max_ms: 1000,
            fetch_timeout_ms: 2000,
            request_timeout_ms: 2000,
            retry_backoff_ms: 20,
            append_linger_ms: 25,
            fetch_max_bytes: 1024 * 1024,
            fetch_snapshot_max_bytes: 1024 * 1024,
            partition_dir: partition_dir.to_owned(),
            log: LogConfig::default(),
            clock: WallClock { at_start_ms: 0 },
        }
    }
}
