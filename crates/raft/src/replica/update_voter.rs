//! `UPDATE_RAFT_VOTER`: a voter tells the leader where it is reached and which kraft.version it can do.
//!
//! Source: `4.4:raft/…/internals/UpdateVoterHandler.java`.

use records::{NodeId, ReplicaKey};
use releases::raft::{KRaftVersionUpgrade as UpgradeRule, UpdateVoterLeaderAddress};

use super::inbound::Asker;
use super::response::LeaderNews;
use super::{Cx, Replica};
use crate::message::{Errors, UpdateRaftVoterRequest, UpdateRaftVoterResponse};
use crate::partition_state::is_reconfig_supported;
use crate::request_manager::Outcome;
use crate::role::{KRaftVersionUpgrade, State};
use crate::{Endpoints, RaftFault, VoterNode};

impl Replica {
    pub(super) fn handle_update_voter_request(
        &mut self,
        cx: &mut Cx<'_>,
        asker: &Asker,
        request: UpdateRaftVoterRequest,
    ) -> Result<UpdateRaftVoterResponse, RaftFault> {
        let error = match self.update_voter(cx, request) {
            Ok(()) => Errors::NONE,
            Err(UpdateRefusal::Because(error)) => error,
            Err(UpdateRefusal::Fault(fault)) => return Err(fault),
        };
        let leader_address = self
            .state
            .leader_endpoints()
            .address(&asker.listener_name)
            .cloned();
        Ok(UpdateRaftVoterResponse {
            error_code: error,
            leader_id: self.leader_id_or_sentinel(),
            leader_epoch: self.state.epoch(),
            leader_address,
        })
    }

    fn update_voter(
        &mut self,
        cx: &mut Cx<'_>,
        request: UpdateRaftVoterRequest,
    ) -> Result<(), UpdateRefusal> {
        let refuse = |error| Err(UpdateRefusal::Because(error));
        if !self.has_valid_cluster_id(request.cluster_id.as_deref()) {
            return refuse(Errors::INCONSISTENT_CLUSTER_ID);
        }
        if let Some(error) = self.validate_leader_only_request(request.current_leader_epoch) {
            return refuse(error);
        }
        let voter_key = ReplicaKey::new(NodeId(request.voter_id), request.voter_directory_id);
        let range = request.kraft_version_feature;
        let makes_sense = request.voter_id >= 0
            && voter_key.directory_id.is_some()
            && request
                .listeners
                .address(&self.config.listener_name)
                .is_some()
            && (0..=range.max).contains(&range.min);
        if !makes_sense {
            return refuse(Errors::INVALID_REQUEST);
        }
        self.expire_voter_changes(cx.now_ms);
        let kraft_version = self.partition.last_kraft_version();
        let can_upgrade = self.rules.raft.kraft_version_upgrade == UpgradeRule::Online;
        let entry = self
            .partition
            .last_voter_set_entry()
            .map(|(at, set)| (at, set.clone()));
        let State::Leader(leader) = &mut self.state else {
            return refuse(Errors::NOT_LEADER_OR_FOLLOWER);
        };
        let is_busy = leader.add_voter.is_some() || leader.remove_voter.is_some();
        let Some(high_watermark) = leader.high_watermark().filter(|_| !is_busy) else {
            return refuse(Errors::REQUEST_TIMED_OUT);
        };
        let is_dynamic = is_reconfig_supported(kraft_version);
        let voters = match (&leader.kraft_version_upgrade, entry) {
            (_, Some((offset, voters))) if is_dynamic && offset < high_watermark => voters,
            (KRaftVersionUpgrade::CollectsVoters(voters), _) if !is_dynamic => voters.clone(),
            _ if !is_dynamic && !can_upgrade => return refuse(Errors::UNSUPPORTED_VERSION),
            _ => return refuse(Errors::REQUEST_TIMED_OUT),
        };
        if !range.contains(kraft_version) {
            return refuse(Errors::INVALID_REQUEST);
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
            return refuse(Errors::VOTER_NOT_FOUND);
        };
        if is_dynamic {
            Self::append_voters_record(leader, &mut self.buffers, cx.now_ms, &updated);
        } else {
            leader.kraft_version_upgrade = KRaftVersionUpgrade::CollectsVoters(updated);
        }
        if can_upgrade {
            leader
                .update_check_quorum(voter_key, cx.now_ms)
                .map_err(UpdateRefusal::Fault)?;
        }
        Ok(())
    }

    pub(super) fn handle_update_voter_response(
        &mut self,
        cx: &mut Cx<'_>,
        response: UpdateRaftVoterResponse,
    ) -> Result<Outcome, RaftFault> {
        let listener = self.config.listener_name.clone();
        let address = match self.rules.raft.update_voter_leader_address {
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
        if self.rules.raft.kraft_version_upgrade == UpgradeRule::Absent {
            return Ok(Outcome::Handled);
        }
        if ![Errors::NONE, Errors::UNSUPPORTED_VERSION].contains(&error) {
            return Ok(Outcome::Failed);
        }
        let follower = self.follower_mut()?;
        follower.has_updated_leader = true;
        follower.fetched_successfully(cx.now_ms);
        Ok(Outcome::Handled)
    }
}

enum UpdateRefusal {
    Because(Errors),
    Fault(RaftFault),
}
