//! What a leader writes, and what follows when it is committed; what a listener may ask.

use determinism::Time;
use listener::{
    AppendError, LeaderAndEpoch, ListenerId, RaftClient, ResignError, UpgradeError, UpgradeMode,
};
use records::metadata::VersionedRecord;
use records::{NodeId, OffsetAndEpoch};
use releases::raft::{HighWatermarkNews, KRaftVersionUpgrade as UpgradeRule};

use super::Replica;
use super::shared::{Cx, Shared};
use crate::RaftFault;
use crate::accumulator::{BatchOrigin, CompletedBatch};
use crate::role::{EpochState, Leader, State};

impl Leader {
    /// Writes what the accumulator lets go. Returns the milliseconds until there is more.
    pub(super) fn maybe_append_batches(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
    ) -> Result<i64, RaftFault> {
        if self.accumulator.needs_drain(cx.now_ms) {
            let epoch = self.epoch();
            for completed in self.accumulator.drain(&mut shared.buffers) {
                let batch = std::slice::from_ref(&completed.batch);
                tracing::debug!(
                    epoch,
                    base_offset = completed.batch.base_offset(),
                    last_offset = completed.batch.last_offset(),
                    "appends a batch as the leader"
                );
                shared
                    .log
                    .append_as_leader(cx.disk, batch, epoch, cx.now_ms)?;
                shared.partition.update_state(&mut shared.log, cx.disk)?;
                shared.buffers.release(completed.buffer);
                shared
                    .uncommitted
                    .wait(completed.batch.next_offset(), i64::MAX, completed);
            }
            // Waiting fetches go out before the flush; the leader's own part of a majority does not wait for it.
            self.update_end_offset(shared, cx)?;
            shared.log.flush(cx.disk)?;
        }
        Ok(self.accumulator.time_until_drain_ms(cx.now_ms))
    }

    fn update_end_offset(&mut self, shared: &mut Shared, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        let end_offset = shared.log.end_offset();
        let position = shared.log.position(end_offset);
        let voters = shared.partition.last_voter_set();
        if let Some(high_watermark) = self.update_local_state(end_offset, position, voters)? {
            self.on_high_watermark(shared, cx, high_watermark)?;
        }
        self.complete_fetches_up_to(shared, cx, end_offset)
    }

    /// The high watermark moved.
    ///
    /// Source: `onUpdateLeaderHighWatermark` in `4.4:raft/…/KafkaRaftClient.java`.
    pub(super) fn on_high_watermark(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        high_watermark: i64,
    ) -> Result<(), RaftFault> {
        let epoch = self.epoch();
        tracing::debug!(epoch, high_watermark, "commits as the leader");
        shared.log.update_high_watermark(high_watermark);
        self.voter_changes_committed(shared, high_watermark);
        while let Some(completed) = shared.uncommitted.pop_reached(high_watermark) {
            let CompletedBatch {
                batch,
                origin,
                buffer,
            } = completed;
            if origin == BatchOrigin::Listener && shared.buffers.still_reads(buffer, &batch) {
                shared.commit_from_memory(&batch);
            }
        }
        match shared.rules.raft.high_watermark_news {
            HighWatermarkNews::Pushed => self.complete_all_fetches(shared, cx)?,
            HighWatermarkNews::WithNextData => {}
        }
        shared.update_listeners_progress(cx, high_watermark)
    }
}

impl RaftClient for Replica {
    fn node_id(&self) -> NodeId {
        self.shared.config.node_id
    }

    fn leader_and_epoch(&self) -> LeaderAndEpoch {
        self.role.leader_and_epoch()
    }

    fn prepare_append(
        &mut self,
        now: Time,
        epoch: i32,
        records: &[VersionedRecord],
    ) -> Result<i64, AppendError> {
        let now_ms = self.shared.config.clock.millis(now);
        let State::Leader(leader) = &mut self.role else {
            return Err(AppendError::NotLeader { epoch });
        };
        if records.is_empty() {
            return Err(AppendError::NoRecords);
        }
        let is_first_append = leader.accumulator.is_empty();
        let last_offset =
            leader
                .accumulator
                .append(now_ms, epoch, records, &mut self.shared.buffers)?;
        // The raft thread must see a new linger time, or a batch that is full.
        if is_first_append || leader.accumulator.needs_drain(now_ms) {
            self.shared.wakeup();
        }
        Ok(last_offset)
    }

    fn schedule_prepared_append(&mut self, now: Time) -> Result<(), AppendError> {
        let now_ms = self.shared.config.clock.millis(now);
        let State::Leader(leader) = &mut self.role else {
            return Err(AppendError::NotLeader {
                epoch: self.role.epoch(),
            });
        };
        leader.accumulator.allow_drain();
        if leader.accumulator.needs_drain(now_ms) {
            self.shared.wakeup();
        }
        Ok(())
    }

    fn resign(&mut self, epoch: i32) -> Result<(), ResignError> {
        let current = self.role.epoch();
        if epoch < 0 || epoch > current {
            return Err(ResignError::WrongEpoch { epoch, current });
        }
        if epoch < current {
            return Ok(());
        }
        if !self
            .role
            .leader_and_epoch()
            .is_leader(self.shared.config.node_id)
        {
            return Err(ResignError::NotLeader { epoch });
        }
        // Resigned already counts as done.
        if let State::Leader(leader) = &mut self.role {
            leader.request_resign();
            self.shared.wakeup();
        }
        Ok(())
    }

    fn log_end_offset(&self) -> i64 {
        self.shared.log.end_offset()
    }

    fn high_watermark(&self) -> Option<i64> {
        self.role.high_watermark()
    }

    fn latest_snapshot_id(&self) -> Option<OffsetAndEpoch> {
        self.shared.log.latest_snapshot_id()
    }

    fn kraft_version(&self) -> i16 {
        match &self.role {
            State::Leader(leader) => leader.kraft_version_upgrade.requested(),
            _ => None,
        }
        .unwrap_or(self.shared.partition.last_kraft_version())
    }

    fn upgrade_kraft_version(
        &mut self,
        now: Time,
        epoch: i32,
        version: i16,
        mode: UpgradeMode,
    ) -> Result<(), UpgradeError> {
        if self.shared.rules.raft.kraft_version_upgrade == UpgradeRule::Absent {
            return Err(UpgradeError::Unsupported);
        }
        let now_ms = self.shared.config.clock.millis(now);
        match &mut self.role {
            State::Leader(leader) if epoch >= leader.epoch() => {
                leader.maybe_append_upgrade(&mut self.shared, now_ms, epoch, version, mode)
            }
            _ => Err(UpgradeError::NotLeader { epoch }),
        }
    }

    fn voter_ids(&self) -> Vec<NodeId> {
        self.shared.partition.last_voter_set().voter_ids().collect()
    }

    fn close_reader(&mut self, listener: ListenerId, next_offset: i64) {
        self.shared.close_listener_reader(listener, next_offset);
    }
}
