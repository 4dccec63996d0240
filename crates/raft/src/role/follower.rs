use records::{NodeId, ReplicaKey};

use super::{EpochState, LogComparison, VoteKind};
use crate::message::Node;
use crate::snapshot_download::SnapshotDownload;
use crate::timer::Timer;
use crate::{Endpoints, ListenerName, RaftFault};

/// Fetches from a leader whose endpoints it knows.
///
/// Source: `4.4:raft/…/FollowerState.java`.
#[derive(Clone, Debug)]
pub(crate) struct Follower {
    pub(crate) epoch: i32,
    pub(crate) leader: NodeId,
    pub(crate) leader_endpoints: Endpoints,
    pub(crate) voted_key: Option<ReplicaKey>,
    pub(crate) high_watermark: Option<i64>,
    pub(crate) fetch_timeout_ms: i64,
    pub(crate) fetch_timer: Timer,
    pub(crate) update_voter_period_ms: i64,
    pub(crate) update_voter_timer: Timer,
    /// A fetch of this epoch was answered: as long as the leader answers, nobody needs another one.
    pub(crate) has_fetched_from_leader: bool,
    /// On kraft.version 0, the leader of this epoch knows this voter's endpoints and versions.
    pub(crate) has_updated_leader: bool,
    /// The checkpoint that is being fetched instead of batches.
    pub(crate) fetching_snapshot: Option<SnapshotDownload>,
}

impl Follower {
    /// Where the leader is reached.
    pub(crate) fn leader_node(&self, listener: &ListenerName) -> Result<Node, RaftFault> {
        let address = self.leader_endpoints.address(listener).ok_or_else(|| {
            RaftFault::illegal(format!(
                "unknown endpoint of leader {} at listener {listener}, known are {}",
                self.leader, self.leader_endpoints
            ))
        })?;
        Ok(Node {
            id: self.leader.0,
            address: address.clone(),
        })
    }

    /// The leader answered: the fetch timeout begins anew.
    pub(crate) fn fetched_successfully(&mut self, now_ms: i64) {
        self.fetch_timer.restart(now_ms, self.fetch_timeout_ms);
        self.has_fetched_from_leader = true;
    }

    pub(crate) fn restart_update_voter_period(&mut self, now_ms: i64) {
        self.update_voter_timer
            .restart(now_ms, self.update_voter_period_ms);
    }

    /// The high watermark the leader told. True if it moved.
    pub(crate) fn update_high_watermark(&mut self, offset: i64) -> Result<bool, RaftFault> {
        if offset < 0 || self.high_watermark.is_some_and(|known| offset < known) {
            return Err(RaftFault::illegal(format!(
                "the high watermark would go from {:?} to {offset}",
                self.high_watermark
            )));
        }
        let moved = self.high_watermark != Some(offset);
        self.high_watermark = Some(offset);
        Ok(moved)
    }
}

impl EpochState for Follower {
    fn epoch(&self) -> i32 {
        self.epoch
    }

    fn leader(&self) -> Option<NodeId> {
        Some(self.leader)
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

    fn can_grant_vote(&self, _replica: ReplicaKey, log: LogComparison, kind: VoteKind) -> bool {
        let would = kind == VoteKind::PreVote && log == LogComparison::UpToDate;
        would && !self.has_fetched_from_leader
    }
}
