use raft::message::ApiKey;
use records::NodeId;
use serde_json::Value;
use simulator::drive::{
    DriveCommand, DropCommand, LogBytes, MessageSide, Remainder, RunPlan, Until,
};

use super::exceptions::Exception;
use super::fields::{Fields, hint};
use super::known::ScheduleTerms;
use super::{client_requests, error_names, given_records, operations};

/// The commands, in the order of `drive --help`.
pub const NAMES: [&str; 20] = [
    "init",
    "advance",
    "poll",
    "deliver",
    "drop",
    "fail",
    "run",
    "state",
    "log",
    "controller",
    "request",
    "append",
    "snapshot",
    "resign",
    "shutdown",
    "hold",
    "release",
    "draws",
    "crash",
    "restart",
];

/// What a line says; `init` is the session's.
pub(super) fn parse(command: &Value, known: &ScheduleTerms) -> Result<DriveCommand, Exception> {
    let fields = Fields::of_command(command)?;
    let id = || Fields::needed(fields.number("id"));
    let parsed = match command["cmd"].as_str().unwrap_or_default() {
        "advance" => DriveCommand::Advance {
            ms: Fields::needed(fields.integer("ms"))?,
        },
        "deliver" => DriveCommand::Deliver {
            id: id()?,
            version: fields.number("version")?,
        },
        "drop" => DriveCommand::Drop(id()?),
        "fail" => DriveCommand::Fail {
            id: id()?,
            error: {
                let name = fields.text("error")?.unwrap_or("BROKER_NOT_AVAILABLE");
                error_names::named(name, known.rules.features.line)
            },
        },
        "run" => DriveCommand::Run(run_plan(&fields)?),
        "state" => DriveCommand::State(fields.number("node")?.map(NodeId)),
        name if NAMES.contains(&name) => of_node(name, command, &fields, known)?,
        other => {
            let hint = hint(other, NAMES);
            let text = format!("unknown command `{other}`{hint}");
            return Err(Exception::illegal_argument(text));
        }
    };
    fields.all_are_known()?;
    Ok(parsed)
}

/// What a line says that names a node.
fn of_node(
    name: &str,
    command: &Value,
    fields: &Fields<'_>,
    known: &ScheduleTerms,
) -> Result<DriveCommand, Exception> {
    let rules = &known.rules;
    let node = fields.node()?;
    let epoch = || Fields::needed(fields.number("epoch"));
    let keep_below = || fields.integer("keep_below");
    Ok(match name {
        "poll" => DriveCommand::Poll(node),
        "log" => DriveCommand::Log {
            node,
            bytes: match fields.flag("hex")? {
                Some(true) => LogBytes::Shown,
                _ => LogBytes::LeftOut,
            },
        },
        "controller" => DriveCommand::Controller {
            node,
            operation: operations::of_controller(fields, known)?,
        },
        "request" => DriveCommand::Request {
            node,
            version: fields.number("version")?,
            request: {
                let (_, _) = (fields.text("api")?, fields.get("body"));
                client_requests::parse(command, rules)?
            },
        },
        "append" => DriveCommand::Append {
            node,
            epoch: epoch()?,
            records: given_records::of_command(fields, rules)?,
        },
        "snapshot" => DriveCommand::Snapshot {
            node,
            offset: fields.integer("offset")?,
            epoch: epoch()?,
            records: given_records::of_command(fields, rules)?,
        },
        "resign" => DriveCommand::Resign {
            node,
            epoch: epoch()?,
        },
        "shutdown" => DriveCommand::Shutdown {
            node,
            timeout_ms: fields.integer("timeout")?.unwrap_or(5000),
        },
        "hold" => DriveCommand::Hold(node),
        "release" => DriveCommand::Release(node),
        "draws" => DriveCommand::Draws {
            node,
            values: Fields::needed(fields.integers("values"))?,
        },
        "crash" => DriveCommand::Crash {
            node,
            keep_below: keep_below()?,
        },
        _ => DriveCommand::Restart {
            node,
            keep_below: keep_below()?,
            remainder: match fields.flag("wipe")? {
                Some(true) => Remainder::Wiped,
                _ => Remainder::Kept,
            },
        },
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
    let id = command["node"]
        .as_i64()
        .and_then(|id| i32::try_from(id).ok());
    NodeId(id.unwrap_or(-1))
}

fn run_plan(fields: &Fields<'_>) -> Result<RunPlan, Exception> {
    let drop = fields.each_inside("drop")?;
    let until = fields.inside("until")?;
    Ok(RunPlan {
        ms: fields.integer("ms")?.unwrap_or(0),
        step_ms: fields.integer("step")?.unwrap_or(10),
        drop: drop.iter().map(drop_rule).collect::<Result<_, _>>()?,
        until: until.as_ref().map(condition).transpose()?,
    })
}

/// The roles of all releases.
const ROLES: [(&str, &str); 7] = [
    ("Unattached", "Unattached"),
    ("Voted", "Voted"),
    ("Prospective", "Prospective"),
    ("Candidate", "Candidate"),
    ("Leader", "Leader"),
    ("Follower", "Follower"),
    ("Resigned", "Resigned"),
];

fn condition(fields: &Fields<'_>) -> Result<Until, Exception> {
    let until = Until {
        node: fields.number("node")?.map(NodeId),
        role: fields.word("role", &ROLES)?.map(str::to_owned),
        min_epoch: fields.number("min_epoch")?,
        high_watermark: fields.integer("high_watermark")?,
        active: fields.flag("active")?,
    };
    fields.all_are_known()?;
    Ok(until)
}

fn drop_rule(fields: &Fields<'_>) -> Result<DropCommand, Exception> {
    let apis = ApiKey::ALL.map(|api| (api.name(), api));
    let kinds = [
        ("request", MessageSide::Request),
        ("response", MessageSide::Response),
    ];
    let rule = DropCommand {
        from: fields.number("from")?.map(NodeId),
        to: fields.number("to")?.map(NodeId),
        node: fields.number("node")?.map(NodeId),
        api: fields.word("api", &apis)?,
        kind: fields.word("kind", &kinds)?,
        data: fields.flag("data")?,
    };
    fields.all_are_known()?;
    Ok(rule)
}
