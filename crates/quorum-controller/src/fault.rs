//! How the controller's thread fails.

use records::OffsetAndEpoch;

use crate::activation::ActivationRefusal;
use crate::bootstrap::BootstrapRefusal;
use crate::offset_control::OffsetError;
use crate::replay_error::ReplayError;

/// A fault that ends the process.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FatalFault {
    /// Activation does not know what to write.
    #[error("cannot complete the activation of the controller: {0}")]
    Activation(#[from] ActivationRefusal),
    /// A record the active controller made up itself.
    #[error(
        "cannot apply {record} at offset {offset} on the active controller, in the batch at offset {base_offset}: {reason}"
    )]
    OwnRecord {
        /// The type of the record.
        record: &'static str,
        offset: i64,
        /// The first offset of its append.
        base_offset: i64,
        /// What is wrong with it.
        reason: ReplayError,
    },
    /// A committed record on a standby.
    #[error(
        "cannot apply {record} at offset {offset} on the standby controller, in the batch at offset {base_offset}: {reason}"
    )]
    CommittedRecord {
        /// The type of the record.
        record: &'static str,
        offset: i64,
        /// The base offset of its batch.
        base_offset: i64,
        /// What is wrong with it.
        reason: ReplayError,
    },
    /// A record of a snapshot.
    #[error(
        "cannot apply {record} of snapshot {snapshot}, record {index} of {count} in the batch at {base_offset}: {reason}"
    )]
    SnapshotRecord {
        /// The type of the record.
        record: &'static str,
        snapshot: OffsetAndEpoch,
        /// Its place in the batch, from 1.
        index: usize,
        /// How many records the batch holds.
        count: usize,
        /// The base offset of the batch.
        base_offset: i64,
        /// What is wrong with it.
        reason: ReplayError,
    },
    /// A checkpoint cannot be read or used.
    #[error("cannot load checkpoint {snapshot}: {reason}")]
    Checkpoint {
        snapshot: OffsetAndEpoch,
        /// What is wrong with it.
        reason: CheckpointError,
    },
    /// A checkpoint arrived while active.
    #[error(
        "asked to load checkpoint {snapshot} while this is the active controller, at epoch {epoch}"
    )]
    CheckpointWhileActive {
        snapshot: OffsetAndEpoch,
        /// The epoch that the controller has claimed.
        epoch: i32,
    },
    /// Claiming leadership failed.
    #[error("cannot claim leadership: {0}")]
    Claim(OffsetError),
    /// Renouncing leadership failed.
    #[error("cannot renounce leadership: {0}")]
    Renounce(String),
}

/// What is wrong with a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// Its bytes are damaged.
    #[error("{0}")]
    Unreadable(String),
    /// Its bootstrap records.
    #[error(transparent)]
    Bootstrap(#[from] BootstrapRefusal),
    /// The order of events around it.
    #[error(transparent)]
    Offsets(#[from] OffsetError),
}

/// A fault that is counted; some make the controller renounce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedFault {
    /// What was running.
    pub event: String,
    /// What went wrong.
    pub text: String,
}
