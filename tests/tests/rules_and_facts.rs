//! The rules of each release against the fact tables: what was read from the released jars or measured with them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;

use config::ServerConfig;
use kraftsim_tests::repository;
use records::feature::{Capability, ELIGIBLE_LEADER_REPLICAS_VERSION, MetadataVersion};
use releases::bootstrap::DefaultSource;
use releases::controller::{ElrConfigRecord, ZkStateRecord};
use releases::listener::ZeroCheckpointCallback;
use releases::raft::{AutoJoin, FetchLimit};
use releases::storage::{BootstrapFile, ToolCommands};
use releases::{Release, RuleSet, Rules};
use serde_json::Value;

/// The rows of a fact table by column name.
fn table(name: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(repository::root().join("tests/facts").join(name)).unwrap();
    let mut lines = text
        .lines()
        .map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let head = lines.next().unwrap();
    lines
        .map(|row| head.iter().cloned().zip(row).collect())
        .collect()
}

/// The rules of the release in a row's `release` column.
fn rules(row: &BTreeMap<String, String>) -> Rules {
    row["release"].parse::<Release>().unwrap().rules()
}

fn lines() -> impl Iterator<Item = (RuleSet, Rules)> {
    let newest = |rule_set| {
        Release::ALL
            .into_iter()
            .rfind(|release| release.rule_set() == rule_set)
            .unwrap()
    };
    RuleSet::ALL
        .into_iter()
        .filter(|rule_set| *rule_set != RuleSet::Kip1170)
        .map(move |set| (set, newest(set).rules()))
}

/// A rule that nothing of the model asks would be a claim without an effect.
#[test]
fn the_model_asks_every_rule() {
    let crates = repository::files(&repository::root().join("crates"), &[".rs"]);
    let asking =
        |path: &std::path::PathBuf| !path.components().any(|part| part.as_os_str() == "releases");
    let crates = crates.iter().filter(|path| asking(path));
    let code: String = crates
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    for row in Release::V4_4_0.rules().rows() {
        assert!(code.contains(&format!(".{}", row.name)), "{}", row.name);
    }
}

#[test]
fn activation_on_an_empty_log() {
    let yes = |text: &str| text.starts_with("yes");
    let mut count = 0;
    for row in table("metadata_versions.tsv") {
        let rules = rules(&row);
        let version = MetadataVersion(row["level"].parse().unwrap());
        let at = format!("{} at {version}", row["release"]);
        let transaction = rules
            .features
            .supports(version, Capability::MetadataTransactions);
        assert_eq!(
            row["activation_empty_log"],
            if transaction {
                "transaction"
            } else {
                "atomic batch"
            },
            "{at}"
        );
        let zk = match rules.controller.zk_state_record {
            ZkStateRecord::InTransaction => transaction,
            ZkStateRecord::Never => false,
        };
        assert_eq!(yes(&row["zk_state_record_at_activation"]), zk, "{at}");
        let elr = rules.features.feature(ELIGIBLE_LEADER_REPLICAS_VERSION);
        let by_default = elr.is_some_and(|elr| elr.default_level(version) > 0);
        let min_isr = match rules.controller.elr_config_record {
            ElrConfigRecord::Never => false,
            ElrConfigRecord::WhenElrEnabled => by_default,
        };
        assert_eq!(
            yes(&row["min_isr_config_written_at_activation"]),
            min_isr,
            "{at}"
        );
        count += 1;
    }
    assert!(count > 100, "{count} rows");
}

#[test]
fn settings_that_only_some_lines_have() {
    let settings = table("config_defaults.tsv");
    let has = |key: &str, line: RuleSet| {
        let row = settings.iter().find(|row| row["config"] == key).unwrap();
        row[line.name()] != "-"
    };
    for (line, rules) in lines() {
        let auto_join = rules.raft.auto_join == AutoJoin::Configurable;
        assert_eq!(
            has("controller.quorum.auto.join.enable", line),
            auto_join,
            "{line}"
        );
        let configured = rules.raft.fetch_limit == FetchLimit::Configured;
        assert_eq!(
            has("controller.quorum.fetch.max.bytes", line),
            configured,
            "{line}"
        );
        assert_eq!(
            has("controller.quorum.fetch.snapshot.max.bytes", line),
            configured,
            "{line}"
        );
        let zk = has("zookeeper.metadata.migration.enable", line);
        assert_eq!(
            rules.controller.zk_state_record == ZkStateRecord::InTransaction,
            zk,
            "{line}"
        );
    }
}

#[test]
fn defaults_of_a_configuration() {
    let settings = table("config_defaults.tsv");
    let mut compared = 0;
    for (line, rules) in lines() {
        for (key, value) in defaults(&rules) {
            let row = settings.iter().find(|row| row["config"] == key).unwrap();
            if row[line.name()] != "-" {
                assert_eq!(row[line.name()], value.to_string(), "{key} of {line}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 100, "{compared} defaults");
}

/// What a release makes of a configuration without these keys.
fn defaults(rules: &Rules) -> [(&'static str, i64); 18] {
    let lines = [
        ("process.roles", "controller"),
        ("node.id", "1"),
        ("controller.quorum.bootstrap.servers", "localhost:9093"),
        ("controller.listener.names", "CONTROLLER"),
        ("listeners", "CONTROLLER://localhost:9093"),
    ];
    let config = ServerConfig::parse(rules, lines).unwrap();
    let (quorum, log) = (&config.quorum, &config.metadata_log);
    [
        (
            "controller.quorum.election.timeout.ms",
            i64::from(quorum.election_timeout_ms),
        ),
        (
            "controller.quorum.fetch.timeout.ms",
            i64::from(quorum.fetch_timeout_ms),
        ),
        (
            "controller.quorum.election.backoff.max.ms",
            i64::from(quorum.election_backoff_max_ms),
        ),
        (
            "controller.quorum.append.linger.ms",
            i64::from(quorum.append_linger_ms),
        ),
        (
            "controller.quorum.request.timeout.ms",
            i64::from(quorum.request_timeout_ms),
        ),
        (
            "controller.quorum.retry.backoff.ms",
            i64::from(quorum.retry_backoff_ms),
        ),
        (
            "controller.quorum.fetch.max.bytes",
            i64::from(quorum.fetch_max_bytes),
        ),
        (
            "controller.quorum.fetch.snapshot.max.bytes",
            i64::from(quorum.fetch_snapshot_max_bytes),
        ),
        (
            "broker.heartbeat.interval.ms",
            i64::from(quorum.broker_heartbeat_interval_ms),
        ),
        (
            "broker.session.timeout.ms",
            i64::from(quorum.broker_session_timeout_ms),
        ),
        ("metadata.log.segment.bytes", i64::from(log.segment_bytes)),
        ("metadata.log.segment.ms", log.segment_ms),
        ("metadata.max.retention.bytes", log.max_retention_bytes),
        ("metadata.max.retention.ms", log.max_retention_ms),
        (
            "metadata.log.max.record.bytes.between.snapshots",
            log.max_record_bytes_between_snapshots,
        ),
        (
            "metadata.log.max.snapshot.interval.ms",
            log.max_snapshot_interval_ms,
        ),
        (
            "metadata.max.idle.interval.ms",
            i64::from(log.max_idle_interval_ms),
        ),
        ("min.insync.replicas", i64::from(config.min_insync_replicas)),
    ]
}

#[test]
fn what_the_tool_has_and_writes() {
    for row in table("features.tsv") {
        let none = row["feature_dependencies_tool_says"].contains("no such command");
        assert_eq!(
            rules(&row).storage.commands == ToolCommands::Basic,
            none,
            "{}",
            row["release"]
        );
    }
    for row in table("format_matrix.tsv")
        .iter()
        .filter(|row| row["case"] == "static-controller")
    {
        let legacy = row["files_and_sizes"].contains("bootstrap.checkpoint");
        assert_eq!(
            rules(row).storage.bootstrap_file == BootstrapFile::LegacyFile,
            legacy,
            "{}",
            row["release"]
        );
    }
}

/// What the servers of the cells said: the source where no file was there, and which bugs a stale file shows.
#[test]
fn what_the_cells_show() {
    let mut sources = 0;
    for cell in kraftsim_tests::agree::cells_in(&repository::golden()).unwrap() {
        let id = cell.id();
        if !id.starts_with("b0-") && !id.starts_with("b3-") {
            continue;
        }
        let folder = repository::golden().join(&id);
        let read = |name: &str| -> Value {
            serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
        };
        let (spec, result) = (read("spec.json"), read("result.json"));
        let release: Release = spec["phases"][0]["version"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        let rules = release.rules();
        let Some(source) = result["phases"][0]["nodes"]["1"]["bootstrap_source"].as_str() else {
            continue;
        };
        let from_zero = rules.listener.zero_checkpoint == ZeroCheckpointCallback::LoadBootstrap
            && rules.storage.bootstrap_file != BootstrapFile::LegacyFile;
        let expected = match rules.bootstrap.default_source {
            _ if id.starts_with("b3-") && from_zero => "bootstrap",
            DefaultSource::Configured => "configured",
            DefaultSource::NewestProduction => "default",
        };
        assert!(source.contains(expected), "{id}: {source}");
        sources += 1;
    }
    assert!(sources >= 8, "{sources} cells with a source");
}

#[test]
fn the_scenarios_that_quirks_name_are_there() {
    for quirk in releases::QUIRKS {
        if let Some(scenario) = quirk.scenario {
            assert!(
                repository::root().join(scenario).is_file(),
                "{}: {scenario}",
                quirk.id
            );
        }
        let room_and_field = Release::V4_4_0.rules().rows();
        let decides = room_and_field
            .iter()
            .any(|row| quirk.field == format!("{}.{}", row.room, row.name));
        assert!(
            decides,
            "{} decides {}, which is no rule",
            quirk.id, quirk.field
        );
        let planted = Release::V4_4_0.rules().with(quirk.id).unwrap().rows();
        let mended = Release::V4_4_0.rules().without(quirk.id).unwrap().rows();
        let changed: Vec<String> = mended
            .iter()
            .zip(&planted)
            .filter(|(before, after)| before.behaviour != after.behaviour)
            .map(|(before, _)| format!("{}.{}", before.room, before.name))
            .collect();
        assert_eq!(
            changed,
            [quirk.field],
            "{} changes one rule, the one it names",
            quirk.id
        );
    }
}
