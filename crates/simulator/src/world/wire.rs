//! Messages on their way as real bytes.

use node::{Payload, error_code};
use quorum_controller::{ControllerRegistration, ControllerResponse, Endpoint, RequestError};
use raft::message::Errors;
use raft::wire::frame::{Frame, RequestHeader, ResponseHeader};
use raft::wire::{
    Api, ControllerRegistrationRequest, ControllerRegistrationResponse, DecodeError, EncodeError,
    Message, RegisteredFeature, RegisteredListener, UnknownTaggedFields, version_for,
};
use records::feature::VersionRange;
use records::{NodeId, TaggedFields};
use releases::RaftRules;

/// Whether messages pass through real bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wire {
    /// They arrive as the values that were sent: fast.
    #[default]
    Off,
    /// They are written, and read again, in the version that both sides agree on; what that version cannot say is lost.
    On,
}

/// Why a message was lost: its bytes could not be written or read, which is a bug of the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum WireFault {
    /// It could not be written.
    #[error("cannot be written: {0}")]
    Encode(#[from] EncodeError),
    /// It could not be read again.
    #[error("cannot be read: {0}")]
    Decode(#[from] DecodeError),
}

/// Bytes of the size before a frame.
const SIZE_BYTES: usize = 4;

/// A message after it was written and read again.
///
/// What a version cannot say at all never leaves Kafka's sender, which answers itself: here the receiver gives that
/// answer, so the message passes as it is. So does what is not among raft's messages, such as `UPDATE_FEATURES`.
pub(super) fn through_bytes(
    payload: Payload,
    sender: &RaftRules,
    receiver: &RaftRules,
) -> Result<Payload, WireFault> {
    let (number, message) = match &payload {
        Payload::RaftRequest {
            correlation_id,
            request,
        } => (*correlation_id, Message::Request(request.clone())),
        Payload::RaftResponse {
            correlation_id,
            response,
        } => (*correlation_id, Message::Response(response.clone())),
        Payload::Registration {
            number,
            registration,
        } => (number.cast_signed(), registration_request(registration)),
        Payload::RegistrationReply { number, outcome } => {
            (number.cast_signed(), registration_response(outcome))
        }
        Payload::UpdateFeatures { .. }
        | Payload::UpdateFeaturesReply { .. }
        | Payload::Controller { .. }
        | Payload::ControllerReply { .. } => return Ok(payload),
    };
    let api = message.kind().api;
    let Some(version) = version_for(api, sender, receiver) else {
        return Ok(payload);
    };
    let asks = payload.request_id().is_some();
    let carried = if asks {
        carry_request(api, version, number, message)
    } else {
        carry_response(api, version, number, message)
    };
    match carried {
        Ok((number, message)) => Ok(typed(number, message)),
        Err(WireFault::Encode(EncodeError::Unsupported(_))) if asks => Ok(payload),
        Err(fault) => Err(fault),
    }
}

fn carry_request(
    api: Api,
    version: i16,
    correlation_id: i32,
    message: Message,
) -> Result<(i32, Message), WireFault> {
    let header = RequestHeader {
        api,
        version,
        correlation_id,
        client_id: Some("raft-client".to_owned()),
        unknown_tagged_fields: TaggedFields::new(),
    };
    let frame = Frame {
        header,
        message,
        unknown_tagged_fields: UnknownTaggedFields::none(),
    };
    let bytes = frame.encode()?.slice(SIZE_BYTES..);
    let read = Frame::<RequestHeader>::decode(&bytes)?;
    Ok((read.header.correlation_id, read.message))
}

fn carry_response(
    api: Api,
    version: i16,
    correlation_id: i32,
    message: Message,
) -> Result<(i32, Message), WireFault> {
    let header = ResponseHeader {
        correlation_id,
        unknown_tagged_fields: TaggedFields::new(),
    };
    let frame = Frame {
        header,
        message,
        unknown_tagged_fields: UnknownTaggedFields::none(),
    };
    let bytes = frame.encode(version)?.slice(SIZE_BYTES..);
    let read = Frame::<ResponseHeader>::decode(api, version, &bytes)?;
    Ok((read.header.correlation_id, read.message))
}

/// What a process makes of a message that it read.
fn typed(number: i32, message: Message) -> Payload {
    match message {
        Message::Request(request) => Payload::RaftRequest {
            correlation_id: number,
            request,
        },
        Message::Response(response) => Payload::RaftResponse {
            correlation_id: number,
            response,
        },
        Message::ControllerRegistrationRequest(request) => Payload::Registration {
            number: number.cast_unsigned(),
            registration: Box::new(registration(request)),
        },
        Message::ControllerRegistrationResponse(response) => Payload::RegistrationReply {
            number: number.cast_unsigned(),
            outcome: outcome(response),
        },
    }
}

fn registration_request(registration: &ControllerRegistration) -> Message {
    let listener = |endpoint: &Endpoint| RegisteredListener {
        name: endpoint.name.clone(),
        host: endpoint.host.clone(),
        port: endpoint.port,
        security_protocol: endpoint.security_protocol,
        ..RegisteredListener::default()
    };
    let feature = |(name, range): &(String, VersionRange)| RegisteredFeature {
        name: name.clone(),
        min_supported_version: range.min,
        max_supported_version: range.max,
        ..RegisteredFeature::default()
    };
    Message::ControllerRegistrationRequest(ControllerRegistrationRequest {
        controller_id: registration.controller_id.0,
        incarnation_id: registration.incarnation_id,
        zk_migration_ready: registration.zk_migration_ready,
        listeners: registration.endpoints.iter().map(listener).collect(),
        features: registration.features.iter().map(feature).collect(),
        ..ControllerRegistrationRequest::default()
    })
}

fn registration(request: ControllerRegistrationRequest) -> ControllerRegistration {
    let endpoint = |listener: RegisteredListener| Endpoint {
        name: listener.name,
        host: listener.host,
        port: listener.port,
        security_protocol: listener.security_protocol,
    };
    let feature = |feature: RegisteredFeature| {
        let (min, max) = (feature.min_supported_version, feature.max_supported_version);
        (feature.name, VersionRange { min, max })
    };
    ControllerRegistration {
        controller_id: NodeId(request.controller_id),
        incarnation_id: request.incarnation_id,
        zk_migration_ready: request.zk_migration_ready,
        endpoints: request.listeners.into_iter().map(endpoint).collect(),
        features: request.features.into_iter().map(feature).collect(),
    }
}

fn registration_response(outcome: &Result<ControllerResponse, RequestError>) -> Message {
    let response = match outcome {
        Ok(_) => ControllerRegistrationResponse::default(),
        Err(error) => ControllerRegistrationResponse {
            error_code: error_code(error),
            error_message: Some(error.to_string()),
            ..ControllerRegistrationResponse::default()
        },
    };
    Message::ControllerRegistrationResponse(response)
}

fn outcome(response: ControllerRegistrationResponse) -> Result<ControllerResponse, RequestError> {
    let words = response.error_message.unwrap_or_default();
    match response.error_code {
        Errors::NONE => Ok(ControllerResponse::Done),
        Errors::NOT_CONTROLLER => Err(RequestError::NotController { active: None }),
        Errors::REQUEST_TIMED_OUT => Err(RequestError::TimedOut),
        code => Err(RequestError::Unknown(format!("{code}: {words}"))),
    }
}

#[cfg(test)]
mod tests {
    use raft::message::{FetchRequest, Request, VoteRequest};
    use records::Uuid;
    use releases::Release;

    use super::{Payload, through_bytes};

    fn sent(request: Request) -> Payload {
        Payload::RaftRequest {
            correlation_id: 7,
            request,
        }
    }

    fn fetch(high_watermark: i64) -> Payload {
        sent(Request::Fetch(FetchRequest {
            cluster_id: Some("c2NlbmFyaW8tY2x1c3Rlcg".into()),
            replica_id: 2,
            replica_directory_id: Uuid::from_bytes([9; 16]),
            max_wait_ms: 500,
            max_bytes: 1000,
            current_leader_epoch: 3,
            fetch_offset: 4,
            last_fetched_epoch: 2,
            high_watermark,
        }))
    }

    #[test]
    fn what_a_version_cannot_say_is_lost() {
        let (old, new) = (Release::V4_0_2.rules().raft, Release::V4_4_0.rules().raft);
        assert_eq!(through_bytes(fetch(4), &new, &new), Ok(fetch(4)));
        assert_eq!(through_bytes(fetch(4), &new, &old), Ok(fetch(i64::MAX)));
    }

    #[test]
    fn what_no_version_may_leave_out_stays_for_the_receiver_to_refuse() {
        let (old, new) = (Release::V3_9_2.rules().raft, Release::V4_4_0.rules().raft);
        let pre_vote = sent(Request::Vote(VoteRequest {
            cluster_id: None,
            voter_id: 2,
            replica_epoch: 5,
            replica_id: 1,
            replica_directory_id: Uuid::ZERO,
            voter_directory_id: Uuid::ZERO,
            last_offset_epoch: 4,
            last_offset: 17,
            pre_vote: true,
        }));
        assert_eq!(through_bytes(pre_vote.clone(), &new, &old), Ok(pre_vote));
    }
}
