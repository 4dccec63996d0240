//! Follows a metadata log on a disk from outside, reading only what is new.

use raft_log::batch::{Batch, read_batches};

use records::metadata::{MetadataRecord, VersionedRecord};

use crate::invariants::records;
use crate::{Machine, SimDisk};

/// How far a log has been read.
#[derive(Clone, Debug, Default)]
pub struct LogReader {
    /// The batches that are known: offset behind each, and where it ends in its segment.
    known: Vec<KnownUpTo>,
    start: i64,
}

#[derive(Clone, Copy, Debug)]
struct KnownUpTo {
    segment: i64,
    position: u64,
    next_offset: i64,
}

/// What is new in a log.
#[derive(Clone, Debug)]
pub enum LogChange {
    /// It begins here.
    Start(i64),
    /// It ends here, and went further before.
    Truncated(i64),
    /// It goes on with this batch.
    Appended(Batch),
}

impl LogReader {
    /// The offset after the last batch that is known.
    pub fn end_offset(&self) -> i64 {
        self.known
            .last()
            .map_or(self.start, |known| known.next_offset)
    }

    /// What is new since the last reading, in order.
    pub fn read(&mut self, machine: &Machine) -> Vec<LogChange> {
        let mut changes = Vec::new();
        let (disk, folder) = (machine.disk(), machine.partition_dir());
        let segments = segments(disk, folder);
        let Some((first, _)) = segments.first() else {
            return changes;
        };
        let was_cut = self.cut(&segments);
        let begins_elsewhere = self.known.is_empty() && *first != self.start;
        if begins_elsewhere {
            // It began anew at a checkpoint, which stands for everything before.
            self.start = *first;
        }
        if was_cut {
            changes.push(LogChange::Truncated(self.end_offset()));
        }
        if begins_elsewhere {
            changes.push(LogChange::Start(*first));
        }
        let (mut from, mut position) = match self.known.last() {
            Some(known) => (known.segment, known.position),
            None => (*first, 0),
        };
        for (base, size) in &segments {
            if *base < from {
                continue;
            }
            if *base > from {
                (from, position) = (*base, 0);
            }
            if position < *size {
                let path = segment_path(folder, *base);
                self.append(disk, &path, (*base, position), &mut changes);
            }
        }
        changes
    }

    /// Forgets batches that are not there any more; whether there were any at the end.
    fn cut(&mut self, segments: &[(i64, u64)]) -> bool {
        let before = self.known.len();
        while let Some(last) = self.known.last() {
            let size = segments.iter().find(|(base, _)| *base == last.segment);
            if size.is_some_and(|(_, size)| *size >= last.position) {
                break;
            }
            self.known.pop();
        }
        if let Some((first, _)) = segments.first() {
            let gone = self
                .known
                .iter()
                .take_while(|known| known.segment < *first)
                .count();
            self.known.drain(..gone);
            if gone > 0 {
                self.start = *first;
                return self.known.len() + gone < before;
            }
        }
        self.known.len() < before
    }

    fn append(
        &mut self,
        disk: &SimDisk,
        path: &str,
        (segment, from): (i64, u64),
        changes: &mut Vec<LogChange>,
    ) {
        let Some(bytes) = disk.look_at(path, from) else {
            return;
        };
        let mut batches = read_batches("", &bytes, 0);
        while let Some(Ok(batch)) = batches.next() {
            self.known.push(KnownUpTo {
                segment,
                position: from + batches.position(),
                next_offset: batch.next_offset(),
            });
            changes.push(LogChange::Appended(batch));
        }
    }
}

/// The segments of the metadata log: base offset and size, in order.
fn segments(disk: &SimDisk, folder: &str) -> Vec<(i64, u64)> {
    let files = disk.files_in(folder);
    let mut segments: Vec<(i64, u64)> = files
        .into_iter()
        .filter_map(|(name, size)| Some((name.strip_suffix(".log")?.parse().ok()?, size)))
        .collect();
    segments.sort_unstable();
    segments
}

fn segment_path(folder: &str, base: i64) -> String {
    format!("{folder}/{base:020}.log")
}

/// Every batch of a machine's metadata log, as far as it can be read.
pub(crate) fn batches(machine: &Machine) -> Vec<Batch> {
    let mut reader = LogReader::default();
    let changes = reader.read(machine);
    changes
        .into_iter()
        .filter_map(|change| match change {
            LogChange::Appended(batch) => Some(batch),
            LogChange::Start(_) | LogChange::Truncated(_) => None,
        })
        .collect()
}

/// Whether a batch holds no-op records and nothing else.
pub(crate) fn is_no_op(batch: &Batch) -> bool {
    let records = if batch.is_control() {
        Vec::new()
    } else {
        records(batch)
    };
    let no_op = |record: &VersionedRecord| matches!(record.record, MetadataRecord::NoOp(_));
    !records.is_empty() && records.iter().all(no_op)
}
