use determinism::java::HashTable;
use records::{NodeId, ReplicaKey};

use super::EpochState;
use crate::timer::Timer;
use crate::{Endpoints, VoterSet};

/// Led this epoch. Until its election timeout it tells the voters that it does not any more.
///
/// Source: `4.4:raft/…/ResignedState.java`.
#[derive(Clone, Debug)]
pub(crate) struct Resigned {
    pub(crate) epoch: i32,
    pub(crate) local_id: NodeId,
    pub(crate) endpoints: Endpoints,
    /// The voters when it resigned.
    voters: Vec<NodeId>,
    /// Voters that have not answered yet, in the order of Kafka's set.
    pub(crate) unacked_voters: Vec<NodeId>,
    pub(crate) election_timer: Timer,
    /// Who should lead next, the most caught up first.
    pub(crate) preferred_successors: Vec<ReplicaKey>,
}

impl Resigned {
    pub(crate) fn new(
        epoch: i32,
        local_id: NodeId,
        endpoints: Endpoints,
        voters: &VoterSet,
        election_timer: Timer,
        preferred_successors: Vec<ReplicaKey>,
    ) -> Self {
        let voters: Vec<NodeId> = voters
            .in_map_order()
            .map(|node| node.voter_key.id)
            .collect();
        let mut unacked_voters = voters.clone();
        HashTable::copy_of_collection(voters.len()).sort(&mut unacked_voters, |id| id.0);
        unacked_voters.retain(|id| *id != local_id);
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
        self.unacked_voters.retain(|id| *id != voter);
        self.voters.contains(&voter)
    }
}

impl EpochState for Resigned {
    fn epoch(&self) -> i32 {
        self.epoch
    }

    fn leader(&self) -> Option<NodeId> {
        Some(self.local_id)
    }

    fn leader_endpoints(&self) -> Endpoints {
        self.endpoints.clone()
    }

    /// Kafka's resigned replica knows none, so its listeners are not told of further commits.
    fn high_watermark(&self) -> Option<i64> {
        None
    }
}
