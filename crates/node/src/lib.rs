//! One controller process: disk, raft, metadata loader, quorum controller and registration, in the order in which Kafka
//! brings them up.
//!
//! Deliberately knows nothing of other nodes, of how messages travel, and of what is simulated: time, disk and
//! randomness come in as arguments, messages go out as values.
//!
//! Reading order: [`NodeConfig`] (what a node is configured with), `start` (what must hold before a process comes up:
//! [`Refusal`]), `directories` (the checks of `meta.properties`), [`Node`] (the running process and its [`Thread`]s; `view` is how it is looked at),
//! [`Payload`] (what travels; `asker` is who waits for an answer), `registrar` and `controller_channel` (how a controller comes to be registered), `snapshots` (when
//! the metadata is written out), [`Ended`] (why a process is no more).

mod asker;
mod config;
mod controller_channel;
mod directories;
#[cfg(test)]
mod directories_tests;
mod ended;
mod heard;
mod message;
mod message_digest;
mod node;
mod registrar;
mod snapshots;
mod start;
mod thread;
mod view;

pub use config::{NodeConfig, Reach};
pub use directories::{DirectoryRefusal, METADATA_PARTITION};
pub use ended::Ended;
pub use heard::{Heard, Hearer};
pub use message::{Connection, Destination, Payload, RequestId, Sender, error_code};
pub use node::{Lifecycle, Node};
pub use registrar::RegistrationState;
pub use start::{
    NodeStart, Refusal, StartError, bootstrap_metadata, controller_config, raft_config,
};
pub use thread::Thread;
