//! Runs a recorded schedule over replicas and compares every answer with what Kafka's own classes answered.
//!
//! A recording is a file of lines `{"c": command, "a": answer}`, as `oracle/kafka-oracle drive` takes and gives them
//! (`oracle/README.md`, "Schedules"), with `"controller": false`: the listeners only record.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod bodies;
mod cluster;

use cluster::Cluster;
use serde_json::Value;

/// Replays a recording. The number of commands that agree, or the first difference.
pub fn replay(recording: &str) -> Result<usize, String> {
    let mut cluster: Option<Cluster> = None;
    for (index, line) in recording.lines().enumerate() {
        let line: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let (command, expected) = (&line["c"], &line["a"]);
        let at = |what: String| format!("line {}: {command}\n{what}", index + 1);
        if command["cmd"] == "init" {
            let release = expected["kafka"].as_str().unwrap_or_default();
            cluster = Some(Cluster::new(command, release).map_err(at)?);
        }
        let cluster = cluster.as_mut().ok_or_else(|| at("no init".to_owned()))?;
        let answer = if command["cmd"] == "init" {
            cluster.answer_to_init()
        } else {
            cluster.run(command)
        };
        if let Some(difference) = difference("", expected, &answer) {
            return Err(at(difference));
        }
    }
    Ok(recording.lines().count())
}

/// What is not compared: Kafka's words for an error, the controllers, which are not here, and what only the driver knows.
const UNCOMPARED: [&str; 7] = [
    "errorMessage",
    "controller",
    "directory_ids",
    "kafka",
    "cmd",
    "types",
    "records",
];

fn difference(path: &str, expected: &Value, found: &Value) -> Option<String> {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            if expected.get("api").is_some_and(|api| api == "API_VERSIONS") {
                // The server around the client answers it; only that it is sent counts.
                return None;
            }
            if let Some(call) = expected.get("call").filter(|_| path.contains(".calls[")) {
                return difference_of_calls(path, call, expected, found);
            }
            let keys = expected
                .keys()
                .chain(found.keys().filter(|key| !expected.contains_key(*key)));
            keys.filter(|key| !UNCOMPARED.contains(&key.as_str()))
                .find_map(|key| {
                    let (of, to) = (expected.get(key), found.get(key));
                    difference(
                        &format!("{path}.{key}"),
                        of.unwrap_or(&Value::Null),
                        to.unwrap_or(&Value::Null),
                    )
                })
        }
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            let is_set = path.ends_with("grantingVoters") || path.ends_with("observers");
            let sorted = |values: &Vec<Value>| {
                let mut values = values.clone();
                if is_set {
                    values.sort_by_key(ToString::to_string);
                }
                values
            };
            let pairs = sorted(expected).into_iter().zip(sorted(found)).enumerate();
            pairs
                .into_iter()
                .find_map(|(i, (of, to))| difference(&format!("{path}[{i}]"), &of, &to))
        }
        _ if expected == found => None,
        _ => Some(format!("{path}:\n  kafka {expected}\n  ours  {found}")),
    }
}

/// Of a callback, what was read is compared for commits only.
fn difference_of_calls(
    path: &str,
    call: &Value,
    expected: &serde_json::Map<String, Value>,
    found: &serde_json::Map<String, Value>,
) -> Option<String> {
    let compared: &[&str] = match call.as_str() {
        Some("handleCommit") => &["call", "base", "last", "batches"],
        Some("fault") => &["call", "fatal"],
        _ => &["call", "snapshot", "leader", "epoch"],
    };
    compared.iter().find_map(|key| {
        let (of, to) = (expected.get(*key), found.get(*key));
        difference(
            &format!("{path}.{key}"),
            of.unwrap_or(&Value::Null),
            to.unwrap_or(&Value::Null),
        )
    })
}
