//! Times, sizes and limits of the quorum and its log, with Kafka's defaults.

use super::values::Values;

/// Whether an observer controller adds itself to the voters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoJoin {
    /// It does not.
    Disabled,
    /// It does, on releases that can.
    Enabled,
}

/// `controller.quorum.*` and what else times the quorum. Every field is named after its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuorumSettings {
    /// `controller.quorum.election.timeout.ms`
    pub election_timeout_ms: i32,
    /// `controller.quorum.fetch.timeout.ms`
    pub fetch_timeout_ms: i32,
    /// `controller.quorum.election.backoff.max.ms`
    pub election_backoff_max_ms: i32,
    /// `controller.quorum.append.linger.ms`
    pub append_linger_ms: i32,
    /// `controller.quorum.request.timeout.ms`
    pub request_timeout_ms: i32,
    /// `controller.quorum.retry.backoff.ms`
    pub retry_backoff_ms: i32,
    /// `controller.quorum.auto.join.enable` (4.2 and later)
    pub auto_join: AutoJoin,
    /// `controller.quorum.fetch.max.bytes` (4.3 and later)
    pub fetch_max_bytes: i32,
    /// `controller.quorum.fetch.snapshot.max.bytes` (4.3 and later)
    pub fetch_snapshot_max_bytes: i32,
    pub broker_heartbeat_interval_ms: i32,
    pub broker_session_timeout_ms: i32,
}

impl QuorumSettings {
    pub(super) fn read(values: &Values) -> Self {
        let int = |key| values.int(key, 0);
        QuorumSettings {
            election_timeout_ms: int("controller.quorum.election.timeout.ms"),
            fetch_timeout_ms: int("controller.quorum.fetch.timeout.ms"),
            election_backoff_max_ms: int("controller.quorum.election.backoff.max.ms"),
            append_linger_ms: int("controller.quorum.append.linger.ms"),
            request_timeout_ms: int("controller.quorum.request.timeout.ms"),
            retry_backoff_ms: int("controller.quorum.retry.backoff.ms"),
            auto_join: values.either(
                "controller.quorum.auto.join.enable",
                AutoJoin::Disabled,
                AutoJoin::Enabled,
            ),
            fetch_max_bytes: values.int("controller.quorum.fetch.max.bytes", 1 << 20),
            fetch_snapshot_max_bytes: values
                .int("controller.quorum.fetch.snapshot.max.bytes", 1 << 20),
            broker_heartbeat_interval_ms: int("broker.heartbeat.interval.ms"),
            broker_session_timeout_ms: int("broker.session.timeout.ms"),
        }
    }

    /// The settings of which a process that starts refuses a negative value.
    pub(super) fn times(&self) -> [(&'static str, i32); 6] {
        [
            (
                "controller.quorum.election.timeout.ms",
                self.election_timeout_ms,
            ),
            ("controller.quorum.fetch.timeout.ms", self.fetch_timeout_ms),
            (
                "controller.quorum.election.backoff.max.ms",
                self.election_backoff_max_ms,
            ),
            ("controller.quorum.append.linger.ms", self.append_linger_ms),
            (
                "controller.quorum.request.timeout.ms",
                self.request_timeout_ms,
            ),
            ("controller.quorum.retry.backoff.ms", self.retry_backoff_ms),
        ]
    }
}

/// `metadata.*`: the log, its snapshots, and the no-op records. Every field is named after its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataLogSettings {
    /// `metadata.log.segment.bytes`, or the internal override for tests (`internal.metadata.log.segment.bytes`).
    pub segment_bytes: i32,
    /// `metadata.log.segment.min.bytes`, or 0 in a release that does not know it: a process that starts refuses smaller
    /// segments.
    pub segment_min_bytes: i32,
    /// `metadata.log.segment.ms`
    pub segment_ms: i64,
    /// `metadata.max.retention.bytes`; negative: no limit.
    pub max_retention_bytes: i64,
    /// `metadata.max.retention.ms`; negative: no limit.
    pub max_retention_ms: i64,
    /// `metadata.log.max.record.bytes.between.snapshots`
    pub max_record_bytes_between_snapshots: i64,
    /// `metadata.log.max.snapshot.interval.ms`; 0: off.
    pub max_snapshot_interval_ms: i64,
    /// `metadata.max.idle.interval.ms`: how often the active controller writes a no-op record; 0: never.
    pub max_idle_interval_ms: i32,
}

impl MetadataLogSettings {
    pub(super) fn read(values: &Values) -> Self {
        // The first is unknown to releases that have the second. A segment holds a batch header at least.
        let configured = values.int("metadata.log.segment.bytes", 0);
        let segment_bytes = values
            .int("internal.metadata.log.segment.bytes", configured)
            .max(12);
        MetadataLogSettings {
            segment_bytes,
            segment_min_bytes: values.int("metadata.log.segment.min.bytes", 0),
            segment_ms: values.long("metadata.log.segment.ms"),
            max_retention_bytes: values.long("metadata.max.retention.bytes"),
            max_retention_ms: values.long("metadata.max.retention.ms"),
            max_record_bytes_between_snapshots: values
                .long("metadata.log.max.record.bytes.between.snapshots"),
            max_snapshot_interval_ms: values.long("metadata.log.max.snapshot.interval.ms"),
            max_idle_interval_ms: values.int("metadata.max.idle.interval.ms", 0),
        }
    }
}

/// Whether leaders move back to preferred replicas by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaderRebalance {
    /// They do not.
    Disabled,
    Enabled,
}

/// What a controller decides about topics. Every field is named after its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicSettings {
    pub default_replication_factor: i32,
    pub num_partitions: i32,
    /// `auto.leader.rebalance.enable`
    pub auto_leader_rebalance: LeaderRebalance,
    pub leader_imbalance_check_interval_seconds: i64,
}

impl TopicSettings {
    pub(super) fn read(values: &Values) -> Self {
        TopicSettings {
            default_replication_factor: values.int("default.replication.factor", 1),
            num_partitions: values.int("num.partitions", 1),
            auto_leader_rebalance: values.either(
                "auto.leader.rebalance.enable",
                LeaderRebalance::Disabled,
                LeaderRebalance::Enabled,
            ),
            leader_imbalance_check_interval_seconds: values
                .long("leader.imbalance.check.interval.seconds"),
        }
    }
}
