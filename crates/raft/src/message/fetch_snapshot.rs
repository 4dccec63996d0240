use std::sync::Arc;

use bytes::Bytes;
use records::{OffsetAndEpoch, Uuid};

use super::{Errors, NodeEndpoint};

/// `FETCH_SNAPSHOT` (KIP-630).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchSnapshotRequest {
    /// The sender's cluster.
    pub cluster_id: Option<Arc<str>>,
    /// The sender.
    pub replica_id: i32,
    /// The sender's directory (v1+).
    pub replica_directory_id: Uuid,
    /// How many bytes the answer may hold.
    pub max_bytes: i32,
    /// The sender's epoch.
    pub current_leader_epoch: i32,
    /// Which checkpoint.
    pub snapshot_id: OffsetAndEpoch,
    /// From which byte on.
    pub position: i64,
}

/// Answer to [`FetchSnapshotRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchSnapshotResponse {
    /// Top level error.
    pub error_code: Errors,
    /// Absent with a top level error.
    pub partition: Option<FetchSnapshotPartitionResponse>,
    /// The leader's endpoint, where one is known (v1+).
    pub node_endpoint: Option<NodeEndpoint>,
}

/// The partition of a [`FetchSnapshotResponse`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchSnapshotPartitionResponse {
    /// Partition error.
    pub error_code: Errors,
    /// Which checkpoint; −1 and −1 with an error.
    pub snapshot_id: OffsetAndEpoch,
    /// The leader the receiver knows, or −1.
    pub leader_id: i32,
    /// The receiver's epoch.
    pub leader_epoch: i32,
    /// Size of the whole file.
    pub size: i64,
    /// Where these bytes begin.
    pub position: i64,
    /// Bytes of the file, not aligned to batches.
    pub unaligned_records: Bytes,
}

impl FetchSnapshotResponse {
    /// Only a top level error.
    pub fn failed(error_code: Errors) -> Self {
        FetchSnapshotResponse {
            error_code,
            partition: None,
            node_endpoint: None,
        }
    }
}
