use std::fmt;

use records::NodeId;

/// Who leads, as far as a replica knows, and in which epoch.
///
/// Source: `4.4:raft/…/LeaderAndEpoch.java`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeaderAndEpoch {
    /// The leader, where one is known.
    pub leader: Option<NodeId>,
    pub epoch: i32,
}

impl LeaderAndEpoch {
    /// No leader, epoch 0: what a replica and a listener know before anything happened.
    pub const UNKNOWN: LeaderAndEpoch = LeaderAndEpoch {
        leader: None,
        epoch: 0,
    };

    /// `leader` in `epoch`.
    pub const fn new(leader: Option<NodeId>, epoch: i32) -> Self {
        LeaderAndEpoch { leader, epoch }
    }

    /// Whether `node` is the leader.
    pub fn is_leader(self, node: NodeId) -> bool {
        self.leader == Some(node)
    }
}

impl fmt::Display for LeaderAndEpoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.leader {
            Some(node) => write!(f, "leader {node} in epoch {}", self.epoch),
            None => write!(f, "no leader in epoch {}", self.epoch),
        }
    }
}
