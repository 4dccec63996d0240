//! What happened, in order.

use std::fmt;

use determinism::Time;
use node::{Heard, Hearer};
use records::NodeId;

use crate::world::Sight;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalEntry {
    pub at: Time,
    /// On which node; `None` for what concerns the whole cluster.
    pub node: Option<NodeId>,
    pub what: Happening,
}

/// What happened on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// Its process runs, on this release.
    Started(String),
    /// It did not come up, for this reason.
    Refused(String),
    /// Its process ended, for this reason.
    Ended(String),
    /// It changed its role in an epoch.
    Role(String, i32),
    /// It leads an epoch.
    Leads(i32),
    /// Its controller was told that it leads.
    Claimed(i32),
    /// Its controller did its activation.
    Active(i32, String),
    /// Its controller warned of this.
    Warned(String),
    /// Its controller is not active any more.
    Renounced(i32),
    /// What its activation wrote is committed, up to this offset.
    BootstrapCommitted(i64),
    /// Its log was cut to this offset.
    Truncated {
        /// Where it ended before.
        from: i64,
        /// Where it ends now.
        to: i64,
    },
    /// Its log gained these offsets.
    Appended(i64, i64),
    /// Its high watermark moved.
    HighWatermark(i64),
    /// A listener was told something.
    Callback(Hearer, Heard),
    /// It answered what an administrator asked.
    Answered {
        /// The command that asked.
        command: String,
        /// Kafka's name of the error code, and why.
        outcome: String,
    },
    /// A message or a disk operation, where somebody asked for them.
    Saw(Sight),
    /// An invariant was violated.
    Violation(String),
}

/// Who wants to read of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Everybody: it is printed under the command during which it happened.
    Headline,
    /// Who asks for the timeline.
    Detail,
}

impl Happening {
    /// Who wants to read of it.
    pub fn weight(&self) -> Weight {
        match self {
            Happening::Refused(_)
            | Happening::Ended(_)
            | Happening::Leads(_)
            | Happening::Active(..)
            | Happening::Warned(_)
            | Happening::Renounced(_)
            | Happening::BootstrapCommitted(_)
            | Happening::Truncated { .. }
            | Happening::Answered { .. }
            | Happening::Violation(_) => Weight::Headline,
            Happening::Started(_)
            | Happening::Role(..)
            | Happening::Claimed(_)
            | Happening::Appended(..)
            | Happening::HighWatermark(_)
            | Happening::Callback(..)
            | Happening::Saw(_) => Weight::Detail,
        }
    }
}

impl fmt::Display for JournalEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(node) = self.node else {
            return match &self.what {
                Happening::Violation(text) => write!(f, "VIOLATION {text}"),
                other => write!(f, "{other:?}"),
            };
        };
        match &self.what {
            Happening::Started(release) => write!(f, "node {node} starts on {release}"),
            Happening::Refused(reason) => write!(f, "node {node} does not start: {reason}"),
            Happening::Ended(reason) => write!(f, "node {node} ends: {reason}"),
            Happening::Role(role, epoch) => write!(f, "node {node} is {role} in epoch {epoch}"),
            Happening::Leads(epoch) => write!(f, "node {node} leads epoch {epoch}"),
            Happening::Claimed(epoch) => write!(f, "node {node} claims epoch {epoch}"),
            Happening::Active(epoch, text) => {
                write!(f, "node {node} is active in epoch {epoch}: {text}")
            }
            Happening::Warned(text) => write!(f, "node {node} warns: {text}"),
            Happening::Renounced(epoch) => {
                write!(
                    f,
                    "node {node} is no longer active, which it was in epoch {epoch}"
                )
            }
            Happening::BootstrapCommitted(end) => {
                write!(
                    f,
                    "node {node}'s bootstrap is committed, up to offset {end}"
                )
            }
            Happening::Truncated { from, to } => {
                write!(f, "node {node} cuts its log from offset {from} to {to}")
            }
            Happening::Appended(from, to) => {
                write!(f, "node {node}'s log gains offsets {from} to {to}")
            }
            Happening::HighWatermark(offset) => {
                write!(f, "node {node}'s high watermark is {offset}")
            }
            Happening::Callback(hearer, heard) => {
                write!(f, "node {node}'s {}: {heard}", hearer.name())
            }
            Happening::Answered { command, outcome } => {
                write!(f, "node {node} answers `{command}`: {outcome}")
            }
            Happening::Saw(Sight::Sent { to, kind }) => {
                write!(f, "node {node} sends {kind} to {to}")
            }
            Happening::Saw(Sight::Lost { to, kind }) => {
                write!(f, "node {node}'s {kind} to {to} is lost")
            }
            Happening::Saw(Sight::Arrived { from, kind }) => {
                write!(f, "node {node} receives {kind} from {from}")
            }
            Happening::Saw(Sight::Disk { operation, path }) => {
                write!(f, "node {node}'s disk: {} {path}", operation.name())
            }
            Happening::Violation(text) => write!(f, "VIOLATION {text}"),
        }
    }
}
