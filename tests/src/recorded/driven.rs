//! Answers of the driver of Kafka's own classes, and of `kraftsim drive`, as far as a schedule's maker looks at them.

use serde::Deserialize;
use serde_json::Value;

/// The answer to a command.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Answer {
    /// Whether the command was carried out.
    #[serde(default)]
    pub ok: bool,
    pub error: Option<String>,
    /// The release, in the answer to `init`.
    pub kafka: Option<String>,
    /// The number of the operation that was begun.
    pub op: Option<u64>,
    /// The states that changed.
    #[serde(default)]
    pub changed: Vec<NodeState>,
    /// What a run did, step by step: `deliver 12`.
    #[serde(default)]
    pub did: Vec<String>,
    /// The messages that came up.
    #[serde(default)]
    pub sent: Vec<Sent>,
}

/// How a node stands.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct NodeState {
    pub node: i32,
    /// Whether it can do anything.
    pub up: bool,
    /// Nothing where there is no process.
    pub role: Option<String>,
    /// The leader's, as far as it knows.
    #[serde(default)]
    pub epoch: i32,
    /// Who leads, or -1.
    #[serde(default)]
    pub leader: i32,
    /// -1 where it is not known.
    #[serde(default)]
    pub high_watermark: i64,
    /// The offset after the last record.
    #[serde(default)]
    pub log_end: i64,
    /// The first offset that is left.
    #[serde(default)]
    pub log_start: i64,
    /// Of the last record; nothing where the log itself does not know.
    pub last_epoch: Option<i32>,
    /// The newest checkpoint, `offset-epoch`.
    pub snapshot: Option<String>,
    /// Ids, with blanks between them.
    #[serde(default)]
    pub voters: String,
    /// How many milliseconds it would wait at its next poll.
    #[serde(default)]
    pub next_poll_within: i64,
    /// Whether it wants to be polled.
    #[serde(default)]
    pub woken: bool,
    /// The messages that wait for a poll.
    #[serde(default)]
    pub inbox: Vec<u64>,
    /// How its controller stands, if there is one.
    pub controller: Option<ControllerState>,
    /// What operations came to since the last answer.
    #[serde(default)]
    pub ops: Vec<Finished>,
}

/// How a controller stands.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ControllerState {
    /// Whether it is the active one.
    pub active: bool,
    /// Whether its thread stands still.
    pub held: bool,
}

/// What an operation came to.
#[derive(Clone, Debug, Deserialize)]
pub struct Finished {
    pub op: u64,
    /// The answer, unless there is an error.
    #[serde(default)]
    pub result: Value,
}

/// A message that came up.
#[derive(Clone, Debug, Deserialize)]
pub struct Sent {
    pub id: u64,
    /// Request or response.
    pub kind: MessageKind,
    /// `FETCH` and so on.
    pub api: String,
    /// Who sent it.
    pub from: i32,
    pub to: i32,
    /// Of the request, or of its answer.
    pub version: i16,
    /// As Kafka's own JSON converters write it.
    pub body: Value,
}

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    /// One that wants an answer.
    Request,
    Response,
}

/// A step that a run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A message arrived, or was lost: it is no longer on its way.
    Landed(u64),
    Other,
}

impl Answer {
    /// The steps of a run.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        self.did.iter().map(|step| match step.split_once(' ') {
            Some(("deliver" | "drop", id)) => id.parse().map_or(Step::Other, Step::Landed),
            _ => Step::Other,
        })
    }
}
