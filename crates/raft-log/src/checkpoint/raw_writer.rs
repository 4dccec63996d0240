//! A checkpoint file on its way from `.part` to its name.

use bytes::Bytes;
use disk::{Disk, DiskError, path};
use records::metadata::VersionedRecord;
use records::{EncodeError, OffsetAndEpoch};

use crate::file::rename_over;

use super::name::{partial_file_name, snapshot_file_name};
use super::writer::{BufferStep, CheckpointWriter, KRaftRecords, WriteError};

/// The bytes of a checkpoint being written: generated here, or fetched from the leader in pieces.
///
/// Kafka's `FileRawSnapshotWriter`: `.part`, then durable, read-only, renamed, directory durable. Until the rename a
/// crash leaves a `.part` that the next start removes.
#[derive(Clone, Debug)]
pub struct RawSnapshotWriter {
    dir: String,
    partial: String,
    id: OffsetAndEpoch,
    size: u64,
}

impl RawSnapshotWriter {
    /// Creates the `.part` file in a partition's directory, which is made if missing. `random` is the number in the
    /// file's name, which Kafka draws.
    pub fn create(
        disk: &mut dyn Disk,
        dir: &str,
        id: OffsetAndEpoch,
        random: u64,
    ) -> Result<RawSnapshotWriter, DiskError> {
        disk.create_dir_all(&path::without_dots(dir))?;
        let partial = path::join(dir, &partial_file_name(id, random));
        disk.create(&partial)?;
        Ok(RawSnapshotWriter {
            dir: dir.to_owned(),
            partial,
            id,
            size: 0,
        })
    }

    /// The checkpoint's id.
    pub fn id(&self) -> OffsetAndEpoch {
        self.id
    }

    /// Bytes written so far, which is where a fetch of the checkpoint goes on.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Appends to the partial file; nothing is synced yet.
    pub fn append(&mut self, disk: &mut dyn Disk, bytes: &Bytes) -> Result<(), DiskError> {
        disk.append(&self.partial, bytes)?;
        self.size += bytes.len() as u64;
        Ok(())
    }

    /// Makes it a checkpoint, durable and read-only, and returns its path. Where that fails, the `.part` file is removed.
    pub fn freeze(self, disk: &mut dyn Disk) -> Result<String, DiskError> {
        let frozen = path::join(&self.dir, &snapshot_file_name(self.id));
        disk.sync(&self.partial)?;
        disk.set_read_only(&self.partial)?;
        match rename_over(disk, &self.partial, &frozen) {
            Err(error @ DiskError::Failed { .. }) => {
                self.abandon(disk)?;
                return Err(error);
            }
            outcome => outcome?,
        }
        disk.sync_dir(&self.dir)?;
        Ok(frozen)
    }

    /// Gives it up and removes the `.part` file.
    pub fn abandon(self, disk: &mut dyn Disk) -> Result<(), DiskError> {
        crate::file::remove_if_exists(disk, &self.partial)
    }
}

/// Why a checkpoint could not be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotWriterError {
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The records cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl From<EncodeError> for SnapshotWriterError {
    fn from(error: EncodeError) -> SnapshotWriterError {
        SnapshotWriterError::Write(error.into())
    }
}

/// A checkpoint of records on its way to the disk: [`CheckpointWriter`] over [`RawSnapshotWriter`].
#[derive(Clone, Debug)]
pub struct SnapshotWriter {
    records: CheckpointWriter,
    raw: RawSnapshotWriter,
}

/// A checkpoint that stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrozenSnapshot {
    pub path: String,
    /// What was done with the buffers that its batches were built in, in order.
    pub buffer_steps: Vec<BufferStep>,
}

impl SnapshotWriter {
    /// Begins a checkpoint into `raw`; the other arguments are those of [`CheckpointWriter::new`].
    pub fn new(
        raw: RawSnapshotWriter,
        last_contained_log_timestamp: i64,
        quorum: KRaftRecords,
        now_ms: i64,
    ) -> Result<SnapshotWriter, EncodeError> {
        let records =
            CheckpointWriter::new(raw.id(), last_contained_log_timestamp, quorum, now_ms)?;
        Ok(SnapshotWriter { records, raw })
    }

    /// The checkpoint's id.
    pub fn id(&self) -> OffsetAndEpoch {
        self.raw.id()
    }

    /// Appends records that are to share a batch.
    pub fn append(
        &mut self,
        disk: &mut dyn Disk,
        records: &[VersionedRecord],
        now_ms: i64,
    ) -> Result<(), SnapshotWriterError> {
        for batch in self.records.append(records, now_ms)? {
            self.raw.append(disk, batch.bytes())?;
        }
        Ok(())
    }

    /// Ends the checkpoint.
    pub fn freeze(
        self,
        disk: &mut dyn Disk,
        now_ms: i64,
    ) -> Result<FrozenSnapshot, SnapshotWriterError> {
        let SnapshotWriter {
            mut records,
            mut raw,
        } = self;
        for batch in records.end(now_ms)? {
            raw.append(disk, batch.bytes())?;
        }
        Ok(FrozenSnapshot {
            path: raw.freeze(disk)?,
            buffer_steps: records.take_buffer_steps(),
        })
    }

    /// Gives it up and removes the `.part` file.
    pub fn abandon(self, disk: &mut dyn Disk) -> Result<(), DiskError> {
        self.raw.abandon(disk)
    }
}
