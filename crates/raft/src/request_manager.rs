use determinism::Draws;
use determinism::java::{HashTable, hash_string};
use records::NodeId;

use crate::message::Node;

/// The requests under way: at most one per node, with its timeout and the backoff after a failure.
///
/// Source: `4.4:raft/…/RequestManager.java`. Its connections stand in the order of Kafka's hash table, because some
/// questions stop at the first connection that answers them and forget timed out ones on the way.
#[derive(Clone, Debug)]
pub(crate) struct RequestManager {
    connections: Vec<Connection>,
    bootstrap_servers: Vec<Node>,
    retry_backoff_ms: i64,
    request_timeout_ms: i64,
    /// The most connections held at once decide how many buckets Kafka's table has.
    most_connections: usize,
}

#[derive(Clone, Copy, Debug)]
struct Connection {
    node_id: i32,
    name_hash: i32,
    state: State,
    last_send_ms: i64,
    last_fail_ms: i64,
    in_flight: Option<i32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    AwaitingResponse,
    BackingOff,
    Ready,
}

/// Whether a request went out, and how long to wait before looking again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SendResult {
    pub(crate) request_sent: bool,
    pub(crate) time_to_wait_ms: i64,
}

impl Connection {
    fn is_backoff_complete(&self, now_ms: i64, backoff_ms: i64) -> bool {
        self.state == State::BackingOff && now_ms >= self.last_fail_ms + backoff_ms
    }

    fn has_timed_out(&self, now_ms: i64, timeout_ms: i64) -> bool {
        self.state == State::AwaitingResponse && now_ms >= self.last_send_ms + timeout_ms
    }

    fn is_in_flight(&self, now_ms: i64, timeout_ms: i64) -> bool {
        self.state == State::AwaitingResponse && !self.has_timed_out(now_ms, timeout_ms)
    }
}

impl RequestManager {
    pub(crate) fn new(
        bootstrap_servers: Vec<Node>,
        retry_backoff_ms: i32,
        request_timeout_ms: i32,
    ) -> Self {
        RequestManager {
            connections: Vec::new(),
            bootstrap_servers,
            retry_backoff_ms: i64::from(retry_backoff_ms),
            request_timeout_ms: i64::from(request_timeout_ms),
            most_connections: 0,
        }
    }

    fn connection(&self, node_id: i32) -> Option<&Connection> {
        self.connections
            .iter()
            .find(|connection| connection.node_id == node_id)
    }

    fn connection_mut(&mut self, node_id: i32) -> Option<&mut Connection> {
        self.connections
            .iter_mut()
            .find(|connection| connection.node_id == node_id)
    }

    /// Whether a request is under way. Forgets connections that timed out or backed off, up to the first such one.
    pub(crate) fn has_any_inflight_request(&mut self, now_ms: i64) -> bool {
        let (backoff, timeout) = (self.retry_backoff_ms, self.request_timeout_ms);
        let mut found = false;
        self.connections.retain(|connection| {
            if found {
                return true;
            }
            if connection.has_timed_out(now_ms, timeout)
                || connection.is_backoff_complete(now_ms, backoff)
            {
                return false;
            }
            found = connection.is_in_flight(now_ms, timeout);
            true
        });
        found
    }

    /// A bootstrap server that can be asked now, beginning at a random one; none while any request is under way.
    pub(crate) fn find_ready_bootstrap_server(
        &mut self,
        now_ms: i64,
        draws: &mut Draws,
    ) -> Option<Node> {
        if self.has_any_inflight_request(now_ms) {
            return None;
        }
        let count = self.bootstrap_servers.len();
        let start = draws.next_int(count as i32) as usize;
        let at = (0..count).map(|i| (start + i) % count).find(|at| {
            let id = self.bootstrap_servers[*at].id;
            self.is_ready(id, now_ms)
        })?;
        Some(self.bootstrap_servers[at].clone())
    }

    /// How long until a bootstrap server can be asked.
    pub(crate) fn backoff_before_available_bootstrap_server(&mut self, now_ms: i64) -> i64 {
        let (backoff, timeout) = (self.retry_backoff_ms, self.request_timeout_ms);
        let mut min_backoff_ms = backoff;
        let mut in_flight_ms = None;
        self.connections.retain(|connection| {
            if in_flight_ms.is_some() {
                return true;
            }
            if connection.has_timed_out(now_ms, timeout)
                || connection.is_backoff_complete(now_ms, backoff)
            {
                return false;
            }
            if connection.is_in_flight(now_ms, timeout) {
                in_flight_ms = Some(connection.last_send_ms + timeout - now_ms);
            } else if connection.state == State::BackingOff {
                min_backoff_ms = min_backoff_ms.min(connection.last_fail_ms + backoff - now_ms);
            }
            true
        });
        if let Some(remaining_ms) = in_flight_ms {
            return remaining_ms;
        }
        let ids: Vec<i32> = self.bootstrap_servers.iter().map(|node| node.id).collect();
        if ids.into_iter().any(|id| self.is_ready(id, now_ms)) {
            0
        } else {
            min_backoff_ms
        }
    }

    pub(crate) fn has_request_timed_out(&self, node: NodeId, now_ms: i64) -> bool {
        self.connection(node.0)
            .is_some_and(|c| c.has_timed_out(now_ms, self.request_timeout_ms))
    }

    /// Whether a request can go to that node now. A connection that is free again is forgotten.
    pub(crate) fn is_ready(&mut self, node_id: i32, now_ms: i64) -> bool {
        let (backoff, timeout) = (self.retry_backoff_ms, self.request_timeout_ms);
        let Some(connection) = self.connection(node_id) else {
            return true;
        };
        let ready = connection.state == State::Ready
            || connection.is_backoff_complete(now_ms, backoff)
            || connection.has_timed_out(now_ms, timeout);
        if ready {
            self.reset(node_id);
        }
        ready
    }

    pub(crate) fn is_backing_off(&self, node_id: i32, now_ms: i64) -> bool {
        self.connection(node_id).is_some_and(|c| {
            c.state == State::BackingOff && !c.is_backoff_complete(now_ms, self.retry_backoff_ms)
        })
    }

    pub(crate) fn remaining_request_time_ms(&self, node_id: i32, now_ms: i64) -> i64 {
        match self.connection(node_id) {
            Some(c) if c.is_in_flight(now_ms, self.request_timeout_ms) => {
                c.last_send_ms + self.request_timeout_ms - now_ms
            }
            _ => 0,
        }
    }

    pub(crate) fn remaining_backoff_ms(&self, node_id: i32, now_ms: i64) -> i64 {
        match self.connection(node_id) {
            Some(c) if self.is_backing_off(node_id, now_ms) => {
                c.last_fail_ms + self.retry_backoff_ms - now_ms
            }
            _ => 0,
        }
    }

    pub(crate) fn is_response_expected(&self, node_id: i32, correlation_id: i32) -> bool {
        self.connection(node_id)
            .is_some_and(|c| c.in_flight == Some(correlation_id))
    }

    /// The answer to a request was handled, well or not.
    pub(crate) fn on_response(
        &mut self,
        node_id: i32,
        correlation_id: i32,
        outcome: ResponseOutcome,
        now_ms: i64,
    ) {
        if !self.is_response_expected(node_id, correlation_id) {
            return;
        }
        match outcome {
            ResponseOutcome::Handled => self.reset(node_id),
            ResponseOutcome::Failed => {
                if let Some(connection) = self.connection_mut(node_id) {
                    connection.last_fail_ms = now_ms;
                    connection.state = State::BackingOff;
                    connection.in_flight = None;
                }
            }
        }
    }

    pub(crate) fn on_request_sent(&mut self, node_id: i32, correlation_id: i32, now_ms: i64) {
        if self.connection(node_id).is_none() {
            self.connections.push(Connection {
                node_id,
                name_hash: hash_string(&node_id.to_string()),
                state: State::Ready,
                last_send_ms: 0,
                last_fail_ms: 0,
                in_flight: None,
            });
            self.most_connections = self.most_connections.max(self.connections.len());
            let table = HashTable::new().holding(self.most_connections);
            table.sort(&mut self.connections, |connection| connection.name_hash);
        }
        let connection = self
            .connection_mut(node_id)
            .expect("the connection was just made sure of");
        connection.last_send_ms = now_ms;
        connection.in_flight = Some(correlation_id);
        connection.state = State::AwaitingResponse;
    }

    pub(crate) fn reset(&mut self, node_id: i32) {
        self.connections
            .retain(|connection| connection.node_id != node_id);
    }

    pub(crate) fn reset_all(&mut self) {
        self.connections.clear();
    }
}

/// How a response was handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResponseOutcome {
    /// The node can be asked again at once.
    Handled,
    /// The node is left alone for the backoff time.
    Failed,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Address;

    fn manager() -> RequestManager {
        let node = |id| Node {
            id,
            address: Address::new("h", 1),
        };
        RequestManager::new(vec![node(-2), node(-3)], 20, 2000)
    }

    #[test]
    fn one_request_per_node_until_answer_timeout_or_backoff() {
        let mut manager = manager();
        manager.on_request_sent(1, 7, 100);
        assert!(!manager.is_ready(1, 2099));
        assert!(manager.is_response_expected(1, 7) && !manager.is_response_expected(1, 8));
        manager.on_response(1, 7, ResponseOutcome::Failed, 150);
        assert!(manager.is_backing_off(1, 169));
        assert_eq!(manager.remaining_backoff_ms(1, 160), 10);
        assert!(manager.is_ready(1, 170));
        manager.on_request_sent(1, 8, 200);
        assert_eq!(manager.remaining_request_time_ms(1, 300), 1900);
        assert!(manager.has_request_timed_out(NodeId(1), 2200));
        assert!(!manager.has_any_inflight_request(2200));
        assert!(manager.connection(1).is_none());
    }

    #[test]
    fn bootstrap_servers_are_tried_from_a_random_one_on() {
        let mut manager = manager();
        let mut draws = Draws::like_java(1);
        draws.prescribe([1, 1]);
        assert_eq!(
            manager
                .find_ready_bootstrap_server(0, &mut draws)
                .map(|n| n.id),
            Some(-3)
        );
        manager.on_request_sent(-3, 1, 0);
        assert_eq!(manager.find_ready_bootstrap_server(0, &mut draws), None);
        assert_eq!(manager.backoff_before_available_bootstrap_server(5), 1995);
        manager.on_response(-3, 1, ResponseOutcome::Failed, 10);
        assert_eq!(
            manager
                .find_ready_bootstrap_server(12, &mut draws)
                .map(|n| n.id),
            Some(-2)
        );
    }
}
