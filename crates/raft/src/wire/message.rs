use records::Uuid;

use super::{Api, Kind};
use crate::message::{Errors, Request, Response};

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

/// `CONTROLLER_REGISTRATION` (KIP-919).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControllerRegistrationRequest {
    /// The controller.
    pub controller_id: i32,
    /// Drawn anew by every process.
    pub incarnation_id: Uuid,
    /// Whether it is ready for a migration from ZooKeeper.
    pub zk_migration_ready: bool,
    /// Its listeners; the order counts.
    pub listeners: Vec<RegisteredListener>,
    /// The features it supports; the order counts.
    pub features: Vec<RegisteredFeature>,
}

/// A listener of a [`ControllerRegistrationRequest`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisteredListener {
    /// Its name.
    pub name: String,
    /// Host.
    pub host: String,
    /// Port.
    pub port: u16,
    /// The id of the security protocol: 0 is PLAINTEXT.
    pub security_protocol: i16,
}

/// A feature of a [`ControllerRegistrationRequest`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisteredFeature {
    /// Its name.
    pub name: String,
    /// Lowest supported level.
    pub min_supported_version: i16,
    /// Highest supported level.
    pub max_supported_version: i16,
}

/// Answer to [`ControllerRegistrationRequest`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControllerRegistrationResponse {
    /// The outcome.
    pub error_code: Errors,
    /// Why, in words.
    pub error_message: Option<String>,
}
