use records::NodeId;

use super::*;
use crate::run::action::NodeSelector;

fn name() -> Spanned<FileRef> {
    Spanned::made(FileRef {
        node: NodeSelector::Number(NodeId(1)),
        path: "x.log".to_owned(),
    })
}

fn batch(offset: i64, records: &[&str]) -> Batch {
    let mut builder = BatchBuilder::data(offset, 3, 7);
    for value in records {
        builder.append(None, Some(value.as_bytes()));
    }
    builder.finish()
}

/// Raft's own batch, then two of data: records 1 and 2, records 3, 4 and 5.
fn file() -> Bytes {
    let mut control = BatchBuilder::control(0, 3, 7);
    control.append(Some(&[0, 0, 0, 2]), Some(&[0]));
    let batches = [
        control.finish(),
        batch(1, &["a", "b"]),
        batch(3, &["c", "d", "e"]),
    ];
    batches
        .iter()
        .flat_map(|batch| batch.bytes().to_vec())
        .collect()
}

fn truncated(keep: Keep) -> Result<Vec<Batch>, String> {
    let kept = kept(&file(), keep, &name()).map_err(|problem| problem.message)?;
    Ok(read_batches("", &kept, 0).map(Result::unwrap).collect())
}

fn counts(keep: Keep) -> Vec<i32> {
    truncated(keep).unwrap().iter().map(Batch::count).collect()
}

#[test]
fn whole_batches_stay_and_nothing_behind_them() {
    assert_eq!(counts(Keep::Batches(0)), [] as [i32; 0]);
    assert_eq!(counts(Keep::Batches(1)), [1]);
    assert_eq!(counts(Keep::Batches(3)), [1, 2, 3]);
    let error = truncated(Keep::Batches(4)).unwrap_err();
    assert!(error.ends_with("has only 3 batches"), "{error}");
}

#[test]
fn the_first_records_of_the_next_batch_become_a_batch() {
    let keep = |batches, records| Keep::Records { batches, records };
    assert_eq!(counts(keep(2, 2)), [1, 2, 2]);
    assert_eq!(counts(keep(2, 3)), [1, 2, 3]);
    let last = truncated(keep(2, 2)).unwrap().pop().unwrap();
    assert_eq!(
        (last.base_offset(), last.leader_epoch(), last.is_control()),
        (3, 3, false)
    );
    let values: Vec<_> = last
        .records()
        .map(|record| record.unwrap().value.unwrap())
        .collect();
    assert_eq!(values, ["c", "d"]);
    let error = truncated(keep(2, 4)).unwrap_err();
    assert!(
        error.ends_with("has only 3 records in that batch"),
        "{error}"
    );
    let error = truncated(keep(3, 1)).unwrap_err();
    assert!(error.ends_with("has only 3 batches"), "{error}");
}

#[test]
fn control_batches_stay_where_they_are_asked_for() {
    let kept = truncated(Keep::ControlBatches).unwrap();
    assert!(kept.len() == 1 && kept[0].is_control());
}

#[test]
fn bytes_stay_up_to_the_size_of_the_file() {
    let size = file().len() as u64;
    for bytes in [0, 5, size] {
        let kept = kept(&file(), Keep::Bytes(bytes), &name()).unwrap();
        assert_eq!(kept, file().slice(..bytes as usize));
    }
    assert!(kept(&file(), Keep::Bytes(size + 1), &name()).is_err());
}
