use std::collections::BTreeSet;

use records::{NodeId, ReplicaKey};

use crate::Endpoints;
use crate::timer::Timer;

/// Led this epoch. Until its election timeout it tells the voters that it does not any more.
///
/// Source: `4.4:raft/…/ResignedState.java`.
#[derive(Clone, Debug)]
pub(crate) struct Resigned {
    pub(crate) epoch: i32,
    pub(crate) local_id: NodeId,
    pub(crate) endpoints: Endpoints,
    /// The voters when it resigned.
    pub(crate) voters: BTreeSet<NodeId>,
    /// Voters that have not answered yet.
    pub(crate) unacked_voters: BTreeSet<NodeId>,
    pub(crate) election_timer: Timer,
    /// Who should lead next, the most caught up first.
    pub(crate) preferred_successors: Vec<ReplicaKey>,
}

impl Resigned {
    pub(crate) fn new(
        epoch: i32,
        local_id: NodeId,
        endpoints: Endpoints,
        voters: impl IntoIterator<Item = NodeId>,
        election_timer: Timer,
        preferred_successors: Vec<ReplicaKey>,
    ) -> Self {
        let voters: BTreeSet<NodeId> = voters.into_iter().collect();
        let mut unacked_voters = voters.clone();
        unacked_voters.remove(&local_id);
        Resigned {
            epoch,
            local_id,
            endpoints,
            voters,
            unacked_voters,
            election_timer,
            preferred_successors,
        }
    }

    /// A voter has heard of the resignation. False if it was no voter, which Kafka takes for a bug.
    pub(crate) fn acknowledge_resignation(&mut self, voter: NodeId) -> bool {
        self.unacked_voters.remove(&voter);
        self.voters.contains(&voter)
    }
}
