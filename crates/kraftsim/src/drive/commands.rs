use raft::message::ApiKey;
use records::NodeId;
use serde_json::Value;
use simulator::drive::{Command, DropRule, Kind, LogBytes, Remainder, RunPlan, Until};

use super::exceptions::Exception;
use super::known::Known;
use super::{client_requests, error_names, given_records, operations};

/// What a line says. Numbers may be given as text, and what is no number is 0, as in Kafka's driver.
pub(super) fn parse(command: &Value, known: &Known) -> Result<Command, Exception> {
    let rules = &known.rules;
    let node = || node_of(command);
    let needed = |key: &str| number(command, key).ok_or(Exception::NullPointer);
    let epoch = || needed("epoch").map(|epoch| epoch as i32);
    let id = || needed("id").map(i64::cast_unsigned);
    let keep_below = || number(command, "keep_below");
    Ok(match command["cmd"].as_str().unwrap_or_default() {
        "advance" => Command::Advance { ms: needed("ms")? },
        "poll" => Command::Poll(node()),
        "deliver" => Command::Deliver {
            id: id()?,
            version: number(command, "version").map(|version| version as i16),
        },
        "drop" => Command::Drop(id()?),
        "fail" => Command::Fail {
            id: id()?,
            error: {
                let name = command["error"].as_str().unwrap_or("BROKER_NOT_AVAILABLE");
                error_names::named(name, rules.features.line)
            },
        },
        "run" => Command::Run(run_plan(command)),
        "state" => Command::State(command.get("node").map(|_| node())),
        "log" => Command::Log {
            node: node(),
            bytes: match command["hex"].as_bool() {
                Some(true) => LogBytes::Shown,
                _ => LogBytes::LeftOut,
            },
        },
        "controller" => Command::Controller {
            node: node(),
            operation: operations::of_controller(command, known),
        },
        "request" => Command::Request {
            node: node(),
            version: number(command, "version").map(|version| version as i16),
            request: client_requests::parse(command, rules)?,
        },
        "append" => Command::Append {
            node: node(),
            epoch: epoch()?,
            records: given_records::of_command(command, rules)?,
        },
        "snapshot" => Command::Snapshot {
            node: node(),
            offset: number(command, "offset"),
            epoch: epoch()?,
            records: given_records::of_command(command, rules)?,
        },
        "resign" => Command::Resign {
            node: node(),
            epoch: epoch()?,
        },
        "shutdown" => Command::Shutdown {
            node: node(),
            timeout_ms: number(command, "timeout").unwrap_or(5000),
        },
        "hold" => Command::Hold(node()),
        "release" => Command::Release(node()),
        "draws" => Command::Draws {
            node: node(),
            values: integers(command.get("values").ok_or(Exception::NullPointer)?),
        },
        "crash" => Command::Crash {
            node: node(),
            keep_below: keep_below(),
        },
        "restart" => Command::Restart {
            node: node(),
            keep_below: keep_below(),
            remainder: match command["wipe"].as_bool() {
                Some(true) => Remainder::Wiped,
                _ => Remainder::Kept,
            },
        },
        _ => return Err(Exception::illegal_argument("unknown command")),
    })
}

/// The node that must run for a command to be looked at any further.
pub(super) fn must_run(command: &Value) -> Option<NodeId> {
    let needs = [
        "poll",
        "append",
        "request",
        "shutdown",
        "snapshot",
        "resign",
        "controller",
        "hold",
        "release",
    ];
    let name = command["cmd"].as_str()?;
    needs.contains(&name).then(|| node_of(command))
}

fn node_of(command: &Value) -> NodeId {
    let id = command.get("node").map(integer);
    NodeId(id.map_or(-1, |id| id as i32))
}

/// The number under a key, if there is anything.
fn number(command: &Value, key: &str) -> Option<i64> {
    command.get(key).map(integer)
}

fn integer(value: &Value) -> i64 {
    match value {
        Value::Number(number) => number
            .as_i64()
            .unwrap_or_else(|| number.as_f64().map_or(0, |number| number as i64)),
        Value::String(text) => text.parse().unwrap_or(0),
        Value::Bool(true) => 1,
        _ => 0,
    }
}

/// An array of integers; anything else holds none.
pub(super) fn integers(value: &Value) -> Vec<i32> {
    let values = value.as_array().into_iter().flatten();
    values.map(|value| integer(value) as i32).collect()
}

fn run_plan(command: &Value) -> RunPlan {
    let rules = command["drop"].as_array().into_iter().flatten();
    let until = &command["until"];
    RunPlan {
        ms: number(command, "ms").unwrap_or(0),
        step_ms: number(command, "step").unwrap_or(10),
        drop: rules.filter_map(drop_rule).collect(),
        until: until.is_object().then(|| Until {
            node: number(until, "node").map(|id| NodeId(id as i32)),
            role: until["role"].as_str().map(str::to_owned),
            min_epoch: number(until, "min_epoch").map(|epoch| epoch as i32),
            high_watermark: number(until, "high_watermark"),
            active: until["active"].as_bool(),
        }),
    }
}

/// A rule; nothing where it names what does not exist, and so never holds.
fn drop_rule(rule: &Value) -> Option<DropRule> {
    let node = |key: &str| number(rule, key).map(|id| NodeId(id as i32));
    let api = match rule["api"].as_str() {
        None => None,
        Some(name) => Some(ApiKey::ALL.into_iter().find(|api| api.name() == name)?),
    };
    let kind = match rule["kind"].as_str() {
        None => None,
        Some("request") => Some(Kind::Request),
        Some("response") => Some(Kind::Response),
        Some(_) => return None,
    };
    Some(DropRule {
        from: node("from"),
        to: node("to"),
        node: node("node"),
        api,
        kind,
        data: rule["data"].as_bool(),
    })
}
