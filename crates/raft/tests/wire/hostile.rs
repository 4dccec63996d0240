//! Bytes that nobody should send: an error with its position, never a panic, never more memory than the bytes warrant.

use bytes::Bytes;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use raft::wire::frame::{Frame, RequestHeader, ResponseHeader};
use raft::wire::{self, DecodeError, Kind, Message};

use crate::{recorded, strategies, versions};

/// Most bytes allocated at one time for one byte read: structs are larger than their bytes, the smallest
/// element (a listener of 5 bytes) most of all.
const MOST_PER_BYTE: u64 = 40;
/// For the words of an error, and for shares of the bytes.
const BESIDES: u64 = 4096;

/// Reads, and looks at the memory it took.
fn read(kind: Kind, version: i16, bytes: &Bytes) -> Result<Message, DecodeError> {
    let mut result = None;
    let info = allocation_counter::measure(|| result = Some(wire::decode(kind, version, bytes)));
    let most = BESIDES + MOST_PER_BYTE * bytes.len() as u64;
    assert!(
        info.bytes_max <= most,
        "{kind} {version}: {} bytes of memory for {} bytes: {bytes:?}",
        info.bytes_max,
        bytes.len()
    );
    let result = result.expect("measure runs its argument");
    if let Some(position) = result.as_ref().err().and_then(DecodeError::position) {
        assert!(position <= bytes.len());
    }
    result
}

/// One sample of each kind and version, the longest.
fn samples() -> Vec<(Kind, i16, Bytes)> {
    let mut samples: Vec<(Kind, i16, Bytes)> = Vec::new();
    for recorded in recorded::all() {
        let Ok((_, bytes, _)) = recorded.written else {
            continue;
        };
        let (kind, version) = (recorded.kind, recorded.version);
        match samples.iter_mut().find(|s| (s.0, s.1) == (kind, version)) {
            Some(sample) if sample.2.len() < bytes.len() => sample.2 = bytes,
            Some(_) => {}
            None => samples.push((kind, version, bytes)),
        }
    }
    samples
}

#[test]
fn memory_is_counted() {
    let info = allocation_counter::measure(|| drop(Vec::<u8>::with_capacity(100_000)));
    assert!(info.bytes_max >= 100_000);
}

#[test]
fn a_message_cut_short_is_an_error_where_it_ends() {
    for (kind, version, bytes) in samples() {
        read(kind, version, &bytes).unwrap();
        for len in 0..bytes.len() {
            let error = read(kind, version, &bytes.slice(..len)).unwrap_err();
            // Most often the end is missed at the end; a count may be too large for what follows it.
            assert!(
                matches!(
                    error,
                    DecodeError::Malformed(records::DecodeError::UnexpectedEnd { .. })
                ),
                "{kind} {version} cut to {len}: {error}"
            );
        }
    }
}

#[test]
fn a_message_with_more_behind_it_is_an_error() {
    for (kind, version, bytes) in samples() {
        let longer = Bytes::from([&bytes[..], &[0]].concat());
        let error = read(kind, version, &longer).unwrap_err();
        let DecodeError::Malformed(records::DecodeError::TrailingBytes {
            position, found, ..
        }) = error
        else {
            panic!("{kind} {version}: {error}");
        };
        assert_eq!((position, found), (bytes.len(), 1));
    }
}

#[test]
fn changed_bytes_do_no_harm() {
    for (kind, version, bytes) in samples() {
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff, bytes[at].wrapping_add(1)] {
                let mut changed = bytes.to_vec();
                changed[at] = value;
                // It may still be a message.
                let _ = read(kind, version, &changed.into());
            }
        }
    }
}

/// The largest lengths there are, as varint, as `int32`, as `int16`, in the place of any byte.
#[test]
fn claimed_lengths_are_not_believed() {
    let claims: [&[u8]; 5] = [
        &[0xff, 0xff, 0xff, 0xff, 0x0f],
        &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        &[0x80, 0x80, 0x80, 0x80, 0x04],
        &[0x7f, 0xff, 0xff, 0xff],
        &[0x7f, 0xff],
    ];
    for (kind, version, bytes) in samples() {
        for at in 0..bytes.len() {
            for claim in claims {
                let crafted = [&bytes[..at], claim, &bytes[at + 1..]].concat();
                let _ = read(kind, version, &crafted.into());
            }
        }
    }
}

#[test]
fn any_bytes_do_no_harm() {
    for kind in strategies::kinds() {
        for version in versions::of(kind.api) {
            let mut runner = TestRunner::new(ProptestConfig::with_cases(64));
            // Small bytes make lengths that are believed.
            let byte = prop_oneof![3 => 0..6_u8, 1 => any::<u8>()];
            let result = runner.run(&vec(byte, 0..200), |bytes| {
                let _ = read(kind, version, &bytes.into());
                Ok(())
            });
            result.unwrap_or_else(|error| panic!("{kind} {version}: {error}"));
        }
    }
}

/// The most that believable bytes can make of themselves: as many of the smallest elements as fit.
#[test]
fn many_small_elements_are_bounded() {
    // EndQuorumEpoch 1: no cluster, no topics, 20000 empty listeners of five bytes.
    let mut bytes = vec![0, 1];
    bytes.extend([0xa1, 0x9c, 0x01]);
    bytes.extend([1, 1, 0, 0, 0].repeat(20_000));
    bytes.push(0);
    let api = raft::wire::Api::from(raft::message::ApiKey::EndQuorumEpoch);
    let error = read(api.request(), 1, &bytes.into()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "EndQuorumEpochRequest.topics: expected one element, found 0"
    );
}

#[test]
fn frames_of_any_bytes_do_no_harm() {
    proptest!(ProptestConfig::with_cases(2_000), |(
        code in prop_oneof![Just(1_i16), Just(52), Just(55), Just(59), Just(80), any::<i16>()],
        version in -1..20_i16,
        rest in vec(any::<u8>(), 0..100),
    )| {
        let head = [code.to_be_bytes(), version.to_be_bytes()].concat();
        let bytes = Bytes::from([head, rest].concat());
        let _ = Frame::<RequestHeader>::decode(&bytes);
        if let Some(api) = raft::wire::Api::of_code(code) {
            let _ = Frame::<ResponseHeader>::decode(api, version, &bytes);
        }
    });
}

#[test]
fn errors_name_the_place() {
    let api = raft::wire::Api::from(raft::message::ApiKey::Vote);
    let words = |bytes: &'static [u8]| {
        let error = read(api.request(), 0, &Bytes::from_static(bytes));
        error.unwrap_err().to_string()
    };
    assert_eq!(
        words(&[0, 2, 9, b'a', b'b', b'c']),
        "byte 3: VoteRequest.topics[0].topicName: expected 8 more bytes, found 3"
    );
    assert_eq!(
        words(&[0, 0xff, 0xff, 0xff, 0xff, 0x0f]),
        "byte 6: VoteRequest.topics: expected 12884901882 more bytes, found 0"
    );
    assert_eq!(
        words(&[0, 0, 0]),
        "byte 1: VoteRequest.topics: expected a value, found null"
    );
    assert_eq!(
        words(&[2, 0xff, 1, 0]),
        "byte 1: VoteRequest.clusterId: expected UTF-8, found byte 0xff"
    );
    assert_eq!(
        words(&[0, 0x80, 0x80, 0x80, 0x80, 0x80, 1]),
        "byte 1: VoteRequest.topics: expected a varint of at most 5 bytes, found a longer one"
    );
    assert_eq!(
        words(&[0, 1, 1, 9, 3, 0]),
        "byte 5: VoteRequest.tagged fields: expected 3 more bytes, found 1"
    );
}
