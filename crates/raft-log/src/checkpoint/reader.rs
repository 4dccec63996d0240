//! Reading a checkpoint.

use bytes::Bytes;
use records::OffsetAndEpoch;
use records::control::{ControlRecord, SnapshotHeaderRecord};

use crate::batch::{Batch, BatchReader, read_batches};
use crate::{Corrupt, Damage};

/// Bytes of a batch up to its magic byte, which say how large it is.
const HEADER_SIZE_UP_TO_MAGIC: u64 = 17;

/// A checkpoint file: name, id and shared bytes. Nothing is checked before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    name: String,
    id: OffsetAndEpoch,
    bytes: Bytes,
}

impl Checkpoint {
    /// The file `name` with this content.
    pub fn new(name: &str, id: OffsetAndEpoch, bytes: Bytes) -> Checkpoint {
        Checkpoint {
            name: name.to_owned(),
            id,
            bytes,
        }
    }

    /// Path or name, as errors call the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// End offset (exclusive) and epoch of the last record.
    pub fn id(&self) -> OffsetAndEpoch {
        self.id
    }

    /// Offset of the last record of the log that the checkpoint covers.
    pub fn last_contained_log_offset(&self) -> i64 {
        self.id.offset - 1
    }

    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// At most `max_bytes` of the content from `position` on, as `FetchSnapshot` serves it.
    pub fn slice(&self, position: u64, max_bytes: u64) -> Bytes {
        let size = self.bytes.len() as u64;
        let from = position.min(size);
        let to = from.saturating_add(max_bytes).min(size);
        self.bytes.slice(from as usize..to as usize)
    }

    /// The batches, checked as Kafka's `RecordsSnapshotReader` checks them.
    pub fn batches(&self) -> CheckpointBatches {
        CheckpointBatches {
            reader: read_batches(&self.name, &self.bytes, 0),
            name: self.name.clone(),
            header: None,
            torn: None,
            ended: false,
            size: self.size(),
        }
    }

    /// The header record; `None` where the file ends before its first whole batch.
    pub fn header(&self) -> Result<Option<SnapshotHeaderRecord>, Corrupt> {
        let mut batches = self.batches();
        batches.next().transpose()?;
        Ok(batches.header)
    }

    /// All control records in order, header and footer included.
    pub fn control_records(&self) -> Result<Vec<ControlRecord>, Corrupt> {
        let mut records = Vec::new();
        for batch in self.batches() {
            let (position, batch) = batch?;
            if batch.is_control() {
                let found = batch.control_records();
                records.extend(found.map_err(|error| error.in_file(&self.name, position))?);
            }
        }
        Ok(records)
    }
}

/// Iterator over position and batch of a checkpoint.
///
/// As in Kafka the first batch must be a control batch that begins with a header, checksums must hold, a footer is not
/// demanded, and a batch that the file cuts short is taken for the end; [`CheckpointBatches::torn`] tells.
#[derive(Clone, Debug)]
pub struct CheckpointBatches {
    reader: BatchReader,
    name: String,
    header: Option<SnapshotHeaderRecord>,
    torn: Option<Corrupt>,
    ended: bool,
    size: u64,
}

impl CheckpointBatches {
    /// The header record, once the first batch is read.
    pub fn header(&self) -> Option<&SnapshotHeaderRecord> {
        self.header.as_ref()
    }

    /// Where and how the file is cut short, once the end is reached.
    pub fn torn(&self) -> Option<&Corrupt> {
        self.torn.as_ref()
    }

    /// Position after the last whole batch so far.
    pub fn position(&self) -> u64 {
        self.reader.position()
    }

    fn read_header(&self, position: u64, batch: &Batch) -> Result<SnapshotHeaderRecord, Corrupt> {
        const EXPECTED: &str = "a control batch that begins with a SnapshotHeader";
        if !batch.is_control() {
            return Err(Corrupt::invalid(
                &self.name,
                position,
                EXPECTED,
                "a data batch",
            ));
        }
        let records = batch
            .control_records()
            .map_err(|error| error.in_file(&self.name, position))?;
        match records.into_iter().next() {
            Some(ControlRecord::SnapshotHeader(header)) => Ok(header),
            other => {
                let found = other.map_or("no record", |record| record.type_name());
                Err(Corrupt::invalid(&self.name, position, EXPECTED, found))
            }
        }
    }
}

impl Iterator for CheckpointBatches {
    type Item = Result<(u64, Batch), Corrupt>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let position = self.reader.position();
        let next = match self.reader.next()? {
            // Kafka asks the first bytes for the size of the first batch, and finds none in so few
            // (4.4:raft/…/internals/RecordsIterator.java).
            Err(error) if position == 0 && self.size < HEADER_SIZE_UP_TO_MAGIC => Some(Err(error)),
            Err(error) if error.damage == Damage::Torn => {
                self.torn = Some(error);
                None
            }
            Err(error) => Some(Err(error)),
            Ok(batch) if self.header.is_none() => {
                Some(self.read_header(position, &batch).map(|header| {
                    self.header = Some(header);
                    (position, batch)
                }))
            }
            Ok(batch) => Some(Ok((position, batch))),
        };
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}
