//! What each role but follower and leader has to do at a poll, and until when it can wait.

use determinism::java::HashTable;
use records::ReplicaKey;
use releases::raft::{AfterResignation, ElectionBackoff, ElectionLoss};

use super::shared::{Cx, Shared};
use super::turn::{RoleChange, Turn};
use crate::election::EpochElection;
use crate::message::{EndQuorumEpochRequest, Node, Request, VoteRequest};
use crate::role::{Candidate, Prospective, Resigned, Unattached, VoteKind};
use crate::{Endpoints, RaftFault};

/// Base of the backoff after a lost election (3.9, 4.0).
const RETRY_BACKOFF_BASE_MS: i32 = 50;

impl Unattached {
    pub(super) fn poll(&mut self, shared: &mut Shared, cx: &Cx<'_>) -> Result<Turn, RaftFault> {
        if shared.is_voter() {
            if let Some(remaining_ms) = shared.shutdown_remaining_ms(cx.now_ms) {
                return Ok(Turn::Wait(remaining_ms));
            }
            if self.election_timer.is_expired(cx.now_ms) {
                return Ok(Turn::Change(RoleChange::StandForElection));
            }
        }
        let election_ms = self.election_timer.remaining_ms(cx.now_ms);
        let fetch_ms = shared.maybe_send_fetch_to_any_bootstrap(cx.now_ms, self)?;
        Ok(Turn::Wait(fetch_ms.min(election_ms)))
    }
}

impl Prospective {
    pub(super) fn poll(&mut self, shared: &mut Shared, cx: &Cx<'_>) -> Result<Turn, RaftFault> {
        let remaining_ms = match shared.shutdown_remaining_ms(cx.now_ms) {
            Some(remaining_ms) => remaining_ms,
            None if self.election_timer.is_expired(cx.now_ms) => {
                return Ok(Turn::Change(self.loss()));
            }
            None => self.election_timer.remaining_ms(cx.now_ms),
        };
        let (epoch, election) = (self.epoch, &self.election);
        let vote_ms = shared.maybe_send_vote_requests(cx, epoch, election, VoteKind::PreVote)?;
        Ok(Turn::Wait(vote_ms.min(remaining_ms)))
    }

    /// A prospective that would not be elected follows the leader it knows, or looks for one.
    pub(super) fn loss(&self) -> RoleChange {
        let (epoch, endpoints) = (self.epoch, self.leader_endpoints.clone());
        match self.leader {
            Some(leader) if !endpoints.is_empty() => RoleChange::Follower {
                epoch,
                leader,
                endpoints,
            },
            leader => RoleChange::Unattached { epoch, leader },
        }
    }
}

impl Candidate {
    pub(super) fn poll(&mut self, shared: &mut Shared, cx: &Cx<'_>) -> Result<Turn, RaftFault> {
        let remaining_ms = if let Some(remaining_ms) = shared.shutdown_remaining_ms(cx.now_ms) {
            remaining_ms
        } else if self.is_backing_off {
            return Ok(match self.backoff_timer.remaining_ms(cx.now_ms) {
                0 => Turn::Change(RoleChange::StandForElection),
                remaining_ms => Turn::Wait(remaining_ms),
            });
        } else if self.election_timer.is_expired(cx.now_ms) {
            return Ok(match shared.rules.raft.election_loss {
                ElectionLoss::BacksOff => Turn::Wait(self.start_backing_off(shared, cx)),
                ElectionLoss::BacksOffAfterRejection | ElectionLoss::WaitsForTimeout => {
                    Turn::Change(RoleChange::StandForElection)
                }
            });
        } else {
            self.election_timer.remaining_ms(cx.now_ms)
        };
        let (epoch, election) = (self.epoch, &self.election);
        let vote_ms = shared.maybe_send_vote_requests(cx, epoch, election, VoteKind::Vote)?;
        Ok(Turn::Wait(vote_ms.min(remaining_ms)))
    }

    /// A candidate that cannot win waits before it tries again, in the releases that do it so.
    pub(super) fn after_rejection(&mut self, shared: &mut Shared, cx: &Cx<'_>) {
        if !self.election.is_vote_rejected() || self.is_backing_off {
            return;
        }
        match shared.rules.raft.election_loss {
            ElectionLoss::BacksOff | ElectionLoss::BacksOffAfterRejection => {
                self.start_backing_off(shared, cx);
            }
            ElectionLoss::WaitsForTimeout => {}
        }
    }

    fn start_backing_off(&mut self, shared: &mut Shared, cx: &Cx<'_>) -> i64 {
        let losses = self.retries.max(1) - 1;
        let span = 2 << losses.min(10);
        let max_ms = shared.config.election_backoff_max_ms;
        let (rules, draws) = (&shared.rules.raft, &mut shared.draws);
        let backoff_ms = match (rules.election_backoff, rules.election_loss) {
            (ElectionBackoff::SoonTheSame, _) => {
                (100 * draws.next_int(2 << losses.min(20))).min(max_ms)
            }
            (ElectionBackoff::Jittered, loss) => {
                let factor = match loss {
                    ElectionLoss::BacksOff => 1 + draws.next_int(span),
                    _ => draws.next_int_between(1, span),
                };
                let longest_ms = max_ms + draws.next_int(RETRY_BACKOFF_BASE_MS);
                (RETRY_BACKOFF_BASE_MS * factor).min(longest_ms)
            }
        };
        let backoff_ms = i64::from(backoff_ms);
        self.backoff_timer.restart(cx.now_ms, backoff_ms);
        self.is_backing_off = true;
        backoff_ms
    }
}

impl Shared {
    /// Votes are asked for as long as the election can be won.
    fn maybe_send_vote_requests(
        &mut self,
        cx: &Cx<'_>,
        epoch: i32,
        election: &EpochElection,
        kind: VoteKind,
    ) -> Result<i64, RaftFault> {
        if election.is_vote_rejected() {
            return Ok(i64::MAX);
        }
        self.maybe_send_to_voters(cx, &election.unrecorded_voters(), |shared, voter| {
            shared.build_vote_request(epoch, voter, kind)
        })
    }

    fn build_vote_request(
        &self,
        epoch: i32,
        voter: ReplicaKey,
        kind: VoteKind,
    ) -> Result<Request, RaftFault> {
        let (end, local) = (self.end_of_log()?, self.local_key());
        Ok(Request::Vote(VoteRequest {
            cluster_id: Some(self.config.cluster_id.clone()),
            voter_id: voter.id.0,
            replica_epoch: epoch,
            replica_id: local.id.0,
            replica_directory_id: local.directory_id_or_zero(),
            voter_directory_id: voter.directory_id_or_zero(),
            last_offset_epoch: end.epoch,
            last_offset: end.offset,
            pre_vote: kind == VoteKind::PreVote,
        }))
    }
}

impl Resigned {
    pub(super) fn poll(&mut self, shared: &mut Shared, cx: &Cx<'_>) -> Result<Turn, RaftFault> {
        let unacked = self.unacked_voters.iter();
        let mut nodes: Vec<Node> = unacked
            .map(|id| shared.voter_node(*id))
            .collect::<Result<_, _>>()?;
        let rule = shared.rules.raft.node_hash;
        HashTable::new().sort(&mut nodes, |node| node.hash_code(rule));
        let mut request_ms = i64::MAX;
        for node in nodes {
            let sent = shared.maybe_send_request(cx.now_ms, &node, |shared| {
                Ok::<_, RaftFault>(self.build_end_quorum_epoch(shared))
            })?;
            request_ms = request_ms.min(sent.time_to_wait_ms);
        }
        if let Some(remaining_ms) = shared.shutdown_remaining_ms(cx.now_ms) {
            return Ok(Turn::Wait(remaining_ms.min(request_ms)));
        }
        if !self.election_timer.is_expired(cx.now_ms) {
            let election_ms = self.election_timer.remaining_ms(cx.now_ms);
            return Ok(Turn::Wait(election_ms.min(request_ms)));
        }
        // The epoch goes up, so that nobody hears of this replica as the leader of it any more.
        Ok(Turn::Change(match shared.rules.raft.after_resignation {
            AfterResignation::VoterBecomesCandidate if shared.is_voter() => RoleChange::Candidate,
            _ => RoleChange::Unattached {
                epoch: self.epoch.wrapping_add(1),
                leader: None,
            },
        }))
    }

    fn build_end_quorum_epoch(&self, shared: &Shared) -> Request {
        Request::EndQuorumEpoch(EndQuorumEpochRequest {
            cluster_id: Some(shared.config.cluster_id.clone()),
            leader_id: self.local_id.0,
            leader_epoch: self.epoch,
            preferred_candidates: self.preferred_successors.clone(),
            leader_endpoints: Endpoints::empty(),
        })
    }
}
