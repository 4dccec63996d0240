use determinism::Time;
use listener::{
    AppendError, LeaderAndEpoch, ListenerId, RaftClient, ResignError, UpgradeError, UpgradeMode,
};
use raft::Replica;
use records::metadata::VersionedRecord;
use records::{NodeId, OffsetAndEpoch};

use super::Call;

/// A replica as its controller sees it; what the controller asks for is noted.
pub(super) struct Noting<'a> {
    pub replica: &'a mut Replica,
    pub calls: Vec<Call>,
}

impl RaftClient for Noting<'_> {
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
        self.calls.push(Call::PrepareAppend {
            epoch,
            records: records.to_vec(),
            outcome: outcome.clone().map_err(|error| error.to_string()),
        });
        outcome
    }

    fn schedule_prepared_append(&mut self, now: Time) -> Result<(), AppendError> {
        self.calls.push(Call::SchedulePreparedAppend);
        self.replica.schedule_prepared_append(now)
    }

    fn resign(&mut self, epoch: i32) -> Result<(), ResignError> {
        self.calls.push(Call::Resign { epoch });
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
        self.calls.push(Call::UpgradeKRaftVersion {
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
