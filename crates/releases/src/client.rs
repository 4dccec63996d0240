//! How requests to a controller and its answers look from outside, where that differs between lines.

use records::feature::Line;

use crate::rule::in_force;

/// The forms of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientForms {
    /// The highest error code that it knows (`clients/…/common/protocol/Errors.java`).
    pub highest_error_code: i16,
    /// How `ALTER_PARTITION` names topics.
    pub alter_partition_topics: TopicNaming,
    /// Whether a reassignment can ask for the replication factor to stay (`ALTER_PARTITION_REASSIGNMENTS` version 1).
    pub fixed_replication_factor: FixedReplicationFactor,
    /// What the answers to a broker print as.
    pub broker_replies: ReplyText,
}

/// How a request names topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopicNaming {
    /// By name, up to version 1 of the request.
    ByName,
    /// By topic id.
    ById,
}

/// Whether a reassignment can ask for the replication factor to stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixedReplicationFactor {
    /// It cannot.
    Unknown,
    /// It can.
    Known,
}

/// What Kafka's objects print as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyText {
    /// `Name(field=value)`, of a class.
    Class,
    /// `Name[field=value]`, of a Java record.
    Record,
}

impl ClientForms {
    /// The forms of `line`.
    pub fn of(line: Line) -> ClientForms {
        ClientForms {
            highest_error_code: in_force(
                line,
                127,
                &[(Line::V4_0, 129), (Line::V4_1, 133), (Line::V4_4, 136)],
            ),
            alter_partition_topics: in_force(
                line,
                TopicNaming::ByName,
                &[(Line::V4_0, TopicNaming::ById)],
            ),
            fixed_replication_factor: in_force(
                line,
                FixedReplicationFactor::Unknown,
                &[(Line::V4_1, FixedReplicationFactor::Known)],
            ),
            broker_replies: in_force(line, ReplyText::Class, &[(Line::V4_2, ReplyText::Record)]),
        }
    }
}
