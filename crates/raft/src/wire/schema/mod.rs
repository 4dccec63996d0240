//! What stands in each message: fields in the order of the bytes, with the versions that have them.
//!
//! Facts of Kafka's message definitions, 3.9 to 4.4, read from the released jars. A table, so that bytes can be checked
//! and named field by field before anything is made of them.

mod api_versions;
mod controller_registration;
mod describe_quorum;
mod fetch;
mod fetch_snapshot;
mod quorum_epoch;
#[cfg(test)]
mod tests;
mod vote;
mod voters;

use super::{Api, Kind, Side};
use crate::message::ApiKey;

/// A struct: its fields in the order of the bytes. Tagged ones follow the others there.
#[derive(Debug)]
pub struct Shape {
    pub(super) fields: &'static [Field],
}

/// A field of a struct.
#[derive(Debug)]
pub struct Field {
    pub(super) name: &'static str,
    pub(super) holds: FieldType,
    /// First and last version that has it.
    pub(super) versions: (i16, i16),
    pub(super) nullability: Nullability,
    pub(super) tag: Option<u32>,
}

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub enum FieldType {
    /// A byte, true unless 0.
    Boolean,
    /// A byte.
    Int8,
    /// Two bytes.
    Int16,
    /// Two bytes without sign.
    Uint16,
    /// Four bytes.
    Int32,
    /// Eight bytes.
    Int64,
    /// Sixteen bytes.
    Uuid,
    /// A length and UTF-8.
    Text,
    /// A length and bytes: batches, or a piece of a checkpoint.
    Records,
    /// A count and elements.
    Array(&'static FieldType),
    /// Its fields.
    Struct(&'static Shape),
}

/// Whether a field may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nullability {
    /// It may not.
    Never,
    /// In every version that has the field.
    Always,
}

impl Shape {
    const fn new(fields: &'static [Field]) -> Self {
        Shape { fields }
    }

    /// The field with a tag, whatever the version.
    pub(super) fn tagged(&self, tag: u32) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.tag == Some(tag))
    }

    /// Fewest bytes in a version.
    pub(super) fn least_bytes(&self, version: i16, encoding: Encoding) -> usize {
        let fields = self.fields.iter();
        let plain = fields.filter(|field| field.tag.is_none() && field.is_in(version));
        let sum: usize = plain
            .map(|field| field.holds.least_bytes(version, encoding))
            .sum();
        sum + usize::from(encoding == Encoding::Flexible)
    }
}

impl Field {
    const fn new(name: &'static str, holds: FieldType) -> Self {
        Field {
            name,
            holds,
            versions: (0, i16::MAX),
            nullability: Nullability::Never,
            tag: None,
        }
    }

    const fn since(mut self, version: i16) -> Self {
        self.versions.0 = version;
        self
    }

    const fn until(mut self, version: i16) -> Self {
        self.versions.1 = version;
        self
    }

    const fn nullable(mut self) -> Self {
        self.nullability = Nullability::Always;
        self
    }

    const fn tagged(mut self, tag: u32) -> Self {
        self.tag = Some(tag);
        self
    }

    /// Whether a version has it.
    pub(super) fn is_in(&self, version: i16) -> bool {
        self.versions.0 <= version && version <= self.versions.1
    }
}

/// How lengths stand in the bytes, and whether tagged fields do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Fixed-width lengths, −1 for null.
    Plain,
    /// Varint lengths plus one, 0 for null; tagged fields at the end of every struct (KIP-482).
    Flexible,
}

impl FieldType {
    /// Fewest bytes of a value.
    pub(super) fn least_bytes(self, version: i16, encoding: Encoding) -> usize {
        match (self, encoding) {
            (FieldType::Boolean | FieldType::Int8, _)
            | (FieldType::Text | FieldType::Records | FieldType::Array(_), Encoding::Flexible) => 1,
            (FieldType::Int16 | FieldType::Uint16, _) | (FieldType::Text, Encoding::Plain) => 2,
            (FieldType::Int32, _) | (FieldType::Records | FieldType::Array(_), Encoding::Plain) => {
                4
            }
            (FieldType::Int64, _) => 8,
            (FieldType::Uuid, _) => 16,
            (FieldType::Struct(shape), _) => shape.least_bytes(version, encoding),
        }
    }
}

/// The shape of a message.
pub(super) fn of(kind: Kind) -> &'static Shape {
    let (request, response) = match kind.api {
        Api::Raft(ApiKey::Fetch) => (&fetch::FETCH_REQUEST, &fetch::FETCH_RESPONSE),
        Api::Raft(ApiKey::ApiVersions) => (
            &api_versions::API_VERSIONS_REQUEST,
            &api_versions::API_VERSIONS_RESPONSE,
        ),
        Api::Raft(ApiKey::Vote) => (&vote::VOTE_REQUEST, &vote::VOTE_RESPONSE),
        Api::Raft(ApiKey::BeginQuorumEpoch) => (
            &quorum_epoch::BEGIN_QUORUM_EPOCH_REQUEST,
            &quorum_epoch::BEGIN_QUORUM_EPOCH_RESPONSE,
        ),
        Api::Raft(ApiKey::EndQuorumEpoch) => (
            &quorum_epoch::END_QUORUM_EPOCH_REQUEST,
            &quorum_epoch::END_QUORUM_EPOCH_RESPONSE,
        ),
        Api::Raft(ApiKey::DescribeQuorum) => (
            &describe_quorum::DESCRIBE_QUORUM_REQUEST,
            &describe_quorum::DESCRIBE_QUORUM_RESPONSE,
        ),
        Api::Raft(ApiKey::FetchSnapshot) => (
            &fetch_snapshot::FETCH_SNAPSHOT_REQUEST,
            &fetch_snapshot::FETCH_SNAPSHOT_RESPONSE,
        ),
        Api::Raft(ApiKey::AddRaftVoter) => (
            &voters::ADD_RAFT_VOTER_REQUEST,
            &voters::ADD_RAFT_VOTER_RESPONSE,
        ),
        Api::Raft(ApiKey::RemoveRaftVoter) => (
            &voters::REMOVE_RAFT_VOTER_REQUEST,
            &voters::REMOVE_RAFT_VOTER_RESPONSE,
        ),
        Api::Raft(ApiKey::UpdateRaftVoter) => (
            &voters::UPDATE_RAFT_VOTER_REQUEST,
            &voters::UPDATE_RAFT_VOTER_RESPONSE,
        ),
        Api::ControllerRegistration => (
            &controller_registration::CONTROLLER_REGISTRATION_REQUEST,
            &controller_registration::CONTROLLER_REGISTRATION_RESPONSE,
        ),
    };
    match kind.side {
        Side::Request => request,
        Side::Response => response,
    }
}
