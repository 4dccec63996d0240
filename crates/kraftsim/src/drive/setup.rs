use std::collections::BTreeMap;

use records::NodeId;
use releases::Rules;
use serde_json::{Map, Value};
use simulator::drive::{ListenerKind, QuorumKind, Setup, StartKind, Trace};

use super::exceptions::Exception;
use super::fields::{Fields, expected};
use super::limits;

/// What `init` says.
pub(super) fn parse(command: &Value, rules: &Rules) -> Result<Setup, Exception> {
    let fields = Fields::of_command(command)?;
    let nodes = Fields::needed(ids(&fields, "nodes"))?;
    if nodes.is_empty() {
        return Err(Exception::NullPointer);
    }
    let observers = ids(&fields, "observers")?.unwrap_or_default();
    let count = nodes.len() + observers.len();
    if count > limits::NODES {
        let most = limits::NODES;
        return Err(Exception::malformed(format!(
            "{count} nodes and observers: `drive` takes at most {most}"
        )));
    }
    let mut defaults = Setup::new(rules.clone(), nodes);
    defaults.nodes.sort_unstable();
    let quorums = [
        ("static", QuorumKind::Static),
        ("dynamic", QuorumKind::Dynamic),
    ];
    let mut properties = match fields.entries("props")? {
        Some(entries) => self::properties("props", entries)?,
        None => BTreeMap::new(),
    };
    let setup = Setup {
        observers,
        quorum: fields
            .word("quorum", &quorums)?
            .unwrap_or(QuorumKind::Static),
        seed: fields.integer("seed")?.unwrap_or(defaults.seed),
        node_properties: by_node(&fields, "node_props", |value| match value.as_object() {
            Some(entries) => self::properties("node_props", entries),
            None => Err(expected("`node_props` of a node", "an object", value)),
        })?,
        draws: by_node(&fields, "draws", |value| {
            let values = value.as_array().map(|values| values.iter());
            let draws = values.and_then(|values| {
                values
                    .map(|draw| i32::try_from(draw.as_i64()?).ok())
                    .collect()
            });
            draws.ok_or_else(|| expected("`draws` of a node", "a list of integers", value))
        })?,
        release_version: fields.text("release_version")?.map(str::to_owned),
        features: features(&fields)?,
        cluster_id: fields
            .text("cluster_id")?
            .map_or(defaults.cluster_id, str::to_owned),
        clock_ms: fields.integer("clock")?.unwrap_or(defaults.clock_ms),
        start: match fields.flag("start")? {
            Some(false) => StartKind::WhenTold,
            _ => StartKind::AtOnce,
        },
        listener: match fields.flag("controller")? {
            Some(false) => ListenerKind::Recorder,
            _ => ListenerKind::Controller,
        },
        trace: match fields.flag("trace")? {
            Some(true) => Trace::Changes,
            _ => Trace::Off,
        },
        properties: {
            if fields.flag("unstable")? == Some(true) {
                let key = "unstable.feature.versions.enable".to_owned();
                properties.insert(key, "true".to_owned());
            }
            properties
        },
        rules: defaults.rules,
        nodes: defaults.nodes,
    };
    fields.all_are_known()?;
    Ok(setup)
}

fn ids(fields: &Fields<'_>, name: &'static str) -> Result<Option<Vec<NodeId>>, Exception> {
    let range = 0..=limits::HIGHEST_ID;
    let type_name = format!("ids of nodes from 0 to {}", limits::HIGHEST_ID);
    fields.list(name, &type_name, |value| {
        let id = i32::try_from(value.as_i64()?).ok()?;
        range.contains(&id).then_some(NodeId(id))
    })
}

/// `--feature` of the formatter.
fn features(fields: &Fields<'_>) -> Result<Vec<String>, Exception> {
    let entries = fields.entries("features")?.into_iter().flatten();
    entries
        .map(|(name, level)| match level.as_i64() {
            Some(level) => Ok(format!("{name}={level}")),
            None => Err(Exception::malformed(format!(
                "feature `{name}` of the command: expected an integer, found {level}"
            ))),
        })
        .collect()
}

/// Properties, whose values may be text, numbers or truth values.
fn properties(
    place: &str,
    entries: &Map<String, Value>,
) -> Result<BTreeMap<String, String>, Exception> {
    let text = |key: &String, value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Bool(_) => Ok(value.to_string()),
        _ => Err(Exception::malformed(format!(
            "property `{key}` of `{place}`: expected a string, found {value}"
        ))),
    };
    entries
        .iter()
        .map(|(key, value)| Ok((key.clone(), text(key, value)?)))
        .collect()
}

fn by_node<T>(
    fields: &Fields<'_>,
    name: &'static str,
    read: impl Fn(&Value) -> Result<T, Exception>,
) -> Result<BTreeMap<NodeId, T>, Exception> {
    let entries = fields.entries(name)?.into_iter().flatten();
    entries
        .map(|(node, value)| match node.parse() {
            Ok(id) => Ok((NodeId(id), read(value)?)),
            Err(_) => Err(Exception::number_format(node)),
        })
        .collect()
}
