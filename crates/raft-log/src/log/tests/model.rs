//! Random operations on a log and on a plain list of epochs, one a record.

use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
enum Step {
    Append { rise: i32, count: usize },
    Truncate { keep: usize },
    Snapshot { back: usize },
    Clean,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..3_i32, 1..4_usize).prop_map(|(rise, count)| Step::Append { rise, count }),
        2 => (0..20_usize).prop_map(|keep| Step::Truncate { keep }),
        2 => (0..5_usize).prop_map(|back| Step::Snapshot { back }),
        1 => Just(Step::Clean),
        2 => Just(Step::Reopen),
    ]
}

struct Model {
    epochs: Vec<i32>,
    /// Ends of batches: where the log may be truncated without losing more.
    ends: Vec<usize>,
}

fn check(log: &MetadataLog, model: &Model) -> Result<(), TestCaseError> {
    prop_assert_eq!(log.end_offset() as usize, model.epochs.len());
    let mut offset = log.segments().next().unwrap().base_offset();
    for batch in log.batches() {
        prop_assert_eq!(batch.base_offset(), offset);
        for record in offset..batch.next_offset() {
            prop_assert_eq!(batch.leader_epoch(), model.epochs[record as usize]);
        }
        offset = batch.next_offset();
    }
    // The start offset is not kept on disk: after opening, the log begins with its first segment again, while the
    // epochs begin where they were cut.
    let first_known = log
        .epochs()
        .earliest()
        .map_or(i64::MAX, |entry| entry.start_offset);
    for offset in log.start_offset()..log.end_offset() {
        let read = log.read(offset, 1).unwrap();
        prop_assert!(read[0].base_offset() <= offset && offset <= read[0].last_offset());
        let epoch = (offset >= first_known).then(|| model.epochs[offset as usize]);
        prop_assert_eq!(log.epochs().epoch_at(offset), epoch);
    }
    match log.last_epoch() {
        Ok(epoch) => prop_assert_eq!(epoch, model.epochs.last().copied().unwrap_or(0)),
        // The log was cleaned, opened again, and truncated to where its epochs were cut.
        Err(unknown) => {
            prop_assert_eq!(log.epochs().latest(), None);
            prop_assert_ne!(unknown.snapshot.offset, log.start_offset());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn the_log_agrees_with_a_list_of_epochs(steps in proptest::collection::vec(step(), 1..40)) {
        let config = LogConfig { segment_bytes: 200, retention_bytes: 400, ..SMALL };
        let mut fixture = Fixture::new(config);
        let mut model = Model { epochs: Vec::new(), ends: vec![0] };
        let mut epoch = 1;
        for step in steps {
            match step {
                Step::Append { rise, count } => {
                    epoch += rise;
                    fixture.append(epoch, count);
                    model.epochs.resize(model.epochs.len() + count, epoch);
                    model.ends.push(model.epochs.len());
                }
                Step::Truncate { keep } => {
                    let least = fixture.log.high_watermark() as usize;
                    model.ends.retain(|end| *end <= keep.max(least));
                    let end = model.ends.last().copied().unwrap_or(0).max(least);
                    model.ends.push(end);
                    model.epochs.truncate(end);
                    fixture.log.truncate_to(&mut fixture.disk, end as i64, 0).unwrap();
                    epoch = epoch.max(1) + 1;
                }
                Step::Snapshot { back } => {
                    let at = model.ends[model.ends.len().saturating_sub(1 + back)];
                    let covered = at as i64 > fixture.log.start_offset();
                    if let Some(last) = at.checked_sub(1).filter(|_| covered) {
                        let mark = fixture.log.high_watermark().max(at as i64);
                        fixture.log.update_high_watermark(mark);
                        let id = id(at as i64, model.epochs[last]);
                        if !fixture.log.snapshot_ids().any(|known| known == id) {
                            fixture.snapshot(id, 0);
                        }
                    }
                }
                Step::Clean => {
                    fixture.log.maybe_clean(&mut fixture.disk, 0).unwrap();
                }
                Step::Reopen => {
                    let mark = fixture.log.high_watermark();
                    fixture.log.flush(&mut fixture.disk).unwrap();
                    fixture.reopen();
                    fixture.log.update_high_watermark(mark);
                    prop_assert_eq!(fixture.log.recovery().iter().filter(|step| {
                        matches!(step, crate::log::RecoveryStep::TruncatedSegment { .. })
                    }).count(), 0);
                }
            }
            check(&fixture.log, &model)?;
        }
    }
}
