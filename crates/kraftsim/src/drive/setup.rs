use std::collections::BTreeMap;

use records::NodeId;
use releases::Rules;
use serde_json::Value;
use simulator::drive::{ListenerKind, QuorumKind, Setup, StartKind, Trace};

use super::commands::integers;
use super::exceptions::Exception;

/// What `init` says.
pub(super) fn parse(command: &Value, rules: &Rules) -> Result<Setup, Exception> {
    let nodes: Vec<NodeId> = integers(&command["nodes"])
        .into_iter()
        .map(NodeId)
        .collect();
    if nodes.is_empty() {
        return Err(Exception::NullPointer);
    }
    let mut defaults = Setup::new(rules.clone(), nodes);
    defaults.nodes.sort_unstable();
    let node_properties = by_node(&command["node_props"], properties)?;
    let draws = by_node(&command["draws"], integers)?;
    let features = command["features"].as_object();
    let mut properties = properties(&command["props"]);
    if command["unstable"] == true {
        let key = "unstable.feature.versions.enable".to_owned();
        properties.insert(key, "true".to_owned());
    }
    Ok(Setup {
        observers: integers(&command["observers"])
            .into_iter()
            .map(NodeId)
            .collect(),
        quorum: match command["quorum"].as_str() {
            Some("dynamic") => QuorumKind::Dynamic,
            _ => QuorumKind::Static,
        },
        seed: command["seed"].as_i64().unwrap_or(defaults.seed),
        properties,
        node_properties,
        draws,
        release_version: command["release_version"].as_str().map(str::to_owned),
        features: features
            .into_iter()
            .flatten()
            .map(|(name, level)| format!("{name}={level}"))
            .collect(),
        cluster_id: command["cluster_id"]
            .as_str()
            .map_or(defaults.cluster_id, str::to_owned),
        clock_ms: command["clock"].as_i64().unwrap_or(defaults.clock_ms),
        start: match command["start"].as_bool() {
            Some(false) => StartKind::WhenTold,
            _ => StartKind::AtOnce,
        },
        listener: match command["controller"].as_bool() {
            Some(false) => ListenerKind::Recorder,
            _ => ListenerKind::Controller,
        },
        trace: match command["trace"].as_bool() {
            Some(true) => Trace::Changes,
            _ => Trace::Off,
        },
        rules: defaults.rules,
        nodes: defaults.nodes,
    })
}

/// Properties, whose values may be JSON of any kind.
fn properties(value: &Value) -> BTreeMap<String, String> {
    let entries = value.as_object().into_iter().flatten();
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    entries
        .map(|(key, value)| (key.clone(), text(value)))
        .collect()
}

fn by_node<T>(value: &Value, read: fn(&Value) -> T) -> Result<BTreeMap<NodeId, T>, Exception> {
    let entries = value.as_object().into_iter().flatten();
    entries
        .map(|(node, value)| match node.parse() {
            Ok(id) => Ok((NodeId(id), read(value))),
            Err(_) => Err(Exception::number_format(node)),
        })
        .collect()
}
