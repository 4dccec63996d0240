use records::{NodeId, ReplicaKey};

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
