//! Between our messages and the library's, API by API: one topic, one partition, Kafka's defaults for what raft leaves
//! alone.

mod api_versions;
mod describe_quorum;
mod fetch;
mod fetch_snapshot;
mod quorum_epoch;
mod registration;
mod value;
mod vote;
mod voters;

use bytes::Bytes;
use kafka_protocol::messages as theirs;
use kafka_protocol::protocol::{Decodable, Encodable};

use super::walk::Spare;
use super::{Api, DecodeError, EncodeError, Kind, Message, Side};
use crate::message::{ApiKey, Request, Response};

/// The bytes of a message in a version that the library has.
pub(super) fn encode(message: &Message, version: i16) -> Result<Vec<u8>, EncodeError> {
    let kind = message.kind();
    match message {
        Message::Request(request) => encode_request(kind, request, version),
        Message::Response(response) => encode_response(kind, response, version),
        Message::ControllerRegistrationRequest(request) => {
            put(kind, version, &registration::request(request))
        }
        Message::ControllerRegistrationResponse(response) => {
            put(kind, version, &registration::response(response))
        }
    }
}

fn encode_request(kind: Kind, request: &Request, version: i16) -> Result<Vec<u8>, EncodeError> {
    match request {
        Request::Vote(request) => put(kind, version, &vote::request(request)),
        Request::BeginQuorumEpoch(request) => {
            put(kind, version, &quorum_epoch::begin_request(request))
        }
        Request::EndQuorumEpoch(request) => put(kind, version, &quorum_epoch::end_request(request)),
        Request::Fetch(request) => put(kind, version, &fetch::request(request, version)),
        Request::FetchSnapshot(request) => put(kind, version, &fetch_snapshot::request(request)),
        Request::ApiVersions => put(kind, version, &api_versions::request()),
        Request::AddRaftVoter(request) => put(kind, version, &voters::add_request(request)),
        Request::RemoveRaftVoter(request) => put(kind, version, &voters::remove_request(request)),
        Request::UpdateRaftVoter(request) => put(kind, version, &voters::update_request(request)),
        Request::DescribeQuorum => put(kind, version, &describe_quorum::request()),
    }
}

fn encode_response(kind: Kind, response: &Response, version: i16) -> Result<Vec<u8>, EncodeError> {
    match response {
        Response::Vote(response) => put(kind, version, &vote::response(response, version)),
        Response::BeginQuorumEpoch(response) => put(
            kind,
            version,
            &quorum_epoch::begin_response(response, version),
        ),
        Response::EndQuorumEpoch(response) => put(
            kind,
            version,
            &quorum_epoch::end_response(response, version),
        ),
        Response::Fetch(response) => put(kind, version, &fetch::response(response, version)),
        Response::FetchSnapshot(response) => {
            put(kind, version, &fetch_snapshot::response(response, version))
        }
        Response::ApiVersions(response) => {
            put(kind, version, &api_versions::response(response, version))
        }
        Response::AddRaftVoter(response) => put(kind, version, &voters::add_response(response)),
        Response::RemoveRaftVoter(response) => {
            put(kind, version, &voters::remove_response(response))
        }
        Response::UpdateRaftVoter(response) => {
            put(kind, version, &voters::update_response(response))
        }
        Response::DescribeQuorum(response) => {
            put(kind, version, &describe_quorum::response(response, version))
        }
    }
}

fn put<T: Encodable>(kind: Kind, version: i16, message: &T) -> Result<Vec<u8>, EncodeError> {
    let mut out = Vec::new();
    // What a version cannot say was looked at before; left are lengths that do not fit.
    message
        .encode(&mut out, version)
        .map_err(|error| EncodeError::TooLong {
            kind,
            reason: error.to_string(),
        })?;
    Ok(out)
}

/// The message that stands in bytes which were walked before, in a version that the library has.
pub(super) fn decode(
    kind: Kind,
    version: i16,
    bytes: Bytes,
    spare: &Spare,
) -> Result<Message, DecodeError> {
    match (kind.api, kind.side) {
        (Api::Raft(api), Side::Request) => {
            decode_request(kind, api, version, bytes, spare).map(Message::Request)
        }
        (Api::Raft(api), Side::Response) => {
            decode_response(kind, api, version, bytes).map(Message::Response)
        }
        (Api::ControllerRegistration, Side::Request) => {
            let request = registration::from_request(&take(kind, version, bytes)?);
            Ok(Message::ControllerRegistrationRequest(request))
        }
        (Api::ControllerRegistration, Side::Response) => {
            let response = registration::from_response(&take(kind, version, bytes)?);
            Ok(Message::ControllerRegistrationResponse(response))
        }
    }
}

fn decode_request(
    kind: Kind,
    api: ApiKey,
    version: i16,
    bytes: Bytes,
    spare: &Spare,
) -> Result<Request, DecodeError> {
    Ok(match api {
        ApiKey::Vote => Request::Vote(vote::from_request(take(kind, version, bytes)?)?),
        ApiKey::BeginQuorumEpoch => Request::BeginQuorumEpoch(quorum_epoch::from_begin_request(
            take(kind, version, bytes)?,
        )?),
        ApiKey::EndQuorumEpoch => Request::EndQuorumEpoch(quorum_epoch::from_end_request(
            take(kind, version, bytes)?,
            version,
        )?),
        ApiKey::Fetch => Request::Fetch(fetch::from_request(take(kind, version, bytes)?, version)?),
        ApiKey::FetchSnapshot => {
            Request::FetchSnapshot(fetch_snapshot::from_request(take(kind, version, bytes)?)?)
        }
        ApiKey::ApiVersions => {
            take::<theirs::ApiVersionsRequest>(kind, version, bytes)?;
            Request::ApiVersions
        }
        ApiKey::AddRaftVoter => Request::AddRaftVoter(voters::from_add_request(
            &take(kind, version, bytes)?,
            spare,
        )),
        ApiKey::RemoveRaftVoter => {
            Request::RemoveRaftVoter(voters::from_remove_request(&take(kind, version, bytes)?))
        }
        ApiKey::UpdateRaftVoter => {
            Request::UpdateRaftVoter(voters::from_update_request(&take(kind, version, bytes)?))
        }
        ApiKey::DescribeQuorum => {
            describe_quorum::check_request(take(kind, version, bytes)?)?;
            Request::DescribeQuorum
        }
    })
}

fn decode_response(
    kind: Kind,
    api: ApiKey,
    version: i16,
    bytes: Bytes,
) -> Result<Response, DecodeError> {
    Ok(match api {
        ApiKey::Vote => Response::Vote(vote::from_response(take(kind, version, bytes)?)?),
        ApiKey::BeginQuorumEpoch => Response::BeginQuorumEpoch(quorum_epoch::from_begin_response(
            take(kind, version, bytes)?,
        )?),
        ApiKey::EndQuorumEpoch => Response::EndQuorumEpoch(quorum_epoch::from_end_response(take(
            kind, version, bytes,
        )?)?),
        ApiKey::Fetch => {
            Response::Fetch(fetch::from_response(take(kind, version, bytes)?, version)?)
        }
        ApiKey::FetchSnapshot => {
            Response::FetchSnapshot(fetch_snapshot::from_response(take(kind, version, bytes)?)?)
        }
        ApiKey::ApiVersions => {
            Response::ApiVersions(api_versions::from_response(&take(kind, version, bytes)?))
        }
        ApiKey::AddRaftVoter => {
            Response::AddRaftVoter(voters::from_add_response(&take(kind, version, bytes)?))
        }
        ApiKey::RemoveRaftVoter => {
            Response::RemoveRaftVoter(voters::from_remove_response(&take(kind, version, bytes)?))
        }
        ApiKey::UpdateRaftVoter => {
            Response::UpdateRaftVoter(voters::from_update_response(&take(kind, version, bytes)?)?)
        }
        ApiKey::DescribeQuorum => {
            Response::DescribeQuorum(describe_quorum::from_response(take(kind, version, bytes)?)?)
        }
    })
}

fn take<T: Decodable>(kind: Kind, version: i16, mut bytes: Bytes) -> Result<T, DecodeError> {
    T::decode(&mut bytes, version).map_err(|error| DecodeError::Refused {
        kind,
        reason: error.to_string(),
    })
}
