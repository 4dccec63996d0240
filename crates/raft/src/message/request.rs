use records::wire::Described as _;
use releases::raft::RaftApiVersions;

use super::api_key::{ApiKey, UnsupportedVersion};
use super::fetch::FetchRequest;
use super::fetch_snapshot::FetchSnapshotRequest;
use super::quorum_epoch::{BeginQuorumEpochRequest, EndQuorumEpochRequest};
use super::rpc::Rpc;
use super::vote::VoteRequest;
use super::voters::{AddRaftVoterRequest, RemoveRaftVoterRequest, UpdateRaftVoterRequest};

/// All requests a replica sends or answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Asks for a vote, or whether there would be one.
    Vote(VoteRequest),
    /// "I lead this epoch".
    BeginQuorumEpoch(BeginQuorumEpochRequest),
    /// "I led this epoch and resign".
    EndQuorumEpoch(EndQuorumEpochRequest),
    /// Asks for batches.
    Fetch(FetchRequest),
    /// Asks for a piece of a checkpoint.
    FetchSnapshot(FetchSnapshotRequest),
    /// Asks which kraft.version a would-be voter supports.
    ApiVersions,
    AddRaftVoter(AddRaftVoterRequest),
    RemoveRaftVoter(RemoveRaftVoterRequest),
    /// Tells the leader the endpoints and range of a voter.
    UpdateRaftVoter(UpdateRaftVoterRequest),
    /// Asks the leader for the state of the quorum.
    DescribeQuorum,
}

impl Request {
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
    pub fn at_version(self, version: i16) -> Result<Request, UnsupportedVersion> {
        let api = self.api();
        let versions = RaftApiVersions::versions_of_any(api.code());
        if versions.is_some_and(|versions| version >= *versions.end()) {
            return Ok(self);
        }
        let carried = match &self {
            Request::Vote(vote) => carried(vote, version).map(Request::Vote),
            Request::BeginQuorumEpoch(begin) => {
                carried(begin, version).map(Request::BeginQuorumEpoch)
            }
            Request::EndQuorumEpoch(end) => carried(end, version).map(Request::EndQuorumEpoch),
            Request::Fetch(fetch) => carried(fetch, version).map(Request::Fetch),
            Request::FetchSnapshot(fetch) => carried(fetch, version).map(Request::FetchSnapshot),
            Request::AddRaftVoter(add) => carried(add, version).map(Request::AddRaftVoter),
            Request::RemoveRaftVoter(remove) => {
                carried(remove, version).map(Request::RemoveRaftVoter)
            }
            Request::UpdateRaftVoter(update) => {
                carried(update, version).map(Request::UpdateRaftVoter)
            }
            Request::ApiVersions | Request::DescribeQuorum => return Ok(self),
        };
        carried.ok_or(UnsupportedVersion { api, version })
    }
}

/// What a version carries of a message; `None` where it cannot carry the message.
fn carried<R: Rpc>(message: &R, version: i16) -> Option<R> {
    let mut form = message.to_form(version);
    form.reduce(version).ok()?;
    R::of_form(form, version).ok()
}
