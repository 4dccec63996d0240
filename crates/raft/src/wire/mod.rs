//! Messages as bytes, in the version that two releases would talk in.
//!
//! What stands in a message is described in [`crate::message`], field by field, once; the description gives the bytes
//! in every version, the names of Kafka's JSON, and what a version cannot say. Every length is checked against what is
//! left before anything is allocated for it, and every error names position and field. Unknown tagged fields are taken
//! out and kept beside the message. Refused are also two things that Kafka lets pass: text that is not UTF-8, and a
//! tagged field that is shorter or longer than its content.
//!
//! What a version cannot say is lost on the way, as in Kafka: the other side reads the default (no directory, no
//! endpoint, −1). Two things are refused instead ([`EncodeError::Unsupported`]), because Kafka's schemas do not let
//! them be ignored: a pre-vote before Vote 2, and an early answer before `AddRaftVoter` 1. What raft leaves alone
//! (throttle times, fetch sessions, racks, aborted transactions, error texts of `DescribeQuorum`, the list of APIs in
//! `ApiVersions`) is written with its default and not looked at when read.
//!
//! Reading order: [`Api`], [`Kind`], [`Message`]; [`version_for`]; [`encode`], [`decode`] and their `_keeping` forms;
//! [`frame`] (headers and sizes); [`visit`] and [`show`] (named fields); [`as_sent`] (what a server makes of an answer).
//! Inside: `codec` (which type belongs to which API and side).
//!
//! ```
//! use raft::message::{Request, VoteRequest};
//! use raft::wire::{self, Api, Message};
//! use raft::message::ApiKey;
//! use records::Uuid;
//! use releases::Release;
//!
//! let (old, new) = ("3.9.2".parse::<Release>()?.rules(), "4.4.0".parse::<Release>()?.rules());
//! let api = Api::from(ApiKey::Vote);
//! let version = wire::version_for(api, &new.raft, &old.raft).ok_or("no common version")?;
//! assert_eq!(version, 1);
//!
//! let vote = VoteRequest {
//!     cluster_id: Some("a3JhZnRzaW0tdGVzdHMtMQ".into()),
//!     voter_id: 2,
//!     replica_epoch: 5,
//!     replica_id: 1,
//!     replica_directory_id: Uuid::ZERO,
//!     voter_directory_id: Uuid::ZERO,
//!     last_offset_epoch: 4,
//!     last_offset: 17,
//!     pre_vote: false,
//! };
//! let message = Message::Request(Request::Vote(vote));
//! let bytes = wire::encode(&message, version)?;
//! assert_eq!(wire::decode(api.request(), version, &bytes)?, message);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod api;
mod codec;
mod error;
pub mod frame;
mod message;
#[cfg(test)]
mod schema_tests;
mod sent;
mod unknown;
mod version;

pub use crate::message::{
    ControllerRegistrationRequest, ControllerRegistrationResponse, RegisteredFeature,
    RegisteredListener,
};
pub use api::{Api, Kind, Side};
pub use codec::{decode, decode_keeping, encode, encode_keeping, show, visit};
pub use error::{DecodeError, EncodeError};
pub use message::Message;
pub use sent::as_sent;
pub use unknown::UnknownTaggedFields;
pub use version::version_for;
