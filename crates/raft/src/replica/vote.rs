use records::{NodeId, OffsetAndEpoch, ReplicaKey};

use super::Replica;
use super::asker::Asker;
use super::shared::{Cx, Shared, leader_endpoint, leader_id_or_sentinel};
use super::turn::RoleChange;
use crate::RaftFault;
use crate::election::VoteAnswer;
use crate::message::{Errors, Node, VotePartitionResponse, VoteRequest, VoteResponse};
use crate::request_manager::ResponseOutcome;
use crate::role::{Candidate, LogComparison, Prospective, Role, State, VoteKind};

impl Replica {
    /// VOTE. A granted vote is on the disk before the answer goes out.
    pub(super) fn handle_vote_request(
        &mut self,
        cx: &mut Cx<'_>,
        asker: &Asker,
        request: &VoteRequest,
    ) -> Result<VoteResponse, RaftFault> {
        if !self.has_valid_cluster_id(request.cluster_id.as_deref()) {
            return Ok(VoteResponse::failed(Errors::INCONSISTENT_CLUSTER_ID));
        }
        // A candidate has moved to an epoch in which nobody has written yet; a prospective has not.
        let is_illegal_epoch = if request.pre_vote {
            request.last_offset_epoch > request.replica_epoch
        } else {
            request.last_offset_epoch >= request.replica_epoch
        };
        if request.last_offset < 0 || request.last_offset_epoch < 0 || is_illegal_epoch {
            return Ok(self.vote_response(asker, Errors::INVALID_REQUEST, false));
        }
        let (replica_id, epoch) = (request.replica_id, request.replica_epoch);
        if let Some(error) = self.validate_voter_only_request(replica_id, epoch) {
            return Ok(self.vote_response(asker, error, false));
        }
        if epoch > self.role.epoch() {
            self.transition_to_unattached(cx, epoch, None)?;
        }
        if !self.is_valid_voter_key(request.voter_id, request.voter_directory_id) {
            return Ok(self.vote_response(asker, Errors::INVALID_VOTER_KEY, false));
        }
        let granted = self.vote(cx, request)?;
        Ok(self.vote_response(asker, Errors::NONE, granted))
    }

    fn vote(&mut self, cx: &mut Cx<'_>, request: &VoteRequest) -> Result<bool, RaftFault> {
        let candidate = ReplicaKey::new(NodeId(request.replica_id), request.replica_directory_id);
        let end = OffsetAndEpoch::new(request.last_offset, request.last_offset_epoch);
        let log = if end >= self.shared.end_of_log()? {
            LogComparison::UpToDate
        } else {
            LogComparison::Behind
        };
        let kind = if request.pre_vote {
            VoteKind::PreVote
        } else {
            VoteKind::Vote
        };
        let granted = self.role.can_grant_vote(candidate, log, kind);
        let epoch = request.replica_epoch;
        tracing::debug!(%candidate, epoch, ?kind, ?log, granted, "is asked for a vote");
        if granted && kind == VoteKind::Vote && self.role.voted_key().is_none() {
            self.add_vote(cx, candidate)?;
        }
        Ok(granted)
    }

    fn vote_response(&self, asker: &Asker, error_code: Errors, vote_granted: bool) -> VoteResponse {
        let partition = VotePartitionResponse {
            error_code,
            leader_id: leader_id_or_sentinel(&*self.role),
            leader_epoch: self.role.epoch(),
            vote_granted,
        };
        VoteResponse {
            error_code: Errors::NONE,
            partition: Some(partition),
            node_endpoint: leader_endpoint(&*self.role, asker, 1),
        }
    }

    pub(super) fn handle_vote_response(
        &mut self,
        cx: &mut Cx<'_>,
        source: &Node,
        response: &VoteResponse,
    ) -> Result<ResponseOutcome, RaftFault> {
        let is_prospective = self.role.role() == Role::Prospective;
        if response.error_code == Errors::UNSUPPORTED_VERSION && is_prospective {
            // A voter of a release without pre-vote: it can only be asked for its vote.
            self.transition_to_candidate(cx)?;
            return Ok(ResponseOutcome::Handled);
        }
        if response.error_code != Errors::NONE {
            return Self::handle_top_level_error(response.error_code);
        }
        let Some(partition) = response.partition else {
            return Ok(ResponseOutcome::Failed);
        };
        let news = self.shared.leader_news(
            partition.leader_id,
            partition.leader_epoch,
            response.node_endpoint.as_ref(),
        );
        let error = partition.error_code;
        if let Some(outcome) = self.maybe_handle_common_response(cx, error, &news)? {
            return Ok(outcome);
        }
        if error != Errors::NONE {
            return Ok(ResponseOutcome::Failed);
        }
        let answer = if partition.vote_granted {
            VoteAnswer::Granted
        } else {
            VoteAnswer::Rejected
        };
        self.record_vote(cx, NodeId(source.id), answer)?;
        Ok(ResponseOutcome::Handled)
    }

    fn record_vote(
        &mut self,
        cx: &mut Cx<'_>,
        voter: NodeId,
        answer: VoteAnswer,
    ) -> Result<(), RaftFault> {
        tracing::debug!(%voter, epoch = self.role.epoch(), ?answer, "hears a vote");
        let change = match &mut self.role {
            State::Prospective(prospective) => prospective.record_vote(voter, answer)?,
            State::Candidate(candidate) => {
                candidate.record_vote(&mut self.shared, cx, voter, answer)?
            }
            // Elected already, or the election is over.
            _ => None,
        };
        match change {
            Some(change) => self.change_role(cx, change),
            None => Ok(()),
        }
    }
}

fn not_a_voter(voter: NodeId) -> RaftFault {
    RaftFault::illegal(format!("a vote of {voter}, which is no voter"))
}

impl Prospective {
    fn record_vote(
        &mut self,
        voter: NodeId,
        answer: VoteAnswer,
    ) -> Result<Option<RoleChange>, RaftFault> {
        let before = self.election.record(voter, answer);
        before.ok_or_else(|| not_a_voter(voter))?;
        Ok(match answer {
            VoteAnswer::Granted => self
                .election
                .is_vote_granted()
                .then_some(RoleChange::Candidate),
            VoteAnswer::Rejected | VoteAnswer::Unrecorded => {
                self.election.is_vote_rejected().then(|| self.loss())
            }
        })
    }
}

impl Candidate {
    fn record_vote(
        &mut self,
        shared: &mut Shared,
        cx: &Cx<'_>,
        voter: NodeId,
        answer: VoteAnswer,
    ) -> Result<Option<RoleChange>, RaftFault> {
        let before = self.election.answer(voter);
        let before = before.ok_or_else(|| not_a_voter(voter))?;
        if before != VoteAnswer::Unrecorded && before != answer {
            return Err(RaftFault::illegal(format!(
                "voter {voter} changed its vote"
            )));
        }
        self.election.record(voter, answer);
        match answer {
            VoteAnswer::Granted => {
                let elected = self.elected(shared.rules.raft.granting_voters_order);
                return Ok(elected.map(RoleChange::Leader));
            }
            VoteAnswer::Rejected | VoteAnswer::Unrecorded => self.after_rejection(shared, cx),
        }
        Ok(None)
    }
}
