use raft::message::{ApiKey, Request, Response};
use records::NodeId;

use super::{DropCommand, MessageSide};
use crate::world::Letter;

/// A message on its way.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    pub letter: Letter,
    pub to: NodeId,
    pub version: i16,
    pub correlation: i32,
    pub payload: FlightPayload,
    pub in_reply_to: Option<u64>,
}

/// What a message says.
#[derive(Clone, Debug, PartialEq)]
pub enum FlightPayload {
    Request(Request),
    Response(Response),
}

impl FlightPayload {
    pub fn api(&self) -> ApiKey {
        match self {
            FlightPayload::Request(request) => request.api(),
            FlightPayload::Response(response) => response.api(),
        }
    }

    /// Which of the two.
    pub fn kind(&self) -> MessageSide {
        match self {
            FlightPayload::Request(_) => MessageSide::Request,
            FlightPayload::Response(_) => MessageSide::Response,
        }
    }

    fn carries_data(&self) -> bool {
        let FlightPayload::Response(Response::Fetch(fetch)) = self else {
            return false;
        };
        fetch
            .partition
            .iter()
            .flat_map(|partition| &partition.records)
            .any(|batch| !batch.is_control())
    }
}

/// Who, to whom, what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brief {
    /// The number of the message.
    pub id: u64,
    /// Request or response.
    pub kind: MessageSide,
    pub api: ApiKey,
    pub from: NodeId,
    pub to: NodeId,
    /// The request that a response answers.
    pub in_reply_to: Option<u64>,
}

impl Flight {
    /// What an answer says of it; `id` is its number in the schedule.
    pub fn brief(&self, id: u64) -> Brief {
        Brief {
            id,
            kind: self.payload.kind(),
            api: self.payload.api(),
            from: self.letter.from,
            to: self.to,
            in_reply_to: self.in_reply_to,
        }
    }
}

impl DropCommand {
    pub(super) fn matches(&self, flight: &Flight) -> bool {
        let payload = &flight.payload;
        self.from.is_none_or(|node| node == flight.letter.from)
            && self.to.is_none_or(|node| node == flight.to)
            && self
                .node
                .is_none_or(|node| node == flight.letter.from || node == flight.to)
            && self.api.is_none_or(|api| api == payload.api())
            && self.kind.is_none_or(|kind| kind == payload.kind())
            && self.data.is_none_or(|data| data == payload.carries_data())
    }
}
