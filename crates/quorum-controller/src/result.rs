//! What an operation of the active controller wants to write.

use records::metadata::VersionedRecord;

/// Whether records may be spread over several appends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One append, or none at all.
    Atomic,
    /// As many appends as the limit on records asks for.
    MayBeSplit,
}

/// Records that an operation wants to write; none make it a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControllerResult {
    /// The records, in order.
    pub records: Vec<VersionedRecord>,
    /// Whether they may be spread.
    pub shape: Shape,
}

impl ControllerResult {
    /// Records that belong into one append.
    pub fn atomic(records: Vec<VersionedRecord>) -> Self {
        ControllerResult {
            records,
            shape: Shape::Atomic,
        }
    }

    /// Records that may be spread over several.
    pub fn splittable(records: Vec<VersionedRecord>) -> Self {
        ControllerResult {
            records,
            shape: Shape::MayBeSplit,
        }
    }
}
