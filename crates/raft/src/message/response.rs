use super::api_key::ApiKey;
use super::api_versions::ApiVersionsResponse;
use super::describe_quorum::DescribeQuorumResponse;
use super::errors::Errors;
use super::fetch::FetchResponse;
use super::fetch_snapshot::FetchSnapshotResponse;
use super::quorum_epoch::QuorumEpochResponse;
use super::vote::VoteResponse;
use super::voters::{UpdateRaftVoterResponse, VoterChangeResponse};

/// The answer to a [`Request`](super::Request), of the same API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// To `Request::Vote`.
    Vote(VoteResponse),
    /// To `Request::BeginQuorumEpoch`.
    BeginQuorumEpoch(QuorumEpochResponse),
    /// To `Request::EndQuorumEpoch`.
    EndQuorumEpoch(QuorumEpochResponse),
    /// To `Request::Fetch`.
    Fetch(FetchResponse),
    /// To `Request::FetchSnapshot`.
    FetchSnapshot(FetchSnapshotResponse),
    /// To `Request::ApiVersions`.
    ApiVersions(ApiVersionsResponse),
    /// To `Request::AddRaftVoter`.
    AddRaftVoter(VoterChangeResponse),
    /// To `Request::RemoveRaftVoter`.
    RemoveRaftVoter(VoterChangeResponse),
    /// To `Request::UpdateRaftVoter`.
    UpdateRaftVoter(UpdateRaftVoterResponse),
    /// To `Request::DescribeQuorum`.
    DescribeQuorum(DescribeQuorumResponse),
}

impl Response {
    /// What the network layer answers in place of a receiver that cannot: `BROKER_NOT_AVAILABLE` for a lost
    /// connection, `UNSUPPORTED_VERSION` where the receiver has no version that can say it.
    ///
    /// Source: `errorResponse` in `4.4:raft/…/RaftUtil.java`.
    pub fn failed(api: ApiKey, error: Errors) -> Self {
        match api {
            ApiKey::Vote => Response::Vote(VoteResponse::failed(error)),
            ApiKey::BeginQuorumEpoch => {
                Response::BeginQuorumEpoch(QuorumEpochResponse::failed(error))
            }
            ApiKey::EndQuorumEpoch => Response::EndQuorumEpoch(QuorumEpochResponse::failed(error)),
            ApiKey::Fetch => Response::Fetch(FetchResponse::failed(error)),
            ApiKey::FetchSnapshot => Response::FetchSnapshot(FetchSnapshotResponse::failed(error)),
            ApiKey::ApiVersions => Response::ApiVersions(ApiVersionsResponse::failed(error)),
            ApiKey::AddRaftVoter => Response::AddRaftVoter(VoterChangeResponse::failed(error)),
            ApiKey::RemoveRaftVoter => {
                Response::RemoveRaftVoter(VoterChangeResponse::failed(error))
            }
            ApiKey::UpdateRaftVoter => {
                Response::UpdateRaftVoter(UpdateRaftVoterResponse::failed(error))
            }
            ApiKey::DescribeQuorum => {
                Response::DescribeQuorum(DescribeQuorumResponse::failed(error))
            }
        }
    }

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

    pub fn top_level_error(&self) -> Errors {
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
