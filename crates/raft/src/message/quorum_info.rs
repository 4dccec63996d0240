use records::{NodeId, ReplicaKey};

use super::Errors;
use crate::{Endpoints, SupportedVersionRange};

/// Answer to `API_VERSIONS`, as far as raft looks at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiVersionsResponse {
    /// The outcome.
    pub error_code: Errors,
    /// The receiver's kraft.version range, where it has that feature.
    pub kraft_version: Option<SupportedVersionRange>,
}

impl ApiVersionsResponse {
    /// Only an error.
    pub fn failed(error_code: Errors) -> Self {
        ApiVersionsResponse {
            error_code,
            kraft_version: None,
        }
    }
}

/// Answer to `DESCRIBE_QUORUM`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribeQuorumResponse {
    /// Top level error.
    pub error_code: Errors,
    /// Absent with a top level error.
    pub partition: Option<DescribeQuorumPartitionResponse>,
    /// Where the voters are reached (v2+).
    pub nodes: Vec<VoterListeners>,
}

/// The partition of a [`DescribeQuorumResponse`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DescribeQuorumPartitionResponse {
    /// Partition error.
    pub error_code: Errors,
    /// The leader.
    pub leader_id: i32,
    /// Its epoch.
    pub leader_epoch: i32,
    /// Its high watermark, or −1.
    pub high_watermark: i64,
    /// How far the voters are.
    pub current_voters: Vec<ReplicaStateInfo>,
    /// How far the observers are.
    pub observers: Vec<ReplicaStateInfo>,
}

/// One replica as the leader sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplicaStateInfo {
    /// The replica; its directory from v2 on.
    pub replica: ReplicaKey,
    /// Its log end offset, or −1.
    pub log_end_offset: i64,
    /// When it fetched last, in milliseconds since 1970, or −1.
    pub last_fetch_timestamp: i64,
    /// When it was caught up last, or −1.
    pub last_caught_up_timestamp: i64,
}

/// Where a voter is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoterListeners {
    /// The voter.
    pub node_id: NodeId,
    /// Its endpoints.
    pub listeners: Endpoints,
}

impl DescribeQuorumResponse {
    /// Only a top level error.
    pub fn failed(error_code: Errors) -> Self {
        DescribeQuorumResponse {
            error_code,
            partition: None,
            nodes: Vec::new(),
        }
    }

    /// Only a partition error.
    pub fn partition_failed(error_code: Errors) -> Self {
        let partition = DescribeQuorumPartitionResponse {
            error_code,
            ..Default::default()
        };
        DescribeQuorumResponse {
            error_code: Errors::NONE,
            partition: Some(partition),
            nodes: Vec::new(),
        }
    }
}
