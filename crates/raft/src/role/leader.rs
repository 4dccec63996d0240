use std::collections::BTreeSet;

use determinism::java::{HashTable, sort_as_immutable_set};
use raft_log::log::LogPosition;
use records::{NodeId, ReplicaKey};
use releases::RaftRules;
use releases::raft::{CheckQuorum, CommitEpoch, LeaderOutsideVoters};

use super::epoch_state::{EpochState, LogComparison, VoteKind};
use super::kraft_version_upgrade::KRaftVersionUpgrade;
use super::{AddVoter, RemoveVoter, ReplicaState};
use crate::accumulator::Accumulator;
use crate::quorum::{HighWatermark, majority, next_high_watermark, replicated_to_majority};
use crate::timer::Timer;
use crate::{Endpoints, RaftFault, VoterNode, VoterSet};

/// Leads an epoch: it knows how far every replica is, and with that what is committed.
///
/// Source: `4.4:raft/…/LeaderState.java`.
#[derive(Clone, Debug)]
pub(crate) struct Leader {
    start: LeaderStart,
    high_watermark: Option<i64>,
    /// Where it lay in the log of the voter that decided it.
    high_watermark_position: LogPosition,
    /// In the order of Kafka's map.
    voters: Vec<ReplicaState>,
    /// In the order of Kafka's map.
    observers: Vec<ReplicaState>,
    /// The most observers at a time decide how large Kafka's map of them is.
    most_observers: usize,
    /// Voters that fetched since the check-quorum timer was reset.
    fetched_voters: BTreeSet<NodeId>,
    check_quorum_timer: Timer,
    begin_quorum_epoch_timer: Timer,
    resign_requested: bool,
    pub(crate) accumulator: Accumulator,
    pub(crate) add_voter: Option<AddVoter>,
    pub(crate) remove_voter: Option<RemoveVoter>,
    pub(crate) kraft_version_upgrade: KRaftVersionUpgrade,
}

/// What is fixed when an epoch begins.
#[derive(Clone, Debug)]
pub(crate) struct LeaderStart {
    pub(crate) local: VoterNode,
    pub(crate) epoch: i32,
    pub(crate) epoch_start_offset: i64,
    pub(crate) voter_set: VoterSet,
    /// Offset of the record that holds the voter set; none for static voters.
    pub(crate) voter_set_offset: Option<i64>,
    pub(crate) kraft_version: i16,
    pub(crate) granting_voters: Vec<NodeId>,
    pub(crate) fetch_timeout_ms: i64,
    pub(crate) rules: LeaderRules,
}

/// The rules that a leader follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeaderRules {
    check_quorum: CheckQuorum,
    commit_epoch: CommitEpoch,
    outside_voters: LeaderOutsideVoters,
}

impl LeaderRules {
    pub(crate) fn of(rules: &RaftRules) -> Self {
        LeaderRules {
            check_quorum: rules.check_quorum,
            commit_epoch: rules.commit_epoch,
            outside_voters: rules.leader_outside_voters,
        }
    }
}

/// Replicas forgotten by the leader after this long without a fetch.
const OBSERVER_SESSION_TIMEOUT_MS: i64 = 300_000;

/// A would-be voter counts as caught up if it fetched this recently.
const CAUGHT_UP_WITHIN_MS: i64 = 3_600_000;

impl Leader {
    pub(crate) fn new(
        start: LeaderStart,
        accumulator: Accumulator,
        upgrade: KRaftVersionUpgrade,
        now_ms: i64,
    ) -> Self {
        let voters = start.voter_set.set_of_nodes().into_iter().map(|node| {
            let mut state = ReplicaState::new(node.voter_key, node.listeners.clone());
            state.has_acknowledged_leader = node.is_voter(start.local.voter_key);
            state
        });
        Leader {
            check_quorum_timer: Timer::new(now_ms, check_quorum_timeout_ms(start.fetch_timeout_ms)),
            begin_quorum_epoch_timer: Timer::new(now_ms, 0),
            high_watermark: None,
            high_watermark_position: LogPosition::default(),
            voters: in_map_order(voters.collect()),
            observers: Vec::new(),
            most_observers: 0,
            fetched_voters: BTreeSet::new(),
            resign_requested: false,
            accumulator,
            add_voter: None,
            remove_voter: None,
            kraft_version_upgrade: upgrade,
            start,
        }
    }

    pub(crate) fn start(&self) -> &LeaderStart {
        &self.start
    }

    pub(crate) fn epoch_start_offset(&self) -> i64 {
        self.start.epoch_start_offset
    }

    pub(crate) fn local_key(&self) -> ReplicaKey {
        self.start.local.voter_key
    }

    pub(crate) fn local_id(&self) -> NodeId {
        self.local_key().id
    }

    pub(crate) fn request_resign(&mut self) {
        self.resign_requested = true;
    }

    pub(crate) fn is_resign_requested(&self) -> bool {
        self.resign_requested
    }

    /// The voters as the leader tracks them, in the order of Kafka's map.
    pub(crate) fn voter_states(&self) -> &[ReplicaState] {
        &self.voters
    }

    /// The replicas that fetch and are no voters, without those that stopped long ago.
    pub(crate) fn observer_states(&mut self, now_ms: i64) -> &[ReplicaState] {
        let local = self.local_key();
        self.observers.retain(|state| {
            now_ms - state.last_fetch_ms < OBSERVER_SESSION_TIMEOUT_MS || state.key == local
        });
        &self.observers
    }

    fn voter(&self, id: NodeId) -> Option<&ReplicaState> {
        self.voters.iter().find(|state| state.key.id == id)
    }

    fn observer(&self, key: ReplicaKey) -> Option<&ReplicaState> {
        self.observers.iter().find(|state| state.key == key)
    }

    fn add_observer(&mut self, state: ReplicaState) {
        self.observers.push(state);
        self.most_observers = self.most_observers.max(self.observers.len());
        let table = HashTable::new().holding(self.most_observers);
        table.sort(&mut self.observers, |state| state.key.hash_code());
    }

    // Time.

    /// Milliseconds until `BEGIN_QUORUM_EPOCH` is due again.
    pub(crate) fn time_until_begin_quorum_epoch_ms(&mut self, now_ms: i64) -> i64 {
        self.begin_quorum_epoch_timer.remaining_ms(now_ms)
    }

    pub(crate) fn restart_begin_quorum_epoch_timer(&mut self, now_ms: i64) {
        self.begin_quorum_epoch_timer
            .restart(now_ms, self.begin_quorum_epoch_timeout_ms());
    }

    fn begin_quorum_epoch_timeout_ms(&self) -> i64 {
        self.start.fetch_timeout_ms / 2
    }

    /// Voters other than the local one.
    fn other_voters(&self) -> impl Iterator<Item = &ReplicaState> {
        let local = self.local_id();
        self.voters
            .iter()
            .filter(move |state| state.key.id != local)
    }

    /// Voters that have not fetched for half a fetch timeout.
    pub(crate) fn silent_voters(&self, now_ms: i64) -> Vec<ReplicaKey> {
        let mut keys: Vec<ReplicaKey> = self
            .other_voters()
            .filter(|state| now_ms - state.last_fetch_ms >= self.begin_quorum_epoch_timeout_ms())
            .map(|state| state.key)
            .collect();
        HashTable::new().sort(&mut keys, ReplicaKey::hash_code);
        sort_as_immutable_set(&mut keys, ReplicaKey::hash_code);
        keys
    }

    /// Milliseconds until the leader gives up for want of a majority that fetches.
    pub(crate) fn time_until_check_quorum_expires_ms(&mut self, now_ms: i64) -> i64 {
        match self.start.rules.check_quorum {
            CheckQuorum::Checked if self.voters.len() == 1 => i64::MAX,
            CheckQuorum::Unchecked => i64::MAX,
            CheckQuorum::Checked | CheckQuorum::CheckedByOneVoterToo => {
                self.check_quorum_timer.remaining_ms(now_ms)
            }
        }
    }

    /// A replica showed that it follows. Where a majority did, the check-quorum timer begins anew.
    pub(crate) fn update_check_quorum(
        &mut self,
        key: ReplicaKey,
        now_ms: i64,
    ) -> Result<(), RaftFault> {
        if key.id == self.local_id() {
            return Err(RaftFault::illegal("a fetch from the leader itself"));
        }
        if self.is_voter(key) {
            self.fetched_voters.insert(key.id);
        }
        // The leader counts itself, if it is a voter.
        let own = usize::from(self.voter(self.local_id()).is_some());
        if self.fetched_voters.len() + own >= majority(self.voters.len()) {
            self.fetched_voters.clear();
            let timeout_ms = check_quorum_timeout_ms(self.start.fetch_timeout_ms);
            self.check_quorum_timer.restart(now_ms, timeout_ms);
        }
        Ok(())
    }

    // Progress of replicas.

    fn replica_state_mut(&mut self, key: ReplicaKey) -> &mut ReplicaState {
        let known = |states: &[ReplicaState], is_it: &dyn Fn(&ReplicaState) -> bool| {
            states.iter().position(is_it)
        };
        if let Some(at) = known(&self.voters, &|state| state.matches(key)) {
            return &mut self.voters[at];
        }
        if self.observer(key).is_none() {
            self.add_observer(ReplicaState::new(key, Endpoints::empty()));
        }
        let at = known(&self.observers, &|state| state.key == key);
        &mut self.observers[at.expect("the observer was just made sure of")]
    }

    fn is_voter(&self, key: ReplicaKey) -> bool {
        self.voters.iter().any(|state| state.matches(key))
    }

    /// The leader's own log grew, and with it perhaps the voter set. The high watermark, if it moved.
    pub(crate) fn update_local_state(
        &mut self,
        end_offset: i64,
        position: LogPosition,
        last_voter_set: &VoterSet,
    ) -> Result<Option<i64>, RaftFault> {
        let local = self.local_key();
        let state = self.replica_state_mut(local);
        if state.end_offset.is_some_and(|known| known > end_offset) {
            return Err(RaftFault::illegal(format!(
                "the leader's end offset went from {:?} back to {end_offset}",
                state.end_offset
            )));
        }
        state.end_offset = Some(end_offset);
        state.end_position = position;
        self.update_voters_and_observers(last_voter_set);
        Ok(self.maybe_update_high_watermark())
    }

    /// A replica fetches from `fetch_offset`. The high watermark, if it moved.
    pub(crate) fn update_replica_state(
        &mut self,
        key: ReplicaKey,
        now_ms: i64,
        fetch_offset: i64,
        position: LogPosition,
    ) -> Result<Option<i64>, RaftFault> {
        if key.id.0 < 0 {
            // Not a replica: a consumer, or a tool.
            return Ok(None);
        }
        if key.id == self.local_id() {
            return Err(RaftFault::illegal(format!(
                "replica {key} fetches with the leader's id"
            )));
        }
        self.replica_state_mut(key);
        let local = self.local_key();
        let leader_end = self.replica_state_mut(local).end_offset;
        self.replica_state_mut(key)
            .fetched(now_ms, fetch_offset, position, leader_end);
        self.update_check_quorum(key, now_ms)?;
        Ok(if self.is_voter(key) {
            self.maybe_update_high_watermark()
        } else {
            None
        })
    }

    /// The same offset at another place counts as news: a new segment began there.
    fn maybe_update_high_watermark(&mut self) -> Option<i64> {
        let end = |state: &ReplicaState| state.end_offset.map(|end| (end, state.end_position));
        let mut voters: Vec<&ReplicaState> = self.voters.iter().collect();
        voters.sort_by_key(|state| state.key);
        let mut ends: Vec<Option<(i64, LogPosition)>> = voters.into_iter().map(end).collect();
        if self.start.rules.outside_voters == LeaderOutsideVoters::Counted {
            ends.extend(self.observer(self.local_key()).map(end));
        }
        let (candidate, position) = replicated_to_majority(&mut ends, |(end, _)| end)?;
        let epoch_start_offset = match self.start.rules.commit_epoch {
            CommitEpoch::OwnEpochFirst => self.start.epoch_start_offset,
            CommitEpoch::AnyEpoch => -1,
        };
        let next = next_high_watermark(Some(candidate), self.high_watermark, epoch_start_offset);
        let moves = matches!(next, HighWatermark::Advanced(_))
            || (self.high_watermark == Some(candidate) && self.high_watermark_position != position);
        moves.then(|| {
            self.high_watermark = Some(candidate);
            self.high_watermark_position = position;
            candidate
        })
    }

    /// Takes over a voter set: states move between voters and observers.
    fn update_voters_and_observers(&mut self, last_voter_set: &VoterSet) {
        let mut old = std::mem::take(&mut self.voters);
        HashTable::copy_of_map(old.len()).sort(&mut old, |state| state.key.id.0);
        let mut voters = Vec::with_capacity(last_voter_set.len());
        for node in last_voter_set.set_of_nodes() {
            let key = node.voter_key;
            let known = old.iter().find(|state| state.matches(key)).cloned();
            let mut state = known
                .or_else(|| self.observer(key).cloned())
                .unwrap_or_else(|| ReplicaState::new(key, node.listeners.clone()));
            old.retain(|state| state.key.id != key.id);
            self.observers.retain(|state| state.key != key);
            state.key = key;
            state.listeners = node.listeners.clone();
            voters.push(state);
        }
        self.voters = in_map_order(voters);
        for mut state in old {
            state.listeners = Endpoints::empty();
            if self.observer(state.key).is_none() {
                self.add_observer(state);
            }
        }
    }

    /// A voter knows that this replica leads. False if it is no voter, which Kafka takes for a bug.
    pub(crate) fn add_acknowledgement_from(&mut self, voter: NodeId) -> bool {
        let mut voters = self.voters.iter_mut();
        let found = voters.find(|state| state.key.id == voter);
        found
            .map(|state| state.has_acknowledged_leader = true)
            .is_some()
    }

    /// Whether a replica that is no voter yet has caught up, lately.
    pub(crate) fn is_replica_caught_up(&self, key: ReplicaKey, now_ms: i64) -> bool {
        self.observer(key).is_some_and(|state| {
            state.last_caught_up_ms > 0
                && state.last_fetch_ms > 0
                && state.last_fetch_ms > now_ms - CAUGHT_UP_WITHIN_MS
        })
    }

    /// The other voters, the most caught up first.
    pub(crate) fn other_voters_by_descending_end_offset(&self) -> Vec<ReplicaKey> {
        let mut states: Vec<&ReplicaState> = self.voters.iter().collect();
        states.sort_by(|a, b| a.by_descending_end_offset(b));
        states.retain(|state| !state.matches(self.local_key()));
        states.into_iter().map(|state| state.key).collect()
    }
}

impl EpochState for Leader {
    fn epoch(&self) -> i32 {
        self.start.epoch
    }

    fn leader(&self) -> Option<NodeId> {
        Some(self.local_id())
    }

    fn leader_endpoints(&self) -> Endpoints {
        self.start.local.listeners.clone()
    }

    fn voters(&self) -> Option<Vec<NodeId>> {
        Some(self.voters.iter().map(|state| state.key.id).collect())
    }

    fn high_watermark(&self) -> Option<i64> {
        self.high_watermark
    }

    fn can_grant_vote(&self, _: ReplicaKey, _: LogComparison, _: VoteKind) -> bool {
        false
    }
}

/// Sorts states, given in the order in which they are put in, as a map by node id has them.
fn in_map_order(mut states: Vec<ReplicaState>) -> Vec<ReplicaState> {
    HashTable::new().sort(&mut states, |state| state.key.id.0);
    states
}

/// Half as long again as a fetch may take.
fn check_quorum_timeout_ms(fetch_timeout_ms: i64) -> i64 {
    fetch_timeout_ms * 3 / 2
}
