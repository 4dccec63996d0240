//! Replicas and controllers driven step by step: a clock that moves when told, a network that delivers when told.
//!
//! The counterpart of the driver of Kafka's own classes (`oracle/README.md`, "Schedules"): the same commands, the same
//! answers. What that driver fixes arbitrarily is imitated here, not in the parts that are driven: a controller handles
//! all its events between two polls of its replica, chance comes from `java.util.Random` with the driver's seeds,
//! directory ids are given. Around a replica stands its controller only: no metadata loader, no registration.
//!
//! Reading order: [`Setup`] (which nodes), [`Command`] (what can be told), [`Answer`] (what is answered, with
//! [`NodeState`] and [`Call`]), [`Drive`] (all of it), `process` (one node), `noting` (what a controller asks of its
//! replica, noted), `afterlife` (what it does once its process is gone), `flight` and `network` (messages on their way), `run` (the simple scheduler), `directories` (what a
//! node is formatted with).

mod afterlife;
mod answer;
mod call;
mod command;
mod directories;
#[expect(
    clippy::module_inception,
    reason = "the main type's file bears its name"
)]
mod drive;
mod flight;
mod network;
mod noting;
mod process;
mod refusal;
mod run;
mod setup;
mod state;

pub use crate::run::action::QuorumKind;
pub use answer::{Answer, Detail, Sent};
pub use call::{Call, ReadBatch};
pub use command::{Ask, Command, DropRule, Kind, LogBytes, Operation, Remainder, RunPlan, Until};
pub use drive::Drive;
pub use flight::{Brief, Payload};
pub use refusal::Refusal;
pub use setup::{ListenerKind, Setup, StartKind, Trace};
pub use state::{ControllerState, NodeState, Outcome, Purpose, Standing};
