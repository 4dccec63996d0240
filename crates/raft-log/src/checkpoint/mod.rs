//! Checkpoints (snapshots): the state of the log up to an offset, written out as one file.
//!
//! [`Checkpoint`] reads one as Kafka's snapshot reader does; [`CheckpointWriter`] makes the batches of one;
//! [`RawSnapshotWriter`] puts bytes under the names and through the steps that a checkpoint file goes through.

mod name;
mod raw_writer;
mod reader;
mod writer;

pub(crate) use name::deleted_file_name;
pub use name::{NameError, SnapshotName, SnapshotState, parse_name, snapshot_file_name};
pub use raw_writer::{FrozenSnapshot, RawSnapshotWriter, SnapshotWriter, SnapshotWriterError};
pub use reader::{Checkpoint, CheckpointBatches};
pub use writer::{BufferStep, CheckpointWriter, KRaftRecords, WriteError};

use records::OffsetAndEpoch;

/// Id of the zero checkpoint, which formatting writes.
pub const BOOTSTRAP_SNAPSHOT_ID: OffsetAndEpoch = OffsetAndEpoch {
    offset: 0,
    epoch: 0,
};

#[cfg(test)]
mod tests;
