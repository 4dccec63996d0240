use records::{NodeId, ReplicaKey};

use super::epoch_state::{EpochState, LogComparison, VoteKind, can_grant_without_leader};
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

impl EpochState for Unattached {
    fn epoch(&self) -> i32 {
        self.epoch
    }

    fn leader(&self) -> Option<NodeId> {
        self.leader
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

#[cfg(test)]
mod tests {
    use super::*;

    /// KIP-595, KIP-996: one vote per epoch; a pre-vote is no vote.
    #[test]
    fn votes_without_a_leader() {
        let (one, two) = (
            ReplicaKey::of_node(NodeId(1)),
            ReplicaKey::of_node(NodeId(2)),
        );
        let grant = |leader, voted_key, log, kind| {
            let state = Unattached {
                epoch: 1,
                leader,
                voted_key,
                high_watermark: None,
                election_timer: Timer::new(0, 1000),
            };
            state.can_grant_vote(one, log, kind)
        };
        assert!(grant(None, None, LogComparison::UpToDate, VoteKind::Vote));
        assert!(!grant(None, None, LogComparison::Behind, VoteKind::Vote));
        assert!(!grant(
            None,
            Some(two),
            LogComparison::UpToDate,
            VoteKind::Vote
        ));
        assert!(grant(
            None,
            Some(one),
            LogComparison::Behind,
            VoteKind::Vote
        ));
        assert!(!grant(
            Some(NodeId(3)),
            None,
            LogComparison::UpToDate,
            VoteKind::Vote
        ));
        assert!(grant(
            Some(NodeId(3)),
            Some(two),
            LogComparison::UpToDate,
            VoteKind::PreVote
        ));
    }
}
