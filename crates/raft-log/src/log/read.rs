//! Looking into the log.

use bytes::Bytes;
use records::OffsetAndEpoch;

use super::{MetadataLog, NoLastEpoch, OffsetOutOfRange};
use crate::batch::Batch;

/// What a place in another replica's log is to this log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidOffsetAndEpoch {
    pub validity: Validity,
    /// The place itself, or where the logs part, or the checkpoint to fetch.
    pub offset_and_epoch: OffsetAndEpoch,
}

/// The verdict on a place in another replica's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validity {
    /// The logs agree up to there.
    Valid,
    /// They part before it.
    Diverging,
    /// The log no longer reaches back so far.
    Snapshot,
}

/// Where an offset lies in the files: Kafka's `SegmentPosition`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LogPosition {
    /// Base offset of the segment.
    pub segment: i64,
    /// Byte in its file.
    pub byte: u64,
}

impl MetadataLog {
    /// Where the batch with an offset lies; at the end of the log, where the next one would go if no new segment began.
    pub fn position(&self, offset: i64) -> LogPosition {
        let end = || {
            let last = self.segments.last();
            last.map_or_else(LogPosition::default, |segment| LogPosition {
                segment: segment.base_offset(),
                byte: segment.size(),
            })
        };
        if offset >= self.end_offset {
            return end();
        }
        let first = self
            .segments
            .partition_point(|segment| segment.base_offset() <= offset)
            .saturating_sub(1);
        let mut found = self.segments[first..].iter().flat_map(|segment| {
            let batches = segment.batches_from(offset);
            batches.map(|(byte, _)| LogPosition {
                segment: segment.base_offset(),
                byte,
            })
        });
        found.next().unwrap_or_else(end)
    }

    /// Batches from the one that holds `from_offset` on: as many as fit `max_bytes`, at least one, none from a second
    /// segment. Empty at the end of the log.
    pub fn read(&self, from_offset: i64, max_bytes: u64) -> Result<Vec<Batch>, OffsetOutOfRange> {
        self.read_up_to(from_offset, max_bytes, self.end_offset)
    }

    /// As [`MetadataLog::read`], with what of the next batch in the segment still fits: a reader of the file does not look
    /// where batches end.
    pub fn read_bytes(
        &self,
        from_offset: i64,
        max_bytes: u64,
    ) -> Result<(Vec<Batch>, Bytes), OffsetOutOfRange> {
        let batches = self.read(from_offset, max_bytes)?;
        let size: u64 = batches.iter().map(|batch| batch.size() as u64).sum();
        let room = max_bytes.saturating_sub(size);
        let next_offset = batches.last().map(|batch| batch.last_offset() + 1);
        let same_segment = self.segments.iter().rev().find(|segment| {
            let first = batches.first().map(Batch::base_offset);
            first.is_some_and(|first| segment.base_offset() <= first)
        });
        let next = same_segment
            .zip(next_offset.filter(|_| room > 0))
            .and_then(|(segment, offset)| segment.batches_from(offset).next());
        let cut = next.map_or_else(Bytes::new, |(_, batch)| {
            let bytes = batch.bytes();
            let fits = usize::try_from(room).map_or(bytes.len(), |room| room.min(bytes.len()));
            bytes.slice(..fits)
        });
        Ok((batches, cut))
    }

    /// As [`MetadataLog::read`], only committed batches.
    pub fn read_committed(
        &self,
        from_offset: i64,
        max_bytes: u64,
    ) -> Result<Vec<Batch>, OffsetOutOfRange> {
        self.read_up_to(from_offset, max_bytes, self.high_watermark)
    }

    fn read_up_to(
        &self,
        from_offset: i64,
        max_bytes: u64,
        end_offset: i64,
    ) -> Result<Vec<Batch>, OffsetOutOfRange> {
        if from_offset < self.start_offset || from_offset > self.end_offset {
            return Err(OffsetOutOfRange {
                offset: from_offset,
                start_offset: self.start_offset,
                end_offset: self.end_offset,
            });
        }
        let first = self
            .segments
            .partition_point(|segment| segment.base_offset() <= from_offset)
            .saturating_sub(1);
        let mut batches: Vec<Batch> = Vec::new();
        for segment in &self.segments[first..] {
            let mut size = 0;
            for (_, batch) in segment.batches_from(from_offset) {
                size += batch.size() as u64;
                let too_much = size > max_bytes && !batches.is_empty();
                if too_much || batch.base_offset() >= end_offset {
                    return Ok(batches);
                }
                batches.push(batch.clone());
            }
            if !batches.is_empty() {
                break;
            }
        }
        Ok(batches)
    }

    /// The epoch of the last record; of the latest checkpoint where the log holds no record; else 0.
    ///
    /// # Errors
    ///
    /// A log without records that was truncated to before its latest checkpoint, and does not begin there anew
    /// (`lastFetchedEpoch` in 4.4:raft/…/internals/KafkaRaftLog.java).
    pub fn last_epoch(&self) -> Result<i32, NoLastEpoch> {
        let (start_offset, end_offset) = (self.start_offset, self.end_offset);
        match (self.epochs.latest(), self.latest_snapshot_id()) {
            (Some(latest), _) => Ok(latest.epoch),
            (None, None) => Ok(0),
            (None, Some(id)) if id.offset == start_offset && id.offset == end_offset => {
                Ok(id.epoch)
            }
            (None, Some(snapshot)) => Err(NoLastEpoch {
                snapshot,
                start_offset,
                end_offset,
            }),
        }
    }

    /// Where the log ends: end offset and epoch of the last record.
    pub fn end(&self) -> Result<OffsetAndEpoch, NoLastEpoch> {
        Ok(OffsetAndEpoch {
            offset: self.end_offset,
            epoch: self.last_epoch()?,
        })
    }

    /// The largest epoch up to `epoch`, and where it ends. An epoch that ended before the log starts is that of the
    /// earliest checkpoint.
    pub fn end_offset_for_epoch(&self, epoch: i32) -> Result<OffsetAndEpoch, NoLastEpoch> {
        Ok(
            match (
                self.epochs.end_offset_for(epoch, self.end_offset),
                self.earliest_snapshot_id(),
            ) {
                (Some(end), Some(id)) if end.end_offset == id.offset && end.epoch == epoch => id,
                (Some(end), _) => OffsetAndEpoch {
                    offset: end.end_offset,
                    epoch: end.epoch,
                },
                (None, _) => self.end()?,
            },
        )
    }

    /// What `offset` after a record of `epoch`, the end of another replica's log, is to this log
    /// (4.4:raft/…/RaftLog.java, `validateOffsetAndEpoch`).
    pub fn validate_offset_and_epoch(
        &self,
        offset: i64,
        epoch: i32,
    ) -> Result<ValidOffsetAndEpoch, NoLastEpoch> {
        let verdict = |validity, offset_and_epoch| {
            Ok(ValidOffsetAndEpoch {
                validity,
                offset_and_epoch,
            })
        };
        if self.start_offset == 0 && offset == 0 {
            return verdict(
                Validity::Valid,
                OffsetAndEpoch {
                    offset: 0,
                    epoch: 0,
                },
            );
        }
        if let (Some(earliest), Some(latest)) =
            (self.earliest_snapshot_id(), self.latest_snapshot_id())
        {
            let gone = offset < self.start_offset
                || (offset == self.start_offset && epoch != earliest.epoch)
                || epoch < earliest.epoch;
            if gone {
                return verdict(Validity::Snapshot, latest);
            }
        }
        let end = self.end_offset_for_epoch(epoch)?;
        if end.epoch != epoch || end.offset < offset {
            return verdict(Validity::Diverging, end);
        }
        verdict(Validity::Valid, OffsetAndEpoch { offset, epoch })
    }
}
