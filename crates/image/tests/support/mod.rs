//! A raft client that only has offsets, and makers of batches.
#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use determinism::Time;
use listener::{
    AppendError, CommittedBatches, Event, LeaderAndEpoch, ListenerId, RaftClient, ResignError,
    SnapshotReader, UpgradeError, UpgradeMode,
};
use raft_log::batch::{Batch, BatchBuilder};
use raft_log::checkpoint::{CheckpointWriter, KRaftRecords};
use records::control::{ControlRecord, LeaderChangeMessage};
use records::metadata::{
    AbortTransactionRecord, BeginTransactionRecord, EndTransactionRecord, VersionedRecord,
};
use records::{NodeId, OffsetAndEpoch};

#[derive(Default)]
pub struct Offsets {
    pub high_watermark: Option<i64>,
    pub closed: Vec<i64>,
}

impl RaftClient for Offsets {
    fn node_id(&self) -> NodeId {
        NodeId(1)
    }
    fn leader_and_epoch(&self) -> LeaderAndEpoch {
        LeaderAndEpoch::UNKNOWN
    }
    fn prepare_append(
        &mut self,
        _now: Time,
        epoch: i32,
        _records: &[VersionedRecord],
    ) -> Result<i64, AppendError> {
        Err(AppendError::NotLeader { epoch })
    }
    fn schedule_prepared_append(&mut self, _now: Time) -> Result<(), AppendError> {
        Ok(())
    }
    fn resign(&mut self, _epoch: i32) -> Result<(), ResignError> {
        Ok(())
    }
    fn log_end_offset(&self) -> i64 {
        0
    }
    fn high_watermark(&self) -> Option<i64> {
        self.high_watermark
    }
    fn latest_snapshot_id(&self) -> Option<OffsetAndEpoch> {
        None
    }
    fn kraft_version(&self) -> i16 {
        0
    }
    fn upgrade_kraft_version(
        &mut self,
        _now: Time,
        _epoch: i32,
        _version: i16,
        _mode: UpgradeMode,
    ) -> Result<(), UpgradeError> {
        Err(UpgradeError::Unsupported)
    }
    fn voter_ids(&self) -> Vec<NodeId> {
        vec![NodeId(1)]
    }
    fn close_reader(&mut self, _listener: ListenerId, next_offset: i64) {
        self.closed.push(next_offset);
    }
}

pub fn begin() -> VersionedRecord {
    VersionedRecord::new(0, BeginTransactionRecord::default())
}

pub fn end() -> VersionedRecord {
    VersionedRecord::new(0, EndTransactionRecord::default())
}

pub fn abort() -> VersionedRecord {
    VersionedRecord::new(0, AbortTransactionRecord::default())
}

pub fn batch(base_offset: i64, records: &[VersionedRecord]) -> Batch {
    let mut builder = BatchBuilder::data(base_offset, 1, 1000 + base_offset);
    for record in records {
        let mut value = Vec::new();
        record.encode(&mut value).unwrap();
        builder.append_value(&value);
    }
    builder.finish()
}

pub fn control_batch(base_offset: i64) -> Batch {
    let mut builder = BatchBuilder::control(base_offset, 1, 1000);
    builder
        .append_control(&ControlRecord::from(LeaderChangeMessage::default()))
        .unwrap();
    builder.finish()
}

pub fn commit(batches: Vec<Batch>) -> Event {
    let base_offset = batches[0].base_offset();
    Event::Commit(CommittedBatches {
        base_offset,
        batches,
        source: listener::CommitSource::Log,
    })
}

pub fn snapshot(id: OffsetAndEpoch, records: &[VersionedRecord]) -> SnapshotReader {
    let mut writer = CheckpointWriter::new(id, 77, KRaftRecords::Absent, 5).unwrap();
    let mut bytes = BytesMut::new();
    for batch in writer.append(records, 5).unwrap() {
        bytes.extend_from_slice(batch.bytes());
    }
    for batch in writer.finish(5).unwrap() {
        bytes.extend_from_slice(batch.bytes());
    }
    let file = Arc::from(raft_log::checkpoint::snapshot_file_name(id));
    SnapshotReader {
        snapshot_id: id,
        file,
        bytes: Bytes::from(bytes),
    }
}
