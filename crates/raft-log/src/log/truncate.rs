//! Giving up the end of the log, or all of it.

use std::sync::Arc;

use disk::{Disk, DiskError};
use records::OffsetAndEpoch;

use super::segment::segment_file_name;
use super::{MetadataLog, Segment, TruncateError};

/// Whether the log was truncated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncated {
    /// It was, and restarts at the checkpoint.
    AtSnapshot(OffsetAndEpoch),
    /// The log holds what the checkpoint holds.
    No,
}

impl MetadataLog {
    /// Gives up the records from `offset` on. A batch that holds `offset` goes as a whole.
    pub fn truncate_to(
        &mut self,
        disk: &mut dyn Disk,
        offset: i64,
        now_ms: i64,
    ) -> Result<(), TruncateError> {
        if offset < self.high_watermark {
            let high_watermark = self.high_watermark;
            return Err(TruncateError::BelowHighWatermark {
                offset,
                high_watermark,
            });
        }
        if offset >= self.end_offset {
            // A leader that was voted out before it appended anything leaves an epoch without records.
            let changed = self.epochs.truncate_from_end(self.end_offset);
            return Ok(self.write_epochs(disk, changed)?);
        }
        if self.segments[0].base_offset() > offset {
            return Ok(self.truncate_fully_and_start_at(disk, offset, now_ms)?);
        }
        while let Some(last) = self.segments.last().map(|segment| segment.base_offset()) {
            if last <= offset {
                break;
            }
            self.segments.pop();
            self.delete_segment_files(disk, last, now_ms)?;
        }
        let active = self.active();
        let (before, name) = (active.size(), active.file_name());
        let size = active.truncate_to(offset, now_ms);
        if size < before {
            disk.truncate(&self.path(&name), size)?;
        }
        self.set_end_offset(offset);
        self.start_offset = self.start_offset.min(offset);
        let changed = self.epochs.truncate_from_end(offset);
        Ok(self.write_epochs(disk, changed)?)
    }

    /// Gives up the whole log if the latest checkpoint is ahead of it, and restarts it there; checkpoints before it go.
    pub fn truncate_fully_to_latest_snapshot(
        &mut self,
        disk: &mut dyn Disk,
        now_ms: i64,
    ) -> Result<Truncated, DiskError> {
        match self.snapshot_ahead() {
            None => Ok(Truncated::No),
            Some(id) => {
                self.restart_at(disk, id, now_ms)?;
                Ok(Truncated::AtSnapshot(id))
            }
        }
    }

    pub(super) fn restart_at(
        &mut self,
        disk: &mut dyn Disk,
        id: OffsetAndEpoch,
        now_ms: i64,
    ) -> Result<(), DiskError> {
        self.truncate_fully_and_start_at(disk, id.offset, now_ms)?;
        self.remove_snapshots_before(disk, id, now_ms)
    }

    fn truncate_fully_and_start_at(
        &mut self,
        disk: &mut dyn Disk,
        offset: i64,
        now_ms: i64,
    ) -> Result<(), DiskError> {
        let old: Vec<i64> = self
            .segments
            .iter()
            .map(|segment| segment.base_offset())
            .collect();
        // The new segment comes before the last old one goes, unless they share their name.
        for base_offset in &old[..old.len() - 1] {
            self.delete_segment_files(disk, *base_offset, now_ms)?;
        }
        let last = old[old.len() - 1];
        if last == offset {
            self.delete_segment_files(disk, last, now_ms)?;
        }
        disk.create(&self.path(&segment_file_name(offset)))?;
        if last != offset {
            self.delete_segment_files(disk, last, now_ms)?;
        }
        self.segments = vec![Arc::new(Segment::new(offset, now_ms))];
        (self.start_offset, self.end_offset, self.high_watermark) = (offset, offset, offset);
        self.recovery_point = self.recovery_point.min(offset);
        let changed = self.epochs.clear();
        self.write_epochs(disk, changed)
    }
}
