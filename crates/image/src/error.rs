//! Records that a fold cannot take.

use records::{NodeId, Uuid};

/// Why a record cannot be applied to an image. On a controller each of these ends the process.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// The metadata.version is none that this release knows.
    #[error(
        "metadata.version level {level} is not known to this release, which knows levels {lowest} to {highest}"
    )]
    UnknownMetadataVersion {
        /// The level in the record.
        level: i16,
        /// The lowest level that the release knows.
        lowest: i16,
        highest: i16,
    },
    /// A broker is to change that was never registered.
    #[error("cannot {action} broker {broker}: it is not registered")]
    UnknownBroker {
        /// What the record does.
        action: &'static str,
        /// The broker it names.
        broker: NodeId,
    },
    /// A broker is to change under another epoch than its own.
    #[error(
        "cannot {action} broker {broker}: the record names broker epoch {given}, the broker is at {current}"
    )]
    OtherBrokerEpoch {
        /// What the record does.
        action: &'static str,
        /// The broker it names.
        broker: NodeId,
        /// The epoch in the record.
        given: i64,
        /// The epoch of the registration.
        current: i64,
    },
    /// A broker registers a listener without a name.
    #[error("broker {broker} registers a listener without a name")]
    UnnamedListener {
        /// The broker the record names.
        broker: NodeId,
    },
    /// Replicas and their log directories do not go together.
    #[error("a {record} names {directories} log directories for {replicas} replicas")]
    DirectoryCount {
        /// The type of the record.
        record: &'static str,
        /// How many replicas the partition has.
        replicas: usize,
        /// How many directories.
        directories: usize,
    },
    /// A topic is named by an id that no topic has.
    #[error("no topic has the id {id}, which a {record} names")]
    UnknownTopicId {
        /// The id in the record.
        id: Uuid,
        /// The type of the record.
        record: &'static str,
    },
    /// A topic is named that does not exist.
    #[error("no topic is called `{name}`, which a {record} names")]
    UnknownTopic {
        /// The name in the record.
        name: String,
        /// The type of the record.
        record: &'static str,
    },
    /// A partition is to change that does not exist.
    #[error("topic {topic} has no partition {partition}, which a PartitionChangeRecord names")]
    UnknownPartition { topic: Uuid, partition: i32 },
    /// An ACL is to be removed that does not exist.
    #[error("no access control entry has the id {id}")]
    UnknownAcl {
        /// The id in the record.
        id: Uuid,
    },
    /// A field holds a value that has no meaning.
    #[error("{record} holds {value} in {field}, which has no meaning")]
    UnknownValue {
        /// The type of the record.
        record: &'static str,
        /// The field, as Kafka names it.
        field: &'static str,
        value: i64,
    },
    /// A record that belongs to transactions reached the fold of an image.
    #[error("a {0} changes no image: the reader of the log handles transactions")]
    TransactionMarker(&'static str),
}
