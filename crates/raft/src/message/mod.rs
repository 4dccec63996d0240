//! The messages that replicas exchange: typed, with Kafka's field names, one partition each.
//!
//! Batches and checkpoint pieces are shared bytes. Fields exist for the newest version; [`Request::at_version`] takes
//! away what an older version cannot say, and an answer is made for the version of its request.
//!
//! Each message is described here once, field by field, with Kafka's names and versions: `rpc!` describes a message whose
//! fields are those of Kafka's schema, `message!` the form of one that raft sees in another way, with the way there and
//! back. [`crate::wire`] makes bytes of the descriptions.

mod api_key;
mod api_versions;
mod delivery;
mod describe;
mod describe_quorum;
mod errors;
mod fetch;
mod fetch_form;
mod fetch_snapshot;
mod node;
mod quorum_epoch;
mod registration;
mod request;
mod response;
mod rpc;
mod vote;
mod voters;

pub use api_key::{ApiKey, UnsupportedVersion};
pub use api_versions::ApiVersionsResponse;
pub use delivery::{Inbound, InboundRequest, Outbound};
pub use describe_quorum::{
    DescribeQuorumPartitionResponse, DescribeQuorumResponse, ReplicaStateInfo, VoterListeners,
};
pub use errors::Errors;
pub use fetch::{DivergingEpoch, FetchPartitionResponse, FetchRequest, FetchResponse};
pub use fetch_snapshot::{
    FetchSnapshotPartitionResponse, FetchSnapshotRequest, FetchSnapshotResponse,
};
pub use node::{Node, NodeEndpoint};
pub use quorum_epoch::{
    BeginQuorumEpochRequest, EndQuorumEpochRequest, QuorumEpochPartitionResponse,
    QuorumEpochResponse,
};
pub use registration::{
    ControllerRegistrationRequest, ControllerRegistrationResponse, RegisteredFeature,
    RegisteredListener,
};
pub use request::Request;
pub use response::Response;
pub use vote::{VotePartitionResponse, VoteRequest, VoteResponse};
pub use voters::{
    AddRaftVoterRequest, RemoveRaftVoterRequest, UpdateRaftVoterRequest, UpdateRaftVoterResponse,
    VoterChangeResponse,
};

pub(crate) use api_versions::ApiVersionsRequest;
pub(crate) use describe_quorum::DescribeQuorumRequest;
pub(crate) use rpc::{Content, Rpc};
