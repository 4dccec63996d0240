//! Messages as Kafka's own JSON converters write them.

use raft::message::{
    AddRaftVoterRequest, DescribeQuorumResponse, Errors, FetchRequest, FetchResponse,
    FetchSnapshotResponse, NodeEndpoint, QuorumEpochResponse, RemoveRaftVoterRequest,
    ReplicaStateInfo, Request, Response, VoteRequest,
};
use raft::{Address, Endpoints, ListenerName};
use raft_log::batch::Batch;
use records::{ReplicaKey, Uuid};
use releases::raft::PreVote;
use releases::{Release, Rules};
use serde_json::{Value, json};

const TOPIC: &str = "__cluster_metadata";
const TOPIC_ID: &str = "AAAAAAAAAAAAAAAAAAAAAQ";

fn endpoints(endpoints: &Endpoints) -> Value {
    let list: Vec<Value> = endpoints
        .iter()
        .map(|(name, at)| json!({ "name": name.as_str(), "host": &*at.host, "port": at.port }))
        .collect();
    list.into()
}

fn with_endpoint(mut body: Value, endpoint: Option<&NodeEndpoint>) -> Value {
    if let Some(endpoint) = endpoint {
        let at = &endpoint.address;
        body["nodeEndpoints"] =
            json!([{ "nodeId": endpoint.node_id, "host": &*at.host, "port": at.port }]);
    }
    body
}

fn topic(partition: impl Into<Value>) -> Value {
    let partitions = Value::from(vec![partition.into()]);
    json!([{ "topicName": TOPIC, "partitions": partitions }])
}

/// The body of a request.
pub(super) fn request(request: &Request, version: i16, rules: &Rules) -> Value {
    match request {
        Request::Vote(vote) => vote_request(vote, version, rules),
        Request::BeginQuorumEpoch(begin) => json!({
            "clusterId": begin.cluster_id.as_deref(),
            "voterId": begin.voter_id,
            "topics": topic(json!({
                "partitionIndex": 0,
                "voterDirectoryId": begin.voter_directory_id.to_string(),
                "leaderId": begin.leader_id,
                "leaderEpoch": begin.leader_epoch,
            })),
            "leaderEndpoints": endpoints(&begin.leader_endpoints),
        }),
        Request::EndQuorumEpoch(end) => {
            let candidate = |key: &ReplicaKey| {
                let directory = key.directory_id_or_zero().to_string();
                json!({ "candidateId": key.id.0, "candidateDirectoryId": directory })
            };
            json!({
                "clusterId": end.cluster_id.as_deref(),
                "topics": topic(json!({
                    "partitionIndex": 0,
                    "leaderId": end.leader_id,
                    "leaderEpoch": end.leader_epoch,
                    "preferredCandidates": end.preferred_candidates.iter().map(candidate).collect::<Vec<_>>(),
                })),
                "leaderEndpoints": endpoints(&end.leader_endpoints),
            })
        }
        Request::Fetch(fetch) => fetch_request(fetch, version),
        Request::FetchSnapshot(fetch) => json!({
            "clusterId": fetch.cluster_id.as_deref(),
            "replicaId": fetch.replica_id,
            "maxBytes": fetch.max_bytes,
            "topics": [{ "name": TOPIC, "partitions": [{
                "partition": 0,
                "currentLeaderEpoch": fetch.current_leader_epoch,
                "snapshotId": { "endOffset": fetch.snapshot_id.offset, "epoch": fetch.snapshot_id.epoch },
                "position": fetch.position,
                "replicaDirectoryId": fetch.replica_directory_id.to_string(),
            }] }],
        }),
        Request::ApiVersions => Value::Null,
        Request::AddRaftVoter(add) => {
            let mut body = json!({
                "clusterId": add.cluster_id.as_deref(),
                "timeoutMs": add.timeout_ms,
                "voterId": add.voter_id,
                "voterDirectoryId": add.voter_directory_id.to_string(),
                "listeners": endpoints(&add.listeners),
            });
            if version >= 1 {
                body["ackWhenCommitted"] = add.ack_when_committed.into();
            }
            body
        }
        Request::RemoveRaftVoter(remove) => json!({
            "clusterId": remove.cluster_id.as_deref(),
            "voterId": remove.voter_id,
            "voterDirectoryId": remove.voter_directory_id.to_string(),
        }),
        Request::UpdateRaftVoter(update) => json!({
            "clusterId": update.cluster_id.as_deref(),
            "currentLeaderEpoch": update.current_leader_epoch,
            "voterId": update.voter_id,
            "voterDirectoryId": update.voter_directory_id.to_string(),
            "listeners": endpoints(&update.listeners),
            "kRaftVersionFeature": {
                "minSupportedVersion": update.kraft_version_feature.min,
                "maxSupportedVersion": update.kraft_version_feature.max,
            },
        }),
        Request::DescribeQuorum => json!({ "topics": topic(json!({ "partitionIndex": 0 })) }),
    }
}

/// The fields of the candidate are called after the replica from 4.0 on.
fn vote_request(vote: &VoteRequest, version: i16, rules: &Rules) -> Value {
    let of = match rules.raft.pre_vote {
        PreVote::Absent => "candidate",
        PreVote::Asked => "replica",
    };
    let mut partition = json!({
        "partitionIndex": 0,
        "voterDirectoryId": vote.voter_directory_id.to_string(),
        "lastOffsetEpoch": vote.last_offset_epoch,
        "lastOffset": vote.last_offset,
    });
    partition[format!("{of}Epoch")] = vote.replica_epoch.into();
    partition[format!("{of}Id")] = vote.replica_id.into();
    partition[format!("{of}DirectoryId")] = vote.replica_directory_id.to_string().into();
    if version >= 2 {
        partition["preVote"] = vote.pre_vote.into();
    }
    json!({ "clusterId": vote.cluster_id.as_deref(), "voterId": vote.voter_id, "topics": topic(partition) })
}

fn fetch_request(fetch: &FetchRequest, version: i16) -> Value {
    let mut partition = json!({
        "partition": 0,
        "currentLeaderEpoch": fetch.current_leader_epoch,
        "fetchOffset": fetch.fetch_offset,
        "lastFetchedEpoch": fetch.last_fetched_epoch,
        "logStartOffset": -1,
        "partitionMaxBytes": 0,
        "replicaDirectoryId": fetch.replica_directory_id.to_string(),
    });
    if version >= 18 {
        partition["highWatermark"] = fetch.high_watermark.into();
    }
    json!({
        "clusterId": fetch.cluster_id.as_deref(),
        "replicaState": { "replicaId": fetch.replica_id, "replicaEpoch": -1 },
        "maxWaitMs": fetch.max_wait_ms,
        "minBytes": 0,
        "maxBytes": fetch.max_bytes,
        "isolationLevel": 0,
        "sessionId": 0,
        "sessionEpoch": -1,
        "topics": [{ "topicId": TOPIC_ID, "partitions": [partition] }],
        "forgottenTopicsData": [],
        "rackId": "",
    })
}

/// The body of a response.
pub(super) fn response(response: &Response, version: i16) -> Value {
    match response {
        Response::Vote(vote) => {
            let partition = vote.partition.map(|partition| {
                topic(json!({
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
        Response::ApiVersions(_) => Value::Null,
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
            topic(json!({
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
            "lastFetchTimestamp": state.last_fetch_timestamp,
            "lastCaughtUpTimestamp": state.last_caught_up_timestamp,
        });
        if version >= 2 {
            told["replicaDirectoryId"] = state.replica.directory_id_or_zero().to_string().into();
        }
        told
    };
    let topics = described.partition.as_ref().map_or_else(
        || json!([]),
        |partition| {
            topic(json!({
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
    let nodes: Vec<Value> = described
        .nodes
        .iter()
        .map(|node| json!({ "nodeId": node.node_id.0, "listeners": endpoints(&node.listeners) }))
        .collect();
    json!({ "errorCode": described.error_code.0, "topics": topics, "nodes": nodes })
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

/// A batch of a log.
pub(super) fn batch(batch: &Batch) -> Value {
    json!({
        "base": batch.base_offset(),
        "last": batch.last_offset(),
        "epoch": batch.leader_epoch(),
        "control": batch.is_control(),
        "max_timestamp": batch.max_timestamp(),
        "size": batch.size(),
        "crc": batch.stored_checksum(),
    })
}

/// A request of a client, given as JSON.
pub(super) fn client_request(command: &Value) -> Result<Request, String> {
    let body = &command["body"];
    let cluster_id = body["clusterId"].as_str().map(Into::into);
    let voter_id = body["voterId"].as_i64().unwrap_or(-1) as i32;
    let directory = body["voterDirectoryId"]
        .as_str()
        .unwrap_or("AAAAAAAAAAAAAAAAAAAAAA");
    let voter_directory_id: Uuid = directory.parse().map_err(|error| format!("{error}"))?;
    match command["api"].as_str().unwrap_or_default() {
        "ADD_RAFT_VOTER" => {
            let listeners = body["listeners"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|at| {
                    let name = ListenerName::normalised(at["name"].as_str().unwrap_or_default());
                    let host = at["host"].as_str().unwrap_or_default();
                    (
                        name,
                        Address::new(host, at["port"].as_u64().unwrap_or(0) as u16),
                    )
                });
            Ok(Request::AddRaftVoter(AddRaftVoterRequest {
                cluster_id,
                timeout_ms: body["timeoutMs"].as_i64().unwrap_or(0) as i32,
                voter_id,
                voter_directory_id,
                listeners: Endpoints::new(listeners),
                ack_when_committed: body["ackWhenCommitted"].as_bool().unwrap_or(true),
            }))
        }
        "REMOVE_RAFT_VOTER" => Ok(Request::RemoveRaftVoter(RemoveRaftVoterRequest {
            cluster_id,
            voter_id,
            voter_directory_id,
        })),
        "DESCRIBE_QUORUM" => Ok(Request::DescribeQuorum),
        other => Err(format!("no client sends {other} here")),
    }
}

/// Whether a release's format tool writes metadata records into the zero checkpoint.
pub(super) fn has_metadata_in_zero_checkpoint(release: Release) -> bool {
    release >= Release::V4_4_0
}
