use kafka_protocol::messages::vote_request::{self, PartitionData, TopicData};
use kafka_protocol::messages::vote_response;
use kafka_protocol::messages::{VoteRequest as TheirRequest, VoteResponse as TheirResponse};

use super::super::DecodeError;
use super::value;
use crate::Address;
use crate::message::{Errors, NodeEndpoint, VotePartitionResponse, VoteRequest, VoteResponse};

pub(super) fn request(ours: &VoteRequest) -> TheirRequest {
    let partition = PartitionData::default()
        .with_partition_index(value::partition_index())
        .with_replica_epoch(ours.replica_epoch)
        .with_replica_id(ours.replica_id.into())
        .with_replica_directory_id(value::uuid(ours.replica_directory_id))
        .with_voter_directory_id(value::uuid(ours.voter_directory_id))
        .with_last_offset_epoch(ours.last_offset_epoch)
        .with_last_offset(ours.last_offset)
        .with_pre_vote(ours.pre_vote);
    let topic = TopicData::default()
        .with_topic_name(value::topic_name())
        .with_partitions(vec![partition]);
    TheirRequest::default()
        .with_cluster_id(value::nullable_text(ours.cluster_id.as_deref()))
        .with_voter_id(ours.voter_id.into())
        .with_topics(vec![topic])
}

pub(super) fn from_request(theirs: TheirRequest) -> Result<VoteRequest, DecodeError> {
    let topic: vote_request::TopicData = value::only(theirs.topics, "VoteRequest.topics")?;
    value::check_topic(&topic.topic_name, "VoteRequest.topics[0].topicName")?;
    let partition = value::only(topic.partitions, "VoteRequest.topics[0].partitions")?;
    let field = "VoteRequest.topics[0].partitions[0].partitionIndex";
    value::check_partition(partition.partition_index, field)?;
    Ok(VoteRequest {
        cluster_id: value::shared_text(theirs.cluster_id.as_ref()),
        voter_id: theirs.voter_id.0,
        replica_epoch: partition.replica_epoch,
        replica_id: partition.replica_id.0,
        replica_directory_id: value::from_uuid(partition.replica_directory_id),
        voter_directory_id: value::from_uuid(partition.voter_directory_id),
        last_offset_epoch: partition.last_offset_epoch,
        last_offset: partition.last_offset,
        pre_vote: partition.pre_vote,
    })
}

pub(super) fn response(ours: &VoteResponse, version: i16) -> TheirResponse {
    let topics = ours.partition.iter().map(|partition| {
        let partition = vote_response::PartitionData::default()
            .with_partition_index(value::partition_index())
            .with_error_code(partition.error_code.0)
            .with_leader_id(partition.leader_id.into())
            .with_leader_epoch(partition.leader_epoch)
            .with_vote_granted(partition.vote_granted);
        vote_response::TopicData::default()
            .with_topic_name(value::topic_name())
            .with_partitions(vec![partition])
    });
    let endpoints = ours.node_endpoint.iter().map(|endpoint| {
        vote_response::NodeEndpoint::default()
            .with_node_id(endpoint.node_id.into())
            .with_host(value::text(&endpoint.address.host))
            .with_port(endpoint.address.port)
    });
    TheirResponse::default()
        .with_error_code(ours.error_code.0)
        .with_topics(topics.collect())
        .with_node_endpoints(value::since(1, version, endpoints.collect()))
}

pub(super) fn from_response(theirs: TheirResponse) -> Result<VoteResponse, DecodeError> {
    let partition = from_topics(theirs.topics)?;
    let endpoints = theirs.node_endpoints.iter().map(|endpoint| NodeEndpoint {
        node_id: endpoint.node_id.0,
        address: Address::new(&endpoint.host, endpoint.port),
    });
    let leader_id = partition.map(|partition| partition.leader_id);
    Ok(VoteResponse {
        error_code: Errors(theirs.error_code),
        partition,
        node_endpoint: value::node_endpoint(leader_id, endpoints),
    })
}

fn from_topics(
    topics: Vec<vote_response::TopicData>,
) -> Result<Option<VotePartitionResponse>, DecodeError> {
    if topics.is_empty() {
        return Ok(None);
    }
    let topic = value::only(topics, "VoteResponse.topics")?;
    value::check_topic(&topic.topic_name, "VoteResponse.topics[0].topicName")?;
    let partition = value::only(topic.partitions, "VoteResponse.topics[0].partitions")?;
    let field = "VoteResponse.topics[0].partitions[0].partitionIndex";
    value::check_partition(partition.partition_index, field)?;
    Ok(Some(VotePartitionResponse {
        error_code: Errors(partition.error_code),
        leader_id: partition.leader_id.0,
        leader_epoch: partition.leader_epoch,
        vote_granted: partition.vote_granted,
    }))
}
