//! Messages as bytes: against what Kafka's own classes wrote, against themselves, against the table of facts, and against
//! bytes that nobody should send.

#![allow(clippy::unwrap_used, reason = "tests end at what does not work")]

mod expected;
mod frames;
mod hostile;
mod json;
mod library;
mod recorded;
mod round_trips;
mod strategies;
mod unknown_fields;
mod versions;
