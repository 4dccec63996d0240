//! The result of an operation of the active controller: records and an answer, or a failure
//! (`4.4:…/controller/ControllerResult.java`, `errors/EventHandlerExceptionInfo.java`).

use records::metadata::VersionedRecord;

use crate::api_error::{ApiError, ErrorCode};
use crate::config::ControllerConfig;
use crate::request::{ControllerResponse, RequestError};

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

/// How a write fails without ending the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WriteFailure {
    /// Not the active controller: the caller looks elsewhere.
    NotController,
    /// The operation is refused: the caller hears why, nothing else happens.
    Refused(RequestError),
    /// Raft does not lead the epoch any more: the controller renounces, and that is no fault.
    NotLeader,
    /// A task that comes back failed: a counted fault, and it comes back later.
    TaskFailed { task: &'static str, text: String },
    /// Anything that should not happen: a counted fault, and the controller renounces.
    Unexpected(String),
}

impl WriteFailure {
    pub(crate) fn causes_failover(&self) -> bool {
        matches!(self, WriteFailure::NotLeader | WriteFailure::Unexpected(_))
    }
}

/// What is answered once the records are stable, or what was read is: a refusal can be a result, too.
pub(crate) type RequestResult = Result<ControllerResponse, RequestError>;

/// Whether a task should come back soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum More {
    /// There may be more to do.
    Maybe,
    /// There is not.
    No,
}

/// A refusal with one of Kafka's codes.
pub(crate) fn refused(error: ErrorCode, reason: impl Into<String>) -> WriteFailure {
    WriteFailure::Refused(ApiError::new(error, reason).into())
}

/// Records of one operation, of which there is a limit.
pub(crate) fn bounded(records: Vec<VersionedRecord>) -> Result<Vec<VersionedRecord>, WriteFailure> {
    let limit = ControllerConfig::MAX_RECORDS_PER_BATCH;
    if records.len() > limit {
        return Err(WriteFailure::Refused(RequestError::PolicyViolation {
            limit,
        }));
    }
    Ok(records)
}
