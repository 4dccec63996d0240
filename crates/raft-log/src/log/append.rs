//! Writing to the end of the log.

use std::sync::Arc;

use disk::{Disk, DiskError};

use super::segment::segment_file_name;
use super::{LogAppendError, MetadataLog, Segment, producer_snapshot};
use crate::batch::Batch;
use crate::leader_epochs::Changed;

impl MetadataLog {
    /// Appends batches of this replica as leader of `epoch`; they carry its epoch and go on at the log's end.
    pub fn append_as_leader(
        &mut self,
        disk: &mut dyn Disk,
        batches: &[Batch],
        epoch: i32,
        now_ms: i64,
    ) -> Result<(), LogAppendError> {
        let mut next = self.end_offset;
        for batch in batches {
            let (found, base_offset) = (batch.leader_epoch(), batch.base_offset());
            if found != epoch {
                return Err(LogAppendError::WrongEpoch {
                    expected: epoch,
                    found,
                });
            }
            if base_offset != next {
                return Err(LogAppendError::UnexpectedOffset {
                    expected: next,
                    found: base_offset,
                });
            }
            next = batch.next_offset();
        }
        self.append(disk, batches, now_ms)
    }

    /// Appends batches that were fetched from the leader of `epoch`. A batch of a later epoch and those after it are
    /// left out: the leader lost its place while it answered (KAFKA-18723).
    pub fn append_as_follower(
        &mut self,
        disk: &mut dyn Disk,
        batches: &[Batch],
        epoch: i32,
        now_ms: i64,
    ) -> Result<(), LogAppendError> {
        let known = batches
            .iter()
            .take_while(|batch| batch.leader_epoch() <= epoch)
            .count();
        let mut next = self.end_offset;
        for batch in &batches[..known] {
            let found = batch.base_offset();
            // A gap is the leader's to explain; going back is not possible.
            if found < next || batch.last_offset() < found {
                return Err(LogAppendError::UnexpectedOffset {
                    expected: next,
                    found,
                });
            }
            next = batch.next_offset();
        }
        self.append(disk, &batches[..known], now_ms)
    }

    fn append(
        &mut self,
        disk: &mut dyn Disk,
        batches: &[Batch],
        now_ms: i64,
    ) -> Result<(), LogAppendError> {
        let (Some(first), Some(last)) = (batches.first(), batches.last()) else {
            return Err(LogAppendError::Empty);
        };
        let mut epochs = Changed::No;
        for batch in batches {
            let changed = self.assign_epoch(batch.leader_epoch(), batch.base_offset())?;
            if changed == Changed::Yes {
                epochs = Changed::Yes;
            }
        }
        self.write_epochs(disk, epochs)?;
        let size: u64 = batches.iter().map(|batch| batch.size() as u64).sum();
        let segment_bytes = self.config.segment_bytes;
        if size > segment_bytes {
            return Err(LogAppendError::TooLarge {
                size,
                segment_bytes,
            });
        }
        let timestamp = batches.iter().map(Batch::max_timestamp).max().unwrap_or(-1);
        if self.should_roll(size, timestamp, last.last_offset(), now_ms) {
            self.roll(disk, first.base_offset(), now_ms)?;
        }
        let name = self.active().file_name();
        let path = self.path(&name);
        for batch in batches {
            disk.append(&path, batch.bytes())?;
            self.active().push(batch.clone());
            self.end_offset = batch.next_offset();
        }
        Ok(())
    }

    fn should_roll(&mut self, size: u64, timestamp_ms: i64, last_offset: i64, now_ms: i64) -> bool {
        let (segment_bytes, segment_ms) = (self.config.segment_bytes, self.config.segment_ms);
        let active = self.active();
        let too_large = active.size() + size > segment_bytes;
        let too_old = active.size() > 0 && active.waited_ms(now_ms, timestamp_ms) > segment_ms;
        too_large || too_old || !active.can_hold(last_offset)
    }

    /// Begins a new segment. Kafka makes the old one durable in the background; here the next flush does.
    pub(super) fn roll(
        &mut self,
        disk: &mut dyn Disk,
        offset: i64,
        now_ms: i64,
    ) -> Result<(), DiskError> {
        let base_offset = offset.max(self.end_offset);
        disk.create(&self.path(&segment_file_name(base_offset)))?;
        self.segments
            .push(Arc::new(Segment::new(base_offset, now_ms)));
        producer_snapshot::write(disk, &self.dir, base_offset)
    }

    /// Notes that `epoch`, of which this replica is the leader, begins at the log's end.
    pub fn initialize_leader_epoch(
        &mut self,
        disk: &mut dyn Disk,
        epoch: i32,
    ) -> Result<(), LogAppendError> {
        let changed = self.assign_epoch(epoch, self.end_offset)?;
        Ok(self.write_epochs(disk, changed)?)
    }

    fn assign_epoch(&mut self, epoch: i32, start_offset: i64) -> Result<Changed, LogAppendError> {
        if epoch < 0 || start_offset < 0 {
            return Err(LogAppendError::InvalidEpochEntry {
                epoch,
                start_offset,
            });
        }
        Ok(self.epochs.assign(epoch, start_offset))
    }

    /// Makes everything in the log durable. Cheap where nothing was written since the last time.
    pub fn flush(&mut self, disk: &mut dyn Disk) -> Result<(), DiskError> {
        if self.end_offset <= self.recovery_point {
            return Ok(());
        }
        let first = self
            .segments
            .partition_point(|segment| segment.base_offset() <= self.recovery_point)
            .saturating_sub(1);
        let unflushed = &self.segments[first..];
        let new = unflushed
            .iter()
            .any(|segment| segment.base_offset() >= self.recovery_point);
        for segment in unflushed {
            disk.sync(&self.path(&segment.file_name()))?;
        }
        if new {
            disk.sync_dir(&self.dir)?;
        }
        self.recovery_point = self.end_offset;
        Ok(())
    }

    /// Closes the log as a clean stop does. What is not durable yet stays so; flush first.
    pub fn close(&mut self, disk: &mut dyn Disk) -> Result<(), DiskError> {
        let name = producer_snapshot::file_name(self.end_offset);
        if self.end_offset > self.start_offset && disk.size(&self.path(&name))?.is_none() {
            producer_snapshot::write(disk, &self.dir, self.end_offset)?;
            disk.sync(&self.path(&name))?;
        }
        Ok(())
    }
}
