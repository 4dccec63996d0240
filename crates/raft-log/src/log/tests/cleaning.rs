use super::*;

/// Nine records in three segments, checkpoints after each of them, all committed.
fn three_checkpoints(config: LogConfig) -> Fixture {
    let mut fixture = Fixture::new(config);
    (0..10).for_each(|_| drop(fixture.append(1, 1)));
    for (offset, timestamp) in [(3, 100), (6, 200), (9, 300)] {
        fixture.snapshot(id(offset, 1), timestamp);
    }
    fixture.log.update_high_watermark(10);
    fixture
}

fn clean(fixture: &mut Fixture, now_ms: i64) -> (bool, i64) {
    let cleaned = fixture.log.maybe_clean(&mut fixture.disk, now_ms).unwrap();
    (cleaned, fixture.log.start_offset())
}

#[test]
fn without_limits_nothing_goes() {
    let mut fixture = three_checkpoints(SMALL);
    assert_eq!(clean(&mut fixture, i64::MAX), (false, 0));
}

#[test]
fn the_oldest_go_by_age_and_the_latest_stays() {
    let mut fixture = three_checkpoints(LogConfig {
        retention_ms: 1_000,
        ..SMALL
    });
    assert_eq!(clean(&mut fixture, 1_100), (false, 0));
    assert_eq!(clean(&mut fixture, 1_101), (true, 6));
    assert_eq!(fixture.names_with(".log").len(), 2);
    assert_eq!(fixture.file("leader-epoch-checkpoint"), "0\n1\n1 6\n");
    assert_eq!(clean(&mut fixture, 9_999), (true, 9));
    assert_eq!(clean(&mut fixture, 99_999), (false, 9));
    assert_eq!(fixture.log.snapshot_ids().collect::<Vec<_>>(), [id(9, 1)]);
    fixture
        .log
        .run_deletions(&mut fixture.disk, 99_999)
        .unwrap();
    fixture.reopen();
    assert_eq!(fixture.log.start_offset(), 9);
    assert_eq!(
        fixture.names_with(".checkpoint"),
        ["00000000000000000009-0000000001.checkpoint"]
    );
}

#[test]
fn the_oldest_go_by_size() {
    let all = 10 * 72 + 3 * 158;
    let mut fixture = three_checkpoints(LogConfig {
        retention_bytes: all,
        ..SMALL
    });
    assert_eq!(clean(&mut fixture, 0), (false, 0));
    let mut fixture = three_checkpoints(LogConfig {
        retention_bytes: all - 1,
        ..SMALL
    });
    assert_eq!(clean(&mut fixture, 0), (true, 6));
    let mut fixture = three_checkpoints(LogConfig {
        retention_bytes: 0,
        ..SMALL
    });
    assert_eq!(clean(&mut fixture, 0), (true, 9));
}

#[test]
fn what_is_not_committed_holds_cleaning_up() {
    let mut fixture = Fixture::new(LogConfig {
        retention_bytes: 0,
        ..SMALL
    });
    (0..10).for_each(|_| drop(fixture.append(1, 1)));
    fixture.snapshot(id(3, 1), 0);
    fixture.snapshot(id(6, 1), 0);
    fixture.log.update_high_watermark(5);
    assert_eq!(clean(&mut fixture, 0), (false, 0));
}

#[test]
fn flushing_makes_new_segments_and_their_names_durable() {
    let mut fixture = Fixture::new(SMALL);
    (0..4).for_each(|_| drop(fixture.append(1, 1)));
    fixture.log.flush(&mut fixture.disk).unwrap();
    fixture.log.close(&mut fixture.disk).unwrap();
    assert!(
        fixture
            .names()
            .contains(&"00000000000000000004.snapshot".to_owned())
    );
}
