use bytes::Bytes;
use disk::{Disk, MemDisk};
use records::OffsetAndEpoch;
use records::control::{ControlRecord, KRaftVersionRecord};
use records::metadata::{FeatureLevelRecord, NoOpRecord, VersionedRecord};

use super::*;
use crate::Damage;
use crate::batch::{Batch, BatchBuilder, MAX_BATCH_SIZE_BYTES};

fn feature(name: &str, level: i16) -> VersionedRecord {
    let name = name.to_owned();
    VersionedRecord::new(
        0,
        FeatureLevelRecord {
            name,
            feature_level: level,
            ..Default::default()
        },
    )
}

fn zero_checkpoint(quorum: KRaftRecords) -> Checkpoint {
    let mut writer = CheckpointWriter::new(BOOTSTRAP_SNAPSHOT_ID, 5, quorum, 6).unwrap();
    let mut batches = writer
        .append(&[feature("metadata.version", 21)], 7)
        .unwrap();
    batches.extend(writer.finish(8).unwrap());
    let bytes: Vec<u8> = batches
        .iter()
        .flat_map(|batch| batch.bytes().to_vec())
        .collect();
    Checkpoint::new("zero", BOOTSTRAP_SNAPSHOT_ID, Bytes::from(bytes))
}

#[test]
fn names_are_written_and_read() {
    let id = OffsetAndEpoch {
        offset: 27,
        epoch: 3,
    };
    assert_eq!(
        snapshot_file_name(id),
        "00000000000000000027-0000000003.checkpoint"
    );
    for (name, state) in [
        (snapshot_file_name(id), SnapshotState::Frozen),
        (name::deleted_file_name(id), SnapshotState::Deleted),
        (
            name::partial_file_name(id, u64::MAX),
            SnapshotState::Partial,
        ),
        (
            "00000000000000000027x0000000003y.checkpoint".to_owned(),
            SnapshotState::Frozen,
        ),
    ] {
        assert_eq!(
            parse_name(&name),
            Ok(Some(SnapshotName { id, state })),
            "{name}"
        );
    }
    let odd = OffsetAndEpoch {
        offset: 0,
        epoch: -1,
    };
    let name = snapshot_file_name(odd);
    assert_eq!(name, "00000000000000000000--0000000001.checkpoint");
    let read = parse_name(&name).unwrap().unwrap();
    assert_eq!((read.id.offset, read.id.epoch), (0, 0));
    for name in [
        "quorum-state",
        "00000000000000000027.log",
        "x.checkpoint.bak",
        "",
    ] {
        assert_eq!(parse_name(name), Ok(None), "{name}");
    }
    let error = parse_name("x.checkpoint").unwrap_err();
    assert_eq!(error.reason, "begin 0, end 20, length 12");
    assert!(parse_name("0000000000000000002x-0000000003.checkpoint").is_err());
    assert!(parse_name("00000000000000000027-00000000x3.checkpoint").is_err());
    assert!(parse_name("ä000000000000000027.checkpoint").is_err());
}

#[test]
fn sizes_are_those_measured() {
    assert_eq!(zero_checkpoint(KRaftRecords::Absent).size(), 249);
    let version = KRaftVersionRecord {
        kraft_version: 1,
        ..Default::default()
    };
    let quorum = KRaftRecords::Present {
        version,
        voters: None,
    };
    assert_eq!(zero_checkpoint(quorum).size(), 249 + 16);
}

#[test]
fn a_checkpoint_is_read_back() {
    let checkpoint = zero_checkpoint(KRaftRecords::Absent);
    assert_eq!(
        checkpoint
            .header()
            .unwrap()
            .unwrap()
            .last_contained_log_timestamp,
        5
    );
    let batches: Vec<_> = checkpoint.batches().collect::<Result<_, _>>().unwrap();
    let seen: Vec<_> = batches
        .iter()
        .map(|(at, batch)| (*at, batch.base_offset(), batch.base_timestamp()))
        .collect();
    assert_eq!(seen, [(0, 0, 6), (83, 1, 7), (174, 2, 8)]);
    assert_eq!(
        batches[1].1.data_records().unwrap(),
        [feature("metadata.version", 21)]
    );
    let control = checkpoint.control_records().unwrap();
    assert!(matches!(
        control[..],
        [
            ControlRecord::SnapshotHeader(_),
            ControlRecord::SnapshotFooter(_)
        ]
    ));
    assert_eq!(checkpoint.slice(83, 10), checkpoint.bytes().slice(83..93));
    assert_eq!(checkpoint.slice(9999, 10), "");
}

#[test]
fn a_cut_is_taken_for_the_end() {
    let whole = zero_checkpoint(KRaftRecords::Absent);
    for cut in (0..whole.bytes().len()).filter(|cut| !(1..17).contains(cut)) {
        let checkpoint = Checkpoint::new("cut", whole.id(), whole.bytes().slice(..cut));
        let mut batches = checkpoint.batches();
        let count = batches.by_ref().map(Result::unwrap).count();
        assert_eq!(
            count,
            [83, 174, 249].iter().filter(|end| **end <= cut).count()
        );
        let torn = batches.torn().map(|error| (error.position, error.damage));
        let at_an_end = [0, 83, 174].contains(&cut);
        assert_eq!(torn, (!at_an_end).then_some((cut as u64, Damage::Torn)));
        assert_eq!(checkpoint.header().unwrap().is_some(), cut >= 83);
    }
}

#[test]
fn the_first_batch_must_begin_with_a_header() {
    let whole = zero_checkpoint(KRaftRecords::Absent);
    for (from, found) in [(83, "a data batch"), (174, "SnapshotFooter")] {
        let checkpoint = Checkpoint::new("f", whole.id(), whole.bytes().slice(from..));
        let error = checkpoint.batches().next().unwrap().unwrap_err();
        assert_eq!((error.position, error.found.as_str()), (0, found));
        assert!(checkpoint.header().is_err());
    }
}

#[test]
fn many_records_fill_batches_of_eight_mebibytes() {
    let noop = VersionedRecord::new(0, NoOpRecord::default());
    let records = vec![noop; 1024];
    let mut writer =
        CheckpointWriter::new(BOOTSTRAP_SNAPSHOT_ID, 0, KRaftRecords::Absent, 0).unwrap();
    let mut batches = Vec::new();
    for now in 0..800 {
        batches.extend(writer.append(&records, now).unwrap());
    }
    batches.extend(writer.finish(800).unwrap());
    assert!(
        batches
            .iter()
            .all(|batch| batch.size() <= MAX_BATCH_SIZE_BYTES)
    );
    let counts: Vec<i32> = batches.iter().map(Batch::count).collect();
    assert_eq!(counts.iter().sum::<i32>(), 800 * 1024 + 2);
    // A full batch, then the records that no longer fitted it, alone.
    assert_eq!(counts[2], 1024);
    assert_eq!(batches[2].base_timestamp(), i64::from((counts[1]) / 1024));
    let offsets: Vec<_> = batches
        .iter()
        .map(|batch| (batch.base_offset(), batch.next_offset()))
        .collect();
    assert!(offsets.windows(2).all(|pair| pair[0].1 == pair[1].0));
}

#[test]
fn an_append_that_fits_no_batch_is_refused() {
    let noop = VersionedRecord::new(0, NoOpRecord::default());
    let records = vec![noop; 1_000_000];
    let mut writer =
        CheckpointWriter::new(BOOTSTRAP_SNAPSHOT_ID, 0, KRaftRecords::Absent, 0).unwrap();
    let mut batch = BatchBuilder::data(0, 0, 0);
    for record in &records {
        batch.append_data(record).unwrap();
    }
    let size = batch.finish().size();
    assert_eq!(
        writer.append(&records, 0),
        Err(WriteError::TooLarge { size })
    );
}

#[test]
fn a_file_goes_through_its_states() {
    let mut disk = MemDisk::new();
    let id = OffsetAndEpoch {
        offset: 9,
        epoch: 2,
    };
    let raw = RawSnapshotWriter::create(&mut disk, "d", id, 77).unwrap();
    let partial = "d/00000000000000000009-0000000002-77.checkpoint.part";
    assert_eq!(disk.size(partial), Ok(Some(0)));
    let mut writer = SnapshotWriter::new(raw, 1, KRaftRecords::Absent, 2).unwrap();
    writer
        .append(&mut disk, &[feature("metadata.version", 21)], 3)
        .unwrap();
    let path = writer.freeze(&mut disk, 4).unwrap().path;
    assert_eq!(path, "d/00000000000000000009-0000000002.checkpoint");
    assert_eq!(disk.list("d").unwrap().len(), 1);
    assert_eq!(disk.size(&path).unwrap(), Some(249));
    assert!(disk.append(&path, &Bytes::from_static(b"x")).is_err());

    let abandoned = RawSnapshotWriter::create(&mut disk, "d", id, 78).unwrap();
    abandoned.abandon(&mut disk).unwrap();
    assert_eq!(disk.list("d").unwrap().len(), 1);
}

#[test]
fn a_few_bytes_are_an_error_and_no_bytes_are_none() {
    let id = OffsetAndEpoch::new(0, 0);
    let batches = |size: usize| {
        Checkpoint::new("c", id, Bytes::from(vec![0; size]))
            .batches()
            .count()
    };
    let failing = |size: usize| {
        Checkpoint::new("c", id, Bytes::from(vec![0; size]))
            .control_records()
            .is_err()
    };
    assert_eq!(batches(0), 0);
    assert!((1..17).all(failing));
    assert!(!failing(0));
}
