use std::sync::Arc;

use node::{Connection, Destination, Payload, RequestId};
use raft::message::Response;
use records::NodeId;
use releases::Rules;

use crate::network::Direction;

/// A message on its way to a machine.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    pub(super) direction: Direction,
    pub(super) connection: Connection,
    /// What the sender runs: both sides talk in the newest version that both know.
    pub(super) sender: Arc<Rules>,
    /// The version of a request, where it is given.
    pub(super) version: Option<i16>,
    pub(super) content: Carried,
}

#[derive(Clone, Debug)]
pub(super) enum Carried {
    Message(Payload),
    /// The connection on which the request with this number waited is gone.
    Disconnected(RequestId),
}

/// A message on its way, in the hands of the caller, who delivers it, lets it fail, or forgets it.
#[derive(Clone, Debug)]
pub struct Letter {
    pub from: NodeId,
    /// The receiver; `None` where nobody listens at the address.
    pub to: Option<NodeId>,
    /// As the sender wrote it.
    pub destination: Destination,
    /// In which version a request arrives, instead of the newest that both sides know.
    pub version: Option<i16>,
    pub payload: Payload,
    pub(super) sender: Arc<Rules>,
    pub(super) connection: Connection,
}

impl Letter {
    /// The connection of a request, which its answer comes back by.
    pub fn connection(&self) -> Connection {
        self.connection
    }

    /// The answer that somebody gives in place of the process that this request was sent to.
    #[must_use]
    pub fn answered(&self, response: Response) -> Option<Letter> {
        let Payload::RaftRequest { correlation_id, .. } = self.payload else {
            return None;
        };
        Some(Letter {
            from: self.to?,
            to: Some(self.from),
            destination: Destination::Answer {
                node: self.from,
                connection: self.connection,
            },
            version: None,
            payload: Payload::RaftResponse {
                correlation_id,
                response,
            },
            sender: self.sender.clone(),
            connection: self.connection,
        })
    }
}
