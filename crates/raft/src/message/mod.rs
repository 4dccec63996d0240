//! The messages that replicas exchange: typed, with Kafka's field names, one partition each.
//!
//! Batches and checkpoint pieces are shared bytes. Fields exist for the newest version; [`Request::at_version`] takes
//! away what an older version cannot say, and an answer is made for the version of its request.

mod errors;
mod fetch;
mod fetch_snapshot;
mod quorum_epoch;
mod quorum_info;
mod version;
mod vote;
mod voters;

use determinism::java::{hash_all, hash_bool, hash_string};
use releases::raft::NodeHash;

use crate::{Address, ListenerName};

pub use errors::Errors;
pub use fetch::{DivergingEpoch, FetchPartitionResponse, FetchRequest, FetchResponse};
pub use fetch_snapshot::{
    FetchSnapshotPartitionResponse, FetchSnapshotRequest, FetchSnapshotResponse,
};
pub use quorum_epoch::{
    BeginQuorumEpochRequest, EndQuorumEpochRequest, QuorumEpochPartitionResponse,
    QuorumEpochResponse,
};
pub use quorum_info::{
    ApiVersionsResponse, DescribeQuorumPartitionResponse, DescribeQuorumResponse, ReplicaStateInfo,
    VoterListeners,
};
pub use version::{ApiKey, UnsupportedVersion};
pub use vote::{VotePartitionResponse, VoteRequest, VoteResponse};
pub use voters::{
    AddRaftVoterRequest, RemoveRaftVoterRequest, UpdateRaftVoterRequest, UpdateRaftVoterResponse,
    VoterChangeResponse,
};

/// A node to send to. Bootstrap servers whose id is not known have ids from −2 downwards.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// Node id, or a negative stand-in.
    pub id: i32,
    /// Where it is reached.
    pub address: Address,
}

impl Node {
    /// `Node.hashCode()`, which orders Kafka's hash tables of nodes.
    pub(crate) fn hash_code(&self, rule: NodeHash) -> i32 {
        let (host, port) = (hash_string(&self.address.host), self.address.port);
        let without_rack = [host, self.id, i32::from(port), 0];
        match rule {
            NodeHash::AddressAndId => hash_all(without_rack),
            NodeHash::WithFencing => hash_all(without_rack.into_iter().chain([hash_bool(false)])),
        }
    }
}

/// The endpoint of a leader in a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeEndpoint {
    /// The leader.
    pub node_id: i32,
    /// Its address at the listener the request came in by.
    pub address: Address,
}

/// What comes out of [`crate::Replica::poll_message`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outbound {
    /// A request of this replica's. Its answer, or [`Response::failed`], goes back in as [`Inbound::Response`] with
    /// the same `correlation_id` and `to` as its source.
    Request {
        /// The receiver.
        to: Node,
        /// Unique among the requests of this replica.
        correlation_id: i32,
        /// The request, in the newest version.
        request: Request,
    },
    /// The answer to the request that came in with this token.
    Reply {
        /// As given in [`InboundRequest::token`].
        token: u64,
        /// The answer.
        response: Response,
    },
}

/// What goes into [`crate::Replica::poll`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inbound {
    /// Somebody asks.
    Request(InboundRequest),
    /// An answer to a request of this replica's.
    Response {
        /// Whom it was sent to.
        source: Node,
        /// As in [`Outbound::Request`].
        correlation_id: i32,
        /// The answer.
        response: Response,
    },
}

/// A request as it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboundRequest {
    /// Chosen by the caller; comes back with the reply.
    pub token: u64,
    /// The listener it came in by, whose address of the leader the reply names.
    pub listener_name: ListenerName,
    /// The version it was sent in.
    pub api_version: i16,
    /// The request.
    pub request: Request,
}

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
    /// Adds a voter.
    AddRaftVoter(AddRaftVoterRequest),
    /// Removes a voter.
    RemoveRaftVoter(RemoveRaftVoterRequest),
    /// Tells the leader the endpoints and range of a voter.
    UpdateRaftVoter(UpdateRaftVoterRequest),
    /// Asks the leader for the state of the quorum.
    DescribeQuorum,
}

/// All responses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// To [`Request::Vote`].
    Vote(VoteResponse),
    /// To [`Request::BeginQuorumEpoch`].
    BeginQuorumEpoch(QuorumEpochResponse),
    /// To [`Request::EndQuorumEpoch`].
    EndQuorumEpoch(QuorumEpochResponse),
    /// To [`Request::Fetch`].
    Fetch(FetchResponse),
    /// To [`Request::FetchSnapshot`].
    FetchSnapshot(FetchSnapshotResponse),
    /// To [`Request::ApiVersions`].
    ApiVersions(ApiVersionsResponse),
    /// To [`Request::AddRaftVoter`].
    AddRaftVoter(VoterChangeResponse),
    /// To [`Request::RemoveRaftVoter`].
    RemoveRaftVoter(VoterChangeResponse),
    /// To [`Request::UpdateRaftVoter`].
    UpdateRaftVoter(UpdateRaftVoterResponse),
    /// To [`Request::DescribeQuorum`].
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
}
