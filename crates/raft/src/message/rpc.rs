//! What all RPCs have in common: the form in which a message stands in Kafka's schema, and parts of forms.

use std::fmt;
use std::sync::{Arc, LazyLock};

use raft_log::batch::CorruptBatch;
use records::OffsetAndEpoch;
use records::wire::{Described, message};

use super::node::NodeEndpoint;
use crate::{Address, Endpoints, ListenerName, SupportedVersionRange};

/// The topic of the metadata log, and its only partition.
const METADATA_TOPIC: &str = "__cluster_metadata";
pub(super) const METADATA_PARTITION: i32 = 0;

/// A message of raft, and the form that its bytes and its JSON have.
pub(crate) trait Rpc: Sized {
    /// As Kafka's schema has it.
    type Form: Described;

    /// The form to write in a version.
    fn to_form(&self, version: i16) -> Self::Form;

    /// What a form says that was read in a version.
    fn of_form(form: Self::Form, version: i16) -> Result<Self, Content>;
}

/// A message in order, but not one of raft's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Another topic, several partitions, a port that is none.
    Field {
        /// The field, by its path below the message.
        field: &'static str,
        /// What raft takes.
        expected: &'static str,
        /// What it says.
        found: String,
    },
    Records(CorruptBatch),
}

impl Content {
    pub(super) fn new(
        field: &'static str,
        expected: &'static str,
        found: impl fmt::Display,
    ) -> Self {
        let found = found.to_string();
        Content::Field {
            field,
            expected,
            found,
        }
    }
}

/// A field of a message, and the type that it has in the form.
pub(super) trait Formed<F> {
    fn to_field(&self) -> F;
    fn of_field(field: F) -> Self;
}

impl<T: Clone> Formed<T> for T {
    fn to_field(&self) -> T {
        self.clone()
    }

    fn of_field(field: T) -> Self {
        field
    }
}

message! {
    /// An address at a listener.
    pub struct ListenerForm {
        name: Arc<str> = "name", since 0;
        host: Arc<str> = "host", since 0;
        port: u16 = "port", since 0;
    }

    /// Where the leader is reached.
    pub struct NodeEndpointForm {
        node_id: i32 = "nodeId", since 0;
        host: Arc<str> = "host", since 0;
        port: u16 = "port", since 0;
    }

    /// The end offset and epoch that name a checkpoint.
    pub struct SnapshotIdForm {
        end_offset: i64 = "endOffset", since 0;
        epoch: i32 = "epoch", since 0;
    }

    /// Levels of kraft.version.
    pub struct KRaftVersionFeatureForm {
        min: i16 = "minSupportedVersion", since 0;
        max: i16 = "maxSupportedVersion", since 0;
    }
}

impl Formed<Vec<ListenerForm>> for Endpoints {
    fn to_field(&self) -> Vec<ListenerForm> {
        let listeners = self.iter().map(|(name, address)| ListenerForm {
            name: name.as_str().into(),
            host: address.host.clone(),
            port: address.port,
            ..ListenerForm::default()
        });
        listeners.collect()
    }

    fn of_field(listeners: Vec<ListenerForm>) -> Self {
        Endpoints::new(listeners.into_iter().map(|listener| {
            let name = ListenerName::normalised(&listener.name);
            (name, Address::new(&listener.host, listener.port))
        }))
    }
}

impl Formed<SnapshotIdForm> for OffsetAndEpoch {
    fn to_field(&self) -> SnapshotIdForm {
        SnapshotIdForm {
            end_offset: self.offset,
            epoch: self.epoch,
            ..SnapshotIdForm::default()
        }
    }

    fn of_field(id: SnapshotIdForm) -> Self {
        OffsetAndEpoch {
            offset: id.end_offset,
            epoch: id.epoch,
        }
    }
}

impl Formed<KRaftVersionFeatureForm> for SupportedVersionRange {
    fn to_field(&self) -> KRaftVersionFeatureForm {
        KRaftVersionFeatureForm {
            min: self.min,
            max: self.max,
            ..KRaftVersionFeatureForm::default()
        }
    }

    fn of_field(range: KRaftVersionFeatureForm) -> Self {
        SupportedVersionRange {
            min: range.min,
            max: range.max,
        }
    }
}

impl NodeEndpointForm {
    /// What a response from version `first` on has of the leader's endpoint: raft leaves it out before, where the
    /// schema would refuse it (`4.4:raft/…/RaftUtil.java`).
    pub(super) fn list(endpoint: Option<&NodeEndpoint>, first: i16, version: i16) -> Vec<Self> {
        let known = endpoint.filter(|_| version >= first).into_iter();
        let forms = known.map(|endpoint| NodeEndpointForm {
            node_id: endpoint.node_id,
            host: endpoint.address.host.clone(),
            port: endpoint.address.port,
            ..NodeEndpointForm::default()
        });
        forms.collect()
    }
}

impl From<NodeEndpointForm> for NodeEndpoint {
    fn from(form: NodeEndpointForm) -> Self {
        NodeEndpoint {
            node_id: form.node_id,
            address: Address {
                host: form.host,
                port: form.port,
            },
        }
    }
}

/// Of the endpoints in a response that of the leader, else the first.
pub(super) fn node_endpoint<E: Into<NodeEndpoint>>(
    leader_id: Option<i32>,
    endpoints: Vec<E>,
) -> Option<NodeEndpoint> {
    let mut endpoints: Vec<NodeEndpoint> = endpoints.into_iter().map(E::into).collect();
    let of_leader = |endpoint: &NodeEndpoint| Some(endpoint.node_id) == leader_id;
    let index = endpoints.iter().position(of_leader).unwrap_or(0);
    (index < endpoints.len()).then(|| endpoints.swap_remove(index))
}

/// The name of the metadata log's topic, shared.
pub(super) fn metadata_topic() -> Arc<str> {
    static TOPIC: LazyLock<Arc<str>> = LazyLock::new(|| METADATA_TOPIC.into());
    TOPIC.clone()
}

/// The one thing that must stand in an array of topics or partitions.
pub(super) fn only<T>(mut elements: Vec<T>, field: &'static str) -> Result<T, Content> {
    let found = elements.len();
    match elements.pop() {
        Some(element) if found == 1 => Ok(element),
        _ => Err(Content::new(field, "one element", found)),
    }
}

/// The one thing in an array of topics that may be empty, as it is with a top level error.
pub(super) fn at_most_one<T>(elements: Vec<T>, field: &'static str) -> Result<Option<T>, Content> {
    if elements.is_empty() {
        return Ok(None);
    }
    only(elements, field).map(Some)
}

pub(super) fn check_topic(name: &str, field: &'static str) -> Result<(), Content> {
    match name {
        METADATA_TOPIC => Ok(()),
        other => Err(Content::new(field, METADATA_TOPIC, other)),
    }
}

pub(super) fn check_partition(index: i32, field: &'static str) -> Result<(), Content> {
    match index {
        METADATA_PARTITION => Ok(()),
        other => Err(Content::new(field, "partition 0", other)),
    }
}

pub(super) fn port(port: i32, field: &'static str) -> Result<u16, Content> {
    u16::try_from(port).map_err(|_| Content::new(field, "a port", port))
}
