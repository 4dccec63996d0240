//! `BEGIN_QUORUM_EPOCH` and `END_QUORUM_EPOCH`.

use records::{NodeId, ReplicaKey};

use super::Replica;
use super::asker::Asker;
use super::response::LeaderNews;
use super::shared::{Cx, leader_endpoint, leader_id_or_sentinel};
use crate::message::{
    BeginQuorumEpochRequest, EndQuorumEpochRequest, Errors, Node, QuorumEpochPartitionResponse,
    QuorumEpochResponse,
};
use crate::request_manager::ResponseOutcome;
use crate::role::State;
use crate::{Endpoints, RaftFault};

impl Replica {
    pub(super) fn handle_begin_quorum_epoch(
        &mut self,
        cx: &mut Cx<'_>,
        asker: &Asker,
        request: &BeginQuorumEpochRequest,
    ) -> Result<QuorumEpochResponse, RaftFault> {
        if !self.has_valid_cluster_id(request.cluster_id.as_deref()) {
            return Ok(QuorumEpochResponse::failed(Errors::INCONSISTENT_CLUSTER_ID));
        }
        let (leader, epoch) = (request.leader_id, request.leader_epoch);
        if let Some(error) = self.validate_voter_only_request(leader, epoch) {
            return Ok(self.quorum_epoch_response(asker, error));
        }
        let endpoints = self.endpoints_or_known(leader, &request.leader_endpoints);
        self.maybe_transition(cx, Some(NodeId(leader)), epoch, endpoints)?;
        let is_meant = self.is_valid_voter_key(request.voter_id, request.voter_directory_id);
        let error = if is_meant {
            Errors::NONE
        } else {
            Errors::INVALID_VOTER_KEY
        };
        Ok(self.quorum_epoch_response(asker, error))
    }

    /// The leader's endpoints as its request names them, or else as the voter set has them.
    fn endpoints_or_known(&self, leader: i32, named: &Endpoints) -> Endpoints {
        if named.is_empty() {
            self.shared
                .partition
                .last_voter_set()
                .listeners(NodeId(leader))
        } else {
            named.clone()
        }
    }

    pub(super) fn handle_end_quorum_epoch(
        &mut self,
        cx: &mut Cx<'_>,
        asker: &Asker,
        request: &EndQuorumEpochRequest,
    ) -> Result<QuorumEpochResponse, RaftFault> {
        if !self.has_valid_cluster_id(request.cluster_id.as_deref()) {
            return Ok(QuorumEpochResponse::failed(Errors::INCONSISTENT_CLUSTER_ID));
        }
        let (leader, epoch) = (request.leader_id, request.leader_epoch);
        if let Some(error) = self.validate_voter_only_request(leader, epoch) {
            return Ok(self.quorum_epoch_response(asker, error));
        }
        let endpoints = self.endpoints_or_known(leader, &request.leader_endpoints);
        self.maybe_transition(cx, Some(NodeId(leader)), epoch, endpoints)?;
        let backoff_ms = self.end_epoch_backoff_ms(&request.preferred_candidates);
        if let State::Follower(follower) = &mut self.role
            && follower.leader == NodeId(leader)
        {
            follower.fetch_timer.restart(cx.now_ms, backoff_ms);
        }
        Ok(self.quorum_epoch_response(asker, Errors::NONE))
    }

    /// How long to wait before standing for election after the leader resigned: the first of its preferred successors
    /// not at all, each further one twice as long as the one before.
    fn end_epoch_backoff_ms(&self, preferred: &[ReplicaKey]) -> i64 {
        let local = self.shared.local_key();
        let position = preferred.iter().position(|candidate| {
            candidate.id == local.id
                && (candidate.directory_id.is_none()
                    || candidate.directory_id == local.directory_id)
        });
        let max_ms = self.shared.config.election_backoff_max_ms;
        let backoff_ms = match position {
            Some(0) => 0,
            None => max_ms,
            Some(position) => {
                let shift = |by: usize| u32::try_from(by).unwrap_or(u32::MAX).min(31);
                let base_ms = max_ms >> shift(preferred.len() - 1);
                max_ms.min(base_ms.wrapping_shl(shift(position - 1)))
            }
        };
        // Nobody preferred: position 0 of an empty list is the front.
        if preferred.is_empty() {
            0
        } else {
            i64::from(backoff_ms)
        }
    }

    fn quorum_epoch_response(&self, asker: &Asker, error_code: Errors) -> QuorumEpochResponse {
        let partition = QuorumEpochPartitionResponse {
            error_code,
            leader_id: leader_id_or_sentinel(&*self.role),
            leader_epoch: self.role.epoch(),
        };
        QuorumEpochResponse {
            error_code: Errors::NONE,
            partition: Some(partition),
            node_endpoint: leader_endpoint(&*self.role, asker, 1),
        }
    }

    fn quorum_epoch_news(
        &mut self,
        cx: &mut Cx<'_>,
        response: &QuorumEpochResponse,
    ) -> Result<Option<ResponseOutcome>, RaftFault> {
        if response.error_code != Errors::NONE {
            return Self::handle_top_level_error(response.error_code).map(Some);
        }
        let Some(partition) = response.partition else {
            return Ok(Some(ResponseOutcome::Failed));
        };
        let endpoint = response.node_endpoint.as_ref();
        let news: LeaderNews =
            self.shared
                .leader_news(partition.leader_id, partition.leader_epoch, endpoint);
        match self.maybe_handle_common_response(cx, partition.error_code, &news)? {
            Some(outcome) => Ok(Some(outcome)),
            None if partition.error_code != Errors::NONE => Ok(Some(ResponseOutcome::Failed)),
            None => Ok(None),
        }
    }

    pub(super) fn handle_begin_quorum_epoch_response(
        &mut self,
        cx: &mut Cx<'_>,
        source: &Node,
        response: &QuorumEpochResponse,
    ) -> Result<ResponseOutcome, RaftFault> {
        if let Some(outcome) = self.quorum_epoch_news(cx, response)? {
            return Ok(outcome);
        }
        if let State::Leader(leader) = &mut self.role
            && !leader.add_acknowledgement_from(NodeId(source.id))
        {
            let voter = source.id;
            return Err(RaftFault::illegal(format!(
                "{voter} acknowledges the epoch and is no voter"
            )));
        }
        Ok(ResponseOutcome::Handled)
    }

    pub(super) fn handle_end_quorum_epoch_response(
        &mut self,
        cx: &mut Cx<'_>,
        source: &Node,
        response: &QuorumEpochResponse,
    ) -> Result<ResponseOutcome, RaftFault> {
        if let Some(outcome) = self.quorum_epoch_news(cx, response)? {
            return Ok(outcome);
        }
        let role = self.role.role();
        let State::Resigned(state) = &mut self.role else {
            return Err(RaftFault::illegal(format!(
                "expected to be Resigned, but is {role}"
            )));
        };
        if !state.acknowledge_resignation(NodeId(source.id)) {
            return Err(RaftFault::illegal(format!(
                "{} acknowledges the resignation and was no voter",
                source.id
            )));
        }
        Ok(ResponseOutcome::Handled)
    }
}
