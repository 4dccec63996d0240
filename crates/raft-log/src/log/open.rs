//! Opening a log: what stands in its directory, brought into order as Kafka does it.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use disk::{Disk, DiskError, Entry, EntryKind, path};
use records::OffsetAndEpoch;

use super::deletion::Deletions;
use super::producer_snapshot;
use super::segment::{is_segment_file, offset_in_name, segment_file_name};
use super::{LogConfig, MetadataLog, OpenError, RecoveryStep, Segment};
use crate::batch::{Batch, MAGIC_AT, read_batches};
use crate::checkpoint::{SnapshotState, parse_name};
use crate::file::{Leftover, replace};
use crate::leader_epochs::{self, Changed, LeaderEpochs};
use crate::partition_metadata::{self, PartitionMetadata};
use crate::{Corrupt, Damage};

impl MetadataLog {
    /// Opens the log in a partition's directory, which is made if missing.
    ///
    /// In Kafka's order: leftovers of deletions and indexes without a segment go, interrupted swaps are completed; every segment is scanned, the first
    /// batch that is torn or wrong is cut off with all that follows; epochs are brought in line with the log;
    /// checkpoints that are unfinished or end before the log starts go; a log that is behind its latest checkpoint is
    /// given up and restarts there. [`MetadataLog::recovery`] tells what was done.
    pub fn open(
        disk: &mut dyn Disk,
        dir: &str,
        config: LogConfig,
        now_ms: i64,
    ) -> Result<MetadataLog, OpenError> {
        disk.create_dir_all(dir)?;
        let mut log = MetadataLog {
            dir: dir.to_owned(),
            config,
            segments: Vec::new(),
            start_offset: 0,
            end_offset: 0,
            high_watermark: 0,
            recovery_point: 0,
            epochs: LeaderEpochs::default(),
            snapshots: BTreeSet::new(),
            deletions: Deletions::default(),
            recovery: Vec::new(),
        };
        log.load_epochs(disk)?;
        log.settle_leftovers(disk)?;
        log.load_segments(disk, now_ms)?;
        log.settle_epochs(disk)?;
        log.settle_producer_snapshots(disk)?;
        log.check_topic_id(disk)?;
        log.load_snapshots(disk)?;
        if let Some(id) = log.snapshot_ahead() {
            log.restart_at(disk, id, now_ms)?;
            log.recovery.push(RecoveryStep::RestartedAtSnapshot { id });
        }
        Ok(log)
    }

    pub(super) fn file_names(&self, disk: &mut dyn Disk) -> Result<Vec<String>, DiskError> {
        let is_file = |entry: &Entry| matches!(entry.kind, EntryKind::File { .. });
        let entries = disk.list(&self.dir)?;
        Ok(entries
            .into_iter()
            .filter(is_file)
            .map(|entry| entry.name)
            .collect())
    }

    /// The file is made where it is missing, and reads as empty.
    fn load_epochs(&mut self, disk: &mut dyn Disk) -> Result<(), OpenError> {
        let path = self.path(leader_epochs::FILE_NAME);
        let content = match disk.size(&path)? {
            None => {
                disk.create(&path)?;
                Bytes::new()
            }
            Some(_) => disk.read(&path)?,
        };
        self.epochs = LeaderEpochs::from_entries(leader_epochs::parse(&path, &content)?);
        Ok(())
    }

    fn load_segments(&mut self, disk: &mut dyn Disk, now_ms: i64) -> Result<(), OpenError> {
        let mut bases = Vec::new();
        for name in self
            .file_names(disk)?
            .into_iter()
            .filter(|name| is_segment_file(name))
        {
            bases.push(offset_in_name(&name).ok_or(OpenError::SegmentName { name })?);
        }
        bases.sort_unstable();
        let mut cut = false;
        for base_offset in bases {
            if cut {
                self.drop_segment(disk, base_offset, now_ms)?;
            } else {
                cut = self.load_segment(disk, base_offset, now_ms)?;
            }
        }
        if self.segments.is_empty() {
            disk.create(&self.path(&segment_file_name(0)))?;
            self.segments.push(Arc::new(Segment::new(0, now_ms)));
        }
        self.start_offset = self.segments[0].base_offset();
        self.end_offset = self.segments[self.segments.len() - 1].next_offset();
        self.high_watermark = self.start_offset;
        Ok(())
    }

    fn drop_segment(
        &mut self,
        disk: &mut dyn Disk,
        base: i64,
        now_ms: i64,
    ) -> Result<(), DiskError> {
        let name = segment_file_name(base);
        let size = disk.size(&self.path(&name))?.unwrap_or(0);
        self.recovery
            .push(RecoveryStep::DroppedSegment { name, size });
        self.delete_segment_files(disk, base, now_ms)
    }

    /// Reads a segment, and says whether its end had to be cut off.
    fn load_segment(
        &mut self,
        disk: &mut dyn Disk,
        base: i64,
        now_ms: i64,
    ) -> Result<bool, OpenError> {
        let name = segment_file_name(base);
        let path = self.path(&name);
        let content = disk.read(&path)?;
        let mut segment = Segment::new(base, now_ms);
        let mut reader = read_batches(&path, &content, 0);
        let mut damage = None;
        loop {
            let position = reader.position();
            match reader.next() {
                None => break,
                Some(Ok(batch)) => {
                    check_offsets(&path, position, &segment, &batch)?;
                    self.note_epoch(&batch);
                    segment.push(batch);
                }
                Some(Err(error)) => {
                    refuse_unknown_magic(&content, position, &error)?;
                    damage = Some(error);
                }
            }
        }
        let cut = damage.is_some();
        if let Some(cause) = damage {
            let valid_bytes = segment.size();
            let lost_bytes = content.len() as u64 - valid_bytes;
            disk.truncate(&path, valid_bytes)?;
            self.recovery.push(RecoveryStep::TruncatedSegment {
                name,
                valid_bytes,
                lost_bytes,
                cause,
            });
        }
        self.segments.push(Arc::new(segment));
        Ok(cut)
    }

    /// As segments are scanned, an epoch above all known ones is noted (4.4:storage/…/LogSegment.java, `recover`).
    fn note_epoch(&mut self, batch: &Batch) {
        let epoch = batch.leader_epoch();
        if epoch >= 0
            && self
                .epochs
                .latest()
                .is_none_or(|latest| epoch > latest.epoch)
        {
            let _ = self.epochs.assign(epoch, batch.base_offset());
        }
    }

    fn settle_epochs(&mut self, disk: &mut dyn Disk) -> Result<(), OpenError> {
        let _ = self.epochs.truncate_from_end(self.end_offset);
        let path = self.path(leader_epochs::FILE_NAME);
        let stands = LeaderEpochs::from_entries(leader_epochs::parse(&path, &disk.read(&path)?)?);
        let changed = if stands == self.epochs {
            Changed::No
        } else {
            Changed::Yes
        };
        Ok(self.write_epochs(disk, changed)?)
    }

    fn settle_producer_snapshots(&mut self, disk: &mut dyn Disk) -> Result<(), OpenError> {
        let mut stands = false;
        for name in self
            .file_names(disk)?
            .iter()
            .filter(|name| producer_snapshot::is_snapshot(name))
        {
            let Some(offset) = offset_in_name(name) else {
                return Err(OpenError::SegmentName { name: name.clone() });
            };
            let in_log = offset > self.start_offset && offset <= self.end_offset;
            let at_segment = self
                .segments
                .iter()
                .any(|segment| segment.base_offset() == offset);
            let at_end = offset == self.end_offset;
            stands |= in_log && at_end;
            if !(in_log && (at_segment || at_end)) {
                disk.remove(&self.path(name))?;
            }
        }
        if !stands && self.end_offset > self.start_offset {
            producer_snapshot::write(disk, &self.dir, self.end_offset)?;
            disk.sync(&self.path(&producer_snapshot::file_name(self.end_offset)))?;
        }
        Ok(())
    }

    fn check_topic_id(&mut self, disk: &mut dyn Disk) -> Result<(), OpenError> {
        let file = self.path(partition_metadata::FILE_NAME);
        let own = PartitionMetadata::METADATA_LOG;
        if disk.size(&file)?.is_none() {
            return Ok(replace(disk, &file, &own.to_bytes(), Leftover::Stays)?);
        }
        let (expected, found) = (
            own.topic_id,
            PartitionMetadata::parse(&file, &disk.read(&file)?)?.topic_id,
        );
        if expected == found {
            return Ok(());
        }
        Err(OpenError::InconsistentTopicId {
            file,
            expected,
            found,
        })
    }

    fn load_snapshots(&mut self, disk: &mut dyn Disk) -> Result<(), OpenError> {
        let mut unneeded = Vec::new();
        for name in self.file_names(disk)? {
            let Some(snapshot) = parse_name(&name)? else {
                continue;
            };
            let frozen = snapshot.state == SnapshotState::Frozen;
            if frozen && snapshot.id.offset >= self.start_offset {
                self.snapshots.insert(snapshot.id);
            } else {
                unneeded.push(name);
            }
        }
        let (start_offset, latest) = (self.start_offset, self.snapshots.last().copied());
        if start_offset > 0 && latest.is_none_or(|id| id.offset < start_offset) {
            return Err(OpenError::InconsistentSnapshots {
                start_offset,
                latest,
            });
        }
        for name in unneeded {
            disk.remove(&path::join(&self.dir, &name))?;
            self.recovery.push(RecoveryStep::RemovedSnapshot { name });
        }
        Ok(())
    }

    /// The latest checkpoint, if it is ahead of the log: a crash came between fetching it and restarting the log.
    pub(super) fn snapshot_ahead(&self) -> Option<OffsetAndEpoch> {
        let latest = self.snapshots.last().copied()?;
        let epoch = self.epochs.latest().map_or(0, |entry| entry.epoch);
        let ahead =
            latest.epoch > epoch || (latest.epoch == epoch && latest.offset > self.end_offset);
        ahead.then_some(latest)
    }
}

/// Kafka's recovery takes offsets as they come, and splits a segment that does not fit its file name. Offsets that go
/// backwards or leave the segment's range are an error here: they are outside the checksum, and nothing tells which of
/// two batches to believe.
fn check_offsets(
    file: &str,
    position: u64,
    segment: &Segment,
    batch: &Batch,
) -> Result<(), Corrupt> {
    let next = segment.next_offset();
    let fits = batch.base_offset() >= next
        && batch.last_offset() >= batch.base_offset()
        && segment.can_hold(batch.last_offset());
    if fits {
        return Ok(());
    }
    let expected = format!("a batch from offset {next} on");
    let found = format!("offsets {} to {}", batch.base_offset(), batch.last_offset());
    Err(Corrupt::invalid(file, position, expected, found))
}

/// A whole batch of a magic above 2 with a valid checksum passes Kafka's recovery, and ends the process as soon as
/// raft reads it.
fn refuse_unknown_magic(content: &Bytes, position: u64, error: &Corrupt) -> Result<(), Corrupt> {
    let at = position as usize + MAGIC_AT;
    let unknown = content
        .get(at)
        .is_some_and(|magic| (3..=127).contains(magic));
    if !unknown || error.damage == Damage::Torn || error.position != at as u64 {
        return Ok(());
    }
    let mut as_if_known = content[position as usize..].to_vec();
    as_if_known[MAGIC_AT] = 2;
    match read_batches(&error.file, &Bytes::from(as_if_known), 0).next() {
        Some(Ok(_)) => Err(error.clone()),
        _ => Ok(()),
    }
}
