//! The settings of a metadata log.

/// What decides when segments roll and when old checkpoints go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogConfig {
    /// `metadata.log.segment.bytes`
    pub segment_bytes: u64,
    /// `metadata.log.segment.ms`
    pub segment_ms: i64,
    /// `metadata.max.retention.bytes`; negative: no limit.
    pub retention_bytes: i64,
    /// `metadata.max.retention.ms`; negative: no limit.
    pub retention_ms: i64,
    /// How long a deleted file stands under its `.deleted` name; a constant in Kafka.
    pub file_delete_delay_ms: i64,
    /// What becomes of a checkpoint that the log knows and whose file is not there.
    pub missing_snapshot: MissingSnapshot,
}

/// What becomes of a checkpoint that the log knows and whose file is not there. A file such as
/// `00000000000000000005-0000000001-old.checkpoint` makes the log know one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingSnapshot {
    /// A read of it fails.
    Fails,
    /// The log forgets it.
    Forgotten,
}

impl Default for LogConfig {
    /// The defaults of `server.properties`.
    fn default() -> LogConfig {
        const DAY_MS: i64 = 24 * 60 * 60 * 1000;
        LogConfig {
            segment_bytes: 1024 * 1024 * 1024,
            segment_ms: 7 * DAY_MS,
            retention_bytes: 100 * 1024 * 1024,
            retention_ms: 7 * DAY_MS,
            file_delete_delay_ms: 60_000,
            missing_snapshot: MissingSnapshot::Forgotten,
        }
    }
}
