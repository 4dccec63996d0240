use std::sync::Arc;

use bytes::Bytes;
use raft_log::batch::Batch;
use records::OffsetAndEpoch;

use crate::LeaderAndEpoch;

/// One registered listener of a replica. A controller registers two: its metadata loader and its quorum controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListenerId(pub usize);

/// One callback of Kafka's `RaftClient.Listener`, in the order in which a listener is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// `handleLoadSnapshot`: forget what you know and start from this checkpoint.
    LoadSnapshot(SnapshotReader),
    /// `handleLoadBootstrap` (4.3+): the zero checkpoint, whose records are not committed.
    LoadBootstrap(SnapshotReader),
    /// `handleCommit`: these batches are committed. Answer with [`crate::RaftClient::close_reader`].
    Commit(CommittedBatches),
    /// `handleLeaderChange`.
    LeaderChange(LeaderAndEpoch),
    /// `beginShutdown`: nothing more will be told.
    BeginShutdown,
}

/// A checkpoint as it is handed to a listener: unread. What is wrong inside it surfaces where it is read, at the
/// listener, as in Kafka.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotReader {
    /// Exclusive end offset and epoch, which also name the file.
    pub snapshot_id: OffsetAndEpoch,
    /// The file's name, for errors.
    pub file: Arc<str>,
    /// The file's content, shared.
    pub bytes: Bytes,
}

impl SnapshotReader {
    /// Offset of the last record whose effect the checkpoint holds; −1 for the zero checkpoint.
    pub fn last_contained_log_offset(&self) -> i64 {
        self.snapshot_id.offset - 1
    }
}

/// Committed batches without gaps, control batches included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommittedBatches {
    /// The offset the listener was at. The first batch may begin earlier, never later.
    pub base_offset: i64,
    /// In offset order; at least one.
    pub batches: Vec<Batch>,
    /// Where they were taken from.
    pub source: CommitSource,
}

/// Where committed batches are taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitSource {
    /// The leader's own memory: raft knows at once where they end, and goes on from there.
    Memory,
    /// The log on disk: raft goes on once the listener has read to the end.
    Log,
}

impl CommittedBatches {
    /// Offset of the last record.
    pub fn last_offset(&self) -> i64 {
        self.batches
            .last()
            .map_or(self.base_offset, Batch::last_offset)
    }

    /// What to pass to [`crate::RaftClient::close_reader`] once all of it is handled.
    pub fn next_offset(&self) -> i64 {
        self.last_offset() + 1
    }
}
