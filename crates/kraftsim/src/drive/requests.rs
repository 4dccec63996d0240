//! Requests as Kafka's own JSON converters write them.

use raft::message::{FetchRequest, Request, VoteRequest};
use records::ReplicaKey;
use releases::Rules;
use releases::raft::PreVote;
use serde_json::{Value, json};

use super::bodies::{TOPIC, TOPIC_ID, endpoints, topic};

/// The body of a request.
pub(super) fn request(request: &Request, version: i16, rules: &Rules) -> Value {
    match request {
        Request::Vote(vote) => vote_request(vote, version, rules),
        Request::BeginQuorumEpoch(begin) => json!({
            "clusterId": begin.cluster_id.as_deref(),
            "voterId": begin.voter_id,
            "topics": topic(&json!({
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
                "topics": topic(&json!({
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
        Request::ApiVersions => api_versions(version, rules),
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
        Request::DescribeQuorum => json!({ "topics": topic(&json!({ "partitionIndex": 0 })) }),
    }
}

fn api_versions(version: i16, rules: &Rules) -> Value {
    let mut body = json!({
        "clientSoftwareName": "apache-kafka-java",
        "clientSoftwareVersion": rules.release.to_string(),
    });
    if version >= 5 {
        body["clusterId"] = Value::Null;
        body["nodeId"] = (-1).into();
    }
    body
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
    json!({ "clusterId": vote.cluster_id.as_deref(), "voterId": vote.voter_id, "topics": topic(&partition) })
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
