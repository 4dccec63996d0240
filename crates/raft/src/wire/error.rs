use raft_log::batch::CorruptBatch;

use super::{Api, Kind};
use crate::message::UnsupportedVersion;

/// A message that a version cannot carry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// No release speaks this version of the API.
    #[error("{api} has no version {version}")]
    NoSuchVersion {
        /// The API.
        api: Api,
        /// The version asked for.
        version: i16,
    },
    /// A frame's header announces another message than the frame holds.
    #[error("the header announces {expected}, the message is {found}")]
    OtherMessage {
        /// By the header.
        expected: Kind,
        /// In the frame.
        found: Kind,
    },
    /// It says what the version cannot say.
    #[error(transparent)]
    Unsupported(#[from] UnsupportedVersion),
    /// A text, array or byte string is longer than the format can say.
    #[error("{kind}: {reason}")]
    TooLong {
        /// The message.
        kind: Kind,
        /// What is too long.
        reason: String,
    },
    /// An unknown tagged field has no place: no such struct in the message, no tagged fields in the version, a tag
    /// that the schema has, or tags that do not ascend.
    #[error("{kind}: unknown tagged field {tag} within \"{within}\" has no place: {reason}")]
    UnknownTag {
        /// The message.
        kind: Kind,
        /// The struct it should stand in.
        within: String,
        /// Its tag.
        tag: u32,
        /// Why not.
        reason: &'static str,
    },
}

/// Bytes that are not the message they should be. Positions count from the first byte handed in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No release speaks this version of the API.
    #[error("{api} has no version {version}")]
    NoSuchVersion {
        /// The API.
        api: Api,
        /// The version.
        version: i16,
    },
    /// No API that passes over this wire has the number.
    #[error("byte {position}: expected the number of an API, found {found}")]
    NoSuchApi {
        /// Where the number stands.
        position: usize,
        /// The number.
        found: i16,
    },
    /// The bytes end inside a value.
    #[error("byte {position}: {field}: expected {expected} more bytes, found {found}")]
    UnexpectedEnd {
        /// Where the value starts.
        position: usize,
        /// The field, by its path: `VoteRequest.topics[0].topicName`.
        field: String,
        /// How many bytes it needs.
        expected: u64,
        /// How many are left.
        found: usize,
    },
    /// A value that its place does not allow.
    #[error("byte {position}: {field}: expected {expected}, found {found}")]
    InvalidValue {
        /// Where the value starts.
        position: usize,
        /// The field, by its path.
        field: String,
        /// What would have been right.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// Bytes after the last field.
    #[error("byte {position}: expected the end of {what}, found {found} more bytes")]
    TrailingBytes {
        /// Where the end should be.
        position: usize,
        /// What should end.
        what: String,
        /// How many bytes follow.
        found: usize,
    },
    /// A frame that is larger than the receiver allows, or of negative size.
    #[error("byte 0: expected a frame of at most {limit} bytes, found {found}")]
    FrameSize {
        /// The limit.
        limit: usize,
        /// The size it claims.
        found: i32,
    },
    /// A message in order, but not one of raft's: another topic, several partitions, a port that is none.
    #[error("{field}: expected {expected}, found {found}")]
    Content {
        /// The field, by its path.
        field: String,
        /// What raft takes.
        expected: &'static str,
        /// What it says.
        found: String,
    },
    /// The batches in a fetch response are damaged. Positions count from the first batch.
    #[error("FetchResponse.responses[0].partitions[0].records: {0}")]
    Records(#[from] CorruptBatch),
    /// The library refused what the check let pass.
    #[error("{kind}: {reason}")]
    Refused {
        /// The message.
        kind: Kind,
        /// In the library's words.
        reason: String,
    },
}

impl DecodeError {
    /// Where the trouble starts, where that is known.
    pub fn position(&self) -> Option<usize> {
        match self {
            DecodeError::NoSuchApi { position, .. }
            | DecodeError::UnexpectedEnd { position, .. }
            | DecodeError::InvalidValue { position, .. }
            | DecodeError::TrailingBytes { position, .. } => Some(*position),
            DecodeError::FrameSize { .. } => Some(0),
            DecodeError::NoSuchVersion { .. }
            | DecodeError::Content { .. }
            | DecodeError::Records(_)
            | DecodeError::Refused { .. } => None,
        }
    }
}
