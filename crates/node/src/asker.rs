use quorum_controller::{ControllerResponse, RequestError};
use raft::message::Response;
use records::NodeId;

use crate::message::{Connection, Destination, Payload, RequestId};

/// Who waits for an answer of raft.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asker {
    pub(crate) node: NodeId,
    pub(crate) connection: Connection,
    pub(crate) correlation_id: i32,
}

impl Asker {
    pub(crate) fn answer(self, response: Response) -> (Destination, Payload) {
        let Asker {
            node,
            connection,
            correlation_id,
        } = self;
        (
            Destination::Answer { node, connection },
            Payload::RaftResponse {
                correlation_id,
                response,
            },
        )
    }
}

/// Who waits for an answer of the controller, and to what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ControllerAsker {
    node: NodeId,
    connection: Connection,
    request: RequestId,
}

impl ControllerAsker {
    pub(crate) fn new(node: NodeId, connection: Connection, request: RequestId) -> Self {
        ControllerAsker {
            node,
            connection,
            request,
        }
    }

    /// The answer; raft's requests have theirs from raft.
    pub(crate) fn answer(
        self,
        outcome: Result<ControllerResponse, RequestError>,
    ) -> Option<(Destination, Payload)> {
        let payload = match self.request {
            RequestId::Features(number) => Payload::UpdateFeaturesReply { number, outcome },
            RequestId::Controller(number) => Payload::ControllerReply { number, outcome },
            RequestId::Registration(number) => Payload::RegistrationReply { number, outcome },
            RequestId::Raft(_) => return None,
        };
        let (node, connection) = (self.node, self.connection);
        Some((Destination::Answer { node, connection }, payload))
    }
}
