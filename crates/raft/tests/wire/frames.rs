//! Headers and sizes.

use bytes::{Bytes, BytesMut};
use raft::message::{ApiKey, ApiVersionsResponse, Errors, Request, Response};
use raft::wire::frame::{Frame, FrameLimit, RequestHeader, ResponseHeader};
use raft::wire::{Api, DecodeError, EncodeError, Message, UnknownTaggedFields};
use records::TaggedFields;

fn request() -> Frame<RequestHeader> {
    Frame {
        header: RequestHeader {
            api: ApiKey::DescribeQuorum.into(),
            version: 2,
            correlation_id: 12,
            client_id: None,
            unknown_tagged_fields: TaggedFields::new(),
        },
        message: Message::Request(Request::DescribeQuorum),
        unknown_tagged_fields: UnknownTaggedFields::none(),
    }
}

#[test]
fn frames_come_out_whole_and_one_by_one() {
    let frame = request().encode().unwrap();
    let both = [&frame[..], &frame[..]].concat();
    let limit = FrameLimit::default();
    let mut received = BytesMut::new();
    let mut frames = 0;
    for byte in both {
        received.extend_from_slice(&[byte]);
        while let Some(payload) = limit.next_frame(&mut received).unwrap() {
            assert_eq!(payload, frame.slice(4..));
            assert_eq!(Frame::<RequestHeader>::decode(&payload).unwrap(), request());
            frames += 1;
        }
    }
    assert_eq!((frames, received.len()), (2, 0));
}

#[test]
fn a_frame_over_the_limit_is_refused_at_its_size() {
    let limit = FrameLimit(1000);
    assert_eq!(limit.check([0, 0, 3, 0xe8]), Ok(1000));
    let error = limit.check([0, 0, 3, 0xe9]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 0: expected a frame of at most 1000 bytes, found 1001"
    );
    let info = allocation_counter::measure(|| {
        let mut received = BytesMut::from(&[0x7f, 0xff, 0xff, 0xff][..]);
        let refused = FrameLimit::default().next_frame(&mut received);
        assert!(matches!(refused, Err(DecodeError::FrameSize { .. })));
    });
    assert!(info.bytes_max < 200, "{} bytes", info.bytes_max);
    assert!(matches!(
        limit.check([0xff; 4]),
        Err(DecodeError::FrameSize { found: -1, .. })
    ));
}

#[test]
fn tagged_fields_of_a_newer_header_are_kept() {
    let mut frame = request();
    frame.header.client_id = Some("raft-client-1".to_owned());
    frame
        .header
        .unknown_tagged_fields
        .push(3, Bytes::from_static(b"three"));
    frame
        .unknown_tagged_fields
        .push("topics[0]", 4, Bytes::from_static(b"four"));
    let bytes = frame.encode().unwrap();
    assert_eq!(
        Frame::<RequestHeader>::decode(&bytes.slice(4..)).unwrap(),
        frame
    );
}

/// A client reads it before it knows what the other side speaks.
#[test]
fn the_header_of_api_versions_has_no_tagged_fields() {
    let api = Api::from(ApiKey::ApiVersions);
    let frame = Frame {
        header: ResponseHeader {
            correlation_id: 1,
            unknown_tagged_fields: TaggedFields::new(),
        },
        message: Message::Response(Response::ApiVersions(ApiVersionsResponse::failed(
            Errors::UNSUPPORTED_VERSION,
        ))),
        unknown_tagged_fields: UnknownTaggedFields::none(),
    };
    let bytes = frame.encode(4).unwrap();
    // Size, correlation id, error, no APIs, throttle time, no tagged fields.
    assert_eq!(
        bytes[..],
        [0, 0, 0, 12, 0, 0, 0, 1, 0, 35, 1, 0, 0, 0, 0, 0]
    );
    let read = Frame::<ResponseHeader>::decode(api, 4, &bytes.slice(4..));
    assert_eq!(read.unwrap(), frame);
}

#[test]
fn header_and_message_agree() {
    let mut frame = request();
    frame.header.api = ApiKey::Vote.into();
    let error = frame.encode().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the header announces VoteRequest, the message is DescribeQuorumRequest"
    );
    assert!(matches!(error, EncodeError::OtherMessage { .. }));
}

#[test]
fn errors_of_headers_name_the_place() {
    let words = |bytes: &'static [u8]| {
        let error = Frame::<RequestHeader>::decode(&Bytes::from_static(bytes));
        error.unwrap_err().to_string()
    };
    assert_eq!(
        words(&[0, 3, 0, 12]),
        "byte 0: expected the number of an API, found 3"
    );
    assert_eq!(words(&[0, 52, 0, 9]), "Vote has no version 9");
    assert_eq!(
        words(&[0, 52, 0, 1, 0, 0]),
        "byte 4: header.correlationId: expected 4 more bytes, found 2"
    );
    assert_eq!(
        words(&[0, 52, 0, 1, 0, 0, 0, 1, 0, 9, b'x']),
        "byte 10: header.clientId: expected 9 more bytes, found 1"
    );
    assert_eq!(
        words(&[0, 52, 0, 1, 0, 0, 0, 1, 0xff, 0xfe]),
        "byte 8: header.clientId: expected a length of −1 or more, found -2"
    );
    // Positions in the message count from the start of the frame.
    assert_eq!(
        words(&[0, 52, 0, 1, 0, 0, 0, 1, 0xff, 0xff, 0, 0, 0, 0]),
        "byte 12: VoteRequest.voterId: expected 4 more bytes, found 2"
    );
}
