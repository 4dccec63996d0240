//! The metadata log of one replica, as it stands on a disk: segments, epochs, checkpoints.
//!
//! [`MetadataLog`] does what Kafka's metadata log does over its log layer (3.9:core/…/KafkaMetadataLog.scala,
//! 4.4:raft/…/KafkaRaftLog.java): recovery at open, append, roll, read, truncate, checkpoints and cleaning. A file is
//! read once, at open; from then on every batch is in memory, its bytes shared with every reader.
//!
//! Not modelled: index files. The log needs none, because every batch's place is known; those that Kafka left are
//! ignored, or removed with their segment, and Kafka rebuilds them at its next start.

mod append;
mod config;
mod deletion;
mod error;
mod leftovers;
mod open;
mod producer_snapshot;
mod read;
mod recovery;
mod segment;
mod snapshots;
mod truncate;

use std::collections::BTreeSet;
use std::sync::Arc;

use disk::{Disk, DiskError, path};
use records::OffsetAndEpoch;

use crate::file::{Leftover, replace};
use crate::leader_epochs::{self, Changed, LeaderEpochs};

pub use config::{LogConfig, MissingSnapshot};
pub use error::{
    LogAppendError, NoLastEpoch, OffsetOutOfRange, OpenError, SnapshotError, TruncateError,
};
pub use read::{LogPosition, ValidOffsetAndEpoch, Validity};
pub use recovery::RecoveryStep;
pub use segment::{Segment, is_segment_file, offset_in_name, segment_file_name};
pub use snapshots::IsNeeded;
pub use truncate::Truncated;

use deletion::Deletions;

/// Name of the partition's directory inside the metadata log directory.
pub const METADATA_LOG_DIR_NAME: &str = "__cluster_metadata-0";

/// The metadata log of one replica. A clone shares all bytes and goes on by itself.
#[derive(Clone, Debug)]
pub struct MetadataLog {
    dir: String,
    config: LogConfig,
    segments: Vec<Arc<Segment>>,
    start_offset: i64,
    end_offset: i64,
    high_watermark: i64,
    recovery_point: i64,
    epochs: LeaderEpochs,
    snapshots: BTreeSet<OffsetAndEpoch>,
    deletions: Deletions,
    recovery: Vec<RecoveryStep>,
}

impl MetadataLog {
    /// The partition's directory.
    pub fn dir(&self) -> &str {
        &self.dir
    }

    pub fn config(&self) -> &LogConfig {
        &self.config
    }

    /// Offset of the first record that may be read.
    pub fn start_offset(&self) -> i64 {
        self.start_offset
    }

    /// Offset that the next record gets (log end offset).
    pub fn end_offset(&self) -> i64 {
        self.end_offset
    }

    /// The high watermark that raft told the log; the start offset after opening, since it is not kept on disk.
    pub fn high_watermark(&self) -> i64 {
        self.high_watermark
    }

    /// Size of all segments in bytes.
    pub fn size(&self) -> u64 {
        self.segments.iter().map(|segment| segment.size()).sum()
    }

    /// The segments in order; the last one is written to.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &Segment> {
        self.segments.iter().map(|segment| &**segment)
    }

    /// Every batch in order.
    pub fn batches(&self) -> impl DoubleEndedIterator<Item = &crate::batch::Batch> {
        self.segments.iter().flat_map(|segment| segment.batches())
    }

    /// The epochs and where they begin.
    pub fn epochs(&self) -> &LeaderEpochs {
        &self.epochs
    }

    /// What opening the log removed and repaired, in order.
    pub fn recovery(&self) -> &[RecoveryStep] {
        &self.recovery
    }

    /// Tells the log what is committed. The mark stays between start and end of the log.
    pub fn update_high_watermark(&mut self, offset: i64) {
        self.high_watermark = offset.clamp(self.start_offset, self.end_offset);
    }

    /// When [`MetadataLog::run_deletions`] has something to do.
    pub fn next_deletion_ms(&self) -> Option<i64> {
        self.deletions.next_ms()
    }

    /// Removes the files whose time under a `.deleted` name is over.
    pub fn run_deletions(&mut self, disk: &mut dyn Disk, now_ms: i64) -> Result<(), DiskError> {
        self.deletions.run(disk, now_ms)
    }

    fn path(&self, name: &str) -> String {
        path::join(&self.dir, name)
    }

    fn active(&mut self) -> &mut Segment {
        let last = self
            .segments
            .last_mut()
            .expect("a log has at least one segment");
        Arc::make_mut(last)
    }

    fn set_end_offset(&mut self, end_offset: i64) {
        self.end_offset = end_offset;
        self.recovery_point = self.recovery_point.min(end_offset);
        self.high_watermark = self.high_watermark.min(end_offset);
    }

    /// Writes `leader-epoch-checkpoint` where the entries changed.
    fn write_epochs(&self, disk: &mut dyn Disk, changed: Changed) -> Result<(), DiskError> {
        match changed {
            Changed::No => Ok(()),
            Changed::Yes => {
                let content = leader_epochs::to_bytes(self.epochs.entries());
                let file = self.path(leader_epochs::FILE_NAME);
                replace(disk, &file, &content, Leftover::Stays)
            }
        }
    }

    /// Takes a segment out of use: its files are renamed now and removed later.
    fn delete_segment_files(
        &mut self,
        disk: &mut dyn Disk,
        base_offset: i64,
        now_ms: i64,
    ) -> Result<(), DiskError> {
        let due_ms = now_ms.saturating_add(self.config.file_delete_delay_ms);
        for suffix in [".log", ".index", ".timeindex", ".txnindex", ".snapshot"] {
            let name = format!("{base_offset:020}{suffix}");
            let deleted = format!("{name}{}", deletion::DELETED_SUFFIX);
            self.deletions
                .mark_if_exists(disk, &self.dir, (&name, &deleted), due_ms)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
