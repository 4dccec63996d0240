//! Replicas and controllers driven step by step: a clock that moves when told, a network that delivers when told.
//!
//! The counterpart of the driver of Kafka's own classes (`oracle/README.md`, "Schedules"): the same commands, the same
//! answers. What that driver fixes arbitrarily is imitated here, not in the parts that are driven: a controller handles
//! all its events between two polls of its replica, chance comes from `java.util.Random` with the driver's seeds,
//! directory ids are given. Around a replica stands its controller only: no metadata loader, no registration.
//!
//! A [world by hand](crate::world::World::by_hand) under an [observer](crate::observer::Observer) holds processes, disks
//! and connections.
//!
//! Reading order: [`Setup`] (which nodes), [`DriveCommand`] (what can be told), [`CommandAnswer`] (what is answered, with
//! [`NodeState`] and [`Call`]), [`Drive`] (all of it), `seat` (what the driver keeps of one node), `lives` (processes begin
//! and end), `turns` (a node does one thing), `watching` (what passes between a replica and its controller), `afterlife`
//! (what a controller does once its process is gone), `flight` and `network` (messages on their way), `run` (the simple
//! scheduler), `directories` (what a node is formatted with).

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
mod lives;
mod network;
mod refusal;
mod run;
mod seat;
mod setup;
mod state;
mod turns;
mod watching;

pub use crate::run::action::QuorumKind;
pub use answer::{AnswerDetail, CommandAnswer, Sent};
pub use call::{Call, ReadBatch};
pub use command::{
    Ask, ControllerOperation, DriveCommand, DropCommand, LogBytes, MessageSide, Remainder, RunPlan,
    Until,
};
pub use drive::Drive;
pub use flight::{Brief, FlightPayload};
pub use refusal::CommandRefusal;
pub use setup::{ListenerKind, Setup, StartKind, Trace};
pub use state::{ControllerState, NodeState, OperationOutcome, Purpose, ReplicaStanding};
