//! The records of the metadata log.
//!
//! * [`VersionedRecord`] is what a data record holds: bytes on one side, version and [`MetadataRecord`] on the other.
//! * [`MetadataRecord`] and [`RecordKind`] list the types.
//! * `controller`, `broker`, `topic`, `config`, `security` describe their fields.
//! * `versions` says which versions each line of releases knows and writes.

mod broker;
mod config;
mod controller;
mod record;
mod security;
mod topic;
mod versioned_record;
mod versions;

pub use broker::*;
pub use config::*;
pub use controller::*;
pub use record::{MetadataRecord, RecordKind};
pub use security::*;
pub use topic::*;
pub use versioned_record::VersionedRecord;
pub use versions::{record_version_for, valid_versions};
