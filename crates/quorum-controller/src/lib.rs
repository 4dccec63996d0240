//! What the active controller writes.
//!
//! [`Controller`] is one node's quorum controller as a pure state machine: it is told what raft tells
//! (`listener::Event`), writes through `listener::RaftClient`, and keeps its state as an `image::MetadataImage`, whose
//! earlier versions it takes again when it has to go back.
//!
//! Deliberately knows nothing of elections, files, clocks and the network, and nothing of the release by name: it reads
//! rules.
//!
//! Reading order: [`Controller`] (queue and state), `listener_events` (what raft tells; claim, renounce),
//! [`activation`] (the first write), `write_path` (how records reach raft, how that fails), `replay`,
//! [`offset_control`] over [`timeline`] (committed, stable, going back), [`bootstrap`] (where the records of a new
//! cluster come from), `cluster_control`, `broker_control`, `feature_control` (one file per kind of request), `periodic`,
//! [`registration_manager`] (how a controller gets itself registered), [`event_queue`], [`deferred_events`].
//!
//! ```
//! use listener::ListenerId;
//! use quorum_controller::{BootstrapMetadata, Controller, ControllerConfig};
//! use records::NodeId;
//! use releases::Release;
//!
//! let rules = Release::V4_4_0.rules();
//! let bootstrap = BootstrapMetadata::at_start(&rules, None, None)?;
//! assert_eq!(bootstrap.source().kind(), "default");
//! let config = ControllerConfig::new(NodeId(1), ListenerId(1), vec![NodeId(1)]);
//! let controller = Controller::new(config, rules, bootstrap);
//! assert!(!controller.is_active() && controller.next_event_at().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod activation;
pub mod bootstrap;
mod broker_control;
mod cluster_control;
pub mod config;
mod controller;
pub mod deferred_events;
pub mod event_queue;
pub mod fault;
mod feature_control;
mod listener_events;
pub mod offset_control;
mod periodic;
pub mod registration_manager;
mod replay;
pub mod request;
pub mod result;
pub mod timeline;
mod write_path;
mod zk_migration;

pub use activation::{Activation, ActivationRefusal, LogContent};
pub use bootstrap::{BootstrapMetadata, BootstrapRefusal, BootstrapSource, LegacyFile};
pub use config::{ControllerConfig, ZkMigrationConfig};
pub use controller::{Controller, EventKind};
pub use fault::{CountedFault, FatalFault};
pub use registration_manager::{RegistrationConfig, RegistrationManager};
pub use request::{
    BrokerRegistration, ControllerRegistration, Endpoint, Reply, Request, RequestError, RequestId,
    Response, SetBrokerConfigs, UpdateFeatures,
};
pub use result::Shape;
