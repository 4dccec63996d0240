//! What each role has to do at a poll, and until when it can wait.

use determinism::java::HashTable;
use records::ReplicaKey;
use releases::raft::{AfterResignation, BeginQuorumEpochTargets, ElectionBackoff, ElectionLoss};

use super::{Cx, Replica};
use crate::message::{BeginQuorumEpochRequest, EndQuorumEpochRequest, Node, Request, VoteRequest};
use crate::role::State;
use crate::timer::Timer;
use crate::{Endpoints, RaftFault};

/// Base of the backoff after a lost election (3.9, 4.0).
const RETRY_BACKOFF_BASE_MS: i32 = 50;

impl Replica {
    pub(super) fn poll_current_state(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        match self.state {
            State::Leader(_) => self.poll_leader(cx),
            State::Candidate(_) => self.poll_candidate(cx),
            State::Prospective(_) => self.poll_prospective(cx),
            State::Follower(_) => self.poll_follower(cx),
            State::Unattached(_) => self.poll_unattached(cx),
            State::Resigned(_) => self.poll_resigned(cx),
        }
    }

    fn poll_unattached(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        let is_voter = self.is_voter();
        if is_voter && let Some(remaining_ms) = self.shutdown_remaining_ms(cx.now_ms) {
            return Ok(remaining_ms);
        }
        let State::Unattached(state) = &mut self.state else {
            return Ok(0);
        };
        if is_voter && state.election_timer.is_expired(cx.now_ms) {
            self.stand_for_election(cx)?;
            return Ok(0);
        }
        let election_ms = state.election_timer.remaining_ms(cx.now_ms);
        let fetch_ms = self.maybe_send_fetch_to_any_bootstrap(cx.now_ms)?;
        Ok(fetch_ms.min(election_ms))
    }

    fn poll_prospective(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        if let Some(remaining_ms) = self.shutdown_remaining_ms(cx.now_ms) {
            return Ok(self.maybe_send_vote_requests(cx)?.min(remaining_ms));
        }
        let State::Prospective(state) = &mut self.state else {
            return Ok(0);
        };
        let remaining_ms = state.election_timer.remaining_ms(cx.now_ms);
        if state.election_timer.is_expired(cx.now_ms) {
            self.leave_lost_pre_vote(cx)?;
            return Ok(0);
        }
        Ok(self.maybe_send_vote_requests(cx)?.min(remaining_ms))
    }

    /// A prospective that would not be elected follows the leader it knows, or looks for one.
    pub(super) fn leave_lost_pre_vote(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        let epoch = self.state.epoch();
        let (leader, endpoints) = (self.state.leader(), self.state.leader_endpoints());
        match leader {
            Some(leader) if !endpoints.is_empty() => {
                self.transition_to_follower(cx, epoch, leader, endpoints)
            }
            leader => self.transition_to_unattached(cx, epoch, leader),
        }
    }

    fn poll_candidate(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        if let Some(remaining_ms) = self.shutdown_remaining_ms(cx.now_ms) {
            return Ok(self.maybe_send_vote_requests(cx)?.min(remaining_ms));
        }
        let State::Candidate(state) = &mut self.state else {
            return Ok(0);
        };
        if let Some(backoff) = &mut state.backoff {
            if !backoff.is_expired(cx.now_ms) {
                return Ok(backoff.remaining_ms(cx.now_ms));
            }
            self.stand_for_election(cx)?;
            return Ok(0);
        }
        if !state.election_timer.is_expired(cx.now_ms) {
            let remaining_ms = state.election_timer.remaining_ms(cx.now_ms);
            return Ok(self.maybe_send_vote_requests(cx)?.min(remaining_ms));
        }
        match self.rules.raft.election_loss {
            ElectionLoss::BacksOff => Ok(self.start_backing_off(cx)),
            ElectionLoss::BacksOffAfterRejection | ElectionLoss::WaitsForTimeout => {
                self.stand_for_election(cx)?;
                Ok(0)
            }
        }
    }

    /// A candidate that cannot win waits before it tries again, in the releases that do it so.
    pub(super) fn after_rejected_candidacy(&mut self, cx: &Cx<'_>) {
        let State::Candidate(state) = &self.state else {
            return;
        };
        if !state.election.is_vote_rejected() || state.backoff.is_some() {
            return;
        }
        match self.rules.raft.election_loss {
            ElectionLoss::BacksOff | ElectionLoss::BacksOffAfterRejection => {
                self.start_backing_off(cx);
            }
            ElectionLoss::WaitsForTimeout => {}
        }
    }

    fn start_backing_off(&mut self, cx: &Cx<'_>) -> i64 {
        let State::Candidate(state) = &mut self.state else {
            return 0;
        };
        let losses = state.retries.max(1) - 1;
        let span = 2 << losses.min(10);
        let max_ms = self.config.election_backoff_max_ms;
        let rules = &self.rules.raft;
        let backoff_ms = match (rules.election_backoff, rules.election_loss) {
            (ElectionBackoff::SoonTheSame, _) => {
                (100 * self.draws.next_int(2 << losses.min(20))).min(max_ms)
            }
            (ElectionBackoff::Jittered, loss) => {
                let factor = match loss {
                    ElectionLoss::BacksOff => 1 + self.draws.next_int(span),
                    _ => self.draws.next_int_between(1, span),
                };
                let longest_ms = max_ms + self.draws.next_int(RETRY_BACKOFF_BASE_MS);
                (RETRY_BACKOFF_BASE_MS * factor).min(longest_ms)
            }
        };
        let backoff_ms = i64::from(backoff_ms);
        state.backoff = Some(Timer::new(cx.now_ms, backoff_ms));
        backoff_ms
    }

    /// Votes are asked for as long as the election can be won.
    fn maybe_send_vote_requests(&mut self, cx: &Cx<'_>) -> Result<i64, RaftFault> {
        let election = match &self.state {
            State::Prospective(state) => &state.election,
            State::Candidate(state) => &state.election,
            _ => return Ok(i64::MAX),
        };
        if election.is_vote_rejected() {
            return Ok(i64::MAX);
        }
        let voters = election.unrecorded_voters();
        self.maybe_send_to_voters(cx, &voters, Replica::build_vote_request)
    }

    fn build_vote_request(&self, voter: ReplicaKey) -> Result<Request, RaftFault> {
        let (end, local) = (self.end_of_log()?, self.local_key());
        Ok(Request::Vote(VoteRequest {
            cluster_id: Some(self.config.cluster_id.clone()),
            voter_id: voter.id.0,
            replica_epoch: self.state.epoch(),
            replica_id: local.id.0,
            replica_directory_id: local.directory_id_or_zero(),
            voter_directory_id: voter.directory_id_or_zero(),
            last_offset_epoch: end.epoch,
            last_offset: end.offset,
            pre_vote: matches!(self.state, State::Prospective(_)),
        }))
    }

    fn poll_resigned(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        let State::Resigned(state) = &self.state else {
            return Ok(0);
        };
        let unacked = state.unacked_voters.iter();
        let mut nodes: Vec<Node> = unacked
            .map(|id| self.voter_node(*id))
            .collect::<Result<_, _>>()?;
        let rule = self.rules.raft.node_hash;
        HashTable::new().sort(&mut nodes, |node| node.hash_code(rule));
        let mut request_ms = i64::MAX;
        for node in nodes {
            let sent =
                self.maybe_send_request(cx.now_ms, &node, Replica::build_end_quorum_epoch)?;
            request_ms = request_ms.min(sent.time_to_wait_ms);
        }
        if let Some(remaining_ms) = self.shutdown_remaining_ms(cx.now_ms) {
            return Ok(remaining_ms.min(request_ms));
        }
        let State::Resigned(state) = &mut self.state else {
            return Ok(0);
        };
        if !state.election_timer.is_expired(cx.now_ms) {
            return Ok(state.election_timer.remaining_ms(cx.now_ms).min(request_ms));
        }
        // The epoch goes up, so that nobody hears of this replica as the leader of it any more.
        match self.rules.raft.after_resignation {
            AfterResignation::VoterBecomesCandidate if self.is_voter() => {
                self.transition_to_candidate(cx)?;
            }
            _ => {
                let epoch = self.state.epoch().wrapping_add(1);
                self.transition_to_unattached(cx, epoch, None)?;
            }
        }
        Ok(0)
    }

    fn build_end_quorum_epoch(&self) -> Result<Request, RaftFault> {
        let preferred_candidates = match &self.state {
            State::Resigned(state) => state.preferred_successors.clone(),
            _ => Vec::new(),
        };
        Ok(Request::EndQuorumEpoch(EndQuorumEpochRequest {
            cluster_id: Some(self.config.cluster_id.clone()),
            leader_id: self.config.node_id.0,
            leader_epoch: self.state.epoch(),
            preferred_candidates,
            leader_endpoints: Endpoints::empty(),
        }))
    }

    fn poll_leader(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        self.announce_local_leader();
        let is_shutting_down = self.shutdown.is_some();
        let State::Leader(leader) = &mut self.state else {
            return Ok(0);
        };
        let check_quorum_ms = leader.time_until_check_quorum_expires_ms(cx.now_ms);
        if is_shutting_down || leader.is_resign_requested() || check_quorum_ms == 0 {
            let successors = leader.other_voters_by_descending_end_offset();
            self.transition_to_resigned(cx, successors)?;
            return Ok(0);
        }
        let voter_change_ms = self.expire_voter_changes(cx.now_ms);
        let flush_ms = self.maybe_append_batches(cx)?;
        let begin_ms = self.maybe_send_begin_quorum_epoch(cx)?;
        Ok(flush_ms
            .min(begin_ms)
            .min(check_quorum_ms)
            .min(voter_change_ms))
    }

    fn maybe_send_begin_quorum_epoch(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        let State::Leader(leader) = &mut self.state else {
            return Ok(i64::MAX);
        };
        let remaining_ms = leader.time_until_begin_quorum_epoch_ms(cx.now_ms);
        if remaining_ms != 0 {
            return Ok(remaining_ms);
        }
        let targets = match self.rules.raft.begin_quorum_epoch_targets {
            BeginQuorumEpochTargets::EveryVoter => {
                let order = self.rules.raft.voter_keys_order;
                let mut keys = self.partition.last_voter_set().set_of_keys(order);
                keys.retain(|key| key.id != self.config.node_id);
                // What is left goes into a set of its own.
                HashTable::new().sort(&mut keys, ReplicaKey::hash_code);
                keys
            }
            BeginQuorumEpochTargets::SilentVoters => leader.silent_voters(cx.now_ms),
        };
        let wait_ms = self.maybe_send_to_voters(cx, &targets, Replica::build_begin_quorum_epoch)?;
        if let State::Leader(leader) = &mut self.state {
            leader.restart_begin_quorum_epoch_timer(cx.now_ms);
        }
        Ok(wait_ms)
    }

    fn build_begin_quorum_epoch(&self, voter: ReplicaKey) -> Result<Request, RaftFault> {
        Ok(Request::BeginQuorumEpoch(BeginQuorumEpochRequest {
            cluster_id: Some(self.config.cluster_id.clone()),
            voter_id: voter.id.0,
            voter_directory_id: voter.directory_id_or_zero(),
            leader_id: self.config.node_id.0,
            leader_epoch: self.state.epoch(),
            leader_endpoints: self.state.leader_endpoints(),
        }))
    }
}
