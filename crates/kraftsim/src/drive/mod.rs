//! Schedules for [`simulator::drive`] as JSON lines, with the words of the driver of Kafka's own classes.
//!
//! Reading order: [`Session`] (a line in, a line out), `setup` and `commands` (what the lines say), `answers` and
//! `states` (what is answered), `calls` (what passed between replica and listener), `bodies`, `requests`, `responses`
//! (messages as Kafka's own JSON converters write them).

mod answers;
mod bodies;
mod calls;
mod commands;
mod operations;
mod requests;
mod responses;
mod session;
mod setup;
mod states;

pub use session::Session;
