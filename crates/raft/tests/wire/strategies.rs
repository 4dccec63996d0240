//! Any message of each kind, with values whose default is told apart from their absence.

use std::sync::Arc;

use bytes::Bytes;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use raft::message::{
    AddRaftVoterRequest, ApiKey, ApiVersionsResponse, BeginQuorumEpochRequest,
    DescribeQuorumPartitionResponse, DescribeQuorumResponse, DivergingEpoch, EndQuorumEpochRequest,
    Errors, FetchPartitionResponse, FetchRequest, FetchResponse, FetchSnapshotPartitionResponse,
    FetchSnapshotRequest, FetchSnapshotResponse, NodeEndpoint, QuorumEpochPartitionResponse,
    QuorumEpochResponse, RemoveRaftVoterRequest, ReplicaStateInfo, Request, Response,
    UpdateRaftVoterRequest, UpdateRaftVoterResponse, VotePartitionResponse, VoteRequest,
    VoteResponse, VoterChangeResponse, VoterListeners,
};
use raft::wire::{
    Api, ControllerRegistrationRequest, ControllerRegistrationResponse, Kind, Message,
    RegisteredFeature, RegisteredListener, Side,
};
use raft::{Address, Endpoints, ListenerName, SupportedVersionRange};
use raft_log::batch::{Batch, BatchBuilder};
use records::{NodeId, OffsetAndEpoch, ReplicaKey, Uuid};

fn uuid() -> impl Strategy<Value = Uuid> {
    prop_oneof![
        Just(Uuid::ZERO),
        any::<[u8; 16]>().prop_map(Uuid::from_bytes)
    ]
}

fn cluster() -> impl Strategy<Value = Option<Arc<str>>> {
    option::of("[A-Za-z0-9_-]{0,22}".prop_map(|id| id.as_str().into()))
}

fn error() -> impl Strategy<Value = Errors> {
    any::<i16>().prop_map(Errors)
}

fn words() -> impl Strategy<Value = Option<String>> {
    option::of(".{0,40}")
}

fn address() -> impl Strategy<Value = Address> {
    ("[a-z0-9.-]{1,30}", any::<u16>()).prop_map(|(host, port)| Address::new(&host, port))
}

fn endpoint() -> impl Strategy<Value = Option<NodeEndpoint>> {
    option::of(
        (any::<i32>(), address()).prop_map(|(node_id, address)| NodeEndpoint { node_id, address }),
    )
}

fn endpoints() -> impl Strategy<Value = Endpoints> {
    let listener = ("[A-Z_]{0,12}", address());
    vec(listener, 0..4).prop_map(|listeners| {
        Endpoints::new(
            listeners
                .into_iter()
                .map(|(name, address)| (ListenerName::normalised(&name), address)),
        )
    })
}

fn key() -> impl Strategy<Value = ReplicaKey> {
    (any::<i32>(), uuid()).prop_map(|(id, directory)| ReplicaKey::new(NodeId(id), directory))
}

/// Anything but the pair that stands for nothing.
fn offset_and_epoch() -> impl Strategy<Value = OffsetAndEpoch> {
    (0..i64::MAX, -1..i32::MAX).prop_map(|(offset, epoch)| OffsetAndEpoch { offset, epoch })
}

fn batches() -> impl Strategy<Value = Vec<Batch>> {
    let batch = (
        any::<u32>(),
        any::<u16>(),
        vec(vec(any::<u8>(), 0..20), 1..4),
    );
    let batch = batch.prop_map(|(offset, epoch, values)| {
        let mut builder = BatchBuilder::data(offset.into(), epoch.into(), 1_700_000_000_000);
        for value in values {
            builder.append_value(&value);
        }
        builder.finish()
    });
    vec(batch, 0..4)
}

fn vote_request() -> impl Strategy<Value = VoteRequest> {
    let who = (any::<i32>(), any::<i32>(), any::<i32>(), uuid(), uuid());
    let log = (any::<i32>(), any::<i64>(), any::<bool>());
    (cluster(), who, log).prop_map(|(cluster_id, who, log)| VoteRequest {
        cluster_id,
        voter_id: who.0,
        replica_epoch: who.1,
        replica_id: who.2,
        replica_directory_id: who.3,
        voter_directory_id: who.4,
        last_offset_epoch: log.0,
        last_offset: log.1,
        pre_vote: log.2,
    })
}

fn vote_response() -> impl Strategy<Value = VoteResponse> {
    let partition = (error(), any::<i32>(), any::<i32>(), any::<bool>());
    let partition = partition.prop_map(|p| VotePartitionResponse {
        error_code: p.0,
        leader_id: p.1,
        leader_epoch: p.2,
        vote_granted: p.3,
    });
    (error(), option::of(partition), endpoint()).prop_map(
        |(error_code, partition, node_endpoint)| VoteResponse {
            error_code,
            partition,
            node_endpoint,
        },
    )
}

fn begin_request() -> impl Strategy<Value = BeginQuorumEpochRequest> {
    let numbers = (any::<i32>(), any::<i32>(), any::<i32>());
    (cluster(), numbers, uuid(), endpoints()).prop_map(|(cluster_id, n, id, endpoints)| {
        BeginQuorumEpochRequest {
            cluster_id,
            voter_id: n.0,
            voter_directory_id: id,
            leader_id: n.1,
            leader_epoch: n.2,
            leader_endpoints: endpoints,
        }
    })
}

fn end_request() -> impl Strategy<Value = EndQuorumEpochRequest> {
    let who = (any::<i32>(), any::<i32>());
    (cluster(), who, vec(key(), 0..4), endpoints()).prop_map(
        |(cluster_id, who, keys, endpoints)| EndQuorumEpochRequest {
            cluster_id,
            leader_id: who.0,
            leader_epoch: who.1,
            preferred_candidates: keys,
            leader_endpoints: endpoints,
        },
    )
}

fn epoch_response() -> impl Strategy<Value = QuorumEpochResponse> {
    let partition = (error(), any::<i32>(), any::<i32>());
    let partition = partition.prop_map(|p| QuorumEpochPartitionResponse {
        error_code: p.0,
        leader_id: p.1,
        leader_epoch: p.2,
    });
    (error(), option::of(partition), endpoint()).prop_map(
        |(error_code, partition, node_endpoint)| QuorumEpochResponse {
            error_code,
            partition,
            node_endpoint,
        },
    )
}

fn fetch_request() -> impl Strategy<Value = FetchRequest> {
    let numbers = (
        any::<i32>(),
        any::<i32>(),
        any::<i32>(),
        any::<i32>(),
        any::<i32>(),
    );
    let offsets = (any::<i64>(), any::<i64>());
    (cluster(), numbers, offsets, uuid()).prop_map(|(cluster_id, n, o, id)| FetchRequest {
        cluster_id,
        replica_id: n.0,
        replica_directory_id: id,
        max_wait_ms: n.1,
        max_bytes: n.2,
        current_leader_epoch: n.3,
        fetch_offset: o.0,
        last_fetched_epoch: n.4,
        high_watermark: o.1,
    })
}

fn fetch_response() -> impl Strategy<Value = FetchResponse> {
    let numbers = (
        error(),
        any::<i64>(),
        any::<i64>(),
        any::<i32>(),
        any::<i32>(),
    );
    let other = (
        option::of(offset_and_epoch()),
        option::of(offset_and_epoch()),
        batches(),
    );
    let partition = (numbers, other).prop_map(|(n, (diverging, snapshot_id, records))| {
        FetchPartitionResponse {
            error_code: n.0,
            high_watermark: n.1,
            log_start_offset: n.2,
            diverging_epoch: diverging.map(|id| DivergingEpoch {
                epoch: id.epoch,
                end_offset: id.offset,
            }),
            leader_id: n.3,
            leader_epoch: n.4,
            snapshot_id,
            records,
            cut: Bytes::new(),
        }
    });
    (error(), option::of(partition), endpoint()).prop_map(
        |(error_code, partition, node_endpoint)| FetchResponse {
            error_code,
            partition,
            node_endpoint,
        },
    )
}

fn fetch_snapshot_request() -> impl Strategy<Value = FetchSnapshotRequest> {
    let numbers = (any::<i32>(), any::<i32>(), any::<i32>(), any::<i64>());
    (cluster(), numbers, offset_and_epoch(), uuid()).prop_map(|(cluster_id, n, snapshot_id, id)| {
        FetchSnapshotRequest {
            cluster_id,
            replica_id: n.0,
            replica_directory_id: id,
            max_bytes: n.1,
            current_leader_epoch: n.2,
            snapshot_id,
            position: n.3,
        }
    })
}

fn fetch_snapshot_response() -> impl Strategy<Value = FetchSnapshotResponse> {
    let numbers = (
        error(),
        any::<i32>(),
        any::<i32>(),
        any::<i64>(),
        any::<i64>(),
    );
    let partition = (numbers, offset_and_epoch(), vec(any::<u8>(), 0..100));
    let partition = partition.prop_map(|(n, snapshot_id, bytes)| FetchSnapshotPartitionResponse {
        error_code: n.0,
        snapshot_id,
        leader_id: n.1,
        leader_epoch: n.2,
        size: n.3,
        position: n.4,
        unaligned_records: Bytes::from(bytes),
    });
    (error(), option::of(partition), endpoint()).prop_map(
        |(error_code, partition, node_endpoint)| FetchSnapshotResponse {
            error_code,
            partition,
            node_endpoint,
        },
    )
}

fn replica_states() -> impl Strategy<Value = Vec<ReplicaStateInfo>> {
    let state = (key(), any::<i64>(), any::<i64>(), any::<i64>());
    let state = state.prop_map(|s| ReplicaStateInfo {
        replica: s.0,
        log_end_offset: s.1,
        last_fetch_timestamp: s.2,
        last_caught_up_timestamp: s.3,
    });
    vec(state, 0..4)
}

fn describe_response() -> impl Strategy<Value = DescribeQuorumResponse> {
    let numbers = (error(), any::<i32>(), any::<i32>(), any::<i64>());
    let partition =
        (numbers, replica_states(), replica_states()).prop_map(|(n, current_voters, observers)| {
            DescribeQuorumPartitionResponse {
                error_code: n.0,
                leader_id: n.1,
                leader_epoch: n.2,
                high_watermark: n.3,
                current_voters,
                observers,
            }
        });
    let node = (any::<i32>(), endpoints()).prop_map(|(id, listeners)| VoterListeners {
        node_id: NodeId(id),
        listeners,
    });
    (error(), option::of(partition), vec(node, 0..3)).prop_map(|(error_code, partition, nodes)| {
        DescribeQuorumResponse {
            error_code,
            partition,
            nodes,
        }
    })
}

fn range() -> impl Strategy<Value = SupportedVersionRange> {
    (any::<i16>(), any::<i16>()).prop_map(|(min, max)| SupportedVersionRange { min, max })
}

fn api_versions_response() -> impl Strategy<Value = ApiVersionsResponse> {
    (error(), option::of(range())).prop_map(|(error_code, kraft_version)| ApiVersionsResponse {
        error_code,
        kraft_version,
    })
}

fn add_request() -> impl Strategy<Value = AddRaftVoterRequest> {
    let numbers = (any::<i32>(), any::<i32>(), any::<bool>());
    (cluster(), numbers, uuid(), endpoints()).prop_map(|(cluster_id, n, id, listeners)| {
        AddRaftVoterRequest {
            cluster_id,
            timeout_ms: n.0,
            voter_id: n.1,
            voter_directory_id: id,
            listeners,
            ack_when_committed: n.2,
        }
    })
}

fn remove_request() -> impl Strategy<Value = RemoveRaftVoterRequest> {
    (cluster(), any::<i32>(), uuid()).prop_map(|(cluster_id, voter_id, id)| {
        RemoveRaftVoterRequest {
            cluster_id,
            voter_id,
            voter_directory_id: id,
        }
    })
}

fn update_request() -> impl Strategy<Value = UpdateRaftVoterRequest> {
    let numbers = (any::<i32>(), any::<i32>());
    (cluster(), numbers, uuid(), endpoints(), range()).prop_map(
        |(cluster_id, n, id, listeners, kraft_version_feature)| UpdateRaftVoterRequest {
            cluster_id,
            current_leader_epoch: n.0,
            voter_id: n.1,
            voter_directory_id: id,
            listeners,
            kraft_version_feature,
        },
    )
}

fn voter_response() -> impl Strategy<Value = VoterChangeResponse> {
    (error(), words()).prop_map(|(error_code, error_message)| VoterChangeResponse {
        error_code,
        error_message,
    })
}

fn update_response() -> impl Strategy<Value = UpdateRaftVoterResponse> {
    let numbers = (error(), any::<i32>(), any::<i32>());
    (numbers, option::of(address())).prop_map(|(n, leader_address)| UpdateRaftVoterResponse {
        error_code: n.0,
        leader_id: n.1,
        leader_epoch: n.2,
        leader_address,
    })
}

fn registration() -> impl Strategy<Value = ControllerRegistrationRequest> {
    let listener = (".{0,12}", "[a-z.]{0,20}", any::<u16>(), any::<i16>());
    let listener = listener.prop_map(|l| RegisteredListener {
        name: l.0,
        host: l.1,
        port: l.2,
        security_protocol: l.3,
        ..RegisteredListener::default()
    });
    let feature = ("[a-z.]{0,20}", any::<i16>(), any::<i16>());
    let feature = feature.prop_map(|f| RegisteredFeature {
        name: f.0,
        min_supported_version: f.1,
        max_supported_version: f.2,
        ..RegisteredFeature::default()
    });
    let who = (any::<i32>(), uuid(), any::<bool>());
    (who, vec(listener, 0..4), vec(feature, 0..6)).prop_map(|(who, listeners, features)| {
        ControllerRegistrationRequest {
            controller_id: who.0,
            incarnation_id: who.1,
            zk_migration_ready: who.2,
            listeners,
            features,
            ..ControllerRegistrationRequest::default()
        }
    })
}

fn registered() -> impl Strategy<Value = ControllerRegistrationResponse> {
    (error(), words()).prop_map(
        |(error_code, error_message)| ControllerRegistrationResponse {
            error_code,
            error_message,
            ..ControllerRegistrationResponse::default()
        },
    )
}

fn raft_request(api: ApiKey) -> BoxedStrategy<Request> {
    match api {
        ApiKey::Fetch => fetch_request().prop_map(Request::Fetch).boxed(),
        ApiKey::ApiVersions => Just(Request::ApiVersions).boxed(),
        ApiKey::Vote => vote_request().prop_map(Request::Vote).boxed(),
        ApiKey::BeginQuorumEpoch => begin_request().prop_map(Request::BeginQuorumEpoch).boxed(),
        ApiKey::EndQuorumEpoch => end_request().prop_map(Request::EndQuorumEpoch).boxed(),
        ApiKey::DescribeQuorum => Just(Request::DescribeQuorum).boxed(),
        ApiKey::FetchSnapshot => fetch_snapshot_request()
            .prop_map(Request::FetchSnapshot)
            .boxed(),
        ApiKey::AddRaftVoter => add_request().prop_map(Request::AddRaftVoter).boxed(),
        ApiKey::RemoveRaftVoter => remove_request().prop_map(Request::RemoveRaftVoter).boxed(),
        ApiKey::UpdateRaftVoter => update_request().prop_map(Request::UpdateRaftVoter).boxed(),
    }
}

fn raft_response(api: ApiKey) -> BoxedStrategy<Response> {
    match api {
        ApiKey::Fetch => fetch_response().prop_map(Response::Fetch).boxed(),
        ApiKey::ApiVersions => api_versions_response()
            .prop_map(Response::ApiVersions)
            .boxed(),
        ApiKey::Vote => vote_response().prop_map(Response::Vote).boxed(),
        ApiKey::BeginQuorumEpoch => epoch_response()
            .prop_map(Response::BeginQuorumEpoch)
            .boxed(),
        ApiKey::EndQuorumEpoch => epoch_response().prop_map(Response::EndQuorumEpoch).boxed(),
        ApiKey::DescribeQuorum => describe_response()
            .prop_map(Response::DescribeQuorum)
            .boxed(),
        ApiKey::FetchSnapshot => fetch_snapshot_response()
            .prop_map(Response::FetchSnapshot)
            .boxed(),
        ApiKey::AddRaftVoter => voter_response().prop_map(Response::AddRaftVoter).boxed(),
        ApiKey::RemoveRaftVoter => voter_response().prop_map(Response::RemoveRaftVoter).boxed(),
        ApiKey::UpdateRaftVoter => update_response()
            .prop_map(Response::UpdateRaftVoter)
            .boxed(),
    }
}

/// Any message of a kind.
pub fn message(kind: Kind) -> BoxedStrategy<Message> {
    match (kind.api, kind.side) {
        (Api::Raft(api), Side::Request) => raft_request(api).prop_map(Message::Request).boxed(),
        (Api::Raft(api), Side::Response) => raft_response(api).prop_map(Message::Response).boxed(),
        (Api::ControllerRegistration, Side::Request) => registration()
            .prop_map(Message::ControllerRegistrationRequest)
            .boxed(),
        (Api::ControllerRegistration, Side::Response) => registered()
            .prop_map(Message::ControllerRegistrationResponse)
            .boxed(),
    }
}

pub fn kinds() -> Vec<Kind> {
    Api::all()
        .flat_map(|api| [api.request(), api.response()])
        .collect()
}
