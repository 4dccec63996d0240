use std::fmt;

use records::{ReplicaKey, Uuid};
use releases::RaftRules;

use super::{Request, Response};
use crate::Endpoints;

/// The API of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ApiKey {
    /// 1
    Fetch,
    /// 18
    ApiVersions,
    /// 52
    Vote,
    /// 53
    BeginQuorumEpoch,
    /// 54
    EndQuorumEpoch,
    /// 55
    DescribeQuorum,
    /// 59
    FetchSnapshot,
    /// 80
    AddRaftVoter,
    /// 81
    RemoveRaftVoter,
    /// 82
    UpdateRaftVoter,
}

impl ApiKey {
    /// All of them, by number.
    pub const ALL: [ApiKey; 10] = [
        ApiKey::Fetch,
        ApiKey::ApiVersions,
        ApiKey::Vote,
        ApiKey::BeginQuorumEpoch,
        ApiKey::EndQuorumEpoch,
        ApiKey::DescribeQuorum,
        ApiKey::FetchSnapshot,
        ApiKey::AddRaftVoter,
        ApiKey::RemoveRaftVoter,
        ApiKey::UpdateRaftVoter,
    ];

    /// Kafka's number.
    pub fn code(self) -> i16 {
        [1, 18, 52, 53, 54, 55, 59, 80, 81, 82][self as usize]
    }

    /// Kafka's name in upper case, as the scenario language has it.
    pub fn name(self) -> &'static str {
        [
            "FETCH",
            "API_VERSIONS",
            "VOTE",
            "BEGIN_QUORUM_EPOCH",
            "END_QUORUM_EPOCH",
            "DESCRIBE_QUORUM",
            "FETCH_SNAPSHOT",
            "ADD_RAFT_VOTER",
            "REMOVE_RAFT_VOTER",
            "UPDATE_RAFT_VOTER",
        ][self as usize]
    }

    /// The newest version a release speaks.
    pub fn latest_version(self, rules: &RaftRules) -> i16 {
        let versions = rules.api_versions.versions(self.code());
        *versions
            .expect("releases has a row for each API of raft")
            .end()
    }

    /// The version in which two releases talk.
    pub fn common_version(self, one: &RaftRules, other: &RaftRules) -> i16 {
        self.latest_version(one).min(self.latest_version(other))
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A request says what a version cannot say; the sender is told `UNSUPPORTED_VERSION`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{api} in version {version} cannot say this")]
pub struct UnsupportedVersion {
    /// The API.
    pub api: ApiKey,
    /// The version.
    pub version: i16,
}

fn without_directories(keys: &mut [ReplicaKey]) {
    for key in keys {
        key.directory_id = None;
    }
}

impl Request {
    /// Its API.
    pub fn api(&self) -> ApiKey {
        match self {
            Request::Vote(_) => ApiKey::Vote,
            Request::BeginQuorumEpoch(_) => ApiKey::BeginQuorumEpoch,
            Request::EndQuorumEpoch(_) => ApiKey::EndQuorumEpoch,
            Request::Fetch(_) => ApiKey::Fetch,
            Request::FetchSnapshot(_) => ApiKey::FetchSnapshot,
            Request::ApiVersions => ApiKey::ApiVersions,
            Request::AddRaftVoter(_) => ApiKey::AddRaftVoter,
            Request::RemoveRaftVoter(_) => ApiKey::RemoveRaftVoter,
            Request::UpdateRaftVoter(_) => ApiKey::UpdateRaftVoter,
            Request::DescribeQuorum => ApiKey::DescribeQuorum,
        }
    }

    /// The same request as a receiver of `version` reads it.
    pub fn at_version(mut self, version: i16) -> Result<Request, UnsupportedVersion> {
        let unsupported = UnsupportedVersion {
            api: self.api(),
            version,
        };
        match &mut self {
            Request::Vote(vote) => {
                if version < 2 && vote.pre_vote {
                    return Err(unsupported);
                }
                if version < 1 {
                    vote.voter_id = -1;
                    vote.replica_directory_id = Uuid::ZERO;
                    vote.voter_directory_id = Uuid::ZERO;
                }
            }
            Request::BeginQuorumEpoch(begin) if version < 1 => {
                begin.voter_id = -1;
                begin.voter_directory_id = Uuid::ZERO;
                begin.leader_endpoints = Endpoints::empty();
            }
            Request::EndQuorumEpoch(end) if version < 1 => {
                without_directories(&mut end.preferred_candidates);
                end.leader_endpoints = Endpoints::empty();
            }
            Request::Fetch(fetch) => {
                if version < 17 {
                    fetch.replica_directory_id = Uuid::ZERO;
                }
                if version < 18 {
                    fetch.high_watermark = i64::MAX;
                }
            }
            Request::FetchSnapshot(fetch) if version < 1 => fetch.replica_directory_id = Uuid::ZERO,
            Request::AddRaftVoter(add) if version < 1 && !add.ack_when_committed => {
                return Err(unsupported);
            }
            _ => {}
        }
        Ok(self)
    }
}

impl Response {
    /// Its API.
    pub fn api(&self) -> ApiKey {
        match self {
            Response::Vote(_) => ApiKey::Vote,
            Response::BeginQuorumEpoch(_) => ApiKey::BeginQuorumEpoch,
            Response::EndQuorumEpoch(_) => ApiKey::EndQuorumEpoch,
            Response::Fetch(_) => ApiKey::Fetch,
            Response::FetchSnapshot(_) => ApiKey::FetchSnapshot,
            Response::ApiVersions(_) => ApiKey::ApiVersions,
            Response::AddRaftVoter(_) => ApiKey::AddRaftVoter,
            Response::RemoveRaftVoter(_) => ApiKey::RemoveRaftVoter,
            Response::UpdateRaftVoter(_) => ApiKey::UpdateRaftVoter,
            Response::DescribeQuorum(_) => ApiKey::DescribeQuorum,
        }
    }

    /// Its top level error.
    pub fn top_level_error(&self) -> super::Errors {
        match self {
            Response::Vote(r) => r.error_code,
            Response::BeginQuorumEpoch(r) | Response::EndQuorumEpoch(r) => r.error_code,
            Response::Fetch(r) => r.error_code,
            Response::FetchSnapshot(r) => r.error_code,
            Response::ApiVersions(r) => r.error_code,
            Response::AddRaftVoter(r) | Response::RemoveRaftVoter(r) => r.error_code,
            Response::UpdateRaftVoter(r) => r.error_code,
            Response::DescribeQuorum(r) => r.error_code,
        }
    }
}
