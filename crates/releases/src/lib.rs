//! How releases differ: [`Release`] -> [`Rules`], and quirks. Data, no behaviour.
//!
//! Every field of [`Rules`] is a small enum of the behaviours that exist; the code that follows a rule matches on it in
//! one place. A known bug is a [`Quirk`]: it sets one field to its deviant behaviour, in the releases that have it, or
//! wherever it is planted. Nothing else in the house compares releases.
//!
//! Deliberately knows nothing of logs, disks, messages or time, and carries out no rule.
//!
//! Reading order: [`release`] (what can be simulated), [`rule`] (what a rule is made of), the rooms ([`config`], [`storage`],
//! [`bootstrap`], [`raft`], [`listener`], [`controller`], [`replication`], [`loader`]), [`rules`] (all of them for one release),
//! [`quirk`]; beside them tables: [`definitions`] (keys of
//! `server.properties`), [`topic_configs`], [`client`].
//!
//! ```
//! use releases::Release;
//! use releases::controller::EmptyLogTest;
//!
//! let release: Release = "4.0.2".parse()?;
//! let rules = release.rules();
//! assert_eq!(rules.controller.empty_log_test, EmptyLogTest::NoRecordEverReplayed);
//! assert_eq!(rules.without("KAFKA-20839")?.controller.empty_log_test, EmptyLogTest::NoRecordInState);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bootstrap;
pub mod client;
pub mod config;
pub mod controller;
pub mod definitions;
pub mod listener;
pub mod loader;
pub mod quirk;
pub mod raft;
pub mod release;
pub mod replication;
mod rpc;
pub mod rule;
pub mod rules;
pub mod storage;
pub mod topic_configs;

pub use bootstrap::BootstrapRules;
pub use client::ClientForms;
pub use config::ConfigRules;
pub use controller::ControllerRules;
pub use definitions::{Definitions, is_known_key, known_keys};
pub use listener::ListenerRules;
pub use loader::LoaderRules;
pub use quirk::{QUIRKS, Quirk, UnknownQuirk};
pub use raft::RaftRules;
pub use release::{Release, RuleSet, UnknownRelease, nearest};
pub use replication::ReplicationRules;
pub use rule::{Behaviour, Behaviours, RuleRow};
pub use rules::Rules;
pub use storage::StorageRules;
