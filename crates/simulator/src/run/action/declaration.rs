use records::NodeId;
use releases::Release;

use crate::run::Spanned;
use crate::world::Wire;

/// A line that says what the world is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// `title "…"`: the headline of reports.
    Title(String),
    /// `shows …`: what the scenario is an instance of, for tables.
    Shows(Vec<String>),
    /// `seed 7`: all chance of the run.
    Seed(u64),
    /// `controllers 1 2 3`: the voters.
    Controllers(Vec<Spanned<NodeId>>),
    /// `observers 4`: controllers that are not voters.
    Observers(Vec<Spanned<NodeId>>),
    /// `release 4.4.0`: what runs and formats where a command names nothing.
    Release(Release),
    /// `quorum static`: how nodes learn the voters.
    Quorum(QuorumKind),
    /// `set [NODE] KEY VALUE`: a line of server.properties.
    Set {
        /// One node's file, or everybody's.
        node: Option<Spanned<NodeId>>,
        /// Kafka's property name.
        key: Spanned<String>,
        value: String,
    },
    /// `with KAFKA-…`: the bug is there, whatever the release.
    With(Spanned<String>),
    /// `without KAFKA-…`: the bug is mended, whatever the release.
    Without(Spanned<String>),
    /// `random delays`: each message takes its own time, drawn from the seed.
    RandomDelays,
    /// `wire on`: every message passes through real bytes.
    Wire(Wire),
}

/// How nodes learn the voters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuorumKind {
    /// `controller.quorum.voters`, kraft.version 0.
    Static,
    /// The zero checkpoint and `controller.quorum.bootstrap.servers`, kraft.version 1.
    Dynamic,
}

impl QuorumKind {
    pub const ALL: [QuorumKind; 2] = [QuorumKind::Static, QuorumKind::Dynamic];

    /// `static`, `dynamic`.
    pub fn name(self) -> &'static str {
        match self {
            QuorumKind::Static => "static",
            QuorumKind::Dynamic => "dynamic",
        }
    }
}
