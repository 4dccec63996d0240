use determinism::Digest;
use quorum_controller::{
    ControllerRegistration, ControllerRequest, ControllerResponse, RequestError, UpdateFeatures,
};
use raft::Address;
use raft::message::{Errors, Request, Response};
use records::NodeId;
use releases::RaftRules;

use crate::message_digest;

/// A request of one process, among all that it ever sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestId {
    /// Raft's, by its correlation id.
    Raft(i32),
    /// The registration manager's, by a count of its own.
    Registration(u32),
    /// An administrator's for other features, by a count of theirs.
    Features(u32),
    /// An administrator's for anything else, by the same count.
    Controller(u32),
}

/// The way by which a request came in, as the caller tells it apart from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Connection(pub u64);

/// Who sent a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sender<'a> {
    pub node: NodeId,
    /// In which versions it talks.
    pub versions: Versions<'a>,
    /// The way by which an answer goes back.
    pub connection: Connection,
}

/// In which versions the sender of a request talks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Versions<'a> {
    /// In the newest ones that both sides know; this is what the sender runs.
    Newest(&'a RaftRules),
    Exactly(i16),
}

/// Where a message goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Back to a node, over the connection that its request came in by.
    Answer {
        node: NodeId,
        /// As in [`Sender::connection`].
        connection: Connection,
    },
    /// To a node, wherever it is.
    Node(NodeId),
    /// To the node that listens at an address; `expected` is the node that should listen there, where it is known.
    Address {
        /// Host and port.
        address: Address,
        /// The node that the sender thinks it is.
        expected: Option<NodeId>,
    },
}

/// What travels between processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    RaftRequest {
        /// The sender's number for it.
        correlation_id: i32,
        /// The request, in the newest version there is.
        request: Request,
    },
    /// The answer to it.
    RaftResponse {
        /// As in the request.
        correlation_id: i32,
        response: Response,
    },
    /// A controller asks to be registered.
    Registration {
        /// The sender's number for it.
        number: u32,
        /// What it says of itself.
        registration: Box<ControllerRegistration>,
    },
    /// The answer to it.
    RegistrationReply {
        /// As in the request.
        number: u32,
        outcome: Result<ControllerResponse, RequestError>,
    },
    /// An administrator wants other finalized features.
    UpdateFeatures {
        /// The sender's number for it.
        number: u32,
        /// What is wanted.
        update: UpdateFeatures,
    },
    /// The answer to it.
    UpdateFeaturesReply {
        /// As in the request.
        number: u32,
        outcome: Result<ControllerResponse, RequestError>,
    },
    /// An administrator wants something else of the controller.
    Controller {
        /// The sender's number for it.
        number: u32,
        /// What is wanted.
        request: Box<ControllerRequest>,
    },
    /// The answer to it.
    ControllerReply {
        /// As in the request.
        number: u32,
        outcome: Result<ControllerResponse, RequestError>,
    },
}

impl Payload {
    /// The number of the request that this is; `None` for an answer.
    pub fn request_id(&self) -> Option<RequestId> {
        match self {
            Payload::RaftRequest { correlation_id, .. } => Some(RequestId::Raft(*correlation_id)),
            Payload::Registration { number, .. } => Some(RequestId::Registration(*number)),
            Payload::UpdateFeatures { number, .. } => Some(RequestId::Features(*number)),
            Payload::Controller { number, .. } => Some(RequestId::Controller(*number)),
            Payload::RaftResponse { .. }
            | Payload::RegistrationReply { .. }
            | Payload::UpdateFeaturesReply { .. }
            | Payload::ControllerReply { .. } => None,
        }
    }

    /// The request that this answers; `None` for a request.
    pub fn answers(&self) -> Option<RequestId> {
        match self {
            Payload::RaftResponse { correlation_id, .. } => Some(RequestId::Raft(*correlation_id)),
            Payload::RegistrationReply { number, .. } => Some(RequestId::Registration(*number)),
            Payload::UpdateFeaturesReply { number, .. } => Some(RequestId::Features(*number)),
            Payload::ControllerReply { number, .. } => Some(RequestId::Controller(*number)),
            Payload::RaftRequest { .. }
            | Payload::Registration { .. }
            | Payload::UpdateFeatures { .. }
            | Payload::Controller { .. } => None,
        }
    }

    /// Its kind in the words of a scenario: `fetch-response`.
    pub fn kind(&self) -> &'static str {
        match self {
            Payload::RaftRequest { request, .. } => kind::of_request(request),
            Payload::RaftResponse { response, .. } => kind::of_response(response),
            Payload::Registration { .. } => "controller-registration-request",
            Payload::RegistrationReply { .. } => "controller-registration-response",
            Payload::UpdateFeatures { .. } => "update-features-request",
            Payload::UpdateFeaturesReply { .. } => "update-features-response",
            Payload::Controller { .. } => "controller-request",
            Payload::ControllerReply { .. } => "controller-response",
        }
    }

    /// A narrower kind that it is as well: `data-fetch-response` is a fetch response that carries records other than
    /// raft's own.
    pub fn narrower_kind(&self) -> Option<&'static str> {
        match self {
            Payload::RaftResponse {
                response: Response::Fetch(fetch),
                ..
            } if fetch.carries_data() => Some("data-fetch-response"),
            _ => None,
        }
    }

    /// Takes the content into a digest.
    pub fn digest(&self, digest: &mut Digest) {
        digest.write_bytes(self.kind().as_bytes());
        match self {
            Payload::RaftRequest {
                correlation_id,
                request,
            } => {
                digest.write_i64(i64::from(*correlation_id));
                message_digest::of_request(request, digest);
            }
            Payload::RaftResponse {
                correlation_id,
                response,
            } => {
                digest.write_i64(i64::from(*correlation_id));
                message_digest::of_response(response, digest);
            }
            Payload::Registration {
                number,
                registration,
            } => {
                digest.write_u64(u64::from(*number));
                digest.write_bytes(registration.incarnation_id.as_bytes());
            }
            Payload::UpdateFeatures { number, update } => {
                digest.write_u64(u64::from(*number));
                for of in &update.updates {
                    digest.write_bytes(of.feature.as_bytes());
                    digest.write_i64(i64::from(of.level) << 8 | of.upgrade_type as i64);
                }
            }
            Payload::Controller { number, request } => {
                digest.write_u64(u64::from(*number));
                digest.write_bytes(request.name().as_bytes());
            }
            Payload::RegistrationReply { number, outcome }
            | Payload::UpdateFeaturesReply { number, outcome }
            | Payload::ControllerReply { number, outcome } => {
                digest.write_u64(u64::from(*number) << 8 | u64::from(outcome.is_ok()));
            }
        }
    }
}

/// The code that the protocol has for why a controller does not fulfil a request.
pub fn error_code(error: &RequestError) -> Errors {
    match error {
        RequestError::NotController { .. } => Errors::NOT_CONTROLLER,
        RequestError::TimedOut => Errors::REQUEST_TIMED_OUT,
        RequestError::UnsupportedVersion { .. } => Errors::UNSUPPORTED_VERSION,
        RequestError::InvalidUpdateVersion { .. } => Errors::INVALID_UPDATE_VERSION,
        RequestError::PolicyViolation { .. } => Errors::POLICY_VIOLATION,
        RequestError::InvalidRegistration { .. } => Errors::INVALID_REGISTRATION,
        RequestError::ControllerIdNotRegistered { .. } => Errors::CONTROLLER_ID_NOT_REGISTERED,
        RequestError::InvalidRequest { .. } => Errors::INVALID_REQUEST,
        RequestError::Refused(refusal) => Errors(refusal.error.code()),
        RequestError::Unknown(_) => Errors::UNKNOWN_SERVER_ERROR,
    }
}

mod kind {
    use raft::message::{ApiKey, Request, Response};

    pub(super) fn of_request(request: &Request) -> &'static str {
        match request.api() {
            ApiKey::Fetch => "fetch-request",
            ApiKey::ApiVersions => "api-versions-request",
            ApiKey::Vote => "vote-request",
            ApiKey::BeginQuorumEpoch => "begin-quorum-epoch-request",
            ApiKey::EndQuorumEpoch => "end-quorum-epoch-request",
            ApiKey::DescribeQuorum => "describe-quorum-request",
            ApiKey::FetchSnapshot => "fetch-snapshot-request",
            ApiKey::AddRaftVoter => "add-raft-voter-request",
            ApiKey::RemoveRaftVoter => "remove-raft-voter-request",
            ApiKey::UpdateRaftVoter => "update-raft-voter-request",
        }
    }

    pub(super) fn of_response(response: &Response) -> &'static str {
        match response.api() {
            ApiKey::Fetch => "fetch-response",
            ApiKey::ApiVersions => "api-versions-response",
            ApiKey::Vote => "vote-response",
            ApiKey::BeginQuorumEpoch => "begin-quorum-epoch-response",
            ApiKey::EndQuorumEpoch => "end-quorum-epoch-response",
            ApiKey::DescribeQuorum => "describe-quorum-response",
            ApiKey::FetchSnapshot => "fetch-snapshot-response",
            ApiKey::AddRaftVoter => "add-raft-voter-response",
            ApiKey::RemoveRaftVoter => "remove-raft-voter-response",
            ApiKey::UpdateRaftVoter => "update-raft-voter-response",
        }
    }
}
