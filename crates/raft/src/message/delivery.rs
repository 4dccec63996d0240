use super::node::Node;
use super::request::Request;
use super::response::Response;
use crate::ListenerName;

/// What comes out of [`crate::Replica::poll_message`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outbound {
    /// A request of this replica's. Its answer, or [`Response::failed`], goes back in as [`Inbound::Response`] with
    /// the same `correlation_id` and `to` as its source.
    Request {
        to: Node,
        /// Unique among the requests of this replica.
        correlation_id: i32,
        /// The request, in the newest version.
        request: Request,
    },
    /// The answer to the request that came in with this token.
    Reply {
        /// As given in [`InboundRequest::token`].
        token: u64,
        response: Response,
    },
}

/// What goes into [`crate::Replica::poll`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inbound {
    Request(InboundRequest),
    /// An answer to a request of this replica's.
    Response {
        /// Whom it was sent to.
        source: Node,
        /// As in [`Outbound::Request`].
        correlation_id: i32,
        response: Response,
    },
}

/// A request as it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboundRequest {
    /// Chosen by the caller; comes back with the reply.
    pub token: u64,
    /// The listener it came in by, whose address of the leader the reply names.
    pub listener_name: ListenerName,
    /// The version it was sent in.
    pub api_version: i16,
    pub request: Request,
}
