//! The seam between raft and its listeners, watched.

use determinism::Time;
use listener::{
    AppendError, Event, LeaderAndEpoch, ListenerId, RaftClient, ResignError, UpgradeError,
    UpgradeMode,
};
use quorum_controller::EventKind;
use raft::Replica;
use records::metadata::VersionedRecord;
use records::{NodeId, OffsetAndEpoch};

use crate::Hearer;

/// Sees what passes between raft and its listeners while a thread runs. Nobody watches by default: `()`.
pub trait SeamWatcher {
    /// A listener is told something; its own thread handles it later.
    fn told(&mut self, _listener: Hearer, _event: &Event) {}

    /// The controller has asked something of raft.
    fn asked(&mut self, _call: RaftCall<'_>) {}

    /// The controller has run this event of its queue.
    fn ran(&mut self, _event: EventKind) {}
}

impl SeamWatcher for () {}

/// What the controller asks of raft.
#[derive(Clone, Copy, Debug)]
pub enum RaftCall<'a> {
    PrepareAppend {
        /// The epoch in which the records may be written.
        epoch: i32,
        records: &'a [VersionedRecord],
        /// The offset of the last of them.
        outcome: &'a Result<i64, AppendError>,
    },
    SchedulePreparedAppend,
    Resign {
        /// The epoch that the controller gives up.
        epoch: i32,
    },
    UpgradeKRaftVersion {
        /// The epoch in which the version may be written.
        epoch: i32,
        version: i16,
        /// Whether it is only checked.
        mode: UpgradeMode,
    },
}

/// A replica as its controller sees it, with somebody who watches.
pub(crate) struct Watched<'a, W> {
    pub(crate) replica: &'a mut Replica,
    pub(crate) watcher: &'a mut W,
}

impl<W: SeamWatcher> RaftClient for Watched<'_, W> {
    fn node_id(&self) -> NodeId {
        self.replica.node_id()
    }

    fn leader_and_epoch(&self) -> LeaderAndEpoch {
        Replica::leader_and_epoch(self.replica)
    }

    fn prepare_append(
        &mut self,
        now: Time,
        epoch: i32,
        records: &[VersionedRecord],
    ) -> Result<i64, AppendError> {
        let outcome = self.replica.prepare_append(now, epoch, records);
        self.watcher.asked(RaftCall::PrepareAppend {
            epoch,
            records,
            outcome: &outcome,
        });
        outcome
    }

    fn schedule_prepared_append(&mut self, now: Time) -> Result<(), AppendError> {
        self.watcher.asked(RaftCall::SchedulePreparedAppend);
        self.replica.schedule_prepared_append(now)
    }

    fn resign(&mut self, epoch: i32) -> Result<(), ResignError> {
        self.watcher.asked(RaftCall::Resign { epoch });
        self.replica.resign(epoch)
    }

    fn log_end_offset(&self) -> i64 {
        Replica::log_end_offset(self.replica)
    }

    fn high_watermark(&self) -> Option<i64> {
        Replica::high_watermark(self.replica)
    }

    fn latest_snapshot_id(&self) -> Option<OffsetAndEpoch> {
        self.replica.latest_snapshot_id()
    }

    fn kraft_version(&self) -> i16 {
        self.replica.kraft_version()
    }

    fn upgrade_kraft_version(
        &mut self,
        now: Time,
        epoch: i32,
        version: i16,
        mode: UpgradeMode,
    ) -> Result<(), UpgradeError> {
        self.watcher.asked(RaftCall::UpgradeKRaftVersion {
            epoch,
            version,
            mode,
        });
        self.replica
            .upgrade_kraft_version(now, epoch, version, mode)
    }

    fn voter_ids(&self) -> Vec<NodeId> {
        self.replica.voter_ids()
    }

    fn close_reader(&mut self, listener: ListenerId, next_offset: i64) {
        self.replica.close_reader(listener, next_offset);
    }
}
