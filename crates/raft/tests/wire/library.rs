//! Any message against the kafka-protocol crate, another codec made from Kafka's message definitions: it reads the bytes
//! to their end, writes the same bytes again, and those say what was said.

use bytes::Bytes;
use kafka_protocol::messages as theirs;
use kafka_protocol::protocol::{Decodable, Encodable};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use raft::message::ApiKey;
use raft::wire::{self, Api, EncodeError, Kind, Side};

use crate::{strategies, versions};

/// What the crate reads, written by it again.
fn again<T: Decodable + Encodable>(mut bytes: Bytes, version: i16) -> Result<Bytes, String> {
    let read = T::decode(&mut bytes, version).map_err(|error| error.to_string())?;
    if !bytes.is_empty() {
        return Err(format!("{} bytes are left", bytes.len()));
    }
    let mut out = Vec::new();
    let written = read.encode(&mut out, version);
    written.map_err(|error| error.to_string())?;
    Ok(out.into())
}

type Again = fn(Bytes, i16) -> Result<Bytes, String>;

fn both<Q: Decodable + Encodable, A: Decodable + Encodable>(side: Side) -> Again {
    match side {
        Side::Request => again::<Q>,
        Side::Response => again::<A>,
    }
}

fn theirs(kind: Kind) -> Again {
    let Api::Raft(api) = kind.api else {
        return both::<theirs::ControllerRegistrationRequest, theirs::ControllerRegistrationResponse>(
            kind.side,
        );
    };
    let of_api = match api {
        ApiKey::Fetch => both::<theirs::FetchRequest, theirs::FetchResponse>,
        ApiKey::ApiVersions => both::<theirs::ApiVersionsRequest, theirs::ApiVersionsResponse>,
        ApiKey::Vote => both::<theirs::VoteRequest, theirs::VoteResponse>,
        ApiKey::BeginQuorumEpoch => {
            both::<theirs::BeginQuorumEpochRequest, theirs::BeginQuorumEpochResponse>
        }
        ApiKey::EndQuorumEpoch => {
            both::<theirs::EndQuorumEpochRequest, theirs::EndQuorumEpochResponse>
        }
        ApiKey::DescribeQuorum => {
            both::<theirs::DescribeQuorumRequest, theirs::DescribeQuorumResponse>
        }
        ApiKey::FetchSnapshot => {
            both::<theirs::FetchSnapshotRequest, theirs::FetchSnapshotResponse>
        }
        ApiKey::AddRaftVoter => both::<theirs::AddRaftVoterRequest, theirs::AddRaftVoterResponse>,
        ApiKey::RemoveRaftVoter => {
            both::<theirs::RemoveRaftVoterRequest, theirs::RemoveRaftVoterResponse>
        }
        ApiKey::UpdateRaftVoter => {
            both::<theirs::UpdateRaftVoterRequest, theirs::UpdateRaftVoterResponse>
        }
    };
    of_api(kind.side)
}

/// The crate begins at Fetch 4, and ends at `AddRaftVoter` 0 and `ApiVersions` 4; what it lacks is compared with Kafka's
/// own bytes in `recorded`.
fn has(api: Api, version: i16) -> bool {
    match api {
        Api::Raft(ApiKey::Fetch) => version >= 4,
        Api::Raft(ApiKey::AddRaftVoter) => version == 0,
        Api::Raft(ApiKey::ApiVersions) => version <= 4,
        Api::Raft(_) | Api::ControllerRegistration => true,
    }
}

#[test]
fn the_library_reads_and_writes_the_same_bytes() {
    let mut compared = 0;
    for kind in strategies::kinds() {
        for version in versions::of(kind.api).filter(|version| has(kind.api, *version)) {
            let mut runner = TestRunner::new(ProptestConfig::with_cases(64));
            let result = runner.run(&strategies::message(kind), |message| {
                let bytes = match wire::encode(&message, version) {
                    Err(EncodeError::Unsupported(_)) => return Ok(()),
                    bytes => bytes.map_err(|error| TestCaseError::fail(error.to_string()))?,
                };
                let again = theirs(kind)(bytes.clone(), version);
                prop_assert_eq!(again.as_ref(), Ok(&bytes));
                let read = wire::decode(kind, version, &bytes);
                prop_assert_eq!(wire::decode(kind, version, &again.unwrap()), read);
                Ok(())
            });
            result.unwrap_or_else(|error| panic!("{kind} {version}: {error}"));
            compared += 1;
        }
    }
    assert!(compared > 60, "only {compared} kinds and versions");
}
