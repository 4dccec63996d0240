//! What a follower has to do at a poll: fetch, and say what it is.

use records::ReplicaKey;
use releases::raft::{
    AutoJoin, FetchLimit, HighWatermarkNews, ObserverFetchTimeout, UpdateVoter, UpdateVoterIdle,
    VoterUpdateWakeup,
};

use super::shared::{Cx, Shared};
use super::turn::{RoleChange, Turn};
use crate::message::{
    AddRaftVoterRequest, FetchRequest, FetchSnapshotRequest, RemoveRaftVoterRequest, Request,
    UpdateRaftVoterRequest,
};
use crate::partition_state::is_reconfig_supported;
use crate::role::{EpochState, Follower};
use crate::snapshot_download::SnapshotDownload;
use crate::{AutoJoinSetting, RaftFault, VoterAbility};

/// How long a fetch may wait at the leader.
const MAX_FETCH_WAIT_MS: i32 = 500;

/// What a fetch asks for where that is not configured.
const FIXED_FETCH_BYTES: i32 = 8 * 1024 * 1024;

impl Follower {
    pub(super) fn poll(&mut self, shared: &mut Shared, cx: &Cx<'_>) -> Result<Turn, RaftFault> {
        if shared.is_voter() {
            self.poll_as_voter(shared, cx)
        } else {
            self.poll_as_observer(shared, cx).map(Turn::Wait)
        }
    }

    fn poll_as_voter(&mut self, shared: &mut Shared, cx: &Cx<'_>) -> Result<Turn, RaftFault> {
        let backoff_ms = if shared.shutdown.is_some() {
            0
        } else if self.fetch_timer.is_expired(cx.now_ms) {
            return Ok(Turn::Change(RoleChange::StandForElection));
        } else if self.update_voter_timer.is_expired(cx.now_ms) {
            self.end_update_voter_period(shared, cx)?
        } else {
            self.maybe_send_fetch_to_best_node(shared, cx)?
        };
        let fetch_ms = self.fetch_timer.remaining_ms(cx.now_ms);
        let update_ms = match shared.rules.raft.voter_update_wakeup {
            VoterUpdateWakeup::Counted => self.update_voter_timer.remaining_ms(cx.now_ms),
            VoterUpdateWakeup::NotCounted => i64::MAX,
        };
        Ok(Turn::Wait(backoff_ms.min(fetch_ms).min(update_ms)))
    }

    /// The period of voter updates is over: tell the leader what this voter is, if there is need to.
    fn end_update_voter_period(
        &mut self,
        shared: &mut Shared,
        cx: &Cx<'_>,
    ) -> Result<i64, RaftFault> {
        if self.should_send_update_voter(shared) {
            let leader = self.leader_node(&shared.config.listener_name)?;
            let sent = shared.maybe_send_request(cx.now_ms, &leader, |shared| {
                Ok::<_, RaftFault>(self.build_update_voter(shared))
            })?;
            let restart = match shared.rules.raft.update_voter {
                UpdateVoter::WhenOutOfDate => true,
                UpdateVoter::AlsoToEveryLeader => sent.request_sent,
            };
            if restart {
                self.restart_update_voter_period(cx.now_ms);
            }
            return Ok(sent.time_to_wait_ms);
        }
        let wait_ms = match shared.rules.raft.update_voter_idle {
            UpdateVoterIdle::FetchesFromLeader => {
                self.maybe_send_fetch_or_fetch_snapshot(shared, cx)?
            }
            UpdateVoterIdle::FetchesFromBestNode => {
                self.maybe_send_fetch_to_best_node(shared, cx)?
            }
        };
        self.restart_update_voter_period(cx.now_ms);
        Ok(wait_ms)
    }

    fn should_send_update_voter(&self, shared: &Shared) -> bool {
        if is_reconfig_supported(shared.partition.last_kraft_version()) {
            let voters = shared.partition.last_voter_set();
            return voters.voter_node_needs_update(&shared.local_voter_node());
        }
        match shared.rules.raft.update_voter {
            UpdateVoter::WhenOutOfDate => false,
            UpdateVoter::AlsoToEveryLeader => !self.has_updated_leader,
        }
    }

    fn poll_as_observer(&mut self, shared: &mut Shared, cx: &Cx<'_>) -> Result<i64, RaftFault> {
        let rule = shared.rules.raft.observer_fetch_timeout;
        if rule == ObserverFetchTimeout::AsksBootstrapServers {
            return if self.fetch_timer.is_expired(cx.now_ms) {
                shared.maybe_send_fetch_to_any_bootstrap(cx.now_ms, self)
            } else {
                self.maybe_send_fetch_to_best_node(shared, cx)
            };
        }
        if shared.shutdown.is_some() {
            return Ok(0);
        }
        if shared.joins_by_itself() && self.update_voter_timer.is_expired(cx.now_ms) {
            return self.join_voters(shared, cx);
        }
        self.maybe_send_fetch_to_best_node(shared, cx)
    }

    /// Asks to be added; or, where an older directory of this node is a voter, that that one be removed first.
    fn join_voters(&mut self, shared: &mut Shared, cx: &Cx<'_>) -> Result<i64, RaftFault> {
        let leader = self.leader_node(&shared.config.listener_name)?;
        let sent = shared.maybe_send_request(cx.now_ms, &leader, |shared| {
            let own_entry = shared
                .partition
                .last_voter_set()
                .voter(shared.config.node_id);
            Ok::<_, RaftFault>(match own_entry {
                Some(old) => shared.build_remove_voter(old.voter_key),
                None => shared.build_add_voter(),
            })
        })?;
        if sent.request_sent {
            self.restart_update_voter_period(cx.now_ms);
        }
        Ok(sent.time_to_wait_ms)
    }

    /// Fetches from the leader; where it does not answer, from a bootstrap server, to hear of another leader.
    fn maybe_send_fetch_to_best_node(
        &mut self,
        shared: &mut Shared,
        cx: &Cx<'_>,
    ) -> Result<i64, RaftFault> {
        let leader = self.leader_node(&shared.config.listener_name)?;
        let requests = &mut shared.requests;
        let backoff_ms = if requests.has_request_timed_out(self.leader, cx.now_ms) {
            requests.reset(leader.id);
            shared.maybe_send_fetch_to_any_bootstrap(cx.now_ms, self)?
        } else if requests.is_backing_off(leader.id, cx.now_ms) {
            shared.maybe_send_fetch_to_any_bootstrap(cx.now_ms, self)?
        } else if requests.has_any_inflight_request(cx.now_ms) {
            requests.backoff_before_available_bootstrap_server(cx.now_ms)
        } else {
            self.maybe_send_fetch_or_fetch_snapshot(shared, cx)?
        };
        Ok(backoff_ms.min(self.fetch_timer.remaining_ms(cx.now_ms)))
    }

    fn maybe_send_fetch_or_fetch_snapshot(
        &self,
        shared: &mut Shared,
        cx: &Cx<'_>,
    ) -> Result<i64, RaftFault> {
        let leader = self.leader_node(&shared.config.listener_name)?;
        let sent = shared.maybe_send_request(cx.now_ms, &leader, |shared| {
            match &self.fetching_snapshot {
                Some(download) => Ok(self.build_fetch_snapshot(shared, download)),
                None => shared.build_fetch_request(self),
            }
        })?;
        Ok(sent.time_to_wait_ms)
    }

    fn build_fetch_snapshot(&self, shared: &Shared, download: &SnapshotDownload) -> Request {
        let local = shared.local_key();
        Request::FetchSnapshot(FetchSnapshotRequest {
            cluster_id: Some(shared.config.cluster_id.clone()),
            replica_id: local.id.0,
            replica_directory_id: local.directory_id_or_zero(),
            max_bytes: match shared.rules.raft.fetch_limit {
                FetchLimit::EightMebibytes => FIXED_FETCH_BYTES,
                FetchLimit::Configured => shared.config.fetch_snapshot_max_bytes,
            },
            current_leader_epoch: self.epoch,
            snapshot_id: download.snapshot_id,
            position: download.writer.size() as i64,
        })
    }

    fn build_update_voter(&self, shared: &Shared) -> Request {
        let local = shared.local_voter_node();
        Request::UpdateRaftVoter(UpdateRaftVoterRequest {
            cluster_id: Some(shared.config.cluster_id.clone()),
            current_leader_epoch: self.epoch,
            voter_id: local.voter_key.id.0,
            voter_directory_id: local.voter_key.directory_id_or_zero(),
            listeners: local.listeners,
            kraft_version_feature: local.supported_kraft_version,
        })
    }
}

impl Shared {
    fn joins_by_itself(&self) -> bool {
        self.rules.raft.auto_join == AutoJoin::Configurable
            && self.config.auto_join == AutoJoinSetting::Enabled
            && self.config.voter_ability == VoterAbility::CanBecomeVoter
            && is_reconfig_supported(self.partition.last_kraft_version())
    }

    pub(super) fn build_fetch_request(&self, state: &dyn EpochState) -> Result<Request, RaftFault> {
        let end = self.end_of_log()?;
        let high_watermark = match self.rules.raft.high_watermark_news {
            HighWatermarkNews::Pushed => state.high_watermark().unwrap_or(-1),
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
            current_leader_epoch: state.epoch(),
            fetch_offset: end.offset,
            last_fetched_epoch: end.epoch,
            high_watermark,
        }))
    }

    fn build_add_voter(&self) -> Request {
        let local = self.local_voter_node();
        Request::AddRaftVoter(AddRaftVoterRequest {
            cluster_id: Some(self.config.cluster_id.clone()),
            timeout_ms: self.config.request_timeout_ms,
            voter_id: local.voter_key.id.0,
            voter_directory_id: local.voter_key.directory_id_or_zero(),
            listeners: local.listeners,
            ack_when_committed: false,
        })
    }

    fn build_remove_voter(&self, old: ReplicaKey) -> Request {
        Request::RemoveRaftVoter(RemoveRaftVoterRequest {
            cluster_id: Some(self.config.cluster_id.clone()),
            voter_id: old.id.0,
            voter_directory_id: old.directory_id_or_zero(),
        })
    }
}
