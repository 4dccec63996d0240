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
//! (from role to role), `stored_election` (what of it is durable); [`Replica`] (what messages and time do). [`Draws`]
//! is about chance, [`wire`] about messages as bytes.
//!
//! The only voter of a static quorum elects itself, and what it appends is committed at once:
//!
//! ```
//! use determinism::{Rng, Time};
//! use disk::MemDisk;
//! use listener::RaftClient;
//! use raft::{Address, Draws, RaftConfig, Replica, Role};
//! use records::metadata::{MetadataRecord, NoOpRecord, VersionedRecord};
//! use records::{NodeId, Uuid};
//! use releases::Release;
//!
//! let mut disk = MemDisk::new();
//! let config = RaftConfig {
//!     static_voters: [(NodeId(1), Address::new("localhost", 9093))].into(),
//!     ..RaftConfig::defaults(NodeId(1), Uuid::from_bytes([7; 16]), "/kafka/__cluster_metadata-0")
//! };
//! let draws = Draws::from_rng(Rng::from_seed(1));
//! let mut replica = Replica::open(config, &Release::V4_4_0.rules(), Time::ZERO, draws, &mut disk)?;
//! assert_eq!((replica.role(), replica.epoch()), (Role::Leader, 1));
//!
//! let record = VersionedRecord::new(0, MetadataRecord::NoOp(NoOpRecord::default()));
//! let last_offset = replica.prepare_append(Time::ZERO, 1, &[record])?;
//! replica.schedule_prepared_append(Time::ZERO)?;
//! while replica.high_watermark() <= Some(last_offset) {
//!     let now = replica.next_poll();
//!     replica.poll(now, &mut disk, None)?;
//! }
//! // The leader's own batch stands before it.
//! assert_eq!((last_offset, replica.log_end_offset()), (1, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accumulator;
mod buffer_pool;
mod config;
mod control_batch;
mod election;
mod endpoints;
mod fault;
mod history;
pub mod message;
mod message_queue;
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
pub use determinism::{Draw, Draws};
pub use endpoints::{Address, Endpoints, ListenerName};
pub use fault::RaftFault;
pub use message_queue::MessageQueue;
pub use replica::{CreateSnapshotError, Replica, Waiting};
pub use role::Role;
pub use voter_set::{SupportedVersionRange, VoterNode, VoterSet};
