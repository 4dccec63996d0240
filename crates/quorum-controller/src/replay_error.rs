//! Records that cannot be replayed.

use image::ApplyError;
use records::{NodeId, Uuid};

use crate::broker_partitions::NotHeld;
use crate::offset_control::OffsetError;
use crate::timeline::TimelineError;

/// Why a record cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The level of a feature is outside what this node supports.
    #[error(
        "feature {name} at level {level}, but this controller supports levels {min} to {max} only"
    )]
    UnsupportedFeatureLevel {
        name: String,
        /// The level in the record.
        level: i16,
        /// The lowest supported one.
        min: i16,
        /// The highest supported one.
        max: i16,
    },
    /// A broker or controller is to go that was never registered.
    #[error("cannot unregister {kind} {node}: it is not registered")]
    NotRegistered {
        /// `broker` or `controller`.
        kind: &'static str,
        /// The node the record names.
        node: NodeId,
    },
    /// A log directory has a broker already.
    #[error("broker {broker} names log directory {directory}, which broker {owner} has")]
    DirectoryTaken {
        /// The broker the record names.
        broker: NodeId,
        directory: Uuid,
        /// Whose it is.
        owner: NodeId,
    },
    /// A broker cannot give a log directory back twice.
    #[error("broker {broker} was registered with log directory {directory} twice")]
    DirectoryTwice {
        /// The broker the record names.
        broker: NodeId,
        directory: Uuid,
    },
    /// A topic has a name that is taken.
    #[error("there is a topic `{name}` already")]
    DuplicateTopic { name: String },
    /// The configuration of a node that is called by no number (4.0+).
    #[error("`{name}` has a configuration as a node, but is no node id")]
    NotANodeId {
        /// What the record calls it.
        name: String,
    },
    #[error("the next producer id becomes {given}, which is not above {current}")]
    ProducerIdsGoBack {
        /// The id in the record.
        given: i64,
        /// The id in force.
        current: i64,
    },
    /// An access control entry is to go whose content is gone, because an equal one went before.
    #[error("an access control entry with the content of {id} was removed before")]
    AclRemovedBefore {
        /// The id in the record.
        id: Uuid,
    },
    /// A SCRAM credential is to go that does not exist.
    #[error("{user} has no SCRAM credential of mechanism {mechanism}")]
    UnknownCredential {
        user: String,
        /// The mechanism in the record.
        mechanism: i8,
    },
    /// The index of in-sync or eligible replicas does not hold what is to be taken out, because an earlier record named a
    /// replica twice.
    #[error(
        "broker {broker} does not count as a replica of partition {partition} of topic {topic}"
    )]
    NotHeld {
        broker: i32,
        topic: Uuid,
        partition: i32,
    },
    /// It does not fit the image.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// It does not fit the transactions around it.
    #[error(transparent)]
    Offsets(#[from] OffsetError),
}

impl From<TimelineError> for ReplayError {
    fn from(error: TimelineError) -> Self {
        ReplayError::Offsets(error.into())
    }
}

impl From<NotHeld> for ReplayError {
    fn from(error: NotHeld) -> Self {
        ReplayError::NotHeld {
            broker: error.broker,
            topic: error.at.topic,
            partition: error.at.partition,
        }
    }
}
