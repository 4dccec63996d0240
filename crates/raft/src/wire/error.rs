use raft_log::batch::CorruptBatch;

use super::api::{Api, Kind};
use crate::message::{Content, UnsupportedVersion};

/// A message that a version cannot carry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// No release speaks this version of the API.
    #[error("{api} has no version {version}")]
    NoSuchVersion {
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
        kind: Kind,
        /// What is too long.
        reason: String,
    },
    /// An unknown tagged field has no place: no such struct in the message, no tagged fields in the version, a tag
    /// that the schema has, or tags that do not ascend.
    #[error("{kind}: unknown tagged field {tag} within \"{within}\" has no place: {reason}")]
    UnknownTag {
        kind: Kind,
        /// The struct it should stand in.
        within: String,
        tag: u32,
        reason: &'static str,
    },
}

/// Bytes that are not the message they should be. Positions count from the first byte handed in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No release speaks this version of the API.
    #[error("{api} has no version {version}")]
    NoSuchVersion { api: Api, version: i16 },
    /// No API that passes over this wire has the number.
    #[error("byte {position}: expected the number of an API, found {found}")]
    NoSuchApi {
        /// Where the number stands.
        position: usize,
        found: i16,
    },
    /// The bytes are not those of such a message.
    #[error(transparent)]
    Malformed(#[from] records::DecodeError),
    /// A frame that is larger than the receiver allows, or of negative size.
    #[error("byte 0: expected a frame of at most {limit} bytes, found {found}")]
    FrameSize {
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
}

impl EncodeError {
    /// What the codec says of a message.
    pub(super) fn of(kind: Kind, version: i16, error: &records::EncodeError) -> Self {
        match (error, kind.api) {
            (records::EncodeError::FieldNotInVersion { .. }, Api::Raft(api)) => {
                EncodeError::Unsupported(UnsupportedVersion { api, version })
            }
            _ => EncodeError::TooLong {
                kind,
                reason: error.to_string(),
            },
        }
    }
}

impl DecodeError {
    /// What raft says of a message in order.
    pub(super) fn of(kind: Kind, content: Content) -> Self {
        match content {
            Content::Field {
                field,
                expected,
                found,
            } => DecodeError::Content {
                field: format!("{kind}.{field}"),
                expected,
                found,
            },
            Content::Records(corrupt) => DecodeError::Records(corrupt),
        }
    }

    /// Where the trouble starts, where that is known.
    pub fn position(&self) -> Option<usize> {
        match self {
            DecodeError::NoSuchApi { position, .. } => Some(*position),
            DecodeError::Malformed(error) => Some(error.position()),
            DecodeError::FrameSize { .. } => Some(0),
            DecodeError::NoSuchVersion { .. }
            | DecodeError::Content { .. }
            | DecodeError::Records(_) => None,
        }
    }
}
