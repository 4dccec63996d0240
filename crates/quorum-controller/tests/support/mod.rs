//! A raft client with a log of its own, and a controller on it.
#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use determinism::Time;
use listener::{
    AppendError, CommittedBatches, Event, LeaderAndEpoch, ListenerId, RaftClient, ResignError,
    SnapshotReader, UpgradeError, UpgradeMode,
};
use quorum_controller::{
    BootstrapMetadata, Controller, ControllerConfig, ControllerRequest, EventKind, FatalFault,
    LegacyBootstrap, RequestId,
};
use raft_log::batch::{Batch, BatchBuilder};
use raft_log::checkpoint::{CheckpointWriter, KRaftRecords, snapshot_file_name};
use records::control::{ControlRecord, LeaderChangeMessage};
use records::metadata::VersionedRecord;
use records::{NodeId, OffsetAndEpoch};
use releases::{Release, Rules};

pub const NODE: NodeId = NodeId(1);
pub const PATH: &str = "data/bootstrap.checkpoint";

/// Leads when told so, keeps what it is given, and commits when asked.
#[derive(Clone, Debug)]
pub struct FakeRaft {
    pub leader_and_epoch: LeaderAndEpoch,
    pub log: Vec<Batch>,
    prepared: Option<Batch>,
    /// How many batches of the log were handed to the controller.
    handed_over: usize,
    pub resigned: Vec<i32>,
    pub closed: Vec<i64>,
    /// The next append fails like this.
    pub refuse: Option<AppendError>,
    pub kraft_version: i16,
}

impl FakeRaft {
    pub fn new() -> Self {
        FakeRaft {
            leader_and_epoch: LeaderAndEpoch::UNKNOWN,
            log: Vec::new(),
            prepared: None,
            handed_over: 0,
            resigned: Vec::new(),
            closed: Vec::new(),
            refuse: None,
            kraft_version: 0,
        }
    }

    /// Becomes leader, with the control batch that begins the epoch.
    pub fn lead(&mut self, epoch: i32) {
        self.leader_and_epoch = LeaderAndEpoch::new(Some(NODE), epoch);
        let mut builder = BatchBuilder::control(self.log_end_offset(), epoch, 0);
        builder
            .append_control(&ControlRecord::from(LeaderChangeMessage::default()))
            .unwrap();
        self.log.push(builder.finish());
    }

    /// Another node wrote this batch.
    pub fn replicate(&mut self, epoch: i32, records: &[VersionedRecord]) {
        let batch = data_batch(self.log_end_offset(), epoch, records);
        self.log.push(batch);
    }

    /// What was not handed over is cut off, as a follower does that diverged.
    pub fn truncate(&mut self) {
        self.log.truncate(self.handed_over);
    }

    /// Commits the next `count` batches.
    pub fn commit(&mut self, count: usize) -> Option<Event> {
        let from = self.handed_over;
        let to = self.log.len().min(from.saturating_add(count));
        self.handed_over = to;
        let batches = self.log[from..to].to_vec();
        let base_offset = batches.first()?.base_offset();
        Some(Event::Commit(CommittedBatches {
            base_offset,
            batches,
            source: listener::CommitSource::Log,
        }))
    }

    /// All metadata records of the log with their offsets.
    pub fn records(&self) -> Vec<(i64, VersionedRecord)> {
        self.log
            .iter()
            .filter(|batch| !batch.is_control())
            .flat_map(records_of)
            .collect()
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.records()
            .iter()
            .map(|(_, record)| record.record.name())
            .collect()
    }
}

pub fn records_of(batch: &Batch) -> Vec<(i64, VersionedRecord)> {
    let records = batch.data_records().unwrap();
    records
        .into_iter()
        .enumerate()
        .map(|(i, r)| (batch.base_offset() + i as i64, r))
        .collect()
}

pub fn data_batch(base_offset: i64, epoch: i32, records: &[VersionedRecord]) -> Batch {
    let mut builder = BatchBuilder::data(base_offset, epoch, 0);
    for record in records {
        let mut value = Vec::new();
        record.encode(&mut value).unwrap();
        builder.append_value(&value);
    }
    builder.finish()
}

impl RaftClient for FakeRaft {
    fn node_id(&self) -> NodeId {
        NODE
    }
    fn leader_and_epoch(&self) -> LeaderAndEpoch {
        self.leader_and_epoch
    }
    fn prepare_append(
        &mut self,
        _now: Time,
        epoch: i32,
        records: &[VersionedRecord],
    ) -> Result<i64, AppendError> {
        if let Some(error) = self.refuse.take() {
            return Err(error);
        }
        if self.leader_and_epoch != LeaderAndEpoch::new(Some(NODE), epoch) {
            return Err(AppendError::NotLeader { epoch });
        }
        if records.is_empty() {
            return Err(AppendError::NoRecords);
        }
        let batch = data_batch(self.log_end_offset(), epoch, records);
        let last_offset = batch.last_offset();
        self.prepared = Some(batch);
        Ok(last_offset)
    }
    fn schedule_prepared_append(&mut self, _now: Time) -> Result<(), AppendError> {
        self.log.extend(self.prepared.take());
        Ok(())
    }
    fn resign(&mut self, epoch: i32) -> Result<(), ResignError> {
        self.resigned.push(epoch);
        Ok(())
    }
    fn log_end_offset(&self) -> i64 {
        self.log.last().map_or(0, |batch| batch.last_offset() + 1)
    }
    fn high_watermark(&self) -> Option<i64> {
        Some(self.log_end_offset())
    }
    fn latest_snapshot_id(&self) -> Option<OffsetAndEpoch> {
        None
    }
    fn kraft_version(&self) -> i16 {
        self.kraft_version
    }
    fn upgrade_kraft_version(
        &mut self,
        _now: Time,
        _epoch: i32,
        version: i16,
        mode: UpgradeMode,
    ) -> Result<(), UpgradeError> {
        if mode == UpgradeMode::Apply {
            self.kraft_version = version;
        }
        Ok(())
    }
    fn voter_ids(&self) -> Vec<NodeId> {
        vec![NODE]
    }
    fn close_reader(&mut self, _listener: ListenerId, next_offset: i64) {
        self.closed.push(next_offset);
    }
}

/// A controller on a raft client.
#[derive(Clone, Debug)]
pub struct Bench {
    pub controller: Controller,
    pub raft: FakeRaft,
    pub now: Time,
}

pub fn config() -> ControllerConfig {
    // No periodic records: tests that look at them ask for them.
    ControllerConfig {
        max_idle_interval: None,
        ..ControllerConfig::new(NODE, ListenerId(1), vec![NODE])
    }
}

pub fn legacy(records: Vec<VersionedRecord>) -> LegacyBootstrap {
    LegacyBootstrap {
        path: PATH.to_owned(),
        records,
    }
}

impl Bench {
    /// A controller with the records of a legacy file.
    pub fn new(release: Release, records: Vec<VersionedRecord>) -> Self {
        Self::with(&release.rules(), config(), records)
    }

    pub fn with(rules: &Rules, config: ControllerConfig, records: Vec<VersionedRecord>) -> Self {
        let bootstrap = BootstrapMetadata::at_start(rules, Some(legacy(records)), None).unwrap();
        let controller = Controller::new(config, rules.clone(), bootstrap);
        Bench {
            controller,
            raft: FakeRaft::new(),
            now: Time::ZERO,
        }
    }

    /// Asks something of the controller, which queues it.
    pub fn ask(&mut self, request: ControllerRequest) -> RequestId {
        let asked = self.controller.handle_request(self.now, request);
        asked.expect("only heartbeats are refused before they are queued")
    }

    pub fn tell(&mut self, event: Event) {
        self.controller.handle_listener_event(self.now, event);
    }

    /// Runs all that can run now.
    pub fn run(&mut self) -> Result<Vec<EventKind>, FatalFault> {
        let mut ran = Vec::new();
        while let Some(kind) = self.controller.poll_event(self.now, &mut self.raft)? {
            ran.push(kind);
        }
        Ok(ran)
    }

    pub fn commit(&mut self, batches: usize) -> Result<(), FatalFault> {
        if let Some(event) = self.raft.commit(batches) {
            self.tell(event);
        }
        self.run().map(|_| ())
    }

    pub fn commit_all(&mut self) -> Result<(), FatalFault> {
        self.commit(usize::MAX)
    }

    /// Becomes the leader of an epoch: control batch, commit, news, activation.
    pub fn lead(&mut self, epoch: i32) -> Result<(), FatalFault> {
        self.raft.lead(epoch);
        self.commit_all()?;
        self.tell(Event::LeaderChange(self.raft.leader_and_epoch));
        self.run().map(|_| ())
    }

    /// Somebody else leads.
    pub fn follow(&mut self, epoch: i32) -> Result<(), FatalFault> {
        self.raft.leader_and_epoch = LeaderAndEpoch::new(Some(NodeId(2)), epoch);
        self.tell(Event::LeaderChange(self.raft.leader_and_epoch));
        self.run().map(|_| ())
    }

    pub fn message(&self) -> &str {
        &self
            .controller
            .activations()
            .last()
            .expect("there was an activation")
            .message
    }
}

/// A checkpoint with these metadata records.
pub fn checkpoint(id: OffsetAndEpoch, records: &[VersionedRecord]) -> SnapshotReader {
    let mut writer = CheckpointWriter::new(id, 77, KRaftRecords::Absent, 5).unwrap();
    let mut bytes = BytesMut::new();
    let middle = if records.is_empty() {
        Vec::new()
    } else {
        writer.append(records, 5).unwrap()
    };
    for batch in middle.into_iter().chain(writer.finish(5).unwrap()) {
        bytes.extend_from_slice(batch.bytes());
    }
    let file = Arc::from(snapshot_file_name(id));
    SnapshotReader {
        snapshot_id: id,
        file,
        bytes: Bytes::from(bytes),
    }
}

pub fn zero_checkpoint(records: &[VersionedRecord]) -> SnapshotReader {
    checkpoint(
        OffsetAndEpoch {
            offset: 0,
            epoch: 0,
        },
        records,
    )
}
