//! `UPDATE_RAFT_VOTER`: a voter tells the leader where it is reached and which kraft.version it can do.
//!
//! Source: `4.4:raft/…/internals/UpdateVoterHandler.java`.

use records::{NodeId, ReplicaKey};
use releases::raft::{KRaftVersionUpgrade as UpgradeRule, UpdateVoterLeaderAddress};

use super::Replica;
use super::asker::Asker;
use super::response::LeaderNews;
use super::shared::{Cx, Shared, leader_id_or_sentinel};
use crate::message::{Errors, UpdateRaftVoterRequest, UpdateRaftVoterResponse};
use crate::partition_state::is_reconfig_supported;
use crate::request_manager::ResponseOutcome;
use crate::role::{EpochState, KRaftVersionUpgrade, Leader};
use crate::{Endpoints, RaftFault, VoterNode};

impl Replica {
    pub(super) fn handle_update_voter_request(
        &mut self,
        cx: &Cx<'_>,
        asker: &Asker,
        request: UpdateRaftVoterRequest,
    ) -> Result<UpdateRaftVoterResponse, RaftFault> {
        let error = if self.has_valid_cluster_id(request.cluster_id.as_deref()) {
            match self.leader_of(request.current_leader_epoch) {
                Ok((leader, shared)) => leader.update_voter(shared, cx, request)?,
                Err(error) => error,
            }
        } else {
            Errors::INCONSISTENT_CLUSTER_ID
        };
        let leader_address = self
            .role
            .leader_endpoints()
            .address(&asker.listener_name)
            .cloned();
        Ok(UpdateRaftVoterResponse {
            error_code: error,
            leader_id: leader_id_or_sentinel(&*self.role),
            leader_epoch: self.role.epoch(),
            leader_address,
        })
    }

    pub(super) fn handle_update_voter_response(
        &mut self,
        cx: &mut Cx<'_>,
        response: UpdateRaftVoterResponse,
    ) -> Result<ResponseOutcome, RaftFault> {
        let listener = self.shared.config.listener_name.clone();
        let address = match self.shared.rules.raft.update_voter_leader_address {
            UpdateVoterLeaderAddress::WhenPresent => response.leader_address,
            // Where there is one it is not used, and where there is none, nothing.
            UpdateVoterLeaderAddress::WhenAbsent => None,
        };
        let leader = (response.leader_id >= 0).then_some(NodeId(response.leader_id));
        let endpoints = match (leader, address) {
            (Some(_), Some(address)) => Endpoints::new([(listener, address)]),
            _ => Endpoints::empty(),
        };
        let news = LeaderNews {
            leader,
            epoch: response.leader_epoch,
            endpoints,
        };
        let error = response.error_code;
        if let Some(outcome) = self.maybe_handle_common_response(cx, error, &news)? {
            return Ok(outcome);
        }
        if self.shared.rules.raft.kraft_version_upgrade == UpgradeRule::Absent {
            return Ok(ResponseOutcome::Handled);
        }
        if ![Errors::NONE, Errors::UNSUPPORTED_VERSION].contains(&error) {
            return Ok(ResponseOutcome::Failed);
        }
        let (follower, _) = self.follower_mut()?;
        follower.has_updated_leader = true;
        follower.fetched_successfully(cx.now_ms);
        Ok(ResponseOutcome::Handled)
    }
}

impl Leader {
    /// `UPDATE_RAFT_VOTER`. Returns what is answered.
    fn update_voter(
        &mut self,
        shared: &mut Shared,
        cx: &Cx<'_>,
        request: UpdateRaftVoterRequest,
    ) -> Result<Errors, RaftFault> {
        let voter_key = ReplicaKey::new(NodeId(request.voter_id), request.voter_directory_id);
        let range = request.kraft_version_feature;
        let makes_sense = request.voter_id >= 0
            && voter_key.directory_id.is_some()
            && request
                .listeners
                .address(&shared.config.listener_name)
                .is_some()
            && (0..=range.max).contains(&range.min);
        if !makes_sense {
            return Ok(Errors::INVALID_REQUEST);
        }
        self.expire_voter_changes(shared, cx.now_ms);
        let kraft_version = shared.partition.last_kraft_version();
        let can_upgrade = shared.rules.raft.kraft_version_upgrade == UpgradeRule::Online;
        let entry = shared
            .partition
            .last_voter_set_entry()
            .map(|(at, set)| (at, set.clone()));
        let is_busy = self.add_voter.is_some() || self.remove_voter.is_some();
        let Some(high_watermark) = self.high_watermark().filter(|_| !is_busy) else {
            return Ok(Errors::REQUEST_TIMED_OUT);
        };
        let is_dynamic = is_reconfig_supported(kraft_version);
        let voters = match (&self.kraft_version_upgrade, entry) {
            (_, Some((offset, voters))) if is_dynamic && offset < high_watermark => voters,
            (KRaftVersionUpgrade::CollectsVoters(voters), _) if !is_dynamic => voters.clone(),
            _ if !is_dynamic && !can_upgrade => return Ok(Errors::UNSUPPORTED_VERSION),
            _ => return Ok(Errors::REQUEST_TIMED_OUT),
        };
        if !range.contains(kraft_version) {
            return Ok(Errors::INVALID_REQUEST);
        }
        let node = VoterNode {
            voter_key,
            listeners: request.listeners,
            supported_kraft_version: range,
        };
        let updated = if is_dynamic {
            voters.update_voter(node)
        } else {
            voters.update_voter_ignoring_directory_id(node)
        };
        let Some(updated) = updated else {
            return Ok(Errors::VOTER_NOT_FOUND);
        };
        if is_dynamic {
            self.append_voters_record(&mut shared.buffers, cx.now_ms, &updated);
        } else {
            self.kraft_version_upgrade = KRaftVersionUpgrade::CollectsVoters(updated);
        }
        if can_upgrade {
            self.update_check_quorum(voter_key, cx.now_ms)?;
        }
        Ok(Errors::NONE)
    }
}
