//! `version-mapping` and `feature-dependencies`: what the release's feature tables say.

use records::feature::{METADATA_VERSION, MetadataVersion};
use releases::Rules;
use releases::storage::ToolCommands;

use crate::{levels, version};

/// Why a question about features has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableRefusal {
    /// The release's tool has no such command.
    #[error("kafka-storage of {release} has no {command}: it came with 4.0")]
    NoSuchCommand {
        release: String,
        command: &'static str,
    },
    /// A version that the release does not know.
    #[error("unknown release version {found}: expected one of {expected}")]
    UnknownVersion {
        /// What was asked for.
        found: String,
        /// What there is.
        expected: String,
    },
    /// A feature that cannot be read.
    #[error("{found}: expected NAME=LEVEL with a number of 16 bits, such as group.version=1")]
    Syntax { found: String },
    /// A level of metadata.version that the release does not know.
    #[error("metadata.version={found}: the levels of this release are {lowest} to {highest}")]
    UnknownLevel {
        found: i16,
        lowest: MetadataVersion,
        highest: MetadataVersion,
    },
    /// A feature that the release does not know.
    #[error("unknown feature {found}: this release has {expected}")]
    UnknownFeature {
        found: String,
        /// Those there are.
        expected: String,
    },
    /// A level of a feature that the release does not know.
    #[error("{name}={found}: the levels of this feature are {lowest} to {highest}")]
    UnknownFeatureLevel {
        name: &'static str,
        found: i16,
        lowest: i16,
        highest: i16,
    },
}

/// The feature levels that go with a metadata.version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionMapping {
    /// The release version as it was asked for.
    pub release_version: String,
    /// Level of metadata.version.
    pub metadata_version: MetadataVersion,
    /// The other features with their default levels, in the release's order.
    pub features: Vec<(&'static str, i16)>,
}

/// The levels by default at `release_version`, else at the newest production one.
pub fn version_mapping(
    rules: &Rules,
    release_version: Option<&str>,
) -> Result<VersionMapping, TableRefusal> {
    require(rules, "version-mapping")?;
    let table = rules.features;
    let newest = version::name_of(table, table.latest_production);
    let asked = release_version.unwrap_or(newest);
    let Some(info) = table.metadata_version_named(asked) else {
        let names: Vec<&str> = table
            .metadata_versions
            .iter()
            .map(|info| info.name)
            .collect();
        return Err(TableRefusal::UnknownVersion {
            found: asked.to_owned(),
            expected: names.join(", "),
        });
    };
    Ok(VersionMapping {
        release_version: asked.to_owned(),
        metadata_version: info.version,
        features: table.default_levels(info.version).collect(),
    })
}

/// What one level of a feature needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureDependencies {
    pub name: String,
    pub level: i16,
    /// Name of the level, where the feature is metadata.version.
    pub metadata_version: Option<&'static str>,
    /// Features and the level they are needed at; with the name of that level where the feature is metadata.version.
    pub needs: Vec<(&'static str, i16, Option<&'static str>)>,
}

/// What `feature`, given as `NAME=LEVEL`, needs.
pub fn feature_dependencies(
    rules: &Rules,
    feature: &str,
) -> Result<FeatureDependencies, TableRefusal> {
    require(rules, "feature-dependencies")?;
    let syntax = || TableRefusal::Syntax {
        found: feature.to_owned(),
    };
    let (name, level) = feature.split_once('=').ok_or_else(syntax)?;
    let (name, level) = (name.trim(), level.trim().parse().map_err(|_| syntax())?);
    let table = rules.features;
    if name == METADATA_VERSION {
        let Some(info) = table.metadata_version(MetadataVersion(level)) else {
            let (lowest, highest) = (table.minimum_supported, table.latest_testing);
            return Err(TableRefusal::UnknownLevel {
                found: level,
                lowest,
                highest,
            });
        };
        let metadata_version = Some(info.name);
        return Ok(FeatureDependencies {
            name: name.to_owned(),
            level,
            metadata_version,
            needs: Vec::new(),
        });
    }
    let Some(known) = table.feature(name) else {
        let mut names: Vec<&str> = table.features.iter().map(|feature| feature.name).collect();
        names.push(METADATA_VERSION);
        names.sort_unstable();
        return Err(TableRefusal::UnknownFeature {
            found: name.to_owned(),
            expected: names.join(", "),
        });
    };
    let Some(found) = known.level(level) else {
        let (lowest, highest) = (known.minimum(), known.latest_testing());
        return Err(TableRefusal::UnknownFeatureLevel {
            name: known.name,
            found: level,
            lowest,
            highest,
        });
    };
    let needs = levels::dependencies(rules, known, found)
        .into_iter()
        .map(|(needed, at)| {
            let of_metadata =
                (needed == METADATA_VERSION).then(|| version::name_of(table, MetadataVersion(at)));
            (needed, at, of_metadata)
        });
    Ok(FeatureDependencies {
        name: name.to_owned(),
        level,
        metadata_version: None,
        needs: needs.collect(),
    })
}

fn require(rules: &Rules, command: &'static str) -> Result<(), TableRefusal> {
    match rules.storage.commands {
        ToolCommands::WithFeatureTables => Ok(()),
        ToolCommands::Basic => Err(TableRefusal::NoSuchCommand {
            release: rules.release.to_string(),
            command,
        }),
    }
}

#[cfg(test)]
mod tests {
    use releases::Release;

    use super::*;

    #[test]
    fn a_mapping_is_that_of_the_tool() {
        let rules = Release::V4_0_2.rules();
        let mapping = version_mapping(&rules, None).unwrap();
        assert_eq!(
            (mapping.release_version.as_str(), mapping.metadata_version),
            ("4.0-IV3", MetadataVersion(25))
        );
        let short: Vec<i16> = mapping.features.iter().map(|(_, level)| *level).collect();
        assert_eq!(
            short,
            [1, 2, 1, 0],
            "kraft, transaction, group, eligible.leader.replicas"
        );
        let old = version_mapping(&rules, Some("3.9.0")).unwrap();
        assert_eq!(
            (old.release_version.as_str(), old.metadata_version),
            ("3.9.0", MetadataVersion(21))
        );
    }

    #[test]
    fn early_patches_tie_kraft_version_1_to_a_metadata_version() {
        let needs = |release: Release| {
            feature_dependencies(&release.rules(), "kraft.version=1")
                .unwrap()
                .needs
        };
        assert_eq!(
            needs(Release::V4_0_1),
            [(METADATA_VERSION, 21, Some("3.9-IV0"))]
        );
        assert_eq!(needs(Release::V4_0_2), []);
        let elr = feature_dependencies(
            &Release::V4_4_0.rules(),
            "eligible.leader.replicas.version=1",
        )
        .unwrap();
        assert_eq!(elr.needs, [(METADATA_VERSION, 23, Some("4.0-IV1"))]);
    }

    #[test]
    fn what_is_unknown_is_said() {
        let rules = Release::V4_1_2.rules();
        let refusal = |feature: &str| {
            feature_dependencies(&rules, feature)
                .unwrap_err()
                .to_string()
        };
        assert!(refusal("foo=1").contains("unknown feature foo"));
        assert!(refusal("foo").contains("NAME=LEVEL"));
        assert!(refusal("group.version=9").contains("0 to 1"));
        assert!(refusal("metadata.version=99").contains("7 to 29"));
        assert!(
            version_mapping(&rules, Some("nonsense"))
                .unwrap_err()
                .to_string()
                .contains("3.3-IV3")
        );
        let old = version_mapping(&Release::V3_9_2.rules(), None).unwrap_err();
        assert!(old.to_string().contains("3.9.2 has no version-mapping"));
    }
}
