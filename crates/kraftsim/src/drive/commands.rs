use raft::message::{ApiKey, Errors};
use records::NodeId;
use records::metadata::{ConfigRecord, FeatureLevelRecord, NoOpRecord, VersionedRecord};
use releases::Rules;
use serde_json::Value;
use simulator::drive::{Command, DropRule, Kind, Remainder, RunPlan, Until};

use super::operations;

/// What a line says.
pub(super) fn parse(command: &Value, rules: &Rules) -> Result<Command, String> {
    let number = |key: &str| command[key].as_i64();
    let node = || {
        number("node")
            .and_then(|id| i32::try_from(id).ok())
            .map_or(NodeId(-1), NodeId)
    };
    let epoch = || {
        number("epoch")
            .map(|epoch| epoch as i32)
            .ok_or("no epoch is given")
    };
    let id = || command["id"].as_u64().unwrap_or(0);
    let version = number("version").map(|version| version as i16);
    Ok(match command["cmd"].as_str().unwrap_or_default() {
        "advance" => Command::Advance {
            ms: number("ms").ok_or("no ms are given")?,
        },
        "poll" => Command::Poll(node()),
        "deliver" => Command::Deliver { id: id(), version },
        "drop" => Command::Drop(id()),
        "fail" => Command::Fail {
            id: id(),
            error: match command["error"].as_str() {
                None => Errors::BROKER_NOT_AVAILABLE,
                Some(name) => error_named(name)?,
            },
        },
        "run" => Command::Run(run_plan(command)?),
        "state" => Command::State(number("node").map(|_| node())),
        "log" => Command::Log(node()),
        "controller" => Command::Controller {
            node: node(),
            operation: operations::of_controller(command, rules),
        },
        "request" => Command::Request {
            node: node(),
            version,
            request: operations::of_client(command)?,
        },
        "append" => Command::Append {
            node: node(),
            epoch: epoch()?,
            records: given_records(command)?,
        },
        "snapshot" => Command::Snapshot {
            node: node(),
            offset: number("offset"),
            epoch: epoch()?,
            records: given_records(command)?,
        },
        "resign" => Command::Resign {
            node: node(),
            epoch: epoch()?,
        },
        "shutdown" => Command::Shutdown {
            node: node(),
            timeout_ms: number("timeout").unwrap_or(5000),
        },
        "hold" => Command::Hold(node()),
        "release" => Command::Release(node()),
        "draws" => Command::Draws {
            node: node(),
            values: integers(&command["values"]),
        },
        "crash" => Command::Crash {
            node: node(),
            keep_below: number("keep_below"),
        },
        "restart" => Command::Restart {
            node: node(),
            keep_below: number("keep_below"),
            remainder: match command["wipe"].as_bool() {
                Some(true) => Remainder::Wiped,
                _ => Remainder::Kept,
            },
        },
        other => return Err(format!("unknown command {other}")),
    })
}

/// An array of integers; what is none is left out.
pub(super) fn integers(value: &Value) -> Vec<i32> {
    let values = value.as_array().into_iter().flatten();
    values
        .filter_map(Value::as_i64)
        .map(|number| number as i32)
        .collect()
}

fn error_named(name: &str) -> Result<Errors, String> {
    let known = [
        ("BROKER_NOT_AVAILABLE", Errors::BROKER_NOT_AVAILABLE),
        ("REQUEST_TIMED_OUT", Errors::REQUEST_TIMED_OUT),
        ("UNSUPPORTED_VERSION", Errors::UNSUPPORTED_VERSION),
        ("NETWORK_EXCEPTION", Errors(13)),
        ("UNKNOWN_SERVER_ERROR", Errors::UNKNOWN_SERVER_ERROR),
    ];
    let found = known.iter().find(|(known, _)| *known == name);
    found
        .map(|(_, error)| *error)
        .ok_or_else(|| format!("no error {name} is known here"))
}

fn node_in(value: &Value) -> Option<NodeId> {
    value.as_i64().map(|id| NodeId(id as i32))
}

fn run_plan(command: &Value) -> Result<RunPlan, String> {
    let rules = command["drop"].as_array().into_iter().flatten();
    let until = &command["until"];
    Ok(RunPlan {
        ms: command["ms"].as_i64().unwrap_or(0),
        step_ms: command["step"].as_i64().unwrap_or(10).max(1),
        drop: rules.map(drop_rule).collect::<Result<_, _>>()?,
        until: until.is_object().then(|| Until {
            node: node_in(&until["node"]),
            role: until["role"].as_str().map(str::to_owned),
            min_epoch: until["min_epoch"].as_i64().map(|epoch| epoch as i32),
            high_watermark: until["high_watermark"].as_i64(),
            active: until["active"].as_bool(),
        }),
    })
}

fn drop_rule(rule: &Value) -> Result<DropRule, String> {
    let api = match rule["api"].as_str() {
        None => None,
        Some(name) => Some(api_named(name)?),
    };
    Ok(DropRule {
        from: node_in(&rule["from"]),
        to: node_in(&rule["to"]),
        node: node_in(&rule["node"]),
        api,
        kind: match rule["kind"].as_str() {
            None => None,
            Some("request") => Some(Kind::Request),
            Some("response") => Some(Kind::Response),
            Some(other) => return Err(format!("a message is no {other}")),
        },
        data: rule["data"].as_bool(),
    })
}

fn api_named(name: &str) -> Result<ApiKey, String> {
    let found = ApiKey::ALL.into_iter().find(|api| api.name() == name);
    found.ok_or_else(|| format!("replicas have no API {name}"))
}

fn given_records(command: &Value) -> Result<Vec<VersionedRecord>, String> {
    let given = command["records"].as_array().into_iter().flatten();
    let mut records = given.map(given_record).collect::<Result<Vec<_>, _>>()?;
    let noops = command["noops"].as_u64().unwrap_or(0).min(1 << 20);
    records.extend((0..noops).map(|_| VersionedRecord::new(0, NoOpRecord::default())));
    Ok(records)
}

fn given_record(given: &Value) -> Result<VersionedRecord, String> {
    let version = given["version"].as_i64().unwrap_or(0) as i16;
    let data = &given["data"];
    let text = |key: &str| data[key].as_str().unwrap_or_default().to_owned();
    Ok(match given["type"].as_str().unwrap_or_default() {
        "NO_OP_RECORD" => VersionedRecord::new(version, NoOpRecord::default()),
        "FEATURE_LEVEL_RECORD" => {
            let record = FeatureLevelRecord {
                name: text("name"),
                feature_level: data["featureLevel"].as_i64().unwrap_or(0) as i16,
                ..Default::default()
            };
            VersionedRecord::new(version, record)
        }
        "CONFIG_RECORD" => {
            let record = ConfigRecord {
                resource_type: data["resourceType"].as_i64().unwrap_or(0) as i8,
                resource_name: text("resourceName"),
                name: text("name"),
                value: data["value"].as_str().map(str::to_owned),
                ..Default::default()
            };
            VersionedRecord::new(version, record)
        }
        other => return Err(format!("not available yet: a {other} from JSON")),
    })
}
