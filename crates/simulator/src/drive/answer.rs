use std::collections::BTreeMap;

use raft_log::batch::Batch;
use records::{NodeId, Uuid};

use super::flight::{Brief, FlightPayload};
use super::{CommandRefusal, LogBytes, NodeState};

/// What a command brought about.
#[derive(Clone, Debug)]
pub struct CommandAnswer {
    /// What was asked for, or why not.
    pub outcome: Result<AnswerDetail, CommandRefusal>,
    /// The nodes whose state changed, if that was wanted.
    pub changed: Option<Vec<NodeState>>,
    /// What the clock shows.
    pub now_ms: i64,
    /// The messages that came up.
    pub sent: Vec<Sent>,
}

/// What a command answers.
#[derive(Clone, Debug)]
pub enum AnswerDetail {
    /// Nothing more than that it is done.
    Done,
    /// The nodes are set up.
    SetUp {
        directory_ids: BTreeMap<NodeId, Uuid>,
    },
    Polled {
        /// The message that it handled.
        handled: Option<u64>,
        /// How long it would have waited for one.
        next_poll_within: i64,
    },
    /// The receiver, or who would hear of it, is not up any more.
    Lost,
    Ran {
        /// Them, as words.
        did: Vec<String>,
        /// Whether what was waited for came true.
        reached: Option<bool>,
    },
    State {
        nodes: Vec<NodeState>,
        /// Messages on their way.
        in_flight: Vec<Brief>,
    },
    Log {
        batches: Vec<Batch>,
        /// Whether their bytes are wanted.
        bytes: LogBytes,
    },
    /// The number of an operation, whose outcome comes in a later state.
    Operation(u64),
    /// Records were prepared.
    Appended {
        /// The offset of the last of them.
        last_offset: i64,
    },
    /// A checkpoint was asked for.
    Snapshot {
        /// Whether there is a new one.
        created: bool,
    },
}

/// A message that came up.
#[derive(Clone, Debug)]
pub struct Sent {
    /// Who, to whom, what.
    pub brief: Brief,
    pub version: i16,
    /// The correlation id.
    pub correlation: i32,
    pub payload: FlightPayload,
}
