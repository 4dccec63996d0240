//! What a leader writes, and what follows when it is committed; what a listener may ask.

use determinism::Time;
use listener::{
    AppendError, LeaderAndEpoch, ListenerId, RaftClient, ResignError, UpgradeError, UpgradeMode,
};
use records::metadata::VersionedRecord;
use records::{NodeId, OffsetAndEpoch};
use releases::raft::HighWatermarkNews;

use super::{Cx, Replica};
use crate::RaftFault;
use crate::accumulator::{BatchOrigin, CompletedBatch};
use crate::role::{KRaftVersionUpgrade, State};

impl Replica {
    /// Writes what the accumulator lets go. Returns the milliseconds until there is more.
    pub(super) fn maybe_append_batches(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        let State::Leader(leader) = &mut self.state else {
            return Ok(i64::MAX);
        };
        if leader.accumulator.needs_drain(cx.now_ms) {
            let epoch = leader.epoch();
            for completed in leader.accumulator.drain(&mut self.buffers) {
                let batch = std::slice::from_ref(&completed.batch);
                tracing::debug!(
                    epoch,
                    base_offset = completed.batch.base_offset(),
                    last_offset = completed.batch.last_offset(),
                    "appends a batch as the leader"
                );
                self.log
                    .append_as_leader(cx.disk, batch, epoch, cx.now_ms)?;
                self.partition.update_state(&mut self.log, cx.disk)?;
                self.buffers.release(completed.buffer);
                self.uncommitted
                    .wait(completed.batch.next_offset(), i64::MAX, completed);
            }
            // Waiting fetches go out before the flush; the leader's own part of a majority does not wait for it.
            self.update_leader_end_offset(cx)?;
            self.log.flush(cx.disk)?;
        }
        match &self.state {
            State::Leader(leader) => Ok(leader.accumulator.time_until_drain_ms(cx.now_ms)),
            _ => Ok(0),
        }
    }

    fn update_leader_end_offset(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        let end_offset = self.log.end_offset();
        let position = self.log.position(end_offset);
        let State::Leader(leader) = &mut self.state else {
            return Ok(());
        };
        if leader.update_local_state(end_offset, position, self.partition.last_voter_set())? {
            self.on_leader_high_watermark(cx)?;
        }
        self.complete_fetches_up_to(cx, end_offset)
    }

    /// The leader's high watermark moved.
    ///
    /// Source: `onUpdateLeaderHighWatermark` in `4.4:raft/…/KafkaRaftClient.java`.
    pub(super) fn on_leader_high_watermark(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        let Some(high_watermark) = self.state.high_watermark() else {
            return Ok(());
        };
        tracing::debug!(
            epoch = self.state.epoch(),
            high_watermark,
            "commits as the leader"
        );
        self.log.update_high_watermark(high_watermark);
        self.voter_changes_committed(high_watermark);
        while let Some(completed) = self.uncommitted.pop_reached(high_watermark) {
            let CompletedBatch {
                batch,
                origin,
                buffer,
            } = completed;
            if origin == BatchOrigin::Listener && self.buffers.still_reads(buffer, &batch) {
                self.commit_from_memory(&batch);
            }
        }
        match self.rules.raft.high_watermark_news {
            HighWatermarkNews::Pushed => self.complete_all_fetches(cx)?,
            HighWatermarkNews::WithNextData => {}
        }
        self.update_listeners_progress(cx, high_watermark)
    }
}

impl RaftClient for Replica {
    fn node_id(&self) -> NodeId {
        self.config.node_id
    }

    fn leader_and_epoch(&self) -> LeaderAndEpoch {
        self.state.leader_and_epoch()
    }

    fn prepare_append(
        &mut self,
        now: Time,
        epoch: i32,
        records: &[VersionedRecord],
    ) -> Result<i64, AppendError> {
        let now_ms = self.config.clock.millis(now);
        let State::Leader(leader) = &mut self.state else {
            return Err(AppendError::NotLeader { epoch });
        };
        if records.is_empty() {
            return Err(AppendError::NoRecords);
        }
        let is_first_append = leader.accumulator.is_empty();
        let last_offset = leader
            .accumulator
            .append(now_ms, epoch, records, &mut self.buffers)?;
        // The raft thread must see a new linger time, or a batch that is full.
        if is_first_append || leader.accumulator.needs_drain(now_ms) {
            self.wakeup();
        }
        Ok(last_offset)
    }

    fn schedule_prepared_append(&mut self, now: Time) -> Result<(), AppendError> {
        let now_ms = self.config.clock.millis(now);
        let State::Leader(leader) = &mut self.state else {
            return Err(AppendError::NotLeader {
                epoch: self.state.epoch(),
            });
        };
        leader.accumulator.allow_drain();
        if leader.accumulator.needs_drain(now_ms) {
            self.wakeup();
        }
        Ok(())
    }

    fn resign(&mut self, epoch: i32) -> Result<(), ResignError> {
        let current = self.state.epoch();
        if epoch < 0 || epoch > current {
            return Err(ResignError::WrongEpoch { epoch, current });
        }
        if epoch < current {
            return Ok(());
        }
        if !self.state.leader_and_epoch().is_leader(self.config.node_id) {
            return Err(ResignError::NotLeader { epoch });
        }
        // Resigned already counts as done.
        if let State::Leader(leader) = &mut self.state {
            leader.request_resign();
            self.wakeup();
        }
        Ok(())
    }

    fn log_end_offset(&self) -> i64 {
        self.log.end_offset()
    }

    fn high_watermark(&self) -> Option<i64> {
        self.state.high_watermark()
    }

    fn latest_snapshot_id(&self) -> Option<OffsetAndEpoch> {
        self.log.latest_snapshot_id()
    }

    fn kraft_version(&self) -> i16 {
        match &self.state {
            State::Leader(leader) => match leader.kraft_version_upgrade {
                KRaftVersionUpgrade::Requested(version) => version,
                _ => self.partition.last_kraft_version(),
            },
            _ => self.partition.last_kraft_version(),
        }
    }

    fn upgrade_kraft_version(
        &mut self,
        now: Time,
        epoch: i32,
        version: i16,
        mode: UpgradeMode,
    ) -> Result<(), UpgradeError> {
        self.maybe_append_upgraded_kraft_version(now, epoch, version, mode)
    }

    fn voter_ids(&self) -> Vec<NodeId> {
        self.partition.last_voter_set().voter_ids().collect()
    }

    fn close_reader(&mut self, listener: ListenerId, next_offset: i64) {
        self.close_listener_reader(listener, next_offset);
    }
}
