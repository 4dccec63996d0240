//! Any message to its bytes or to a visitor, and back: which type belongs to which API and side, once.

use bytes::Bytes;
use records::TaggedFields;
use records::visit::Visitor;
use records::wire::{Described, Encoding, Path, Reader};

use super::api::{Api, Kind, Side};
use super::error::{DecodeError, EncodeError};
use super::message::Message;
use super::unknown::UnknownTaggedFields;
use super::version;
use crate::message::{
    AddRaftVoterRequest, ApiKey, ApiVersionsRequest, ApiVersionsResponse, BeginQuorumEpochRequest,
    ControllerRegistrationRequest, ControllerRegistrationResponse, DescribeQuorumRequest,
    DescribeQuorumResponse, EndQuorumEpochRequest, FetchRequest, FetchResponse,
    FetchSnapshotRequest, FetchSnapshotResponse, QuorumEpochResponse, RemoveRaftVoterRequest,
    Request, Response, Rpc, UpdateRaftVoterRequest, UpdateRaftVoterResponse, VoteRequest,
    VoteResponse, VoterChangeResponse,
};

/// Room for a message without batches.
pub(super) const USUAL_BYTES: usize = 256;

/// Something to do with the type of a message.
pub(super) trait Task {
    type Out;

    fn run<R: Rpc>(self, into_message: fn(R) -> Message) -> Self::Out;
}

/// Something to do with a message as its own type.
trait OnMessage {
    type Out;

    fn run<R: Rpc>(self, message: &R) -> Self::Out;
}

/// The type of each message, and where it stands in [`Message`].
macro_rules! messages {
    ($($api:pat, $side:ident: $type:ident = |$it:ident| { $($message:tt)* } of $own:expr;)*) => {
        /// Does something with the type that a kind has.
        pub(super) fn with_type<T: Task>(kind: Kind, task: T) -> T::Out {
            match (kind.api, kind.side) {
                $(($api, Side::$side) => task.run::<$type>(|$it| $($message)*),)*
            }
        }

        fn with_message<T: OnMessage>(message: &Message, task: T) -> T::Out {
            match message {
                $($($message)* => {
                    let $it: &$type = $own;
                    task.run($it)
                })*
            }
        }
    };
}

messages! {
    Api::Raft(ApiKey::Vote), Request: VoteRequest = |it| { Message::Request(Request::Vote(it)) } of it;
    Api::Raft(ApiKey::Vote), Response: VoteResponse = |it| { Message::Response(Response::Vote(it)) } of it;
    Api::Raft(ApiKey::BeginQuorumEpoch), Request: BeginQuorumEpochRequest = |it| { Message::Request(Request::BeginQuorumEpoch(it)) } of it;
    Api::Raft(ApiKey::BeginQuorumEpoch), Response: QuorumEpochResponse = |it| { Message::Response(Response::BeginQuorumEpoch(it)) } of it;
    Api::Raft(ApiKey::EndQuorumEpoch), Request: EndQuorumEpochRequest = |it| { Message::Request(Request::EndQuorumEpoch(it)) } of it;
    Api::Raft(ApiKey::EndQuorumEpoch), Response: QuorumEpochResponse = |it| { Message::Response(Response::EndQuorumEpoch(it)) } of it;
    Api::Raft(ApiKey::Fetch), Request: FetchRequest = |it| { Message::Request(Request::Fetch(it)) } of it;
    Api::Raft(ApiKey::Fetch), Response: FetchResponse = |it| { Message::Response(Response::Fetch(it)) } of it;
    Api::Raft(ApiKey::FetchSnapshot), Request: FetchSnapshotRequest = |it| { Message::Request(Request::FetchSnapshot(it)) } of it;
    Api::Raft(ApiKey::FetchSnapshot), Response: FetchSnapshotResponse = |it| { Message::Response(Response::FetchSnapshot(it)) } of it;
    Api::Raft(ApiKey::ApiVersions), Request: ApiVersionsRequest = |_it| { Message::Request(Request::ApiVersions) } of &ApiVersionsRequest;
    Api::Raft(ApiKey::ApiVersions), Response: ApiVersionsResponse = |it| { Message::Response(Response::ApiVersions(it)) } of it;
    Api::Raft(ApiKey::AddRaftVoter), Request: AddRaftVoterRequest = |it| { Message::Request(Request::AddRaftVoter(it)) } of it;
    Api::Raft(ApiKey::AddRaftVoter), Response: VoterChangeResponse = |it| { Message::Response(Response::AddRaftVoter(it)) } of it;
    Api::Raft(ApiKey::RemoveRaftVoter), Request: RemoveRaftVoterRequest = |it| { Message::Request(Request::RemoveRaftVoter(it)) } of it;
    Api::Raft(ApiKey::RemoveRaftVoter), Response: VoterChangeResponse = |it| { Message::Response(Response::RemoveRaftVoter(it)) } of it;
    Api::Raft(ApiKey::UpdateRaftVoter), Request: UpdateRaftVoterRequest = |it| { Message::Request(Request::UpdateRaftVoter(it)) } of it;
    Api::Raft(ApiKey::UpdateRaftVoter), Response: UpdateRaftVoterResponse = |it| { Message::Response(Response::UpdateRaftVoter(it)) } of it;
    Api::Raft(ApiKey::DescribeQuorum), Request: DescribeQuorumRequest = |_it| { Message::Request(Request::DescribeQuorum) } of &DescribeQuorumRequest {};
    Api::Raft(ApiKey::DescribeQuorum), Response: DescribeQuorumResponse = |it| { Message::Response(Response::DescribeQuorum(it)) } of it;
    Api::ControllerRegistration, Request: ControllerRegistrationRequest = |it| { Message::ControllerRegistrationRequest(it) } of it;
    Api::ControllerRegistration, Response: ControllerRegistrationResponse = |it| { Message::ControllerRegistrationResponse(it) } of it;
}

struct Write<'a> {
    kind: Kind,
    version: i16,
    unknown: &'a UnknownTaggedFields,
    out: &'a mut Vec<u8>,
}

impl OnMessage for Write<'_> {
    type Out = Result<(), EncodeError>;

    fn run<R: Rpc>(self, message: &R) -> Self::Out {
        let (kind, version) = (self.kind, self.version);
        let mut form = message.to_form(version);
        if !self.unknown.is_empty() {
            put_unknown(&mut form, kind, version, self.unknown)?;
        }
        let written = form.write_fields(kind.api.layout(version), self.out);
        written.map_err(|error| EncodeError::of(kind, version, &error))
    }
}

/// Puts unknown tagged fields into the structs that they name.
fn put_unknown<F: Described>(
    form: &mut F,
    kind: Kind,
    version: i16,
    unknown: &UnknownTaggedFields,
) -> Result<(), EncodeError> {
    let layout = kind.api.layout(version);
    let mut placed: Vec<String> = Vec::new();
    let mut misplaced = None;
    let mut put = |at: &Path<'_>, schema, fields: &mut TaggedFields| {
        let within = at.within();
        let Some((_, given)) = unknown.iter().find(|(place, _)| *place == within) else {
            return;
        };
        if let Some((tag, problem)) = given.problem(schema) {
            misplaced.get_or_insert((within.clone(), tag, problem.reason()));
        }
        *fields = given.clone();
        placed.push(within);
    };
    if layout.encoding == Encoding::Flexible {
        form.each_struct(&Path::Root(kind.name()), layout, &mut put);
    }
    let nowhere = unknown
        .iter()
        .find(|(place, _)| !placed.iter().any(|within| within == place));
    if let Some((within, fields)) = nowhere {
        let tag = fields.as_slice().first().map_or(0, |field| field.tag);
        misplaced = Some((within.to_owned(), tag, "no such struct with tagged fields"));
    }
    match misplaced {
        None => Ok(()),
        Some((within, tag, reason)) => Err(EncodeError::UnknownTag {
            kind,
            within,
            tag,
            reason,
        }),
    }
}

struct Read<'a> {
    kind: Kind,
    version: i16,
    bytes: &'a Bytes,
    position: usize,
}

impl<'a> Read<'a> {
    fn of(
        kind: Kind,
        version: i16,
        bytes: &'a Bytes,
        position: usize,
    ) -> Result<Self, DecodeError> {
        if !version::exists(kind.api, version) {
            let api = kind.api;
            return Err(DecodeError::NoSuchVersion { api, version });
        }
        Ok(Read {
            kind,
            version,
            bytes,
            position,
        })
    }

    fn form<F: Described>(&self) -> Result<F, DecodeError> {
        let root = Path::Root(self.kind.name());
        let mut reader = Reader::shared(self.bytes, self.position);
        let form = F::read_fields(&root, self.kind.api.layout(self.version), &mut reader)?;
        reader.finish(&root)?;
        Ok(form)
    }
}

impl Task for Read<'_> {
    type Out = Result<(Message, UnknownTaggedFields), DecodeError>;

    fn run<R: Rpc>(self, into_message: fn(R) -> Message) -> Self::Out {
        let (kind, version) = (self.kind, self.version);
        let mut form: R::Form = self.form()?;
        let mut unknown = UnknownTaggedFields::none();
        let mut take = |at: &Path<'_>, _, fields: &mut TaggedFields| {
            if !fields.is_empty() {
                unknown.insert(at.within(), std::mem::take(fields));
            }
        };
        form.each_struct(
            &Path::Root(kind.name()),
            kind.api.layout(version),
            &mut take,
        );
        let message = R::of_form(form, version);
        let message = message.map_err(|content| DecodeError::of(kind, content))?;
        Ok((into_message(message), unknown))
    }
}

struct ShowBytes<'a>(Read<'a>, &'a mut dyn Visitor);

impl Task for ShowBytes<'_> {
    type Out = Result<(), DecodeError>;

    fn run<R: Rpc>(self, _: fn(R) -> Message) -> Self::Out {
        let ShowBytes(read, visitor) = self;
        let form: R::Form = read.form()?;
        form.visit_fields(read.kind.api.layout(read.version), visitor);
        Ok(())
    }
}

struct Show<'a>(Kind, i16, &'a mut dyn Visitor);

impl OnMessage for Show<'_> {
    type Out = ();

    fn run<R: Rpc>(self, message: &R) {
        let Show(kind, version, visitor) = self;
        let form = message.to_form(version);
        form.visit_fields(kind.api.layout(version), visitor);
    }
}

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
    let mut out = Vec::with_capacity(USUAL_BYTES);
    encode_onto(message, version, unknown, &mut out)?;
    Ok(out.into())
}

/// As [`encode_keeping`], behind what stands there.
pub(super) fn encode_onto(
    message: &Message,
    version: i16,
    unknown: &UnknownTaggedFields,
    out: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    let kind = message.kind();
    if !version::exists(kind.api, version) {
        let api = kind.api;
        return Err(EncodeError::NoSuchVersion { api, version });
    }
    let write = Write {
        kind,
        version,
        unknown,
        out,
    };
    with_message(message, write)
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
pub(super) fn decode_from(
    kind: Kind,
    version: i16,
    bytes: &Bytes,
    position: usize,
) -> Result<(Message, UnknownTaggedFields), DecodeError> {
    with_type(kind, Read::of(kind, version, bytes, position)?)
}

/// Shows the fields of a message without header to a visitor, with the names of Kafka's JSON; unknown tagged fields are
/// not shown.
pub fn visit(
    kind: Kind,
    version: i16,
    bytes: &Bytes,
    visitor: &mut dyn Visitor,
) -> Result<(), DecodeError> {
    with_type(kind, ShowBytes(Read::of(kind, version, bytes, 0)?, visitor))
}

/// Shows the fields that a message has in a version to a visitor, as [`visit`] shows its bytes.
pub fn show(message: &Message, version: i16, visitor: &mut dyn Visitor) {
    with_message(message, Show(message.kind(), version, visitor));
}
