use disk::DiskError;

/// What ends a process: an exception of Kafka's raft thread, or a disk that failed or crashed the process.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RaftFault {
    /// A disk operation failed, or the process died at it.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The log or a checkpoint holds what cannot be, in words with file and position.
    #[error("{0}")]
    Log(String),
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
