//! One segment of the log: a file of batches, and where each of them stands.

use crate::batch::Batch;

const LOG_SUFFIX: &str = ".log";

/// Name of the segment with this base offset.
pub fn segment_file_name(base_offset: i64) -> String {
    format!("{base_offset:020}{LOG_SUFFIX}")
}

/// Whether a file is one of a segment by its name.
pub fn is_segment_file(name: &str) -> bool {
    name.ends_with(LOG_SUFFIX)
}

/// The offset that a file's name begins with.
pub fn offset_in_name(name: &str) -> Option<i64> {
    name.split('.').next()?.parse().ok()
}

/// A segment in memory. The batches share the bytes that were read once, or appended.
#[derive(Clone, Debug)]
pub struct Segment {
    base_offset: i64,
    entries: Vec<Entry>,
    size: u64,
    created_ms: i64,
}

#[derive(Clone, Debug)]
struct Entry {
    position: u64,
    batch: Batch,
}

impl Segment {
    /// An empty segment.
    pub(super) fn new(base_offset: i64, created_ms: i64) -> Segment {
        Segment {
            base_offset,
            entries: Vec::new(),
            size: 0,
            created_ms,
        }
    }

    /// Offset that the file is named after; its first record has this offset or a later one.
    pub fn base_offset(&self) -> i64 {
        self.base_offset
    }

    /// The base offset in twenty digits, and `.log`.
    pub fn file_name(&self) -> String {
        segment_file_name(self.base_offset)
    }

    /// Size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The batches in order.
    pub fn batches(&self) -> impl DoubleEndedIterator<Item = &Batch> {
        self.entries.iter().map(|entry| &entry.batch)
    }

    /// Position and batch, in order, of the batches whose last offset is `offset` or later.
    pub fn batches_from(&self, offset: i64) -> impl Iterator<Item = (u64, &Batch)> {
        let first = self.index_of(offset);
        self.entries[first..]
            .iter()
            .map(|entry| (entry.position, &entry.batch))
    }

    fn index_of(&self, offset: i64) -> usize {
        self.entries
            .partition_point(|entry| entry.batch.last_offset() < offset)
    }

    /// Offset after the last record.
    pub(super) fn next_offset(&self) -> i64 {
        self.entries
            .last()
            .map_or(self.base_offset, |entry| entry.batch.next_offset())
    }

    /// Whether the segment's file can hold records up to this offset: relative offsets are 31 bits wide.
    pub(super) fn can_hold(&self, offset: i64) -> bool {
        let relative = offset.checked_sub(self.base_offset);
        relative.is_some_and(|relative| (0..=i64::from(i32::MAX)).contains(&relative))
    }

    pub(super) fn push(&mut self, batch: Batch) {
        let position = self.size;
        self.size += batch.size() as u64;
        self.entries.push(Entry { position, batch });
    }

    /// Forgets the batch that holds `offset` and those after it; returns the size that the file now has.
    pub(super) fn truncate_to(&mut self, offset: i64, now_ms: i64) -> u64 {
        let index = self.index_of(offset);
        if let Some(entry) = self.entries.get(index) {
            self.size = entry.position;
            self.entries.truncate(index);
            if self.entries.is_empty() {
                self.created_ms = now_ms;
            }
        }
        self.size
    }

    /// Time that counts against `segment.ms`, seen from a batch of that timestamp: since the first batch, or since the
    /// segment was made (4.4:storage/…/LogSegment.java, `timeWaitedForRoll`).
    pub(super) fn waited_ms(&self, now_ms: i64, timestamp_ms: i64) -> i64 {
        match self
            .entries
            .first()
            .map(|entry| entry.batch.max_timestamp())
        {
            Some(first) if first >= 0 => timestamp_ms.saturating_sub(first),
            _ => now_ms.saturating_sub(self.created_ms),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(segment_file_name(42), "00000000000000000042.log");
        assert_eq!(offset_in_name("00000000000000000042.timeindex"), Some(42));
        assert_eq!(offset_in_name("x.log"), None);
        assert!(is_segment_file("00000000000000000042.log"));
        assert!(!is_segment_file("00000000000000000042.log.deleted"));
    }

    #[test]
    fn what_a_segment_can_hold() {
        let segment = Segment::new(10, 0);
        assert!(segment.can_hold(10) && segment.can_hold(10 + i64::from(i32::MAX)));
        assert!(!segment.can_hold(9) && !segment.can_hold(11 + i64::from(i32::MAX)));
        assert!(!Segment::new(i64::MIN, 0).can_hold(i64::MAX));
    }
}
