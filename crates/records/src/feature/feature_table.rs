//! [`FeatureTable`]: what one line of releases knows about features.

use determinism::java::{HashTable, hash_string};

use super::{Capability, Line, METADATA_VERSION, MetadataVersion, MetadataVersionInfo};

/// The features of one line. Patch releases of a line share it.
///
/// Level 22 and 23 of `metadata.version` are unstable on 3.9 and differ there from what 4.0 made of them.
#[derive(Debug)]
pub struct FeatureTable {
    pub line: Line,
    /// Levels of `metadata.version`, ascending, without a gap.
    pub metadata_versions: &'static [MetadataVersionInfo],
    /// Highest level that may be finalized without unstable feature versions.
    pub latest_production: MetadataVersion,
    /// Highest level that may be finalized at all.
    pub latest_testing: MetadataVersion,
    /// Lowest level that the software runs with.
    pub minimum_supported: MetadataVersion,
    /// Lowest level that bootstrap records may name.
    pub minimum_bootstrap: MetadataVersion,
    /// The other features, in Kafka's order.
    pub features: &'static [Feature],
}

/// One feature other than `metadata.version`.
#[derive(Debug)]
pub struct Feature {
    /// `transaction.version`
    pub name: &'static str,
    /// Its levels, from 0 without a gap.
    pub levels: &'static [FeatureLevel],
    /// Highest level for production.
    pub latest_production: i16,
}

/// A level that a feature can be finalized at, and what it asks of other features.
#[derive(Debug)]
pub struct FeatureLevel {
    pub level: i16,
    /// Kafka's name of it, `TV_2`.
    pub name: &'static str,
    /// The metadata.version from which on it is the default.
    pub bootstrap_metadata_version: MetadataVersion,
    /// Levels of other features that it needs.
    pub dependencies: &'static [(&'static str, i16)],
}

/// `unstable.feature.versions.enable`: whether levels beyond production exist for a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnstableFeatureVersions {
    /// They do not.
    Disabled,
    Enabled,
}

/// The lowest and highest level of a feature that a process supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionRange {
    pub min: i16,
    pub max: i16,
}

impl VersionRange {
    /// Whether `level` lies within.
    pub fn contains(self, level: i16) -> bool {
        (self.min..=self.max).contains(&level)
    }
}

impl Feature {
    /// Highest level there is.
    pub fn latest_testing(&self) -> i16 {
        self.levels.last().map_or(0, |level| level.level)
    }

    /// Lowest level there is.
    pub fn minimum(&self) -> i16 {
        self.levels.first().map_or(0, |level| level.level)
    }

    /// The level of this number.
    pub fn level(&self, level: i16) -> Option<&FeatureLevel> {
        self.levels
            .iter()
            .find(|candidate| candidate.level == level)
    }

    /// The level that a cluster formatted at `metadata_version` gets when nobody asks for another.
    pub fn default_level(&self, metadata_version: MetadataVersion) -> i16 {
        let mut levels = self.levels.iter().rev();
        let found = levels.find(|level| level.bootstrap_metadata_version <= metadata_version);
        found.map_or(0, |level| level.level)
    }
}

impl FeatureTable {
    /// What the line says of a level of `metadata.version`; `None` if it does not know it.
    pub fn metadata_version(
        &self,
        version: MetadataVersion,
    ) -> Option<&'static MetadataVersionInfo> {
        self.metadata_versions
            .iter()
            .find(|info| info.version == version)
    }

    /// The level that an operator means: by its name, `3.9-IV0`, or by a release, `3.9` or `3.9.1`, for the newest
    /// production level made for it. A name may be that of an unstable level.
    ///
    /// Source: `4.4:server-common/src/main/java/org/apache/kafka/server/common/MetadataVersion.java`, `fromVersionString`,
    /// the same on all branches; 3.9 also knows names of releases before KRaft, which have no level here.
    pub fn metadata_version_named(&self, text: &str) -> Option<&'static MetadataVersionInfo> {
        let mut segments = text.trim_end_matches('.').splitn(3, '.');
        let name = match (segments.next(), segments.next(), segments.next()) {
            (Some(first), Some(second), Some(_)) => &text[..=first.len() + second.len()],
            _ => text,
        };
        let mut newest_first = self.metadata_versions.iter().rev();
        newest_first.find(|info| {
            info.name == name || (info.release() == name && self.is_production(info.version))
        })
    }

    /// Whether a level of `metadata.version` is fit for production.
    pub fn is_production(&self, version: MetadataVersion) -> bool {
        version <= self.latest_production
    }

    /// Whether `capability` exists at `version` on this line.
    pub fn supports(&self, version: MetadataVersion, capability: Capability) -> bool {
        capability
            .since(self.line)
            .is_some_and(|since| version >= since)
    }

    /// A feature other than `metadata.version`.
    pub fn feature(&self, name: &str) -> Option<&'static Feature> {
        self.features.iter().find(|feature| feature.name == name)
    }

    /// Default level of every feature but `metadata.version` at `version`, in Kafka's order, `kraft.version` among
    /// them.
    pub fn default_levels(
        &self,
        version: MetadataVersion,
    ) -> impl Iterator<Item = (&'static str, i16)> {
        self.features
            .iter()
            .map(move |feature| (feature.name, feature.default_level(version)))
    }

    /// What a controller of this line says it supports when it registers: every feature of which more than level 0 is
    /// available, in the order in which it writes them (that of a Java hash map that grew from one bucket).
    ///
    /// Source: `4.4:metadata/src/main/java/org/apache/kafka/controller/QuorumFeatures.java`, the same on all branches.
    pub fn supported_features(
        &self,
        unstable: UnstableFeatureVersions,
    ) -> Vec<(&'static str, VersionRange)> {
        let metadata = VersionRange {
            min: self.minimum_supported.0,
            max: match unstable {
                UnstableFeatureVersions::Disabled => self.latest_production.0,
                UnstableFeatureVersions::Enabled => self.latest_testing.0,
            },
        };
        let others = self.features.iter().map(|feature| {
            let max = match unstable {
                UnstableFeatureVersions::Disabled => feature.latest_production,
                UnstableFeatureVersions::Enabled => feature.latest_testing(),
            };
            (
                feature.name,
                VersionRange {
                    min: feature.minimum(),
                    max,
                },
            )
        });
        let mut supported = vec![(METADATA_VERSION, metadata)];
        supported.extend(others.filter(|(_, range)| range.max > 0));
        HashTable::with_capacity(1).sort(&mut supported, |(name, _)| hash_string(name));
        supported
    }
}
