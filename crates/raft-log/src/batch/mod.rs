//! Record batches, magic 2: the unit of the log, of checkpoints, and of what replicas send each other.
//!
//! A [`Batch`] is a checked view over shared bytes. The bytes are encoded once, by the leader ([`BatchBuilder`]); log,
//! disk, messages and followers share them. [`read_batches`] finds batches in a file, [`Batch::records`] the records in
//! a batch.

mod builder;
mod reader;
mod record;

use bytes::Bytes;
use records::control::ControlRecord;
use records::metadata::VersionedRecord;

pub use builder::BatchBuilder;
pub use reader::{BatchReader, Checksum, read_batches, read_batches_with};
pub use record::{RecordError, RecordRules, RecordView, Records};

/// A corrupt batch: the general error of this crate's readers.
pub type CorruptBatch = crate::Corrupt;

/// Bytes of a batch in front of its records.
pub const BATCH_OVERHEAD: usize = 61;
/// Bytes of the offset and the length, which the length does not count.
pub const LOG_OVERHEAD: usize = 12;
/// The largest batch that a raft leader makes (`KafkaRaftClient.MAX_BATCH_SIZE_BYTES`).
pub const MAX_BATCH_SIZE_BYTES: usize = 8 * 1024 * 1024;

pub(crate) const LENGTH_AT: usize = 8;
pub(crate) const EPOCH_AT: usize = 12;
pub(crate) const MAGIC_AT: usize = 16;
pub(crate) const CRC_AT: usize = 17;
pub(crate) const ATTRIBUTES_AT: usize = 21;
pub(crate) const LAST_OFFSET_DELTA_AT: usize = 23;
pub(crate) const BASE_TIMESTAMP_AT: usize = 27;
pub(crate) const MAX_TIMESTAMP_AT: usize = 35;
pub(crate) const PRODUCER_ID_AT: usize = 43;
pub(crate) const COUNT_AT: usize = 57;

pub(crate) const CONTROL_BIT: i16 = 0x20;
const COMPRESSION_MASK: i16 = 0x07;

/// One record batch: a view over shared bytes that are at least a whole header long and as long as they say.
///
/// Cloning shares the bytes. Two batches are equal when their bytes are.
#[derive(Clone, PartialEq, Eq)]
pub struct Batch {
    bytes: Bytes,
}

impl Batch {
    /// Wraps bytes whose framing the caller has checked.
    pub(crate) fn framed(bytes: Bytes) -> Batch {
        debug_assert!(bytes.len() >= BATCH_OVERHEAD, "a batch has a whole header");
        Batch { bytes }
    }

    /// The one batch that these bytes are, checksum checked; `name` is what an error calls them.
    pub fn parse(name: &str, bytes: &Bytes) -> Result<Batch, CorruptBatch> {
        let mut reader = read_batches(name, bytes, 0);
        let batch = reader.next().unwrap_or_else(|| {
            Err(CorruptBatch::torn(
                name,
                0,
                "a record batch",
                "no bytes at all",
            ))
        })?;
        let end = reader.position();
        if end < bytes.len() as u64 {
            let found = format!("{} more bytes", bytes.len() as u64 - end);
            return Err(CorruptBatch::invalid(
                name,
                end,
                "the end of the one batch",
                found,
            ));
        }
        Ok(batch)
    }

    fn bytes_at<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut field = [0; N];
        field.copy_from_slice(&self.bytes[at..at + N]);
        field
    }

    /// Offset of the first record. In a checkpoint file it counts the file's records from 0.
    pub fn base_offset(&self) -> i64 {
        i64::from_be_bytes(self.bytes_at(0))
    }

    /// Epoch of the leader that wrote the batch (partition leader epoch).
    pub fn leader_epoch(&self) -> i32 {
        i32::from_be_bytes(self.bytes_at(EPOCH_AT))
    }

    /// The format version, 2 in every batch that can be read.
    pub fn magic(&self) -> i8 {
        self.bytes[MAGIC_AT] as i8
    }

    /// The CRC-32C that is written in the batch.
    pub fn stored_checksum(&self) -> u32 {
        u32::from_be_bytes(self.bytes_at(CRC_AT))
    }

    /// The CRC-32C that the bytes have.
    pub fn computed_checksum(&self) -> u32 {
        crc32c::crc32c(&self.bytes[ATTRIBUTES_AT..])
    }

    /// Attribute bits: 0–2 compression, 3 timestamp type, 4 transactional, 5 control, 6 delete horizon.
    pub fn attributes(&self) -> i16 {
        i16::from_be_bytes(self.bytes_at(ATTRIBUTES_AT))
    }

    /// Whether the records are raft's own.
    pub fn is_control(&self) -> bool {
        self.attributes() & CONTROL_BIT != 0
    }

    /// The compression codec's number, 0 for none, which is all that metadata files hold.
    pub fn compression(&self) -> i16 {
        self.attributes() & COMPRESSION_MASK
    }

    /// Last offset minus base offset.
    pub fn last_offset_delta(&self) -> i32 {
        i32::from_be_bytes(self.bytes_at(LAST_OFFSET_DELTA_AT))
    }

    /// Offset of the last record.
    pub fn last_offset(&self) -> i64 {
        self.base_offset()
            .wrapping_add(i64::from(self.last_offset_delta()))
    }

    /// Offset after the last record.
    pub fn next_offset(&self) -> i64 {
        self.last_offset().wrapping_add(1)
    }

    /// Wall clock of the first record in milliseconds.
    pub fn base_timestamp(&self) -> i64 {
        i64::from_be_bytes(self.bytes_at(BASE_TIMESTAMP_AT))
    }

    /// Wall clock of the latest record in milliseconds; the base timestamp in metadata files.
    pub fn max_timestamp(&self) -> i64 {
        i64::from_be_bytes(self.bytes_at(MAX_TIMESTAMP_AT))
    }

    /// Producer id, −1 in metadata files.
    pub fn producer_id(&self) -> i64 {
        i64::from_be_bytes(self.bytes_at(PRODUCER_ID_AT))
    }

    /// Number of records, as the header says it.
    pub fn count(&self) -> i32 {
        i32::from_be_bytes(self.bytes_at(COUNT_AT))
    }

    /// Size in bytes, header included.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The batch as it stands in the file.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The records one by one, each checked as it is reached.
    pub fn records(&self) -> Records {
        self.records_with(RecordRules::Raft)
    }

    /// As [`Batch::records`], by the rules of another reader.
    pub fn records_with(&self, rules: RecordRules) -> Records {
        Records::new(self, rules)
    }

    /// The metadata records of a data batch.
    pub fn data_records(&self) -> Result<Vec<VersionedRecord>, RecordError> {
        self.records().map(|record| record?.data(self)).collect()
    }

    /// The control records of a control batch.
    pub fn control_records(&self) -> Result<Vec<ControlRecord>, RecordError> {
        self.records().map(|record| record?.control(self)).collect()
    }
}

impl std::fmt::Debug for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batch")
            .field("base_offset", &self.base_offset())
            .field("last_offset", &self.last_offset())
            .field("leader_epoch", &self.leader_epoch())
            .field("control", &self.is_control())
            .field("count", &self.count())
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
