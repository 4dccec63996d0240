//! What a follower has to do at a poll: fetch, and say what it is.

use records::ReplicaKey;
use releases::raft::{
    AutoJoin, FetchLimit, HighWatermarkNews, ObserverFetchTimeout, UpdateVoter, UpdateVoterIdle,
    VoterUpdateWakeup,
};

use super::{Cx, Replica};
use crate::message::{
    AddRaftVoterRequest, FetchRequest, FetchSnapshotRequest, Node, RemoveRaftVoterRequest, Request,
    UpdateRaftVoterRequest,
};
use crate::partition_state::is_reconfig_supported;
use crate::role::{Follower, State};
use crate::{AutoJoinSetting, RaftFault, VoterAbility};

/// How long a fetch may wait at the leader.
const MAX_FETCH_WAIT_MS: i32 = 500;

/// What a fetch asks for where that is not configured.
const FIXED_FETCH_BYTES: i32 = 8 * 1024 * 1024;

impl Replica {
    pub(super) fn follower_mut(&mut self) -> Result<&mut Follower, RaftFault> {
        let role = self.state.role();
        match &mut self.state {
            State::Follower(follower) => Ok(follower),
            _ => Err(RaftFault::illegal(format!(
                "expected to be Follower, but is {role}"
            ))),
        }
    }

    pub(super) fn poll_follower(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        if self.is_voter() {
            self.poll_follower_as_voter(cx)
        } else {
            self.poll_observer(cx)
        }
    }

    fn poll_follower_as_voter(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        let is_shutting_down = self.shutdown.is_some();
        let follower = self.follower_mut()?;
        let backoff_ms = if is_shutting_down {
            0
        } else if follower.fetch_timer.is_expired(cx.now_ms) {
            self.stand_for_election(cx)?;
            return Ok(0);
        } else if follower.update_voter_timer.is_expired(cx.now_ms) {
            self.end_update_voter_period(cx)?
        } else {
            self.maybe_send_fetch_to_best_node(cx)?
        };
        let wakeup = self.rules.raft.voter_update_wakeup;
        let follower = self.follower_mut()?;
        let fetch_ms = follower.fetch_timer.remaining_ms(cx.now_ms);
        let update_ms = match wakeup {
            VoterUpdateWakeup::Counted => follower.update_voter_timer.remaining_ms(cx.now_ms),
            VoterUpdateWakeup::NotCounted => i64::MAX,
        };
        Ok(backoff_ms.min(fetch_ms).min(update_ms))
    }

    /// The period of voter updates is over: tell the leader what this voter is, if there is need to.
    fn end_update_voter_period(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        if self.should_send_update_voter()? {
            let leader = self.leader_node()?;
            let sent = self.maybe_send_request(cx.now_ms, &leader, Replica::build_update_voter)?;
            let restart = match self.rules.raft.update_voter {
                UpdateVoter::WhenOutOfDate => true,
                UpdateVoter::AlsoToEveryLeader => sent.request_sent,
            };
            if restart {
                self.follower_mut()?.restart_update_voter_period(cx.now_ms);
            }
            return Ok(sent.time_to_wait_ms);
        }
        let wait_ms = match self.rules.raft.update_voter_idle {
            UpdateVoterIdle::FetchesFromLeader => self.maybe_send_fetch_or_fetch_snapshot(cx)?,
            UpdateVoterIdle::FetchesFromBestNode => self.maybe_send_fetch_to_best_node(cx)?,
        };
        self.follower_mut()?.restart_update_voter_period(cx.now_ms);
        Ok(wait_ms)
    }

    fn should_send_update_voter(&mut self) -> Result<bool, RaftFault> {
        if is_reconfig_supported(self.partition.last_kraft_version()) {
            let local = self.local_voter_node();
            return Ok(self
                .partition
                .last_voter_set()
                .voter_node_needs_update(&local));
        }
        match self.rules.raft.update_voter {
            UpdateVoter::WhenOutOfDate => Ok(false),
            UpdateVoter::AlsoToEveryLeader => Ok(!self.follower_mut()?.has_updated_leader),
        }
    }

    fn poll_observer(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        let rule = self.rules.raft.observer_fetch_timeout;
        if rule == ObserverFetchTimeout::AsksBootstrapServers {
            return if self.follower_mut()?.fetch_timer.is_expired(cx.now_ms) {
                self.maybe_send_fetch_to_any_bootstrap(cx.now_ms)
            } else {
                self.maybe_send_fetch_to_best_node(cx)
            };
        }
        if self.shutdown.is_some() {
            return Ok(0);
        }
        if self.should_join(cx.now_ms)? {
            return self.join_voters(cx);
        }
        self.maybe_send_fetch_to_best_node(cx)
    }

    fn should_join(&mut self, now_ms: i64) -> Result<bool, RaftFault> {
        Ok(self.joins_by_itself() && self.follower_mut()?.update_voter_timer.is_expired(now_ms))
    }

    pub(super) fn joins_by_itself(&self) -> bool {
        self.rules.raft.auto_join == AutoJoin::Configurable
            && self.config.auto_join == AutoJoinSetting::Enabled
            && self.config.voter_ability == VoterAbility::CanBecomeVoter
            && is_reconfig_supported(self.partition.last_kraft_version())
    }

    /// Asks to be added; or, where an older directory of this node is a voter, that that one be removed first.
    fn join_voters(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        let leader = self.leader_node()?;
        let own_entry = self.partition.last_voter_set().voter(self.config.node_id);
        let sent = match own_entry.map(|voter| voter.voter_key) {
            Some(old) => self.maybe_send_request(cx.now_ms, &leader, |replica| {
                replica.build_remove_voter(old)
            })?,
            None => self.maybe_send_request(cx.now_ms, &leader, Replica::build_add_voter)?,
        };
        if sent.request_sent {
            self.follower_mut()?.restart_update_voter_period(cx.now_ms);
        }
        Ok(sent.time_to_wait_ms)
    }

    fn leader_node(&mut self) -> Result<Node, RaftFault> {
        let listener = self.config.listener_name.clone();
        self.follower_mut()?.leader_node(&listener)
    }

    /// Fetches from the leader; where it does not answer, from a bootstrap server, to hear of another leader.
    fn maybe_send_fetch_to_best_node(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        let leader = self.leader_node()?;
        let leader_id = records::NodeId(leader.id);
        let backoff_ms = if self.requests.has_request_timed_out(leader_id, cx.now_ms) {
            self.requests.reset(leader.id);
            self.maybe_send_fetch_to_any_bootstrap(cx.now_ms)?
        } else if self.requests.is_backing_off(leader.id, cx.now_ms) {
            self.maybe_send_fetch_to_any_bootstrap(cx.now_ms)?
        } else if self.requests.has_any_inflight_request(cx.now_ms) {
            self.requests
                .backoff_before_available_bootstrap_server(cx.now_ms)
        } else {
            self.maybe_send_fetch_or_fetch_snapshot(cx)?
        };
        Ok(backoff_ms.min(self.follower_mut()?.fetch_timer.remaining_ms(cx.now_ms)))
    }

    fn maybe_send_fetch_or_fetch_snapshot(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        let leader = self.leader_node()?;
        let sent = self.maybe_send_request(cx.now_ms, &leader, |replica| match &replica.state {
            State::Follower(Follower {
                fetching_snapshot: Some(download),
                ..
            }) => replica.build_fetch_snapshot(download.snapshot_id, download.writer.size()),
            _ => replica.build_fetch_request(),
        })?;
        Ok(sent.time_to_wait_ms)
    }

    pub(super) fn build_fetch_request(&self) -> Result<Request, RaftFault> {
        let end = self.end_of_log()?;
        let high_watermark = match self.rules.raft.high_watermark_news {
            HighWatermarkNews::Pushed => self.state.high_watermark().unwrap_or(-1),
            HighWatermarkNews::WithNextData => i64::MAX,
        };
        let local = self.local_key();
        Ok(Request::Fetch(FetchRequest {
            cluster_id: Some(self.config.cluster_id.clone()),
            replica_id: local.id.0,
            replica_directory_id: local.directory_id_or_zero(),
            max_wait_ms: MAX_FETCH_WAIT_MS,
            max_bytes: match self.rules.raft.fetch_limit {
                FetchLimit::EightMebibytes => FIXED_FETCH_BYTES,
                FetchLimit::Configured => self.config.fetch_max_bytes,
            },
            current_leader_epoch: self.state.epoch(),
            fetch_offset: end.offset,
            last_fetched_epoch: end.epoch,
            high_watermark,
        }))
    }

    fn build_fetch_snapshot(
        &self,
        id: records::OffsetAndEpoch,
        position: u64,
    ) -> Result<Request, RaftFault> {
        let local = self.local_key();
        Ok(Request::FetchSnapshot(FetchSnapshotRequest {
            cluster_id: Some(self.config.cluster_id.clone()),
            replica_id: local.id.0,
            replica_directory_id: local.directory_id_or_zero(),
            max_bytes: match self.rules.raft.fetch_limit {
                FetchLimit::EightMebibytes => FIXED_FETCH_BYTES,
                FetchLimit::Configured => self.config.fetch_snapshot_max_bytes,
            },
            current_leader_epoch: self.state.epoch(),
            snapshot_id: id,
            position: position as i64,
        }))
    }

    fn build_update_voter(&self) -> Result<Request, RaftFault> {
        let local = self.local_voter_node();
        Ok(Request::UpdateRaftVoter(UpdateRaftVoterRequest {
            cluster_id: Some(self.config.cluster_id.clone()),
            current_leader_epoch: self.state.epoch(),
            voter_id: local.voter_key.id.0,
            voter_directory_id: local.voter_key.directory_id_or_zero(),
            listeners: local.listeners,
            kraft_version_feature: local.supported_kraft_version,
        }))
    }

    fn build_add_voter(&self) -> Result<Request, RaftFault> {
        let local = self.local_voter_node();
        Ok(Request::AddRaftVoter(AddRaftVoterRequest {
            cluster_id: Some(self.config.cluster_id.clone()),
            timeout_ms: self.config.request_timeout_ms,
            voter_id: local.voter_key.id.0,
            voter_directory_id: local.voter_key.directory_id_or_zero(),
            listeners: local.listeners,
            ack_when_committed: false,
        }))
    }

    fn build_remove_voter(&self, old: ReplicaKey) -> Result<Request, RaftFault> {
        Ok(Request::RemoveRaftVoter(RemoveRaftVoterRequest {
            cluster_id: Some(self.config.cluster_id.clone()),
            voter_id: old.id.0,
            voter_directory_id: old.directory_id_or_zero(),
        }))
    }
}
