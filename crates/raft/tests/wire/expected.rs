//! What our messages say of what Kafka wrote, field by field: written here by hand after `samples.jsonl`, so that a
//! mistake made both ways does not pass.

use bytes::Bytes;
use raft::message::{
    AddRaftVoterRequest, ApiVersionsResponse, BeginQuorumEpochRequest,
    DescribeQuorumPartitionResponse, DescribeQuorumResponse, DivergingEpoch, EndQuorumEpochRequest,
    Errors, FetchPartitionResponse, FetchRequest, FetchResponse, FetchSnapshotPartitionResponse,
    FetchSnapshotRequest, FetchSnapshotResponse, NodeEndpoint, QuorumEpochPartitionResponse,
    QuorumEpochResponse, RemoveRaftVoterRequest, ReplicaStateInfo, Request, Response,
    UpdateRaftVoterRequest, UpdateRaftVoterResponse, VotePartitionResponse, VoteRequest,
    VoteResponse, VoterChangeResponse, VoterListeners,
};
use raft::wire::{
    self, ControllerRegistrationRequest, ControllerRegistrationResponse, Message,
    RegisteredFeature, RegisteredListener,
};
use raft::{Address, Endpoints, ListenerName, SupportedVersionRange};
use records::{NodeId, OffsetAndEpoch, ReplicaKey, Uuid};

use crate::recorded;

const CLUSTER: &str = "a3JhZnRzaW0tb3JhY2xlMQ";

fn directory(n: u8) -> Uuid {
    let mut bytes = [0x10 + n; 16];
    bytes[15] = n;
    Uuid::from_bytes(bytes)
}

fn listeners() -> Endpoints {
    Endpoints::new([
        (
            ListenerName::normalised("CONTROLLER"),
            Address::new("controller-1.example", 9093),
        ),
        (
            ListenerName::normalised("CONTROLLER_SSL"),
            Address::new("10.0.0.1", 65535),
        ),
    ])
}

fn node_3() -> NodeEndpoint {
    NodeEndpoint {
        node_id: 3,
        address: Address::new("controller-3.example", 9093),
    }
}

/// The newest recording of a sample.
fn read(kind: &str, name: &str) -> Message {
    let all = recorded::all().into_iter();
    let found = all.filter(|r| r.kind.to_string() == kind && r.name == name && r.written.is_ok());
    let newest = found.max_by_key(|r| r.version);
    let newest = newest.unwrap_or_else(|| panic!("{kind} \"{name}\" is not recorded"));
    let (_, bytes, _) = newest.written.expect("filtered");
    wire::decode(newest.kind, newest.version, &bytes).unwrap()
}

#[track_caller]
fn is_request(kind: &str, name: &str, expected: Request) {
    assert_eq!(read(kind, name), Message::Request(expected));
}

#[track_caller]
fn is_response(kind: &str, name: &str, expected: Response) {
    assert_eq!(read(kind, name), Message::Response(expected));
}

#[test]
fn votes() {
    let mut vote = VoteRequest {
        cluster_id: Some(CLUSTER.into()),
        voter_id: 2,
        replica_epoch: 5,
        replica_id: 1,
        replica_directory_id: directory(1),
        voter_directory_id: directory(2),
        last_offset_epoch: 4,
        last_offset: 1_234_567_890_123,
        pre_vote: false,
    };
    is_request("VoteRequest", "candidate", Request::Vote(vote.clone()));
    vote.pre_vote = true;
    vote.last_offset = 0;
    vote.last_offset_epoch = 0;
    is_request("VoteRequest", "prospective", Request::Vote(vote));
    let partition = VotePartitionResponse {
        error_code: Errors::FENCED_LEADER_EPOCH,
        leader_id: 3,
        leader_epoch: 5,
        vote_granted: false,
    };
    let rejected = VoteResponse {
        error_code: Errors::NONE,
        partition: Some(partition),
        node_endpoint: Some(node_3()),
    };
    is_response(
        "VoteResponse",
        "rejected, leader known",
        Response::Vote(rejected),
    );
    let failed = VoteResponse::failed(Errors::INCONSISTENT_CLUSTER_ID);
    is_response("VoteResponse", "top level error", Response::Vote(failed));
}

#[test]
fn beginnings_and_ends_of_epochs() {
    let begin = BeginQuorumEpochRequest {
        cluster_id: Some(CLUSTER.into()),
        voter_id: 2,
        voter_directory_id: directory(2),
        leader_id: 1,
        leader_epoch: 5,
        leader_endpoints: listeners(),
    };
    is_request(
        "BeginQuorumEpochRequest",
        "leader",
        Request::BeginQuorumEpoch(begin),
    );
    let end = EndQuorumEpochRequest {
        cluster_id: Some(CLUSTER.into()),
        leader_id: 1,
        leader_epoch: 5,
        preferred_candidates: vec![
            ReplicaKey::new(NodeId(2), directory(2)),
            ReplicaKey::of_node(NodeId(3)),
        ],
        leader_endpoints: listeners(),
    };
    is_request(
        "EndQuorumEpochRequest",
        "resigned leader",
        Request::EndQuorumEpoch(end),
    );
    let partition = QuorumEpochPartitionResponse {
        error_code: Errors::FENCED_LEADER_EPOCH,
        leader_id: 3,
        leader_epoch: 6,
    };
    let fenced = QuorumEpochResponse {
        error_code: Errors::NONE,
        partition: Some(partition),
        node_endpoint: Some(node_3()),
    };
    let name = "fenced, leader known";
    is_response(
        "BeginQuorumEpochResponse",
        name,
        Response::BeginQuorumEpoch(fenced.clone()),
    );
    is_response(
        "EndQuorumEpochResponse",
        name,
        Response::EndQuorumEpoch(fenced),
    );
}

#[test]
fn fetches() {
    let fetch = FetchRequest {
        cluster_id: Some(CLUSTER.into()),
        replica_id: 1,
        replica_directory_id: directory(1),
        max_wait_ms: 500,
        max_bytes: 8_388_608,
        current_leader_epoch: 5,
        fetch_offset: 42,
        last_fetched_epoch: 4,
        high_watermark: 40,
    };
    is_request("FetchRequest", "follower", Request::Fetch(fetch));
    let Message::Response(Response::Fetch(two)) =
        read("FetchResponse", "two batches, leader known")
    else {
        panic!("a fetch response");
    };
    let records = two.partition.as_ref().unwrap().records.clone();
    let offsets: Vec<_> = records
        .iter()
        .map(|b| (b.base_offset(), b.last_offset()))
        .collect();
    assert_eq!(offsets.len(), 2);
    assert_eq!(offsets[0].0, 0);
    assert_eq!(offsets[1].0, offsets[0].1 + 1);
    let mut partition = FetchPartitionResponse {
        error_code: Errors::NONE,
        high_watermark: 40,
        log_start_offset: 0,
        diverging_epoch: None,
        leader_id: 3,
        leader_epoch: 5,
        snapshot_id: None,
        records,
        cut: Bytes::new(),
    };
    let response = |partition: &FetchPartitionResponse| {
        Response::Fetch(FetchResponse {
            error_code: Errors::NONE,
            partition: Some(partition.clone()),
            node_endpoint: Some(node_3()),
        })
    };
    is_response(
        "FetchResponse",
        "two batches, leader known",
        response(&partition),
    );
    partition.records.clear();
    partition.snapshot_id = Some(OffsetAndEpoch {
        offset: 1000,
        epoch: 4,
    });
    is_response("FetchResponse", "snapshot first", response(&partition));
    partition.snapshot_id = None;
    partition.diverging_epoch = Some(DivergingEpoch {
        epoch: 4,
        end_offset: 30,
    });
    is_response("FetchResponse", "diverging", response(&partition));
}

#[test]
fn pieces_of_checkpoints() {
    let snapshot_id = OffsetAndEpoch {
        offset: 1000,
        epoch: 4,
    };
    let fetch = FetchSnapshotRequest {
        cluster_id: Some(CLUSTER.into()),
        replica_id: 1,
        replica_directory_id: directory(1),
        max_bytes: 1_048_576,
        current_leader_epoch: 5,
        snapshot_id,
        position: 4096,
    };
    is_request(
        "FetchSnapshotRequest",
        "follower",
        Request::FetchSnapshot(fetch),
    );
    let piece: Vec<u8> = (0..200).collect();
    let partition = FetchSnapshotPartitionResponse {
        error_code: Errors::NONE,
        snapshot_id,
        leader_id: 3,
        leader_epoch: 5,
        size: 10_000,
        position: 4096,
        unaligned_records: Bytes::from(piece),
    };
    let response = FetchSnapshotResponse {
        error_code: Errors::NONE,
        partition: Some(partition),
        node_endpoint: None,
    };
    is_response(
        "FetchSnapshotResponse",
        "a piece",
        Response::FetchSnapshot(response),
    );
}

#[test]
fn the_state_of_the_quorum() {
    is_request(
        "DescribeQuorumRequest",
        "the only partition",
        Request::DescribeQuorum,
    );
    let state = |replica: ReplicaKey| ReplicaStateInfo {
        replica,
        log_end_offset: 100 + i64::from(replica.id.0),
        last_fetch_timestamp: 1_700_000_000_000 + i64::from(replica.id.0),
        last_caught_up_timestamp: -1,
    };
    let partition = DescribeQuorumPartitionResponse {
        error_code: Errors::NONE,
        leader_id: 1,
        leader_epoch: 5,
        high_watermark: 100,
        current_voters: vec![
            state(ReplicaKey::new(NodeId(1), directory(1))),
            state(ReplicaKey::of_node(NodeId(2))),
        ],
        observers: vec![state(ReplicaKey::new(NodeId(4), directory(3)))],
    };
    let voter = |id, listeners| VoterListeners {
        node_id: NodeId(id),
        listeners,
    };
    let response = DescribeQuorumResponse {
        error_code: Errors::NONE,
        partition: Some(partition),
        nodes: vec![voter(1, listeners()), voter(2, Endpoints::empty())],
    };
    is_response(
        "DescribeQuorumResponse",
        "leader",
        Response::DescribeQuorum(response),
    );
}

#[test]
fn changes_of_voters() {
    let add = AddRaftVoterRequest {
        cluster_id: Some(CLUSTER.into()),
        timeout_ms: 30_000,
        voter_id: 4,
        voter_directory_id: directory(3),
        listeners: listeners(),
        ack_when_committed: false,
    };
    let name = "acknowledged when appended";
    is_request("AddRaftVoterRequest", name, Request::AddRaftVoter(add));
    let remove = RemoveRaftVoterRequest {
        cluster_id: Some(CLUSTER.into()),
        voter_id: 4,
        voter_directory_id: directory(3),
    };
    is_request(
        "RemoveRaftVoterRequest",
        "a voter",
        Request::RemoveRaftVoter(remove),
    );
    let update = UpdateRaftVoterRequest {
        cluster_id: Some(CLUSTER.into()),
        current_leader_epoch: 5,
        voter_id: 2,
        voter_directory_id: directory(2),
        listeners: listeners(),
        kraft_version_feature: SupportedVersionRange { min: 0, max: 1 },
    };
    is_request(
        "UpdateRaftVoterRequest",
        "a voter",
        Request::UpdateRaftVoter(update),
    );
    let words =
        "The voter id for ReplicaKey(id=4) is already part of the set of voters [1, 2, 3, 4] …";
    let refused = VoterChangeResponse::because(Errors::DUPLICATE_VOTER, words.to_owned());
    let name = "refused in words";
    is_response(
        "AddRaftVoterResponse",
        name,
        Response::AddRaftVoter(refused.clone()),
    );
    is_response(
        "RemoveRaftVoterResponse",
        name,
        Response::RemoveRaftVoter(refused),
    );
    let mut updated = UpdateRaftVoterResponse {
        error_code: Errors::NONE,
        leader_id: 1,
        leader_epoch: 5,
        leader_address: Some(Address::new("controller-1.example", 9093)),
    };
    let kind = "UpdateRaftVoterResponse";
    is_response(kind, "done", Response::UpdateRaftVoter(updated.clone()));
    updated.error_code = Errors::NOT_LEADER_OR_FOLLOWER;
    updated.leader_id = -1;
    updated.leader_epoch = 7;
    updated.leader_address = None;
    is_response(kind, "leader not known", Response::UpdateRaftVoter(updated));
    let failed = UpdateRaftVoterResponse::failed(Errors::INVALID_REQUEST);
    is_response(kind, "top level error", Response::UpdateRaftVoter(failed));
}

#[test]
fn versions_and_registrations() {
    is_request("ApiVersionsRequest", "a client", Request::ApiVersions);
    let versions = ApiVersionsResponse {
        error_code: Errors::NONE,
        kraft_version: Some(SupportedVersionRange { min: 0, max: 1 }),
    };
    let name = "kraft.version from 0";
    is_response("ApiVersionsResponse", name, Response::ApiVersions(versions));
    let listener = |name: &str, host: &str, port, security_protocol| RegisteredListener {
        name: name.to_owned(),
        host: host.to_owned(),
        port,
        security_protocol,
        ..RegisteredListener::default()
    };
    let feature = |name: &str, min_supported_version, max_supported_version| RegisteredFeature {
        name: name.to_owned(),
        min_supported_version,
        max_supported_version,
        ..RegisteredFeature::default()
    };
    let registration = ControllerRegistrationRequest {
        controller_id: 1,
        incarnation_id: directory(3),
        zk_migration_ready: false,
        listeners: vec![
            listener("CONTROLLER", "controller-1.example", 9093, 0),
            listener("SSL", "10.0.0.1", 65535, 1),
        ],
        features: vec![
            feature("kraft.version", 0, 1),
            feature("metadata.version", 7, 29),
        ],
        ..ControllerRegistrationRequest::default()
    };
    assert_eq!(
        read("ControllerRegistrationRequest", "a controller"),
        Message::ControllerRegistrationRequest(registration)
    );
    let response = ControllerRegistrationResponse {
        error_code: Errors(41),
        error_message: Some("The active controller appears to be node 1.".to_owned()),
        ..ControllerRegistrationResponse::default()
    };
    assert_eq!(
        read("ControllerRegistrationResponse", "not the controller"),
        Message::ControllerRegistrationResponse(response)
    );
}
