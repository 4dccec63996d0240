mod cleaning;
mod leftovers;
mod model;
mod open;
mod operations;

use bytes::Bytes;
use disk::{Disk, MemDisk};
use records::OffsetAndEpoch;
use records::metadata::{NoOpRecord, VersionedRecord};

use super::{LogConfig, MetadataLog, MissingSnapshot};
use crate::batch::{Batch, BatchBuilder};
use crate::checkpoint::{KRaftRecords, SnapshotWriter};

const DIR: &str = "data/__cluster_metadata-0";

/// Small segments: three batches of one record fill one.
const SMALL: LogConfig = LogConfig {
    segment_bytes: 3 * 72,
    segment_ms: 1_000,
    retention_bytes: -1,
    retention_ms: -1,
    file_delete_delay_ms: 60_000,
    missing_snapshot: MissingSnapshot::Forgotten,
};

fn id(offset: i64, epoch: i32) -> OffsetAndEpoch {
    OffsetAndEpoch { offset, epoch }
}

fn batch_at(offset: i64, epoch: i32, count: usize, now_ms: i64) -> Batch {
    let mut builder = BatchBuilder::data(offset, epoch, now_ms);
    for _ in 0..count {
        builder
            .append_data(&VersionedRecord::new(0, NoOpRecord::default()))
            .unwrap();
    }
    builder.finish()
}

struct Fixture {
    disk: MemDisk,
    log: MetadataLog,
}

impl Fixture {
    fn new(config: LogConfig) -> Fixture {
        let mut disk = MemDisk::new();
        let log = MetadataLog::open(&mut disk, DIR, config, 0).unwrap();
        Fixture { disk, log }
    }

    fn append(&mut self, epoch: i32, count: usize) -> Batch {
        self.append_at(epoch, count, 0)
    }

    fn append_at(&mut self, epoch: i32, count: usize, now_ms: i64) -> Batch {
        let batch = batch_at(self.log.end_offset(), epoch, count, now_ms);
        let batches = std::slice::from_ref(&batch);
        self.log
            .append_as_leader(&mut self.disk, batches, epoch, now_ms)
            .unwrap();
        batch
    }

    fn reopen(&mut self) {
        self.log = MetadataLog::open(&mut self.disk, DIR, *self.log.config(), 0).unwrap();
    }

    fn names(&mut self) -> Vec<String> {
        self.disk
            .list(DIR)
            .unwrap()
            .into_iter()
            .map(|entry| entry.name)
            .collect()
    }

    fn names_with(&mut self, suffix: &str) -> Vec<String> {
        self.names()
            .into_iter()
            .filter(|name| name.ends_with(suffix))
            .collect()
    }

    fn file(&mut self, name: &str) -> Bytes {
        self.disk.read(&format!("{DIR}/{name}")).unwrap()
    }

    fn put(&mut self, name: &str, content: &[u8]) {
        let path = format!("{DIR}/{name}");
        self.disk.create(&path).unwrap();
        self.disk
            .append(&path, &Bytes::copy_from_slice(content))
            .unwrap();
    }

    /// A checkpoint without records whose last record was appended at `timestamp_ms`.
    fn snapshot(&mut self, id: OffsetAndEpoch, timestamp_ms: i64) {
        let raw = self
            .log
            .create_new_snapshot(&mut self.disk, id, 1)
            .unwrap()
            .unwrap();
        let writer = SnapshotWriter::new(raw, timestamp_ms, KRaftRecords::Absent, 0).unwrap();
        writer.freeze(&mut self.disk, 0).unwrap();
        self.log.on_snapshot_frozen(id);
    }
}
