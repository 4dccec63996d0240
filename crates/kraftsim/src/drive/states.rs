use serde_json::{Map, Value, json};
use simulator::drive::{NodeState, OperationOutcome, Purpose, ReplicaStanding};

use super::known::ScheduleTerms;
use super::{bodies, calls, results};

/// How a node stands, and what happened at it.
pub(super) fn state(state: &NodeState, known: &ScheduleTerms) -> Value {
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
    let draws = draws.map(|(purpose, draw)| {
        let purpose = match purpose {
            Purpose::Raft => "raft",
            Purpose::Placer => "placer",
        };
        Value::from(format!("{purpose} {} {}", draw.bound, draw.value))
    });
    told.insert("draws".into(), draws.collect());
    Value::Object(told)
}

fn standing(told: &mut Map<String, Value>, found: &ReplicaStanding) {
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

fn operation(number: u64, outcome: &OperationOutcome, known: &ScheduleTerms) -> Value {
    match outcome {
        OperationOutcome::Raft { version, response } => {
            json!({ "op": number, "result": bodies::response(response, *version, known) })
        }
        OperationOutcome::Controller(Ok(response))
        | OperationOutcome::FeatureUpdate(Ok(response)) => {
            json!({ "op": number, "result": results::result(response, &known.rules) })
        }
        OperationOutcome::Controller(Err(error)) | OperationOutcome::FeatureUpdate(Err(error)) => {
            match results::refusal(error) {
                Some(result) => json!({ "op": number, "result": result }),
                None => json!({ "op": number, "error": results::error(error) }),
            }
        }
    }
}
