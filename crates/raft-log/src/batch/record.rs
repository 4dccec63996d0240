//! The records of a batch.

use std::fmt;

use bytes::Bytes;
use records::control::ControlRecord;
use records::metadata::VersionedRecord;

use super::{BATCH_OVERHEAD, Batch};
use crate::Corrupt;
use crate::varint::{read_varint, read_varlong};

/// One record as it stands in a batch; key and value share the batch's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordView {
    /// The record's offset: base offset of the batch plus its place.
    pub offset: i64,
    /// Position of the record's length field within the batch.
    pub position: usize,
    /// Offset delta as written, which Kafka's reader does not look at.
    pub offset_delta: i32,
    /// Position of the value's first byte within the batch.
    pub value_position: usize,
    /// Key, absent in data records.
    pub key: Option<Bytes>,
    pub value: Option<Bytes>,
}

impl RecordView {
    /// The record as one of metadata, as Kafka's reader wants it: no key, and a value in the frame of metadata records.
    pub(crate) fn data(&self, batch: &Batch) -> Result<VersionedRecord, RecordError> {
        if self.key.is_some() {
            return Err(record_error(
                batch,
                self.position,
                "a data record without a key",
                "a key",
            ));
        }
        self.value_as_data(batch)
    }

    /// The record as one of raft's own.
    pub(crate) fn control(&self, batch: &Batch) -> Result<ControlRecord, RecordError> {
        const KEY_LENGTH: usize = 4;
        let found = self.key.as_ref().map_or(0, Bytes::len);
        let key = self
            .key
            .as_ref()
            .filter(|key| key.len() >= KEY_LENGTH)
            .ok_or_else(|| {
                let expected = format!("a control record with a key of {KEY_LENGTH} bytes");
                record_error(batch, self.position, &expected, format!("{found} bytes"))
            })?;
        let value = self.value_of(batch)?;
        ControlRecord::decode(key, value).map_err(|error| {
            let position = self.value_position + error.position();
            record_error(batch, position, &error.expected(), error.found())
        })
    }

    /// The value alone as a metadata record, whatever the key.
    pub(crate) fn value_as_data(&self, batch: &Batch) -> Result<VersionedRecord, RecordError> {
        let value = self.value_of(batch)?;
        VersionedRecord::decode(value).map_err(|error| {
            let position = self.value_position + error.position();
            record_error(batch, position, &error.expected(), error.found())
        })
    }

    fn value_of(&self, batch: &Batch) -> Result<&Bytes, RecordError> {
        self.value
            .as_ref()
            .filter(|value| !value.is_empty())
            .ok_or_else(|| record_error(batch, self.position, "a record with a value", "none"))
    }
}

fn record_error(
    batch: &Batch,
    position: usize,
    expected: &str,
    found: impl Into<String>,
) -> RecordError {
    let (expected, found) = (expected.to_owned(), found.into());
    RecordError {
        base_offset: batch.base_offset(),
        position,
        expected,
        found,
    }
}

/// A record that cannot be read, by its place in the batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// Base offset of the batch.
    pub base_offset: i64,
    /// Position within the batch.
    pub position: usize,
    /// What belongs there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl RecordError {
    /// The same error as one of a file, in which the batch stands at `batch_position`.
    pub fn in_file(self, file: &str, batch_position: u64) -> Corrupt {
        let position = batch_position + self.position as u64;
        Corrupt::invalid(file, position, self.expected, self.found)
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecordError {
            base_offset,
            position,
            expected,
            found,
        } = self;
        write!(
            f,
            "batch at offset {base_offset}: byte {position}: expected {expected}, found {found}"
        )
    }
}

impl std::error::Error for RecordError {}

/// What a reader wants of records beyond their structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordRules {
    /// Log and checkpoints (4.4:raft/…/RecordsIterator.java): timestamp delta 0, no headers.
    Raft,
    /// `bootstrap.checkpoint` (4.4:clients/…/DefaultRecord.java): any timestamp, and headers may stand there.
    Plain,
}

/// Iterator over the records of a batch. Yields one error and ends where a record cannot be read.
#[derive(Clone, Debug)]
pub struct Records {
    batch: Batch,
    rules: RecordRules,
    position: usize,
    index: i32,
    ended: bool,
}

impl Records {
    pub(super) fn new(batch: &Batch, rules: RecordRules) -> Records {
        Records {
            batch: batch.clone(),
            rules,
            position: BATCH_OVERHEAD,
            index: 0,
            ended: false,
        }
    }

    fn error(&self, position: usize, expected: &str, found: impl Into<String>) -> RecordError {
        record_error(&self.batch, position, expected, found)
    }

    fn check_header(&self) -> Result<(), RecordError> {
        if self.batch.compression() != 0 {
            let found = format!("compression codec {}", self.batch.compression());
            return Err(self.error(super::ATTRIBUTES_AT, "uncompressed records", found));
        }
        if self.batch.count() < 0 {
            let found = self.batch.count().to_string();
            return Err(self.error(super::COUNT_AT, "a record count", found));
        }
        Ok(())
    }

    /// A length-prefixed field that must end by `end`; a negative length means that it is absent.
    fn field(
        &self,
        at: usize,
        end: usize,
        what: &str,
    ) -> Result<(Option<Bytes>, usize), RecordError> {
        let bytes = self.batch.bytes();
        let (length, used) = read_varint(&bytes[at..end])
            .ok_or_else(|| self.error(at, &format!("the length of the {what}"), "no varint"))?;
        let start = at + used;
        let Ok(length) = usize::try_from(length) else {
            return Ok((None, start));
        };
        if length > end - start {
            let expected = format!("a {what} that ends by byte {end}");
            return Err(self.error(
                at,
                &expected,
                format!("{length} bytes from byte {start} on"),
            ));
        }
        Ok((Some(bytes.slice(start..start + length)), start + length))
    }

    /// Headers, which must end the record. Raft's reader takes the record's last byte for their count and wants none.
    fn check_headers(&self, at: usize, end: usize) -> Result<(), RecordError> {
        let bytes = self.batch.bytes();
        let (count, used) = read_varint(&bytes[at..end])
            .ok_or_else(|| self.error(at, "the number of headers", "no varint"))?;
        let mut position = at + used;
        if count < 0 || (count > 0 && self.rules == RecordRules::Raft) {
            return Err(self.error(at, "header count 0", count.to_string()));
        }
        for _ in 0..count {
            let (key, value_at) = self.field(position, end, "header key")?;
            if key.is_none() {
                return Err(self.error(position, "a header key", "a negative length"));
            }
            position = self.field(value_at, end, "header value")?.1;
        }
        if position != end {
            let found = format!("{} more bytes", end - position);
            return Err(self.error(position, "the end of the record", found));
        }
        Ok(())
    }

    fn next_record(&self) -> Result<(RecordView, usize), RecordError> {
        let bytes = self.batch.bytes();
        let at = self.position;
        let (length, used) = read_varint(&bytes[at..])
            .ok_or_else(|| self.error(at, "the length of a record", "no varint"))?;
        let body = at + used;
        let end = usize::try_from(length)
            .ok()
            .filter(|length| *length > 0 && *length <= bytes.len() - body)
            .map(|length| body + length)
            .ok_or_else(|| {
                let expected = format!("a record of 1 to {} bytes", bytes.len() - body);
                self.error(at, &expected, length.to_string())
            })?;
        // One byte of attributes, which Kafka does not look at.
        let deltas = body + 1;
        let (timestamp_delta, used) = read_varlong(&bytes[deltas..end])
            .ok_or_else(|| self.error(deltas, "a timestamp delta", "no varint"))?;
        if timestamp_delta != 0 && self.rules == RecordRules::Raft {
            return Err(self.error(deltas, "timestamp delta 0", timestamp_delta.to_string()));
        }
        let offset_at = deltas + used;
        let (offset_delta, used) = read_varint(&bytes[offset_at..end])
            .ok_or_else(|| self.error(offset_at, "an offset delta", "no varint"))?;
        let (key, value_at) = self.field(offset_at + used, end, "key")?;
        let (value, headers_at) = self.field(value_at, end, "value")?;
        let value_position = headers_at - value.as_ref().map_or(0, Bytes::len);
        self.check_headers(headers_at, end)?;
        let offset = self.batch.base_offset().wrapping_add(i64::from(self.index));
        let view = RecordView {
            offset,
            position: at,
            offset_delta,
            value_position,
            key,
            value,
        };
        Ok((view, end))
    }
}

impl Iterator for Records {
    type Item = Result<RecordView, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        if self.index == 0
            && let Err(error) = self.check_header()
        {
            self.ended = true;
            return Some(Err(error));
        }
        let size = self.batch.size();
        if self.index == self.batch.count() {
            self.ended = true;
            // Kafka reads as many records as the header counts and no further; bytes after them are lost to it, which
            // the CRC keeps from happening by accident.
            return (self.position < size).then(|| {
                let found = format!("{} more bytes", size - self.position);
                Err(self.error(self.position, "the end of the batch", found))
            });
        }
        match self.next_record() {
            Ok((view, end)) => {
                self.index += 1;
                self.position = end;
                Some(Ok(view))
            }
            Err(error) => {
                self.ended = true;
                Some(Err(error))
            }
        }
    }
}
