//! Adding and removing voters (KIP-853): one change at a time, each with a VOTERS record.
//!
//! Source: `4.4:raft/…/internals/{AddVoterHandler,RemoveVoterHandler,ChangeVoterHandlerState}.java`.

use records::{NodeId, ReplicaKey};

use super::inbound::Asker;
use super::{Cx, Replica};
use crate::buffer_pool::BufferPool;
use crate::message::{
    AddRaftVoterRequest, ApiVersionsResponse, Errors, Node, RemoveRaftVoterRequest, Request,
    Response, VoterChangeResponse,
};
use crate::partition_state::is_reconfig_supported;
use crate::request_manager::Outcome;
use crate::role::{AddVoter, Leader, RemoveVoter, State};
use crate::timer::Timer;
use crate::{RaftFault, VoterNode, VoterSet, control_batch};

type Refusal = VoterChangeResponse;

impl Replica {
    /// Appends a VOTERS record. Returns its offset.
    pub(super) fn append_voters_record(
        leader: &mut Leader,
        buffers: &mut BufferPool,
        now_ms: i64,
        voters: &VoterSet,
    ) -> i64 {
        leader
            .accumulator
            .append_control(now_ms, buffers, |builder| {
                control_batch::append(builder, &control_batch::voters(voters));
            })
    }

    fn refusal_of_voter_change(&self, cluster_id: Option<&str>) -> Option<Refusal> {
        if !self.has_valid_cluster_id(cluster_id) {
            let given = cluster_id.unwrap_or_default();
            let local = &self.config.cluster_id;
            let message = format!("cluster id {given} was given, this cluster's is {local}");
            return Some(Refusal::because(Errors::INCONSISTENT_CLUSTER_ID, message));
        }
        self.validate_leader_only_request(self.state.epoch())
            .map(Refusal::failed)
    }

    /// What a change of voters needs: no other one under way, the last one committed, kraft.version 1.
    fn changeable_voters(&mut self, now_ms: i64, what: &str) -> Result<VoterSet, Refusal> {
        let timed_out =
            |message: &str| Refusal::because(Errors::REQUEST_TIMED_OUT, message.to_owned());
        self.expire_voter_changes(now_ms);
        let State::Leader(leader) = &self.state else {
            return Err(Refusal::failed(Errors::NOT_LEADER_OR_FOLLOWER));
        };
        if leader.add_voter.is_some() || leader.remove_voter.is_some() {
            return Err(timed_out("another change of voters is under way"));
        }
        let Some(high_watermark) = leader.high_watermark() else {
            return Err(timed_out(
                "the leader has not committed a record of its epoch yet",
            ));
        };
        let kraft_version = self.partition.last_kraft_version();
        if !is_reconfig_supported(kraft_version) {
            let message =
                format!("{what} a voter needs kraft.version 1, and it is {kraft_version}");
            return Err(Refusal::because(Errors::UNSUPPORTED_VERSION, message));
        }
        match self.partition.last_voter_set_entry() {
            Some((offset, voters)) if offset < high_watermark => Ok(voters.clone()),
            _ => Err(timed_out("the last change of voters is not committed yet")),
        }
    }

    /// `ADD_RAFT_VOTER`. `None`: the answer follows.
    pub(super) fn handle_add_voter_request(
        &mut self,
        cx: &mut Cx<'_>,
        asker: &Asker,
        request: AddRaftVoterRequest,
    ) -> Option<VoterChangeResponse> {
        self.begin_adding_voter(cx, asker, request).err()
    }

    fn begin_adding_voter(
        &mut self,
        cx: &mut Cx<'_>,
        asker: &Asker,
        request: AddRaftVoterRequest,
    ) -> Result<(), Refusal> {
        if let Some(refusal) = self.refusal_of_voter_change(request.cluster_id.as_deref()) {
            return Err(refusal);
        }
        let invalid = |message: String| Refusal::because(Errors::INVALID_REQUEST, message);
        let voter_key = ReplicaKey::new(NodeId(request.voter_id), request.voter_directory_id);
        if request.voter_id < 0 || voter_key.directory_id.is_none() {
            return Err(invalid(
                "the request names no voter with its directory".to_owned(),
            ));
        }
        let listener = &self.config.listener_name;
        let Some(address) = request.listeners.address(listener).cloned() else {
            return Err(invalid(format!(
                "the request has no endpoint for listener {listener}"
            )));
        };
        let voters = self.changeable_voters(cx.now_ms, "adding")?;
        if voters.voter(voter_key.id).is_some() {
            let message = format!("{voter_key} has the id of one of the voters {voters}");
            return Err(Refusal::because(Errors::DUPLICATE_VOTER, message));
        }
        let to = Node {
            id: voter_key.id.0,
            address,
        };
        let sent = self.maybe_send_request(cx.now_ms, &to, |_| Ok(Request::ApiVersions))?;
        if !sent.request_sent {
            let message = format!("{voter_key} cannot be asked for its versions now");
            return Err(Refusal::because(Errors::REQUEST_TIMED_OUT, message));
        }
        if let State::Leader(leader) = &mut self.state {
            leader.add_voter = Some(AddVoter {
                voter_key,
                voter_endpoints: request.listeners,
                ack_when_committed: request.ack_when_committed,
                timeout: Timer::new(cx.now_ms, sent.time_to_wait_ms),
                token: Some(asker.token),
                last_offset: None,
            });
        }
        Ok(())
    }

    /// The would-be voter told its versions, or could not be reached.
    pub(super) fn handle_api_versions_response(
        &mut self,
        cx: &mut Cx<'_>,
        source: &Node,
        response: &ApiVersionsResponse,
    ) -> Result<Outcome, RaftFault> {
        let kraft_version = self.partition.last_kraft_version();
        let last_voters = self.partition.last_voter_set().clone();
        let State::Leader(leader) = &mut self.state else {
            return Ok(Outcome::Handled);
        };
        let Some(adding) = &leader.add_voter else {
            return Ok(Outcome::Handled);
        };
        if adding.last_offset.is_some() || adding.voter_key.id.0 != source.id {
            return Ok(Outcome::Handled);
        }
        let (key, error) = (adding.voter_key, response.error_code);
        if error != Errors::NONE {
            let message = format!("{key} answered API_VERSIONS with {error}");
            self.finish_add_voter(Refusal::because(Errors::REQUEST_TIMED_OUT, message));
            return Ok(Outcome::Failed);
        }
        let Some(range) = response
            .kraft_version
            .filter(|range| range.contains(kraft_version))
        else {
            let message = format!("{key} does not support kraft.version {kraft_version}");
            self.finish_add_voter(Refusal::because(Errors::INVALID_REQUEST, message));
            return Ok(Outcome::Handled);
        };
        if !leader.is_replica_caught_up(key, cx.now_ms) {
            let message = format!("{key} is not caught up");
            self.finish_add_voter(Refusal::because(Errors::REQUEST_TIMED_OUT, message));
            return Ok(Outcome::Handled);
        }
        let node = VoterNode {
            voter_key: key,
            listeners: adding.voter_endpoints.clone(),
            supported_kraft_version: range,
        };
        let voters = last_voters.add_voter(node).ok_or_else(|| {
            RaftFault::illegal(format!("{key} cannot be added to the voters {last_voters}"))
        })?;
        let last_offset = Self::append_voters_record(leader, &mut self.buffers, cx.now_ms, &voters);
        let mut answered = None;
        if let Some(adding) = &mut leader.add_voter {
            adding.last_offset = Some(last_offset);
            if !adding.ack_when_committed {
                answered = adding.token.take();
            }
        }
        if let Some(token) = answered {
            self.reply(
                token,
                Response::AddRaftVoter(VoterChangeResponse::failed(Errors::NONE)),
            );
        }
        Ok(Outcome::Handled)
    }

    /// `REMOVE_RAFT_VOTER`. `None`: the answer follows.
    pub(super) fn handle_remove_voter_request(
        &mut self,
        cx: &mut Cx<'_>,
        asker: &Asker,
        request: &RemoveRaftVoterRequest,
    ) -> Option<VoterChangeResponse> {
        self.begin_removing_voter(cx, asker, request).err()
    }

    fn begin_removing_voter(
        &mut self,
        cx: &mut Cx<'_>,
        asker: &Asker,
        request: &RemoveRaftVoterRequest,
    ) -> Result<(), Refusal> {
        if let Some(refusal) = self.refusal_of_voter_change(request.cluster_id.as_deref()) {
            return Err(refusal);
        }
        let key = ReplicaKey::new(NodeId(request.voter_id), request.voter_directory_id);
        if request.voter_id < 0 || key.directory_id.is_none() {
            let message = "the request names no voter with its directory".to_owned();
            return Err(Refusal::because(Errors::INVALID_REQUEST, message));
        }
        let voters = self.changeable_voters(cx.now_ms, "removing")?;
        let Some(fewer) = voters.remove_voter(key) else {
            let message = format!("{key} cannot be removed from the voters {voters}");
            return Err(Refusal::because(Errors::VOTER_NOT_FOUND, message));
        };
        let timeout_ms = i64::from(self.config.request_timeout_ms);
        if let State::Leader(leader) = &mut self.state {
            let last_offset =
                Self::append_voters_record(leader, &mut self.buffers, cx.now_ms, &fewer);
            leader.remove_voter = Some(RemoveVoter {
                timeout: Timer::new(cx.now_ms, timeout_ms),
                token: asker.token,
                last_offset,
            });
        }
        Ok(())
    }

    fn finish_add_voter(&mut self, response: VoterChangeResponse) {
        let State::Leader(leader) = &mut self.state else {
            return;
        };
        if let Some(token) = leader.add_voter.take().and_then(|adding| adding.token) {
            self.reply(token, Response::AddRaftVoter(response));
        }
    }

    fn finish_remove_voter(&mut self, response: VoterChangeResponse) {
        let State::Leader(leader) = &mut self.state else {
            return;
        };
        if let Some(removing) = leader.remove_voter.take() {
            self.reply(removing.token, Response::RemoveRaftVoter(response));
        }
    }

    /// Ends the change under way with an error.
    pub(super) fn finish_voter_changes(&mut self, error: Errors) {
        self.finish_add_voter(VoterChangeResponse::failed(error));
        self.finish_remove_voter(VoterChangeResponse::failed(error));
    }

    /// Ends a change whose time is over. Returns the milliseconds until the next one's is.
    pub(super) fn expire_voter_changes(&mut self, now_ms: i64) -> i64 {
        let State::Leader(leader) = &mut self.state else {
            return i64::MAX;
        };
        let adding = leader
            .add_voter
            .as_mut()
            .map(|adding| adding.timeout.remaining_ms(now_ms));
        let removing = leader
            .remove_voter
            .as_mut()
            .map(|gone| gone.timeout.remaining_ms(now_ms));
        if adding == Some(0) {
            self.finish_add_voter(VoterChangeResponse::failed(Errors::REQUEST_TIMED_OUT));
        }
        if removing == Some(0) {
            self.finish_remove_voter(VoterChangeResponse::failed(Errors::REQUEST_TIMED_OUT));
        }
        [adding, removing]
            .into_iter()
            .flatten()
            .filter(|ms| *ms != 0)
            .min()
            .unwrap_or(i64::MAX)
    }

    /// The high watermark moved: a change that is committed is done, and a leader that removed itself goes.
    pub(super) fn voter_changes_committed(&mut self, high_watermark: i64) {
        let State::Leader(leader) = &self.state else {
            return;
        };
        let added = leader
            .add_voter
            .as_ref()
            .and_then(|adding| adding.last_offset);
        let removed = leader
            .remove_voter
            .as_ref()
            .map(|removing| removing.last_offset);
        if added.is_some_and(|offset| high_watermark > offset) {
            self.finish_add_voter(VoterChangeResponse::failed(Errors::NONE));
        }
        if removed.is_some_and(|offset| high_watermark > offset) {
            self.finish_remove_voter(VoterChangeResponse::failed(Errors::NONE));
            let still_voter = self.is_voter();
            if let State::Leader(leader) = &mut self.state
                && !still_voter
            {
                leader.request_resign();
            }
        }
    }

    /// The leader answered the request of a controller that joins by itself (4.2+).
    pub(super) fn handle_join_response(
        &mut self,
        cx: &mut Cx<'_>,
        error: Errors,
        already_done: Errors,
    ) -> Result<Outcome, RaftFault> {
        if ![Errors::NONE, Errors::REQUEST_TIMED_OUT, already_done].contains(&error) {
            return Ok(Outcome::Failed);
        }
        self.follower_mut()?.restart_update_voter_period(cx.now_ms);
        Ok(Outcome::Handled)
    }
}
