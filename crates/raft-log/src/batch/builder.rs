//! Making a batch.

use bytes::Bytes;
use records::EncodeError;
use records::control::ControlRecord;
use records::metadata::VersionedRecord;

use super::{ATTRIBUTES_AT, BATCH_OVERHEAD, Batch, CONTROL_BIT, COUNT_AT, CRC_AT};
use super::{LAST_OFFSET_DELTA_AT, LENGTH_AT, LOG_OVERHEAD};
use crate::varint::{varint_len, write_varint, write_varlong};

/// Builds one batch, record by record, into the bytes that Kafka would write.
#[derive(Clone, Debug)]
pub struct BatchBuilder {
    bytes: Vec<u8>,
    base_offset: i64,
    count: i32,
}

impl BatchBuilder {
    /// A batch of metadata records.
    pub fn data(base_offset: i64, leader_epoch: i32, timestamp_ms: i64) -> BatchBuilder {
        BatchBuilder::new(base_offset, leader_epoch, timestamp_ms, 0)
    }

    /// A batch of control records.
    pub fn control(base_offset: i64, leader_epoch: i32, timestamp_ms: i64) -> BatchBuilder {
        BatchBuilder::new(base_offset, leader_epoch, timestamp_ms, CONTROL_BIT)
    }

    fn new(
        base_offset: i64,
        leader_epoch: i32,
        timestamp_ms: i64,
        attributes: i16,
    ) -> BatchBuilder {
        let mut bytes = Vec::with_capacity(BATCH_OVERHEAD * 4);
        bytes.extend_from_slice(&base_offset.to_be_bytes());
        // The length, filled in at the end.
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&leader_epoch.to_be_bytes());
        // Magic, then the CRC, filled in at the end.
        bytes.extend_from_slice(&[2, 0, 0, 0, 0]);
        bytes.extend_from_slice(&attributes.to_be_bytes());
        // The last offset delta, filled in at the end.
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&timestamp_ms.to_be_bytes());
        bytes.extend_from_slice(&timestamp_ms.to_be_bytes());
        // No producer: id, epoch and sequence are −1.
        bytes.extend_from_slice(&[0xff; 14]);
        // The count, filled in at the end.
        bytes.extend_from_slice(&[0; 4]);
        BatchBuilder {
            bytes,
            base_offset,
            count: 0,
        }
    }

    /// Offset of the first record.
    pub fn base_offset(&self) -> i64 {
        self.base_offset
    }

    /// Offset that the next appended record gets.
    pub fn next_offset(&self) -> i64 {
        self.base_offset + i64::from(self.count)
    }

    /// Number of records so far.
    pub fn count(&self) -> i32 {
        self.count
    }

    /// Size of the batch so far in bytes, header included.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Bytes that a data record with a value of `value_length` bytes would add, at place `index` of the batch.
    pub fn record_size(index: i32, value_length: usize) -> usize {
        let body = body_length(index, None, Some(value_length));
        varint_len(body as i32) + body
    }

    /// Appends a data record by its encoded value, and returns its offset.
    pub fn append_value(&mut self, value: &[u8]) -> i64 {
        self.append(None, Some(value))
    }

    /// Appends a metadata record, and returns its offset.
    pub fn append_data(&mut self, record: &VersionedRecord) -> Result<i64, EncodeError> {
        let mut value = Vec::new();
        record.encode(&mut value)?;
        Ok(self.append(None, Some(&value)))
    }

    /// Appends a control record, and returns its offset.
    pub fn append_control(&mut self, record: &ControlRecord) -> Result<i64, EncodeError> {
        let (mut key, mut value) = (Vec::new(), Vec::new());
        record.encode_key(&mut key);
        record.encode_value(&mut value)?;
        Ok(self.append(Some(&key), Some(&value)))
    }

    /// Appends any record, and returns its offset.
    pub fn append(&mut self, key: Option<&[u8]>, value: Option<&[u8]>) -> i64 {
        let body = body_length(self.count, key.map(<[u8]>::len), value.map(<[u8]>::len));
        let out = &mut self.bytes;
        out.reserve(body + 5);
        write_varint(body as i32, out);
        out.push(0);
        write_varlong(0, out);
        write_varint(self.count, out);
        for field in [key, value] {
            match field {
                None => write_varint(-1, out),
                Some(bytes) => {
                    write_varint(bytes.len() as i32, out);
                    out.extend_from_slice(bytes);
                }
            }
        }
        out.push(0);
        let offset = self.next_offset();
        self.count += 1;
        offset
    }

    /// The batch, with length, count and checksum in place.
    pub fn finish(mut self) -> Batch {
        assert!(self.count > 0, "a batch has at least one record");
        let length = (self.bytes.len() - LOG_OVERHEAD) as i32;
        self.bytes[LENGTH_AT..LENGTH_AT + 4].copy_from_slice(&length.to_be_bytes());
        let delta = (self.count - 1).to_be_bytes();
        self.bytes[LAST_OFFSET_DELTA_AT..LAST_OFFSET_DELTA_AT + 4].copy_from_slice(&delta);
        self.bytes[COUNT_AT..COUNT_AT + 4].copy_from_slice(&self.count.to_be_bytes());
        let checksum = crc32c::crc32c(&self.bytes[ATTRIBUTES_AT..]);
        self.bytes[CRC_AT..CRC_AT + 4].copy_from_slice(&checksum.to_be_bytes());
        Batch::framed(Bytes::from(self.bytes))
    }
}

/// Length of a record after its length field: attributes, timestamp delta 0, offset delta, key, value, header count 0.
fn body_length(index: i32, key: Option<usize>, value: Option<usize>) -> usize {
    let field = |length: Option<usize>| match length {
        None => varint_len(-1),
        Some(length) => varint_len(length as i32) + length,
    };
    1 + 1 + varint_len(index) + field(key) + field(value) + 1
}
