//! [`MetadataVersion`]: a level of `metadata.version`, and what a line says of it.

use std::fmt;

/// A level of the feature `metadata.version`. The number means the same on every line (but see
/// [`FeatureTable`](super::FeatureTable) for the two unstable levels of 3.9); which levels exist, and their names,
/// is the line's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MetadataVersion(pub i16);

impl fmt::Display for MetadataVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A level of `metadata.version` as one line describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetadataVersionInfo {
    pub version: MetadataVersion,
    /// `3.9-IV0`
    pub name: &'static str,
    /// Whether the level changed the format of metadata: a downgrade across it loses some.
    pub changes_metadata: MetadataChange,
    /// Version of the fetch request that brokers use between each other.
    pub replica_fetch_version: i16,
    /// Version of the list-offsets request that brokers use between each other.
    pub list_offsets_version: i16,
}

/// Whether a level of `metadata.version` changed the format of metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetadataChange {
    /// Records of the level below say everything.
    None,
    /// Records have something the level below cannot say.
    Changed,
}

impl MetadataVersionInfo {
    /// The release it was made for: `3.9` of `3.9-IV0`.
    pub fn release(&self) -> &'static str {
        self.name
            .split_once('-')
            .map_or(self.name, |(release, _)| release)
    }
}
