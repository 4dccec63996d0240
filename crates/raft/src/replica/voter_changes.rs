//! Adding and removing voters (KIP-853): one change at a time, each with a VOTERS record.
//!
//! Source: `4.4:raft/…/internals/{AddVoterHandler,RemoveVoterHandler,ChangeVoterHandlerState}.java`.

use records::{NodeId, ReplicaKey};

use super::Replica;
use super::asker::Asker;
use super::shared::{Cx, Shared};
use crate::buffer_pool::BufferPool;
use crate::message::{
    AddRaftVoterRequest, ApiVersionsResponse, Errors, Node, RemoveRaftVoterRequest, Request,
    Response, VoterChangeResponse,
};
use crate::partition_state::is_reconfig_supported;
use crate::request_manager::ResponseOutcome;
use crate::role::{AddVoter, EpochState, Leader, RemoveVoter};
use crate::timer::Timer;
use crate::{RaftFault, VoterNode, VoterSet, control_batch};

type Refusal = VoterChangeResponse;

impl Replica {
    /// The leader that may begin a change of voters.
    pub(super) fn leader_for_voter_change(
        &mut self,
        cluster_id: Option<&str>,
    ) -> Result<(&mut Leader, &mut Shared), Refusal> {
        if !self.has_valid_cluster_id(cluster_id) {
            let given = cluster_id.unwrap_or_default();
            let local = &self.shared.config.cluster_id;
            let message = format!("cluster id {given} was given, this cluster's is {local}");
            return Err(Refusal::because(Errors::INCONSISTENT_CLUSTER_ID, message));
        }
        let epoch = self.role.epoch();
        self.leader_of(epoch).map_err(Refusal::failed)
    }

    /// The leader answered the request of a controller that joins by itself (4.2+).
    pub(super) fn handle_join_response(
        &mut self,
        cx: &mut Cx<'_>,
        error: Errors,
        already_done: Errors,
    ) -> Result<ResponseOutcome, RaftFault> {
        if ![Errors::NONE, Errors::REQUEST_TIMED_OUT, already_done].contains(&error) {
            return Ok(ResponseOutcome::Failed);
        }
        let (follower, _) = self.follower_mut()?;
        follower.restart_update_voter_period(cx.now_ms);
        Ok(ResponseOutcome::Handled)
    }
}

impl Leader {
    /// Appends a VOTERS record. Returns its offset.
    pub(super) fn append_voters_record(
        &mut self,
        buffers: &mut BufferPool,
        now_ms: i64,
        voters: &VoterSet,
    ) -> i64 {
        self.accumulator.append_control(now_ms, buffers, |builder| {
            control_batch::append(builder, &control_batch::voters(voters));
        })
    }

    /// What a change of voters needs: no other one under way, the last one committed, kraft.version 1.
    fn changeable_voters(
        &mut self,
        shared: &mut Shared,
        now_ms: i64,
        what: &str,
    ) -> Result<VoterSet, Refusal> {
        let timed_out =
            |message: &str| Refusal::because(Errors::REQUEST_TIMED_OUT, message.to_owned());
        self.expire_voter_changes(shared, now_ms);
        if self.add_voter.is_some() || self.remove_voter.is_some() {
            return Err(timed_out("another change of voters is under way"));
        }
        let Some(high_watermark) = self.high_watermark() else {
            return Err(timed_out(
                "the leader has not committed a record of its epoch yet",
            ));
        };
        let kraft_version = shared.partition.last_kraft_version();
        if !is_reconfig_supported(kraft_version) {
            let message =
                format!("{what} a voter needs kraft.version 1, and it is {kraft_version}");
            return Err(Refusal::because(Errors::UNSUPPORTED_VERSION, message));
        }
        match shared.partition.last_voter_set_entry() {
            Some((offset, voters)) if offset < high_watermark => Ok(voters.clone()),
            _ => Err(timed_out("the last change of voters is not committed yet")),
        }
    }

    /// `ADD_RAFT_VOTER`.
    pub(super) fn begin_adding_voter(
        &mut self,
        shared: &mut Shared,
        cx: &Cx<'_>,
        asker: &Asker,
        request: AddRaftVoterRequest,
    ) -> Result<(), Refusal> {
        let invalid = |message: String| Refusal::because(Errors::INVALID_REQUEST, message);
        let voter_key = ReplicaKey::new(NodeId(request.voter_id), request.voter_directory_id);
        if request.voter_id < 0 || voter_key.directory_id.is_none() {
            return Err(invalid(
                "the request names no voter with its directory".to_owned(),
            ));
        }
        let listener = &shared.config.listener_name;
        let Some(address) = request.listeners.address(listener).cloned() else {
            return Err(invalid(format!(
                "the request has no endpoint for listener {listener}"
            )));
        };
        let voters = self.changeable_voters(shared, cx.now_ms, "adding")?;
        if voters.voter(voter_key.id).is_some() {
            let message = format!("{voter_key} has the id of one of the voters {voters}");
            return Err(Refusal::because(Errors::DUPLICATE_VOTER, message));
        }
        let to = Node {
            id: voter_key.id.0,
            address,
        };
        let sent = shared.maybe_send_request(cx.now_ms, &to, |_| Ok(Request::ApiVersions))?;
        if !sent.request_sent {
            let message = format!("{voter_key} cannot be asked for its versions now");
            return Err(Refusal::because(Errors::REQUEST_TIMED_OUT, message));
        }
        self.add_voter = Some(AddVoter {
            voter_key,
            voter_endpoints: request.listeners,
            ack_when_committed: request.ack_when_committed,
            timeout: Timer::new(cx.now_ms, sent.time_to_wait_ms),
            token: Some(asker.token),
            last_offset: None,
        });
        Ok(())
    }

    /// The would-be voter told its versions, or could not be reached.
    pub(super) fn handle_api_versions_response(
        &mut self,
        shared: &mut Shared,
        cx: &Cx<'_>,
        source: &Node,
        response: &ApiVersionsResponse,
    ) -> Result<ResponseOutcome, RaftFault> {
        let kraft_version = shared.partition.last_kraft_version();
        let last_voters = shared.partition.last_voter_set();
        let Some(adding) = &self.add_voter else {
            return Ok(ResponseOutcome::Handled);
        };
        if adding.last_offset.is_some() || adding.voter_key.id.0 != source.id {
            return Ok(ResponseOutcome::Handled);
        }
        let (key, error) = (adding.voter_key, response.error_code);
        if error != Errors::NONE {
            let message = format!("{key} answered API_VERSIONS with {error}");
            self.finish_add_voter(shared, Refusal::because(Errors::REQUEST_TIMED_OUT, message));
            return Ok(ResponseOutcome::Failed);
        }
        let Some(range) = response
            .kraft_version
            .filter(|range| range.contains(kraft_version))
        else {
            let message = format!("{key} does not support kraft.version {kraft_version}");
            self.finish_add_voter(shared, Refusal::because(Errors::INVALID_REQUEST, message));
            return Ok(ResponseOutcome::Handled);
        };
        if !self.is_replica_caught_up(key, cx.now_ms) {
            let message = format!("{key} is not caught up");
            self.finish_add_voter(shared, Refusal::because(Errors::REQUEST_TIMED_OUT, message));
            return Ok(ResponseOutcome::Handled);
        }
        let node = VoterNode {
            voter_key: key,
            listeners: adding.voter_endpoints.clone(),
            supported_kraft_version: range,
        };
        let voters = last_voters.add_voter(node).ok_or_else(|| {
            RaftFault::illegal(format!("{key} cannot be added to the voters {last_voters}"))
        })?;
        let last_offset = self.append_voters_record(&mut shared.buffers, cx.now_ms, &voters);
        let mut answered = None;
        if let Some(adding) = &mut self.add_voter {
            adding.last_offset = Some(last_offset);
            if !adding.ack_when_committed {
                answered = adding.token.take();
            }
        }
        if let Some(token) = answered {
            shared.reply(
                token,
                Response::AddRaftVoter(VoterChangeResponse::failed(Errors::NONE)),
            );
        }
        Ok(ResponseOutcome::Handled)
    }

    /// Checks the request and appends the voters without that one; the answer waits until this is committed.
    pub(super) fn begin_removing_voter(
        &mut self,
        shared: &mut Shared,
        cx: &Cx<'_>,
        asker: &Asker,
        request: &RemoveRaftVoterRequest,
    ) -> Result<(), Refusal> {
        let key = ReplicaKey::new(NodeId(request.voter_id), request.voter_directory_id);
        if request.voter_id < 0 || key.directory_id.is_none() {
            let message = "the request names no voter with its directory".to_owned();
            return Err(Refusal::because(Errors::INVALID_REQUEST, message));
        }
        let voters = self.changeable_voters(shared, cx.now_ms, "removing")?;
        let Some(fewer) = voters.remove_voter(key) else {
            let message = format!("{key} cannot be removed from the voters {voters}");
            return Err(Refusal::because(Errors::VOTER_NOT_FOUND, message));
        };
        let timeout_ms = i64::from(shared.config.request_timeout_ms);
        let last_offset = self.append_voters_record(&mut shared.buffers, cx.now_ms, &fewer);
        self.remove_voter = Some(RemoveVoter {
            timeout: Timer::new(cx.now_ms, timeout_ms),
            token: asker.token,
            last_offset,
        });
        Ok(())
    }

    fn finish_add_voter(&mut self, shared: &mut Shared, response: VoterChangeResponse) {
        if let Some(token) = self.add_voter.take().and_then(|adding| adding.token) {
            shared.reply(token, Response::AddRaftVoter(response));
        }
    }

    fn finish_remove_voter(&mut self, shared: &mut Shared, response: VoterChangeResponse) {
        if let Some(removing) = self.remove_voter.take() {
            shared.reply(removing.token, Response::RemoveRaftVoter(response));
        }
    }

    /// Ends the change under way with an error.
    pub(super) fn finish_voter_changes(&mut self, shared: &mut Shared, error: Errors) {
        self.finish_add_voter(shared, VoterChangeResponse::failed(error));
        self.finish_remove_voter(shared, VoterChangeResponse::failed(error));
    }

    /// Ends a change whose time is over. Returns the milliseconds until the next one's is.
    pub(super) fn expire_voter_changes(&mut self, shared: &mut Shared, now_ms: i64) -> i64 {
        let adding = self
            .add_voter
            .as_mut()
            .map(|adding| adding.timeout.remaining_ms(now_ms));
        let removing = self
            .remove_voter
            .as_mut()
            .map(|gone| gone.timeout.remaining_ms(now_ms));
        if adding == Some(0) {
            self.finish_add_voter(
                shared,
                VoterChangeResponse::failed(Errors::REQUEST_TIMED_OUT),
            );
        }
        if removing == Some(0) {
            self.finish_remove_voter(
                shared,
                VoterChangeResponse::failed(Errors::REQUEST_TIMED_OUT),
            );
        }
        [adding, removing]
            .into_iter()
            .flatten()
            .filter(|ms| *ms != 0)
            .min()
            .unwrap_or(i64::MAX)
    }

    /// The high watermark moved: a change that is committed is done, and a leader that removed itself goes.
    pub(super) fn voter_changes_committed(&mut self, shared: &mut Shared, high_watermark: i64) {
        let added = self
            .add_voter
            .as_ref()
            .and_then(|adding| adding.last_offset);
        let removed = self
            .remove_voter
            .as_ref()
            .map(|removing| removing.last_offset);
        if added.is_some_and(|offset| high_watermark > offset) {
            self.finish_add_voter(shared, VoterChangeResponse::failed(Errors::NONE));
        }
        if removed.is_some_and(|offset| high_watermark > offset) {
            self.finish_remove_voter(shared, VoterChangeResponse::failed(Errors::NONE));
            if !shared.is_voter() {
                self.request_resign();
            }
        }
    }
}
