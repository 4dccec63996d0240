//! Every reader of files, as one function each: bytes in, the errors that it found out.

use bytes::Bytes;
use config::meta_properties::MetaProperties;
use config::properties::Properties;
use disk::{Disk, MemDisk};
use raft_log::batch::{
    BATCH_OVERHEAD, Batch, Checksum, RecordRules, read_batches, read_batches_with,
};
use raft_log::checkpoint::Checkpoint;
use raft_log::legacy::LegacyFile;
use raft_log::log::{LogConfig, MetadataLog, OpenError};
use raft_log::partition_metadata::PartitionMetadata;
use raft_log::quorum_state::QuorumStateFile;
use raft_log::{Corrupt, leader_epochs};
use records::OffsetAndEpoch;

/// A reader: its name, and what it does with the bytes of a file `f`.
pub type Reader = (&'static str, fn(&Bytes) -> Vec<Corrupt>);

/// Name that the readers call the file by.
pub const FILE: &str = "f";

/// Readers of files of record batches.
pub const OF_BATCHES: &[Reader] = &[
    ("batches", batches),
    ("batches whatever their checksum", unchecked_batches),
    ("checkpoint", checkpoint),
    ("legacy file", legacy_file),
    ("segment of a log", log),
];

/// Readers of text files.
pub const OF_TEXT: &[Reader] = &[
    ("quorum-state", |bytes| {
        QuorumStateFile::parse(FILE, bytes)
            .err()
            .into_iter()
            .collect()
    }),
    ("leader-epoch-checkpoint", |bytes| {
        leader_epochs::parse(FILE, bytes)
            .err()
            .into_iter()
            .collect()
    }),
    ("partition.metadata", |bytes| {
        PartitionMetadata::parse(FILE, bytes)
            .err()
            .into_iter()
            .collect()
    }),
    ("meta.properties", |bytes| {
        MetaProperties::parse(FILE, bytes)
            .err()
            .into_iter()
            .collect()
    }),
    ("properties", |bytes| {
        Properties::parse(FILE, bytes).err().into_iter().collect()
    }),
];

/// The reader of that name.
pub fn named(name: &str) -> Reader {
    let mut all = OF_BATCHES.iter().chain(OF_TEXT);
    *all.find(|reader| reader.0 == name)
        .expect("a reader has that name")
}

/// What is wrong with the records of a batch at `position`.
fn records(batch: &Batch, position: u64, rules: RecordRules) -> Vec<Corrupt> {
    let mut errors = Vec::new();
    errors.extend(batch.records_with(rules).filter_map(Result::err));
    let typed = if batch.is_control() {
        batch.control_records().err()
    } else {
        batch.data_records().err()
    };
    errors.extend(typed);
    errors
        .into_iter()
        .map(|error| error.in_file(FILE, position))
        .collect()
}

fn batches(bytes: &Bytes) -> Vec<Corrupt> {
    let mut errors = Vec::new();
    let mut position = 0;
    for batch in read_batches(FILE, bytes, 0) {
        match batch {
            Ok(batch) => {
                errors.extend(records(&batch, position, RecordRules::Raft));
                position += batch.size() as u64;
            }
            Err(error) => errors.push(error),
        }
    }
    errors
}

fn unchecked_batches(bytes: &Bytes) -> Vec<Corrupt> {
    let mut errors = Vec::new();
    let mut position = 0;
    for batch in read_batches_with(FILE, bytes, 0, Checksum::Ignore) {
        match batch {
            Ok(batch) => {
                errors.extend(records(&batch, position, RecordRules::Plain));
                position += batch.size() as u64;
            }
            Err(error) => errors.push(error),
        }
    }
    errors
}

fn checkpoint(bytes: &Bytes) -> Vec<Corrupt> {
    let checkpoint = Checkpoint::new(FILE, OffsetAndEpoch::default(), bytes.clone());
    let mut errors: Vec<Corrupt> = checkpoint.header().err().into_iter().collect();
    errors.extend(checkpoint.control_records().err());
    let mut batches = checkpoint.batches();
    errors.extend(batches.by_ref().filter_map(Result::err));
    errors.extend(batches.torn().cloned());
    errors
}

fn legacy_file(bytes: &Bytes) -> Vec<Corrupt> {
    match LegacyFile::parse(FILE, bytes) {
        Ok(file) => file.torn.into_iter().collect(),
        Err(error) => vec![error],
    }
}

/// Opens a log whose only segment the bytes are. What it keeps must be a log that opens again without a word.
fn log(bytes: &Bytes) -> Vec<Corrupt> {
    const SEGMENT: &str = "d/00000000000000000000.log";
    let mut disk = MemDisk::new();
    let put = disk.create_dir_all("d").and_then(|()| disk.create(SEGMENT));
    put.and_then(|()| disk.append(SEGMENT, bytes))
        .expect("memory can be written");
    let rename = |error: Corrupt| Corrupt {
        file: FILE.to_owned(),
        ..error
    };
    match MetadataLog::open(&mut disk, "d", LogConfig::default(), 0) {
        Err(OpenError::Corrupt(error)) => vec![rename(error)],
        Err(error) => panic!("a damaged segment gave {error}"),
        Ok(log) => {
            let again = MetadataLog::open(&mut disk, "d", LogConfig::default(), 0)
                .expect("what recovery left can be opened");
            assert_eq!(again.recovery(), [], "recovery leaves nothing to recover");
            assert_eq!(
                again.end(),
                log.end(),
                "the log is the same when opened again"
            );
            let kept = log.size();
            assert!(kept <= bytes.len() as u64, "recovery adds nothing");
            Vec::new()
        }
    }
}

/// The same bytes with the checksum of every batch whose frame is whole put right.
pub fn with_valid_checksums(bytes: &[u8]) -> Bytes {
    let mut mended = bytes.to_vec();
    let mut at = 0;
    while let Some(batch) = mended.get(at..).filter(|rest| rest.len() >= BATCH_OVERHEAD) {
        let length = i32::from_be_bytes([8, 9, 10, 11].map(|byte| batch[byte]));
        let size = usize::try_from(length)
            .ok()
            .and_then(|length| length.checked_add(12));
        let Some(size) = size.filter(|size| (BATCH_OVERHEAD..=batch.len()).contains(size)) else {
            break;
        };
        let checksum = crc32c::crc32c(&batch[21..size]);
        mended[at + 17..at + 21].copy_from_slice(&checksum.to_be_bytes());
        at += size;
    }
    Bytes::from(mended)
}
