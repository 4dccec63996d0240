//! The batches of `bootstrap.checkpoint` and of the zero checkpoint.

use bytes::Bytes;
use raft_log::batch::{Batch, BatchBuilder};
use records::control::{
    ControlRecord, KRaftVersionFeature, KRaftVersionRecord, SnapshotFooterRecord,
    SnapshotHeaderRecord, Voter, VoterEndpoint, VotersRecord,
};
use records::feature::{JAVA_DEFAULT_CAPACITY, java_hash_buckets, java_hash_buckets_of_copy};
use records::metadata::VersionedRecord;

use crate::dynamic_voters::DynamicVoters;
use crate::hash_order::integer_order;
use crate::{Draws, Refusal};

/// Largest batch that Kafka makes of metadata records.
const MAX_BATCH_BYTES: usize = 8 * 1024 * 1024;
/// Bytes of a batch before its first record.
const BATCH_HEADER_BYTES: usize = 61;
/// All batches of these files are of this epoch.
const EPOCH: i32 = 0;

/// Encoded bootstrap records, known to fit into batches.
#[derive(Clone, Debug)]
pub(crate) struct EncodedRecords(Vec<Vec<u8>>);

impl EncodedRecords {
    /// Encodes `records`; none may be larger than a batch.
    pub(crate) fn of(records: &[VersionedRecord]) -> Result<Self, Refusal> {
        let mut encoded = Vec::new();
        for record in records {
            let mut value = Vec::new();
            record
                .encode(&mut value)
                .expect("feature levels and credentials have a version 0 without limits");
            fits(BATCH_HEADER_BYTES + BatchBuilder::record_size(0, value.len()))?;
            encoded.push(value);
        }
        Ok(EncodedRecords(encoded))
    }

    /// Whether all of them fit into one batch, as an append to a snapshot must.
    pub(crate) fn check_single_batch(&self) -> Result<(), Refusal> {
        let sizes = self
            .0
            .iter()
            .enumerate()
            .map(|(at, value)| BatchBuilder::record_size(at as i32, value.len()));
        fits(BATCH_HEADER_BYTES + sizes.sum::<usize>())
    }
}

fn fits(found: usize) -> Result<(), Refusal> {
    if found > MAX_BATCH_BYTES {
        Err(Refusal::BatchTooLarge {
            found,
            limit: MAX_BATCH_BYTES,
        })
    } else {
        Ok(())
    }
}

/// `bootstrap.checkpoint`: a header without a time, the records, a footer.
pub(crate) fn legacy(records: &EncodedRecords, draws: &mut impl Draws) -> Vec<Bytes> {
    let header = ControlRecord::SnapshotHeader(SnapshotHeaderRecord::default());
    let mut batches = vec![control(0, draws.now_ms(), &[header])];
    data(records, &mut batches, draws);
    footer(&mut batches, draws);
    into_bytes(batches)
}

/// The zero checkpoint: a header with the time, from kraft.version 1 on that version and the voters if they are known,
/// the metadata records, a footer.
pub(crate) fn zero_checkpoint(
    kraft_version: i16,
    voters: Option<&VotersRecord>,
    records: Option<&EncodedRecords>,
    draws: &mut impl Draws,
) -> Vec<Bytes> {
    let header = SnapshotHeaderRecord {
        last_contained_log_timestamp: draws.now_ms(),
        ..SnapshotHeaderRecord::default()
    };
    let mut first = vec![ControlRecord::SnapshotHeader(header)];
    if kraft_version > 0 {
        let version = KRaftVersionRecord {
            kraft_version,
            ..KRaftVersionRecord::default()
        };
        first.push(ControlRecord::KRaftVersion(version));
        first.extend(voters.cloned().map(ControlRecord::KRaftVoters));
    }
    let mut batches = vec![control(0, draws.now_ms(), &first)];
    if let Some(records) = records {
        data(records, &mut batches, draws);
    }
    footer(&mut batches, draws);
    into_bytes(batches)
}

/// The voters as a record, in the order of Kafka's hash maps. Every voter has one endpoint: that of the first listener
/// for controllers.
pub(crate) fn voters_record(voters: &DynamicVoters, listener_name: &str) -> VotersRecord {
    let all: Vec<_> = voters.iter().collect();
    let made = integer_order(
        all,
        java_hash_buckets(JAVA_DEFAULT_CAPACITY, voters.iter().count()),
        |voter| voter.id.0,
    );
    let count = made.len();
    let ordered = integer_order(made, java_hash_buckets_of_copy(count), |voter| voter.id.0);
    let voters = ordered.into_iter().map(|voter| Voter {
        voter_id: voter.id.0,
        voter_directory_id: voter.directory_id,
        endpoints: vec![VoterEndpoint {
            name: listener_name.to_uppercase(),
            host: voter.host.clone(),
            port: voter.port,
            ..VoterEndpoint::default()
        }],
        kraft_version_feature: KRaftVersionFeature {
            min_supported_version: 0,
            max_supported_version: 1,
            ..KRaftVersionFeature::default()
        },
        ..Voter::default()
    });
    VotersRecord {
        voters: voters.collect(),
        ..VotersRecord::default()
    }
}

fn control(base_offset: i64, timestamp_ms: i64, records: &[ControlRecord]) -> Batch {
    let mut builder = BatchBuilder::control(base_offset, EPOCH, timestamp_ms);
    for record in records {
        let (mut key, mut value) = (Vec::new(), Vec::new());
        record.encode_key(&mut key);
        record
            .encode_value(&mut value)
            .expect("control records of version 0 have no limits");
        builder.append(Some(&key), Some(&value));
    }
    builder.finish()
}

/// Data batches, a new one where the next record does not fit.
fn data(records: &EncodedRecords, batches: &mut Vec<Batch>, draws: &mut impl Draws) {
    let mut open: Option<BatchBuilder> = None;
    for value in &records.0 {
        let full = open.as_ref().is_some_and(|batch| {
            batch.size() + BatchBuilder::record_size(batch.count(), value.len()) > MAX_BATCH_BYTES
        });
        if full {
            batches.extend(open.take().map(BatchBuilder::finish));
        }
        let batch = open
            .get_or_insert_with(|| BatchBuilder::data(next_offset(batches), EPOCH, draws.now_ms()));
        batch.append_value(value);
    }
    batches.extend(open.map(BatchBuilder::finish));
}

fn footer(batches: &mut Vec<Batch>, draws: &mut impl Draws) {
    let footer = ControlRecord::SnapshotFooter(SnapshotFooterRecord::default());
    batches.push(control(next_offset(batches), draws.now_ms(), &[footer]));
}

fn next_offset(batches: &[Batch]) -> i64 {
    batches.last().map_or(0, |batch| batch.last_offset() + 1)
}

fn into_bytes(batches: Vec<Batch>) -> Vec<Bytes> {
    batches
        .into_iter()
        .map(|batch| batch.bytes().clone())
        .collect()
}
