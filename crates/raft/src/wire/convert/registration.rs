use kafka_protocol::messages::controller_registration_request::{Feature, Listener};
use kafka_protocol::messages::{
    ControllerRegistrationRequest as TheirRequest, ControllerRegistrationResponse as TheirResponse,
};

use super::super::{
    ControllerRegistrationRequest, ControllerRegistrationResponse, RegisteredFeature,
    RegisteredListener,
};
use super::value;
use crate::message::Errors;

pub(super) fn request(ours: &ControllerRegistrationRequest) -> TheirRequest {
    let listeners = ours.listeners.iter().map(|listener| {
        Listener::default()
            .with_name(value::text(&listener.name))
            .with_host(value::text(&listener.host))
            .with_port(listener.port)
            .with_security_protocol(listener.security_protocol)
    });
    let features = ours.features.iter().map(|feature| {
        Feature::default()
            .with_name(value::text(&feature.name))
            .with_min_supported_version(feature.min_supported_version)
            .with_max_supported_version(feature.max_supported_version)
    });
    TheirRequest::default()
        .with_controller_id(ours.controller_id)
        .with_incarnation_id(value::uuid(ours.incarnation_id))
        .with_zk_migration_ready(ours.zk_migration_ready)
        .with_listeners(listeners.collect())
        .with_features(features.collect())
}

pub(super) fn from_request(theirs: &TheirRequest) -> ControllerRegistrationRequest {
    let listeners = theirs.listeners.iter().map(|listener| RegisteredListener {
        name: listener.name.as_str().to_owned(),
        host: listener.host.as_str().to_owned(),
        port: listener.port,
        security_protocol: listener.security_protocol,
    });
    let features = theirs.features.iter().map(|feature| RegisteredFeature {
        name: feature.name.as_str().to_owned(),
        min_supported_version: feature.min_supported_version,
        max_supported_version: feature.max_supported_version,
    });
    ControllerRegistrationRequest {
        controller_id: theirs.controller_id,
        incarnation_id: value::from_uuid(theirs.incarnation_id),
        zk_migration_ready: theirs.zk_migration_ready,
        listeners: listeners.collect(),
        features: features.collect(),
    }
}

pub(super) fn response(ours: &ControllerRegistrationResponse) -> TheirResponse {
    TheirResponse::default()
        .with_error_code(ours.error_code.0)
        .with_error_message(value::nullable_text(ours.error_message.as_deref()))
}

pub(super) fn from_response(theirs: &TheirResponse) -> ControllerRegistrationResponse {
    ControllerRegistrationResponse {
        error_code: Errors(theirs.error_code),
        error_message: value::owned_text(theirs.error_message.as_ref()),
    }
}
