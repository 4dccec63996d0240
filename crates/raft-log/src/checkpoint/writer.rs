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

/// Makes the batches of a checkpoint as Kafka's `RecordsSnapshotWriter` does: one control batch, data batches of up to
/// 8 MiB, one control batch with the footer. Each step returns the batches that are to be written now.
#[derive(Clone, Debug)]
pub struct CheckpointWriter {
    epoch: i32,
    next_offset: i64,
    current: Option<BatchBuilder>,
    completed: Vec<Batch>,
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
        };
        writer.push_control(&first, now_ms)?;
        Ok(writer)
    }

    fn push_control(&mut self, records: &[ControlRecord], now_ms: i64) -> Result<(), EncodeError> {
        let mut builder = BatchBuilder::control(self.next_offset, self.epoch, now_ms);
        for record in records {
            builder.append_control(record)?;
        }
        self.next_offset = builder.next_offset();
        self.completed.push(builder.finish());
        Ok(())
    }

    fn complete_current(&mut self) {
        let open = self.current.take().filter(|builder| builder.count() > 0);
        self.completed.extend(open.map(BatchBuilder::finish));
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
        let (epoch, next_offset) = (self.epoch, self.next_offset);
        let open = self
            .current
            .get_or_insert_with(|| BatchBuilder::data(next_offset, epoch, now_ms));
        if open.size() + needed(open.count()) > MAX_BATCH_SIZE_BYTES {
            let size = BATCH_OVERHEAD + needed(0);
            if size > MAX_BATCH_SIZE_BYTES {
                return Err(WriteError::TooLarge { size });
            }
            self.complete_current();
            self.current = Some(BatchBuilder::data(self.next_offset, self.epoch, now_ms));
        }
        if let Some(open) = &mut self.current {
            for value in &values {
                open.append_value(value);
            }
            self.next_offset = open.next_offset();
        }
        if drained_before && !self.completed.is_empty() {
            self.complete_current();
        }
        Ok(std::mem::take(&mut self.completed))
    }

    /// Ends the checkpoint with its footer; `now_ms` is the timestamp of the last batch.
    pub fn finish(mut self, now_ms: i64) -> Result<Vec<Batch>, EncodeError> {
        self.complete_current();
        self.push_control(&[SnapshotFooterRecord::default().into()], now_ms)?;
        Ok(self.completed)
    }
}
