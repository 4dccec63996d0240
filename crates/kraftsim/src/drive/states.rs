use quorum_controller::{RequestError, Response};
use raft::message::Errors;
use records::feature::Line;
use serde_json::{Map, Value, json};
use simulator::drive::{NodeState, Outcome, Standing};

use super::known::Known;
use super::{calls, responses};

/// How a node stands, and what happened at it.
pub(super) fn state(state: &NodeState, known: &Known) -> Value {
    let mut told = Map::new();
    told.insert("node".into(), state.node.0.into());
    told.insert("up".into(), state.up.into());
    if let Some(found) = &state.standing {
        standing(&mut told, found);
    }
    told.insert(
        "calls".into(),
        state.calls.iter().map(calls::call).collect(),
    );
    let operations = state.operations.iter();
    let operations = operations.map(|(number, outcome)| operation(*number, outcome, known));
    told.insert("ops".into(), operations.collect());
    let draws = state.draws.iter();
    let draws = draws.map(|draw| Value::from(format!("raft {} {}", draw.bound, draw.value)));
    told.insert("draws".into(), draws.collect());
    Value::Object(told)
}

fn standing(told: &mut Map<String, Value>, found: &Standing) {
    let node = |id: Option<records::NodeId>| id.map_or(-1, |id| id.0);
    let mut put = |key: &str, value: Value| drop(told.insert(key.to_owned(), value));
    put("role", found.role.into());
    put("epoch", found.epoch.into());
    put("leader", node(found.leader).into());
    put("voted", node(found.voted).into());
    put("high_watermark", found.high_watermark.unwrap_or(-1).into());
    put("log_end", found.log_end.into());
    put("log_start", found.log_start.into());
    put("last_epoch", found.last_epoch.into());
    put("snapshot", found.snapshot.map(calls::snapshot_id).into());
    let voters: Vec<String> = found.voters.iter().map(ToString::to_string).collect();
    put("voters", voters.join(" ").into());
    put(
        "kraft_version",
        format!("KRAFT_VERSION_{}", found.kraft_version).into(),
    );
    put("next_poll_within", found.next_poll_within.into());
    put("woken", found.woken.into());
    put("inbox", json!(found.inbox));
    if let Some(controller) = &found.controller {
        put(
            "controller",
            json!({
                "active": controller.active,
                "claim_epoch": controller.claim_epoch.unwrap_or(-1),
                "last_stable_offset": controller.last_stable_offset,
                "features": controller.features,
                "held": controller.held,
            }),
        );
    }
}

fn operation(number: u64, outcome: &Outcome, known: &Known) -> Value {
    match outcome {
        Outcome::Raft { version, response } => {
            json!({ "op": number, "result": responses::response(response, *version, known) })
        }
        Outcome::FeatureUpdate(Ok(Response::Done)) => {
            json!({ "op": number, "result": { "throttleTimeMs": 0, "errorCode": 0, "errorMessage": null } })
        }
        Outcome::Controller(Ok(response)) | Outcome::FeatureUpdate(Ok(response)) => {
            json!({ "op": number, "result": result(response, known) })
        }
        Outcome::FeatureUpdate(Err(error @ RequestError::InvalidUpdateVersion { .. })) => {
            let code = Errors::INVALID_UPDATE_VERSION.0;
            let told = json!({ "throttleTimeMs": 0, "errorCode": code, "errorMessage": error.to_string() });
            json!({ "op": number, "result": told })
        }
        Outcome::Controller(Err(error)) | Outcome::FeatureUpdate(Err(error)) => {
            json!({ "op": number, "error": format!("{}: {error}", exception(error)) })
        }
    }
}

fn result(response: &Response, known: &Known) -> Value {
    match response {
        Response::Done | Response::Refused(_) => Value::Null,
        Response::Features(results) => {
            let told = results.iter().map(|(feature, outcome)| {
                let code = match outcome {
                    Ok(()) => Errors::NONE,
                    Err(_) => Errors::INVALID_UPDATE_VERSION,
                };
                json!({ "feature": feature, "errorCode": code.0, "errorMessage": null })
            });
            json!({ "throttleTimeMs": 0, "errorCode": 0, "results": told.collect::<Vec<_>>() })
        }
        Response::BrokerRegistered { epoch } => {
            registration_reply(*epoch, known.rules.features.line).into()
        }
        Response::BrokerConfigs { broker, outcome } => {
            let name = broker.map_or_else(String::new, |id| id.to_string());
            let told = match outcome {
                Ok(()) => "ApiError(error=NONE, message=null)".to_owned(),
                Err(error @ RequestError::BrokerIdNotRegistered { .. }) => {
                    format!("ApiError(error=BROKER_ID_NOT_REGISTERED, message={error})")
                }
                Err(error) => format!("ApiError(error=UNKNOWN_SERVER_ERROR, message={error})"),
            };
            json!({ format!("ConfigResource(type=BROKER, name='{name}')"): told })
        }
    }
}

/// The driver prints Kafka's object, whose words changed when it became a Java record.
fn registration_reply(epoch: i64, line: Line) -> String {
    match line {
        Line::V3_9 | Line::V4_0 | Line::V4_1 => format!("BrokerRegistrationReply(epoch={epoch})"),
        Line::V4_2 | Line::V4_3 | Line::V4_4 => format!("BrokerRegistrationReply[epoch={epoch}]"),
    }
}

/// The class of the exception that Kafka's controller answers with.
fn exception(error: &RequestError) -> &'static str {
    match error {
        RequestError::NotController { .. } => {
            "org.apache.kafka.common.errors.NotControllerException"
        }
        RequestError::TimedOut => "org.apache.kafka.common.errors.TimeoutException",
        RequestError::UnsupportedVersion { .. } => {
            "org.apache.kafka.common.errors.UnsupportedVersionException"
        }
        RequestError::InvalidUpdateVersion { .. } => {
            "org.apache.kafka.common.errors.InvalidUpdateVersionException"
        }
        RequestError::InvalidRegistration { .. } => {
            "org.apache.kafka.common.errors.InvalidRegistrationException"
        }
        RequestError::BrokerIdNotRegistered { .. } => {
            "org.apache.kafka.common.errors.BrokerIdNotRegisteredException"
        }
        RequestError::ControllerIdNotRegistered { .. } => {
            "org.apache.kafka.common.errors.ControllerIdNotRegisteredException"
        }
        RequestError::InvalidRequest { .. } => {
            "org.apache.kafka.common.errors.InvalidRequestException"
        }
        RequestError::PolicyViolation { .. } => {
            "org.apache.kafka.common.errors.PolicyViolationException"
        }
        RequestError::Unknown(_) => "org.apache.kafka.common.errors.UnknownServerException",
    }
}
