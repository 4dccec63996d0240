//! What comes in: who may ask what, and which handler answers.

use std::cmp::Ordering;

use records::{NodeId, ReplicaKey, Uuid};

use super::Replica;
use super::asker::Asker;
use super::shared::{Cx, Shared};
use crate::RaftFault;
use crate::message::{DescribeQuorumResponse, Errors, Inbound, InboundRequest, Request, Response};
use crate::role::{EpochState, Leader, State};

impl Replica {
    pub(super) fn handle_inbound(
        &mut self,
        cx: &mut Cx<'_>,
        inbound: Inbound,
    ) -> Result<(), RaftFault> {
        match inbound {
            Inbound::Request(request) => self.handle_request(cx, request),
            Inbound::Response {
                source,
                correlation_id,
                response,
            } => {
                if self
                    .shared
                    .requests
                    .is_response_expected(source.id, correlation_id)
                {
                    let outcome = self.handle_response(cx, &source, response)?;
                    self.shared
                        .requests
                        .on_response(source.id, correlation_id, outcome, cx.now_ms);
                }
                Ok(())
            }
        }
    }

    fn handle_request(
        &mut self,
        cx: &mut Cx<'_>,
        inbound: InboundRequest,
    ) -> Result<(), RaftFault> {
        let InboundRequest {
            token,
            listener_name,
            api_version,
            request,
        } = inbound;
        let asker = Asker {
            token,
            listener_name,
            api_version,
        };
        let response = match request {
            Request::Vote(request) => Some(Response::Vote(
                self.handle_vote_request(cx, &asker, &request)?,
            )),
            Request::BeginQuorumEpoch(request) => {
                let response = self.handle_begin_quorum_epoch(cx, &asker, &request)?;
                Some(Response::BeginQuorumEpoch(response))
            }
            Request::EndQuorumEpoch(request) => {
                let response = self.handle_end_quorum_epoch(cx, &asker, &request)?;
                Some(Response::EndQuorumEpoch(response))
            }
            Request::Fetch(request) => self
                .handle_fetch_request(cx, asker.clone(), request)?
                .map(Response::Fetch),
            Request::FetchSnapshot(request) => {
                let response = self.handle_fetch_snapshot_request(cx, &asker, &request)?;
                Some(Response::FetchSnapshot(response))
            }
            Request::ApiVersions => Some(Response::ApiVersions(self.shared.answer_api_versions())),
            // Where a change of voters begins, its answer follows.
            Request::AddRaftVoter(request) => self
                .leader_for_voter_change(request.cluster_id.as_deref())
                .and_then(|(leader, shared)| leader.begin_adding_voter(shared, cx, &asker, request))
                .err()
                .map(Response::AddRaftVoter),
            Request::RemoveRaftVoter(request) => self
                .leader_for_voter_change(request.cluster_id.as_deref())
                .and_then(|(leader, shared)| {
                    leader.begin_removing_voter(shared, cx, &asker, &request)
                })
                .err()
                .map(Response::RemoveRaftVoter),
            Request::UpdateRaftVoter(request) => {
                let response = self.handle_update_voter_request(cx, &asker, request)?;
                Some(Response::UpdateRaftVoter(response))
            }
            Request::DescribeQuorum => Some(Response::DescribeQuorum(match &mut self.role {
                State::Leader(leader) => leader.handle_describe_quorum(&asker, cx.now_ms),
                _ => DescribeQuorumResponse::partition_failed(Errors::NOT_LEADER_OR_FOLLOWER),
            })),
        };
        if let Some(response) = response {
            self.shared.reply(token, response);
        }
        Ok(())
    }

    /// A cluster id that is given must be the local one.
    pub(super) fn has_valid_cluster_id(&self, cluster_id: Option<&str>) -> bool {
        cluster_id.is_none_or(|id| id == &*self.shared.config.cluster_id)
    }

    /// Whether a request that names its receiver means this replica.
    pub(super) fn is_valid_voter_key(&self, voter_id: i32, directory_id: Uuid) -> bool {
        if voter_id < 0 {
            return true;
        }
        let key = ReplicaKey::new(NodeId(voter_id), directory_id);
        key.id == self.shared.config.node_id
            && key
                .directory_id
                .is_none_or(|directory| directory == self.shared.config.directory_id)
    }

    /// For requests between voters about an epoch.
    pub(super) fn validate_voter_only_request(&self, remote: i32, epoch: i32) -> Option<Errors> {
        if epoch < self.role.epoch() {
            Some(Errors::FENCED_LEADER_EPOCH)
        } else if remote < 0 {
            Some(Errors::INVALID_REQUEST)
        } else {
            None
        }
    }

    /// The leader that a request for the leader of `epoch` is for, or why there is none.
    pub(super) fn leader_of(&mut self, epoch: i32) -> Result<(&mut Leader, &mut Shared), Errors> {
        let shared = &mut self.shared;
        match &mut self.role {
            State::Leader(leader) => {
                leader.check_request(shared, epoch)?;
                Ok((leader, shared))
            }
            role => Err(check_epoch(epoch, role.epoch())
                .err()
                .unwrap_or(Errors::NOT_LEADER_OR_FOLLOWER)),
        }
    }
}

impl Leader {
    /// For requests to the leader of an epoch.
    pub(super) fn check_request(&self, shared: &Shared, epoch: i32) -> Result<(), Errors> {
        check_epoch(epoch, self.epoch())?;
        if shared.shutdown.is_some() {
            return Err(Errors::BROKER_NOT_AVAILABLE);
        }
        Ok(())
    }
}

fn check_epoch(epoch: i32, current: i32) -> Result<(), Errors> {
    match epoch.cmp(&current) {
        Ordering::Less => Err(Errors::FENCED_LEADER_EPOCH),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(Errors::UNKNOWN_LEADER_EPOCH),
    }
}
