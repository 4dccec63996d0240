//! Values that occur everywhere.

use std::sync::Arc;

use kafka_protocol::messages::TopicName;
use kafka_protocol::protocol::StrBytes;
use records::Uuid;

use super::super::DecodeError;
use crate::message::NodeEndpoint;
use crate::{Address, Endpoints, ListenerName};

/// The topic of the metadata log, and its only partition.
const METADATA_TOPIC: &str = "__cluster_metadata";
const METADATA_PARTITION: i32 = 0;

pub(super) fn text(text: &str) -> StrBytes {
    StrBytes::from_string(text.to_owned())
}

pub(super) fn nullable_text(value: Option<&str>) -> Option<StrBytes> {
    value.map(text)
}

pub(super) fn shared_text(text: Option<&StrBytes>) -> Option<Arc<str>> {
    text.map(|text| text.as_str().into())
}

pub(super) fn owned_text(text: Option<&StrBytes>) -> Option<String> {
    text.map(|text| text.as_str().to_owned())
}

pub(super) fn uuid(id: Uuid) -> uuid::Uuid {
    uuid::Uuid::from_bytes(*id.as_bytes())
}

pub(super) fn from_uuid(id: uuid::Uuid) -> Uuid {
    Uuid::from_bytes(id.into_bytes())
}

pub(super) fn topic_name() -> TopicName {
    TopicName(StrBytes::from_static_str(METADATA_TOPIC))
}

pub(super) fn partition_index() -> i32 {
    METADATA_PARTITION
}

/// The one thing that must stand in an array of topics or partitions.
pub(super) fn only<T>(mut elements: Vec<T>, field: &str) -> Result<T, DecodeError> {
    let found = elements.len();
    match elements.pop() {
        Some(element) if found == 1 => Ok(element),
        _ => Err(content(field, "one element", &found)),
    }
}

pub(super) fn check_topic(name: &TopicName, field: &str) -> Result<(), DecodeError> {
    if name.0.as_str() == METADATA_TOPIC {
        return Ok(());
    }
    Err(content(field, METADATA_TOPIC, &name.0))
}

pub(super) fn check_topic_id(id: uuid::Uuid, field: &str) -> Result<(), DecodeError> {
    let id = from_uuid(id);
    if id == Uuid::METADATA_TOPIC_ID {
        return Ok(());
    }
    Err(content(field, "AAAAAAAAAAAAAAAAAAAAAQ", &id))
}

pub(super) fn check_partition(index: i32, field: &str) -> Result<(), DecodeError> {
    if index == METADATA_PARTITION {
        return Ok(());
    }
    Err(content(field, "partition 0", &index))
}

pub(super) fn port(port: i32, field: &str) -> Result<u16, DecodeError> {
    u16::try_from(port).map_err(|_| content(field, "a port", &port))
}

fn content(field: &str, expected: &'static str, found: &impl std::fmt::Display) -> DecodeError {
    DecodeError::Content {
        field: field.to_owned(),
        expected,
        found: found.to_string(),
    }
}

/// A listener in the library's struct of whatever message.
pub(super) fn endpoints(listeners: impl Iterator<Item = (StrBytes, StrBytes, u16)>) -> Endpoints {
    Endpoints::new(listeners.map(|(name, host, port)| {
        (
            ListenerName::normalised(&name),
            Address::new(host.as_str(), port),
        )
    }))
}

/// Of the endpoints in a response that of the leader, else the first.
pub(super) fn node_endpoint(
    leader_id: Option<i32>,
    endpoints: impl Iterator<Item = NodeEndpoint>,
) -> Option<NodeEndpoint> {
    let endpoints: Vec<NodeEndpoint> = endpoints.collect();
    let of_leader = |endpoint: &&NodeEndpoint| Some(endpoint.node_id) == leader_id;
    let found = endpoints.iter().find(of_leader);
    found.or_else(|| endpoints.first()).cloned()
}

/// A value from a version on, the default before: what a version lacks and Kafka itself leaves out of it.
pub(super) fn since<T: Default>(first: i16, version: i16, value: T) -> T {
    if version >= first {
        value
    } else {
        T::default()
    }
}
