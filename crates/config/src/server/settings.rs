//! Times, sizes and limits of the quorum and its log, with Kafka's defaults.

use super::number::{Flag, flag, int, long};
use super::{ConfigError, Entries};

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
    /// `broker.heartbeat.interval.ms`
    pub broker_heartbeat_interval_ms: i32,
    /// `broker.session.timeout.ms`
    pub broker_session_timeout_ms: i32,
}

impl QuorumSettings {
    pub(super) fn read(entries: &Entries) -> Result<Self, ConfigError> {
        Ok(QuorumSettings {
            election_timeout_ms: int(entries, "controller.quorum.election.timeout.ms", 1000, 0)?,
            fetch_timeout_ms: int(entries, "controller.quorum.fetch.timeout.ms", 2000, 0)?,
            election_backoff_max_ms: int(
                entries,
                "controller.quorum.election.backoff.max.ms",
                1000,
                0,
            )?,
            append_linger_ms: int(entries, "controller.quorum.append.linger.ms", 25, 0)?,
            request_timeout_ms: int(entries, "controller.quorum.request.timeout.ms", 2000, 0)?,
            retry_backoff_ms: int(entries, "controller.quorum.retry.backoff.ms", 20, 0)?,
            auto_join: match flag(entries, "controller.quorum.auto.join.enable")? {
                Flag::Off => AutoJoin::Disabled,
                Flag::On => AutoJoin::Enabled,
            },
            fetch_max_bytes: int(entries, "controller.quorum.fetch.max.bytes", 1 << 20, 1)?,
            fetch_snapshot_max_bytes: int(
                entries,
                "controller.quorum.fetch.snapshot.max.bytes",
                1 << 20,
                1,
            )?,
            broker_heartbeat_interval_ms: int(
                entries,
                "broker.heartbeat.interval.ms",
                2000,
                i32::MIN,
            )?,
            broker_session_timeout_ms: int(entries, "broker.session.timeout.ms", 9000, i32::MIN)?,
        })
    }
}

/// `metadata.*`: the log, its snapshots, and the no-op records. Every field is named after its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataLogSettings {
    /// `metadata.log.segment.bytes`, or the internal override for tests (`internal.metadata.log.segment.bytes`).
    pub segment_bytes: i32,
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
    pub(super) fn read(entries: &Entries) -> Result<Self, ConfigError> {
        let configured = int(entries, "metadata.log.segment.bytes", 1 << 30, 12)?;
        let minimum = int(entries, "metadata.log.segment.min.bytes", 8 << 20, 12)?;
        // Kafka checks nothing about this override, which is for tests; a segment holds a batch header at least.
        let override_key = "internal.metadata.log.segment.bytes";
        let segment_bytes = int(entries, override_key, configured, i32::MIN)?.max(12);
        if configured < minimum {
            return Err(ConfigError::NotANumber {
                key: "metadata.log.segment.bytes".to_owned(),
                found: configured.to_string(),
                expected: format!("at least {minimum}"),
            });
        }
        Ok(MetadataLogSettings {
            segment_bytes,
            segment_ms: long(entries, "metadata.log.segment.ms", 604_800_000, i64::MIN)?,
            max_retention_bytes: long(
                entries,
                "metadata.max.retention.bytes",
                104_857_600,
                i64::MIN,
            )?,
            max_retention_ms: long(entries, "metadata.max.retention.ms", 604_800_000, i64::MIN)?,
            max_record_bytes_between_snapshots: long(
                entries,
                "metadata.log.max.record.bytes.between.snapshots",
                20_971_520,
                1,
            )?,
            max_snapshot_interval_ms: long(
                entries,
                "metadata.log.max.snapshot.interval.ms",
                3_600_000,
                0,
            )?,
            max_idle_interval_ms: int(entries, "metadata.max.idle.interval.ms", 500, 0)?,
        })
    }
}

/// Whether leaders move back to preferred replicas by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaderRebalance {
    /// They do not.
    Disabled,
    /// They do.
    Enabled,
}

/// What a controller decides about topics. Every field is named after its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicSettings {
    /// `default.replication.factor`
    pub default_replication_factor: i32,
    /// `num.partitions`
    pub num_partitions: i32,
    /// `auto.leader.rebalance.enable`
    pub auto_leader_rebalance: LeaderRebalance,
    /// `leader.imbalance.check.interval.seconds`
    pub leader_imbalance_check_interval_seconds: i64,
}

impl TopicSettings {
    pub(super) fn read(entries: &Entries) -> Result<Self, ConfigError> {
        let is_given = entries.contains_key("auto.leader.rebalance.enable");
        let rebalance = flag(entries, "auto.leader.rebalance.enable")?;
        Ok(TopicSettings {
            default_replication_factor: int(entries, "default.replication.factor", 1, i32::MIN)?,
            num_partitions: int(entries, "num.partitions", 1, 1)?,
            auto_leader_rebalance: match rebalance {
                Flag::Off if is_given => LeaderRebalance::Disabled,
                Flag::Off | Flag::On => LeaderRebalance::Enabled,
            },
            leader_imbalance_check_interval_seconds: long(
                entries,
                "leader.imbalance.check.interval.seconds",
                300,
                1,
            )?,
        })
    }
}
