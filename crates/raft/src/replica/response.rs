//! What all answers have in common: errors, and news of a leader.

use listener::LeaderAndEpoch;
use records::NodeId;

use super::Replica;
use super::shared::{Cx, Shared};
use crate::message::{Errors, Node, NodeEndpoint, Response};
use crate::request_manager::ResponseOutcome;
use crate::role::{Follower, State};
use crate::{Endpoints, RaftFault};

/// What an answer says of the leader.
#[derive(Clone, Debug)]
pub(super) struct LeaderNews {
    pub(super) leader: Option<NodeId>,
    pub(super) epoch: i32,
    pub(super) endpoints: Endpoints,
}

impl Replica {
    pub(super) fn handle_response(
        &mut self,
        cx: &mut Cx<'_>,
        source: &Node,
        response: Response,
    ) -> Result<ResponseOutcome, RaftFault> {
        match response {
            Response::Vote(response) => self.handle_vote_response(cx, source, &response),
            Response::BeginQuorumEpoch(response) => {
                self.handle_begin_quorum_epoch_response(cx, source, &response)
            }
            Response::EndQuorumEpoch(response) => {
                self.handle_end_quorum_epoch_response(cx, source, &response)
            }
            Response::Fetch(response) => self.handle_fetch_response(cx, response),
            Response::FetchSnapshot(response) => self.handle_fetch_snapshot_response(cx, response),
            Response::ApiVersions(response) => match &mut self.role {
                State::Leader(leader) => {
                    leader.handle_api_versions_response(&mut self.shared, cx, source, &response)
                }
                _ => Ok(ResponseOutcome::Handled),
            },
            Response::AddRaftVoter(response) => {
                self.handle_join_response(cx, response.error_code, Errors::DUPLICATE_VOTER)
            }
            Response::RemoveRaftVoter(response) => {
                self.handle_join_response(cx, response.error_code, Errors::VOTER_NOT_FOUND)
            }
            Response::UpdateRaftVoter(response) => self.handle_update_voter_response(cx, response),
            Response::DescribeQuorum(_) => Err(RaftFault::illegal(
                "an answer to DESCRIBE_QUORUM, which was never asked",
            )),
        }
    }

    /// The follower to which alone an answer can have come.
    pub(super) fn follower_mut(&mut self) -> Result<(&mut Follower, &mut Shared), RaftFault> {
        let role = self.role.role();
        match &mut self.role {
            State::Follower(follower) => Ok((follower, &mut self.shared)),
            _ => Err(RaftFault::illegal(format!(
                "expected to be Follower, but is {role}"
            ))),
        }
    }

    /// A top level error: nothing else of the answer counts.
    pub(super) fn handle_top_level_error(error: Errors) -> Result<ResponseOutcome, RaftFault> {
        if error == Errors::CLUSTER_AUTHORIZATION_FAILED {
            return Err(RaftFault::illegal(
                "an answer says CLUSTER_AUTHORIZATION_FAILED",
            ));
        }
        Ok(ResponseOutcome::Failed)
    }

    /// Handles what is the same for all answers; `None` where the handler of the API goes on.
    ///
    /// Source: `maybeHandleCommonResponse` in `4.4:raft/…/KafkaRaftClient.java`.
    pub(super) fn maybe_handle_common_response(
        &mut self,
        cx: &mut Cx<'_>,
        error: Errors,
        news: &LeaderNews,
    ) -> Result<Option<ResponseOutcome>, RaftFault> {
        let mut endpoints = news.endpoints.clone();
        if let Some(leader) = news.leader.filter(|_| endpoints.is_empty()) {
            endpoints = self.shared.partition.last_voter_set().listeners(leader);
        }
        let current = self.role.epoch();
        if news.epoch < current || error == Errors::UNKNOWN_LEADER_EPOCH {
            return Ok(Some(ResponseOutcome::Handled));
        }
        let is_stale =
            [Errors::FENCED_LEADER_EPOCH, Errors::NOT_LEADER_OR_FOLLOWER].contains(&error);
        if news.epoch > current || is_stale {
            self.maybe_transition(cx, news.leader, news.epoch, endpoints)?;
            return Ok(Some(ResponseOutcome::Handled));
        }
        if let Some(leader) = news.leader.filter(|_| self.role.leader().is_none()) {
            // An answer that holds batches besides the news of a leader is used at once.
            self.transition_to_follower(cx, news.epoch, leader, endpoints)?;
            return Ok((error != Errors::NONE).then_some(ResponseOutcome::Handled));
        }
        match error {
            Errors::BROKER_NOT_AVAILABLE => Ok(Some(ResponseOutcome::Failed)),
            Errors::INVALID_VOTER_KEY => Ok(Some(ResponseOutcome::Handled)),
            Errors::INVALID_REQUEST => Err(RaftFault::illegal(
                "an answer says INVALID_REQUEST to a request of our own",
            )),
            _ => Ok(None),
        }
    }

    /// Follows the news of a leader or an epoch.
    pub(super) fn maybe_transition(
        &mut self,
        cx: &mut Cx<'_>,
        leader: Option<NodeId>,
        epoch: i32,
        endpoints: Endpoints,
    ) -> Result<(), RaftFault> {
        if !self.has_consistent_leader(epoch, leader) {
            return Err(RaftFault::illegal(format!(
                "a message says {}, known is {}",
                LeaderAndEpoch { leader, epoch },
                self.role.leader_and_epoch()
            )));
        }
        if epoch > self.role.epoch() {
            return match leader {
                Some(leader) => self.transition_to_follower(cx, epoch, leader, endpoints),
                None => self.transition_to_unattached(cx, epoch, None),
            };
        }
        if let Some(leader) = leader {
            let knows_more = endpoints.len() > self.role.leader_endpoints().len();
            if self.role.leader().is_none() || knows_more {
                return self.transition_to_follower(cx, epoch, leader, endpoints);
            }
        }
        Ok(())
    }

    fn has_consistent_leader(&self, epoch: i32, leader: Option<NodeId>) -> bool {
        if leader == Some(self.shared.config.node_id) {
            return matches!(self.role, State::Leader(_));
        }
        epoch != self.role.epoch()
            || leader.is_none()
            || self.role.leader().is_none()
            || leader == self.role.leader()
    }
}

impl Shared {
    /// What an answer says of the leader: its endpoint is in the answer, or else in the voter set.
    pub(super) fn leader_news(
        &self,
        leader_id: i32,
        epoch: i32,
        endpoint: Option<&NodeEndpoint>,
    ) -> LeaderNews {
        let leader = (leader_id >= 0).then_some(NodeId(leader_id));
        let endpoints = match (leader, endpoint) {
            (Some(leader), None) => self.partition.last_voter_set().listeners(leader),
            (Some(leader), Some(endpoint)) if endpoint.node_id == leader.0 => {
                Endpoints::new([(self.config.listener_name.clone(), endpoint.address.clone())])
            }
            _ => Endpoints::empty(),
        };
        LeaderNews {
            leader,
            epoch,
            endpoints,
        }
    }
}
