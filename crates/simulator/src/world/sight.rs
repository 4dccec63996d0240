use std::sync::Arc;

use determinism::Time;
use disk::Operation;
use records::NodeId;

/// Events of a world that leave no state in its machines: messages and disk operations.
///
/// Kept only where somebody asks for it: see [`Detail`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// A message left for a node.
    Sent {
        /// Who receives it.
        to: NodeId,
        /// Its kind, by its name in a scenario.
        kind: &'static str,
    },
    /// A message was lost on the way.
    Lost {
        /// Who does not receive it.
        to: NodeId,
        kind: &'static str,
    },
    /// A message reached the node.
    Arrived {
        /// Who sent it.
        from: NodeId,
        kind: &'static str,
    },
    /// The node's process did something to its disk, or tried to.
    Disk {
        operation: Operation,
        /// The path that it is about.
        path: Arc<str>,
    },
}

/// Which sights are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Messages that leave, arrive or are lost.
    pub messages: bool,
    /// Operations on disks.
    pub disk: bool,
}

/// The sights that were kept and not taken yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Sights {
    pub(super) detail: Detail,
    pub(super) kept: Vec<(Time, NodeId, Sight)>,
}

impl Sights {
    pub(super) fn message(&mut self, now: Time, node: NodeId, sight: Sight) {
        if self.detail.messages {
            self.kept.push((now, node, sight));
        }
    }
}
