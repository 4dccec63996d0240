use listener::AppendError;
use raft::{CreateSnapshotError, RaftFault};
use raft_log::checkpoint::{SnapshotWriterError, WriteError};
use raft_log::log::SnapshotError;
use records::{EncodeError, NodeId};

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandRefusal {
    /// There is no such node.
    #[error("no node {0}")]
    NoSuchNode(NodeId),
    /// It is not up, or a fault has ended it.
    #[error("node {0} is down")]
    Down(NodeId),
    /// Nobody listens to that address.
    #[error("nobody listens at {0}")]
    NobodyThere(String),
    /// There is no message of that number.
    #[error("message {0} is not in flight")]
    NotInFlight(u64),
    /// The node has no controller.
    #[error("node {0} has no controller")]
    NoController(NodeId),
    /// The model does not have it.
    #[error("{0}")]
    Unavailable(String),
    /// The part that was asked said no.
    #[error("{text}")]
    Refused {
        /// The exception that Kafka says it with.
        exception: &'static str,
        text: String,
    },
    /// A fault ended it before its replica had a role.
    #[error("the replica of node {0} has no role")]
    NoRole(NodeId),
    /// The command lacks something that it must have.
    #[error("something is missing in the command")]
    Incomplete,
}

const ILLEGAL_ARGUMENT: &str = "java.lang.IllegalArgumentException";
const RUNTIME: &str = "java.lang.RuntimeException";
const BATCH_TOO_LARGE: &str = "org.apache.kafka.common.errors.RecordBatchTooLargeException";
const KAFKA_EXCEPTION: &str = "org.apache.kafka.common.KafkaException";

impl CommandRefusal {
    /// What is asked for does not exist.
    pub fn illegal_argument(text: impl Into<String>) -> Self {
        CommandRefusal::Refused {
            exception: ILLEGAL_ARGUMENT,
            text: text.into(),
        }
    }

    /// It would go on for ever.
    pub(super) fn endless(text: impl Into<String>) -> Self {
        CommandRefusal::Refused {
            exception: "endless",
            text: text.into(),
        }
    }

    /// The part that was asked finds the argument wrong.
    pub(super) fn refused(error: impl std::fmt::Display) -> Self {
        CommandRefusal::with(ILLEGAL_ARGUMENT, error)
    }

    /// The part that was asked said no.
    pub(super) fn with(exception: &'static str, error: impl std::fmt::Display) -> Self {
        let text = error.to_string();
        CommandRefusal::Refused { exception, text }
    }

    /// A version cannot say it.
    pub(super) fn unsupported_version(error: impl std::fmt::Display) -> Self {
        let exception = "org.apache.kafka.common.errors.UnsupportedVersionException";
        CommandRefusal::with(exception, error)
    }

    /// An append was refused.
    pub(super) fn of_append(error: &AppendError) -> Self {
        let exception = match error {
            AppendError::NotLeader { .. } => "org.apache.kafka.raft.errors.NotLeaderException",
            AppendError::FutureEpoch { .. } | AppendError::NoRecords => ILLEGAL_ARGUMENT,
            AppendError::TooManyBatches { .. } => "java.lang.IllegalStateException",
            AppendError::BatchTooLarge { .. } => BATCH_TOO_LARGE,
            AppendError::TooLong { .. } => RUNTIME,
            AppendError::Unwritable { .. } => {
                "org.apache.kafka.common.errors.UnsupportedVersionException"
            }
        };
        CommandRefusal::with(exception, error)
    }

    /// Records that cannot go into a checkpoint.
    pub(super) fn of_checkpoint(error: &SnapshotWriterError) -> Self {
        let exception = match error {
            SnapshotWriterError::Write(WriteError::Encode(
                EncodeError::StringTooLong { .. } | EncodeError::TooLong { .. },
            )) => RUNTIME,
            SnapshotWriterError::Write(WriteError::TooLarge { .. }) => BATCH_TOO_LARGE,
            _ => ILLEGAL_ARGUMENT,
        };
        CommandRefusal::with(exception, error)
    }

    /// A replica did not start.
    pub(super) fn of_start(fault: &RaftFault) -> Self {
        let exception = match fault {
            RaftFault::NoLastEpoch(_) => KAFKA_EXCEPTION,
            _ => ILLEGAL_ARGUMENT,
        };
        CommandRefusal::with(exception, fault)
    }

    /// A checkpoint was refused.
    pub(super) fn of_snapshot(error: &CreateSnapshotError) -> Self {
        let exception = match error {
            CreateSnapshotError::UnexpectedVoters(_) => "java.lang.IllegalStateException",
            CreateSnapshotError::Id(SnapshotError::NoLastEpoch(_)) => KAFKA_EXCEPTION,
            _ => ILLEGAL_ARGUMENT,
        };
        CommandRefusal::with(exception, error)
    }

    /// The exception that Kafka's driver meets.
    pub fn exception(&self) -> &'static str {
        match self {
            CommandRefusal::NoSuchNode(_)
            | CommandRefusal::Down(_)
            | CommandRefusal::NotInFlight(_)
            | CommandRefusal::NoController(_) => ILLEGAL_ARGUMENT,
            CommandRefusal::NobodyThere(_) => "java.util.NoSuchElementException",
            CommandRefusal::Unavailable(_) => "not available yet",
            CommandRefusal::NoRole(_) | CommandRefusal::Incomplete => {
                "java.lang.NullPointerException"
            }
            CommandRefusal::Refused { exception, .. } => exception,
        }
    }
}
