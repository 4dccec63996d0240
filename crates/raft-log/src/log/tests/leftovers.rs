use super::*;
use crate::log::{LogAppendError, OpenError, RecoveryStep};

const FIRST: &str = "00000000000000000000.log";

/// Two segments: offsets 0 to 2, and 3 to 4.
fn two_segments() -> Fixture {
    let mut fixture = Fixture::new(SMALL);
    for _ in 0..5 {
        fixture.append(1, 1);
    }
    fixture
}

#[test]
fn a_swap_file_takes_the_place_of_the_segments_that_it_covers() {
    let mut fixture = two_segments();
    let cleaned = batch_at(1, 1, 3, 7);
    fixture.put(&format!("{FIRST}.swap"), cleaned.bytes());
    fixture.reopen();
    let batches: Vec<Batch> = fixture.log.batches().cloned().collect();
    assert_eq!(
        batches,
        [cleaned],
        "offset 3 is covered, so its segment goes whole"
    );
    assert_eq!(
        (fixture.log.start_offset(), fixture.log.end_offset()),
        (0, 4)
    );
    assert!(fixture.names_with(".swap").is_empty());
    assert!(
        fixture
            .log
            .recovery()
            .contains(&RecoveryStep::CompletedSwap {
                name: FIRST.to_owned()
            })
    );
}

#[test]
fn an_empty_swap_file_empties_its_segment() {
    let mut fixture = Fixture::new(LogConfig::default());
    fixture.append(1, 3);
    fixture.put(&format!("{FIRST}.swap"), b"");
    fixture.reopen();
    assert_eq!(
        (fixture.log.start_offset(), fixture.log.end_offset()),
        (0, 0)
    );
    assert_eq!(fixture.file("leader-epoch-checkpoint"), "0\n0\n");
}

#[test]
fn a_split_that_came_to_nothing_is_undone() {
    let mut fixture = two_segments();
    fixture.put("00000000000000000003.log.cleaned", b"");
    fixture.put("00000000000000000003.log.swap", b"");
    fixture.reopen();
    assert_eq!(fixture.log.end_offset(), 5);
    assert!(fixture.names_with(".swap").is_empty() && fixture.names_with(".cleaned").is_empty());
    // Before the cleaned file, a swap counts.
    fixture.put("00000000000000000003.log.cleaned", b"");
    fixture.put(&format!("{FIRST}.swap"), b"");
    fixture.reopen();
    assert_eq!(
        fixture.names_with(".log"),
        [FIRST, "00000000000000000003.log"]
    );
    assert_eq!(fixture.log.batches().count(), 2);
}

#[test]
fn names_without_an_offset_are_refused() {
    for name in ["x.swap", "x.cleaned", "x.index"] {
        let mut fixture = two_segments();
        fixture.put(name, b"");
        let opened = MetadataLog::open(&mut fixture.disk, DIR, SMALL, 0);
        assert_eq!(
            opened.unwrap_err(),
            OpenError::SegmentName {
                name: name.to_owned()
            }
        );
    }
}

#[test]
fn a_swap_file_whose_length_no_batch_has_is_refused() {
    let mut fixture = two_segments();
    fixture.put(&format!("{FIRST}.swap"), &[0; 40]);
    let opened = MetadataLog::open(&mut fixture.disk, DIR, SMALL, 0);
    assert!(matches!(opened, Err(OpenError::Corrupt(_))));
}

/// After the greatest epoch comes a negative one, with which no log goes on.
#[test]
fn an_epoch_below_zero_is_refused_before_anything_is_written() {
    let mut fixture = two_segments();
    let before = fixture.file("leader-epoch-checkpoint");
    let refused = LogAppendError::InvalidEpochEntry {
        epoch: i32::MIN,
        start_offset: 5,
    };
    let begun = fixture
        .log
        .initialize_leader_epoch(&mut fixture.disk, i32::MIN);
    assert_eq!(begun, Err(refused.clone()));
    let batch = batch_at(5, i32::MIN, 1, 0);
    let appended = fixture
        .log
        .append_as_leader(&mut fixture.disk, &[batch], i32::MIN, 0);
    assert_eq!(appended, Err(refused));
    assert_eq!(fixture.file("leader-epoch-checkpoint"), before);
    assert_eq!(fixture.log.end_offset(), 5);
}
