use kafka_protocol::messages::{
    FetchSnapshotRequest as TheirRequest, FetchSnapshotResponse as TheirResponse,
    fetch_snapshot_request as asked, fetch_snapshot_response as answered,
};
use records::OffsetAndEpoch;

use super::super::DecodeError;
use super::value;
use crate::Address;
use crate::message::{
    Errors, FetchSnapshotPartitionResponse, FetchSnapshotRequest, FetchSnapshotResponse,
    NodeEndpoint,
};

pub(super) fn request(ours: &FetchSnapshotRequest) -> TheirRequest {
    let snapshot_id = asked::SnapshotId::default()
        .with_end_offset(ours.snapshot_id.offset)
        .with_epoch(ours.snapshot_id.epoch);
    let partition = asked::PartitionSnapshot::default()
        .with_partition(value::partition_index())
        .with_current_leader_epoch(ours.current_leader_epoch)
        .with_snapshot_id(snapshot_id)
        .with_position(ours.position)
        .with_replica_directory_id(value::uuid(ours.replica_directory_id));
    let topic = asked::TopicSnapshot::default()
        .with_name(value::topic_name())
        .with_partitions(vec![partition]);
    TheirRequest::default()
        .with_cluster_id(value::nullable_text(ours.cluster_id.as_deref()))
        .with_replica_id(ours.replica_id.into())
        .with_max_bytes(ours.max_bytes)
        .with_topics(vec![topic])
}

pub(super) fn from_request(theirs: TheirRequest) -> Result<FetchSnapshotRequest, DecodeError> {
    let topic = value::only(theirs.topics, "FetchSnapshotRequest.topics")?;
    value::check_topic(&topic.name, "FetchSnapshotRequest.topics[0].name")?;
    let field = "FetchSnapshotRequest.topics[0].partitions";
    let partition = value::only(topic.partitions, field)?;
    let field = "FetchSnapshotRequest.topics[0].partitions[0].partition";
    value::check_partition(partition.partition, field)?;
    Ok(FetchSnapshotRequest {
        cluster_id: value::shared_text(theirs.cluster_id.as_ref()),
        replica_id: theirs.replica_id.0,
        replica_directory_id: value::from_uuid(partition.replica_directory_id),
        max_bytes: theirs.max_bytes,
        current_leader_epoch: partition.current_leader_epoch,
        snapshot_id: OffsetAndEpoch {
            offset: partition.snapshot_id.end_offset,
            epoch: partition.snapshot_id.epoch,
        },
        position: partition.position,
    })
}

pub(super) fn response(ours: &FetchSnapshotResponse, version: i16) -> TheirResponse {
    let topics = ours.partition.iter().map(|partition| {
        answered::TopicSnapshot::default()
            .with_name(value::topic_name())
            .with_partitions(vec![response_partition(partition)])
    });
    let endpoints = ours.node_endpoint.iter().map(|endpoint| {
        answered::NodeEndpoint::default()
            .with_node_id(endpoint.node_id.into())
            .with_host(value::text(&endpoint.address.host))
            .with_port(endpoint.address.port)
    });
    TheirResponse::default()
        .with_error_code(ours.error_code.0)
        .with_topics(topics.collect())
        .with_node_endpoints(value::since(1, version, endpoints.collect()))
}

fn response_partition(ours: &FetchSnapshotPartitionResponse) -> answered::PartitionSnapshot {
    let snapshot_id = answered::SnapshotId::default()
        .with_end_offset(ours.snapshot_id.offset)
        .with_epoch(ours.snapshot_id.epoch);
    let current_leader = answered::LeaderIdAndEpoch::default()
        .with_leader_id(ours.leader_id.into())
        .with_leader_epoch(ours.leader_epoch);
    answered::PartitionSnapshot::default()
        .with_index(value::partition_index())
        .with_error_code(ours.error_code.0)
        .with_snapshot_id(snapshot_id)
        .with_current_leader(current_leader)
        .with_size(ours.size)
        .with_position(ours.position)
        .with_unaligned_records(ours.unaligned_records.clone())
}

pub(super) fn from_response(theirs: TheirResponse) -> Result<FetchSnapshotResponse, DecodeError> {
    let partition = from_topics(theirs.topics)?;
    let endpoints = theirs.node_endpoints.iter().map(|endpoint| NodeEndpoint {
        node_id: endpoint.node_id.0,
        address: Address::new(&endpoint.host, endpoint.port),
    });
    let leader_id = partition.as_ref().map(|partition| partition.leader_id);
    Ok(FetchSnapshotResponse {
        error_code: Errors(theirs.error_code),
        partition,
        node_endpoint: value::node_endpoint(leader_id, endpoints),
    })
}

fn from_topics(
    topics: Vec<answered::TopicSnapshot>,
) -> Result<Option<FetchSnapshotPartitionResponse>, DecodeError> {
    if topics.is_empty() {
        return Ok(None);
    }
    let topic = value::only(topics, "FetchSnapshotResponse.topics")?;
    value::check_topic(&topic.name, "FetchSnapshotResponse.topics[0].name")?;
    let field = "FetchSnapshotResponse.topics[0].partitions";
    let partition = value::only(topic.partitions, field)?;
    let field = "FetchSnapshotResponse.topics[0].partitions[0].index";
    value::check_partition(partition.index, field)?;
    Ok(Some(FetchSnapshotPartitionResponse {
        error_code: Errors(partition.error_code),
        snapshot_id: OffsetAndEpoch {
            offset: partition.snapshot_id.end_offset,
            epoch: partition.snapshot_id.epoch,
        },
        leader_id: partition.current_leader.leader_id.0,
        leader_epoch: partition.current_leader.leader_epoch,
        size: partition.size,
        position: partition.position,
        unaligned_records: partition.unaligned_records,
    }))
}
