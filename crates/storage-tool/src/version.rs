//! Which metadata.version a cluster starts with.

use config::ServerConfig;
use records::feature::{
    FeatureTable, MetadataVersion, MetadataVersionInfo, UnstableFeatureVersions,
};
use releases::Rules;
use releases::storage::{DefaultReleaseVersion, UnknownReleaseVersion};

use crate::Refusal;

/// The version of that name: `4.0-IV3` itself; `4.0` and `4.0.1` are the newest one of that line that is ready for
/// production. `None` if there is none.
pub(crate) fn named(
    table: &'static FeatureTable,
    name: &str,
) -> Option<&'static MetadataVersionInfo> {
    let mut segments = name.split('.');
    let key = match (segments.next(), segments.next()) {
        (Some(major), Some(minor)) if !minor.is_empty() => format!("{major}.{minor}"),
        _ => name.to_owned(),
    };
    let exact = table.metadata_versions.iter().find(|info| info.name == key);
    let of_line = || {
        let production = table
            .metadata_versions
            .iter()
            .rev()
            .filter(|info| table.is_production(info.version));
        production.into_iter().find(|info| info.release() == key)
    };
    exact.or_else(of_line)
}

/// The name that a release gives a version it knows.
pub(crate) fn name_of(table: &'static FeatureTable, version: MetadataVersion) -> &'static str {
    table
        .metadata_version(version)
        .map_or("unknown", |info| info.name)
}

/// The version asked for by option, by feature or by configuration, or the default one.
pub(crate) fn choose(
    rules: &Rules,
    config: &ServerConfig,
    release_version: Option<&str>,
    feature_level: Option<i16>,
) -> Result<&'static MetadataVersionInfo, Refusal> {
    let table = rules.features;
    let unstable = config.unstable_feature_versions;
    let configured = match rules.storage.default_release_version {
        DefaultReleaseVersion::InterBrokerProtocolOrNewest => {
            config.inter_broker_protocol_version.as_deref()
        }
        DefaultReleaseVersion::Newest => None,
    };
    let asked = release_version
        .map(|name| ("--release-version", name))
        .or(configured.map(|name| ("inter.broker.protocol.version", name)));
    let named = match asked {
        Some((option, name)) => Some((option, parse(rules, option, name, unstable)?)),
        None => None,
    };
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
    if chosen.version < table.minimum_bootstrap {
        return Err(Refusal::VersionTooOld {
            found: chosen.name,
            minimum: name_of(table, table.minimum_bootstrap),
        });
    }
    Ok(chosen)
}

fn parse(
    rules: &Rules,
    option: &str,
    name: &str,
    unstable: UnstableFeatureVersions,
) -> Result<&'static MetadataVersionInfo, Refusal> {
    let table = rules.features;
    let found = named(table, name);
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
