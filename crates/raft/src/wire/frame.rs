//! Messages with size and header, as a connection carries them.
//!
//! ```text
//! request                                    response
//! +------------------------+                 +------------------------+
//! | size             int32 | of what follows | size             int32 |
//! | api key          int16 |                 | correlation id   int32 |
//! | api version      int16 |                 | tagged fields          | header 1
//! | correlation id   int32 |                 +------------------------+
//! | client id  int16, text | −1 for null     | message                |
//! | tagged fields          | header 2        +------------------------+
//! +------------------------+
//! | message                |
//! +------------------------+
//! ```
//!
//! Headers have tagged fields where the message's encoding is flexible, but for the response to `ApiVersions`, which a
//! client must be able to read before it knows what the other side speaks.

use bytes::{Buf as _, Bytes, BytesMut};
use records::TaggedFields;
use records::wire::{Encoding, Layout, Path, Reader, Wire, read_tagged, write_tagged};

use super::api::Api;
use super::codec::{USUAL_BYTES, decode_from, encode_onto};
use super::error::{DecodeError, EncodeError};
use super::message::Message;
use super::unknown::UnknownTaggedFields;
use super::version;
use crate::message::ApiKey;

/// Bytes of the size before a frame.
const SIZE_BYTES: usize = 4;

/// How large a frame may be, without the four bytes of its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameLimit(pub usize);

impl Default for FrameLimit {
    /// `socket.request.max.bytes`.
    fn default() -> Self {
        FrameLimit(100 * 1024 * 1024)
    }
}

impl FrameLimit {
    /// The size of a frame whose first four bytes these are: to be asked before anything is allocated for it.
    pub fn check(self, size: [u8; SIZE_BYTES]) -> Result<usize, DecodeError> {
        let found = i32::from_be_bytes(size);
        let limit = self.0;
        let size = usize::try_from(found).ok().filter(|size| *size <= limit);
        size.ok_or(DecodeError::FrameSize { limit, found })
    }

    /// Takes the next frame off the front of what came in, without its size; `None` until all of it is there. The error
    /// comes as soon as the size is there.
    pub fn next_frame(self, received: &mut BytesMut) -> Result<Option<Bytes>, DecodeError> {
        let Some(prefix) = received.first_chunk::<SIZE_BYTES>() else {
            return Ok(None);
        };
        let size = self.check(*prefix)?;
        if received.len() - SIZE_BYTES < size {
            return Ok(None);
        }
        received.advance(SIZE_BYTES);
        Ok(Some(received.split_to(size).freeze()))
    }
}

/// What stands before a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestHeader {
    pub api: Api,
    /// The version of the request, and of the response to it.
    pub version: i16,
    /// The sender's number for it; comes back with the response.
    pub correlation_id: i32,
    /// What the sender calls itself.
    pub client_id: Option<String>,
    /// Tagged fields of a newer header.
    pub unknown_tagged_fields: TaggedFields,
}

/// What stands before a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponseHeader {
    /// As in the request.
    pub correlation_id: i32,
    /// Tagged fields of a newer header.
    pub unknown_tagged_fields: TaggedFields,
}

/// A header and its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame<H> {
    pub header: H,
    pub message: Message,
    /// Tagged fields of a newer message.
    pub unknown_tagged_fields: UnknownTaggedFields,
}

impl Frame<RequestHeader> {
    /// The bytes with their size before them. The message must be a request of the header's API.
    pub fn encode(&self) -> Result<Bytes, EncodeError> {
        let header = &self.header;
        let kind = header.api.request();
        if self.message.kind() != kind {
            return Err(EncodeError::OtherMessage {
                expected: kind,
                found: self.message.kind(),
            });
        }
        let mut out = begin();
        out.extend_from_slice(&header.api.code().to_be_bytes());
        out.extend_from_slice(&header.version.to_be_bytes());
        out.extend_from_slice(&header.correlation_id.to_be_bytes());
        let written = header.client_id.write("clientId", HEADER, &mut out);
        written.map_err(|error| EncodeError::TooLong {
            kind,
            reason: error.to_string(),
        })?;
        let encoding = header.api.layout(header.version).encoding;
        write_tagged(&header.unknown_tagged_fields, encoding, &mut out);
        finish(self, header.version, out)
    }

    /// The request in a frame without its size.
    pub fn decode(frame: &Bytes) -> Result<Self, DecodeError> {
        let mut input = Reader::shared(frame, 0);
        let header = read_request_header(&mut input)?;
        let kind = header.api.request();
        let (message, unknown_tagged_fields) =
            decode_from(kind, header.version, frame, input.position())?;
        Ok(Frame {
            header,
            message,
            unknown_tagged_fields,
        })
    }
}

impl Frame<ResponseHeader> {
    /// The bytes with their size before them, in the version of the request.
    pub fn encode(&self, version: i16) -> Result<Bytes, EncodeError> {
        let api = self.message.kind().api;
        let mut out = begin();
        out.extend_from_slice(&self.header.correlation_id.to_be_bytes());
        let encoding = response_header_encoding(api, version);
        write_tagged(&self.header.unknown_tagged_fields, encoding, &mut out);
        finish(self, version, out)
    }

    /// The response in a frame without its size, to a request of `api` in `version`.
    pub fn decode(api: Api, version: i16, frame: &Bytes) -> Result<Self, DecodeError> {
        let mut input = Reader::shared(frame, 0);
        let correlation_id = header_field("correlationId", &mut input)?;
        let unknown = read_unknown(response_header_encoding(api, version), &mut input)?;
        let (message, unknown_tagged_fields) =
            decode_from(api.response(), version, frame, input.position())?;
        Ok(Frame {
            header: ResponseHeader {
                correlation_id,
                unknown_tagged_fields: unknown,
            },
            message,
            unknown_tagged_fields,
        })
    }
}

fn response_header_encoding(api: Api, version: i16) -> Encoding {
    match api {
        Api::Raft(ApiKey::ApiVersions) => Encoding::Plain,
        _ => api.layout(version).encoding,
    }
}

/// Bytes for a frame, with the place of its size.
fn begin() -> Vec<u8> {
    let mut out = Vec::with_capacity(USUAL_BYTES);
    out.resize(SIZE_BYTES, 0);
    out
}

fn finish<H>(frame: &Frame<H>, version: i16, mut out: Vec<u8>) -> Result<Bytes, EncodeError> {
    let kind = frame.message.kind();
    encode_onto(
        &frame.message,
        version,
        &frame.unknown_tagged_fields,
        &mut out,
    )?;
    let size = out.len() - SIZE_BYTES;
    let size = i32::try_from(size).map_err(|_| EncodeError::TooLong {
        kind,
        reason: format!("a frame of {size} bytes"),
    })?;
    out[..SIZE_BYTES].copy_from_slice(&size.to_be_bytes());
    Ok(out.into())
}

/// Not compact even where the header is flexible, as the fields before it are.
const HEADER: Layout = Layout {
    version: 0,
    encoding: Encoding::Plain,
};

fn header_field<T: Wire>(
    name: &'static str,
    input: &mut Reader<'_>,
) -> Result<T, records::DecodeError> {
    T::read(&Path::Field(&Path::Root("header"), name), HEADER, input)
}

fn read_request_header(input: &mut Reader<'_>) -> Result<RequestHeader, DecodeError> {
    let position = input.position();
    let code = header_field("requestApiKey", input)?;
    let api = Api::of_code(code).ok_or(DecodeError::NoSuchApi {
        position,
        found: code,
    })?;
    let version = header_field("requestApiVersion", input)?;
    if !version::exists(api, version) {
        return Err(DecodeError::NoSuchVersion { api, version });
    }
    Ok(RequestHeader {
        api,
        version,
        correlation_id: header_field("correlationId", input)?,
        client_id: header_field("clientId", input)?,
        unknown_tagged_fields: read_unknown(api.layout(version).encoding, input)?,
    })
}

fn read_unknown(
    encoding: Encoding,
    input: &mut Reader<'_>,
) -> Result<TaggedFields, records::DecodeError> {
    read_tagged(&Path::Root("header"), encoding, input, |_, _, _| Ok(false))
}
