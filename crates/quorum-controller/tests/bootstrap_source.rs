//! Where bootstrap records come from, and what is refused of them, release by release.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod support;

use image::feature_record;
use listener::Event;
use quorum_controller::{
    ActivationRefusal, BootstrapMetadata, BootstrapRefusal, Controller, FatalFault,
};
use records::metadata::{UserScramCredentialRecord, VersionedRecord};
use releases::Release;
use support::{Bench, config, legacy, zero_checkpoint};

fn version(level: i16) -> VersionedRecord {
    feature_record("metadata.version", level)
}

fn elr() -> VersionedRecord {
    feature_record("eligible.leader.replicas.version", 1)
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
fn a_control_only_zero_checkpoint_leaves_the_log_empty() {
    for release in [Release::V3_9_2, Release::V4_2_1] {
        let mut bench = Bench::new(release, vec![version(21)]);
        bench.tell(Event::LoadSnapshot(zero_checkpoint(&[])));
        bench.lead(1).unwrap();
        assert_eq!(bench.raft.names()[0], "BeginTransactionRecord", "{release}");
    }
}

#[test]
fn metadata_in_the_zero_checkpoint_release_by_release() {
    let other = [version(21), feature_record("transaction.version", 0)];
    // Up to 4.2 it counts as committed: nothing is written.
    let mut bench = Bench::new(Release::V4_2_1, vec![version(25)]);
    bench.tell(Event::LoadSnapshot(zero_checkpoint(&other)));
    bench.lead(1).unwrap();
    assert_eq!(bench.raft.names(), Vec::<&str>::new());
    assert_eq!(
        bench.controller.metadata_version().map(|version| version.0),
        Some(21)
    );
    // 4.3 throws it away.
    let mut bench = Bench::new(Release::V4_3_1, vec![version(25)]);
    bench.tell(Event::LoadBootstrap(zero_checkpoint(&other)));
    assert_eq!(bench.controller.next_event_at(), None, "closed at once");
    bench.lead(1).unwrap();
    assert!(bench.message().contains("4.0-IV3"));
    // 4.4 has it replace the file's records, the drafts too, with a warning.
    for (release, event, warnings) in [
        (
            Release::V4_4_0,
            Event::LoadBootstrap(zero_checkpoint(&other)),
            0,
        ),
        (
            Release::Kip1170,
            Event::LoadSnapshot(zero_checkpoint(&other)),
            1,
        ),
    ] {
        let mut bench = Bench::new(release, vec![version(25)]);
        bench.tell(event);
        bench.lead(1).unwrap();
        assert!(bench.message().ends_with(
            "2 bootstrap record(s) at metadata.version 3.9-IV0 from the zero checkpoint, in a metadata transaction"
        ));
        assert_eq!(
            bench.controller.activations()[0]
                .source
                .as_ref()
                .unwrap()
                .kind(),
            "zero-checkpoint"
        );
        assert_eq!(bench.controller.warnings().len(), warnings, "{release}");
    }
}

#[test]
fn the_drafts_keep_the_legacy_file_where_the_zero_checkpoint_has_no_metadata() {
    let mut bench = Bench::new(Release::Kip1170, vec![version(25)]);
    bench.tell(Event::LoadSnapshot(zero_checkpoint(&[])));
    bench.lead(1).unwrap();
    assert_eq!(
        bench.controller.activations()[0]
            .source
            .as_ref()
            .unwrap()
            .kind(),
        "legacy-file"
    );
    assert_eq!(bench.controller.warnings(), [] as [&str; 0]);
}

#[test]
fn a_zero_checkpoint_with_metadata_but_no_version_ends_4_4() {
    let scram = VersionedRecord::new(
        0,
        UserScramCredentialRecord {
            mechanism: 1,
            ..Default::default()
        },
    );
    let mut bench = Bench::new(Release::V4_4_0, vec![version(25)]);
    bench.tell(Event::LoadBootstrap(zero_checkpoint(&[scram])));
    assert!(matches!(
        bench.run().unwrap_err(),
        FatalFault::Checkpoint { .. }
    ));
    assert_eq!(
        bench.controller.next_event_at(),
        None,
        "nothing runs after a fatal fault"
    );
}

#[test]
fn levels_are_refused_at_start_or_at_activation() {
    let at_start = |release: Release, level: i16| {
        BootstrapMetadata::at_start(&release.rules(), Some(legacy(vec![version(level)])), None)
    };
    // 3.9 looks at once, and wants 3.3-IV0; 4.0.0 looks at once, and wants to know the level.
    assert!(matches!(
        at_start(Release::V3_9_2, 3),
        Err(BootstrapRefusal::BelowMinimum { .. })
    ));
    assert!(matches!(
        at_start(Release::V3_9_2, 25),
        Err(BootstrapRefusal::UnknownLevel { .. })
    ));
    assert!(at_start(Release::V3_9_2, 4).is_ok());
    assert!(matches!(
        at_start(Release::V4_0_0, 4),
        Err(BootstrapRefusal::UnknownLevel { .. })
    ));
    let text = at_start(Release::V4_0_0, 27).unwrap_err().to_string();
    assert!(
        text.contains("level 27") && text.contains("7 to 26"),
        "{text}"
    );
    // Later ones look when they need it.
    for (release, level) in [
        (Release::V4_0_2, 4),
        (Release::V4_1_2, 30),
        (Release::V4_4_0, 200),
    ] {
        let mut bench = Bench::new(release, vec![version(level)]);
        assert!(
            matches!(refused(&mut bench), ActivationRefusal::Bootstrap(_)),
            "{release}"
        );
        let mut bench = Bench::new(release, vec![version(level)]);
        bench.raft.replicate(1, &[version(21)]);
        bench.lead(2).unwrap();
    }
}

#[test]
fn a_known_level_that_is_not_for_production_ends_the_process_at_its_replay() {
    let mut bench = Bench::new(Release::V4_4_0, vec![version(34)]);
    let fault = bench.lead(1).unwrap_err();
    assert!(
        matches!(
            fault,
            FatalFault::OwnRecord {
                offset: 2,
                base_offset: 1,
                ..
            }
        ),
        "{fault}"
    );
    assert!(
        fault.to_string().contains("supports levels 7 to 33 only"),
        "{fault}"
    );
    assert!(
        bench.message().contains("4.5-IV0"),
        "it was decided and said before"
    );
}

#[test]
fn records_without_a_version_are_refused() {
    for release in [Release::V3_9_2, Release::V4_4_0] {
        let refusal =
            BootstrapMetadata::at_start(&release.rules(), Some(legacy(vec![elr()])), None);
        assert!(matches!(
            refusal,
            Err(BootstrapRefusal::NoMetadataVersion { records: 1, .. })
        ));
    }
}

#[test]
fn without_a_file_there_is_a_default() {
    let described = |release: Release, configured: Option<&str>| {
        let bootstrap = BootstrapMetadata::at_start(&release.rules(), None, configured).unwrap();
        (bootstrap.source().described(), bootstrap.source().kind())
    };
    let configured = "the configured metadata.version 3.9-IV0".to_owned();
    assert_eq!(described(Release::V3_9_2, None), (configured, "configured"));
    let configured = "the configured metadata.version 3.5-IV2".to_owned();
    assert_eq!(
        described(Release::V3_9_2, Some("3.5")),
        (configured, "configured")
    );
    let minimum = "the oldest metadata.version that may be, 3.3-IV0".to_owned();
    assert_eq!(
        described(Release::V3_9_2, Some("3.0")),
        (minimum, "configured")
    );
    assert_eq!(
        described(Release::V4_4_0, None),
        ("the release's default".to_owned(), "default")
    );
    let rules = Release::V4_4_0.rules();
    let bootstrap = BootstrapMetadata::at_start(&rules, None, None).unwrap();
    let mut bench = Bench {
        controller: Controller::new(config(), rules, bootstrap),
        ..Bench::new(Release::V4_4_0, vec![version(33)])
    };
    bench.lead(1).unwrap();
    assert_eq!(bench.raft.records()[1].1, version(33));
    assert_eq!(bench.raft.names(), TRANSACTION);
}
