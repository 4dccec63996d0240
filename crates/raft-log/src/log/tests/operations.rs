use super::*;
use crate::log::{
    IsNeeded, LogAppendError, NoLastEpoch, SnapshotError, TruncateError, Truncated, Validity,
};

#[test]
fn a_segment_rolls_when_it_is_full() {
    let mut fixture = Fixture::new(SMALL);
    (0..7).for_each(|_| drop(fixture.append(1, 1)));
    assert_eq!(
        fixture.names_with(".log"),
        [
            "00000000000000000000.log",
            "00000000000000000003.log",
            "00000000000000000006.log"
        ]
    );
    assert_eq!(fixture.log.size(), 7 * 72);
    let large = batch_at(7, 1, 40, 0);
    let error = fixture
        .log
        .append_as_leader(&mut fixture.disk, &[large], 1, 0)
        .unwrap_err();
    assert!(matches!(
        error,
        LogAppendError::TooLarge {
            segment_bytes: 216,
            ..
        }
    ));
}

#[test]
fn a_segment_rolls_when_it_is_old() {
    let mut fixture = Fixture::new(SMALL);
    fixture.append_at(1, 1, 5_000);
    fixture.append_at(1, 1, 6_000);
    assert_eq!(fixture.log.segments().count(), 1);
    fixture.append_at(1, 1, 6_001);
    assert_eq!(fixture.log.segments().count(), 2);
}

#[test]
fn what_does_not_go_on_at_the_end_is_refused() {
    let mut fixture = Fixture::new(LogConfig::default());
    fixture.append(1, 2);
    let mut append = |batch, epoch| {
        fixture
            .log
            .append_as_leader(&mut fixture.disk, &[batch], epoch, 0)
            .unwrap_err()
    };
    assert_eq!(
        append(batch_at(1, 1, 1, 0), 1),
        LogAppendError::UnexpectedOffset {
            expected: 2,
            found: 1
        }
    );
    assert_eq!(
        append(batch_at(2, 1, 1, 0), 2),
        LogAppendError::WrongEpoch {
            expected: 2,
            found: 1
        }
    );
    let follower = |log: &mut MetadataLog, disk: &mut MemDisk, batches: &[Batch]| {
        log.append_as_follower(disk, batches, 3, 0)
    };
    let Fixture { disk, log } = &mut fixture;
    assert_eq!(follower(log, disk, &[]), Err(LogAppendError::Empty));
    let back = [batch_at(2, 1, 2, 0), batch_at(3, 1, 1, 0)];
    let error = LogAppendError::UnexpectedOffset {
        expected: 4,
        found: 3,
    };
    assert_eq!(follower(log, disk, &back), Err(error));
    assert_eq!(log.end_offset(), 2);
}

#[test]
fn batches_of_an_epoch_to_come_are_left_out() {
    let mut fixture = Fixture::new(LogConfig::default());
    let batches = [
        batch_at(0, 1, 1, 0),
        batch_at(1, 3, 1, 0),
        batch_at(2, 1, 1, 0),
    ];
    fixture
        .log
        .append_as_follower(&mut fixture.disk, &batches, 2, 0)
        .unwrap();
    assert_eq!(fixture.log.end(), Ok(id(1, 1)));
}

#[test]
fn an_append_shares_the_batch_with_the_disk() {
    let mut fixture = Fixture::new(LogConfig::default());
    let batch = fixture.append(1, 1);
    let stands = fixture.file("00000000000000000000.log");
    assert_eq!(stands.as_ptr(), batch.bytes().as_ptr());
    assert_eq!(
        fixture.log.read(0, 1).unwrap()[0].bytes().as_ptr(),
        batch.bytes().as_ptr()
    );
}

#[test]
fn reads_begin_with_the_batch_that_holds_the_offset() {
    let mut fixture = Fixture::new(SMALL);
    let first = fixture.append(1, 2);
    let second = fixture.append(1, 1);
    let third = fixture.append(1, 1);
    assert_eq!(fixture.log.segments().count(), 2);
    let read = |log: &MetadataLog, from, max| log.read(from, max).unwrap();
    assert_eq!(read(&fixture.log, 1, 1), vec![first.clone()]);
    assert_eq!(read(&fixture.log, 0, 1_000), [first.clone(), second]);
    assert_eq!(read(&fixture.log, 3, 1_000), [third]);
    assert_eq!(read(&fixture.log, 4, 1_000), []);
    assert_eq!(fixture.log.read(5, 1).unwrap_err().end_offset, 4);
    assert_eq!(fixture.log.read(-1, 1).unwrap_err().start_offset, 0);
    fixture.log.update_high_watermark(2);
    assert_eq!(fixture.log.read_committed(0, 1_000).unwrap(), [first]);
    assert_eq!(fixture.log.read_committed(2, 1_000).unwrap(), []);
}

#[test]
fn truncation_takes_batches_segments_and_epochs() {
    let mut fixture = Fixture::new(SMALL);
    for epoch in [1, 1, 2, 2, 3, 3, 3] {
        fixture.append(epoch, 1);
    }
    let Fixture { disk, log } = &mut fixture;
    log.update_high_watermark(2);
    let error = TruncateError::BelowHighWatermark {
        offset: 1,
        high_watermark: 2,
    };
    assert_eq!(log.truncate_to(disk, 1, 0), Err(error));
    log.truncate_to(disk, 4, 0).unwrap();
    assert_eq!(log.end(), Ok(id(4, 2)));
    log.truncate_to(disk, 2, 0).unwrap();
    assert_eq!(log.end(), Ok(id(2, 1)));
    assert_eq!(fixture.file("leader-epoch-checkpoint"), "0\n1\n1 0\n");
    assert_eq!(fixture.names_with(".log"), ["00000000000000000000.log"]);
    assert_eq!(
        fixture.names_with(".log.deleted"),
        [
            "00000000000000000003.log.deleted",
            "00000000000000000006.log.deleted"
        ]
    );
    assert_eq!(fixture.log.next_deletion_ms(), Some(60_000));
    fixture.append(4, 1);
    fixture.reopen();
    assert_eq!(fixture.log.end(), Ok(id(3, 4)));
}

#[test]
fn an_epoch_without_records_goes_by_truncating_to_the_end() {
    let mut fixture = Fixture::new(LogConfig::default());
    fixture.append(1, 1);
    fixture
        .log
        .initialize_leader_epoch(&mut fixture.disk, 5)
        .unwrap();
    assert_eq!(fixture.log.last_epoch(), Ok(5));
    fixture.log.truncate_to(&mut fixture.disk, 1, 0).unwrap();
    assert_eq!(fixture.log.last_epoch(), Ok(1));
}

#[test]
fn a_fetched_checkpoint_restarts_the_log() {
    let mut fixture = Fixture::new(SMALL);
    (0..4).for_each(|_| drop(fixture.append(1, 1)));
    let restart = |fixture: &mut Fixture| {
        fixture
            .log
            .truncate_fully_to_latest_snapshot(&mut fixture.disk, 0)
            .unwrap()
    };
    fixture.snapshot(id(4, 1), 0);
    assert_eq!(restart(&mut fixture), Truncated::No);
    fixture.snapshot(id(3, 2), 0);
    assert_eq!(restart(&mut fixture), Truncated::AtSnapshot(id(3, 2)));
    assert_eq!(fixture.log.end(), Ok(id(3, 2)));
    assert_eq!(fixture.log.high_watermark(), 3);
    assert_eq!(fixture.names_with(".log"), ["00000000000000000003.log"]);
    assert_eq!(fixture.names_with(".log.deleted").len(), 2);
    assert_eq!(fixture.log.snapshot_ids().collect::<Vec<_>>(), [id(3, 2)]);
    fixture.append(2, 1);
    fixture.reopen();
    assert_eq!(fixture.log.end(), Ok(id(4, 2)));
}

#[test]
fn places_in_other_logs() {
    let mut fixture = Fixture::new(LogConfig::default());
    for epoch in [2, 2, 4, 4, 4] {
        fixture.append(epoch, 1);
    }
    let verdict = |log: &MetadataLog, offset, epoch| {
        let verdict = log.validate_offset_and_epoch(offset, epoch).unwrap();
        (verdict.validity, verdict.offset_and_epoch)
    };
    let log = &fixture.log;
    assert_eq!(verdict(log, 0, 9), (Validity::Valid, id(0, 0)));
    assert_eq!(verdict(log, 2, 2), (Validity::Valid, id(2, 2)));
    assert_eq!(verdict(log, 3, 2), (Validity::Diverging, id(2, 2)));
    assert_eq!(verdict(log, 3, 3), (Validity::Diverging, id(2, 2)));
    assert_eq!(verdict(log, 6, 4), (Validity::Diverging, id(5, 4)));
    assert_eq!(verdict(log, 5, 7), (Validity::Diverging, id(5, 4)));
    assert_eq!(verdict(log, 1, 1), (Validity::Diverging, id(0, 1)));
    fixture.snapshot(id(3, 4), 0);
    fixture.log.update_high_watermark(5);
    assert!(
        fixture
            .log
            .delete_before_snapshot(&mut fixture.disk, id(3, 4), 0)
            .is_ok()
    );
    let log = &fixture.log;
    assert_eq!(log.start_offset(), 3);
    assert_eq!(verdict(log, 1, 2), (Validity::Snapshot, id(3, 4)));
    assert_eq!(verdict(log, 3, 2), (Validity::Snapshot, id(3, 4)));
    assert_eq!(verdict(log, 3, 4), (Validity::Valid, id(3, 4)));
    assert_eq!(log.end_offset_for_epoch(2), Ok(id(3, 4)));
}

#[test]
fn a_checkpoint_is_made_of_what_is_committed() {
    let mut fixture = Fixture::new(LogConfig::default());
    fixture.append(1, 3);
    fixture.log.update_high_watermark(3);
    fixture.append(1, 1);
    let check = |id| fixture.log.check_new_snapshot(id);
    let beyond = SnapshotError::BeyondHighWatermark {
        id: id(4, 1),
        high_watermark: 3,
    };
    assert_eq!(check(id(4, 1)), Err(beyond));
    assert!(matches!(
        check(id(3, 2)),
        Err(SnapshotError::NotInLog { .. })
    ));
    assert_eq!(check(id(3, 1)), Ok(IsNeeded::Yes));
    let mut create = |id| fixture.log.create_new_snapshot(&mut fixture.disk, id, 7);
    assert!(create(id(3, 1)).unwrap().is_some());
    fixture.snapshot(id(2, 1), 5);
    let mut create = |id| fixture.log.create_new_snapshot(&mut fixture.disk, id, 7);
    assert!(create(id(2, 1)).unwrap().is_none());
    let snapshot = fixture
        .log
        .latest_snapshot(&mut fixture.disk)
        .unwrap()
        .unwrap();
    assert_eq!(
        snapshot
            .header()
            .unwrap()
            .unwrap()
            .last_contained_log_timestamp,
        5
    );
    assert_eq!(snapshot.size(), 158);
    fixture.disk.remove(snapshot.name()).unwrap();
    assert_eq!(
        fixture.log.latest_snapshot(&mut fixture.disk).unwrap(),
        None
    );
    assert_eq!(fixture.log.latest_snapshot_id(), None);
}

#[test]
fn a_log_truncated_to_before_its_checkpoint_knows_no_epoch() {
    let mut fixture = Fixture::new(LogConfig::default());
    fixture.append(3, 2);
    fixture.snapshot(id(2, 3), 0);
    fixture.log.truncate_to(&mut fixture.disk, 0, 0).unwrap();
    let unknown = NoLastEpoch {
        snapshot: id(2, 3),
        start_offset: 0,
        end_offset: 0,
    };
    assert_eq!(fixture.log.last_epoch(), Err(unknown));
    assert_eq!(fixture.log.end(), Err(unknown));
    assert_eq!(fixture.log.end_offset_for_epoch(3), Err(unknown));
    let checked = fixture.log.check_new_snapshot(id(0, 3));
    assert_eq!(checked, Ok(IsNeeded::Yes), "offset 0 is valid in any epoch");
    fixture.append(4, 1);
    assert_eq!(fixture.log.end(), Ok(id(1, 4)));
}
