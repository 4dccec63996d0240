use disk::DiskError;
use raft_log::log::{LogAppendError, NoLastEpoch, OffsetOutOfRange, OpenError, TruncateError};
use raft_log::{Corrupt, ReadError};

/// What ends a process: an exception of Kafka's raft thread, or a disk that failed or crashed the process.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RaftFault {
    /// A disk operation failed, or the process died at it.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A file holds what cannot be.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
    /// The log cannot be opened.
    #[error(transparent)]
    Open(OpenError),
    /// A record of a batch cannot be read.
    #[error(transparent)]
    Record(#[from] raft_log::batch::RecordError),
    /// Batches that do not fit the log.
    #[error(transparent)]
    Append(LogAppendError),
    /// A truncation that would lose what is committed.
    #[error(transparent)]
    Truncate(TruncateError),
    /// A read outside the log.
    #[error(transparent)]
    OffsetOutOfRange(#[from] OffsetOutOfRange),
    /// A log that does not know its last epoch.
    #[error(transparent)]
    NoLastEpoch(#[from] NoLastEpoch),
    /// A loop of Kafka's that never ends: it reads the log up to an end that no batch reaches.
    #[error(
        "Kafka reads the log for ever: nothing is at offset {next_offset}, and the log ends at {end_offset}"
    )]
    EndlessRead {
        /// Where the next batch is looked for.
        next_offset: i64,
        /// Log end offset.
        end_offset: i64,
    },
    /// A broken assumption of raft (`IllegalStateException` and its like in Kafka), in words.
    #[error("{0}")]
    Illegal(String),
}

impl RaftFault {
    /// A broken assumption.
    pub(crate) fn illegal(reason: impl Into<String>) -> Self {
        RaftFault::Illegal(reason.into())
    }
}

impl From<ReadError> for RaftFault {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Disk(error) => error.into(),
            ReadError::Corrupt(error) => error.into(),
        }
    }
}

impl From<OpenError> for RaftFault {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Disk(error) => error.into(),
            OpenError::Corrupt(error) => error.into(),
            other => RaftFault::Open(other),
        }
    }
}

impl From<LogAppendError> for RaftFault {
    fn from(error: LogAppendError) -> Self {
        match error {
            LogAppendError::Disk(error) => error.into(),
            other => RaftFault::Append(other),
        }
    }
}

impl From<TruncateError> for RaftFault {
    fn from(error: TruncateError) -> Self {
        match error {
            TruncateError::Disk(error) => error.into(),
            below @ TruncateError::BelowHighWatermark { .. } => RaftFault::Truncate(below),
        }
    }
}
