//! What clients ask of controllers.

use quorum_controller::request::{Execution, UpgradeType};
use quorum_controller::{
    BrokerRegistration, ControllerRegistration, Endpoint, Request, SetBrokerConfigs, UpdateFeatures,
};
use records::feature::VersionRange;
use records::{NodeId, Uuid};
use serde_json::Value;
use simulator::drive::Operation;

use super::known::Known;

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
                features: supported_features(known),
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
