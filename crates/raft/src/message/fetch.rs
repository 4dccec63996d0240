use std::sync::Arc;

use bytes::Bytes;
use raft_log::batch::Batch;
use records::{OffsetAndEpoch, Uuid};

use super::{Errors, NodeEndpoint};

/// FETCH.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchRequest {
    /// The sender's cluster.
    pub cluster_id: Option<Arc<str>>,
    /// The sender, −1 for a node without id.
    pub replica_id: i32,
    /// The sender's directory (v17+).
    pub replica_directory_id: Uuid,
    /// How long the answer may wait for something new, in milliseconds.
    pub max_wait_ms: i32,
    /// How many bytes of batches the answer may hold; at least one batch comes all the same.
    pub max_bytes: i32,
    /// The sender's epoch.
    pub current_leader_epoch: i32,
    /// The sender's log end offset.
    pub fetch_offset: i64,
    /// Epoch of the sender's last record.
    pub last_fetched_epoch: i32,
    /// The high watermark the sender knows, or −1 (v18+). Older versions say the largest offset there is.
    pub high_watermark: i64,
}

/// Answer to [`FetchRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchResponse {
    /// Top level error.
    pub error_code: Errors,
    /// Absent with a top level error.
    pub partition: Option<FetchPartitionResponse>,
    /// The leader's endpoint, where one is known (v17+).
    pub node_endpoint: Option<NodeEndpoint>,
}

/// The partition of a [`FetchResponse`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchPartitionResponse {
    /// Partition error.
    pub error_code: Errors,
    /// The leader's high watermark, or −1.
    pub high_watermark: i64,
    /// The leader's log start offset.
    pub log_start_offset: i64,
    /// Where the sender must truncate to, or nothing.
    pub diverging_epoch: Option<DivergingEpoch>,
    /// The leader the receiver knows, or −1.
    pub leader_id: i32,
    /// The receiver's epoch.
    pub leader_epoch: i32,
    /// The checkpoint the sender must fetch, or nothing.
    pub snapshot_id: Option<OffsetAndEpoch>,
    /// Whole batches, shared.
    pub records: Vec<Batch>,
    /// The beginning of one more, cut short where the answer is full; nobody reads it.
    pub cut: Bytes,
}

/// Up to where the receiver's log agrees with an epoch of the sender's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DivergingEpoch {
    /// The epoch.
    pub epoch: i32,
    /// Its end offset.
    pub end_offset: i64,
}

impl FetchResponse {
    /// Only a top level error.
    pub fn failed(error_code: Errors) -> Self {
        FetchResponse {
            error_code,
            partition: None,
            node_endpoint: None,
        }
    }

    /// Whether a batch in it holds records of raft's client.
    pub fn carries_data(&self) -> bool {
        let records = self.partition.iter().flat_map(|part| &part.records);
        records.into_iter().any(|batch| !batch.is_control())
    }
}

impl FetchPartitionResponse {
    /// Bytes of batches in it.
    pub fn records_size(&self) -> usize {
        self.records.iter().map(Batch::size).sum::<usize>() + self.cut.len()
    }
}
