//! Responses as Kafka's own JSON converters write them.

use raft::Address;
use raft::message::{
    ApiVersionsResponse, DescribeQuorumResponse, Errors, FetchResponse, FetchSnapshotResponse,
    QuorumEpochResponse, ReplicaStateInfo, Response,
};
use raft_log::batch::Batch;
use serde_json::{Value, json};

use super::bodies::{TOPIC, TOPIC_ID, endpoints, topic, with_endpoint};
use super::known::Known;

/// The body of a response.
pub(super) fn response(response: &Response, version: i16, known: &Known) -> Value {
    match response {
        Response::Vote(vote) => {
            let partition = vote.partition.map(|partition| {
                topic(&json!({
                    "partitionIndex": 0,
                    "errorCode": partition.error_code.0,
                    "leaderId": partition.leader_id,
                    "leaderEpoch": partition.leader_epoch,
                    "voteGranted": partition.vote_granted,
                }))
            });
            let topics = partition.unwrap_or_else(|| json!([]));
            let body = json!({ "errorCode": vote.error_code.0, "topics": topics });
            with_endpoint(body, vote.node_endpoint.as_ref())
        }
        Response::BeginQuorumEpoch(epoch) | Response::EndQuorumEpoch(epoch) => quorum_epoch(epoch),
        Response::Fetch(fetch) => fetch_response(fetch),
        Response::FetchSnapshot(fetch) => fetch_snapshot_response(fetch),
        Response::ApiVersions(versions) => api_versions(versions, known),
        Response::AddRaftVoter(change) | Response::RemoveRaftVoter(change) => {
            json!({ "throttleTimeMs": 0, "errorCode": change.error_code.0 })
        }
        Response::UpdateRaftVoter(update) => {
            let mut body = json!({ "throttleTimeMs": 0, "errorCode": update.error_code.0 });
            let at = update
                .leader_address
                .clone()
                .unwrap_or_else(|| Address::new("", 0));
            body["currentLeader"] = json!({
                "leaderId": update.leader_id, "leaderEpoch": update.leader_epoch,
                "host": &*at.host, "port": at.port,
            });
            body
        }
        Response::DescribeQuorum(described) => describe_quorum(described, version),
    }
}

fn quorum_epoch(epoch: &QuorumEpochResponse) -> Value {
    let topics = epoch.partition.map_or_else(
        || json!([]),
        |partition| {
            topic(&json!({
                "partitionIndex": 0,
                "errorCode": partition.error_code.0,
                "leaderId": partition.leader_id,
                "leaderEpoch": partition.leader_epoch,
            }))
        },
    );
    let body = json!({ "errorCode": epoch.error_code.0, "topics": topics });
    with_endpoint(body, epoch.node_endpoint.as_ref())
}

fn fetch_response(fetch: &FetchResponse) -> Value {
    let topics = fetch.partition.as_ref().map_or_else(
        || json!([]),
        |partition| {
            let mut told = json!({
                "partitionIndex": 0,
                "errorCode": partition.error_code.0,
                "highWatermark": partition.high_watermark,
                "lastStableOffset": -1,
                "logStartOffset": partition.log_start_offset,
                "currentLeader": { "leaderId": partition.leader_id, "leaderEpoch": partition.leader_epoch },
                "abortedTransactions": [],
                "preferredReadReplica": -1,
                "recordsSizeInBytes": partition.records_size(),
            });
            if let Some(end) = partition.diverging_epoch {
                told["divergingEpoch"] = json!({ "epoch": end.epoch, "endOffset": end.end_offset });
            }
            if let Some(id) = partition.snapshot_id {
                told["snapshotId"] = json!({ "endOffset": id.offset, "epoch": id.epoch });
            }
            json!([{ "topicId": TOPIC_ID, "partitions": [told] }])
        },
    );
    let body = json!({
        "throttleTimeMs": 0, "errorCode": fetch.error_code.0, "sessionId": 0, "responses": topics,
    });
    with_endpoint(body, fetch.node_endpoint.as_ref())
}

fn fetch_snapshot_response(fetch: &FetchSnapshotResponse) -> Value {
    let topics = fetch.partition.as_ref().map_or_else(
        || json!([]),
        |partition| {
            let (error, id) = (partition.error_code, partition.snapshot_id);
            let id = if error == Errors::NONE { (id.offset, id.epoch) } else { (0, 0) };
            let told = json!({
                "index": 0,
                "errorCode": error.0,
                "snapshotId": { "endOffset": id.0, "epoch": id.1 },
                "currentLeader": { "leaderId": partition.leader_id, "leaderEpoch": partition.leader_epoch },
                "size": partition.size,
                "position": partition.position,
                "unalignedRecordsSizeInBytes": partition.unaligned_records.len(),
            });
            json!([{ "name": TOPIC, "partitions": [told] }])
        },
    );
    let body = json!({ "throttleTimeMs": 0, "errorCode": fetch.error_code.0, "topics": topics });
    with_endpoint(body, fetch.node_endpoint.as_ref())
}

fn describe_quorum(described: &DescribeQuorumResponse, version: i16) -> Value {
    let replica = |state: &ReplicaStateInfo| {
        let mut told = json!({
            "replicaId": state.replica.id.0,
            "logEndOffset": state.log_end_offset,
        });
        if version >= 1 {
            told["lastFetchTimestamp"] = state.last_fetch_timestamp.into();
            told["lastCaughtUpTimestamp"] = state.last_caught_up_timestamp.into();
        }
        if version >= 2 {
            told["replicaDirectoryId"] = state.replica.directory_id_or_zero().to_string().into();
        }
        told
    };
    let topics = described.partition.as_ref().map_or_else(
        || json!([]),
        |partition| {
            topic(&json!({
                "partitionIndex": 0,
                "errorCode": partition.error_code.0,
                "leaderId": partition.leader_id,
                "leaderEpoch": partition.leader_epoch,
                "highWatermark": partition.high_watermark,
                "currentVoters": partition.current_voters.iter().map(replica).collect::<Vec<_>>(),
                "observers": partition.observers.iter().map(replica).collect::<Vec<_>>(),
            }))
        },
    );
    let nodes = described.nodes.iter();
    let nodes: Vec<Value> = nodes
        .map(|node| json!({ "nodeId": node.node_id.0, "listeners": endpoints(&node.listeners) }))
        .collect();
    let mut told = json!({ "errorCode": described.error_code.0, "topics": topics });
    if version >= 2 {
        told["nodes"] = nodes.into();
    }
    told
}

/// The batches of an answer to FETCH, as the driver names them.
pub(super) fn batches(response: &Response) -> Vec<Value> {
    let Response::Fetch(FetchResponse {
        partition: Some(partition),
        ..
    }) = response
    else {
        return Vec::new();
    };
    let name = |batch: &Batch| {
        let control = if batch.is_control() { " control" } else { "" };
        let (base, last) = (batch.base_offset(), batch.last_offset());
        format!("{base}-{last}@{}{control}", batch.leader_epoch()).into()
    };
    partition.records.iter().map(name).collect()
}

fn api_versions(versions: &ApiVersionsResponse, known: &Known) -> Value {
    let features: Vec<Value> = known
        .supported_features()
        .into_iter()
        .filter(|_| versions.kraft_version.is_some())
        .map(|(name, range)| json!({ "name": name, "minVersion": range.min, "maxVersion": range.max }))
        .collect();
    let mut told = json!({
        "errorCode": versions.error_code.0,
        "apiKeys": [],
        "throttleTimeMs": 0,
    });
    if !features.is_empty() {
        told["supportedFeatures"] = features.into();
    }
    told
}
