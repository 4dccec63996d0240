//! What configures a server: `server.properties`, `meta.properties`, and the properties text of both.
//!
//! Deliberately reads no file and knows no quorum: it turns text into typed settings as a release reads
//! them, and refuses what that release refuses.
//!
//! Reading order:
//!
//! * [`properties`]: Java's `.properties` text; [`java_date`]: the date in its comment.
//! * [`meta_properties`]: whose log directory it is.
//! * [`providers`]: values that stand elsewhere.
//! * [`ServerConfig`]: what `server.properties` says; [`ConfigError`]: why it is refused.
//!
//! ```
//! use config::ServerConfig;
//! use config::properties::Properties;
//! let text = "process.roles=controller\nnode.id=1\ncontroller.listener.names=CONTROLLER\n\
//!     listeners=CONTROLLER://localhost:9093\ncontroller.quorum.voters=1@localhost:9093\n";
//! let properties = Properties::parse("server.properties", &text.into())?;
//! let config = ServerConfig::parse(&releases::Release::V4_4_0.rules(), properties.iter())?;
//! assert_eq!(config.metadata_log_dir, "/tmp/kafka-logs");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod java_date;
mod java_number;
pub mod meta_properties;
pub mod properties;
pub mod providers;
mod server;

pub use java_date::java_date;
pub use java_number::whole_number;
pub use server::{
    AutoJoin, ConfigError, HostAndPort, LeaderRebalance, Listener, MOST_ITEMS, MetadataLogSettings,
    ProcessRole, QuorumSettings, ServerConfig, TopicSettings, ZookeeperMigration,
};
