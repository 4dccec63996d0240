//! Lived-in clusters (`tests/lived`): what was asked for, done, and came of it.

use std::collections::BTreeMap;

use records::NodeId;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::Batch;
use super::golden::Fatal;

/// `spec.json`: the cluster.
#[derive(Clone, Debug, Deserialize)]
pub struct Spec {
    pub id: String,
    /// What it shows.
    #[serde(default)]
    pub title: String,
    /// The release that does what names none.
    #[serde(default = "latest")]
    pub version: String,
    /// How controllers know each other: `static` or a flag of the storage tool.
    #[serde(default)]
    pub quorum: String,
    /// How many controllers there are in the beginning.
    #[serde(default = "one")]
    pub controllers: i32,
    /// Controllers that are not among the first voters.
    #[serde(default)]
    pub extra_controllers: Vec<i32>,
    /// Properties of all nodes.
    #[serde(default)]
    pub config: Map<String, Value>,
    /// Properties of controllers.
    #[serde(default)]
    pub controller_config: Map<String, Value>,
    /// Properties of one node.
    #[serde(default)]
    pub node_config: BTreeMap<String, Map<String, Value>>,
}

fn latest() -> String {
    "4.4.0".to_owned()
}

fn one() -> i32 {
    1
}

/// `result.json`: what came of it.
#[derive(Clone, Debug, Deserialize)]
pub struct Outcome {
    /// What was done, in order.
    pub actions: Vec<Done>,
    /// Checkpoint files, in the order in which they were first seen.
    #[serde(default)]
    pub checkpoints_seen: Vec<SeenCheckpoint>,
    /// What they hold, by a label.
    #[serde(default)]
    pub checkpoints: BTreeMap<String, Decoded>,
    /// The files of every controller, by label of the moment and node.
    #[serde(default)]
    pub directories: BTreeMap<String, BTreeMap<String, Vec<SavedFile>>>,
    #[serde(default)]
    pub servers: Vec<Process>,
    /// What placeholders stand for.
    pub volatile: Volatile,
}

/// An action, and what came of it.
#[derive(Clone, Debug, Deserialize)]
pub struct Done {
    /// Its number, from 1.
    pub n: u64,
    /// What was done.
    pub action: Action,
    /// Whether the tool succeeded.
    pub ok: bool,
    /// What it printed.
    #[serde(default)]
    pub said: Vec<String>,
    /// Who led afterwards.
    pub leader: Option<i32>,
    /// The batches that the log gained.
    #[serde(default)]
    pub records: Vec<Batch>,
    /// Batches that were there and went away.
    #[serde(default)]
    pub truncated: Vec<Batch>,
}

/// What was done to the cluster, and what came of it.
#[derive(Clone, Debug)]
pub struct Action {
    /// What was done.
    pub deed: Deed,
    /// How many seconds the log was to be quiet afterwards.
    pub quiet: Option<f64>,
    /// All of it in a line.
    pub words: String,
}

/// What was done to a cluster.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Deed {
    /// Directories were formatted.
    Format(FormatNodes),
    /// Servers were started.
    Start(StartNodes),
    /// Servers were stopped.
    Stop(StopNodes),
    /// A signal was sent.
    Signal(SignalNodes),
    /// Files were deleted.
    Wipe(WipeNodes),
    /// Properties were changed.
    Configure(ConfigureNodes),
    Wait(WaitFor),
    /// The leader was killed while a tool worked.
    KillDuring(KillDuring),
    /// Batches with data were held back until a process became active twice.
    InterruptActivation(InterruptActivation),
    /// A tool was called.
    Tool(Tool),
    /// The directories were kept under a label.
    Save(Save),
}

/// The nodes that an action is about.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Nodes {
    /// `controllers`, `leader` and so on.
    Named(String),
    Ids(Vec<i32>),
}

macro_rules! deeds {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $kind,)*
        }
    )*};
}

deeds! {
    /// `{"format": NODES, …}`
    FormatNodes {
        format: Nodes,
        /// By the tool of this release.
        version: Option<String>,
        /// Another flag than the cluster's.
        quorum: Option<String>,
        /// `--release-version`.
        release_version: Option<String>,
        /// `--feature`.
        #[serde(default)] features: Vec<String>,
        /// `--add-scram`.
        #[serde(default)] scram: Vec<String>,
    }
    /// `{"start": NODES, …}`
    StartNodes {
        start: Nodes,
        /// On which release.
        version: Option<String>,
        /// Whether a server may end.
        #[serde(default)] may_fail: bool,
    }
    /// `{"stop": NODES, …}`
    StopNodes {
        stop: Nodes,
        /// `term` or `kill9`.
        how: Option<String>,
        /// Those that it was.
        #[serde(default)] stopped: Vec<i32>,
        /// Whether another one is elected then.
        #[serde(default)] elect: bool,
    }
    /// `{"signal": NODES, "name": …}`
    SignalNodes {
        signal: Nodes,
        /// `STOP` or `CONT`.
        name: String,
    }
    /// `{"wipe": NODES, …}`
    WipeNodes {
        wipe: Nodes,
        /// `metadata`, or all.
        what: Option<String>,
    }
    /// `{"configure": NODES, …}`
    ConfigureNodes {
        configure: Nodes,
        /// Properties.
        #[serde(default)] config: Map<String, Value>,
        /// Another way to know the voters.
        quorum: Option<String>,
    }
    /// `{"wait": …}`
    WaitFor {
        wait: Wait,
    }
    /// `{"kill_during": TOOL, …}`
    KillDuring {
        kill_during: Tool,
        /// After so much growth of the log.
        after_bytes: Option<u64>,
        /// Who led, and was killed.
        killed: Option<i32>,
        /// Who led then.
        then_led: Option<i32>,
    }
    /// `{"interrupt_activation": …}`
    InterruptActivation {
        interrupt_activation: Map<String, Value>,
        /// How wide the window is.
        width: Option<u64>,
    }
    /// `{"tool": WORD, …}`
    Tool {
        tool: String,
        /// Its arguments.
        #[serde(default)] args: Vec<String>,
        /// Who is asked.
        to: Option<String>,
        /// Of another release.
        version: Option<String>,
        /// Files that its arguments name.
        #[serde(default)] files: BTreeMap<String, String>,
        /// What of its output is kept for later arguments.
        #[serde(default)] remember: BTreeMap<String, String>,
    }
    /// `{"save": LABEL}`
    Save {
        save: String,
    }
}

/// What was waited for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Wait {
    /// So many seconds.
    Seconds(f64),
    /// Nodes that have all that the leader has.
    CaughtUp {
        /// Which, or since when.
        caught_up: Value,
    },
    /// A log that was cleaned.
    LogStart { log_start: bool },
    /// So many checkpoints.
    Snapshots {
        snapshots: u64,
        /// At most so many seconds.
        timeout: Option<u64>,
    },
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let mut fields = Map::deserialize(deserializer)?;
        let words = words(&fields);
        fields.remove("note");
        let quiet = fields.remove("quiet").and_then(|seconds| seconds.as_f64());
        let deed = Deed::deserialize(Value::Object(fields))
            .map_err(|error| D::Error::custom(format!("{words}: {error}")))?;
        Ok(Action { deed, quiet, words })
    }
}

/// An action in a line.
fn words(action: &Map<String, Value>) -> String {
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let each = action.iter().map(|(key, value)| {
        let value = match value {
            Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(" "),
            other => text(other),
        };
        match key.as_str() {
            "args" => value,
            key => format!("{key} {value}"),
        }
    });
    each.collect::<Vec<_>>().join(", ")
}

/// A checkpoint file that was seen on a controller's disk.
#[derive(Clone, Debug, Deserialize)]
pub struct SeenCheckpoint {
    pub node: i32,
    /// Of the file.
    pub name: String,
    /// The label of what it holds.
    pub decoded: String,
}

/// What a checkpoint file holds.
#[derive(Clone, Debug, Deserialize)]
pub struct Decoded {
    pub batches: Vec<Batch>,
}

/// A file of a controller's directory.
#[derive(Clone, Debug, Deserialize)]
pub struct SavedFile {
    /// From the node's folder.
    pub name: String,
    /// The lines of a small text file.
    #[serde(default)]
    pub text: Vec<String>,
}

/// A server as it was found after an action.
#[derive(Clone, Debug, Deserialize)]
pub struct Process {
    /// Which node it was.
    pub node: i32,
    /// `itself`, or a signal.
    pub ended_by: String,
    /// Why, if it was itself.
    pub fatal: Option<Fatal>,
    /// The log's lines about its activations.
    #[serde(default)]
    pub activation: Vec<String>,
}

/// What placeholders stood for in the run that was recorded.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Volatile {
    /// Ids, and other things that are drawn.
    pub ids: BTreeMap<String, String>,
    pub ports: BTreeMap<String, u16>,
}

impl Volatile {
    /// A value with ids and ports in the place of their names.
    pub fn filled_in(&self, value: &Value) -> Value {
        let known = serde_json::json!(self);
        kraftsim::recorded::filled_in(value, &known)
    }

    /// A batch with ids and ports in the place of their names.
    pub fn batch(&self, batch: &Batch) -> Batch {
        let known = serde_json::json!(self);
        let filled = |value: &Value| kraftsim::recorded::filled_in(value, &known);
        Batch {
            records: batch.records.iter().map(|one| one.map(filled)).collect(),
            ..batch.clone()
        }
    }
}

impl SeenCheckpoint {
    /// The node as an id.
    pub fn node(&self) -> NodeId {
        NodeId(self.node)
    }
}
