use listener::LeaderAndEpoch;
use records::{NodeId, ReplicaKey};

use crate::Endpoints;

/// What every role can say of its epoch.
///
/// Source: `4.4:raft/…/EpochState.java`.
pub(crate) trait EpochState {
    fn epoch(&self) -> i32;

    fn leader(&self) -> Option<NodeId> {
        None
    }

    fn leader_endpoints(&self) -> Endpoints {
        Endpoints::empty()
    }

    /// Whom the replica voted for, as far as the role remembers.
    fn voted_key(&self) -> Option<ReplicaKey> {
        None
    }

    /// The voters of the epoch; `None` where they are those of the newest voter set.
    fn voters(&self) -> Option<Vec<NodeId>> {
        None
    }

    fn high_watermark(&self) -> Option<i64>;

    fn can_grant_vote(&self, _replica: ReplicaKey, log: LogComparison, kind: VoteKind) -> bool {
        kind == VoteKind::PreVote && log == LogComparison::UpToDate
    }

    fn leader_and_epoch(&self) -> LeaderAndEpoch {
        LeaderAndEpoch::new(self.leader(), self.epoch())
    }
}

/// Whether the log of a replica that asks for a vote is as long as the local one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogComparison {
    UpToDate,
    Behind,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VoteKind {
    PreVote,
    Vote,
}

/// Source: `unattachedOrProspectiveCanGrantVote` in `4.4:raft/…/QuorumState.java`.
pub(super) fn can_grant_without_leader(
    state: &dyn EpochState,
    replica: ReplicaKey,
    log: LogComparison,
    kind: VoteKind,
) -> bool {
    if kind == VoteKind::PreVote {
        return log == LogComparison::UpToDate;
    }
    match state.voted_key() {
        Some(voted) => {
            voted.id == replica.id
                && (voted.directory_id.is_none() || voted.directory_id == replica.directory_id)
        }
        None => state.leader().is_none() && log == LogComparison::UpToDate,
    }
}
