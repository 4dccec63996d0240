//! Cells of `tests/golden`: what was done to directories, and what servers and tools made of them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Batch;

/// `spec.json`: what was done.
#[derive(Clone, Debug, Deserialize)]
pub struct Spec {
    /// How many controllers there are.
    #[serde(default = "one")]
    pub nodes: usize,
    /// Before any server runs.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// In which servers run.
    #[serde(default)]
    pub phases: Vec<SpecPhase>,
}

fn one() -> usize {
    1
}

/// Something that is done to directories.
#[derive(Clone, Debug, Deserialize)]
pub struct Step {
    /// Formatted by the release's own tool.
    pub format: Option<Format>,
    /// The nodes it is done to; all where it names none.
    pub nodes: Option<Vec<i32>>,
    pub note: Option<String>,
    /// What is not a format: copies, edits.
    #[serde(flatten)]
    pub edits: Map<String, Value>,
}

/// How a directory is formatted.
#[derive(Clone, Debug, Deserialize)]
pub struct Format {
    /// Another one than the cell's.
    pub cluster_id: Option<String>,
}

/// What is run.
#[derive(Clone, Debug, Deserialize)]
pub struct SpecPhase {
    /// On which release.
    pub version: Releases,
    /// Steps before it.
    #[serde(default)]
    pub before: Vec<Step>,
}

/// A release for all nodes, or for each.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Releases {
    /// All run it.
    All(String),
    Each(BTreeMap<String, String>),
}

impl Releases {
    /// What a node runs.
    pub fn of(&self, node: &str) -> Option<&str> {
        match self {
            Releases::All(version) => Some(version),
            Releases::Each(versions) => versions.get(node).map(String::as_str),
        }
    }
}

/// `result.json`: what came of it.
#[derive(Clone, Debug, Deserialize)]
pub struct Outcome {
    pub cluster_id: String,
    /// Each format of each node.
    #[serde(default)]
    pub formats: Vec<Formatted>,
    /// What happened while servers ran.
    #[serde(default)]
    pub phases: Vec<Phase>,
    /// The log in the end, by node.
    #[serde(default)]
    pub log: BTreeMap<String, Vec<Segment>>,
    /// What placeholders stand for.
    pub volatile: Volatile,
}

/// One call of the storage tool.
#[derive(Clone, Debug, Deserialize)]
pub struct Formatted {
    pub node: i32,
    /// The tool's release.
    pub version: String,
    /// Into which folder.
    #[serde(default)]
    pub into: String,
    /// Behind `format -c … -t …`.
    pub args: Vec<String>,
    /// Zero where it succeeded.
    pub exit_code: i32,
    /// What it printed.
    #[serde(default)]
    pub stdout: Vec<String>,
    /// What it complained of.
    #[serde(default)]
    pub stderr: Vec<String>,
}

/// Servers that ran at the same time.
#[derive(Clone, Debug, Deserialize)]
pub struct Phase {
    /// `active`, `exit`, `timeout`, `elapsed`.
    pub outcome: String,
    /// Who became active.
    pub leader: Option<i32>,
    /// What became of each.
    pub nodes: BTreeMap<String, Server>,
}

/// One server of a phase.
#[derive(Clone, Debug, Deserialize)]
pub struct Server {
    /// What it ran, where nodes run different releases.
    pub version: Option<String>,
    /// Whether it ended by itself.
    pub exited: bool,
    pub fatal: Option<Fatal>,
    /// Where its bootstrap records came from, in the words of its log.
    pub bootstrap_source: Option<String>,
    /// The log's lines about its activations.
    #[serde(default)]
    pub activation: Vec<String>,
}

/// The first error of a server that ended.
#[derive(Clone, Debug, Deserialize)]
pub struct Fatal {
    pub message: String,
    /// The exceptions below it, outermost first.
    #[serde(default)]
    pub exceptions: Vec<String>,
}

/// A segment of a log.
#[derive(Clone, Debug, Deserialize)]
pub struct Segment {
    pub batches: Vec<Batch>,
}

/// What placeholders stood for in the run that was recorded.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Volatile {
    /// Of controllers, by node.
    #[serde(default)]
    pub ports: BTreeMap<String, u16>,
    /// Of brokers, by node.
    #[serde(default)]
    pub broker_ports: BTreeMap<String, u16>,
    /// Directory ids, by placeholder.
    #[serde(default)]
    pub directories: BTreeMap<String, String>,
}
