//! Messages as bytes, in the version that two releases would talk in.
//!
//! The only module of the house that knows the kafka-protocol crate. The crate turns values into bytes and back; it is
//! kept from bytes that it does not take care with (it allocates what a length claims, and lets tagged fields run into
//! each other) and from versions that it lacks:
//!
//! * [`decode`] first walks the bytes by our own table of what stands where: every length is checked against what is
//!   left, and every error names position and field. Unknown tagged fields are taken out and kept beside the message.
//!   What the crate then reads it can only read in one way.
//! * Fetch 0–3 (3.9 only), `AddRaftVoter` 1 and `ApiVersions` 5 are written and read as the nearest version that it
//!   has, and their bytes fitted: fields put in or taken out, exactly.
//!
//! What a version cannot say is lost on the way, as in Kafka: the other side reads the default (no directory, no
//! endpoint, −1). Two things are refused instead ([`EncodeError::Unsupported`]), because Kafka's schemas do not let
//! them be ignored: a pre-vote before Vote 2, and an early answer before `AddRaftVoter` 1. What raft leaves alone
//! (throttle times, fetch sessions, racks, aborted transactions, error texts of `DescribeQuorum`, the list of APIs in
//! `ApiVersions`) is written with its default and not looked at when read.
//!
//! Reading order: [`Api`], [`Kind`], [`Message`]; [`version_for`]; [`encode`], [`decode`] and their `_keeping` forms;
//! [`frame`] (headers and sizes); [`visit`] (bytes as named fields); [`as_sent`] (what a server makes of an answer). Inside: `schema` (the table), `walk` (checks,
//! rewrites, shows), `convert` (our messages and the crate's).
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
mod convert;
mod error;
pub mod frame;
mod message;
mod schema;
mod sent;
mod unknown;
mod version;
mod walk;

use bytes::Bytes;
use records::visit::Visitor;

use schema::Shape;
use walk::{Path, Rewriter, Sink, Spare, Visiting, walk};

pub use api::{Api, Kind, Side};
pub use error::{DecodeError, EncodeError};
pub use message::{
    ControllerRegistrationRequest, ControllerRegistrationResponse, Message, RegisteredFeature,
    RegisteredListener,
};
pub use sent::as_sent;
pub use unknown::UnknownTaggedFields;
pub use version::version_for;

/// The bytes of a message in a version, without header.
pub fn encode(message: &Message, version: i16) -> Result<Bytes, EncodeError> {
    encode_keeping(message, version, &UnknownTaggedFields::none())
}

/// As [`encode`], with tagged fields put in that its schema does not know.
pub fn encode_keeping(
    message: &Message,
    version: i16,
    unknown: &UnknownTaggedFields,
) -> Result<Bytes, EncodeError> {
    let kind = message.kind();
    if !version::exists(kind.api, version) {
        let api = kind.api;
        return Err(EncodeError::NoSuchVersion { api, version });
    }
    version::check_sayable(message, version)?;
    let in_library = version::in_library(kind, version);
    let bytes = Bytes::from(convert::encode(message, in_library)?);
    if in_library == version && unknown.is_empty() {
        return Ok(bytes);
    }
    let mut rewriter = Rewriter::new(kind, version, version::spare_of(message), unknown);
    walk(kind, in_library, &bytes, 0, &mut rewriter)
        .expect("what the library wrote is as the table says");
    Ok(rewriter.finish()?.into())
}

/// The message that bytes without header hold, all of them.
pub fn decode(kind: Kind, version: i16, bytes: &Bytes) -> Result<Message, DecodeError> {
    decode_keeping(kind, version, bytes).map(|(message, _)| message)
}

/// As [`decode`], with the tagged fields that its schema does not know.
pub fn decode_keeping(
    kind: Kind,
    version: i16,
    bytes: &Bytes,
) -> Result<(Message, UnknownTaggedFields), DecodeError> {
    decode_from(kind, version, bytes, 0)
}

/// As [`decode_keeping`], of a message that begins at `position`.
fn decode_from(
    kind: Kind,
    version: i16,
    bytes: &Bytes,
    position: usize,
) -> Result<(Message, UnknownTaggedFields), DecodeError> {
    if !version::exists(kind.api, version) {
        let api = kind.api;
        return Err(DecodeError::NoSuchVersion { api, version });
    }
    let mut survey = Survey { unknown: 0 };
    walk(kind, version, bytes, position, &mut survey)?;
    let in_library = version::in_library(kind, version);
    let nothing = UnknownTaggedFields::none();
    if in_library == version && survey.unknown == 0 {
        let spare = Spare::default();
        let message = convert::decode(kind, version, bytes.slice(position..), &spare)?;
        return Ok((message, nothing));
    }
    let mut rewriter = Rewriter::new(kind, in_library, version::defaults(), &nothing);
    walk(kind, version, bytes, position, &mut rewriter)?;
    let unknown = std::mem::take(&mut rewriter.taken);
    let spare = std::mem::take(&mut rewriter.spare);
    let body = Bytes::from(rewriter.out);
    let message = convert::decode(kind, in_library, body, &spare)?;
    Ok((message, unknown))
}

/// Shows the fields of a message without header to a visitor, with the names of Kafka's JSON; unknown tagged fields are
/// not shown. An error may come after some fields were shown.
pub fn visit(
    kind: Kind,
    version: i16,
    bytes: &Bytes,
    visitor: &mut dyn Visitor,
) -> Result<(), DecodeError> {
    if !version::exists(kind.api, version) {
        let api = kind.api;
        return Err(DecodeError::NoSuchVersion { api, version });
    }
    walk(kind, version, bytes, 0, &mut Visiting(visitor))
}

/// Looks only whether there are unknown tagged fields.
struct Survey {
    unknown: usize,
}

impl Sink for Survey {
    fn begin_struct(&mut self, _: &'static Shape) {}

    fn unknown(&mut self, _: &Path<'_>, _: u32, _: Bytes) {
        self.unknown += 1;
    }
}
