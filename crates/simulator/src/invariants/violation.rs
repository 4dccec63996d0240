use std::fmt;

use determinism::Time;
use records::NodeId;

/// An invariant that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The invariant's id.
    pub id: &'static str,
    pub at: Time,
    /// On which node it showed, if on one.
    pub node: Option<NodeId>,
    /// What was seen, in plain words.
    pub what: String,
    /// What the invariant says.
    pub sentence: &'static str,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} violated", self.id)?;
        if let Some(node) = self.node {
            write!(f, " on node {node}")?;
        }
        write!(f, ": {}", self.what)
    }
}
