//! SNAP-1 and SNAP-2.

use releases::raft::SnapshotAlignment;

use super::logs::Logs;
use super::observation::LogBegin;
use super::{Invariant, Observation, Observed};

/// A checkpoint covers nothing that is not committed, and ends where the log has a batch's end.
#[derive(Clone, Debug, Default)]
pub struct CheckpointOfCommitted;

impl Invariant for CheckpointOfCommitted {
    fn id(&self) -> &'static str {
        "SNAP-1"
    }

    fn sentence(&self) -> &'static str {
        "A snapshot's end offset is not above the high watermark, its epoch matches the log, and where the release says \
         so it lies on a batch boundary."
    }

    fn source(&self) -> &'static str {
        "KIP-630; 4.4:raft/src/main/java/org/apache/kafka/raft/internals/KafkaRaftLog.java (createNewSnapshot)"
    }

    fn observe(&mut self, logs: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        let Observed::Checkpoint { id, alignment } = seen.what else {
            return Ok(());
        };
        if id.offset > logs.committed_end() {
            return Err(format!(
                "a snapshot ends at offset {}, and only what is before {} is committed",
                id.offset,
                logs.committed_end()
            ));
        }
        let Some(last) = logs.committed_at(id.offset - 1) else {
            return Ok(());
        };
        if last.leader_epoch() != id.epoch {
            return Err(format!(
                "a snapshot that ends at offset {} says epoch {}, and what is before it is of epoch {}",
                id.offset,
                id.epoch,
                last.leader_epoch()
            ));
        }
        if alignment == SnapshotAlignment::BatchBoundary && last.next_offset() != id.offset {
            return Err(format!(
                "a snapshot ends at offset {}, inside the batch from {} to {}",
                id.offset,
                last.base_offset(),
                last.last_offset()
            ));
        }
        Ok(())
    }
}

/// A log that does not begin at 0 has a checkpoint in front of it.
#[derive(Clone, Debug, Default)]
pub struct CheckpointAtLogStart;

impl Invariant for CheckpointAtLogStart {
    fn id(&self) -> &'static str {
        "SNAP-2"
    }

    fn sentence(&self) -> &'static str {
        "A log start offset above 0 implies a snapshot that ends there or later."
    }

    fn source(&self) -> &'static str {
        "KIP-630; Kafka's raft simulation: SnapshotAtLogStart"
    }

    fn observe(&mut self, _: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        let Observed::LogBegins(LogBegin { start, latest }) = seen.what else {
            return Ok(());
        };
        if start == 0 || latest.is_some_and(|id| id.offset >= start) {
            return Ok(());
        }
        Err(match latest {
            Some(id) => format!(
                "the log starts at offset {start}, and the latest snapshot ends at {}",
                id.offset
            ),
            None => format!("the log starts at offset {start}, and there is no snapshot"),
        })
    }
}

#[cfg(test)]
mod tests {
    use records::OffsetAndEpoch;

    use super::super::testing::{Bench, data, no_op};
    use super::*;

    fn checkpoint(offset: i64, epoch: i32, alignment: SnapshotAlignment) -> Observed<'static> {
        let id = OffsetAndEpoch { offset, epoch };
        Observed::Checkpoint { id, alignment }
    }

    #[test]
    fn of_what_is_committed_with_its_epoch_on_a_boundary() {
        use SnapshotAlignment::{AnyOffset, BatchBoundary};
        let mut bench = Bench::<CheckpointOfCommitted>::new();
        for batch in [data(0, 1, &[no_op(), no_op()]), data(2, 2, &[no_op()])] {
            assert_eq!(bench.see(1, Observed::Appended(&batch)), Ok(()));
        }
        assert!(
            bench.see(1, checkpoint(2, 1, BatchBoundary)).is_err(),
            "not committed"
        );
        assert_eq!(bench.see(1, Observed::HighWatermark(3)), Ok(()));
        assert_eq!(bench.see(1, checkpoint(2, 1, BatchBoundary)), Ok(()));
        assert!(
            bench.see(1, checkpoint(2, 2, BatchBoundary)).is_err(),
            "the epoch"
        );
        assert!(
            bench.see(1, checkpoint(1, 1, BatchBoundary)).is_err(),
            "within a batch"
        );
        assert_eq!(bench.see(1, checkpoint(1, 1, AnyOffset)), Ok(()));
    }

    #[test]
    fn a_log_start_without_a_snapshot() {
        let mut bench = Bench::<CheckpointAtLogStart>::new();
        let mut begins = |start, offset: Option<i64>| {
            let latest = offset.map(|offset| OffsetAndEpoch { offset, epoch: 1 });
            bench.see(1, Observed::LogBegins(LogBegin { start, latest }))
        };
        assert_eq!(begins(0, None), Ok(()));
        assert!(begins(4, None).is_err());
        assert!(begins(4, Some(3)).is_err());
        assert_eq!(begins(4, Some(4)), Ok(()));
    }
}
