use records::{NodeId, ReplicaKey};

use super::shared::{Cx, Shared};
use crate::RaftFault;
use crate::message::{Node, Outbound, Request};
use crate::request_manager::SendResult;
use crate::role::EpochState;

impl Shared {
    /// Sends a request unless one is under way to that node, or it failed a moment ago.
    ///
    /// Source: `maybeSendRequest` in `4.4:raft/…/KafkaRaftClient.java`.
    pub(super) fn maybe_send_request<E>(
        &mut self,
        now_ms: i64,
        to: &Node,
        build: impl FnOnce(&Shared) -> Result<Request, E>,
    ) -> Result<SendResult, E> {
        if self.requests.is_backing_off(to.id, now_ms) {
            let time_to_wait_ms = self.requests.remaining_backoff_ms(to.id, now_ms);
            return Ok(SendResult {
                request_sent: false,
                time_to_wait_ms,
            });
        }
        let request_sent = self.requests.is_ready(to.id, now_ms);
        if request_sent {
            let correlation_id = self.next_correlation_id;
            self.next_correlation_id += 1;
            let request = build(self)?;
            self.requests.on_request_sent(to.id, correlation_id, now_ms);
            self.outbox.push_back(Outbound::Request {
                to: to.clone(),
                correlation_id,
                request,
            });
        }
        let time_to_wait_ms = self.requests.remaining_request_time_ms(to.id, now_ms);
        Ok(SendResult {
            request_sent,
            time_to_wait_ms,
        })
    }

    /// Asks each of these voters. Returns the shortest time to wait.
    pub(super) fn maybe_send_to_voters(
        &mut self,
        cx: &Cx<'_>,
        voters: &[ReplicaKey],
        build: impl Fn(&Shared, ReplicaKey) -> Result<Request, RaftFault>,
    ) -> Result<i64, RaftFault> {
        let mut shortest_ms = i64::MAX;
        for voter in voters {
            let to = self.voter_node(voter.id)?;
            let sent = self.maybe_send_request(cx.now_ms, &to, |shared| build(shared, *voter))?;
            shortest_ms = shortest_ms.min(sent.time_to_wait_ms);
        }
        Ok(shortest_ms)
    }

    /// Where a voter is reached.
    pub(super) fn voter_node(&self, id: NodeId) -> Result<Node, RaftFault> {
        let listener = &self.config.listener_name;
        match self.partition.last_voter_set().address(id, listener) {
            Some(address) => Ok(Node {
                id: id.0,
                address: address.clone(),
            }),
            None => Err(RaftFault::illegal(format!(
                "unknown endpoint of voter {id} at listener {listener}"
            ))),
        }
    }

    /// Fetches from a bootstrap server, to hear who leads.
    pub(super) fn maybe_send_fetch_to_any_bootstrap(
        &mut self,
        now_ms: i64,
        state: &dyn EpochState,
    ) -> Result<i64, RaftFault> {
        let ready = self
            .requests
            .find_ready_bootstrap_server(now_ms, &mut self.draws);
        match ready {
            Some(node) => {
                let sent = self.maybe_send_request(now_ms, &node, |shared| {
                    shared.build_fetch_request(state)
                })?;
                Ok(sent.time_to_wait_ms)
            }
            None => Ok(self
                .requests
                .backoff_before_available_bootstrap_server(now_ms)),
        }
    }
}
