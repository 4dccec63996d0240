//! What comes in: who may ask what, and which handler answers.

use records::{NodeId, ReplicaKey, Uuid};

use super::{Cx, Replica};
use crate::message::{
    ApiVersionsResponse, Errors, Inbound, InboundRequest, NodeEndpoint, Outbound, Request, Response,
};
use crate::role::State;
use crate::{ListenerName, RaftFault};

/// Where an answer goes and how it is to be worded: the request without its content.
#[derive(Clone, Debug)]
pub(super) struct Asker {
    pub(super) token: u64,
    pub(super) listener_name: ListenerName,
    pub(super) api_version: i16,
}

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
                    .requests
                    .is_response_expected(source.id, correlation_id)
                {
                    let outcome = self.handle_response(cx, &source, response)?;
                    self.requests
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
            Request::ApiVersions => Some(Response::ApiVersions(self.answer_api_versions())),
            Request::AddRaftVoter(request) => {
                let response = self.handle_add_voter_request(cx, &asker, request);
                response.map(Response::AddRaftVoter)
            }
            Request::RemoveRaftVoter(request) => {
                let response = self.handle_remove_voter_request(cx, &asker, &request);
                response.map(Response::RemoveRaftVoter)
            }
            Request::UpdateRaftVoter(request) => {
                let response = self.handle_update_voter_request(cx, &asker, request)?;
                Some(Response::UpdateRaftVoter(response))
            }
            Request::DescribeQuorum => Some(Response::DescribeQuorum(
                self.handle_describe_quorum(cx, &asker),
            )),
        };
        if let Some(response) = response {
            self.reply(token, response);
        }
        Ok(())
    }

    pub(super) fn reply(&mut self, token: u64, response: Response) {
        self.outbox.push_back(Outbound::Reply { token, response });
    }

    /// The answer to `API_VERSIONS`, which a real server gives without its raft thread.
    pub fn answer_api_versions(&self) -> ApiVersionsResponse {
        let kraft_version = Some(self.config.supported_kraft_version);
        ApiVersionsResponse {
            error_code: Errors::NONE,
            kraft_version,
        }
    }

    /// A cluster id that is given must be the local one.
    pub(super) fn has_valid_cluster_id(&self, cluster_id: Option<&str>) -> bool {
        cluster_id.is_none_or(|id| id == &*self.config.cluster_id)
    }

    /// For requests between voters about an epoch.
    pub(super) fn validate_voter_only_request(&self, remote: i32, epoch: i32) -> Option<Errors> {
        if epoch < self.state.epoch() {
            Some(Errors::FENCED_LEADER_EPOCH)
        } else if remote < 0 {
            Some(Errors::INVALID_REQUEST)
        } else {
            None
        }
    }

    /// For requests to the leader of an epoch.
    pub(super) fn validate_leader_only_request(&self, epoch: i32) -> Option<Errors> {
        let current = self.state.epoch();
        if epoch < current {
            Some(Errors::FENCED_LEADER_EPOCH)
        } else if epoch > current {
            Some(Errors::UNKNOWN_LEADER_EPOCH)
        } else if !matches!(self.state, State::Leader(_)) {
            Some(Errors::NOT_LEADER_OR_FOLLOWER)
        } else if self.shutdown.is_some() {
            Some(Errors::BROKER_NOT_AVAILABLE)
        } else {
            None
        }
    }

    /// Whether a request that names its receiver means this replica.
    pub(super) fn is_valid_voter_key(&self, voter_id: i32, directory_id: Uuid) -> bool {
        if voter_id < 0 {
            return true;
        }
        let key = ReplicaKey::new(NodeId(voter_id), directory_id);
        key.id == self.config.node_id
            && key
                .directory_id
                .is_none_or(|directory| directory == self.config.directory_id)
    }

    pub(super) fn leader_id_or_sentinel(&self) -> i32 {
        self.state.leader().map_or(-1, |leader| leader.0)
    }

    /// The leader's endpoint for an answer, from the version on that has room for it.
    pub(super) fn leader_endpoint(
        &self,
        asker: &Asker,
        since_version: i16,
    ) -> Option<NodeEndpoint> {
        let leader = self
            .state
            .leader()
            .filter(|_| asker.api_version >= since_version)?;
        let endpoints = self.state.leader_endpoints();
        let address = endpoints.address(&asker.listener_name)?.clone();
        Some(NodeEndpoint {
            node_id: leader.0,
            address,
        })
    }
}
