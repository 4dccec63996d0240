//! What clients ask of controllers.

use quorum_controller::request::{Execution, ResourceKind, UpgradeType};
use quorum_controller::{
    BrokerHeartbeat, BrokerRegistration, ConfigResource, ControllerRegistration, ControllerRequest,
    Endpoint, FeatureUpdate, NewTopic, SetConfigs, UpdateFeatures,
};
use records::feature::VersionRange;
use records::{NodeId, Uuid};
use serde_json::Value;
use simulator::drive::{CommandRefusal, ControllerOperation};

use super::exceptions::Exception;
use super::fields::{Fields, expected, hint};
use super::known::ScheduleTerms;
use super::requests_as_json;

/// The operations that have fields of their own; any other one gives its request whole.
const OWN: [&str; 7] = [
    "registerController",
    "updateFeatures",
    "registerBroker",
    "unregisterBroker",
    "heartbeat",
    "createTopic",
    "setConfig",
];

/// What is asked of a controller.
pub(super) fn of_controller(
    fields: &Fields<'_>,
    known: &ScheduleTerms,
) -> Result<ControllerOperation, Exception> {
    let request = match fields.text("op")?.unwrap_or_default() {
        "registerController" => controller_registration(fields, known)?,
        "updateFeatures" => update_of_features(fields)?,
        "registerBroker" => broker_registration(fields, known)?,
        "unregisterBroker" => fields
            .number("id")?
            .map(|id| ControllerRequest::UnregisterBroker(NodeId(id))),
        "heartbeat" => heartbeat(fields)?,
        "createTopic" => new_topic(fields)?,
        "setConfig" => return set_configs(fields),
        other => return given_whole(other, fields, known),
    };
    // Kafka's driver numbers the operation before it looks for what is missing.
    Ok(match request {
        Some(request) => ControllerOperation::Request(request),
        None => ControllerOperation::Refused(CommandRefusal::Incomplete),
    })
}

fn controller_registration(
    fields: &Fields<'_>,
    known: &ScheduleTerms,
) -> Result<Option<ControllerRequest>, Exception> {
    let incarnation = fields.number::<i32>("incarnation")?;
    let Some(id) = fields.number::<i32>("id")? else {
        return Ok(None);
    };
    Ok(Some(ControllerRequest::RegisterController(
        ControllerRegistration {
            controller_id: NodeId(id),
            incarnation_id: uuid(9, incarnation.unwrap_or(id).into()),
            zk_migration_ready: false,
            endpoints: vec![endpoint("CONTROLLER", 9000, id)],
            features: supported_features(known),
        },
    )))
}

fn broker_registration(
    fields: &Fields<'_>,
    known: &ScheduleTerms,
) -> Result<Option<ControllerRequest>, Exception> {
    let incarnation = fields.number::<i32>("incarnation")?;
    // The driver's requests are of version 0, which does not say it.
    fields.integer("previous_epoch")?;
    let Some(id) = fields.number::<i32>("id")? else {
        return Ok(None);
    };
    Ok(Some(ControllerRequest::RegisterBroker(
        BrokerRegistration {
            broker_id: NodeId(id),
            incarnation_id: uuid(7, incarnation.unwrap_or(id).into()),
            endpoints: vec![endpoint("PLAINTEXT", 10_000, id)],
            features: supported_features(known),
            log_dirs: vec![uuid(8, id.into())],
            previous_epoch: None,
        },
    )))
}

fn endpoint(name: &str, base: i32, id: i32) -> Endpoint {
    Endpoint {
        name: name.to_owned(),
        host: "localhost".to_owned(),
        port: base.wrapping_add(id) as u16,
        security_protocol: 0,
    }
}

fn update_of_features(fields: &Fields<'_>) -> Result<Option<ControllerRequest>, Exception> {
    // Kafka's driver casts both numbers.
    let upgrade_type = UpgradeType::from_code(fields.integer("type")?.unwrap_or(1) as i8);
    let execution = match fields.flag("validate_only")? {
        Some(true) => Execution::ValidateOnly,
        _ => Execution::Apply,
    };
    let Some(levels) = fields.entries("levels")? else {
        return Ok(None);
    };
    let updates = levels.iter().map(|(feature, level)| {
        let number = level.as_i64().map(|level| level as i16);
        Ok(FeatureUpdate {
            feature: feature.clone(),
            level: number.ok_or_else(|| expected("a level", "an integer", level))?,
            upgrade_type,
        })
    });
    Ok(Some(ControllerRequest::UpdateFeatures(UpdateFeatures {
        updates: updates.collect::<Result<_, Exception>>()?,
        execution,
    })))
}

fn heartbeat(fields: &Fields<'_>) -> Result<Option<ControllerRequest>, Exception> {
    let metadata_offset = fields.integer("offset")?.unwrap_or(0);
    let (fence, shutdown) = (fields.flag("fence")?, fields.flag("shutdown")?);
    let (id, epoch) = (fields.number("id")?, fields.integer("epoch")?);
    Ok(id.zip(epoch).map(|(id, broker_epoch)| {
        ControllerRequest::BrokerHeartbeat(BrokerHeartbeat {
            broker_id: NodeId(id),
            broker_epoch,
            metadata_offset,
            wish: requests_as_json::wish(fence == Some(true), shutdown == Some(true)),
            offline_log_dirs: Vec::new(),
            cordoned_log_dirs: None,
        })
    }))
}

fn new_topic(fields: &Fields<'_>) -> Result<Option<ControllerRequest>, Exception> {
    let partitions = fields.number("partitions")?.unwrap_or(1);
    let replicas = fields.number::<i16>("replicas")?.unwrap_or(1);
    let name = fields.text("name")?;
    Ok(name.map(|name| {
        ControllerRequest::CreateTopics(vec![NewTopic {
            name: name.to_owned(),
            partitions,
            replication_factor: replicas.into(),
        }])
    }))
}

/// Of what kind a configuration is; none for those that the model does not have.
const RESOURCES: [(&str, Option<ResourceKind>); 6] = [
    ("UNKNOWN", Some(ResourceKind::Unknown)),
    ("TOPIC", Some(ResourceKind::Topic)),
    ("BROKER", Some(ResourceKind::Broker)),
    ("BROKER_LOGGER", Some(ResourceKind::BrokerLogger)),
    ("CLIENT_METRICS", None),
    ("GROUP", None),
];

fn set_configs(fields: &Fields<'_>) -> Result<ControllerOperation, Exception> {
    let kind = fields.word("resource", &RESOURCES)?;
    let name = fields.text("name")?.unwrap_or_default().to_owned();
    let Some(values) = fields.entries("set")? else {
        return Ok(ControllerOperation::Refused(CommandRefusal::Incomplete));
    };
    let values = values.iter().map(|(key, value)| match value.as_str() {
        Some(text) => Ok((key.clone(), text.to_owned())),
        None => Err(expected(
            &format!("the value of `{key}`"),
            "a string",
            value,
        )),
    });
    let values = values.collect::<Result<_, _>>()?;
    let Some(kind) = kind.unwrap_or(Some(ResourceKind::Topic)) else {
        let what = "the configuration of groups and of client metrics".to_owned();
        return Ok(ControllerOperation::Refused(CommandRefusal::Unavailable(
            what,
        )));
    };
    let resource = ConfigResource { kind, name };
    Ok(ControllerOperation::Request(ControllerRequest::SetConfigs(
        SetConfigs { resource, values },
    )))
}

/// A method of Kafka's controller, with its request in the JSON of Kafka's own converters.
fn given_whole(
    operation: &str,
    fields: &Fields<'_>,
    known: &ScheduleTerms,
) -> Result<ControllerOperation, Exception> {
    fields.number::<i16>("version")?;
    let request = fields.get("request").unwrap_or(&Value::Null);
    let line = known.rules.features.line;
    if let Some(request) = requests_as_json::request(operation, request, line) {
        return Ok(ControllerOperation::Request(request));
    }
    let what = format!("the controller's operation {operation}");
    Ok(ControllerOperation::Refused(
        if METHODS.contains(&operation) {
            CommandRefusal::Unavailable(what)
        } else {
            let hint = hint(operation, OWN.into_iter().chain(METHODS));
            CommandRefusal::illegal_argument(format!("unknown operation `{operation}`{hint}"))
        },
    ))
}

/// The methods of `Controller` whose only argument is a request (`4.4:metadata/…/controller/Controller.java`).
const METHODS: [&str; 11] = [
    "allocateProducerIds",
    "alterPartition",
    "alterPartitionReassignments",
    "alterUserScramCredentials",
    "assignReplicasToDirs",
    "createDelegationToken",
    "electLeaders",
    "expireDelegationToken",
    "listPartitionReassignments",
    "processBrokerHeartbeat",
    "renewDelegationToken",
];

fn supported_features(known: &ScheduleTerms) -> Vec<(String, VersionRange)> {
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
