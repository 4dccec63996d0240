use std::sync::Arc;

use bytes::Bytes;
use records::wire::message;
use records::{OffsetAndEpoch, Uuid};

use super::describe::rpc;
use super::errors::Errors;
use super::node::NodeEndpoint;
use super::rpc::{
    Content, Formed as _, METADATA_PARTITION, NodeEndpointForm, Rpc, SnapshotIdForm, at_most_one,
    check_partition, check_topic, metadata_topic, node_endpoint, only,
};

rpc! {
    /// `FETCH_SNAPSHOT` (KIP-630).
    pub struct FetchSnapshotRequest in FetchSnapshotRequestForm {
        /// The sender's cluster.
        cluster_id: Option<Arc<str>> = "clusterId", since 0, tag 0;
        replica_id: i32 = "replicaId", since 0, default -1;
        /// How many bytes the answer may hold.
        max_bytes: i32 = "maxBytes", since 0, default i32::MAX;
        + topics: FetchSnapshotTopic "name", FetchSnapshotPartition "partition" {
            /// The sender's epoch.
            current_leader_epoch: i32 = "currentLeaderEpoch", since 0;
            snapshot_id: OffsetAndEpoch as SnapshotIdForm = "snapshotId", since 0;
            /// From which byte on.
            position: i64 = "position", since 0;
            /// The sender's directory (v1+).
            replica_directory_id: Uuid = ignorable "replicaDirectoryId", since 1, tag 0;
        }
    }
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

message! {
    /// Answer to [`FetchSnapshotRequest`].
    pub struct FetchSnapshotResponseForm {
        /// Left at its default.
        throttle_time_ms: i32 = ignorable "throttleTimeMs", since 0;
        /// Top level error.
        error_code: Errors = "errorCode", since 0;
        /// The metadata log, or none.
        topics: Vec<FetchSnapshotResponseTopic> = "topics", since 0;
        /// The leader's endpoint, or none.
        node_endpoints: Vec<NodeEndpointForm> = "nodeEndpoints", since 1, tag 0;
    }

    /// The metadata log.
    pub struct FetchSnapshotResponseTopic {
        /// `__cluster_metadata`.
        name: Arc<str> = "name", since 0;
        /// Its only partition.
        partitions: Vec<FetchSnapshotResponsePartition> = "partitions", since 0;
    }

    /// The partition of a [`FetchSnapshotResponse`].
    pub struct FetchSnapshotResponsePartition {
        /// 0.
        index: i32 = "index", since 0;
        error_code: Errors = "errorCode", since 0;
        snapshot_id: SnapshotIdForm = "snapshotId", since 0;
        /// The leader the receiver knows.
        current_leader: CurrentLeaderForm = "currentLeader", since 0, tag 0;
        /// Size of the whole file.
        size: i64 = "size", since 0;
        /// Where these bytes begin.
        position: i64 = "position", since 0;
        /// Bytes of the file.
        unaligned_records: Bytes = "unalignedRecords", since 0;
    }

    /// The leader that the answering node knows.
    pub struct CurrentLeaderForm {
        leader_id: i32 = "leaderId", since 0;
        leader_epoch: i32 = "leaderEpoch", since 0;
    }
}

impl Rpc for FetchSnapshotResponse {
    type Form = FetchSnapshotResponseForm;

    fn to_form(&self, version: i16) -> FetchSnapshotResponseForm {
        let topics = self
            .partition
            .iter()
            .map(|partition| FetchSnapshotResponseTopic {
                name: metadata_topic(),
                partitions: vec![partition.to_form()],
                ..FetchSnapshotResponseTopic::default()
            });
        FetchSnapshotResponseForm {
            error_code: self.error_code,
            topics: topics.collect(),
            node_endpoints: NodeEndpointForm::list(self.node_endpoint.as_ref(), 1, version),
            ..FetchSnapshotResponseForm::default()
        }
    }

    fn of_form(form: FetchSnapshotResponseForm, _: i16) -> Result<Self, Content> {
        let mut partition = None;
        if let Some(topic) = at_most_one(form.topics, "topics")? {
            check_topic(&topic.name, "topics[0].name")?;
            let read = only(topic.partitions, "topics[0].partitions")?;
            check_partition(read.index, "topics[0].partitions[0].index")?;
            partition = Some(FetchSnapshotPartitionResponse::of_form(read));
        }
        let leader_id = partition.as_ref().map(|partition| partition.leader_id);
        Ok(FetchSnapshotResponse {
            error_code: form.error_code,
            partition,
            node_endpoint: node_endpoint(leader_id, form.node_endpoints),
        })
    }
}

impl FetchSnapshotPartitionResponse {
    fn to_form(&self) -> FetchSnapshotResponsePartition {
        FetchSnapshotResponsePartition {
            index: METADATA_PARTITION,
            error_code: self.error_code,
            snapshot_id: self.snapshot_id.to_field(),
            current_leader: CurrentLeaderForm {
                leader_id: self.leader_id,
                leader_epoch: self.leader_epoch,
                ..CurrentLeaderForm::default()
            },
            size: self.size,
            position: self.position,
            unaligned_records: self.unaligned_records.clone(),
            ..FetchSnapshotResponsePartition::default()
        }
    }

    fn of_form(form: FetchSnapshotResponsePartition) -> Self {
        FetchSnapshotPartitionResponse {
            error_code: form.error_code,
            snapshot_id: OffsetAndEpoch::of_field(form.snapshot_id),
            leader_id: form.current_leader.leader_id,
            leader_epoch: form.current_leader.leader_epoch,
            size: form.size,
            position: form.position,
            unaligned_records: form.unaligned_records,
        }
    }
}
