use std::cmp::Ordering;

use raft_log::log::LogPosition;
use records::ReplicaKey;

use crate::Endpoints;

/// What a leader knows of another replica, or of itself: how far it is, and when it fetched.
///
/// Source: `ReplicaState` in `4.4:raft/…/LeaderState.java`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplicaState {
    pub(crate) key: ReplicaKey,
    pub(crate) listeners: Endpoints,
    pub(crate) end_offset: Option<i64>,
    /// Where the end lies in the leader's files, or lay when it was told.
    pub(crate) end_position: LogPosition,
    pub(crate) last_fetch_ms: i64,
    pub(crate) last_fetch_leader_end_offset: i64,
    pub(crate) last_caught_up_ms: i64,
    pub(crate) has_acknowledged_leader: bool,
}

impl ReplicaState {
    pub(crate) fn new(key: ReplicaKey, listeners: Endpoints) -> Self {
        ReplicaState {
            key,
            listeners,
            end_offset: None,
            end_position: LogPosition::default(),
            last_fetch_ms: -1,
            last_fetch_leader_end_offset: -1,
            last_caught_up_ms: -1,
            has_acknowledged_leader: false,
        }
    }

    /// A state without directory id is that of any directory of its node.
    pub(crate) fn matches(&self, key: ReplicaKey) -> bool {
        self.key.id == key.id
            && (self.key.directory_id.is_none() || self.key.directory_id == key.directory_id)
    }

    /// The replica fetched from `fetch_offset`: it has everything before that.
    pub(crate) fn fetched(
        &mut self,
        now_ms: i64,
        fetch_offset: i64,
        position: LogPosition,
        leader_end: Option<i64>,
    ) {
        if let Some(leader_end) = leader_end {
            if fetch_offset >= leader_end {
                self.last_caught_up_ms = self.last_caught_up_ms.max(now_ms);
            } else if self.last_fetch_leader_end_offset > 0
                && fetch_offset >= self.last_fetch_leader_end_offset
            {
                // It has what the leader had when it fetched before.
                self.last_caught_up_ms = self.last_caught_up_ms.max(self.last_fetch_ms);
            }
            self.last_fetch_leader_end_offset = leader_end;
        }
        self.last_fetch_ms = self.last_fetch_ms.max(now_ms);
        self.end_offset = Some(fetch_offset);
        self.end_position = position;
        self.has_acknowledged_leader = true;
    }

    /// The most caught up first, by replica key among equals.
    pub(crate) fn by_descending_end_offset(&self, other: &ReplicaState) -> Ordering {
        other
            .end_offset
            .cmp(&self.end_offset)
            .then_with(|| self.key.cmp(&other.key))
    }
}

#[cfg(test)]
mod tests {
    use records::NodeId;

    use super::*;

    /// Source: `LeaderState.ReplicaState.updateFollowerState` in 4.4:raft/src/main/java/org/apache/kafka/raft.
    #[test]
    fn a_replica_is_caught_up_when_it_has_what_the_leader_had_at_its_last_fetch() {
        let key = ReplicaKey::of_node(NodeId(2));
        let mut state = ReplicaState::new(key, Endpoints::empty());
        for (now_ms, fetch_offset, leader_end, caught_up_ms) in [
            (50, 9, Some(10), -1),
            (100, 10, Some(10), 100),
            (200, 10, Some(15), 100),
            (300, 15, Some(20), 200),
            (400, 19, Some(20), 200),
            (500, 20, None, 200),
            (600, 20, Some(30), 500),
            (550, 30, Some(30), 550),
            (540, 30, Some(30), 550),
        ] {
            state.fetched(now_ms, fetch_offset, LogPosition::default(), leader_end);
            assert_eq!(state.last_caught_up_ms, caught_up_ms, "at {now_ms} ms");
            assert_eq!(state.end_offset, Some(fetch_offset));
        }
        assert_eq!(state.last_fetch_ms, 600, "it never goes back");
    }
}
