//! What opening a log repaired.

use std::fmt;

use records::OffsetAndEpoch;

use crate::Corrupt;

/// One thing that opening a log removed or repaired, as Kafka does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecoveryStep {
    /// The segment ends in bytes that are no whole, valid batch: they were cut off.
    TruncatedSegment {
        /// Name of the file.
        name: String,
        /// Bytes that stay.
        valid_bytes: u64,
        /// Bytes that went.
        lost_bytes: u64,
        /// What was wrong.
        cause: Corrupt,
    },
    /// The segment follows one that was cut, so it went as a whole.
    DroppedSegment {
        /// Name of the file.
        name: String,
        /// Its size in bytes.
        size: u64,
    },
    /// A leftover of an interrupted deletion or write, or an index without its segment.
    RemovedFile {
        /// Name of the file.
        name: String,
    },
    /// A file that was to replace the segments at its offsets, and now does.
    CompletedSwap {
        /// Name of the file without `.swap`.
        name: String,
    },
    /// A checkpoint that was never finished, was being deleted, or ends before the log starts.
    RemovedSnapshot {
        /// Name of the file.
        name: String,
    },
    /// The latest checkpoint is ahead of the log, which was given up and restarts there.
    RestartedAtSnapshot { id: OffsetAndEpoch },
}

impl fmt::Display for RecoveryStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecoveryStep::TruncatedSegment {
                name,
                valid_bytes,
                lost_bytes,
                cause,
            } => write!(
                f,
                "{name}: cut to {valid_bytes} bytes, {lost_bytes} bytes lost: {cause}"
            ),
            RecoveryStep::DroppedSegment { name, size } => {
                write!(
                    f,
                    "{name}: dropped with {size} bytes, because the segment before it was cut"
                )
            }
            RecoveryStep::RemovedFile { name } => write!(f, "{name}: removed"),
            RecoveryStep::CompletedSwap { name } => {
                write!(
                    f,
                    "{name}: replaced by {name}.swap, as an interrupted swap left it"
                )
            }
            RecoveryStep::RemovedSnapshot { name } => write!(f, "{name}: checkpoint removed"),
            RecoveryStep::RestartedAtSnapshot { id } => {
                write!(
                    f,
                    "the log was given up and restarts at checkpoint {id}, which is ahead of it"
                )
            }
        }
    }
}
