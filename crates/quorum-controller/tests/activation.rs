//! What activation writes and says, rule by rule and release by release.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod support;

use image::feature_record;
use listener::Event;
use quorum_controller::{
    ActivationRefusal, ControllerConfig, FatalFault, LogContent, Shape, ZkMigrationConfig,
};
use records::metadata::{
    BeginTransactionRecord, MetadataRecord, NoOpRecord, UserScramCredentialRecord, VersionedRecord,
    ZkMigrationStateRecord,
};
use releases::{Release, Rules};
use support::{Bench, FakeRaft, PATH, config};

fn version(level: i16) -> VersionedRecord {
    feature_record("metadata.version", level)
}

fn elr() -> VersionedRecord {
    feature_record("eligible.leader.replicas.version", 1)
}

fn begin() -> VersionedRecord {
    VersionedRecord::new(0, BeginTransactionRecord::default())
}

fn activated(release: Release, records: Vec<VersionedRecord>) -> Bench {
    let mut bench = Bench::new(release, records);
    bench.lead(1).unwrap();
    bench
}

fn refused(bench: &mut Bench) -> ActivationRefusal {
    match bench.lead(1).unwrap_err() {
        FatalFault::Activation(refusal) => refusal,
        other => panic!("{other}"),
    }
}

const TRANSACTION: [&str; 3] = [
    "BeginTransactionRecord",
    "FeatureLevelRecord",
    "EndTransactionRecord",
];

#[test]
fn an_empty_log_gets_the_bootstrap_records_in_a_transaction() {
    let bench = activated(Release::V4_3_1, vec![version(30)]);
    assert_eq!(bench.raft.names(), TRANSACTION);
    let MetadataRecord::BeginTransaction(begin) = &bench.raft.records()[0].1.record else {
        panic!("it begins");
    };
    assert_eq!(begin.name.as_deref(), Some("Bootstrap records"));
    assert_eq!(
        bench.message(),
        format!(
            "the log is empty: 1 bootstrap record(s) at metadata.version 4.3-IV0 from the legacy file {PATH}, in a \
             metadata transaction"
        )
    );
    let activation = &bench.controller.activations()[0];
    assert_eq!(
        (activation.log, activation.shape),
        (LogContent::Empty, Shape::MayBeSplit)
    );
    assert_eq!(activation.source.as_ref().unwrap().kind(), "legacy-file");
    assert_eq!(activation.bootstrap_records, 1);
}

#[test]
fn an_old_metadata_version_gets_one_atomic_batch() {
    for release in [Release::V3_9_2, Release::V4_0_2, Release::V4_4_0] {
        let bench = activated(release, vec![version(12)]);
        assert_eq!(bench.raft.names(), ["FeatureLevelRecord"], "{release}");
        assert_eq!(bench.controller.activations()[0].shape, Shape::Atomic);
        assert!(bench.message().ends_with(", in one atomic batch"));
    }
}

#[test]
fn release_3_9_writes_the_migration_state_into_the_transaction() {
    let bench = activated(Release::V3_9_2, vec![version(21)]);
    assert_eq!(
        bench.raft.names(),
        [
            "BeginTransactionRecord",
            "FeatureLevelRecord",
            "ZkMigrationStateRecord",
            "EndTransactionRecord"
        ]
    );
    let sentence = "; the ZooKeeper migration state NONE is written, as for any new cluster";
    assert!(bench.message().ends_with(sentence), "{}", bench.message());
    let mut again = activated(Release::V3_9_2, vec![version(21)]);
    again.commit_all().unwrap();
    again.follow(2).unwrap();
    again.lead(3).unwrap();
    assert_eq!(
        again.message(),
        "the log is not empty: no bootstrap records are written; the ZooKeeper migration state is NONE"
    );
}

#[test]
fn eligible_leader_replicas_bring_a_cluster_wide_config_from_4_0_on() {
    let names = |release, records| activated(release, records).raft.names();
    let with_config = [
        "BeginTransactionRecord",
        "FeatureLevelRecord",
        "FeatureLevelRecord",
        "ConfigRecord",
        "EndTransactionRecord",
    ];
    assert_eq!(
        names(Release::V4_0_2, vec![version(25), elr()]),
        with_config
    );
    assert_eq!(
        names(Release::V4_4_0, vec![version(33), elr()]),
        with_config
    );
    assert_eq!(names(Release::V4_4_0, vec![version(33)]), TRANSACTION);
    let config = ControllerConfig {
        min_insync_replicas: 2,
        ..config()
    };
    let mut bench = Bench::with(&Release::V4_1_2.rules(), config, vec![version(27), elr()]);
    bench.lead(1).unwrap();
    let configs = bench.controller.image().configs();
    assert_eq!(configs.get(4, "", "min.insync.replicas"), Some("2"));
}

#[test]
fn a_log_with_content_gets_nothing() {
    for release in [Release::V4_0_2, Release::V4_1_2, Release::V4_4_0] {
        let mut bench = Bench::new(release, vec![version(21)]);
        bench.raft.replicate(1, &[version(21)]);
        bench.lead(2).unwrap();
        assert_eq!(bench.raft.names(), ["FeatureLevelRecord"], "{release}");
        assert_eq!(
            bench.message(),
            "the log is not empty: no bootstrap records are written"
        );
        assert_eq!(bench.controller.activations()[0].source, None);
    }
}

#[test]
fn an_open_transaction_is_aborted() {
    let mut bench = Bench::new(Release::V4_4_0, vec![version(33)]);
    bench.raft.replicate(1, &[version(33)]);
    bench.raft.replicate(1, &[begin(), elr()]);
    bench.lead(2).unwrap();
    assert_eq!(bench.raft.names().last(), Some(&"AbortTransactionRecord"));
    assert_eq!(
        bench.message(),
        "the transaction left open at offset 1 is aborted"
    );
    assert_eq!(
        bench.controller.activations()[0].aborted_transaction,
        Some(1)
    );
    assert!(!bench.controller.image().features().is_elr_enabled());
    assert_eq!(bench.controller.offsets().transaction_start_offset(), None);
}

#[test]
fn a_partial_bootstrap_transaction_without_a_version_starts_again_from_4_1_on() {
    let mut bench = Bench::new(Release::V4_3_1, vec![version(30)]);
    bench.raft.replicate(1, &[begin()]);
    bench.lead(2).unwrap();
    let names = [
        "BeginTransactionRecord",
        "AbortTransactionRecord",
        "BeginTransactionRecord",
        "FeatureLevelRecord",
        "EndTransactionRecord",
    ];
    assert_eq!(bench.raft.names(), names);
    assert_eq!(
        bench.message(),
        format!(
            "the bootstrap transaction left open at offset 0 is aborted and written anew: 1 bootstrap record(s) at \
             metadata.version 4.3-IV0 from the legacy file {PATH}, in a metadata transaction"
        )
    );
    // 4.0 has seen a record, and assumes its newest version.
    let mut bench = Bench::new(Release::V4_0_2, vec![version(25)]);
    bench.raft.replicate(1, &[begin()]);
    bench.lead(2).unwrap();
    assert_eq!(
        bench.raft.names(),
        ["BeginTransactionRecord", "AbortTransactionRecord"]
    );
    // 3.9 assumes its oldest one, which has no transactions.
    let mut bench = Bench::new(Release::V3_9_2, vec![version(21)]);
    bench.raft.replicate(1, &[begin()]);
    let text = refused(&mut bench).to_string();
    assert!(
        text.contains("began at offset 0") && text.contains("3.0-IV1"),
        "{text}"
    );
}

#[test]
fn a_partial_bootstrap_transaction_with_a_version_is_only_aborted() {
    for release in [Release::V4_1_2, Release::V4_4_0] {
        let mut bench = Bench::new(release, vec![version(27)]);
        bench.raft.replicate(1, &[begin(), version(27)]);
        bench.lead(2).unwrap();
        assert_eq!(
            bench.raft.names().last(),
            Some(&"AbortTransactionRecord"),
            "{release}"
        );
        assert_eq!(bench.controller.metadata_version(), None);
        // The next activation finds no version, and bootstraps.
        bench.commit_all().unwrap();
        bench.follow(3).unwrap();
        bench.lead(4).unwrap();
        assert_eq!(bench.raft.names()[3..], TRANSACTION);
    }
}

/// Active, bootstrap records replayed, leadership lost before they commit, records truncated, leader again.
fn interrupted(rules: &Rules, level: i16) -> Bench {
    let mut bench = Bench::with(rules, config(), vec![version(level)]);
    bench.lead(1).unwrap();
    bench.follow(2).unwrap();
    bench.raft.truncate();
    bench.lead(3).unwrap();
    bench
}

#[test]
fn kafka_20839_an_interrupted_first_activation_is_never_made_up_for() {
    for (release, level, before) in [
        (Release::V3_9_2, 21, Some(1)),
        (Release::V4_0_2, 25, Some(25)),
    ] {
        let bench = interrupted(&release.rules(), level);
        assert_eq!(bench.raft.names(), Vec::<&str>::new(), "{release}");
        assert_eq!(bench.controller.image().features().metadata_version(), None);
        assert_eq!(
            bench.controller.metadata_version().map(|version| version.0),
            before
        );
        let mended = interrupted(&release.rules().without("KAFKA-20839").unwrap(), level);
        assert_eq!(
            mended.raft.names().len(),
            bench.controller.activations()[0].records.len()
        );
    }
    let bench = interrupted(&Release::V4_1_2.rules(), 27);
    assert_eq!(bench.raft.names(), TRANSACTION);
    let planted = interrupted(&Release::V4_4_0.rules().with("KAFKA-20839").unwrap(), 33);
    assert_eq!(planted.raft.names(), Vec::<&str>::new());
}

#[test]
fn the_migration_from_zookeeper_in_3_9() {
    let config = ControllerConfig {
        zk_migration: ZkMigrationConfig::Enabled,
        ..config()
    };
    let rules = Release::V3_9_2.rules();
    let with = |level: i16| Bench::with(&rules, config.clone(), vec![version(level)]);
    let mut bench = with(21);
    bench.lead(1).unwrap();
    assert_eq!(bench.controller.image().features().zk_migration_state(), 1);
    assert!(bench.message().contains("pre-migration mode"));
    assert!(
        matches!(refused(&mut with(12)), ActivationRefusal::ZkMigration(_)),
        "no transactions"
    );
    let mut bench = with(21);
    bench.raft.replicate(1, &[version(21)]);
    assert!(
        matches!(refused(&mut bench), ActivationRefusal::ZkMigration(_)),
        "created without ZooKeeper"
    );
    let mut bench = with(21);
    bench.raft.replicate(1, &[version(7)]);
    assert!(
        matches!(refused(&mut bench), ActivationRefusal::ZkMigration(_)),
        "too old"
    );
    let state = |zk_migration_state| {
        VersionedRecord::new(
            0,
            ZkMigrationStateRecord {
                zk_migration_state,
                ..Default::default()
            },
        )
    };
    let mut bench = with(21);
    bench.raft.replicate(1, &[version(21), state(2)]);
    bench.lead(2).unwrap();
    assert_eq!(bench.raft.names().len(), 2, "stays in migration");
    let mut bench = Bench::new(Release::V3_9_2, vec![version(21)]);
    bench.raft.replicate(1, &[version(21), state(2)]);
    bench.lead(2).unwrap();
    assert_eq!(
        bench.controller.image().features().zk_migration_state(),
        3,
        "completes it"
    );
}

#[test]
fn a_log_without_a_version_is_treated_as_the_oldest_by_3_9() {
    let mut bench = Bench::new(Release::V3_9_2, vec![version(21)]);
    bench
        .raft
        .replicate(1, &[VersionedRecord::new(0, NoOpRecord::default())]);
    bench.lead(2).unwrap();
    assert_eq!(
        bench.message(),
        "the log is not empty: no bootstrap records are written; the log names no metadata.version and is read as 3.0-IV1"
    );
}

#[test]
fn many_bootstrap_records_are_split_in_a_transaction_and_refused_without() {
    let scram = |n: usize| {
        VersionedRecord::new(
            0,
            UserScramCredentialRecord {
                name: n.to_string(),
                mechanism: 1,
                ..Default::default()
            },
        )
    };
    let records = |level| -> Vec<_> {
        std::iter::once(version(level))
            .chain((0..7).map(scram))
            .collect()
    };
    let config = ControllerConfig {
        max_records_per_batch: 4,
        ..config()
    };
    let rules = Release::V4_4_0.rules();
    // 10 records: 4, 4 and 2.
    let mut bench = Bench::with(&rules, config.clone(), records(33));
    bench.lead(1).unwrap();
    let sizes: Vec<i32> = bench
        .raft
        .log
        .iter()
        .map(raft_log::batch::Batch::count)
        .collect();
    assert_eq!(sizes, [1, 4, 4, 2]);
    // Atomic: too many for one append. That is a fault, and no failure to decide: the controller renounces.
    let mut bench = Bench::with(&rules, config.clone(), records(12));
    bench.lead(1).unwrap();
    assert_eq!(bench.raft.resigned, [1]);
    assert_eq!(bench.controller.faults().len(), 1);
    assert!(!bench.controller.is_active());
    // A multiple of the limit ends with an append of nothing.
    let config = ControllerConfig {
        max_records_per_batch: 5,
        ..config
    };
    let mut bench = Bench::with(&rules, config, records(33));
    bench.lead(1).unwrap();
    assert_eq!(bench.raft.resigned, [1]);
}

#[test]
fn losing_leadership_before_the_append_is_an_ordinary_failover() {
    let mut bench = Bench::new(Release::V4_4_0, vec![version(33)]);
    bench.raft.lead(1);
    bench.commit_all().unwrap();
    bench.tell(Event::LeaderChange(bench.raft.leader_and_epoch));
    bench.raft.leader_and_epoch = FakeRaft::new().leader_and_epoch;
    bench.run().unwrap();
    assert_eq!(bench.raft.resigned, [1]);
    assert!(bench.controller.faults().is_empty());
    bench.lead(3).unwrap();
    assert_eq!(bench.raft.names(), TRANSACTION);
}
