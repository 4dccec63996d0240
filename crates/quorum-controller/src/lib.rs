//! What the active controller writes.
//!
//! [`Controller`] is one node's quorum controller as a pure state machine: it is told what raft tells
//! (`listener::Event`), writes through `listener::RaftClient`, and keeps its state as an `image::MetadataImage`, whose
//! earlier versions it takes again when it has to go back.
//!
//! Deliberately knows nothing of elections, files, clocks and the network, and nothing of the release by name: it reads
//! rules.
//!
//! Reading order: [`Controller`] (queue and state) with its parts `listener_events` (what raft tells; claim, renounce),
//! `write_path` (how records reach raft, how that fails), `replay` and `periodic`; [`activation`] (the first write) over
//! [`bootstrap`] (where the records of a new cluster come from); `view` (what control managers look at); the control
//! managers, one file per kind of request: `feature_control`, `cluster_control`, `broker_control`, `topic_control`,
//! `config_control`, `election`, `alter_partition`, `reassignment_control`, most of them over `replication_control` and
//! `partition_change`; `control_state` (what there is to look at); [`offset_control`] over [`timeline`] (committed,
//! stable, going back); `heartbeats`; [`registration_manager`] (how a controller gets itself registered);
//! [`event_queue`], [`deferred_events`].
//!
//! A control manager takes a view and a request, and returns records and an answer. The controller knows the managers;
//! they do not know it (`tests/tests/arrows.rs`).
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
mod alter_partition;
pub mod api_error;
pub mod bootstrap;
mod broker_control;
mod broker_partitions;
pub mod chance;
mod cluster_control;
pub mod config;
mod config_control;
mod control_state;
mod controller;
pub mod deferred_events;
mod election;
pub mod event_queue;
pub mod fault;
mod feature_control;
mod heartbeats;
pub mod offset_control;
mod partition_change;
mod periodic_task;
mod reassignment;
mod reassignment_control;
pub mod registration_manager;
mod replay_checks;
mod replay_error;
mod replica_placer;
mod replication_control;
pub mod request;
pub mod result;
mod sessions;
pub mod timeline;
mod timeline_table;
mod timeline_tables;
mod topic_config;
mod topic_control;
mod view;
mod zk_migration;

pub use activation::{Activation, ActivationRefusal, LogContent};
pub use api_error::{ApiError, ErrorCode};
pub use bootstrap::{BootstrapMetadata, BootstrapRefusal, BootstrapSource, LegacyBootstrap};
pub use chance::{Chance, Ids};
pub use config::{BackgroundWork, ControllerConfig, ZkMigrationConfig};
pub use control_state::ControlState;
pub use controller::{Controller, EventKind};
pub use fault::{CountedFault, FatalFault};
pub use periodic_task::PeriodicTask;
pub use registration_manager::{RegistrationConfig, RegistrationManager};
pub use replay_error::ReplayError;
pub use request::{
    BrokerHeartbeat, BrokerRegistration, ConfigResource, ControllerRegistration, ControllerRequest,
    ControllerResponse, Endpoint, FeatureUpdate, NewTopic, Reply, RequestError, RequestId,
    SetConfigs, UpdateFeatures,
};
pub use result::Shape;
