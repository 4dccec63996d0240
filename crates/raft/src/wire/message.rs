use super::api::{Api, Kind};
use crate::message::{
    ControllerRegistrationRequest, ControllerRegistrationResponse, Request, Response,
};

/// What passes over the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A request of raft.
    Request(Request),
    /// An answer of raft.
    Response(Response),
    /// A controller asks to be registered.
    ControllerRegistrationRequest(ControllerRegistrationRequest),
    /// The answer to it.
    ControllerRegistrationResponse(ControllerRegistrationResponse),
}

impl Message {
    /// Its API and side.
    pub fn kind(&self) -> Kind {
        match self {
            Message::Request(request) => Api::Raft(request.api()).request(),
            Message::Response(response) => Api::Raft(response.api()).response(),
            Message::ControllerRegistrationRequest(_) => Api::ControllerRegistration.request(),
            Message::ControllerRegistrationResponse(_) => Api::ControllerRegistration.response(),
        }
    }
}
