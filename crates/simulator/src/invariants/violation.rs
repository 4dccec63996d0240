use std::fmt;

use determinism::Time;
use records::NodeId;

/// An invariant that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The invariant's id.
    pub id: &'static str,
    /// When.
    pub at: Time,
    /// On which node it showed.
    pub node: NodeId,
    /// What was seen, in plain words.
    pub what: String,
    /// What the invariant says.
    pub sentence: &'static str,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} violated on node {}: {}",
            self.id, self.node, self.what
        )
    }
}
