//! The records of a new cluster, and where a node has them from
//! (`4.4:metadata/…/metadata/bootstrap/BootstrapMetadata.java`, `4.3:…/BootstrapDirectory.java`).

use std::sync::Arc;

use image::{ApplyError, feature_record, known_version};
use records::feature::{FeatureTable, METADATA_VERSION, MetadataVersion};
use records::metadata::{MetadataRecord, VersionedRecord};
use releases::Rules;
use releases::bootstrap::{DefaultSource, LegacyFileLevel};

/// Where bootstrap records come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BootstrapSource {
    /// `bootstrap.checkpoint` at this path.
    LegacyFile(String),
    /// The zero checkpoint, handed over by raft.
    ZeroCheckpoint,
    /// No file: the newest production metadata.version of the release.
    Default,
    /// No file: `inter.broker.protocol.version` (3.9).
    Configured(String),
    /// No file, and a configured version that is too old: the oldest that may be (3.9).
    Minimum(String),
}

impl BootstrapSource {
    /// The source in plain words.
    pub fn described(&self) -> String {
        match self {
            BootstrapSource::LegacyFile(path) => {
                format!("the legacy file {path}")
            }
            BootstrapSource::ZeroCheckpoint => "the zero checkpoint".to_owned(),
            BootstrapSource::Default => "the release's default".to_owned(),
            BootstrapSource::Configured(name) => {
                format!("the configured metadata.version {name}")
            }
            BootstrapSource::Minimum(name) => {
                format!("the oldest metadata.version that may be, {name}")
            }
        }
    }

    /// One word for it: `legacy-file`, `zero-checkpoint`, `default`, `configured`.
    pub fn kind(&self) -> &'static str {
        match self {
            BootstrapSource::LegacyFile(_) => "legacy-file",
            BootstrapSource::ZeroCheckpoint => "zero-checkpoint",
            BootstrapSource::Default => "default",
            BootstrapSource::Configured(_) | BootstrapSource::Minimum(_) => "configured",
        }
    }
}

/// What `bootstrap.checkpoint` holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegacyBootstrap {
    /// Its path, for messages.
    pub path: String,
    /// Its metadata records, in order.
    pub records: Vec<VersionedRecord>,
}

/// The bootstrap records a controller would write into an empty log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootstrapMetadata {
    records: Arc<[VersionedRecord]>,
    level: i16,
    source: BootstrapSource,
}

/// Why a node has no bootstrap records.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BootstrapRefusal {
    /// No record names a metadata.version.
    #[error("no metadata.version record among the {records} bootstrap records of {source_name}")]
    NoMetadataVersion {
        /// Where the records are from.
        source_name: String,
        /// How many there are.
        records: usize,
    },
    /// The level is none that the release knows.
    #[error("the bootstrap records of {source_name} are for another release: {reason}")]
    UnknownLevel {
        /// Where the records are from.
        source_name: String,
        /// Which level, and which are known.
        reason: ApplyError,
    },
    /// The level is too old to begin with.
    #[error(
        "the bootstrap records of {source_name} name metadata.version {found}, which is below the minimum {minimum}"
    )]
    BelowMinimum {
        /// Where the records are from.
        source_name: String,
        /// The name of the level.
        found: String,
        /// The name of the oldest level that may be.
        minimum: String,
    },
    /// The configured version is none that the release knows.
    #[error("`inter.broker.protocol.version` is {0}, which this release does not know")]
    UnknownConfigured(String),
}

impl BootstrapMetadata {
    /// What a node has at its start: the legacy file, or what stands in for it. `configured` is
    /// `inter.broker.protocol.version`, where the release still has that.
    pub fn at_start(
        rules: &Rules,
        legacy: Option<LegacyBootstrap>,
        configured: Option<&str>,
    ) -> Result<Self, BootstrapRefusal> {
        match legacy {
            Some(file) => {
                let bootstrap =
                    Self::from_records(file.records, BootstrapSource::LegacyFile(file.path))?;
                match rules.bootstrap.legacy_file_level {
                    LegacyFileLevel::CheckedAtStart => bootstrap.check_level(rules.features)?,
                    LegacyFileLevel::CheckedAtActivation => {}
                }
                Ok(bootstrap)
            }
            None => Self::without_file(rules, configured),
        }
    }

    fn without_file(rules: &Rules, configured: Option<&str>) -> Result<Self, BootstrapRefusal> {
        let features = rules.features;
        let latest = features.latest_production;
        match rules.bootstrap.default_source {
            DefaultSource::NewestProduction => {
                Ok(Self::from_version(latest, BootstrapSource::Default))
            }
            DefaultSource::Configured => {
                // The server gives the setting its default before it asks (3.9:core/…/server/KafkaConfig.scala).
                let version = match configured {
                    None => latest,
                    Some(name) => {
                        features
                            .metadata_version_named(name)
                            .ok_or_else(|| BootstrapRefusal::UnknownConfigured(name.to_owned()))?
                            .version
                    }
                };
                let minimum = features.minimum_bootstrap;
                if version < minimum {
                    let source = BootstrapSource::Minimum(version_name(features, minimum));
                    return Ok(Self::from_version(minimum, source));
                }
                Ok(Self::from_version(
                    version,
                    BootstrapSource::Configured(version_name(features, version)),
                ))
            }
        }
    }

    fn from_version(version: MetadataVersion, source: BootstrapSource) -> Self {
        let records = Arc::from([feature_record(METADATA_VERSION, version.0)]);
        BootstrapMetadata {
            records,
            level: version.0,
            source,
        }
    }

    /// Bootstrap records with a metadata.version among them; the last one counts.
    pub fn from_records(
        records: Vec<VersionedRecord>,
        source: BootstrapSource,
    ) -> Result<Self, BootstrapRefusal> {
        match level_in(&records, METADATA_VERSION) {
            Some(level) => Ok(BootstrapMetadata {
                records: records.into(),
                level,
                source,
            }),
            None => Err(BootstrapRefusal::NoMetadataVersion {
                source_name: source.described(),
                records: records.len(),
            }),
        }
    }

    fn check_level(&self, features: &FeatureTable) -> Result<(), BootstrapRefusal> {
        let version = self.metadata_version(features)?;
        let minimum = features.minimum_bootstrap;
        if version < minimum {
            return Err(BootstrapRefusal::BelowMinimum {
                source_name: self.source.described(),
                found: version_name(features, version),
                minimum: version_name(features, minimum),
            });
        }
        Ok(())
    }

    /// The metadata.version, if the release knows the level.
    pub fn metadata_version(
        &self,
        features: &FeatureTable,
    ) -> Result<MetadataVersion, BootstrapRefusal> {
        known_version(features, self.level).map_err(|reason| BootstrapRefusal::UnknownLevel {
            source_name: self.source.described(),
            reason,
        })
    }

    /// The records, in order.
    pub fn records(&self) -> &[VersionedRecord] {
        &self.records
    }

    /// Where they are from.
    pub fn source(&self) -> &BootstrapSource {
        &self.source
    }

    /// The level of a feature; 0 if no record names it.
    pub fn feature_level(&self, name: &str) -> i16 {
        level_in(&self.records, name).unwrap_or(0)
    }
}

fn level_in(records: &[VersionedRecord], name: &str) -> Option<i16> {
    records
        .iter()
        .rev()
        .find_map(|record| match &record.record {
            MetadataRecord::FeatureLevel(feature) if feature.name == name => {
                Some(feature.feature_level)
            }
            _ => None,
        })
}

/// The name of a metadata.version, or its number where the release has no name for it.
pub(crate) fn version_name(features: &FeatureTable, version: MetadataVersion) -> String {
    features
        .metadata_version(version)
        .map_or_else(|| version.to_string(), |info| info.name.to_owned())
}
