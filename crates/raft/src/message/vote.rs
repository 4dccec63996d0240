use std::sync::Arc;

use records::Uuid;

use super::{Errors, NodeEndpoint};

/// VOTE (KIP-595, KIP-853, KIP-996).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoteRequest {
    /// The sender's cluster.
    pub cluster_id: Option<Arc<str>>,
    /// The receiver as the sender knows it (v1+), else −1.
    pub voter_id: i32,
    /// The candidate's epoch, or the prospective's present one.
    pub replica_epoch: i32,
    /// The sender.
    pub replica_id: i32,
    /// The sender's directory (v1+).
    pub replica_directory_id: Uuid,
    /// The receiver's directory (v1+).
    pub voter_directory_id: Uuid,
    /// Epoch of the sender's last record.
    pub last_offset_epoch: i32,
    /// The sender's log end offset.
    pub last_offset: i64,
    /// Only asks whether the vote would be granted (v2+).
    pub pre_vote: bool,
}

/// Answer to [`VoteRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoteResponse {
    /// Top level error.
    pub error_code: Errors,
    /// Absent with a top level error.
    pub partition: Option<VotePartitionResponse>,
    /// The leader's endpoint, where one is known (v1+).
    pub node_endpoint: Option<NodeEndpoint>,
}

/// The partition of a [`VoteResponse`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VotePartitionResponse {
    /// Partition error.
    pub error_code: Errors,
    /// The leader the receiver knows, or −1.
    pub leader_id: i32,
    /// The receiver's epoch.
    pub leader_epoch: i32,
    /// Whether the vote is granted.
    pub vote_granted: bool,
}

impl VoteResponse {
    /// Only a top level error.
    pub fn failed(error_code: Errors) -> Self {
        VoteResponse {
            error_code,
            partition: None,
            node_endpoint: None,
        }
    }
}
