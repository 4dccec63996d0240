//! Who leads and what is committed: one replica as a pure state machine.
//!
//! [`Replica`] imitates Kafka's `KafkaRaftClient` step by step: one [`Replica::poll`] is one turn of its raft thread, and
//! every draw of randomness is made where Kafka makes it. What differs between releases is a rule of
//! [`releases::RaftRules`].
//!
//! Deliberately knows no clock, no network and no threads, nothing of metadata records beyond their bytes, and nothing
//! of what a controller does with what its listeners are told.
//!
//! Reading order: [`RaftConfig`], [`Endpoints`], [`VoterSet`]; [`message`]; `role` (what each role knows, a file each),
//! `election` and `quorum` (votes and majorities); `history` and `partition_state` (voters and kraft.version as the log
//! has them); `accumulator`, `buffer_pool`, `purgatory`, `request_manager` (what waits to be written, answered, sent); `transition`
//! (from role to role), `stored_election` (what of it is durable); [`Replica`] (what messages and time do). `java_order`
//! is about the order in which Kafka's hash tables hand things out, [`Draws`] about chance, [`wire`] about messages as
//! bytes.

mod accumulator;
mod buffer_pool;
mod config;
mod control_batch;
mod draws;
mod election;
mod endpoints;
mod fault;
mod history;
mod java_order;
pub mod message;
mod partition_state;
mod purgatory;
mod quorum;
mod replica;
mod request_manager;
mod role;
mod shutdown;
mod snapshot_download;
mod stored_election;
mod timer;
mod transition;
mod voter_set;
pub mod wire;

pub use config::{AutoJoinSetting, RaftConfig, VoterAbility, WallClock};
pub use draws::{Draw, Draws};
pub use endpoints::{Address, Endpoints, ListenerName};
pub use fault::RaftFault;
pub use replica::{CreateSnapshotError, Replica};
pub use role::Role;
pub use shutdown::ShutdownOutcome;
pub use voter_set::{SupportedVersionRange, VoterNode, VoterSet};
