//! Our batches against those of the kafka-protocol crate: it reads what we build, we read what it builds, and both see
//! the same in every batch of real Kafka.

use std::collections::BTreeSet;

use bytes::{Bytes, BytesMut};
use kafka_protocol::indexmap::IndexMap;
use kafka_protocol::records::{
    Compression, Record, RecordBatchDecoder, RecordBatchEncoder, RecordEncodeOptions, TimestampType,
};
use kraftsim_tests::kafka_files::distinct;
use proptest::prelude::*;
use raft_log::batch::{Batch, BatchBuilder, read_batches};

/// What both sides say of a record.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    offset: i64,
    timestamp: i64,
    epoch: i32,
    control: bool,
    key: Option<Bytes>,
    value: Option<Bytes>,
}

fn ours(batch: &Batch) -> Vec<Seen> {
    let seen = |record: raft_log::batch::RecordView| Seen {
        offset: record.offset,
        timestamp: batch.base_timestamp(),
        epoch: batch.leader_epoch(),
        control: batch.is_control(),
        key: record.key,
        value: record.value,
    };
    batch
        .records()
        .map(|record| seen(record.expect("the batch is whole")))
        .collect()
}

fn theirs(bytes: &Bytes) -> Vec<Seen> {
    let seen = |record: Record| Seen {
        offset: record.offset,
        timestamp: record.timestamp,
        epoch: record.partition_leader_epoch,
        control: record.control,
        key: record.key,
        value: record.value,
    };
    let set = RecordBatchDecoder::decode(&mut bytes.clone()).expect("the batch is whole");
    set.records.into_iter().map(seen).collect()
}

#[test]
fn batches_of_real_kafka_are_seen_alike() {
    let files = distinct();
    let of_batches = files.iter().filter(|file| {
        !file.tampered
            && [".log", ".checkpoint"]
                .iter()
                .any(|end| file.name.ends_with(end))
    });
    let batches: BTreeSet<Bytes> = of_batches
        .flat_map(|file| read_batches(&file.name, &file.content, 0).flatten())
        .map(|batch| batch.bytes().clone())
        .collect();
    assert!(batches.len() > 1_000, "{} batches", batches.len());
    for bytes in &batches {
        let batch = Batch::parse("batch", bytes).expect("the batch is whole");
        assert_eq!(ours(&batch), theirs(bytes), "{batch:?}");
    }
}

proptest! {
    #[test]
    fn what_one_side_builds_the_other_reads(
        base_offset in 0..i64::from(i32::MAX),
        epoch in 0..i32::MAX,
        timestamp in 0..i64::from(i32::MAX) * 1_000,
        values in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 1..100), 1..40),
    ) {
        let mut builder = BatchBuilder::data(base_offset, epoch, timestamp);
        for value in &values {
            builder.append_value(value);
        }
        let built = builder.finish();
        prop_assert_eq!(theirs(built.bytes()), ours(&built));

        let record = |(at, value): (usize, &Vec<u8>)| Record {
            transactional: false,
            control: false,
            delete_horizon: false,
            partition_leader_epoch: epoch,
            producer_id: -1,
            producer_epoch: -1,
            timestamp_type: TimestampType::Creation,
            offset: base_offset + at as i64,
            // Their encoder derives the sequence from the offset within the batch.
            sequence: at as i32 - 1,
            timestamp,
            key: None,
            value: Some(Bytes::copy_from_slice(value)),
            headers: IndexMap::new(),
        };
        let records: Vec<Record> = values.iter().enumerate().map(record).collect();
        let options = RecordEncodeOptions { version: 2, compression: Compression::None };
        let mut encoded = BytesMut::new();
        RecordBatchEncoder::encode(&mut encoded, &records, &options).expect("it can be encoded");
        prop_assert_eq!(encoded.freeze(), built.bytes().clone());
    }
}
