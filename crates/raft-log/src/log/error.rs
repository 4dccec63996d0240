//! Why an operation of the log is refused.

use disk::DiskError;
use records::{OffsetAndEpoch, Uuid};

use crate::checkpoint::NameError;
use crate::{Corrupt, ReadError};

/// Why a metadata log cannot be opened. Real Kafka does not start either.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A file cannot be read, and recovery does not mend it.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
    /// A file is named like a checkpoint and is none.
    #[error(transparent)]
    SnapshotName(#[from] NameError),
    /// A file is named like a segment, and does not begin with an offset.
    #[error("{name}: the name of a segment begins with its base offset")]
    SegmentName {
        /// The file's name.
        name: String,
    },
    /// `partition.metadata` names another topic.
    #[error("{file}: expected topic id {expected}, found {found}")]
    InconsistentTopicId {
        file: String,
        /// Id of the metadata topic.
        expected: Uuid,
        /// Id in the file.
        found: Uuid,
    },
    /// The log does not begin at 0, and no checkpoint covers what came before.
    #[error(
        "the log starts at offset {start_offset}, so there must be a checkpoint at that offset or later; the latest \
         checkpoint is {}", latest.map_or_else(|| "none".to_owned(), |id| id.to_string())
    )]
    InconsistentSnapshots {
        /// Log start offset.
        start_offset: i64,
        /// The latest checkpoint that is left.
        latest: Option<OffsetAndEpoch>,
    },
}

impl From<ReadError> for OpenError {
    fn from(error: ReadError) -> OpenError {
        match error {
            ReadError::Disk(error) => error.into(),
            ReadError::Corrupt(error) => error.into(),
        }
    }
}

/// Why batches cannot be appended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogAppendError {
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// There is nothing to append.
    #[error("attempt to append no batches")]
    Empty,
    /// A batch does not go on where the log, or the batch before it, ends.
    #[error("a batch begins at offset {found}; the next offset is {expected}")]
    UnexpectedOffset {
        /// Where the log ends.
        expected: i64,
        /// Where the batch begins.
        found: i64,
    },
    /// The leader's batch carries another epoch than the leader's.
    #[error("a batch of the leader of epoch {expected} carries epoch {found}")]
    WrongEpoch {
        /// The leader's epoch.
        expected: i32,
        found: i32,
    },
    /// An epoch, or the offset at which it begins, is below 0 (4.4:storage/…/LeaderEpochFileCache.java, `assign`).
    #[error(
        "epoch {epoch} cannot begin at offset {start_offset}: expected an epoch and an offset of 0 or more; after the \
         greatest epoch, 2147483647, comes -2147483648"
    )]
    InvalidEpochEntry {
        epoch: i32,
        /// Offset of its first record.
        start_offset: i64,
    },
    /// The batches are larger than a segment may be.
    #[error("the batches take {size} bytes, more than the {segment_bytes} bytes of a segment")]
    TooLarge {
        /// Bytes of all batches.
        size: u64,
        segment_bytes: u64,
    },
}

/// An offset that the log does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("offset {offset} is outside the log, which holds {start_offset} up to {end_offset}")]
pub struct OffsetOutOfRange {
    /// The offset asked for.
    pub offset: i64,
    /// Log start offset.
    pub start_offset: i64,
    /// Log end offset, the last one that may be asked for.
    pub end_offset: i64,
}

/// A log that holds no epoch, beside a checkpoint that is not where it starts and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the log holds no epoch, and its latest checkpoint {snapshot} is not where it starts ({start_offset}) and ends ({end_offset})"
)]
pub struct NoLastEpoch {
    /// The latest checkpoint.
    pub snapshot: OffsetAndEpoch,
    /// Log start offset.
    pub start_offset: i64,
    /// Log end offset.
    pub end_offset: i64,
}

/// Why the log is not truncated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TruncateError {
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// What would go is committed.
    #[error(
        "attempt to truncate to offset {offset}, which is below the high watermark {high_watermark}"
    )]
    BelowHighWatermark {
        /// The offset asked for.
        offset: i64,
        high_watermark: i64,
    },
}

/// Why a checkpoint may not be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// It would hold what is not committed.
    #[error("cannot create a checkpoint {id} beyond the high watermark {high_watermark}")]
    BeyondHighWatermark {
        /// The id asked for.
        id: OffsetAndEpoch,
        high_watermark: i64,
    },
    /// The log does not know the id.
    #[error("checkpoint id {id} is not valid according to the log, which ends that epoch at {end}")]
    NotInLog {
        /// The id asked for.
        id: OffsetAndEpoch,
        /// What the log has instead.
        end: OffsetAndEpoch,
    },
    /// The log cannot say what it has.
    #[error(transparent)]
    NoLastEpoch(#[from] NoLastEpoch),
}
