use std::collections::BTreeMap;

use node::RequestId;
use records::NodeId;

use crate::network::Direction;

/// Requests that were sent and not answered: who has to hear of it when a connection breaks.
#[derive(Clone, Debug, Default)]
pub(super) struct InFlight {
    waiting: BTreeMap<Direction, Vec<RequestId>>,
}

impl InFlight {
    pub(super) fn add(&mut self, direction: Direction, request: RequestId) {
        self.waiting.entry(direction).or_default().push(request);
    }

    /// The request is over; whether it was waited for.
    pub(super) fn take(&mut self, direction: Direction, request: RequestId) -> bool {
        let Some(waiting) = self.waiting.get_mut(&direction) else {
            return false;
        };
        let Some(at) = waiting.iter().position(|one| *one == request) else {
            return false;
        };
        waiting.swap_remove(at);
        true
    }

    /// Nobody waits any more for what the process of `node` asked; what was asked of it is returned with who asked.
    pub(super) fn end_of(&mut self, node: NodeId) -> Vec<(NodeId, RequestId)> {
        let mut lost = Vec::new();
        for (direction, waiting) in &mut self.waiting {
            if direction.from == node {
                waiting.clear();
            } else if direction.to == node {
                lost.extend(waiting.iter().map(|request| (direction.from, *request)));
                waiting.clear();
            }
        }
        lost
    }
}
