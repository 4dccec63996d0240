//! What raft tells, on the controller's thread (`QuorumMetaLogListener` in `4.4:…/QuorumController.java`).

use determinism::Time;
use image::{SnapshotRecords, metadata_records};
use listener::{CommittedBatches, LeaderAndEpoch, RaftClient, SnapshotReader};
use raft_log::batch::Batch;
use records::OffsetAndEpoch;
use records::metadata::VersionedRecord;
use releases::bootstrap::ZeroCheckpointUse;

use super::Controller;
use super::event::ControllerEvent;
use crate::bootstrap::{BootstrapMetadata, BootstrapSource};
use crate::fault::{CheckpointError, FatalFault};
use crate::heartbeats::Heartbeats;
use crate::request::RequestError;
use crate::sessions::BrokerIdAndEpoch;

const ZERO_CHECKPOINT: OffsetAndEpoch = OffsetAndEpoch {
    offset: 0,
    epoch: 0,
};

impl Controller {
    pub(super) fn handle_commit(
        &mut self,
        now: Time,
        commit: &CommittedBatches,
        raft: &mut impl RaftClient,
    ) -> Result<(), FatalFault> {
        let active = self.is_active();
        let mut outcome = Ok(Ok(()));
        for batch in &commit.batches {
            outcome = self.commit_batch(now, batch, active);
            if !matches!(outcome, Ok(Ok(()))) {
                break;
            }
        }
        // The reader is closed whatever comes of it.
        raft.close_reader(self.config.listener, commit.next_offset());
        if let Err(text) = outcome? {
            self.count_fault("handleCommit", text);
            if self.is_active() {
                self.renounce(raft)?;
            }
        }
        Ok(())
    }

    /// The inner error is one that Kafka counts and that makes an active controller renounce.
    fn commit_batch(
        &mut self,
        now: Time,
        batch: &Batch,
        active: bool,
    ) -> Result<Result<(), String>, FatalFault> {
        let records = match metadata_records(batch) {
            Ok(records) => records,
            Err(error) => return Ok(Err(error.to_string())),
        };
        // Control batches never move the offsets (KAFKA-17608): there is no state to go back to at their ends.
        if records.is_empty() {
            return Ok(Ok(()));
        }
        if !active {
            for (index, record) in records.iter().enumerate() {
                let offset = batch.base_offset() + index as i64;
                self.replay(now, record, offset)
                    .map_err(|reason| FatalFault::CommittedRecord {
                        record: record.record.name(),
                        offset,
                        base_offset: batch.base_offset(),
                        reason,
                    })?;
            }
        }
        if let Err(error) = self
            .offsets
            .handle_commit_batch(batch.last_offset(), batch.leader_epoch())
        {
            return Ok(Err(error.to_string()));
        }
        if active {
            let done = self
                .deferred
                .complete_up_to(self.offsets.last_stable_offset());
            for (request, answer) in done.into_iter().flatten() {
                self.reply(request, answer);
            }
        }
        Ok(Ok(()))
    }

    pub(super) fn handle_load_snapshot(
        &mut self,
        now: Time,
        reader: &SnapshotReader,
    ) -> Result<(), FatalFault> {
        let is_bootstrap = reader.snapshot_id == ZERO_CHECKPOINT
            && self.rules.bootstrap.zero_checkpoint == ZeroCheckpointUse::IsBootstrap;
        if is_bootstrap {
            return self.load_bootstrap(reader);
        }
        self.refuse_while_active(reader)?;
        let snapshot = reader.snapshot_id;
        let failed = |reason: CheckpointError| FatalFault::Checkpoint { snapshot, reason };
        self.offsets
            .begin_load_snapshot(snapshot)
            .map_err(|error| failed(error.into()))?;
        let mut batches = SnapshotRecords::of(reader);
        for batch in batches.by_ref() {
            let (batch, records) =
                batch.map_err(|error| failed(CheckpointError::Unreadable(error.to_string())))?;
            for (index, record) in records.iter().enumerate() {
                self.replay(now, record, reader.last_contained_log_offset())
                    .map_err(|reason| FatalFault::SnapshotRecord {
                        record: record.record.name(),
                        snapshot,
                        index: index + 1,
                        count: records.len(),
                        base_offset: batch.base_offset(),
                        reason,
                    })?;
            }
        }
        // Kafka takes the time of the last record from the header.
        if batches.last_contained_log_time_ms().is_none() {
            let reason = "it holds no batch, and so no header".to_owned();
            return Err(failed(CheckpointError::Unreadable(reason)));
        }
        self.offsets
            .end_load_snapshot()
            .map_err(|error| failed(error.into()))
    }

    /// The zero checkpoint as a source of bootstrap records: nothing is replayed, no offset moves.
    pub(super) fn load_bootstrap(&mut self, reader: &SnapshotReader) -> Result<(), FatalFault> {
        self.refuse_while_active(reader)?;
        let failed = |reason| FatalFault::Checkpoint {
            snapshot: reader.snapshot_id,
            reason,
        };
        let records = read_all(reader).map_err(|text| failed(CheckpointError::Unreadable(text)))?;
        if records.is_empty() {
            return Ok(());
        }
        let found = BootstrapMetadata::from_records(records, BootstrapSource::ZeroCheckpoint)
            .map_err(|refusal| failed(refusal.into()))?;
        if let (ZeroCheckpointUse::IsBootstrap, BootstrapSource::LegacyFile(path)) = (
            self.rules.bootstrap.zero_checkpoint,
            self.bootstrap.source(),
        ) {
            let text = format!(
                "both the zero checkpoint and {path} hold bootstrap records; those of the zero \
                 checkpoint are used, although formatting never leaves both"
            );
            self.warn(text);
        }
        self.bootstrap = found;
        Ok(())
    }

    fn refuse_while_active(&self, reader: &SnapshotReader) -> Result<(), FatalFault> {
        match self.claim_epoch {
            Some(epoch) => Err(FatalFault::CheckpointWhileActive {
                snapshot: reader.snapshot_id,
                epoch,
            }),
            None => Ok(()),
        }
    }

    pub(super) fn handle_leader_change(
        &mut self,
        now: Time,
        news: LeaderAndEpoch,
        raft: &mut impl RaftClient,
    ) -> Result<(), FatalFault> {
        let leads = news.is_leader(self.config.node_id);
        match (self.is_active(), leads) {
            (true, true) => {
                self.claim_epoch = Some(news.epoch);
                Ok(())
            }
            (true, false) => self.renounce(raft),
            (false, true) => self.claim(now, news.epoch, raft.log_end_offset()),
            (false, false) => Ok(()),
        }
    }

    /// The activation goes before everything that waits already, so that no request is served from a state that is not
    /// initialized (KAFKA-13966).
    fn claim(&mut self, now: Time, epoch: i32, next_write_offset: i64) -> Result<(), FatalFault> {
        tracing::info!(epoch, next_write_offset, "claims leadership");
        self.claim_epoch = Some(epoch);
        self.offsets
            .activate(next_write_offset)
            .map_err(FatalFault::Claim)?;
        self.begin_heartbeats(now);
        // Refused only when the node shuts down, and then nobody waits for it.
        let _ = self.queue.prepend(now, ControllerEvent::CompleteActivation);
        Ok(())
    }

    /// Gives leadership up: raft resigns, waiting results fail, and the state at the stable offset is taken again.
    pub(super) fn renounce(&mut self, raft: &mut impl RaftClient) -> Result<(), FatalFault> {
        let Some(epoch) = self.claim_epoch else {
            return Err(FatalFault::Renounce(
                "this is not the active controller".to_owned(),
            ));
        };
        raft.resign(epoch)
            .map_err(|error| FatalFault::Renounce(error.to_string()))?;
        tracing::info!(epoch, "renounces leadership");
        self.claim_epoch = None;
        for (request, _) in self.deferred.drain().into_iter().flatten() {
            self.reply(request, Err(RequestError::NotController { active: None }));
        }
        self.offsets
            .deactivate()
            .map_err(|error| FatalFault::Renounce(error.to_string()))?;
        self.heartbeats = None;
        self.cancel_periodic_tasks();
        Ok(())
    }

    fn begin_heartbeats(&mut self, now: Time) {
        let mut beats = Heartbeats::new(&self.rules.replication, self.config.session_timeout);
        for (id, _) in self.offsets.state().registration_offsets.in_order() {
            if let Some(known) = self.image().cluster().broker(*id) {
                let broker = BrokerIdAndEpoch {
                    id: *id,
                    epoch: known.broker_epoch,
                };
                beats.begin(now, broker, known.fenced);
            }
        }
        self.heartbeats = Some(beats);
    }
}

fn read_all(reader: &SnapshotReader) -> Result<Vec<VersionedRecord>, String> {
    let mut records = Vec::new();
    for batch in SnapshotRecords::of(reader) {
        records.extend(batch.map_err(|error| error.to_string())?.1);
    }
    Ok(records)
}
