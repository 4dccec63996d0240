use std::sync::Arc;

use records::Uuid;

use super::describe::{response, rpc};
use super::errors::Errors;

rpc! {
    /// VOTE (KIP-595, KIP-853, KIP-996).
    pub struct VoteRequest in VoteRequestForm {
        /// The sender's cluster.
        cluster_id: Option<Arc<str>> = "clusterId", since 0;
        /// The receiver as the sender knows it (v1+), else −1.
        voter_id: i32 = ignorable "voterId", since 1, default -1;
        + topics: VoteRequestTopic "topicName", VoteRequestPartition "partitionIndex" {
            /// The candidate's epoch, or the prospective's present one.
            replica_epoch: i32 = "replicaEpoch", since 0;
            replica_id: i32 = "replicaId", since 0;
            /// The sender's directory (v1+).
            replica_directory_id: Uuid = ignorable "replicaDirectoryId", since 1;
            /// The receiver's directory (v1+).
            voter_directory_id: Uuid = ignorable "voterDirectoryId", since 1;
            /// Epoch of the sender's last record.
            last_offset_epoch: i32 = "lastOffsetEpoch", since 0;
            /// The sender's log end offset.
            last_offset: i64 = "lastOffset", since 0;
            /// Only asks whether the vote would be granted (v2+).
            pre_vote: bool = "preVote", since 2;
        }
    }
}

response! {
    /// Answer to [`VoteRequest`].
    pub struct VoteResponse in VoteResponseForm, VoteResponseTopic;

    /// The partition of a [`VoteResponse`].
    pub struct VotePartitionResponse in VoteResponsePartition {
        error_code: Errors = "errorCode", since 0;
        /// The leader the receiver knows, or −1.
        leader_id: i32 = "leaderId", since 0;
        /// The receiver's epoch.
        leader_epoch: i32 = "leaderEpoch", since 0;
        /// Whether the vote is granted.
        vote_granted: bool = "voteGranted", since 0;
    }
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
