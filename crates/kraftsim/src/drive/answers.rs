use raft_log::batch::Batch;
use serde_json::{Map, Value, json};
use simulator::drive::{
    AnswerDetail, Brief, CommandAnswer, FlightPayload, LogBytes, MessageSide, Sent,
};

use super::known::ScheduleTerms;
use super::{bodies, calls, states};

/// Puts an answer into its line.
pub(super) fn fill(line: &mut Map<String, Value>, answer: &CommandAnswer, known: &ScheduleTerms) {
    match &answer.outcome {
        Ok(detail) => fill_detail(line, detail, known),
        Err(refusal) => {
            line.insert("ok".into(), false.into());
            if line.get("cmd").is_some_and(|name| name == "state") {
                line.insert("nodes".into(), json!([]));
            }
            let error = format!("{}: {refusal}", refusal.exception());
            line.insert("error".into(), error.into());
        }
    }
    if let Some(changed) = &answer.changed {
        let changed: Vec<Value> = changed
            .iter()
            .map(|state| states::state(state, known))
            .collect();
        line.insert("changed".into(), changed.into());
    }
    line.insert("now".into(), answer.now_ms.into());
    let sent: Vec<Value> = answer
        .sent
        .iter()
        .map(|sent| message(sent, known))
        .collect();
    line.insert("sent".into(), sent.into());
}

fn fill_detail(line: &mut Map<String, Value>, detail: &AnswerDetail, known: &ScheduleTerms) {
    let mut put = |key: &str, value: Value| drop(line.insert(key.to_owned(), value));
    match detail {
        AnswerDetail::Done => {}
        AnswerDetail::SetUp { directory_ids } => {
            let ids: Map<String, Value> = directory_ids
                .iter()
                .map(|(node, id)| (node.to_string(), id.to_string().into()))
                .collect();
            put("directory_ids", ids.into());
            put("kafka", known.rules.release.to_string().into());
        }
        AnswerDetail::Polled {
            handled,
            next_poll_within,
        } => {
            put("handled", json!(handled));
            put("next_poll_within", (*next_poll_within).into());
        }
        AnswerDetail::Lost => put("lost", true.into()),
        AnswerDetail::Ran { did, reached } => {
            put("did", json!(did));
            if let Some(reached) = reached {
                put("reached", (*reached).into());
            }
        }
        AnswerDetail::State { nodes, in_flight } => {
            let nodes: Vec<Value> = nodes
                .iter()
                .map(|node| states::state(node, known))
                .collect();
            put("nodes", nodes.into());
            let briefs = in_flight.iter().map(|of| Value::Object(brief(of)));
            put("in_flight", briefs.collect());
        }
        AnswerDetail::Log { batches, bytes } => {
            put(
                "batches",
                batches.iter().map(|of| batch(of, *bytes)).collect(),
            );
        }
        AnswerDetail::Operation(number) => put("op", (*number).into()),
        AnswerDetail::Appended { last_offset } => put("last_offset", (*last_offset).into()),
        AnswerDetail::Snapshot { created } => put("created", (*created).into()),
    }
}

fn brief(brief: &Brief) -> Map<String, Value> {
    let mut told = Map::new();
    told.insert("id".into(), brief.id.into());
    let kind = match brief.kind {
        MessageSide::Request => "request",
        MessageSide::Response => "response",
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

fn message(sent: &Sent, known: &ScheduleTerms) -> Value {
    let mut told = brief(&sent.brief);
    told.insert("version".into(), sent.version.into());
    told.insert("correlation".into(), sent.correlation.into());
    let (body, batches) = match &sent.payload {
        FlightPayload::Request(request) => (
            bodies::request(request, sent.version, &known.rules),
            Vec::new(),
        ),
        FlightPayload::Response(response) => (
            bodies::response(response, sent.version, known),
            bodies::batches(response),
        ),
    };
    told.insert("body".into(), body);
    if !batches.is_empty() {
        told.insert("batches".into(), batches.into());
    }
    Value::Object(told)
}

/// A batch of a log.
fn batch(batch: &Batch, bytes: LogBytes) -> Value {
    let mut told = json!({
        "base": batch.base_offset(),
        "last": batch.last_offset(),
        "epoch": batch.leader_epoch(),
        "control": batch.is_control(),
        "max_timestamp": batch.max_timestamp(),
        "size": batch.size(),
        "crc": batch.stored_checksum(),
        "records": calls::records_of(batch),
    });
    if bytes == LogBytes::Shown {
        let mut hex = String::with_capacity(2 * batch.size());
        for byte in batch.bytes() {
            let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('?');
            hex.extend([digit(byte >> 4), digit(byte & 15)]);
        }
        told["hex"] = hex.into();
    }
    told
}
