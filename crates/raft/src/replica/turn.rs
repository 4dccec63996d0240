use records::{NodeId, ReplicaKey};

use crate::Endpoints;
use crate::role::Elected;

/// How a role's turn ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// There is nothing to do for so many milliseconds, `i64::MAX` for ever.
    Wait(i64),
    /// Another role takes over, at once.
    Change(RoleChange),
}

/// The role that follows on the present one. Each role makes only those that may follow on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RoleChange {
    /// Prospective or Candidate, as the release has it.
    StandForElection,
    /// Of the next epoch.
    Candidate,
    Leader(Elected),
    Unattached {
        epoch: i32,
        leader: Option<NodeId>,
    },
    Follower {
        epoch: i32,
        leader: NodeId,
        endpoints: Endpoints,
    },
    Resigned {
        preferred_successors: Vec<ReplicaKey>,
    },
}
