//! At which level each feature starts.

use std::collections::BTreeMap;

use config::{ServerConfig, whole_number};
use records::feature::{
    Feature, FeatureLevel, KRAFT_VERSION, METADATA_VERSION, MetadataVersionInfo,
    UnstableFeatureVersions,
};
use releases::Rules;
use releases::storage::FormatKRaftVersion;

use crate::{QuorumFlag, Refusal};

/// The first metadata.version that kraft.version 1 was tied to.
const KRAFT_VERSION_1_SINCE: i16 = 21;

/// Levels by feature name, `metadata.version` and `kraft.version` among them.
pub(crate) type Levels = BTreeMap<String, i16>;

/// Reads `--feature NAME=LEVEL`; the last one of a name counts.
pub(crate) fn requested(features: &[String]) -> Result<Levels, Refusal> {
    let mut levels = Levels::new();
    for feature in features {
        let read = feature
            .split_once('=')
            .and_then(|(name, level)| Some((name.trim(), whole_number(level.trim())?)));
        let (name, level) = read.ok_or_else(|| Refusal::FeatureSyntax {
            found: feature.clone(),
        })?;
        levels.insert(name.to_owned(), level);
    }
    Ok(levels)
}

/// The levels a cluster starts with at `version`: those requested, else the defaults.
pub(crate) fn effective(
    rules: &Rules,
    config: &ServerConfig,
    quorum: &QuorumFlag,
    version: &MetadataVersionInfo,
    requested: &Levels,
) -> Result<Levels, Refusal> {
    let table = rules.features;
    if let Some(name) = requested
        .keys()
        .find(|name| *name != METADATA_VERSION && table.feature(name).is_none())
    {
        let mut known: Vec<&str> = table.features.iter().map(|feature| feature.name).collect();
        known.sort_unstable();
        return Err(Refusal::UnknownFeature {
            name: name.clone(),
            known: known.join(", "),
        });
    }
    let mut levels = requested.clone();
    levels.insert(METADATA_VERSION.to_owned(), version.version.0);
    for feature in table.features {
        if feature.name == KRAFT_VERSION {
            let level =
                kraft_version(rules, config, quorum, requested.get(KRAFT_VERSION).copied())?;
            levels.insert(KRAFT_VERSION.to_owned(), level);
        } else {
            levels
                .entry(feature.name.to_owned())
                .or_insert_with(|| feature.default_level(version.version));
        }
    }
    for feature in table.features {
        check(rules, feature, config.unstable_feature_versions, &levels)?;
    }
    Ok(levels)
}

fn kraft_version(
    rules: &Rules,
    config: &ServerConfig,
    quorum: &QuorumFlag,
    requested: Option<i16>,
) -> Result<i16, Refusal> {
    let dynamic = match rules.storage.kraft_version {
        FormatKRaftVersion::WithoutStaticVoters => config.quorum_voters.is_empty(),
        FormatKRaftVersion::WithQuorumFlag => *quorum != QuorumFlag::None,
    };
    match (requested, dynamic) {
        (Some(0), true) => Err(Refusal::KRaftVersionOfDynamicQuorum),
        (Some(level), false) if level != 0 => Err(Refusal::KRaftVersionOfStaticQuorum { level }),
        (Some(level), _) => Ok(level),
        (None, dynamic) => Ok(i16::from(dynamic)),
    }
}

/// The level must exist, be usable, and find what it needs.
fn check(
    rules: &Rules,
    feature: &'static Feature,
    unstable: UnstableFeatureVersions,
    levels: &Levels,
) -> Result<(), Refusal> {
    let found = levels[feature.name];
    let usable = |level: &&FeatureLevel| {
        unstable == UnstableFeatureVersions::Enabled || level.level <= feature.latest_production
    };
    let Some(level) = feature.level(found).filter(usable) else {
        let numbers = feature
            .levels
            .iter()
            .filter(|level| usable(level))
            .map(|level| level.level.to_string());
        let expected = format!(
            "one of the levels {}",
            numbers.collect::<Vec<_>>().join(", ")
        );
        return Err(Refusal::FeatureLevel {
            name: feature.name.to_owned(),
            found,
            expected,
        });
    };
    let mut needs = dependencies(rules, feature, level);
    if found > 0 {
        needs.push((METADATA_VERSION, rules.features.minimum_bootstrap.0));
    }
    for (needed, needed_level) in needs {
        let has = levels.get(needed).copied().unwrap_or(0);
        if has < needed_level {
            let name = feature.name.to_owned();
            return Err(Refusal::Dependency {
                name,
                level: found,
                needed,
                needed_level,
                found: has,
            });
        }
    }
    Ok(())
}

/// What a level of a feature needs.
pub(crate) fn dependencies(
    rules: &Rules,
    feature: &Feature,
    level: &FeatureLevel,
) -> Vec<(&'static str, i16)> {
    let mut needs = level.dependencies.to_vec();
    match rules.storage.kraft_version {
        FormatKRaftVersion::WithQuorumFlag if feature.name == KRAFT_VERSION && level.level == 1 => {
            needs.push((METADATA_VERSION, KRAFT_VERSION_1_SINCE));
        }
        FormatKRaftVersion::WithQuorumFlag | FormatKRaftVersion::WithoutStaticVoters => {}
    }
    needs
}
