//! Which metadata.version a cluster starts with.

use config::ServerConfig;
use records::feature::{
    FeatureTable, MetadataVersion, MetadataVersionInfo, UnstableFeatureVersions,
};
use releases::Rules;
use releases::storage::{DefaultReleaseVersion, UnknownReleaseVersion};

use crate::Refusal;

/// The name that a release gives a version it knows.
pub(crate) fn name_of(table: &'static FeatureTable, version: MetadataVersion) -> &'static str {
    table
        .metadata_version(version)
        .map_or("unknown", |info| info.name)
}

/// A version that is asked for by name: the option or key that does, and the version.
pub(crate) type Named = (&'static str, &'static MetadataVersionInfo);

/// The version asked for by name, by option or by configuration.
pub(crate) fn by_name(
    rules: &Rules,
    config: &ServerConfig,
    release_version: Option<&str>,
) -> Result<Option<Named>, Refusal> {
    let configured = match rules.storage.default_release_version {
        DefaultReleaseVersion::InterBrokerProtocolOrNewest => {
            config.inter_broker_protocol_version.as_deref()
        }
        DefaultReleaseVersion::Newest => None,
    };
    let asked = release_version
        .map(|name| ("--release-version", name))
        .or(configured.map(|name| ("inter.broker.protocol.version", name)));
    let Some((option, name)) = asked else {
        return Ok(None);
    };
    let version = parse(rules, option, name, config.unstable_feature_versions)?;
    Ok(Some((option, version)))
}

/// The version asked for by name or by feature, or the default one.
pub(crate) fn choose(
    rules: &Rules,
    config: &ServerConfig,
    named: Option<Named>,
    feature_level: Option<i16>,
) -> Result<&'static MetadataVersionInfo, Refusal> {
    let table = rules.features;
    let unstable = config.unstable_feature_versions;
    let chosen = match (named, feature_level) {
        (Some((other, _)), Some(_)) => return Err(Refusal::TwoVersions { other }),
        (Some((_, version)), None) => version,
        (None, Some(level)) => table
            .metadata_version(MetadataVersion(level))
            .ok_or_else(|| {
                let found = format!("level {level} (--feature metadata.version={level})");
                Refusal::UnknownVersion {
                    found,
                    expected: range(table),
                }
            })?,
        (None, None) => newest(table, unstable),
    };
    if unstable == UnstableFeatureVersions::Disabled && !table.is_production(chosen.version) {
        return Err(Refusal::UnstableVersion {
            found: chosen.name,
            newest: name_of(table, table.latest_production),
        });
    }
    Ok(chosen)
}

/// Bootstrap records are of some version on.
pub(crate) fn check_bootstrap(
    rules: &Rules,
    version: &'static MetadataVersionInfo,
) -> Result<(), Refusal> {
    let table = rules.features;
    if version.version < table.minimum_bootstrap {
        return Err(Refusal::VersionTooOld {
            found: version.name,
            minimum: name_of(table, table.minimum_bootstrap),
        });
    }
    Ok(())
}

fn parse(
    rules: &Rules,
    option: &str,
    name: &str,
    unstable: UnstableFeatureVersions,
) -> Result<&'static MetadataVersionInfo, Refusal> {
    let table = rules.features;
    let found = table.metadata_version_named(name);
    let unknown = |expected| Refusal::UnknownVersion {
        found: format!("{name} ({option})"),
        expected,
    };
    match rules.storage.unknown_release_version {
        UnknownReleaseVersion::Unexpected => found.ok_or_else(|| unknown(range(table))),
        UnknownReleaseVersion::RefusedWithList => {
            let usable = |info: &MetadataVersionInfo| {
                unstable == UnstableFeatureVersions::Enabled || table.is_production(info.version)
            };
            let names = table
                .metadata_versions
                .iter()
                .filter(|info| usable(info))
                .map(|info| info.name);
            let list = || format!("one of {}", names.collect::<Vec<_>>().join(", "));
            found
                .filter(|info| usable(info))
                .ok_or_else(|| unknown(list()))
        }
    }
}

fn newest(
    table: &'static FeatureTable,
    unstable: UnstableFeatureVersions,
) -> &'static MetadataVersionInfo {
    let version = match unstable {
        UnstableFeatureVersions::Disabled => table.latest_production,
        UnstableFeatureVersions::Enabled => table.latest_testing,
    };
    table
        .metadata_version(version)
        .expect("a line knows its newest versions")
}

fn range(table: &'static FeatureTable) -> String {
    let name = |version| name_of(table, version);
    format!(
        "{} to {}, or a level from {} to {}",
        name(table.minimum_supported),
        name(table.latest_testing),
        table.minimum_supported,
        table.latest_testing
    )
}
