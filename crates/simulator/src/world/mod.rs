//! The world: machines, their network, and the order in which things happen.
//!
//! Reading order: [`World`] (all of it), [`Machine`] (a disk, a clock, a process), `process` (what can be done to
//! processes), `administrator` (who asks from outside), `schedule` (what happens in which order), `sending` (where messages
//! go), `by_hand` (a world that its caller schedules), `letter` (a message
//! on its way: [`Letter`]), `wire` (messages as bytes), `event` (what the scheduler
//! hands out), `in_flight` (requests that wait for an answer), `slab` (where messages lie), `sight` (messages and disk
//! operations, for who asks).

mod administrator;
mod by_hand;
mod event;
mod in_flight;
mod letter;
mod machine;
mod process;
mod schedule;
mod sending;
mod sight;
mod slab;
mod wire;
#[expect(
    clippy::module_inception,
    reason = "the main type's file bears its name"
)]
mod world;

pub use administrator::{ADMINISTRATOR, AdministratorAnswer, Question};
pub use letter::Letter;
pub use machine::{Down, EPOCH_MS, Machine};
pub use process::STOP_LIMIT;
pub use schedule::SCOPE_TARGET;
pub use sight::{Detail, Sight};
pub use wire::Wire;
pub use world::World;
