use records::{NodeId, ReplicaKey};

use crate::timer::Timer;

/// Knows no endpoint of a leader: it looks for one, and, as a voter, waits for its election timeout.
///
/// Source: `4.4:raft/…/UnattachedState.java`.
#[derive(Clone, Debug)]
pub(crate) struct Unattached {
    pub(crate) epoch: i32,
    /// Known by id only.
    pub(crate) leader: Option<NodeId>,
    pub(crate) voted_key: Option<ReplicaKey>,
    pub(crate) high_watermark: Option<i64>,
    pub(crate) election_timer: Timer,
}
