//! What a rehearsal found out, as plain values to print or compare.

use std::collections::BTreeMap;

use determinism::Time;
use disk::MemDisk;
use records::NodeId;
use records::metadata::VersionedRecord;
use releases::Release;

use crate::invariants::{SourceKind, Violation};

/// The whole rehearsal: the first start, then one more phase per `--then`.
#[derive(Clone, Debug, Default)]
pub struct Rehearsal {
    /// The phases in the order in which they ran.
    pub phases: Vec<PhaseOutcome>,
    /// The invariants that did not hold, in order, each at most once.
    pub violations: Vec<Violation>,
    /// The determinism hash of all phases.
    pub hash: u64,
}

/// What happened between one start of all nodes and the stop after it.
#[derive(Clone, Debug)]
pub struct PhaseOutcome {
    /// How it stood at the end.
    pub verdict: PhaseVerdict,
    /// The node that was active at the end.
    pub leader: Option<NodeId>,
    /// Why the phase ended.
    pub end: PhaseEnd,
    /// Simulated time since the start of the phase.
    pub took: Time,
    /// The determinism hash at the end of the phase.
    pub hash: u64,
    /// Why nodes that live know no leader, a sentence each; empty where all know one, or nothing tells why.
    pub reasons: Vec<String>,
    /// What each started node did.
    pub nodes: BTreeMap<NodeId, NodeOutcome>,
}

/// A phase in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PhaseVerdict {
    /// A node is active.
    Active,
    /// Some processes live, and none of them is active.
    NoLeader,
    /// The process of every started node ended.
    Exited,
}

impl PhaseVerdict {
    /// `active`, `no-leader`, `exited`.
    pub fn name(self) -> &'static str {
        match self {
            PhaseVerdict::Active => "active",
            PhaseVerdict::NoLeader => "no-leader",
            PhaseVerdict::Exited => "exited",
        }
    }
}

/// Why a phase ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PhaseEnd {
    /// The live controllers are active, registered and quiet, or no process lives.
    Quiet,
    /// The simulated time that a phase may take was over.
    TimeLimit,
}

/// What one process did in one phase.
#[derive(Clone, Debug)]
pub struct NodeOutcome {
    /// The release it ran.
    pub release: Release,
    /// Why the process ended by itself, in plain words with Kafka's reason; `None` when it lived to the end.
    pub refusal: Option<String>,
    /// The leader that its replica knows at the end of the phase; `None` where it knows none, or does not live.
    pub leader: Option<NodeId>,
    /// The endless loop that its process is in, in plain words: Kafka's process lives on and does nothing more.
    pub hangs: Option<String>,
    /// What its controller warned of, in order.
    pub warnings: Vec<String>,
    /// Every time that it became the active controller, in order.
    pub activations: Vec<ActivationOutcome>,
    /// The node's directories as a reader sees them at the end of the phase, before it is stopped.
    pub disk: MemDisk,
}

impl NodeOutcome {
    /// The activation that decided where bootstrap records came from: the last one that had a source, else the last.
    pub fn deciding_activation(&self) -> Option<&ActivationOutcome> {
        let with_source = self
            .activations
            .iter()
            .rev()
            .find(|one| one.source != SourceKind::None);
        with_source.or(self.activations.last())
    }
}

/// One activation of a controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivationOutcome {
    /// The epoch that was claimed.
    pub epoch: i32,
    /// Where the bootstrap records came from.
    pub source: SourceKind,
    /// The bootstrap records that were appended, transaction markers not counted.
    pub records: Vec<VersionedRecord>,
    /// What the release's log says about the activation, in our words.
    pub text: String,
}
