use std::sync::Arc;

use records::{ReplicaKey, Uuid};

use super::{Errors, NodeEndpoint};
use crate::Endpoints;

/// `BEGIN_QUORUM_EPOCH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeginQuorumEpochRequest {
    /// The sender's cluster.
    pub cluster_id: Option<Arc<str>>,
    /// The receiver as the sender knows it (v1+), else −1.
    pub voter_id: i32,
    /// The receiver's directory (v1+).
    pub voter_directory_id: Uuid,
    /// The sender.
    pub leader_id: i32,
    /// Its epoch.
    pub leader_epoch: i32,
    /// Where the leader is reached (v1+).
    pub leader_endpoints: Endpoints,
}

/// `END_QUORUM_EPOCH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndQuorumEpochRequest {
    /// The sender's cluster.
    pub cluster_id: Option<Arc<str>>,
    /// The sender.
    pub leader_id: i32,
    /// Its epoch.
    pub leader_epoch: i32,
    /// Voters that should try next, the most caught up first: ids in v0, with directories in v1+.
    pub preferred_candidates: Vec<ReplicaKey>,
    /// Where the leader is reached (v1+; Kafka leaves it empty).
    pub leader_endpoints: Endpoints,
}

/// Answer to both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuorumEpochResponse {
    /// Top level error.
    pub error_code: Errors,
    /// Absent with a top level error.
    pub partition: Option<QuorumEpochPartitionResponse>,
    /// The leader's endpoint, where one is known (v1+).
    pub node_endpoint: Option<NodeEndpoint>,
}

/// The partition of a [`QuorumEpochResponse`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuorumEpochPartitionResponse {
    /// Partition error.
    pub error_code: Errors,
    /// The leader the receiver knows, or −1.
    pub leader_id: i32,
    /// The receiver's epoch.
    pub leader_epoch: i32,
}

impl QuorumEpochResponse {
    /// Only a top level error.
    pub fn failed(error_code: Errors) -> Self {
        QuorumEpochResponse {
            error_code,
            partition: None,
            node_endpoint: None,
        }
    }
}
