//! The lines of a scenario that make the world of a recording.

use std::fmt::Write as _;

use records::NodeId;
use serde_json::Value;

use super::recording::Recording;

/// How a cluster learns its voters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quorum {
    /// `controller.quorum.voters`
    Static,
    /// `controller.quorum.bootstrap.servers`
    Dynamic,
}

impl Quorum {
    /// By the recorder's word for how a cluster was made.
    pub fn of(word: &str) -> Self {
        if word == "static" {
            Quorum::Static
        } else {
            Quorum::Dynamic
        }
    }
}

/// The scenario's first lines.
pub fn header(recording: &Recording) -> String {
    let mut text = comment(recording);
    let _ = writeln!(
        text,
        "title \"{}\"\nshows lived-in cluster {}\n",
        recording.spec.title,
        recording.id()
    );
    let _ = writeln!(text, "controllers {}", ids(&recording.voters()));
    if !recording.extra().is_empty() {
        let _ = writeln!(text, "observers {}", ids(&recording.extra()));
    }
    let quorum = Quorum::of(&recording.spec.quorum);
    let word = match quorum {
        Quorum::Static => "static",
        Quorum::Dynamic => "dynamic",
    };
    let _ = writeln!(text, "quorum {word}\nrelease {}", recording.version());
    let _ = writeln!(text, "set metadata.max.idle.interval.ms 0");
    for settings in [&recording.spec.config, &recording.spec.controller_config] {
        for (key, value) in settings {
            let _ = writeln!(text, "set {key} {}", word_of(value));
        }
    }
    for (node, settings) in &recording.spec.node_config {
        for (key, value) in settings {
            let _ = writeln!(text, "set {node} {key} {}", word_of(value));
        }
    }
    for id in recording.controllers() {
        // Where proxies stood between controllers, a controller is at its proxy's address: the network does what they did.
        if let Some(port) = port_of(recording, id) {
            let _ = writeln!(text, "set {id} listeners CONTROLLER://127.0.0.1:{port}");
        }
    }
    for id in recording.voters() {
        for line in quorum_settings(recording, id, quorum) {
            let _ = writeln!(text, "{line}");
        }
    }
    for id in recording.extra() {
        for line in quorum_settings(recording, id, Quorum::Dynamic) {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

fn comment(recording: &Recording) -> String {
    let id = recording.id();
    format!(
        "# What was done to a cluster of real Kafka, done here again, action by action; who leads is steered to be who led there.\n\
         # `write` gives the records that brokers and administrators' tools caused; elections, voters, checkpoints, bootstrap records,\n\
         # registrations and features are what the simulated controllers make of it. Made from the recording, and compared with it.\n\
         # Source: tests/lived/{id}, recorded from published releases; `agree --lived` compares.\n"
    )
}

/// The port at which other controllers reach one.
fn port_of(recording: &Recording, id: NodeId) -> Option<u16> {
    let proxy = recording.port(&format!("<proxy-port-{id}>"));
    proxy.or_else(|| recording.port(&format!("<port-{id}>")))
}

/// The lines by which a node learns the voters in this way, and in no other.
pub fn quorum_settings(recording: &Recording, id: NodeId, quorum: Quorum) -> Vec<String> {
    let address = |id: &NodeId| format!("127.0.0.1:{}", port_of(recording, *id).unwrap_or(0));
    let voters = recording.voters();
    match quorum {
        Quorum::Static => {
            let each = voters.iter().map(|id| format!("{id}@{}", address(id)));
            let each = each.collect::<Vec<_>>().join(",");
            vec![format!("set {id} controller.quorum.voters {each}")]
        }
        Quorum::Dynamic => {
            let each = voters.iter().map(address).collect::<Vec<_>>().join(",");
            vec![format!(
                "set {id} controller.quorum.bootstrap.servers {each}"
            )]
        }
    }
}

/// Node numbers as a scenario lists them.
pub fn ids(nodes: &[NodeId]) -> String {
    let each = nodes.iter().map(ToString::to_string);
    each.collect::<Vec<_>>().join(" ")
}

/// A value as one word of a scenario.
pub fn word_of(value: &Value) -> String {
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    let plain = |c: char| c.is_ascii_alphanumeric() || "._:/@,-".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
    }
}
