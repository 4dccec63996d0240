//! What can be wrong with bytes that are read, and with values that are written.

use std::fmt;

/// Bytes that are not what they should be. Positions count from the first byte handed to the decoder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes end inside a value.
    #[error("byte {position}: {what}: expected {expected} more bytes, found {found}")]
    UnexpectedEnd {
        /// Where the value starts.
        position: usize,
        /// The field by its path, `PartitionRecord.replicas[0]`, or the part that was being read.
        what: String,
        /// How many bytes it still needs.
        expected: u64,
        /// How many are left.
        found: usize,
    },
    /// A value that its place does not allow.
    #[error("byte {position}: {what}: expected {expected}, found {found}")]
    InvalidValue {
        /// Where the value starts.
        position: usize,
        /// The field by its path, `PartitionRecord.replicas[0]`, or the part that was being read.
        what: String,
        /// What would have been right.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// Frame version 0, of the preview that 2.8 shipped, or one that no release writes.
    #[error("byte 0: frame version: expected 1, found {found}{}", preview(*found))]
    FrameVersion {
        /// The frame version.
        found: u32,
    },
    /// No metadata record has this api key.
    #[error(
        "byte {position}: api key: expected a metadata record type, found unknown type {found}"
    )]
    UnknownRecordType {
        /// Where the api key starts.
        position: usize,
        /// The api key.
        found: u32,
    },
    /// Bytes after the last field.
    #[error("byte {position}: expected the end of {what}, found {found} more bytes")]
    TrailingBytes {
        /// Where the value ended.
        position: usize,
        /// What was read.
        what: String,
        /// How many bytes follow.
        found: usize,
    },
}

fn preview(frame_version: u32) -> &'static str {
    if frame_version == 0 {
        " (the preview format of 2.8, which cannot be upgraded)"
    } else {
        ""
    }
}

impl DecodeError {
    /// Where the trouble starts, in bytes from the first one handed to the decoder.
    pub fn position(&self) -> usize {
        match self {
            DecodeError::UnexpectedEnd { position, .. }
            | DecodeError::InvalidValue { position, .. }
            | DecodeError::UnknownRecordType { position, .. }
            | DecodeError::TrailingBytes { position, .. } => *position,
            DecodeError::FrameVersion { .. } => 0,
        }
    }

    /// What would have been right, in words.
    pub fn expected(&self) -> String {
        match self {
            DecodeError::UnexpectedEnd { what, expected, .. } => {
                format!("{expected} more bytes of {what}")
            }
            DecodeError::InvalidValue { what, expected, .. } => format!("{expected} as {what}"),
            DecodeError::FrameVersion { .. } => "frame version 1".to_owned(),
            DecodeError::UnknownRecordType { .. } => "the api key of a metadata record".to_owned(),
            DecodeError::TrailingBytes { what, .. } => format!("the end of {what}"),
        }
    }

    /// What stands there, in words.
    pub fn found(&self) -> String {
        match self {
            DecodeError::UnexpectedEnd { found, .. } => format!("{found} bytes"),
            DecodeError::InvalidValue { found, .. } => found.clone(),
            DecodeError::FrameVersion { found } => format!("{found}{}", preview(*found)),
            DecodeError::UnknownRecordType { found, .. } => format!("unknown type {found}"),
            DecodeError::TrailingBytes { found, .. } => format!("{found} more bytes"),
        }
    }
}

/// A value that its version cannot carry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// A field that the version does not have holds something else than its default.
    #[error(
        "{record}: field {field} exists since version {since}; version {version} cannot carry a non-default value"
    )]
    FieldNotInVersion {
        /// The record or struct.
        record: &'static str,
        /// The field, by its JSON name.
        field: &'static str,
        /// First version with the field.
        since: i16,
        /// The version asked for.
        version: i16,
    },
    /// A text longer than 32767 bytes.
    #[error("field {field}: a string holds at most 32767 bytes, found {len}")]
    StringTooLong {
        /// The field, by its JSON name.
        field: &'static str,
        /// Its length in bytes.
        len: usize,
    },
    /// An array or byte string whose length does not fit the format.
    #[error("field {field}: {len} is more than the format can count")]
    TooLong {
        /// The field, by its JSON name.
        field: &'static str,
        len: usize,
    },
    /// Unknown tagged fields that cannot stand beside the known ones.
    #[error("{record}: unknown tagged field {tag}: {problem}")]
    UnknownTag {
        /// The record or struct.
        record: &'static str,
        tag: u32,
        /// What is wrong with it.
        problem: TagProblem,
    },
    /// Versions are not negative.
    #[error("{record}: version {version} does not exist")]
    NegativeVersion {
        record: &'static str,
        /// The version asked for.
        version: i16,
    },
}

/// Why an unknown tagged field cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagProblem {
    /// The schema has a field of this tag.
    Known,
    /// It does not come after the tag before it.
    Order,
}

impl TagProblem {
    /// The end of an error message.
    pub const fn reason(self) -> &'static str {
        match self {
            TagProblem::Known => "the schema has a field of this tag",
            TagProblem::Order => "tags must ascend",
        }
    }
}

impl fmt::Display for TagProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}
