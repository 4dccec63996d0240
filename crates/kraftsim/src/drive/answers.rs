use raft_log::batch::Batch;
use releases::Rules;
use serde_json::{Map, Value, json};
use simulator::drive::{Answer, Brief, Detail, Kind, Payload, Sent};

use super::{calls, requests, responses, states};

/// Puts an answer into its line.
pub(super) fn fill(line: &mut Map<String, Value>, answer: &Answer, rules: &Rules) {
    match &answer.outcome {
        Ok(detail) => fill_detail(line, detail, rules),
        Err(refusal) => {
            line.insert("ok".into(), false.into());
            line.insert("error".into(), refusal.to_string().into());
        }
    }
    if let Some(changed) = &answer.changed {
        let changed: Vec<Value> = changed
            .iter()
            .map(|state| states::state(state, rules))
            .collect();
        line.insert("changed".into(), changed.into());
    }
    line.insert("now".into(), answer.now_ms.into());
    let sent: Vec<Value> = answer
        .sent
        .iter()
        .map(|sent| message(sent, rules))
        .collect();
    line.insert("sent".into(), sent.into());
}

fn fill_detail(line: &mut Map<String, Value>, detail: &Detail, rules: &Rules) {
    let mut put = |key: &str, value: Value| drop(line.insert(key.to_owned(), value));
    match detail {
        Detail::Done => {}
        Detail::SetUp { directory_ids } => {
            let ids: Map<String, Value> = directory_ids
                .iter()
                .map(|(node, id)| (node.to_string(), id.to_string().into()))
                .collect();
            put("directory_ids", ids.into());
            put("kafka", rules.release.to_string().into());
        }
        Detail::Polled {
            handled,
            next_poll_within,
        } => {
            put("handled", json!(handled));
            put("next_poll_within", (*next_poll_within).into());
        }
        Detail::Lost => put("lost", true.into()),
        Detail::Ran { did, reached } => {
            put("did", json!(did));
            if let Some(reached) = reached {
                put("reached", (*reached).into());
            }
        }
        Detail::State { nodes, in_flight } => {
            let nodes: Vec<Value> = nodes
                .iter()
                .map(|node| states::state(node, rules))
                .collect();
            put("nodes", nodes.into());
            let briefs = in_flight.iter().map(|of| Value::Object(brief(of)));
            put("in_flight", briefs.collect());
        }
        Detail::Log(batches) => put("batches", batches.iter().map(batch).collect()),
        Detail::Operation(number) => put("op", (*number).into()),
        Detail::Appended { last_offset } => put("last_offset", (*last_offset).into()),
        Detail::Snapshot { created } => put("created", (*created).into()),
    }
}

fn brief(brief: &Brief) -> Map<String, Value> {
    let mut told = Map::new();
    told.insert("id".into(), brief.id.into());
    let kind = match brief.kind {
        Kind::Request => "request",
        Kind::Response => "response",
    };
    told.insert("kind".into(), kind.into());
    told.insert("api".into(), brief.api.name().into());
    told.insert("from".into(), brief.from.0.into());
    told.insert("to".into(), brief.to.0.into());
    if let Some(request) = brief.in_reply_to {
        told.insert("in_reply_to".into(), request.into());
    }
    told
}

fn message(sent: &Sent, rules: &Rules) -> Value {
    let mut told = brief(&sent.brief);
    told.insert("version".into(), sent.version.into());
    told.insert("correlation".into(), sent.correlation.into());
    let (body, batches) = match &sent.payload {
        Payload::Request(request) => (requests::request(request, sent.version, rules), Vec::new()),
        Payload::Response(response) => (
            responses::response(response, sent.version, rules),
            responses::batches(response),
        ),
    };
    told.insert("body".into(), body);
    if !batches.is_empty() {
        told.insert("batches".into(), batches.into());
    }
    Value::Object(told)
}

/// A batch of a log.
fn batch(batch: &Batch) -> Value {
    json!({
        "base": batch.base_offset(),
        "last": batch.last_offset(),
        "epoch": batch.leader_epoch(),
        "control": batch.is_control(),
        "max_timestamp": batch.max_timestamp(),
        "size": batch.size(),
        "crc": batch.stored_checksum(),
        "records": calls::records_of(batch),
    })
}
