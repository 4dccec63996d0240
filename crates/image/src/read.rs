//! The metadata records of what a listener is handed.

use listener::SnapshotReader;
use raft_log::Corrupt;
use raft_log::batch::{Batch, RecordError};
use raft_log::checkpoint::{Checkpoint, CheckpointBatches};
use records::metadata::VersionedRecord;

/// The metadata records of a batch; none in a control batch.
pub fn metadata_records(batch: &Batch) -> Result<Vec<VersionedRecord>, RecordError> {
    if batch.is_control() {
        Ok(Vec::new())
    } else {
        batch.data_records()
    }
}

/// The batches of a checkpoint with their metadata records, up to the first error.
#[derive(Clone, Debug)]
pub struct SnapshotRecords {
    file: String,
    batches: CheckpointBatches,
}

impl SnapshotRecords {
    /// Reads what a listener was handed.
    pub fn of(reader: &SnapshotReader) -> Self {
        let checkpoint = Checkpoint::new(&reader.file, reader.snapshot_id, reader.bytes.clone());
        SnapshotRecords {
            file: reader.file.to_string(),
            batches: checkpoint.batches(),
        }
    }

    /// When the last record that the checkpoint stands for was appended, once the first batch is read; none in a
    /// checkpoint without batches, which Kafka therefore cannot load.
    pub fn last_contained_log_time_ms(&self) -> Option<i64> {
        self.batches
            .header()
            .map(|header| header.last_contained_log_timestamp)
    }
}

impl Iterator for SnapshotRecords {
    type Item = Result<(Batch, Vec<VersionedRecord>), Corrupt>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.batches.next()?;
        Some(next.and_then(|(position, batch)| {
            let records =
                metadata_records(&batch).map_err(|error| error.in_file(&self.file, position))?;
            Ok((batch, records))
        }))
    }
}
