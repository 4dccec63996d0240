use bytes::{Bytes, BytesMut};
use kafka_protocol::messages::{
    FetchRequest as TheirRequest, FetchResponse as TheirResponse, fetch_request, fetch_response,
};
use raft_log::Damage;
use raft_log::batch::{Batch, read_batches};
use records::{OffsetAndEpoch, Uuid};

use super::super::DecodeError;
use super::value;
use crate::Address;
use crate::message::{
    DivergingEpoch, Errors, FetchPartitionResponse, FetchRequest, FetchResponse, NodeEndpoint,
};

/// From this version on the topic is named by its id.
const FIRST_WITH_TOPIC_ID: i16 = 13;
/// From this version on the replica stands in a struct of its own.
const FIRST_WITH_REPLICA_STATE: i16 = 15;

pub(super) fn request(ours: &FetchRequest, version: i16) -> TheirRequest {
    let last_fetched_epoch = if version < 12 {
        -1
    } else {
        ours.last_fetched_epoch
    };
    let partition = fetch_request::FetchPartition::default()
        .with_partition(value::partition_index())
        .with_current_leader_epoch(ours.current_leader_epoch)
        .with_fetch_offset(ours.fetch_offset)
        .with_last_fetched_epoch(last_fetched_epoch)
        .with_replica_directory_id(value::uuid(ours.replica_directory_id))
        .with_high_watermark(ours.high_watermark);
    let topic = fetch_request::FetchTopic::default()
        .with_topic(value::topic_name())
        .with_topic_id(value::uuid(Uuid::METADATA_TOPIC_ID))
        .with_partitions(vec![partition]);
    let request = TheirRequest::default()
        .with_cluster_id(value::nullable_text(ours.cluster_id.as_deref()))
        .with_max_wait_ms(ours.max_wait_ms)
        .with_max_bytes(ours.max_bytes)
        .with_topics(vec![topic]);
    if version < FIRST_WITH_REPLICA_STATE {
        return request.with_replica_id(ours.replica_id.into());
    }
    let state = fetch_request::ReplicaState::default().with_replica_id(ours.replica_id.into());
    request.with_replica_state(state)
}

pub(super) fn from_request(
    theirs: TheirRequest,
    version: i16,
) -> Result<FetchRequest, DecodeError> {
    let topic = value::only(theirs.topics, "FetchRequest.topics")?;
    if version < FIRST_WITH_TOPIC_ID {
        value::check_topic(&topic.topic, "FetchRequest.topics[0].topic")?;
    } else {
        value::check_topic_id(topic.topic_id, "FetchRequest.topics[0].topicId")?;
    }
    let partition = value::only(topic.partitions, "FetchRequest.topics[0].partitions")?;
    let field = "FetchRequest.topics[0].partitions[0].partition";
    value::check_partition(partition.partition, field)?;
    let replica_id = if version < FIRST_WITH_REPLICA_STATE {
        theirs.replica_id
    } else {
        theirs.replica_state.replica_id
    };
    Ok(FetchRequest {
        cluster_id: value::shared_text(theirs.cluster_id.as_ref()),
        replica_id: replica_id.0,
        replica_directory_id: value::from_uuid(partition.replica_directory_id),
        max_wait_ms: theirs.max_wait_ms,
        max_bytes: theirs.max_bytes,
        current_leader_epoch: partition.current_leader_epoch,
        fetch_offset: partition.fetch_offset,
        last_fetched_epoch: partition.last_fetched_epoch,
        high_watermark: partition.high_watermark,
    })
}

pub(super) fn response(ours: &FetchResponse, version: i16) -> TheirResponse {
    let topics = ours.partition.iter().map(|partition| {
        fetch_response::FetchableTopicResponse::default()
            .with_topic(value::topic_name())
            .with_topic_id(value::uuid(Uuid::METADATA_TOPIC_ID))
            .with_partitions(vec![response_partition(partition, version)])
    });
    let endpoints = ours.node_endpoint.iter().map(|endpoint| {
        fetch_response::NodeEndpoint::default()
            .with_node_id(endpoint.node_id.into())
            .with_host(value::text(&endpoint.address.host))
            .with_port(endpoint.address.port.into())
    });
    TheirResponse::default()
        .with_error_code(ours.error_code.0)
        .with_responses(topics.collect())
        // Raft gives the endpoint from version 17 on only; the schema has it from 16 on.
        .with_node_endpoints(value::since(16, version, endpoints.collect()))
}

fn response_partition(
    ours: &FetchPartitionResponse,
    version: i16,
) -> fetch_response::PartitionData {
    let partition = fetch_response::PartitionData::default()
        .with_partition_index(value::partition_index())
        .with_error_code(ours.error_code.0)
        .with_high_watermark(ours.high_watermark)
        .with_log_start_offset(ours.log_start_offset)
        .with_records(Some(joined(&ours.records, &ours.cut)));
    if version < 12 {
        return partition;
    }
    let current_leader = fetch_response::LeaderIdAndEpoch::default()
        .with_leader_id(ours.leader_id.into())
        .with_leader_epoch(ours.leader_epoch);
    let diverging_epoch = ours.diverging_epoch.map(|diverging| {
        fetch_response::EpochEndOffset::default()
            .with_epoch(diverging.epoch)
            .with_end_offset(diverging.end_offset)
    });
    let snapshot_id = ours.snapshot_id.map(|id| {
        fetch_response::SnapshotId::default()
            .with_end_offset(id.offset)
            .with_epoch(id.epoch)
    });
    partition
        .with_current_leader(current_leader)
        .with_diverging_epoch(diverging_epoch.unwrap_or_default())
        .with_snapshot_id(snapshot_id.unwrap_or_default())
}

/// Batches as they stand one after the other; a single one is shared.
fn joined(batches: &[Batch], cut: &Bytes) -> Bytes {
    match batches {
        [] => Bytes::new(),
        [batch] if cut.is_empty() => batch.bytes().clone(),
        batches => {
            let size: usize = batches.iter().map(Batch::size).sum();
            let mut out = BytesMut::with_capacity(size + cut.len());
            for batch in batches {
                out.extend_from_slice(batch.bytes());
            }
            out.extend_from_slice(cut);
            out.freeze()
        }
    }
}

pub(super) fn from_response(
    theirs: TheirResponse,
    version: i16,
) -> Result<FetchResponse, DecodeError> {
    let partition = from_topics(theirs.responses, version)?;
    let mut endpoints = Vec::with_capacity(theirs.node_endpoints.len());
    for endpoint in &theirs.node_endpoints {
        let port = value::port(endpoint.port, "FetchResponse.nodeEndpoints[].port")?;
        endpoints.push(NodeEndpoint {
            node_id: endpoint.node_id.0,
            address: Address::new(&endpoint.host, port),
        });
    }
    let leader_id = partition.as_ref().map(|partition| partition.leader_id);
    Ok(FetchResponse {
        error_code: Errors(theirs.error_code),
        partition,
        node_endpoint: value::node_endpoint(leader_id, endpoints.into_iter()),
    })
}

fn from_topics(
    topics: Vec<fetch_response::FetchableTopicResponse>,
    version: i16,
) -> Result<Option<FetchPartitionResponse>, DecodeError> {
    if topics.is_empty() {
        return Ok(None);
    }
    let topic = value::only(topics, "FetchResponse.responses")?;
    if version < FIRST_WITH_TOPIC_ID {
        value::check_topic(&topic.topic, "FetchResponse.responses[0].topic")?;
    } else {
        value::check_topic_id(topic.topic_id, "FetchResponse.responses[0].topicId")?;
    }
    let partition = value::only(topic.partitions, "FetchResponse.responses[0].partitions")?;
    let field = "FetchResponse.responses[0].partitions[0].partitionIndex";
    value::check_partition(partition.partition_index, field)?;
    let diverging = &partition.diverging_epoch;
    let snapshot = &partition.snapshot_id;
    let bytes = partition.records.unwrap_or_default();
    let records = batches(&bytes)?;
    let whole: usize = records.iter().map(Batch::size).sum();
    let cut = bytes.slice(whole..);
    Ok(Some(FetchPartitionResponse {
        error_code: Errors(partition.error_code),
        high_watermark: partition.high_watermark,
        log_start_offset: partition.log_start_offset,
        diverging_epoch: (*diverging != fetch_response::EpochEndOffset::default()).then_some(
            DivergingEpoch {
                epoch: diverging.epoch,
                end_offset: diverging.end_offset,
            },
        ),
        leader_id: partition.current_leader.leader_id.0,
        leader_epoch: partition.current_leader.leader_epoch,
        snapshot_id: (*snapshot != fetch_response::SnapshotId::default()).then_some(
            OffsetAndEpoch {
                offset: snapshot.end_offset,
                epoch: snapshot.epoch,
            },
        ),
        records,
        cut,
    }))
}

/// The whole batches; a leader may cut the last one short where the answer is full, and readers let that pass.
fn batches(records: &Bytes) -> Result<Vec<Batch>, DecodeError> {
    let mut batches = Vec::new();
    for batch in read_batches("records", records, 0) {
        match batch {
            Ok(batch) => batches.push(batch),
            Err(corrupt) if corrupt.damage == Damage::Torn => break,
            Err(corrupt) => return Err(corrupt.into()),
        }
    }
    Ok(batches)
}
