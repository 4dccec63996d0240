use determinism::Time;
use listener::{
    AppendError, LeaderAndEpoch, ListenerId, RaftClient, ResignError, UpgradeError, UpgradeMode,
};
use quorum_controller::{Controller, EventKind};
use records::metadata::VersionedRecord;
use records::{NodeId, OffsetAndEpoch};
use std::cell::Cell;

use super::Call;

/// What a controller that was held does once its process is gone.
///
/// Kafka's driver lets its thread run on: the events that wait are handled, but every question to the replica is answered
/// with an exception, which is noted as a fault.
pub(super) fn faults_of(controller: &mut Controller, now: Time) -> Vec<Call> {
    let mut faults = Vec::new();
    let mut could_not_claim = false;
    while controller.next_event_at().is_some_and(|at| at <= now) {
        let gone = &mut Gone::default();
        let counted_before = controller.faults().len();
        let outlived_before = controller.outlived_faults().len();
        let kind = controller.poll_event(now, gone);
        if controller.outlived_faults().len() > outlived_before {
            faults.push(Call::Fault {
                fatal: true,
                message: "the controller".to_owned(),
                cause: "crashed".to_owned(),
            });
            faults.push(fault());
            continue;
        }
        match kind {
            // The claim before it failed.
            Ok(Some(EventKind::CompleteActivation)) if could_not_claim => could_not_claim = false,
            Ok(kind) => {
                could_not_claim |= kind == Some(EventKind::HandleLeaderChange) && gone.asked.get();
                let counted = controller.faults().len() - counted_before;
                let met = counted.max(usize::from(gone.asked.get()));
                faults.extend((0..met).map(|_| fault()));
            }
            // A controller that outlives its faults never fails.
            Err(_) => break,
        }
    }
    faults
}

fn fault() -> Call {
    Call::Fault {
        fatal: false,
        message: "the controller of a process that is gone".to_owned(),
        cause: "java.lang.IllegalStateException: crashed".to_owned(),
    }
}

/// A replica whose process is gone.
#[derive(Default)]
struct Gone {
    asked: Cell<bool>,
}

impl Gone {
    fn asked<T>(&self, answer: T) -> T {
        self.asked.set(true);
        answer
    }
}

impl RaftClient for Gone {
    fn node_id(&self) -> NodeId {
        NodeId(-1)
    }

    fn leader_and_epoch(&self) -> LeaderAndEpoch {
        self.asked(LeaderAndEpoch {
            leader: None,
            epoch: 0,
        })
    }

    fn prepare_append(
        &mut self,
        _now: Time,
        _epoch: i32,
        _records: &[VersionedRecord],
    ) -> Result<i64, AppendError> {
        Err(AppendError::Unwritable {
            index: 0,
            reason: "the process is gone".to_owned(),
        })
    }

    fn schedule_prepared_append(&mut self, _now: Time) -> Result<(), AppendError> {
        Ok(())
    }

    fn resign(&mut self, _epoch: i32) -> Result<(), ResignError> {
        Ok(())
    }

    fn log_end_offset(&self) -> i64 {
        self.asked(i64::MAX)
    }

    fn high_watermark(&self) -> Option<i64> {
        self.asked(None)
    }

    fn latest_snapshot_id(&self) -> Option<OffsetAndEpoch> {
        self.asked(None)
    }

    fn kraft_version(&self) -> i16 {
        self.asked(0)
    }

    fn upgrade_kraft_version(
        &mut self,
        _now: Time,
        epoch: i32,
        _version: i16,
        _mode: UpgradeMode,
    ) -> Result<(), UpgradeError> {
        self.asked(Err(UpgradeError::NotLeader { epoch }))
    }

    fn voter_ids(&self) -> Vec<NodeId> {
        self.asked(Vec::new())
    }

    fn close_reader(&mut self, _listener: ListenerId, _next_offset: i64) {}
}
