//! One controller process: disk, raft, metadata loader, quorum controller and registration, in the order in which Kafka
//! brings them up.
//!
//! Deliberately knows nothing of other nodes, of how messages travel, and of what is simulated: time, disk and
//! randomness come in as arguments, messages go out as values.
//!
//! Reading order: [`NodeConfig`] (what a node is configured with), [`Parts`] and [`NodeChance`] (what else it is started
//! with), `start` (what must hold before a process comes up: [`StartRefusal`]), `directories` (the checks of `meta.properties`),
//! [`Node`] (the running process and its [`Thread`]s; `view` is how it is looked at), [`SeamWatcher`] (what passes between raft and its listeners),
//! [`Payload`] (what travels; `asker` is who waits for an answer), `registrar` and `controller_channel` (how a controller comes to be registered), `snapshots` (when
//! the metadata is written out; `metadata` holds both with their loader), [`Ended`] (why a process is no more).
//!
//! A single controller, from its formatted directory to its activation:
//!
//! ```
//! use std::sync::Arc;
//!
//! use bytes::Bytes;
//! use determinism::{Rng, Time};
//! use disk::{Disk, MemDisk};
//! use node::{Node, NodeChance, NodeConfig, NodeStart, Parts, Thread};
//! use raft::WallClock;
//! use config::ServerConfig;
//! use records::NodeId;
//! use releases::Release;
//!
//! let mut disk = MemDisk::new();
//! disk.create_dir_all("/kafka")?;
//! let properties = Bytes::from_static(b"version=1\ncluster.id=example\nnode.id=1\n");
//! disk.create("/kafka/meta.properties")?;
//! disk.append("/kafka/meta.properties", &properties)?;
//! let config = NodeConfig::new(ServerConfig::parse(&Release::V4_4_0.rules(), [
//!     ("process.roles", "controller"),
//!     ("node.id", "1"),
//!     ("controller.quorum.voters", "1@localhost:9093"),
//!     ("controller.listener.names", "CONTROLLER"),
//!     ("listeners", "CONTROLLER://localhost:9093"),
//!     ("log.dirs", "/kafka"),
//! ])?);
//! let start = NodeStart {
//!     config: Arc::new(config),
//!     rules: Arc::new(Release::V4_4_0.rules()),
//!     parts: Parts::Server,
//!     chance: NodeChance::from_rng(Rng::from_seed(1), NodeId(1)),
//!     wall_clock: WallClock { at_start_ms: 1_700_000_000_000 },
//! };
//! let mut node = Node::start(start, Time::ZERO, &mut disk).expect("its directory is formatted");
//! while node.activations().is_empty() {
//!     let due = Thread::ALL.into_iter().min_by_key(|thread| node.next_at(*thread));
//!     let thread = due.expect("a process has threads");
//!     node.run(thread, node.next_at(thread), &mut disk, &mut ()).expect("nothing ends it");
//! }
//! assert!(node.is_active());
//! assert_eq!(node.activations()[0].epoch, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod asker;
mod chance;
mod config;
mod controller_channel;
mod directories;
#[cfg(test)]
mod directories_tests;
mod ended;
mod heard;
mod message;
mod message_digest;
mod metadata;
mod node;
mod parts;
mod registrar;
mod seam;
mod snapshots;
mod start;
mod thread;
mod view;

pub use chance::NodeChance;
pub use config::{Advertised, NodeConfig, Reach};
pub use directories::DirectoryRefusal;
pub use ended::Ended;
pub use heard::{Heard, Hearer};
pub use message::{Connection, Destination, Payload, RequestId, Sender, Versions, error_code};
pub use node::{Lifecycle, Node};
pub use parts::Parts;
pub use registrar::RegistrationState;
pub use seam::{RaftCall, SeamWatcher};
pub use start::{
    NodeStart, StartError, StartRefusal, bootstrap_metadata, controller_config, raft_config,
};
pub use thread::Thread;
