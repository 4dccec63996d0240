//! kafka-storage: format, info, random-uuid, version-mapping, feature-dependencies, as each release has them.
//!
//! [`plan`] judges a request under a release's rules and decides everything that is drawn or read beforehand;
//! [`FormatPlan::write`] then makes the disk operations that Kafka makes, in its order, down to the same bytes. Real
//! directories and simulated ones go through the same code: the disk is a trait, and so is what comes from chance and
//! from the clock ([`Draws`]).
//!
//! Deliberately knows nothing of command lines and of what a server later does with the files.
//!
//! Reading order: [`FormatRequest`] (what is asked), [`Draws`] (what is drawn), `version` and `levels` (which features),
//! `bootstrap_records` and [`scram`] (which records), [`dynamic_voters`] and `voters_record`, `existing` (what is there
//! already), `plan`, `write`, [`Refusal`]; beside it [`info`](fn@info) and `tables`.
//!
//! ```
//! use determinism::Rng;
//! use disk::{Disk, MemDisk};
//! use config::ServerConfig;
//! use releases::Release;
//! use storage_tool::{FormatRequest, QuorumFlag, SeededDraws, plan};
//!
//! let config = ServerConfig::parse(&Release::V4_3_1.rules(), [
//!     ("process.roles", "controller"),
//!     ("node.id", "1"),
//!     ("controller.quorum.bootstrap.servers", "localhost:9093"),
//!     ("controller.listener.names", "CONTROLLER"),
//!     ("listeners", "CONTROLLER://localhost:9093"),
//!     ("log.dirs", "/kafka"),
//! ])?;
//! let request = FormatRequest { quorum: QuorumFlag::Standalone, ..FormatRequest::new("cluster") };
//! let mut draws = SeededDraws::new(Rng::from_seed(1), 1_700_000_000_000);
//! let mut disk = MemDisk::new();
//! let plan = plan(&Release::V4_3_1.rules(), &config, &request, &mut disk, &mut draws)?;
//! plan.write(&mut disk, &mut draws)?;
//! assert_eq!(plan.version.name, "4.3-IV0");
//! assert_eq!(disk.size("/kafka/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint")?, Some(241));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bootstrap_records;
mod draws;
pub mod dynamic_voters;
mod existing;
mod info;
mod levels;
mod plan;
mod refusal;
mod request;
pub mod scram;
mod tables;
mod version;
mod voters_record;
mod write;

pub use draws::{Draws, Prescribed, SeededDraws, salt_text};
pub use info::{DirectoryInfo, info};
pub use plan::{DirectoryKind, FormatPlan, PlannedDirectory, plan};
pub use refusal::{FormatError, Refusal};
pub use request::{AlreadyFormatted, FormatRequest, QuorumFlag};
pub use tables::{
    FeatureDependencies, TableRefusal, VersionMapping, feature_dependencies, version_mapping,
};
