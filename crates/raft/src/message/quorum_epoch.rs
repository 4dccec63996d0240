use std::sync::Arc;

use records::wire::message;
use records::{NodeId, ReplicaKey, Uuid};

use super::describe::{response, rpc};
use super::errors::Errors;
use super::rpc::{
    Content, Formed as _, ListenerForm, METADATA_PARTITION, Rpc, check_partition, check_topic,
    metadata_topic, only,
};
use crate::Endpoints;

rpc! {
    /// With `BEGIN_QUORUM_EPOCH`, a new leader tells the voters that it leads.
    pub struct BeginQuorumEpochRequest in BeginQuorumEpochRequestForm {
        /// The sender's cluster.
        cluster_id: Option<Arc<str>> = "clusterId", since 0;
        /// The receiver as the sender knows it (v1+), else −1.
        voter_id: i32 = ignorable "voterId", since 1, default -1;
        + topics: BeginQuorumEpochTopic "topicName", BeginQuorumEpochPartition "partitionIndex" {
            /// The receiver's directory (v1+).
            voter_directory_id: Uuid = ignorable "voterDirectoryId", since 1;
            leader_id: i32 = "leaderId", since 0;
            leader_epoch: i32 = "leaderEpoch", since 0;
        }
        /// Where the leader is reached (v1+).
        leader_endpoints: Endpoints as Vec<ListenerForm> = ignorable "leaderEndpoints", since 1;
    }
}

/// `END_QUORUM_EPOCH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndQuorumEpochRequest {
    /// The sender's cluster.
    pub cluster_id: Option<Arc<str>>,
    pub leader_id: i32,
    pub leader_epoch: i32,
    /// Voters that should try next, the most caught up first: ids in v0, with directories in v1+.
    pub preferred_candidates: Vec<ReplicaKey>,
    /// Where the leader is reached (v1+; Kafka leaves it empty).
    pub leader_endpoints: Endpoints,
}

message! {
    /// `END_QUORUM_EPOCH`.
    pub struct EndQuorumEpochRequestForm {
        /// The sender's cluster.
        cluster_id: Option<Arc<str>> = "clusterId", since 0;
        /// The metadata log.
        topics: Vec<EndQuorumEpochTopic> = "topics", since 0;
        /// Where the leader is reached.
        leader_endpoints: Vec<ListenerForm> = ignorable "leaderEndpoints", since 1;
    }

    /// The metadata log.
    pub struct EndQuorumEpochTopic {
        /// `__cluster_metadata`.
        name: Arc<str> = "topicName", since 0;
        /// Its only partition.
        partitions: Vec<EndQuorumEpochPartition> = "partitions", since 0;
    }

    /// The partition of the metadata log.
    pub struct EndQuorumEpochPartition {
        /// 0.
        index: i32 = "partitionIndex", since 0;
        leader_id: i32 = "leaderId", since 0;
        leader_epoch: i32 = "leaderEpoch", since 0;
        /// Voters that should try next, by id.
        preferred_successors: Vec<i32> = ignorable "preferredSuccessors", since 0 until 0;
        /// Voters that should try next, with their directories.
        preferred_candidates: Vec<ReplicaInfoForm> = ignorable "preferredCandidates", since 1;
    }

    /// A preferred successor (version 1).
    pub struct ReplicaInfoForm {
        candidate_id: i32 = "candidateId", since 1;
        candidate_directory_id: Uuid = "candidateDirectoryId", since 1;
    }
}

/// The preferred candidates stand as ids in version 0, with directories from 1 on.
impl Rpc for EndQuorumEpochRequest {
    type Form = EndQuorumEpochRequestForm;

    fn to_form(&self, _: i16) -> EndQuorumEpochRequestForm {
        let preferred = self.preferred_candidates.iter();
        let candidate = |candidate: &ReplicaKey| ReplicaInfoForm {
            candidate_id: candidate.id.0,
            candidate_directory_id: candidate.directory_id_or_zero(),
            ..ReplicaInfoForm::default()
        };
        let partition = EndQuorumEpochPartition {
            index: METADATA_PARTITION,
            leader_id: self.leader_id,
            leader_epoch: self.leader_epoch,
            preferred_successors: preferred.clone().map(|candidate| candidate.id.0).collect(),
            preferred_candidates: preferred.map(candidate).collect(),
            ..EndQuorumEpochPartition::default()
        };
        let topic = EndQuorumEpochTopic {
            name: metadata_topic(),
            partitions: vec![partition],
            ..EndQuorumEpochTopic::default()
        };
        EndQuorumEpochRequestForm {
            cluster_id: self.cluster_id.clone(),
            topics: vec![topic],
            leader_endpoints: self.leader_endpoints.to_field(),
            ..EndQuorumEpochRequestForm::default()
        }
    }

    fn of_form(form: EndQuorumEpochRequestForm, version: i16) -> Result<Self, Content> {
        let topic = only(form.topics, "topics")?;
        check_topic(&topic.name, "topics[0].topicName")?;
        let partition = only(topic.partitions, "topics[0].partitions")?;
        check_partition(partition.index, "topics[0].partitions[0].partitionIndex")?;
        let preferred_candidates = if version == 0 {
            let successors = partition.preferred_successors.into_iter();
            successors
                .map(|id| ReplicaKey::of_node(NodeId(id)))
                .collect()
        } else {
            let candidates = partition.preferred_candidates.into_iter();
            let key = |candidate: ReplicaInfoForm| {
                ReplicaKey::new(
                    NodeId(candidate.candidate_id),
                    candidate.candidate_directory_id,
                )
            };
            candidates.map(key).collect()
        };
        Ok(EndQuorumEpochRequest {
            cluster_id: form.cluster_id,
            leader_id: partition.leader_id,
            leader_epoch: partition.leader_epoch,
            preferred_candidates,
            leader_endpoints: Endpoints::of_field(form.leader_endpoints),
        })
    }
}

response! {
    /// Answer to both.
    pub struct QuorumEpochResponse in QuorumEpochResponseForm, QuorumEpochResponseTopic;

    /// The partition of a [`QuorumEpochResponse`].
    pub struct QuorumEpochPartitionResponse in QuorumEpochResponsePartition {
        error_code: Errors = "errorCode", since 0;
        /// The leader the receiver knows, or −1.
        leader_id: i32 = "leaderId", since 0;
        /// The receiver's epoch.
        leader_epoch: i32 = "leaderEpoch", since 0;
    }
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
