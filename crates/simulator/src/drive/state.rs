use std::collections::BTreeMap;

use quorum_controller::RequestError;
use raft::Draw;
use raft::message::Response;
use records::{NodeId, OffsetAndEpoch};

use super::Call;

/// How a node stands, and what happened at it since last asked.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeState {
    pub node: NodeId,
    /// Whether it can do anything.
    pub up: bool,
    /// Of a node whose process has not been taken away.
    pub standing: Option<ReplicaStanding>,
    /// What passed between replica and listener.
    pub calls: Vec<Call>,
    /// What became of operations.
    pub operations: Vec<(u64, OperationOutcome)>,
    pub draws: Vec<(Purpose, Draw)>,
}

impl NodeState {
    /// Whether something happened.
    pub(super) fn has_news(&self) -> bool {
        !(self.calls.is_empty() && self.operations.is_empty() && self.draws.is_empty())
    }

    /// Only how it stands.
    pub(super) fn without_news(&self) -> NodeState {
        NodeState {
            node: self.node,
            up: self.up,
            standing: self.standing.clone(),
            calls: Vec::new(),
            operations: Vec::new(),
            draws: Vec::new(),
        }
    }
}

/// What a draw was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Timeouts of the replica.
    Raft,
    /// Where the controller puts replicas.
    Placer,
}

/// How a replica and its controller stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaStanding {
    /// The name of the role.
    pub role: &'static str,
    pub epoch: i32,
    pub leader: Option<NodeId>,
    /// For whom it voted.
    pub voted: Option<NodeId>,
    pub high_watermark: Option<i64>,
    pub log_end: i64,
    pub log_start: i64,
    /// The last epoch of the log; none where the log does not know it.
    pub last_epoch: Option<i32>,
    /// The newest checkpoint.
    pub snapshot: Option<OffsetAndEpoch>,
    /// The newest voters.
    pub voters: Vec<NodeId>,
    /// The newest kraft.version.
    pub kraft_version: i16,
    /// How long the last poll would have waited; −1 before the first.
    pub next_poll_within: i64,
    /// Whether it wants to be polled at once.
    pub woken: bool,
    /// The messages that wait.
    pub inbox: Vec<u64>,
    pub controller: Option<ControllerState>,
}

/// How a controller stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControllerState {
    /// Whether it is active.
    pub active: bool,
    /// The epoch it has claimed.
    pub claim_epoch: Option<i32>,
    pub last_stable_offset: i64,
    /// The finalized features at that offset.
    pub features: Option<BTreeMap<String, i16>>,
    /// Whether its thread stands still.
    pub held: bool,
}

/// What became of an operation.
#[derive(Clone, Debug, PartialEq)]
pub enum OperationOutcome {
    /// A replica answered.
    Raft { version: i16, response: Response },
    /// A controller answered.
    Controller(Result<quorum_controller::ControllerResponse, RequestError>),
    /// A controller answered to an update of features.
    FeatureUpdate(Result<quorum_controller::ControllerResponse, RequestError>),
}
