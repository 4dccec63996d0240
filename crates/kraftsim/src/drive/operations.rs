//! What clients ask of controllers.

use quorum_controller::request::{Execution, ResourceKind, UpgradeType};
use quorum_controller::{
    BrokerHeartbeat, BrokerRegistration, ConfigResource, ControllerRegistration, Endpoint,
    FeatureUpdate, NewTopic, Request, SetConfigs, UpdateFeatures,
};
use records::feature::VersionRange;
use records::{NodeId, Uuid};
use serde_json::Value;
use simulator::drive::Operation;

use super::known::Known;
use super::requests_as_json;

/// What is asked of a controller.
pub(super) fn of_controller(command: &Value, known: &Known) -> Operation {
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
                features: supported_features(known),
            }))
        }
        "updateFeatures" => {
            let upgrade_type = UpgradeType::from_code(command["type"].as_i64().unwrap_or(1) as i8);
            let levels = command["levels"].as_object().into_iter().flatten();
            let updates = levels
                .map(|(name, level)| FeatureUpdate {
                    feature: name.clone(),
                    level: level.as_i64().unwrap_or(0) as i16,
                    upgrade_type,
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
                features: supported_features(known),
                log_dirs: vec![uuid(8, i64::from(id))],
                // The driver's requests are of version 0, which does not say.
                previous_epoch: None,
            }))
        }
        "unregisterBroker" => Operation::Request(Request::UnregisterBroker(NodeId(id))),
        "heartbeat" => heartbeat(command, id),
        "createTopic" => {
            let number = |key: &str| command[key].as_i64().unwrap_or(1) as i32;
            Operation::Request(Request::CreateTopics(vec![NewTopic {
                name: command["name"].as_str().unwrap_or_default().to_owned(),
                partitions: number("partitions"),
                replication_factor: number("replicas"),
            }]))
        }
        "setConfig" => set_configs(command),
        other => {
            let line = known.rules.features.line;
            match requests_as_json::request(other, &command["request"], line) {
                Some(request) => Operation::Request(request),
                None => Operation::Unavailable(format!("the controller's operation {other}")),
            }
        }
    }
}

fn heartbeat(command: &Value, id: i32) -> Operation {
    let flag = |key: &str| command[key].as_bool().unwrap_or(false);
    Operation::Request(Request::BrokerHeartbeat(BrokerHeartbeat {
        broker_id: NodeId(id),
        broker_epoch: command["epoch"].as_i64().unwrap_or(0),
        metadata_offset: command["offset"].as_i64().unwrap_or(0),
        wish: requests_as_json::wish(flag("fence"), flag("shutdown")),
        offline_log_dirs: Vec::new(),
        cordoned_log_dirs: None,
    }))
}

fn set_configs(command: &Value) -> Operation {
    let kind = match command["resource"].as_str().unwrap_or("TOPIC") {
        "UNKNOWN" => ResourceKind::Unknown,
        "TOPIC" => ResourceKind::Topic,
        "BROKER" => ResourceKind::Broker,
        "BROKER_LOGGER" => ResourceKind::BrokerLogger,
        other => return Operation::Unavailable(format!("the configuration of a {other}")),
    };
    let values = command["set"].as_object().into_iter().flatten();
    let values = values
        .map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned()))
        .collect();
    let name = command["name"].as_str().unwrap_or_default().to_owned();
    Operation::Request(Request::SetConfigs(SetConfigs {
        resource: ConfigResource { kind, name },
        values,
    }))
}

fn supported_features(known: &Known) -> Vec<(String, VersionRange)> {
    let supported = known.supported_features().into_iter();
    supported
        .map(|(name, range)| (name.to_owned(), range))
        .collect()
}

fn uuid(high: u64, low: i64) -> Uuid {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&high.to_be_bytes());
    bytes[8..].copy_from_slice(&low.to_be_bytes());
    Uuid::from_bytes(bytes)
}
