//! Any message in any version: what is read is what was written, but for what the version does not carry.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use raft::message::{ApiVersionsResponse, Errors, Request, Response};
use raft::wire::{self, EncodeError, Message};
use raft::{Endpoints, SupportedVersionRange};
use records::{ReplicaKey, Uuid};
use releases::Release;

use crate::{strategies, versions};

/// What arrives of a request, by the table of facts.
fn carried_of_request(request: &mut Request, version: i16) {
    match request {
        Request::Vote(vote) if version < 1 => {
            vote.voter_id = -1;
            vote.replica_directory_id = Uuid::ZERO;
            vote.voter_directory_id = Uuid::ZERO;
        }
        Request::BeginQuorumEpoch(begin) if version < 1 => {
            begin.voter_id = -1;
            begin.voter_directory_id = Uuid::ZERO;
            begin.leader_endpoints = Endpoints::empty();
        }
        Request::EndQuorumEpoch(end) if version < 1 => {
            for key in &mut end.preferred_candidates {
                *key = ReplicaKey::of_node(key.id);
            }
            end.leader_endpoints = Endpoints::empty();
        }
        Request::Fetch(fetch) => {
            if version < 18 {
                fetch.high_watermark = i64::MAX;
            }
            if version < 17 {
                fetch.replica_directory_id = Uuid::ZERO;
            }
            if version < 12 {
                fetch.cluster_id = None;
                fetch.last_fetched_epoch = -1;
            }
            if version < 9 {
                fetch.current_leader_epoch = -1;
            }
            if version < 3 {
                fetch.max_bytes = i32::MAX;
            }
        }
        Request::FetchSnapshot(fetch) if version < 1 => fetch.replica_directory_id = Uuid::ZERO,
        _ => {}
    }
}

/// What arrives of a response, by the table of facts.
fn carried_of_response(response: &mut Response, version: i16) {
    match response {
        Response::Vote(vote) if version < 1 => vote.node_endpoint = None,
        Response::BeginQuorumEpoch(epoch) | Response::EndQuorumEpoch(epoch) if version < 1 => {
            epoch.node_endpoint = None;
        }
        Response::FetchSnapshot(fetch) if version < 1 => fetch.node_endpoint = None,
        Response::Fetch(fetch) => {
            if version < 16 {
                fetch.node_endpoint = None;
            }
            if version < 7 {
                fetch.error_code = Errors::NONE;
            }
            if let Some(partition) = &mut fetch.partition {
                if version < 12 {
                    partition.diverging_epoch = None;
                    partition.snapshot_id = None;
                    partition.leader_id = -1;
                    partition.leader_epoch = -1;
                }
                if version < 5 {
                    partition.log_start_offset = -1;
                }
            }
        }
        Response::DescribeQuorum(describe) => {
            if version < 2 {
                describe.nodes.clear();
            }
            if let Some(partition) = &mut describe.partition {
                let voters = partition.current_voters.iter_mut();
                for state in voters.chain(&mut partition.observers) {
                    if version < 2 {
                        state.replica = ReplicaKey::of_node(state.replica.id);
                    }
                    if version < 1 {
                        state.last_fetch_timestamp = -1;
                        state.last_caught_up_timestamp = -1;
                    }
                }
            }
        }
        Response::ApiVersions(api) => api.kraft_version = told_range(api, version),
        _ => {}
    }
}

/// KAFKA-17011: before version 4 no feature may begin at 0.
fn told_range(api: &ApiVersionsResponse, version: i16) -> Option<SupportedVersionRange> {
    let range = api.kraft_version?;
    let min = if version < 4 {
        range.min.max(1)
    } else {
        range.min
    };
    let told = SupportedVersionRange { min, ..range };
    (version >= 3 && told.min <= told.max).then_some(told)
}

fn carried(message: &Message, version: i16) -> Message {
    let mut message = message.clone();
    match &mut message {
        Message::Request(request) => carried_of_request(request, version),
        Message::Response(response) => carried_of_response(response, version),
        _ => {}
    }
    message
}

/// Whether Kafka's schemas refuse it.
fn unsayable(message: &Message, version: i16) -> bool {
    match message {
        Message::Request(Request::Vote(vote)) => version < 2 && vote.pre_vote,
        Message::Request(Request::AddRaftVoter(add)) => version < 1 && !add.ack_when_committed,
        _ => false,
    }
}

#[test]
fn what_is_read_is_what_was_written() {
    for kind in strategies::kinds() {
        for version in versions::of(kind.api) {
            let mut runner = TestRunner::new(ProptestConfig::with_cases(48));
            let result = runner.run(&strategies::message(kind), |message| {
                let bytes = match wire::encode(&message, version) {
                    Ok(bytes) => bytes,
                    Err(EncodeError::Unsupported(_)) => {
                        prop_assert!(unsayable(&message, version));
                        return Ok(());
                    }
                    Err(error) => return Err(TestCaseError::fail(error.to_string())),
                };
                prop_assert!(!unsayable(&message, version));
                let read = wire::decode(kind, version, &bytes);
                prop_assert_eq!(read.as_ref(), Ok(&carried(&message, version)));
                // What was carried once is carried again, to the byte.
                let again = wire::encode(&read.unwrap(), version);
                prop_assert_eq!(again.as_ref(), Ok(&bytes));
                Ok(())
            });
            result.unwrap_or_else(|error| panic!("{kind} {version}: {error}"));
        }
    }
}

/// With the wire off a request passes through [`Request::at_version`] instead: the receiver must read the same.
#[test]
fn without_bytes_a_request_arrives_as_with_bytes() {
    let releases: Vec<_> = Release::ALL.into_iter().map(Release::rules).collect();
    for kind in strategies::kinds() {
        let mut met: Vec<i16> = Vec::new();
        for one in &releases {
            for other in &releases {
                met.extend(wire::version_for(kind.api, &one.raft, &other.raft));
            }
        }
        met.sort_unstable();
        met.dedup();
        for version in met {
            let mut runner = TestRunner::new(ProptestConfig::with_cases(48));
            let result = runner.run(&strategies::message(kind), |message| {
                let Message::Request(request) = &message else {
                    return Ok(());
                };
                let with = wire::encode(&message, version)
                    .ok()
                    .map(|bytes| wire::decode(kind, version, &bytes).unwrap());
                let without = request.clone().at_version(version).ok();
                prop_assert_eq!(with, without.map(Message::Request));
                Ok(())
            });
            result.unwrap_or_else(|error| panic!("{kind} {version}: {error}"));
        }
    }
}

#[test]
fn versions_that_nobody_speaks_are_refused() {
    for kind in strategies::kinds() {
        let range = versions::of(kind.api);
        for version in [range.start() - 1, range.end() + 1, i16::MIN, i16::MAX] {
            let none = bytes::Bytes::new();
            let read = wire::decode(kind, version, &none);
            assert!(matches!(read, Err(wire::DecodeError::NoSuchVersion { .. })));
            let mut runner = TestRunner::new(ProptestConfig::with_cases(1));
            let result = runner.run(&strategies::message(kind), |message| {
                let written = wire::encode(&message, version);
                let refused = matches!(written, Err(EncodeError::NoSuchVersion { .. }));
                prop_assert!(refused);
                Ok(())
            });
            result.unwrap_or_else(|error| panic!("{kind} {version}: {error}"));
        }
    }
}
