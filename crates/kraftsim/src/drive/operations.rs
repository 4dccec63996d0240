//! What clients ask of controllers and of replicas.

use quorum_controller::request::{Execution, UpgradeType};
use quorum_controller::{
    BrokerRegistration, ControllerRegistration, Endpoint, Request, SetBrokerConfigs, UpdateFeatures,
};
use raft::message::Request as RaftRequest;
use raft::message::{AddRaftVoterRequest, RemoveRaftVoterRequest, UpdateRaftVoterRequest};
use raft::{Address, Endpoints, ListenerName, SupportedVersionRange};
use records::feature::{UnstableFeatureVersions, VersionRange};
use records::{NodeId, Uuid};
use releases::Rules;
use serde_json::Value;
use simulator::drive::{Ask, Operation};

/// What is asked of a controller.
pub(super) fn of_controller(command: &Value, rules: &Rules) -> Operation {
    let id = command["id"].as_i64().unwrap_or(0) as i32;
    match command["op"].as_str().unwrap_or_default() {
        "registerController" => {
            let incarnation = command["incarnation"].as_i64().unwrap_or(i64::from(id));
            Operation::Request(Request::RegisterController(ControllerRegistration {
                controller_id: NodeId(id),
                incarnation_id: uuid(9, incarnation),
                zk_migration_ready: false,
                endpoints: vec![Endpoint {
                    name: "CONTROLLER".to_owned(),
                    host: "localhost".to_owned(),
                    port: (9000 + id) as u16,
                    security_protocol: 0,
                }],
                features: supported_features(rules),
            }))
        }
        "updateFeatures" => {
            let upgrade_type = match command["type"].as_i64().unwrap_or(1) {
                2 => UpgradeType::SafeDowngrade,
                3 => UpgradeType::UnsafeDowngrade,
                _ => UpgradeType::Upgrade,
            };
            let levels = command["levels"].as_object().into_iter().flatten();
            let updates = levels
                .map(|(name, level)| {
                    let level = level.as_i64().unwrap_or(0) as i16;
                    (name.clone(), (level, upgrade_type))
                })
                .collect();
            Operation::Request(Request::UpdateFeatures(UpdateFeatures {
                updates,
                execution: match command["validate_only"].as_bool() {
                    Some(true) => Execution::ValidateOnly,
                    _ => Execution::Apply,
                },
            }))
        }
        "registerBroker" => {
            let incarnation = command["incarnation"].as_i64().unwrap_or(i64::from(id));
            Operation::Request(Request::RegisterBroker(BrokerRegistration {
                broker_id: NodeId(id),
                incarnation_id: uuid(7, incarnation),
                endpoints: vec![Endpoint {
                    name: "PLAINTEXT".to_owned(),
                    host: "localhost".to_owned(),
                    port: (10_000 + id) as u16,
                    security_protocol: 0,
                }],
                features: supported_features(rules),
                log_dirs: vec![uuid(8, i64::from(id))],
            }))
        }
        "unregisterBroker" => Operation::Request(Request::UnregisterBroker(NodeId(id))),
        "setConfig" if command["resource"] == "BROKER" => set_broker_configs(command),
        other => Operation::Unavailable(format!("the controller's operation {other}")),
    }
}

fn set_broker_configs(command: &Value) -> Operation {
    let values = command["set"].as_object().into_iter().flatten();
    let values = values
        .map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned()))
        .collect();
    let broker = match command["name"].as_str().unwrap_or_default() {
        "" => None,
        name => match name.parse() {
            Ok(id) => Some(NodeId(id)),
            Err(_) => return Operation::Unavailable(format!("the configuration of {name}")),
        },
    };
    Operation::Request(Request::SetBrokerConfigs(SetBrokerConfigs {
        broker,
        values,
    }))
}

/// All that the release supports, by name.
fn supported_features(rules: &Rules) -> Vec<(String, VersionRange)> {
    let supported = rules
        .features
        .supported_features(UnstableFeatureVersions::Disabled);
    let mut supported: Vec<_> = supported
        .into_iter()
        .map(|(name, range)| (name.to_owned(), range))
        .collect();
    supported.sort_by(|one, other| one.0.cmp(&other.0));
    supported
}

fn uuid(high: u64, low: i64) -> Uuid {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&high.to_be_bytes());
    bytes[8..].copy_from_slice(&low.to_be_bytes());
    Uuid::from_bytes(bytes)
}

/// What a client asks of a replica.
pub(super) fn of_client(command: &Value) -> Result<Ask, String> {
    let body = &command["body"];
    let cluster_id = body["clusterId"].as_str().map(Into::into);
    let voter_id = body["voterId"].as_i64().unwrap_or(-1) as i32;
    let voter_directory_id: Uuid = match body["voterDirectoryId"].as_str() {
        Some(text) => text.parse().map_err(|error| format!("{error}"))?,
        None => Uuid::ZERO,
    };
    Ok(Ask::Raft(
        match command["api"].as_str().unwrap_or_default() {
            "ADD_RAFT_VOTER" => RaftRequest::AddRaftVoter(AddRaftVoterRequest {
                cluster_id,
                timeout_ms: body["timeoutMs"].as_i64().unwrap_or(0) as i32,
                voter_id,
                voter_directory_id,
                listeners: listeners(body),
                ack_when_committed: body["ackWhenCommitted"].as_bool().unwrap_or(true),
            }),
            "REMOVE_RAFT_VOTER" => RaftRequest::RemoveRaftVoter(RemoveRaftVoterRequest {
                cluster_id,
                voter_id,
                voter_directory_id,
            }),
            "UPDATE_RAFT_VOTER" => {
                let range = &body["kRaftVersionFeature"];
                RaftRequest::UpdateRaftVoter(UpdateRaftVoterRequest {
                    cluster_id,
                    current_leader_epoch: body["currentLeaderEpoch"].as_i64().unwrap_or(0) as i32,
                    voter_id,
                    voter_directory_id,
                    listeners: listeners(body),
                    kraft_version_feature: SupportedVersionRange {
                        min: range["minSupportedVersion"].as_i64().unwrap_or(0) as i16,
                        max: range["maxSupportedVersion"].as_i64().unwrap_or(0) as i16,
                    },
                })
            }
            "DESCRIBE_QUORUM" => RaftRequest::DescribeQuorum,
            other => return Ok(Ask::Unavailable(format!("the request {other} of a client"))),
        },
    ))
}

fn listeners(body: &Value) -> Endpoints {
    let listeners = body["listeners"].as_array().into_iter().flatten();
    Endpoints::new(listeners.map(|at| {
        let name = ListenerName::normalised(at["name"].as_str().unwrap_or_default());
        let host = at["host"].as_str().unwrap_or_default();
        let port = at["port"].as_u64().unwrap_or(0) as u16;
        (name, Address::new(host, port))
    }))
}
