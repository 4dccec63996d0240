//! Stands in for what the replica does not do yet, so that those above it compile. Goes away as a whole.

use determinism::Time;
use listener::{
    AppendError, LeaderAndEpoch, ListenerId, RaftClient, ResignError, UpgradeError, UpgradeMode,
};
use records::metadata::VersionedRecord;
use records::{NodeId, OffsetAndEpoch};

use super::Replica;

#[expect(missing_docs)]
impl Replica {
    pub fn begin_shutdown(&mut self, _now: Time) {}
    pub fn has_shut_down(&self) -> bool {
        true
    }
    pub fn waits_to_join(&self) -> bool {
        false
    }
}

impl RaftClient for Replica {
    fn node_id(&self) -> NodeId {
        self.config.node_id
    }
    fn leader_and_epoch(&self) -> LeaderAndEpoch {
        LeaderAndEpoch::UNKNOWN
    }
    fn prepare_append(
        &mut self,
        _: Time,
        _: i32,
        _: &[VersionedRecord],
    ) -> Result<i64, AppendError> {
        Err(AppendError::NoRecords)
    }
    fn schedule_prepared_append(&mut self, _: Time) -> Result<(), AppendError> {
        Ok(())
    }
    fn resign(&mut self, _: i32) -> Result<(), ResignError> {
        Ok(())
    }
    fn log_end_offset(&self) -> i64 {
        0
    }
    fn high_watermark(&self) -> Option<i64> {
        None
    }
    fn latest_snapshot_id(&self) -> Option<OffsetAndEpoch> {
        None
    }
    fn kraft_version(&self) -> i16 {
        0
    }
    fn upgrade_kraft_version(
        &mut self,
        _: Time,
        _: i32,
        _: i16,
        _: UpgradeMode,
    ) -> Result<(), UpgradeError> {
        Ok(())
    }
    fn voter_ids(&self) -> Vec<NodeId> {
        Vec::new()
    }
    fn close_reader(&mut self, _: ListenerId, _: i64) {}
}
