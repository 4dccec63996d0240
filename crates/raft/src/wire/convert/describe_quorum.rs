use kafka_protocol::messages::{
    DescribeQuorumRequest as TheirRequest, DescribeQuorumResponse as TheirResponse,
    describe_quorum_request as asked, describe_quorum_response as answered,
};
use records::{NodeId, ReplicaKey};

use super::super::DecodeError;
use super::value;
use crate::message::{
    DescribeQuorumPartitionResponse, DescribeQuorumResponse, Errors, ReplicaStateInfo,
    VoterListeners,
};

/// First version with directories and the voters' listeners.
const FIRST_WITH_NODES: i16 = 2;

pub(super) fn request() -> TheirRequest {
    let partition = asked::PartitionData::default().with_partition_index(value::partition_index());
    let topic = asked::TopicData::default()
        .with_topic_name(value::topic_name())
        .with_partitions(vec![partition]);
    TheirRequest::default().with_topics(vec![topic])
}

pub(super) fn check_request(theirs: TheirRequest) -> Result<(), DecodeError> {
    let topic = value::only(theirs.topics, "DescribeQuorumRequest.topics")?;
    let field = "DescribeQuorumRequest.topics[0].topicName";
    value::check_topic(&topic.topic_name, field)?;
    let field = "DescribeQuorumRequest.topics[0].partitions";
    let partition = value::only(topic.partitions, field)?;
    let field = "DescribeQuorumRequest.topics[0].partitions[0].partitionIndex";
    value::check_partition(partition.partition_index, field)
}

pub(super) fn response(ours: &DescribeQuorumResponse, version: i16) -> TheirResponse {
    let topics = ours.partition.iter().map(|partition| {
        answered::TopicData::default()
            .with_topic_name(value::topic_name())
            .with_partitions(vec![response_partition(partition, version)])
    });
    let nodes = ours.nodes.iter().map(|node| {
        let listeners = node.listeners.iter().map(|(name, address)| {
            answered::Listener::default()
                .with_name(value::text(name.as_str()))
                .with_host(value::text(&address.host))
                .with_port(address.port)
        });
        answered::Node::default()
            .with_node_id(node.node_id.0.into())
            .with_listeners(listeners.collect())
    });
    TheirResponse::default()
        .with_error_code(ours.error_code.0)
        .with_topics(topics.collect())
        .with_nodes(value::since(FIRST_WITH_NODES, version, nodes.collect()))
}

fn response_partition(
    ours: &DescribeQuorumPartitionResponse,
    version: i16,
) -> answered::PartitionData {
    let states = |states: &[ReplicaStateInfo]| {
        let states = states.iter().map(|state| replica_state(state, version));
        states.collect()
    };
    answered::PartitionData::default()
        .with_partition_index(value::partition_index())
        .with_error_code(ours.error_code.0)
        .with_leader_id(ours.leader_id.into())
        .with_leader_epoch(ours.leader_epoch)
        .with_high_watermark(ours.high_watermark)
        .with_current_voters(states(&ours.current_voters))
        .with_observers(states(&ours.observers))
}

fn replica_state(ours: &ReplicaStateInfo, version: i16) -> answered::ReplicaState {
    let state = answered::ReplicaState::default()
        .with_replica_id(ours.replica.id.0.into())
        .with_log_end_offset(ours.log_end_offset)
        .with_last_fetch_timestamp(ours.last_fetch_timestamp)
        .with_last_caught_up_timestamp(ours.last_caught_up_timestamp);
    if version < FIRST_WITH_NODES {
        return state;
    }
    state.with_replica_directory_id(value::uuid(ours.replica.directory_id_or_zero()))
}

pub(super) fn from_response(theirs: TheirResponse) -> Result<DescribeQuorumResponse, DecodeError> {
    let nodes = theirs.nodes.into_iter().map(|node| {
        let listeners = node.listeners.into_iter();
        VoterListeners {
            node_id: NodeId(node.node_id.0),
            listeners: value::endpoints(listeners.map(|l| (l.name, l.host, l.port))),
        }
    });
    Ok(DescribeQuorumResponse {
        error_code: Errors(theirs.error_code),
        nodes: nodes.collect(),
        partition: from_topics(theirs.topics)?,
    })
}

fn from_topics(
    topics: Vec<answered::TopicData>,
) -> Result<Option<DescribeQuorumPartitionResponse>, DecodeError> {
    if topics.is_empty() {
        return Ok(None);
    }
    let topic = value::only(topics, "DescribeQuorumResponse.topics")?;
    let field = "DescribeQuorumResponse.topics[0].topicName";
    value::check_topic(&topic.topic_name, field)?;
    let field = "DescribeQuorumResponse.topics[0].partitions";
    let partition = value::only(topic.partitions, field)?;
    let field = "DescribeQuorumResponse.topics[0].partitions[0].partitionIndex";
    value::check_partition(partition.partition_index, field)?;
    Ok(Some(DescribeQuorumPartitionResponse {
        error_code: Errors(partition.error_code),
        leader_id: partition.leader_id.0,
        leader_epoch: partition.leader_epoch,
        high_watermark: partition.high_watermark,
        current_voters: partition.current_voters.iter().map(from_state).collect(),
        observers: partition.observers.iter().map(from_state).collect(),
    }))
}

fn from_state(theirs: &answered::ReplicaState) -> ReplicaStateInfo {
    let directory_id = value::from_uuid(theirs.replica_directory_id);
    ReplicaStateInfo {
        replica: ReplicaKey::new(NodeId(theirs.replica_id.0), directory_id),
        log_end_offset: theirs.log_end_offset,
        last_fetch_timestamp: theirs.last_fetch_timestamp,
        last_caught_up_timestamp: theirs.last_caught_up_timestamp,
    }
}
