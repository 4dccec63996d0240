//! The feature tables against every row of the fact tables.

mod common;

use std::collections::BTreeSet;

use common::{Row, facts, line};
use records::feature::{
    Capability, FeatureTable, METADATA_VERSION, MetadataChange, MetadataVersion,
    MetadataVersionInfo, UnstableFeatureVersions,
};
use records::metadata::{RecordKind, record_version_for};

fn number(row: &Row, column: &str) -> i16 {
    row[column]
        .parse()
        .unwrap_or_else(|_| panic!("{column}: {} is not a number", row[column]))
}

fn yes_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// The table a row speaks of, and the level of `metadata.version` it names.
fn entry(row: &Row, level_column: &str) -> (&'static FeatureTable, &'static MetadataVersionInfo) {
    let table = FeatureTable::of(line(&row["branch"]));
    let version = MetadataVersion(number(row, level_column));
    let info = table.metadata_version(version);
    (
        table,
        info.unwrap_or_else(|| panic!("{} does not know level {version}", table.line)),
    )
}

#[test]
fn metadata_versions_match_every_row() {
    let rows = facts("metadata_versions.tsv");
    let known: usize = records::feature::Line::ALL
        .map(|line| FeatureTable::of(line).metadata_versions.len())
        .iter()
        .sum();
    assert_eq!(rows.len(), known);
    for row in &rows {
        let (table, info) = entry(row, "level");
        let what = format!("{} on {}", info.name, table.line);
        let version = info.version;
        assert_eq!(info.name, row["metadata_version"], "{what}");
        assert_eq!(info.release(), row["release_line"], "{what}");
        let constant = format!("IBP_{}", info.name.replace(['.', '-'], "_"));
        assert_eq!(constant, row["enum_name"], "{what}");
        let stability = if table.is_production(version) {
            "production"
        } else {
            "unstable"
        };
        assert_eq!(stability, row["stability"], "{what}");
        let marker = match version {
            _ if version == table.latest_production => "latest-production",
            _ if version == table.latest_testing => "latest-testing",
            _ => "-",
        };
        assert_eq!(marker, row["marker"], "{what}");
        assert_eq!(
            yes_no(version >= table.minimum_bootstrap),
            row["can_be_bootstrap_mv"],
            "{what}"
        );
        let changed = info.changes_metadata == MetadataChange::Changed;
        assert_eq!(yes_no(changed), row["metadata_changed"], "{what}");
        assert_eq!(
            info.replica_fetch_version,
            number(row, "replica_fetch_ver"),
            "{what}"
        );
        assert_eq!(
            info.list_offsets_version,
            number(row, "list_offsets_ver"),
            "{what}"
        );
        check_capabilities(table, info, row);
        check_record_versions(table, version, row);
        check_activation(table, version, row);
    }
}

fn check_capabilities(table: &FeatureTable, info: &MetadataVersionInfo, row: &Row) {
    for capability in Capability::ALL {
        let supported = table.supports(info.version, capability);
        let (column, expected) = match capability {
            Capability::NoOpRecord => ("noop_record", supported),
            Capability::BrokerRegistrationChangeRecord => {
                ("broker_registration_change_record", supported)
            }
            Capability::InControlledShutdown => ("in_controlled_shutdown", supported),
            Capability::ZkMigration => ("zk_migration_mv", supported),
            Capability::Scram => ("scram", supported),
            Capability::LeaderEpochKeptOnIsrShrink => {
                ("leader_epoch_bump_on_isr_shrink", !supported)
            }
            Capability::MetadataTransactions => ("metadata_transactions", supported),
            Capability::DelegationTokens => ("delegation_tokens", supported),
            Capability::ControllerRegistration => ("controller_registration", supported),
            Capability::DirectoryAssignment => ("directory_assignment", supported),
            Capability::ElrRecords => ("elr_records", supported),
            Capability::CordonedLogDirs => ("cordoned_log_dirs", supported),
            Capability::CidrAcl => ("cidr_acl", supported),
            Capability::ControllerUnregistration => ("controller_unregistration", supported),
        };
        assert_eq!(
            yes_no(expected),
            row[column],
            "{column} at {} on {}",
            info.name,
            table.line
        );
    }
}

fn check_record_versions(table: &FeatureTable, version: MetadataVersion, row: &Row) {
    for (column, kind) in [
        ("register_broker_rec_ver", RecordKind::RegisterBroker),
        (
            "register_controller_rec_ver",
            RecordKind::RegisterController,
        ),
        ("partition_rec_ver", RecordKind::Partition),
        ("partition_change_rec_ver", RecordKind::PartitionChange),
    ] {
        let written = record_version_for(table.line, kind, version);
        let written = written.map_or("-".to_owned(), |version| version.to_string());
        assert_eq!(
            written, row[column],
            "{column} at {version} on {}",
            table.line
        );
    }
}

/// What the first activation does follows from the tables.
fn check_activation(table: &FeatureTable, version: MetadataVersion, row: &Row) {
    let transactions = table.supports(version, Capability::MetadataTransactions);
    let empty_log = if transactions {
        "transaction"
    } else {
        "atomic batch"
    };
    assert_eq!(empty_log, row["activation_empty_log"]);
    let elr = table.feature("eligible.leader.replicas.version");
    let min_isr = match elr {
        Some(elr) if elr.default_level(version) > 0 => "yes",
        Some(_) if table.supports(version, Capability::ElrRecords) => "if ELR level>0 given",
        _ => "no",
    };
    assert_eq!(min_isr, row["min_isr_config_written_at_activation"]);
    let zk = transactions && table.line == records::feature::Line::V3_9;
    assert_eq!(row["zk_state_record_at_activation"].starts_with("yes"), zk);
}

#[test]
fn limits_match_every_row() {
    let rows = facts("metadata_version_limits.tsv");
    assert_eq!(rows.len(), records::feature::Line::ALL.len());
    for row in &rows {
        let table = FeatureTable::of(line(&row["branch"]));
        for (column, version) in [
            ("latest_production", table.latest_production),
            ("latest_testing", table.latest_testing),
            ("minimum_supported", table.minimum_supported),
            ("minimum_bootstrap", table.minimum_bootstrap),
        ] {
            assert_eq!(
                version.0,
                number(row, &format!("{column}_level")),
                "{column} of {}",
                table.line
            );
            let info = table.metadata_version(version).expect("a limit is a level");
            assert_eq!(info.name, row[column], "{column} of {}", table.line);
        }
        assert_eq!(table.metadata_versions[0].version, table.minimum_supported);
        assert_eq!(
            table.metadata_versions.last().map(|info| info.version),
            Some(table.latest_testing)
        );
    }
}

#[test]
fn features_match_every_row() {
    let rows = facts("features.tsv");
    let mut order: Vec<(String, Vec<(String, i16)>)> = Vec::new();
    for row in &rows {
        let table = FeatureTable::of(line(&row["branch"]));
        let feature = table
            .feature(&row["feature"])
            .expect("the line has the feature");
        let number_of_level = number(row, "level");
        let level = feature
            .level(number_of_level)
            .expect("the feature has the level");
        let what = format!("{} on {}", level.name, table.line);
        assert_eq!(level.name, row["level_name"], "{what}");
        let since = table
            .metadata_version(level.bootstrap_metadata_version)
            .expect("a level");
        assert_eq!(since.name, row["bootstrap_mv"], "{what}");
        let needs: Vec<String> = level
            .dependencies
            .iter()
            .map(|(name, level)| format!("{name}={level}"))
            .collect();
        let needs = if needs.is_empty() {
            "none".to_owned()
        } else {
            needs.join(",")
        };
        assert_eq!(needs, row["depends_on"], "{what}");
        let default_at: Vec<&str> = table
            .metadata_versions
            .iter()
            .filter(|info| feature.default_level(info.version) == number_of_level)
            .map(|info| info.name)
            .collect();
        let range = match (default_at.first(), default_at.last()) {
            (Some(first), Some(last)) => format!("{first}..{last}"),
            _ => "-".to_owned(),
        };
        assert_eq!(range, row["default_at_mv_range"], "{what}");
        assert_eq!(
            yes_no(number_of_level <= feature.latest_production),
            row["production_ready"],
            "{what}"
        );
        assert_eq!(
            feature.latest_production,
            number(row, "latest_production"),
            "{what}"
        );
        assert_eq!(
            feature.latest_testing(),
            number(row, "latest_testing"),
            "{what}"
        );
        assert_eq!(feature.minimum(), number(row, "minimum"), "{what}");
        check_dependency_text(table, level.dependencies, row);
        match order.last_mut() {
            Some((branch, seen)) if *branch == row["branch"] => {
                seen.push((row["feature"].clone(), number_of_level));
            }
            _ => order.push((
                row["branch"].clone(),
                vec![(row["feature"].clone(), number_of_level)],
            )),
        }
    }
    for (branch, seen) in order {
        let features = FeatureTable::of(line(&branch)).features;
        let ours: Vec<(String, i16)> = features
            .iter()
            .flat_map(|feature| {
                feature
                    .levels
                    .iter()
                    .map(|level| (feature.name.to_owned(), level.level))
            })
            .collect();
        assert_eq!(ours, seen, "features of {branch}, in order");
    }
}

fn check_dependency_text(table: &FeatureTable, dependencies: &[(&str, i16)], row: &Row) {
    let says = &row["feature_dependencies_tool_says"];
    match dependencies {
        [] => assert!(
            says.starts_with("has no") || says.starts_with("(tool"),
            "{says}"
        ),
        [(METADATA_VERSION, level)] => {
            let info = table
                .metadata_version(MetadataVersion(*level))
                .expect("a level");
            assert_eq!(
                *says,
                format!("requires: {METADATA_VERSION}={level} ({})", info.name)
            );
        }
        others => panic!("no tool output is known for {others:?}"),
    }
}

#[test]
fn defaults_match_every_row() {
    let rows = facts("feature_defaults.tsv");
    for row in &rows {
        let (table, info) = entry(row, "mv_level");
        assert_eq!(info.name, row["metadata_version"]);
        let mut named = BTreeSet::new();
        for (name, level) in table.default_levels(info.version) {
            assert_eq!(
                level.to_string(),
                row[name],
                "{name} at {} on {}",
                info.name,
                table.line
            );
            named.insert(name);
        }
        let columns = row.keys().filter(|name| name.ends_with(".version"));
        for absent in columns.filter(|name| !named.contains(name.as_str())) {
            assert_eq!(row[absent], "-", "{absent} on {}", table.line);
        }
        let kraft_version = table.default_levels(info.version);
        let kraft_version =
            kraft_version.filter(|(name, _)| *name == records::feature::KRAFT_VERSION);
        let levels: Vec<i16> = kraft_version.map(|(_, level)| level).collect();
        assert_eq!(levels, [number(row, "kraft.version")]);
    }
}

#[test]
fn names_mean_what_the_tool_makes_of_them() {
    use records::feature::Line::{V3_9, V4_0, V4_1, V4_4};
    let level = |line, text| {
        FeatureTable::of(line)
            .metadata_version_named(text)
            .map(|info| info.version.0)
    };
    assert_eq!(level(V4_4, "3.9-IV0"), Some(21));
    assert_eq!(level(V4_4, "3.9"), Some(21));
    assert_eq!(level(V4_4, "4.0.2"), Some(25));
    assert_eq!(level(V4_4, "3.9-IV0.7"), Some(21));
    assert_eq!(level(V4_4, "3.9."), None);
    assert_eq!(level(V4_4, "3"), None);
    assert_eq!(level(V4_4, ""), None);
    assert_eq!(level(V3_9, "3.3"), Some(7));
    assert_eq!(
        level(V3_9, "4.0"),
        None,
        "no level of 4.0 is fit for production on 3.9"
    );
    assert_eq!(level(V3_9, "4.0-IV0"), Some(22));
    assert_eq!(level(V4_0, "3.3-IV2"), None, "below what 4.0 runs with");
    assert_eq!(level(V4_1, "4.1"), Some(27));
}

/// As real controllers registered, for every line but 4.0 with a release of its own in the recorded logs.
#[test]
fn controllers_register_what_was_measured() {
    let registered = |branch: &str, unstable| -> Vec<(&str, i16, i16)> {
        let table = FeatureTable::of(line(branch));
        let supported = table.supported_features(unstable);
        supported
            .into_iter()
            .map(|(name, range)| (name, range.min, range.max))
            .collect()
    };
    let stable = UnstableFeatureVersions::Disabled;
    assert_eq!(
        registered("3.9", stable),
        [("kraft.version", 0, 1), ("metadata.version", 1, 21)]
    );
    assert_eq!(
        registered("4.0", stable),
        [
            ("group.version", 0, 1),
            ("transaction.version", 0, 2),
            ("eligible.leader.replicas.version", 0, 1),
            ("kraft.version", 0, 1),
            ("metadata.version", 7, 25),
        ]
    );
    assert_eq!(
        registered("4.1", stable),
        [
            ("group.version", 0, 1),
            ("transaction.version", 0, 2),
            ("eligible.leader.replicas.version", 0, 1),
            ("kraft.version", 0, 1),
            ("metadata.version", 7, 27),
            ("share.version", 0, 1),
        ]
    );
    assert_eq!(
        registered("4.4", stable),
        [
            ("group.version", 0, 1),
            ("kraft.version", 0, 1),
            ("metadata.version", 7, 33),
            ("share.version", 0, 2),
            ("streams.version", 0, 1),
            ("transaction.version", 0, 2),
            ("eligible.leader.replicas.version", 0, 1),
        ]
    );
    let unstable = registered("4.3", UnstableFeatureVersions::Enabled);
    assert!(unstable.contains(&("metadata.version", 7, 31)));
}
