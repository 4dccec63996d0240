use std::sync::Arc;

use quorum_controller::ControllerRequest;
use raft::message::{ApiKey, Errors, Request};
use records::NodeId;
use records::metadata::VersionedRecord;

use super::CommandRefusal;

/// A command of a schedule.
#[derive(Clone, Debug)]
pub enum DriveCommand {
    /// Moves the clock at one go; then what is due happens.
    Advance {
        /// By how many milliseconds.
        ms: i64,
    },
    /// One turn of a replica.
    Poll(NodeId),
    /// Puts a message into the receiver's inbox.
    Deliver {
        id: u64,
        /// The version of a request, instead of the latest.
        version: Option<i16>,
    },
    /// Nobody hears of a message.
    Drop(u64),
    /// The sender of the request hears of an error.
    Fail {
        id: u64,
        /// The error; `None` for one that does not exist.
        error: Option<Errors>,
    },
    Run(RunPlan),
    /// The state of one node, or of all.
    State(Option<NodeId>),
    /// The batches of a node's log.
    Log {
        node: NodeId,
        /// Whether with their bytes.
        bytes: LogBytes,
    },
    /// Something is asked of a controller.
    Controller {
        node: NodeId,
        operation: ControllerOperation,
    },
    /// Something is asked of a replica by a client.
    Request {
        node: NodeId,
        /// In which version, instead of the latest.
        version: Option<i16>,
        request: Ask,
    },
    /// Records straight to the replica.
    Append {
        node: NodeId,
        epoch: i32,
        records: Vec<VersionedRecord>,
    },
    Snapshot {
        node: NodeId,
        /// Its end, instead of the high watermark.
        offset: Option<i64>,
        epoch: i32,
        /// What it holds.
        records: Vec<VersionedRecord>,
    },
    /// The replica gives up leadership.
    Resign {
        node: NodeId,
        epoch: i32,
    },
    /// The replica shuts down, in the polls that follow.
    Shutdown {
        node: NodeId,
        /// How long it may take.
        timeout_ms: i64,
    },
    /// The controller's thread stands still.
    Hold(NodeId),
    /// It goes on.
    Release(NodeId),
    /// What the next draws of a node are to be.
    Draws {
        node: NodeId,
        /// Each is taken modulo its bound.
        values: Vec<i32>,
    },
    /// The process is gone.
    Crash {
        node: NodeId,
        /// The batches from this offset on are gone, too.
        keep_below: Option<i64>,
    },
    /// The process comes up, after a crash if it is up.
    Restart {
        node: NodeId,
        /// The batches from this offset on are gone, if it is up.
        keep_below: Option<i64>,
        /// What is left of its directory.
        remainder: Remainder,
    },
}

/// Whether the bytes of a log are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogBytes {
    Shown,
    /// Only what they mean.
    LeftOut,
}

/// What a process comes up on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remainder {
    /// What was there.
    Kept,
    /// A directory formatted anew.
    Wiped,
}

/// A request of a client.
#[derive(Clone, Debug)]
pub enum Ask {
    /// One that replicas understand.
    Raft(Request),
    /// One about partitions that are not the metadata's.
    Misaddressed {
        /// What it asks.
        api: ApiKey,
        /// The cluster it names.
        cluster_id: Option<Arc<str>>,
    },
    /// One that nobody here does; in words.
    Unavailable(String),
}

/// What is asked of a controller.
#[derive(Clone, Debug)]
pub enum ControllerOperation {
    /// One it can do.
    Request(ControllerRequest),
    /// One that the model of the controller does not have, or that is none.
    Refused(CommandRefusal),
}

/// Many steps: until nothing is left to do, all messages are delivered by id and the nodes that have something to do are
/// polled; then the clock moves.
#[derive(Clone, Debug, Default)]
pub struct RunPlan {
    /// How long, by the clock.
    pub ms: i64,
    /// By how much the clock moves at a time.
    pub step_ms: i64,
    /// What is dropped instead of delivered.
    pub drop: Vec<DropCommand>,
    /// When to stop before the end.
    pub until: Option<Until>,
}

/// Which messages; every condition that is there has to hold.
#[derive(Clone, Debug, Default)]
pub struct DropCommand {
    pub from: Option<NodeId>,
    pub to: Option<NodeId>,
    /// Either of them.
    pub node: Option<NodeId>,
    pub api: Option<ApiKey>,
    /// Request or response.
    pub kind: Option<MessageSide>,
    /// Whether it carries batches of data.
    pub data: Option<bool>,
}

/// Request or response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageSide {
    Request,
    Response,
}

/// The state of any one node; every condition that is there has to hold.
#[derive(Clone, Debug, Default)]
pub struct Until {
    pub node: Option<NodeId>,
    /// The name of its role.
    pub role: Option<String>,
    /// Its epoch at least.
    pub min_epoch: Option<i32>,
    /// Its high watermark at least.
    pub high_watermark: Option<i64>,
    /// Whether its controller is active.
    pub active: Option<bool>,
}
