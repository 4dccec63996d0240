//! The log's checkpoints: making, reading, and cleaning up.

use disk::{Disk, DiskError, Operation};
use records::OffsetAndEpoch;

use super::{MetadataLog, MissingSnapshot, SnapshotError, Validity};
use crate::checkpoint::{Checkpoint, RawSnapshotWriter, deleted_file_name, snapshot_file_name};
use crate::{Corrupt, ReadError};

/// Whether the log can do with a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsNeeded {
    Yes,
    /// What it would hold is before the start of the log.
    No,
}

impl MetadataLog {
    /// Ids of the checkpoints, in ascending order.
    pub fn snapshot_ids(&self) -> impl DoubleEndedIterator<Item = OffsetAndEpoch> {
        self.snapshots.iter().copied()
    }

    /// Id of the latest checkpoint.
    pub fn latest_snapshot_id(&self) -> Option<OffsetAndEpoch> {
        self.snapshots.last().copied()
    }

    /// Id of the earliest checkpoint.
    pub fn earliest_snapshot_id(&self) -> Option<OffsetAndEpoch> {
        self.snapshots.first().copied()
    }

    /// Whether a checkpoint of what is committed can be made. `No` where it would end before the log starts.
    pub fn check_new_snapshot(&self, id: OffsetAndEpoch) -> Result<IsNeeded, SnapshotError> {
        if id.offset < self.start_offset {
            return Ok(IsNeeded::No);
        }
        if id.offset > self.high_watermark {
            let high_watermark = self.high_watermark;
            return Err(SnapshotError::BeyondHighWatermark { id, high_watermark });
        }
        let verdict = self.validate_offset_and_epoch(id.offset, id.epoch)?;
        if verdict.validity != Validity::Valid {
            return Err(SnapshotError::NotInLog {
                id,
                end: verdict.offset_and_epoch,
            });
        }
        Ok(IsNeeded::Yes)
    }

    /// Begins a checkpoint that was checked, or is fetched from the leader. `None` where it exists. `random` is the number
    /// in the name of its `.part` file.
    pub fn create_new_snapshot(
        &mut self,
        disk: &mut dyn Disk,
        id: OffsetAndEpoch,
        random: u64,
    ) -> Result<Option<RawSnapshotWriter>, DiskError> {
        if self.snapshots.contains(&id) {
            return Ok(None);
        }
        RawSnapshotWriter::create(disk, &self.dir, id, random).map(Some)
    }

    /// Notes that a checkpoint is frozen and stands under its name.
    pub fn on_snapshot_frozen(&mut self, id: OffsetAndEpoch) {
        self.snapshots.insert(id);
    }

    /// A checkpoint's file; `None` where there is none. One whose file is gone is forgotten.
    pub fn read_snapshot(
        &mut self,
        disk: &mut dyn Disk,
        id: OffsetAndEpoch,
    ) -> Result<Option<Checkpoint>, DiskError> {
        if !self.snapshots.contains(&id) {
            return Ok(None);
        }
        let path = self.path(&snapshot_file_name(id));
        match disk.read(&path) {
            Ok(bytes) => Ok(Some(Checkpoint::new(&path, id, bytes))),
            Err(error @ DiskError::NotFound { .. }) => self.missing(id, error).map(|()| None),
            Err(error) => Err(error),
        }
    }

    fn missing(&mut self, id: OffsetAndEpoch, error: DiskError) -> Result<(), DiskError> {
        match self.config.missing_snapshot {
            MissingSnapshot::Fails => Err(error),
            MissingSnapshot::Forgotten => {
                self.snapshots.remove(&id);
                Ok(())
            }
        }
    }

    /// The latest checkpoint's file.
    pub fn latest_snapshot(
        &mut self,
        disk: &mut dyn Disk,
    ) -> Result<Option<Checkpoint>, DiskError> {
        match self.latest_snapshot_id() {
            None => Ok(None),
            Some(id) => self.read_snapshot(disk, id),
        }
    }

    fn snapshot_size(
        &mut self,
        disk: &mut dyn Disk,
        id: OffsetAndEpoch,
    ) -> Result<Option<u64>, DiskError> {
        if !self.snapshots.contains(&id) {
            return Ok(None);
        }
        let path = self.path(&snapshot_file_name(id));
        let size = disk.size(&path)?;
        if size.is_none() {
            self.missing(
                id,
                DiskError::NotFound {
                    operation: Operation::Read,
                    path,
                },
            )?;
        }
        Ok(size)
    }

    /// Lets the log start at checkpoint `id`: earlier checkpoints and segments wholly below it go. Nothing happens where
    /// there is no such checkpoint, it is later than the latest, or the log starts there or later already. Says whether
    /// anything went.
    pub fn delete_before_snapshot(
        &mut self,
        disk: &mut dyn Disk,
        id: OffsetAndEpoch,
        now_ms: i64,
    ) -> Result<bool, DiskError> {
        let latest = self.latest_snapshot_id();
        let allowed = self.snapshots.contains(&id)
            && self.start_offset < id.offset
            && latest.is_some_and(|latest| id.offset <= latest.offset)
            && id.offset <= self.high_watermark;
        if !allowed {
            return Ok(false);
        }
        let segments = self.advance_log_start(disk, id.offset, now_ms)?;
        let before = self.snapshots.len();
        self.remove_snapshots_before(disk, id, now_ms)?;
        Ok(segments > 0 || self.snapshots.len() < before)
    }

    /// Raises the log start offset and removes the segments wholly below it; returns how many.
    pub fn advance_log_start(
        &mut self,
        disk: &mut dyn Disk,
        offset: i64,
        now_ms: i64,
    ) -> Result<usize, DiskError> {
        self.start_offset = self.start_offset.max(offset);
        self.high_watermark = self.high_watermark.max(self.start_offset);
        let changed = self.epochs.truncate_from_start(self.start_offset);
        self.write_epochs(disk, changed)?;
        let mut removed = 0;
        while self
            .segments
            .get(1)
            .is_some_and(|next| next.base_offset() <= self.start_offset)
        {
            let base_offset = self.segments.remove(0).base_offset();
            self.delete_segment_files(disk, base_offset, now_ms)?;
            removed += 1;
        }
        Ok(removed)
    }

    pub(super) fn remove_snapshots_before(
        &mut self,
        disk: &mut dyn Disk,
        id: OffsetAndEpoch,
        now_ms: i64,
    ) -> Result<(), DiskError> {
        let due_ms = now_ms.saturating_add(self.config.file_delete_delay_ms);
        let kept = self.snapshots.split_off(&id);
        let forgotten = std::mem::replace(&mut self.snapshots, kept);
        for id in forgotten {
            let names = (snapshot_file_name(id), deleted_file_name(id));
            // One that is missing is an error in every release (`Snapshots.markForDelete`).
            self.deletions
                .mark(disk, &self.dir, (&names.0, &names.1), due_ms)?;
        }
        Ok(())
    }

    /// Removes old checkpoints with the part of the log below them, the oldest first, while the limits of size or age
    /// are passed; the latest one always stays. Says whether anything went.
    pub fn maybe_clean(&mut self, disk: &mut dyn Disk, now_ms: i64) -> Result<bool, ReadError> {
        let by_size = self.clean_by_size(disk, now_ms)?;
        let by_age = self.clean_by_age(disk, now_ms)?;
        Ok(by_size || by_age)
    }

    fn clean_by_size(&mut self, disk: &mut dyn Disk, now_ms: i64) -> Result<bool, ReadError> {
        let Ok(limit) = u64::try_from(self.config.retention_bytes) else {
            return Ok(false);
        };
        let ids: Vec<OffsetAndEpoch> = self.snapshots.iter().copied().collect();
        let mut sizes = Vec::new();
        for id in &ids {
            sizes.push(self.snapshot_size(disk, *id)?.unwrap_or(0));
        }
        let mut total: u64 = sizes.iter().sum();
        let mut cleaned = false;
        for (pair, size) in ids.windows(2).zip(&sizes) {
            if self.size() + total <= limit {
                break;
            }
            total -= size;
            if !self.delete_before_snapshot(disk, pair[1], now_ms)? {
                break;
            }
            cleaned = true;
        }
        Ok(cleaned)
    }

    fn clean_by_age(&mut self, disk: &mut dyn Disk, now_ms: i64) -> Result<bool, ReadError> {
        if self.config.retention_ms < 0 {
            return Ok(false);
        }
        let ids: Vec<OffsetAndEpoch> = self.snapshots.iter().copied().collect();
        let mut cleaned = false;
        for pair in ids.windows(2) {
            let Some(snapshot) = self.read_snapshot(disk, pair[0])? else {
                break;
            };
            let header = snapshot.header()?.ok_or_else(|| {
                let size = snapshot.size();
                Corrupt::torn(
                    snapshot.name(),
                    size,
                    "a SnapshotHeader",
                    "the end of the file",
                )
            })?;
            let age_ms = now_ms.saturating_sub(header.last_contained_log_timestamp);
            if age_ms <= self.config.retention_ms
                || !self.delete_before_snapshot(disk, pair[1], now_ms)?
            {
                break;
            }
            cleaned = true;
        }
        Ok(cleaned)
    }
}
