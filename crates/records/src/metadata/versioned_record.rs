//! [`VersionedRecord`]: a record and the version it is written in.

use super::{MetadataRecord, RecordKind};
use crate::visit::Visitor;
use crate::wire::{Path, Reader, write_uvarint};
use crate::{DecodeError, EncodeError};

/// The frame that every release since 3.0 writes around a record.
const FRAME_VERSION: u32 = 1;

/// A metadata record with the version of its schema: Kafka's `ApiMessageAndVersion`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionedRecord {
    /// Version of the record's schema.
    pub version: i16,
    pub record: MetadataRecord,
}

impl VersionedRecord {
    /// `record` in `version`.
    pub fn new(version: i16, record: impl Into<MetadataRecord>) -> Self {
        Self {
            version,
            record: record.into(),
        }
    }

    /// Appends frame version, api key, version and body to `out`, which is unchanged after an error.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let Ok(version) = u32::try_from(self.version) else {
            return Err(EncodeError::NegativeVersion {
                record: self.record.name(),
                version: self.version,
            });
        };
        let start = out.len();
        write_uvarint(out, FRAME_VERSION);
        write_uvarint(out, self.record.api_key());
        write_uvarint(out, version);
        self.record
            .write(self.version, out)
            .inspect_err(|_| out.truncate(start))
    }

    /// How many bytes [`encode`](Self::encode) appends.
    pub fn encoded_len(&self) -> Result<usize, EncodeError> {
        let mut out = Vec::new();
        self.encode(&mut out)?;
        Ok(out.len())
    }

    /// Reads the value of one data record; all bytes must belong to it.
    ///
    /// As in Kafka, a version beyond the newest known one reads like the newest, new tagged fields kept as unknown.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::decode_with(Reader::new(bytes))
    }

    /// The same, but strings may be longer than 32767 bytes: a record that can be held and not be written.
    pub fn decode_unwritable(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::decode_with(Reader::of_any_strings(bytes))
    }

    fn decode_with(mut reader: Reader<'_>) -> Result<Self, DecodeError> {
        let frame_version = reader.uvarint(&Path::Root("frame version"))?;
        if frame_version != FRAME_VERSION {
            return Err(DecodeError::FrameVersion {
                found: frame_version,
            });
        }
        let position = reader.position();
        let api_key = reader.uvarint(&Path::Root("api key"))?;
        let kind = RecordKind::from_api_key(api_key).ok_or(DecodeError::UnknownRecordType {
            position,
            found: api_key,
        })?;
        let position = reader.position();
        let version = reader.uvarint(&Path::Root("record version"))?;
        let version = i16::try_from(version).map_err(|_| DecodeError::InvalidValue {
            position,
            what: "record version".to_owned(),
            expected: "at most 32767",
            found: version.to_string(),
        })?;
        let record = kind.read(version, &mut reader)?;
        reader.finish(&Path::Root(kind.name()))?;
        Ok(Self { version, record })
    }

    /// Shows the record's fields as they stand in its version.
    pub fn accept(&self, visitor: &mut dyn Visitor) {
        self.record.accept(self.version, visitor);
    }
}
