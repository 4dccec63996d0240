use bytes::Bytes;
use proptest::prelude::*;

use super::*;
use crate::Damage;

/// `bootstrap.checkpoint` of 3.9.2, metadata.version 3.9-IV0, as 3.9.2 wrote it.
fn measured() -> Bytes {
    let text = "
        0000000000000000 00000047 00000000 02 083bf9f7 0020 00000000 000001a229115256 000001a229115256
        ffffffffffffffff ffff ffffffff 00000001 2a 00 00 00 08 00000003 16 0000 0000000000000000 00 00
        0000000000000001 0000004f 00000000 02 5922d9bf 0000 00000000 000001a229115271 000001a229115271
        ffffffffffffffff ffff ffffffff 00000001
        3a 00 00 00 01 2e 01 0c 00 11 6d657461646174612e76657273696f6e 0015 00 00
        0000000000000002 0000003f 00000000 02 606098e7 0020 00000000 000001a229115272 000001a229115272
        ffffffffffffffff ffff ffffffff 00000001 1a 00 00 00 08 00000004 06 0000 00 00";
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

fn rebuilt(batch: &Batch) -> Batch {
    let (offset, epoch, time) = (
        batch.base_offset(),
        batch.leader_epoch(),
        batch.base_timestamp(),
    );
    let mut builder = if batch.is_control() {
        BatchBuilder::control(offset, epoch, time)
    } else {
        BatchBuilder::data(offset, epoch, time)
    };
    for record in batch.records() {
        let record = record.unwrap();
        assert_eq!(
            builder.append(record.key.as_deref(), record.value.as_deref()),
            record.offset
        );
    }
    builder.finish()
}

/// The same batch, by way of typed records.
fn retyped(batch: &Batch) -> Batch {
    let (offset, epoch, time) = (
        batch.base_offset(),
        batch.leader_epoch(),
        batch.base_timestamp(),
    );
    if batch.is_control() {
        let mut builder = BatchBuilder::control(offset, epoch, time);
        for record in batch.control_records().unwrap() {
            builder.append_control(&record).unwrap();
        }
        return builder.finish();
    }
    let mut builder = BatchBuilder::data(offset, epoch, time);
    for record in batch.data_records().unwrap() {
        builder.append_data(&record).unwrap();
    }
    builder.finish()
}

#[test]
fn a_file_of_kafka_is_read_and_rebuilt() {
    let file = measured();
    assert_eq!(file.len(), 249);
    let batches: Vec<Batch> = read_batches("bootstrap.checkpoint", &file, 0)
        .collect::<Result<_, _>>()
        .unwrap();
    let sizes: Vec<_> = batches
        .iter()
        .map(|b| (b.base_offset(), b.is_control(), b.size()))
        .collect();
    assert_eq!(sizes, [(0, true, 83), (1, false, 91), (2, true, 75)]);
    for batch in &batches {
        assert_eq!(rebuilt(batch), *batch);
        assert_eq!(retyped(batch), *batch);
    }
    let value = batches[1].records().next().unwrap().unwrap().value.unwrap();
    assert_eq!(value[4..20], *b"metadata.version");
}

#[test]
fn every_flipped_byte_is_noticed_or_outside_the_checksum() {
    let file = measured();
    for at in 0..file.len() {
        let mut flipped = file.to_vec();
        flipped[at] ^= 0x41;
        let result: Result<Vec<Batch>, _> = read_batches("f", &Bytes::from(flipped), 0).collect();
        // Base offset and leader epoch are not covered by the checksum.
        let within = [0, 83, 174]
            .iter()
            .rev()
            .find(|start| at >= **start)
            .map_or(0, |start| at - start);
        let uncovered = within < 8 || (12..16).contains(&within);
        assert_eq!(result.is_ok(), uncovered, "byte {at}: {result:?}");
        if let Err(error) = result {
            assert!(error.position <= file.len() as u64);
        }
    }
}

#[test]
fn every_cut_is_torn_and_says_how_much_is_valid() {
    let file = measured();
    for cut in 0..=file.len() {
        let part = file.slice(..cut);
        let mut reader = read_batches("f", &part, 0);
        let errors: Vec<_> = reader.by_ref().filter_map(Result::err).collect();
        let valid = [0, 83, 174, 249]
            .into_iter()
            .rfind(|end| *end <= cut)
            .unwrap();
        assert_eq!(reader.position(), valid as u64);
        assert_eq!(errors.len(), usize::from(cut > valid));
        for error in errors {
            assert_eq!(error.damage, Damage::Torn);
            assert_eq!(error.position, cut as u64);
        }
    }
}

#[test]
fn a_wrong_length_is_an_error_at_the_length() {
    for length in [-1, 0, 13, 48, i32::MIN] {
        let mut bytes = measured().to_vec();
        bytes[8..12].copy_from_slice(&i32::to_be_bytes(length));
        let error = read_batches("f", &Bytes::from(bytes), 0)
            .next()
            .unwrap()
            .unwrap_err();
        assert_eq!((error.position, error.damage), (8, Damage::Invalid));
        assert_eq!(error.found, length.to_string());
    }
    let mut bytes = measured().to_vec();
    bytes[8..12].copy_from_slice(&i32::MAX.to_be_bytes());
    let error = read_batches("f", &Bytes::from(bytes), 0)
        .next()
        .unwrap()
        .unwrap_err();
    assert_eq!(error.damage, Damage::Torn);
}

#[test]
fn the_checksum_can_be_ignored() {
    let mut bytes = measured().to_vec();
    bytes[83 + 89] ^= 0xff;
    let bytes = Bytes::from(bytes);
    assert_eq!(read_batches("f", &bytes, 0).flatten().count(), 1);
    let ignoring = read_batches_with("f", &bytes, 0, Checksum::Ignore);
    assert_eq!(ignoring.flatten().count(), 3);
}

#[test]
fn a_crafted_record_never_reaches_past_its_batch() {
    let batch = Batch::parse("f", &measured().slice(83..174)).unwrap();
    for at in BATCH_OVERHEAD..batch.size() {
        for value in [0x00, 0x01, 0x7e, 0x7f, 0x80, 0xfe, 0xff] {
            let mut bytes = batch.bytes().to_vec();
            bytes[at] = value;
            let crafted = Batch::framed(Bytes::from(bytes));
            for record in crafted.records() {
                match record {
                    Ok(record) => assert!(record.position < crafted.size()),
                    Err(error) => assert!(error.position <= crafted.size(), "{error}"),
                }
            }
        }
    }
}

#[test]
fn sizes_are_known_before_appending() {
    let mut builder = BatchBuilder::data(0, 1, 0);
    for length in [0, 1, 54, 55, 63, 64, 8_000, 70_000] {
        let before = builder.size();
        let expected = BatchBuilder::record_size(builder.count(), length);
        builder.append_value(&vec![0; length]);
        assert_eq!(builder.size() - before, expected, "value of {length} bytes");
    }
}

proptest! {
    #[test]
    fn what_is_built_is_read(
        base_offset in 0..i64::MAX / 2,
        epoch: i32,
        time: i64,
        records in proptest::collection::vec(
            (
                proptest::option::of(proptest::collection::vec(any::<u8>(), 0..20)),
                proptest::option::of(proptest::collection::vec(any::<u8>(), 0..200)),
            ),
            1..80,
        ),
    ) {
        let mut builder = BatchBuilder::data(base_offset, epoch, time);
        for (key, value) in &records {
            builder.append(key.as_deref(), value.as_deref());
        }
        let built = builder.finish();
        let batch = Batch::parse("built", built.bytes()).unwrap();
        prop_assert_eq!(batch.base_offset(), base_offset);
        prop_assert_eq!(batch.leader_epoch(), epoch);
        prop_assert_eq!(batch.max_timestamp(), time);
        prop_assert_eq!(batch.count() as usize, records.len());
        prop_assert_eq!(batch.last_offset(), base_offset + records.len() as i64 - 1);
        let read: Vec<_> = batch.records().collect::<Result<_, _>>().unwrap();
        for (view, (key, value)) in read.iter().zip(&records) {
            prop_assert_eq!(view.key.as_deref(), key.as_deref());
            prop_assert_eq!(view.value.as_deref(), value.as_deref());
        }
        prop_assert_eq!(read.len(), records.len());
    }
}
