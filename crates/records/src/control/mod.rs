//! The records of control batches: raft's own, in the log and at both ends of a checkpoint.
//!
//! * [`ControlRecord`] is key and value of one record.
//! * `messages` describes the values.

mod control_record;
mod messages;

pub use control_record::{ControlKind, ControlRecord};
pub use messages::*;
