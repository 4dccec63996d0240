//! What can be waited for, and what can be judged.

use records::NodeId;

use super::Spanned;
use super::action::{FileRef, NodeSelector, Nodes};
use crate::invariants::SourceKind;

/// A question that the world answers with yes or no after every event: all its clauses hold, `CLAUSE and CLAUSE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// At least one.
    pub clauses: Vec<Clause>,
}

/// A fact that is wanted, or is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// `no …` turns the answer round.
    pub sense: Sense,
    /// What is asked.
    pub fact: Fact,
}

impl Condition {
    /// The condition that all of these facts hold.
    pub fn all(facts: impl IntoIterator<Item = Fact>) -> Self {
        let clause = |fact| Clause {
            sense: Sense::Holds,
            fact,
        };
        Condition {
            clauses: facts.into_iter().map(clause).collect(),
        }
    }
}

impl From<Fact> for Condition {
    fn from(fact: Fact) -> Self {
        Condition::all([fact])
    }
}

/// Whether a condition wants its fact to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    Holds,
    /// `no …`
    HoldsNot,
}

/// A number that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// `7`
    Exactly(i64),
    /// `at-least 7`
    AtLeast(i64),
    /// `at-most 7`
    AtMost(i64),
}

impl Count {
    /// Whether `found` is what is wanted.
    pub const fn admits(self, found: i64) -> bool {
        match self {
            Count::Exactly(wanted) => found == wanted,
            Count::AtLeast(wanted) => found >= wanted,
            Count::AtMost(wanted) => found <= wanted,
        }
    }
}

/// What a condition is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A controller is active and has done its activation; a certain one, or any.
    Active(Option<Spanned<NodeSelector>>),
    /// A controller has been told that it leads, and has not done its activation yet.
    Claimed(Option<Spanned<NodeSelector>>),
    /// A replica leads; a certain one, or any.
    Leader(Option<Spanned<NodeSelector>>),
    /// This node leads this epoch, and nobody leads a higher one.
    Leads(Spanned<NodeId>, i32),
    /// A controller is active, and has committed a metadata.version.
    Working,
    /// One of these nodes is active, and knows something beyond this offset to be committed.
    MovedOn(Nodes, i64),
    /// Every node runs and follows the same leader in the same epoch, to the same log end, and all of it is committed.
    InStep,
    /// The voter set of the leader is committed, and holds this node.
    Voter(Spanned<NodeId>),
    /// The voter set of the leader is committed, and does not hold this node.
    NonVoter(Spanned<NodeId>),
    Running(Nodes),
    /// No process of these nodes lives.
    Down(Nodes),
    /// Processes ended by themselves; perhaps with these words in the reason.
    Exited(Nodes, Option<String>),
    /// Controllers are registered in the committed metadata.
    Registered(Nodes),
    /// Nothing is under way but timers and no-op records.
    Quiet,
    /// Whatever was asked has been answered.
    Answered,
    /// The highest epoch of any running node.
    Epoch(Count),
    /// The log end offset.
    LogEnd(Count, On),
    /// The high watermark.
    Committed(Count, On),
    /// The committed metadata.version.
    MetadataVersion(Option<String>, On),
    /// A committed feature level.
    Feature(String, i16, On),
    /// Where the last activation took its bootstrap records from.
    Source(SourceKind, On),
    /// How many bootstrap records the last activation wrote.
    BootstrapRecords(Count, On),
    /// How many committed records of a type the log holds.
    Records(String, Count, On),
    /// A file stands on a disk.
    File(Spanned<FileRef>),
    /// Logs hold the same batches.
    SameLog(Nodes),
    /// Committed images are equal.
    SameImage(Nodes),
}

/// `on NODE`; without it, the node that the fact itself suggests.
pub type On = Option<Spanned<NodeSelector>>;
