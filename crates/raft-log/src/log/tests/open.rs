use super::*;
use crate::log::{OpenError, RecoveryStep};
use crate::{Damage, partition_metadata};

#[test]
fn a_new_directory() {
    let mut fixture = Fixture::new(LogConfig::default());
    assert_eq!(
        fixture.names(),
        [
            "00000000000000000000.log",
            "leader-epoch-checkpoint",
            "partition.metadata"
        ]
    );
    assert_eq!(fixture.file("leader-epoch-checkpoint"), "");
    assert_eq!(
        (fixture.log.start_offset(), fixture.log.end_offset()),
        (0, 0)
    );
    assert_eq!(fixture.log.recovery(), []);
    assert_eq!(fixture.log.last_epoch(), Ok(0));
}

#[test]
fn what_was_appended_is_there_after_opening_again() {
    let mut fixture = Fixture::new(SMALL);
    let batches: Vec<Batch> = [1, 1, 1, 2, 2, 4]
        .map(|epoch| fixture.append(epoch, 1))
        .to_vec();
    fixture.reopen();
    assert_eq!(fixture.log.batches().cloned().collect::<Vec<_>>(), batches);
    assert_eq!(
        (fixture.log.end_offset(), fixture.log.last_epoch()),
        (6, Ok(4))
    );
    assert_eq!(fixture.log.segments().count(), 2);
    assert_eq!(
        fixture.file("leader-epoch-checkpoint"),
        "0\n3\n1 0\n2 3\n4 5\n"
    );
    assert_eq!(
        fixture.names_with(".snapshot"),
        [
            "00000000000000000003.snapshot",
            "00000000000000000006.snapshot"
        ]
    );
    assert_eq!(fixture.log.recovery(), []);
}

#[test]
fn a_log_cut_at_any_byte_ends_with_its_last_whole_batch() {
    let mut fixture = Fixture::new(LogConfig::default());
    for count in [1, 3, 2] {
        fixture.append(1, count);
    }
    let whole = fixture.file("00000000000000000000.log");
    let ends: Vec<(u64, i64)> = std::iter::once((0, 0))
        .chain(fixture.log.batches().scan(0, |position, batch| {
            *position += batch.size() as u64;
            Some((*position, batch.next_offset()))
        }))
        .collect();
    for cut in 0..=whole.len() {
        fixture.put("00000000000000000000.log", &whole[..cut]);
        fixture.reopen();
        let (size, end_offset) = *ends.iter().rfind(|(end, _)| *end <= cut as u64).unwrap();
        assert_eq!(
            (fixture.log.size(), fixture.log.end_offset()),
            (size, end_offset)
        );
        assert_eq!(fixture.file("00000000000000000000.log").len() as u64, size);
        match fixture.log.recovery() {
            [] => assert_eq!(size, cut as u64),
            [
                RecoveryStep::TruncatedSegment {
                    valid_bytes,
                    lost_bytes,
                    cause,
                    ..
                },
            ] => {
                assert_eq!((*valid_bytes, valid_bytes + lost_bytes), (size, cut as u64));
                assert_eq!(cause.damage, Damage::Torn);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_wrong_batch_goes_with_all_that_follows() {
    let mut fixture = Fixture::new(SMALL);
    (0..9).for_each(|_| drop(fixture.append(1, 1)));
    let mut bytes = fixture.file("00000000000000000003.log").to_vec();
    bytes[72 + 65] ^= 1;
    fixture.put("00000000000000000003.log", &bytes);
    fixture.reopen();
    assert_eq!(fixture.log.end_offset(), 4);
    assert_eq!(fixture.file("00000000000000000003.log").len(), 72);
    assert!(
        fixture
            .names()
            .contains(&"00000000000000000006.log.deleted".to_owned())
    );
    assert!(matches!(
        fixture.log.recovery(),
        [
            RecoveryStep::TruncatedSegment {
                valid_bytes: 72,
                ..
            },
            RecoveryStep::DroppedSegment { .. }
        ]
    ));
    fixture.append(2, 1);
    assert_eq!(fixture.file("leader-epoch-checkpoint"), "0\n2\n1 0\n2 4\n");
    fixture
        .log
        .run_deletions(&mut fixture.disk, 60_000)
        .unwrap();
    assert!(fixture.names_with(".deleted").is_empty());
}

#[test]
fn a_missing_or_stale_epoch_file_is_made_from_the_log() {
    let mut fixture = Fixture::new(LogConfig::default());
    fixture.append(1, 1);
    fixture.append(3, 1);
    fixture
        .disk
        .remove("data/__cluster_metadata-0/leader-epoch-checkpoint")
        .unwrap();
    fixture.reopen();
    assert_eq!(fixture.file("leader-epoch-checkpoint"), "0\n2\n1 0\n3 1\n");
    fixture.put("leader-epoch-checkpoint", b"0\n3\n1 0\n3 1\n5 2\n");
    fixture.reopen();
    assert_eq!(fixture.file("leader-epoch-checkpoint"), "0\n2\n1 0\n3 1\n");
    fixture.put("leader-epoch-checkpoint", b"garbage");
    let error = MetadataLog::open(&mut fixture.disk, DIR, SMALL, 0).unwrap_err();
    assert!(matches!(error, OpenError::Corrupt(error) if error.position == 0));
}

#[test]
fn leftovers_go_and_indexes_with_a_segment_stay() {
    let mut fixture = Fixture::new(LogConfig::default());
    fixture.append(1, 1);
    let removed = [
        "00000000000000000000-0000000000-123.checkpoint.part",
        "00000000000000000000-0000000000.checkpoint.deleted",
        "00000000000000000007.index",
        "00000000000000000007.log.deleted",
        "00000000000000000007.snapshot",
        "00000000000000000007.timeindex",
    ];
    let kept = [
        "00000000000000000000.index",
        "quorum-state",
        "quorum-state.tmp",
    ];
    for name in removed.iter().chain(&kept) {
        fixture.put(name, b"x");
    }
    fixture.reopen();
    let names = fixture.names();
    assert!(
        kept.iter().all(|name| names.contains(&(*name).to_owned())),
        "{names:?}"
    );
    assert!(
        !removed
            .iter()
            .any(|name| names.contains(&(*name).to_owned())),
        "{names:?}"
    );
    // States of producers come and go without a word.
    assert_eq!(fixture.log.recovery().len(), removed.len() - 1);
}

#[test]
fn odd_names_end_it() {
    for (name, found) in [
        ("x.checkpoint", "begin 0, end 20, length 12"),
        ("x.log", "x.log"),
        ("x.snapshot", "x.snapshot"),
        ("x.index", "x.index"),
    ] {
        let mut fixture = Fixture::new(LogConfig::default());
        fixture.put(name, b"");
        let error = MetadataLog::open(&mut fixture.disk, DIR, SMALL, 0).unwrap_err();
        assert!(error.to_string().contains(found), "{error}");
    }
}

#[test]
fn the_topic_id_must_be_that_of_the_metadata_log() {
    let mut fixture = Fixture::new(LogConfig::default());
    fixture.put(
        partition_metadata::FILE_NAME,
        b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAg",
    );
    let error = MetadataLog::open(&mut fixture.disk, DIR, SMALL, 0).unwrap_err();
    assert!(matches!(error, OpenError::InconsistentTopicId { .. }));
    fixture.put(partition_metadata::FILE_NAME, b"");
    let error = MetadataLog::open(&mut fixture.disk, DIR, SMALL, 0).unwrap_err();
    assert!(matches!(error, OpenError::Corrupt(_)));
}

#[test]
fn a_checkpoint_ahead_of_the_log_restarts_it() {
    let mut fixture = Fixture::new(SMALL);
    (0..5).for_each(|_| drop(fixture.append(2, 1)));
    fixture.snapshot(id(3, 2), 0);
    fixture.snapshot(id(9, 2), 0);
    fixture.reopen();
    assert_eq!(
        (fixture.log.start_offset(), fixture.log.end_offset()),
        (9, 9)
    );
    assert_eq!(fixture.log.last_epoch(), Ok(2));
    assert_eq!(fixture.log.snapshot_ids().collect::<Vec<_>>(), [id(9, 2)]);
    assert_eq!(
        fixture.log.recovery(),
        [RecoveryStep::RestartedAtSnapshot { id: id(9, 2) }]
    );
    assert_eq!(fixture.names_with(".log"), ["00000000000000000009.log"]);
    assert_eq!(fixture.file("leader-epoch-checkpoint"), "0\n0\n");
    fixture.reopen();
    assert_eq!(
        (fixture.log.start_offset(), fixture.log.end_offset()),
        (9, 9)
    );
}

#[test]
fn a_log_that_starts_late_needs_a_checkpoint() {
    let mut fixture = Fixture::new(SMALL);
    (0..5).for_each(|_| drop(fixture.append(1, 1)));
    fixture
        .disk
        .remove(&format!("{DIR}/00000000000000000000.log"))
        .unwrap();
    fixture.snapshot(id(2, 1), 0);
    let error = MetadataLog::open(&mut fixture.disk, DIR, SMALL, 0).unwrap_err();
    assert_eq!(
        error,
        OpenError::InconsistentSnapshots {
            start_offset: 3,
            latest: None
        }
    );
    fixture.snapshot(id(4, 1), 0);
    fixture.reopen();
    assert_eq!(fixture.log.snapshot_ids().collect::<Vec<_>>(), [id(4, 1)]);
    assert_eq!(fixture.log.start_offset(), 3);
}

#[test]
fn a_checkpoint_under_another_name_is_missed() {
    for (missing_snapshot, fails) in [
        (MissingSnapshot::Fails, true),
        (MissingSnapshot::Forgotten, false),
    ] {
        let mut fixture = Fixture::new(LogConfig {
            missing_snapshot,
            ..SMALL
        });
        fixture.append(1, 1);
        fixture.put("00000000000000000001-0000000001-old.checkpoint", b"");
        fixture.reopen();
        assert_eq!(fixture.log.latest_snapshot_id(), Some(id(1, 1)));
        let read = fixture.log.latest_snapshot(&mut fixture.disk);
        assert_eq!(read.is_err(), fails, "{read:?}");
        let known = fixture.log.latest_snapshot_id();
        assert_eq!(known.is_some(), fails, "{known:?}");
    }
}

#[test]
fn a_checkpoint_under_another_name_cannot_be_removed() {
    let mut fixture = Fixture::new(SMALL);
    fixture.append(1, 1);
    fixture.put("00000000000000000001-0000000001-old.checkpoint", b"");
    fixture.snapshot(id(2, 1), 0);
    let error = MetadataLog::open(&mut fixture.disk, DIR, SMALL, 0).unwrap_err();
    let OpenError::Disk(error) = error else {
        panic!("{error}");
    };
    assert_eq!(
        error.to_string(),
        "data/__cluster_metadata-0/00000000000000000001-0000000001.checkpoint: cannot rename: no such file or directory"
    );
}

#[test]
fn offsets_that_go_back_are_an_error_with_a_place() {
    let mut fixture = Fixture::new(LogConfig::default());
    fixture.append(1, 1);
    fixture.append(1, 1);
    let mut bytes = fixture.file("00000000000000000000.log").to_vec();
    bytes[72..80].copy_from_slice(&0_i64.to_be_bytes());
    fixture.put("00000000000000000000.log", &bytes);
    let error = MetadataLog::open(&mut fixture.disk, DIR, SMALL, 0).unwrap_err();
    assert!(matches!(error, OpenError::Corrupt(error) if error.position == 72));
}

#[test]
fn an_unknown_magic_passes_recovery_and_not_raft() {
    let mut fixture = Fixture::new(LogConfig::default());
    fixture.append(1, 1);
    let whole = fixture.file("00000000000000000000.log").to_vec();
    for (magic, refused) in [
        (0_u8, false),
        (1, false),
        (3, true),
        (127, true),
        (128, false),
    ] {
        let mut bytes = whole.clone();
        bytes[16] = magic;
        fixture.put("00000000000000000000.log", &bytes);
        let opened = MetadataLog::open(&mut fixture.disk, DIR, SMALL, 0);
        assert_eq!(opened.is_err(), refused, "magic {magic}");
    }
}

#[test]
fn a_log_cleaned_up_to_its_end_restarts_there() {
    let mut fixture = Fixture::new(LogConfig::default());
    fixture.append(1, 1);
    fixture.append(1, 1);
    fixture.log.update_high_watermark(2);
    fixture.snapshot(id(2, 1), 0);
    assert!(
        fixture
            .log
            .delete_before_snapshot(&mut fixture.disk, id(2, 1), 0)
            .is_ok()
    );
    // The epoch now begins where the log ends, so its entry goes as the log is opened, and the checkpoint is ahead.
    fixture.reopen();
    assert_eq!(
        fixture.log.recovery(),
        [RecoveryStep::RestartedAtSnapshot { id: id(2, 1) }]
    );
    assert_eq!(
        (fixture.log.start_offset(), fixture.log.end()),
        (2, Ok(id(2, 1)))
    );
}
