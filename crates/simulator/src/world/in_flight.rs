use std::collections::BTreeMap;

use node::{Connection, RequestId};
use records::NodeId;

use crate::network::Direction;

/// A request that waits for its answer.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    direction: Direction,
    request: RequestId,
}

/// Requests that were sent and not answered: who has to hear of it when a connection breaks.
///
/// Each has a connection of its own, so that an answer to a process that is gone never reaches the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct InFlight {
    waiting: BTreeMap<Connection, Waiting>,
    opened: u64,
}

impl InFlight {
    /// A connection for a request that will arrive.
    pub(super) fn open(&mut self, direction: Direction, request: RequestId) -> Connection {
        self.opened += 1;
        let connection = Connection(self.opened);
        self.waiting
            .insert(connection, Waiting { direction, request });
        connection
    }

    /// The request is over; whether anybody still waited for it.
    pub(super) fn close(&mut self, connection: Connection) -> bool {
        self.waiting.remove(&connection).is_some()
    }

    /// Whether anybody waits for it.
    pub(super) fn is_open(&self, connection: Connection) -> bool {
        self.waiting.contains_key(&connection)
    }

    /// The process of `node` is over: nobody waits any more for what it asked. What was asked of it is returned, with
    /// who asked.
    pub(super) fn end_of(&mut self, node: NodeId) -> Vec<(NodeId, RequestId, Connection)> {
        self.waiting
            .retain(|_, waiting| waiting.direction.from != node);
        let asked = self
            .waiting
            .iter()
            .filter(|(_, waiting)| waiting.direction.to == node);
        asked
            .map(|(connection, waiting)| (waiting.direction.from, waiting.request, *connection))
            .collect()
    }
}
