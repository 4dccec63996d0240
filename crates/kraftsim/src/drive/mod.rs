//! Schedules for [`simulator::drive`] as JSON lines, with the words of the driver of Kafka's own classes.
//!
//! Reading order: [`DrivenSchedule`] (a line in, a line out), `setup` and `commands` (what the lines say, with `operations`,
//! `requests_as_json`, `client_requests`, `given_records`, `error_names`), `exceptions` (why one is not carried out),
//! `answers` and `states` (what is answered), `results` (by controllers), `calls` (what passed between replica and
//! listener), `bodies` (messages as Kafka's own JSON converters write them).

mod answers;
mod bodies;
mod calls;
mod client_requests;
mod commands;
mod error_names;
mod exceptions;
mod fields;
mod given_records;
mod known;
mod limits;
mod lines;
mod operations;
mod requests_as_json;
mod results;
mod session;
mod setup;
mod states;

pub use limits::LINE_BYTES;
pub use lines::{ScheduleLine, ScheduleLines};
pub use session::DrivenSchedule;
