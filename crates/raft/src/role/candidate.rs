use records::{NodeId, ReplicaKey};
use releases::raft::SetOrder;

use super::EpochState;
use crate::election::EpochElection;
use crate::timer::Timer;

/// Has voted for itself in a new epoch and asks the other voters to do so too.
///
/// Source: `4.4:raft/…/CandidateState.java`; `3.9:raft/…/CandidateState.java` for the backoff.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) epoch: i32,
    pub(crate) local_key: ReplicaKey,
    pub(crate) election: EpochElection,
    pub(crate) high_watermark: Option<i64>,
    pub(crate) election_timer: Timer,
    /// How many elections in a row this is.
    pub(crate) retries: u32,
    /// Until when it waits after a lost election, in the releases that do. As old as the candidate: a clock that was moved
    /// back since then does not move this one.
    pub(crate) backoff_timer: Timer,
    /// Whether it waits so.
    pub(crate) is_backing_off: bool,
}

/// A candidate for which a majority voted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Elected {
    pub(crate) epoch: i32,
    pub(crate) granting_voters: Vec<NodeId>,
}

impl Candidate {
    /// What it leads with; `None` while there is no majority.
    pub(crate) fn elected(&self, order: SetOrder) -> Option<Elected> {
        self.election.is_vote_granted().then(|| Elected {
            epoch: self.epoch,
            granting_voters: self.election.granting_voters(order),
        })
    }
}

impl EpochState for Candidate {
    fn epoch(&self) -> i32 {
        self.epoch
    }

    fn voted_key(&self) -> Option<ReplicaKey> {
        Some(self.local_key)
    }

    fn voters(&self) -> Option<Vec<NodeId>> {
        Some(self.election.voter_ids().collect())
    }

    fn high_watermark(&self) -> Option<i64> {
        self.high_watermark
    }
}
