//! Requests and responses as Kafka's own JSON converters write them, from the descriptions that give their bytes.

use raft::message::{Errors, FetchResponse, Request, Response};
use raft::wire::{self, Message};
use raft_log::batch::Batch;
use releases::Rules;
use releases::raft::PreVote;
use serde_json::{Map, Value, json};

use super::known::ScheduleTerms;
use crate::json::{ByteStrings, Fields, Secrets};

pub(super) const TOPIC: &str = "__cluster_metadata";
pub(super) const TOPIC_ID: &str = "AAAAAAAAAAAAAAAAAAAAAQ";

fn shown(message: &Message, version: i16) -> Value {
    let mut fields = Fields::new(Secrets::Shown).with_bytes(ByteStrings::Counted);
    wire::show(message, version, &mut fields);
    fields.finish()
}

/// The body of a request.
pub(super) fn request(request: &Request, version: i16, rules: &Rules) -> Value {
    let mut body = shown(&Message::Request(request.clone()), version);
    match (request, rules.raft.pre_vote) {
        (Request::Vote(_), PreVote::Absent) => {
            if let Some(partition) = body.pointer_mut("/topics/0/partitions/0") {
                call_candidate(partition);
            }
        }
        (Request::ApiVersions, _) => {
            body["clientSoftwareVersion"] = rules.release.to_string().into();
        }
        _ => {}
    }
    body
}

/// The fields of the candidate are called after the replica from 4.0 on only.
fn call_candidate(partition: &mut Value) {
    let Some(fields) = partition.as_object_mut() else {
        return;
    };
    let renamed: Map<String, Value> = std::mem::take(fields)
        .into_iter()
        .map(|(name, value)| match name.strip_prefix("replica") {
            Some(rest) => (format!("candidate{rest}"), value),
            None => (name, value),
        })
        .collect();
    *fields = renamed;
}

/// The body of a response, without Kafka's words for errors.
pub(super) fn response(response: &Response, version: i16, known: &ScheduleTerms) -> Value {
    let mut body = shown(&Message::Response(response.clone()), version);
    leave_out(&mut body, "errorMessage");
    if let Some(partition) = body.pointer_mut("/topics/0/partitions/0") {
        leave_out(partition, "errorMessage");
    }
    match response {
        Response::FetchSnapshot(fetch) => {
            let partition = fetch.partition.as_ref();
            if partition.is_some_and(|partition| partition.error_code != Errors::NONE) {
                // Kafka leaves the checkpoint at its default.
                body["topics"][0]["partitions"][0]["snapshotId"] =
                    json!({ "endOffset": 0, "epoch": 0 });
            }
        }
        Response::ApiVersions(versions) => {
            // The server around the replica names all its features, not only that of raft.
            leave_out(&mut body, "supportedFeatures");
            if versions.kraft_version.is_some() {
                let features = known.supported_features().into_iter();
                let features: Vec<Value> = features
                    .map(|(name, range)| {
                        json!({ "name": name, "minVersion": range.min, "maxVersion": range.max })
                    })
                    .collect();
                body["supportedFeatures"] = features.into();
            }
        }
        _ => {}
    }
    body
}

fn leave_out(body: &mut Value, name: &str) {
    if let Some(fields) = body.as_object_mut() {
        fields.shift_remove(name);
    }
}

/// The batches of an answer to FETCH, as the driver names them.
pub(super) fn batches(response: &Response) -> Vec<Value> {
    let Response::Fetch(FetchResponse {
        partition: Some(partition),
        ..
    }) = response
    else {
        return Vec::new();
    };
    let name = |batch: &Batch| {
        let control = if batch.is_control() { " control" } else { "" };
        let (base, last) = (batch.base_offset(), batch.last_offset());
        format!("{base}-{last}@{}{control}", batch.leader_epoch()).into()
    };
    partition.records.iter().map(name).collect()
}
