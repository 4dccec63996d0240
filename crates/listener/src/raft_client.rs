use determinism::Time;
use records::metadata::VersionedRecord;
use records::{NodeId, OffsetAndEpoch};

use crate::{LeaderAndEpoch, ListenerId};

/// What a listener may ask of its replica, synchronously, in the middle of handling an event.
///
/// Source: `4.4:raft/…/RaftClient.java`. Implemented by `raft::Replica`; tests of a controller implement it themselves.
pub trait RaftClient {
    /// The local node.
    fn node_id(&self) -> NodeId;

    /// Who leads now. May be ahead of what the listener was told.
    fn leader_and_epoch(&self) -> LeaderAndEpoch;

    /// Puts records of one append into the open batch and returns the offset of the last of them. They are held back
    /// until [`RaftClient::schedule_prepared_append`]; one call is never split over two batches.
    fn prepare_append(
        &mut self,
        now: Time,
        epoch: i32,
        records: &[VersionedRecord],
    ) -> Result<i64, AppendError>;

    /// Lets go what was prepared. It is written once the linger time has passed or the batch is full.
    fn schedule_prepared_append(&mut self, now: Time) -> Result<(), AppendError>;

    /// Gives up leadership of `epoch`; nothing where that epoch is over already.
    fn resign(&mut self, epoch: i32) -> Result<(), ResignError>;

    /// End of the local log.
    fn log_end_offset(&self) -> i64;

    /// The high watermark as known here.
    fn high_watermark(&self) -> Option<i64>;

    /// The newest checkpoint of the local log.
    fn latest_snapshot_id(&self) -> Option<OffsetAndEpoch>;

    /// The kraft.version in force, counting an upgrade that was accepted and is not committed.
    fn kraft_version(&self) -> i16;

    /// Raises kraft.version (4.1+).
    fn upgrade_kraft_version(
        &mut self,
        now: Time,
        epoch: i32,
        version: i16,
        mode: UpgradeMode,
    ) -> Result<(), UpgradeError>;

    /// Ids of the voters in force, ascending.
    fn voter_ids(&self) -> Vec<NodeId>;

    /// The listener is done with an [`crate::Event::Commit`]; `next_offset` is one more than the last offset it read.
    /// Only then does it hear of more.
    fn close_reader(&mut self, listener: ListenerId, next_offset: i64);
}

/// Whether an upgrade is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpgradeMode {
    /// Check and write.
    Apply,
    ValidateOnly,
}

/// Why an append was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// `NotLeaderException`: not the leader, or not any more in that epoch.
    #[error("append failed: this replica does not lead epoch {epoch}")]
    NotLeader {
        /// The epoch asked for.
        epoch: i32,
    },
    /// An epoch that has not begun.
    #[error("append to epoch {epoch}, which is after the current epoch {current}")]
    FutureEpoch {
        /// The epoch asked for.
        epoch: i32,
        /// The epoch this replica leads.
        current: i32,
    },
    /// An append of nothing.
    #[error("append without records")]
    NoRecords,
    /// Too many full batches wait to be written.
    #[error("{waiting} batches wait to be written already, which is the limit")]
    TooManyBatches {
        /// Batches that wait to be appended.
        waiting: usize,
    },
    /// `RecordBatchTooLargeException`.
    #[error("the records need {bytes} bytes, more than the largest batch of {max_bytes} bytes")]
    BatchTooLarge {
        /// Bytes of a batch with just these records.
        bytes: u64,
        max_bytes: u64,
    },
    /// A record holds a string or a list that is too long.
    #[error("record {index} cannot be written: {reason}")]
    TooLong {
        /// Position in the list.
        index: usize,
        /// Which field, and how long.
        reason: String,
    },
    /// A record cannot be written in its version.
    #[error("record {index} cannot be written: {reason}")]
    Unwritable {
        /// Position in the list.
        index: usize,
        reason: String,
    },
}

/// Why a resignation was refused. Both are bugs of the caller (`IllegalArgumentException` in Kafka).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResignError {
    /// An epoch that has not begun, or a negative one.
    #[error("resignation from epoch {epoch}, the current epoch is {current}")]
    WrongEpoch {
        /// The epoch asked for.
        epoch: i32,
        current: i32,
    },
    /// Somebody else leads.
    #[error("resignation from epoch {epoch}, which this replica does not lead")]
    NotLeader {
        /// The epoch asked for.
        epoch: i32,
    },
}

/// Why kraft.version stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpgradeError {
    /// The release cannot do it.
    #[error("this release cannot change kraft.version of a running cluster")]
    Unsupported,
    /// Not the leader of that epoch.
    #[error("kraft.version stays: this replica does not lead epoch {epoch}")]
    NotLeader {
        /// The epoch asked for.
        epoch: i32,
    },
    /// An epoch that has not begun.
    #[error("kraft.version stays: epoch {epoch} is after the current epoch {current}")]
    FutureEpoch {
        /// The epoch asked for.
        epoch: i32,
        current: i32,
    },
    /// `IllegalStateException`: what the leader knows of the voters is not what its log says.
    #[error(
        "kraft.version stays at {from}, {to} was asked for, and an assumption is broken: {reason}"
    )]
    IllegalState {
        /// The level in force.
        from: i16,
        /// The level that was asked for.
        to: i16,
        reason: String,
    },
    #[error("kraft.version stays at {from}, {to} was asked for: {reason}")]
    Invalid {
        /// The level in force.
        from: i16,
        /// The level that was asked for.
        to: i16,
        reason: String,
    },
}
