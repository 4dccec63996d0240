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

use super::schema::Encoding;
use super::walk::{Input, MAX_TEXT, Path, put_tagged_fields};
use super::{
    Api, DecodeError, EncodeError, Kind, Message, UnknownTaggedFields, decode_from, encode_keeping,
    version,
};
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
    /// The API.
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
    /// The header.
    pub header: H,
    /// The message.
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
        let mut out = vec![0; SIZE_BYTES];
        out.extend_from_slice(&header.api.code().to_be_bytes());
        out.extend_from_slice(&header.version.to_be_bytes());
        out.extend_from_slice(&header.correlation_id.to_be_bytes());
        put_client_id(kind, header.client_id.as_deref(), &mut out)?;
        if header.api.encoding(header.version) == Encoding::Flexible {
            put_tagged(&header.unknown_tagged_fields, &mut out);
        }
        finish(self, header.version, out)
    }

    /// The request in a frame without its size.
    pub fn decode(frame: &Bytes) -> Result<Self, DecodeError> {
        let mut input = Input::new(frame, 0);
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
        let mut out = vec![0; SIZE_BYTES];
        out.extend_from_slice(&self.header.correlation_id.to_be_bytes());
        if response_header_encoding(api, version) == Encoding::Flexible {
            put_tagged(&self.header.unknown_tagged_fields, &mut out);
        }
        finish(self, version, out)
    }

    /// The response in a frame without its size, to a request of `api` in `version`.
    pub fn decode(api: Api, version: i16, frame: &Bytes) -> Result<Self, DecodeError> {
        let mut input = Input::new(frame, 0);
        let path = Path::Field(&Path::Header, "correlationId");
        let correlation_id = i32::from_be_bytes(input.array(&path)?);
        let unknown = match response_header_encoding(api, version) {
            Encoding::Flexible => read_tagged(&mut input)?,
            Encoding::Plain => TaggedFields::new(),
        };
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
        _ => api.encoding(version),
    }
}

fn finish<H>(frame: &Frame<H>, version: i16, mut out: Vec<u8>) -> Result<Bytes, EncodeError> {
    let kind = frame.message.kind();
    let message = encode_keeping(&frame.message, version, &frame.unknown_tagged_fields)?;
    out.extend_from_slice(&message);
    let size = out.len() - SIZE_BYTES;
    let size = i32::try_from(size).map_err(|_| EncodeError::TooLong {
        kind,
        reason: format!("a frame of {size} bytes"),
    })?;
    out[..SIZE_BYTES].copy_from_slice(&size.to_be_bytes());
    Ok(out.into())
}

fn put_client_id(kind: Kind, id: Option<&str>, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let Some(id) = id else {
        out.extend_from_slice(&(-1_i16).to_be_bytes());
        return Ok(());
    };
    let len = i16::try_from(id.len()).map_err(|_| EncodeError::TooLong {
        kind,
        reason: format!("a client id of {} bytes", id.len()),
    })?;
    out.extend_from_slice(&len.to_be_bytes());
    out.extend_from_slice(id.as_bytes());
    Ok(())
}

fn put_tagged(fields: &TaggedFields, out: &mut Vec<u8>) {
    let fields = fields.as_slice().iter();
    put_tagged_fields(out, fields.map(|field| (field.tag, &field.data[..])));
}

fn read_request_header(input: &mut Input<'_>) -> Result<RequestHeader, DecodeError> {
    let position = input.position();
    let code = i16::from_be_bytes(input.array(&Path::Field(&Path::Header, "requestApiKey"))?);
    let api = Api::of_code(code).ok_or(DecodeError::NoSuchApi {
        position,
        found: code,
    })?;
    let path = Path::Field(&Path::Header, "requestApiVersion");
    let version = i16::from_be_bytes(input.array(&path)?);
    if !version::exists(api, version) {
        return Err(DecodeError::NoSuchVersion { api, version });
    }
    let path = Path::Field(&Path::Header, "correlationId");
    let correlation_id = i32::from_be_bytes(input.array(&path)?);
    let client_id = read_client_id(input)?;
    let unknown_tagged_fields = match api.encoding(version) {
        Encoding::Flexible => read_tagged(input)?,
        Encoding::Plain => TaggedFields::new(),
    };
    Ok(RequestHeader {
        api,
        version,
        correlation_id,
        client_id,
        unknown_tagged_fields,
    })
}

/// Not compact even where the header is flexible.
fn read_client_id(input: &mut Input<'_>) -> Result<Option<String>, DecodeError> {
    let path = Path::Field(&Path::Header, "clientId");
    let position = input.position();
    let invalid = |expected, found| DecodeError::InvalidValue {
        position,
        field: path.to_string(),
        expected,
        found,
    };
    let len = i16::from_be_bytes(input.array(&path)?);
    if len == -1 {
        return Ok(None);
    }
    let Some(len) = usize::try_from(len).ok().filter(|len| *len <= MAX_TEXT) else {
        return Err(invalid("a length of −1 or more", len.to_string()));
    };
    let id = std::str::from_utf8(input.take(&path, len)?);
    let id = id.map_err(|error| invalid("text in UTF-8", error.to_string()))?;
    Ok(Some(id.to_owned()))
}

fn read_tagged(input: &mut Input<'_>) -> Result<TaggedFields, DecodeError> {
    let path = Path::Field(&Path::Header, "tagged fields");
    let mut fields = TaggedFields::new();
    for _ in 0..input.uvarint(&path)? {
        let tag = input.uvarint(&path)?;
        let size = input.uvarint(&path)? as usize;
        fields.push(tag, input.share(&path, size)?);
    }
    Ok(fields)
}
