use std::sync::Arc;

use records::wire::message;
use records::{NodeId, ReplicaKey, Uuid};

use super::describe::rpc;
use super::errors::Errors;
use super::rpc::{
    Content, Formed as _, ListenerForm, METADATA_PARTITION, Rpc, at_most_one, check_partition,
    check_topic, metadata_topic, only,
};
use crate::Endpoints;

/// First version with directories and the voters' listeners.
const FIRST_WITH_NODES: i16 = 2;

rpc! {
    /// `DESCRIBE_QUORUM`: it says nothing but what it asks about.
    pub struct DescribeQuorumRequest in DescribeQuorumRequestForm {
        + topics: DescribeQuorumTopic "topicName", DescribeQuorumPartition "partitionIndex" {
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
    pub error_code: Errors,
    pub leader_id: i32,
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
    pub node_id: NodeId,
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

message! {
    /// Answer to `DESCRIBE_QUORUM`.
    pub struct DescribeQuorumResponseForm {
        /// Top level error.
        error_code: Errors = "errorCode", since 0;
        /// Left at its default.
        error_message: Option<String> = ignorable "errorMessage", since 2, default Some(String::new());
        /// The metadata log, or none.
        topics: Vec<DescribeQuorumResponseTopic> = "topics", since 0;
        /// Where the voters are reached.
        nodes: Vec<DescribedNodeForm> = "nodes", since 2;
    }

    /// The metadata log.
    pub struct DescribeQuorumResponseTopic {
        /// `__cluster_metadata`.
        name: Arc<str> = "topicName", since 0;
        /// Its only partition.
        partitions: Vec<DescribeQuorumResponsePartition> = "partitions", since 0;
    }

    /// The partition of a [`DescribeQuorumResponse`].
    pub struct DescribeQuorumResponsePartition {
        /// 0.
        index: i32 = "partitionIndex", since 0;
        error_code: Errors = "errorCode", since 0;
        /// Left at its default.
        error_message: Option<String> = ignorable "errorMessage", since 2, default Some(String::new());
        leader_id: i32 = "leaderId", since 0;
        leader_epoch: i32 = "leaderEpoch", since 0;
        /// Its high watermark, or −1.
        high_watermark: i64 = "highWatermark", since 0;
        /// How far the voters are.
        current_voters: Vec<ReplicaStateForm> = "currentVoters", since 0;
        /// How far the observers are.
        observers: Vec<ReplicaStateForm> = "observers", since 0;
    }

    /// One replica as the leader sees it.
    pub struct ReplicaStateForm {
        replica_id: i32 = "replicaId", since 0;
        replica_directory_id: Uuid = "replicaDirectoryId", since 2;
        /// Its log end offset, or −1.
        log_end_offset: i64 = "logEndOffset", since 0;
        /// When it fetched last, or −1.
        last_fetch_timestamp: i64 = ignorable "lastFetchTimestamp", since 1, default -1;
        /// When it was caught up last, or −1.
        last_caught_up_timestamp: i64 = ignorable "lastCaughtUpTimestamp", since 1, default -1;
    }

    /// A voter and its endpoints (version 2).
    pub struct DescribedNodeForm {
        node_id: i32 = "nodeId", since 2;
        /// Where it is reached.
        listeners: Vec<ListenerForm> = "listeners", since 2;
    }
}

impl Rpc for DescribeQuorumResponse {
    type Form = DescribeQuorumResponseForm;

    fn to_form(&self, version: i16) -> DescribeQuorumResponseForm {
        let topics = self
            .partition
            .iter()
            .map(|partition| DescribeQuorumResponseTopic {
                name: metadata_topic(),
                partitions: vec![partition.to_form(version)],
                ..DescribeQuorumResponseTopic::default()
            });
        // Kafka leaves them out of older versions, where the schema would refuse them.
        let nodes = self.nodes.iter().filter(|_| version >= FIRST_WITH_NODES);
        let nodes = nodes.map(|node| DescribedNodeForm {
            node_id: node.node_id.0,
            listeners: node.listeners.to_field(),
            ..DescribedNodeForm::default()
        });
        DescribeQuorumResponseForm {
            error_code: self.error_code,
            topics: topics.collect(),
            nodes: nodes.collect(),
            ..DescribeQuorumResponseForm::default()
        }
    }

    fn of_form(form: DescribeQuorumResponseForm, _: i16) -> Result<Self, Content> {
        let mut partition = None;
        if let Some(topic) = at_most_one(form.topics, "topics")? {
            check_topic(&topic.name, "topics[0].topicName")?;
            let read = only(topic.partitions, "topics[0].partitions")?;
            check_partition(read.index, "topics[0].partitions[0].partitionIndex")?;
            partition = Some(DescribeQuorumPartitionResponse::of_form(&read));
        }
        let nodes = form.nodes.into_iter().map(|node| VoterListeners {
            node_id: NodeId(node.node_id),
            listeners: Endpoints::of_field(node.listeners),
        });
        Ok(DescribeQuorumResponse {
            error_code: form.error_code,
            partition,
            nodes: nodes.collect(),
        })
    }
}

impl DescribeQuorumPartitionResponse {
    fn to_form(&self, version: i16) -> DescribeQuorumResponsePartition {
        let states = |states: &[ReplicaStateInfo]| {
            let states = states.iter().map(|state| state.to_form(version));
            states.collect()
        };
        DescribeQuorumResponsePartition {
            index: METADATA_PARTITION,
            error_code: self.error_code,
            leader_id: self.leader_id,
            leader_epoch: self.leader_epoch,
            high_watermark: self.high_watermark,
            current_voters: states(&self.current_voters),
            observers: states(&self.observers),
            ..DescribeQuorumResponsePartition::default()
        }
    }

    fn of_form(form: &DescribeQuorumResponsePartition) -> Self {
        let states = |states: &[ReplicaStateForm]| {
            let states = states.iter().map(ReplicaStateInfo::of_form);
            states.collect()
        };
        DescribeQuorumPartitionResponse {
            error_code: form.error_code,
            leader_id: form.leader_id,
            leader_epoch: form.leader_epoch,
            high_watermark: form.high_watermark,
            current_voters: states(&form.current_voters),
            observers: states(&form.observers),
        }
    }
}

impl ReplicaStateInfo {
    fn to_form(self, version: i16) -> ReplicaStateForm {
        let directory_id = if version < FIRST_WITH_NODES {
            Uuid::ZERO
        } else {
            self.replica.directory_id_or_zero()
        };
        ReplicaStateForm {
            replica_id: self.replica.id.0,
            replica_directory_id: directory_id,
            log_end_offset: self.log_end_offset,
            last_fetch_timestamp: self.last_fetch_timestamp,
            last_caught_up_timestamp: self.last_caught_up_timestamp,
            ..ReplicaStateForm::default()
        }
    }

    fn of_form(form: &ReplicaStateForm) -> Self {
        ReplicaStateInfo {
            replica: ReplicaKey::new(NodeId(form.replica_id), form.replica_directory_id),
            log_end_offset: form.log_end_offset,
            last_fetch_timestamp: form.last_fetch_timestamp,
            last_caught_up_timestamp: form.last_caught_up_timestamp,
        }
    }
}
