//! Feature levels: what each line of releases calls them, supports, and chooses by default.
//!
//! * [`Line`] is a minor release with its patches, [`MetadataVersion`] a level of `metadata.version`.
//! * [`FeatureTable`] is what one line knows; `tables` holds the data, one table per line.
//! * [`Capability`] names what a metadata.version switches on.

mod capability;
mod feature_table;
mod line;
mod metadata_version;
mod tables;

pub use capability::Capability;
pub use feature_table::{
    Feature, FeatureLevel, FeatureTable, UnstableFeatureVersions, VersionRange,
};
pub use line::{Line, ParseLineError};
pub use metadata_version::{MetadataChange, MetadataVersion, MetadataVersionInfo};

/// Name of the feature whose level is the metadata.version.
pub const METADATA_VERSION: &str = "metadata.version";
/// Name of the feature that raft itself keeps, in control records.
pub const KRAFT_VERSION: &str = "kraft.version";
/// Name of the transaction protocol's feature.
pub const TRANSACTION_VERSION: &str = "transaction.version";
/// Name of the group protocol's feature.
pub const GROUP_VERSION: &str = "group.version";
/// Name of the feature of eligible leader replicas.
pub const ELIGIBLE_LEADER_REPLICAS_VERSION: &str = "eligible.leader.replicas.version";
/// Name of the share group's feature.
pub const SHARE_VERSION: &str = "share.version";
/// Name of the streams group's feature.
pub const STREAMS_VERSION: &str = "streams.version";
