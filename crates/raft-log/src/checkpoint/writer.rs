//! Making the batches of a checkpoint.

use records::control::{
    ControlRecord, KRaftVersionRecord, SnapshotFooterRecord, SnapshotHeaderRecord, VotersRecord,
};
use records::metadata::VersionedRecord;
use records::{EncodeError, OffsetAndEpoch};

use crate::batch::{BATCH_OVERHEAD, Batch, BatchBuilder, MAX_BATCH_SIZE_BYTES};

/// What a checkpoint says about the quorum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KRaftRecords {
    /// Nothing: kraft.version 0, and every `bootstrap.checkpoint`.
    Absent,
    /// From kraft.version 1 on: the version, and the voters where they are known.
    Present {
        /// The finalized kraft.version.
        version: KRaftVersionRecord,
        /// The voter set.
        voters: Option<VotersRecord>,
    },
}

/// Why records cannot be appended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A record cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// Records appended together must fit one batch.
    #[error(
        "the records take {size} bytes, more than the {MAX_BATCH_SIZE_BYTES} bytes that a batch may have"
    )]
    TooLarge {
        /// Bytes of a batch with these records alone.
        size: usize,
    },
}

/// What is done with the buffers that batches are built in, each named by the number of its batch.
///
/// The batches of a checkpoint share the buffers of the leader's own batches, where the reuse of a buffer shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferStep {
    /// A batch begins.
    Taken(usize),
    /// It is complete and stands in its buffer.
    Built { batch: usize, bytes: usize },
    /// It has been written.
    Released(usize),
}

/// A batch that records go into.
#[derive(Clone, Debug)]
struct OpenBatch {
    number: usize,
    builder: BatchBuilder,
}

/// Makes the batches of a checkpoint as Kafka's `RecordsSnapshotWriter` does: one control batch, data batches of up to
/// 8 MiB, one control batch with the footer. Each step returns the batches that are to be written now.
#[derive(Clone, Debug)]
pub struct CheckpointWriter {
    epoch: i32,
    next_offset: i64,
    current: Option<OpenBatch>,
    completed: Vec<(usize, Batch)>,
    batches: usize,
    buffer_steps: Vec<BufferStep>,
}

impl CheckpointWriter {
    /// Begins the checkpoint `id`. `last_contained_log_timestamp` is the append time of the last record that it covers;
    /// `now_ms` becomes the timestamp of the batch with the header.
    pub fn new(
        id: OffsetAndEpoch,
        last_contained_log_timestamp: i64,
        quorum: KRaftRecords,
        now_ms: i64,
    ) -> Result<CheckpointWriter, EncodeError> {
        let header = SnapshotHeaderRecord {
            last_contained_log_timestamp,
            ..Default::default()
        };
        let mut first = vec![ControlRecord::from(header)];
        if let KRaftRecords::Present { version, voters } = quorum {
            first.push(version.into());
            first.extend(voters.map(ControlRecord::from));
        }
        let (epoch, next_offset) = (id.epoch, 0);
        let mut writer = CheckpointWriter {
            epoch,
            next_offset,
            current: None,
            completed: Vec::new(),
            batches: 0,
            buffer_steps: Vec::new(),
        };
        writer.push_control(&first, now_ms)?;
        Ok(writer)
    }

    /// Closes the open batch; the control batch has its own buffer by then.
    fn push_control(&mut self, records: &[ControlRecord], now_ms: i64) -> Result<(), EncodeError> {
        let number = self.take_buffer();
        self.complete_current();
        let mut builder = BatchBuilder::control(self.next_offset, self.epoch, now_ms);
        for record in records {
            builder.append_control(record)?;
        }
        self.next_offset = builder.next_offset();
        self.complete(OpenBatch { number, builder });
        Ok(())
    }

    fn take_buffer(&mut self) -> usize {
        let number = self.batches;
        self.batches += 1;
        self.buffer_steps.push(BufferStep::Taken(number));
        number
    }

    fn complete_current(&mut self) {
        let open = self.current.take();
        if let Some(open) = open.filter(|open| open.builder.count() > 0) {
            self.complete(open);
        }
    }

    fn complete(&mut self, open: OpenBatch) {
        let (batch, bytes) = (open.number, open.builder.size());
        self.buffer_steps.push(BufferStep::Built { batch, bytes });
        self.completed.push((batch, open.builder.finish()));
    }

    fn begin_batch(&mut self, now_ms: i64) {
        self.current = Some(OpenBatch {
            number: self.take_buffer(),
            builder: BatchBuilder::data(self.next_offset, self.epoch, now_ms),
        });
    }

    fn take_completed(&mut self) -> Vec<Batch> {
        let completed = std::mem::take(&mut self.completed);
        let numbers = completed.iter().map(|(number, _)| *number);
        self.buffer_steps.extend(numbers.map(BufferStep::Released));
        completed.into_iter().map(|(_, batch)| batch).collect()
    }

    /// What was done with buffers since this was last asked.
    pub(super) fn take_buffer_steps(&mut self) -> Vec<BufferStep> {
        std::mem::take(&mut self.buffer_steps)
    }

    /// Appends records that are to share a batch. `now_ms` is the timestamp of a batch that begins with them.
    ///
    /// Where they do not fit the open batch it ends, and the new one ends with them: what is complete is written at
    /// once, and writing completes the open batch too (4.4:raft/…/internals/BatchAccumulator.java, `drain`).
    pub fn append(
        &mut self,
        records: &[VersionedRecord],
        now_ms: i64,
    ) -> Result<Vec<Batch>, WriteError> {
        if self.current.is_none() {
            self.begin_batch(now_ms);
        }
        let mut values = Vec::with_capacity(records.len());
        for record in records {
            let mut value = Vec::new();
            record.encode(&mut value)?;
            values.push(value);
        }
        let needed = |first: i32| -> usize {
            let indexed = (first..).zip(&values);
            indexed
                .map(|(index, value)| BatchBuilder::record_size(index, value.len()))
                .sum()
        };
        let drained_before = self.completed.is_empty();
        let has_room = self
            .current
            .as_ref()
            .is_some_and(|OpenBatch { builder, .. }| {
                builder.size() + needed(builder.count()) <= MAX_BATCH_SIZE_BYTES
            });
        if !has_room {
            let size = BATCH_OVERHEAD + needed(0);
            if size > MAX_BATCH_SIZE_BYTES {
                return Err(WriteError::TooLarge { size });
            }
            self.complete_current();
            self.begin_batch(now_ms);
        }
        if let Some(OpenBatch { builder, .. }) = &mut self.current {
            for value in &values {
                builder.append_value(value);
            }
            self.next_offset = builder.next_offset();
        }
        if drained_before && !self.completed.is_empty() {
            self.complete_current();
        }
        Ok(self.take_completed())
    }

    /// Ends the checkpoint with its footer; `now_ms` is the timestamp of the last batch.
    pub fn finish(mut self, now_ms: i64) -> Result<Vec<Batch>, EncodeError> {
        self.end(now_ms)
    }

    pub(super) fn end(&mut self, now_ms: i64) -> Result<Vec<Batch>, EncodeError> {
        self.push_control(&[SnapshotFooterRecord::default().into()], now_ms)?;
        Ok(self.take_completed())
    }
}
