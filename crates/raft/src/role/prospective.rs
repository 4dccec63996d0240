use records::{NodeId, ReplicaKey};

use super::epoch_state::{EpochState, LogComparison, VoteKind, can_grant_without_leader};
use crate::Endpoints;
use crate::election::EpochElection;
use crate::timer::Timer;

/// Asks the other voters whether they would elect it, without a new epoch (KIP-996).
///
/// Source: `4.4:raft/…/ProspectiveState.java`.
#[derive(Clone, Debug)]
pub(crate) struct Prospective {
    pub(crate) epoch: i32,
    pub(crate) leader: Option<NodeId>,
    pub(crate) leader_endpoints: Endpoints,
    pub(crate) voted_key: Option<ReplicaKey>,
    pub(crate) election: EpochElection,
    pub(crate) high_watermark: Option<i64>,
    pub(crate) election_timer: Timer,
    /// How many elections in a row this is (4.0 backs off by it).
    pub(crate) retries: u32,
}

impl EpochState for Prospective {
    fn epoch(&self) -> i32 {
        self.epoch
    }

    fn leader(&self) -> Option<NodeId> {
        self.leader
    }

    fn leader_endpoints(&self) -> Endpoints {
        self.leader_endpoints.clone()
    }

    fn voted_key(&self) -> Option<ReplicaKey> {
        self.voted_key
    }

    fn high_watermark(&self) -> Option<i64> {
        self.high_watermark
    }

    fn can_grant_vote(&self, replica: ReplicaKey, log: LogComparison, kind: VoteKind) -> bool {
        can_grant_without_leader(self, replica, log, kind)
    }
}
