//! LOG-1.

use std::collections::BTreeMap;

use records::NodeId;

use super::logs::{Logs, identity};
use super::{Invariant, Observation, Observed};

/// What a high watermark has covered is never lost or changed.
///
/// Per process: the high watermark, which does not go down, and up to where its log was compared with what is
/// committed. A new leader holds all that is committed.
#[derive(Clone, Debug, Default)]
pub struct CommittedIsKept {
    processes: BTreeMap<NodeId, ProcessState>,
}

#[derive(Clone, Copy, Debug, Default)]
struct ProcessState {
    high_watermark: Option<i64>,
    compared_to: i64,
}

impl Invariant for CommittedIsKept {
    fn id(&self) -> &'static str {
        "LOG-1"
    }

    fn sentence(&self) -> &'static str {
        "A committed record is never lost or changed; the high watermark never goes down; no truncation below it."
    }

    fn source(&self) -> &'static str {
        "Raft §5.4 (leader completeness); KIP-595; Kafka's raft simulation: MonotonicHighWatermark"
    }

    fn observe(&mut self, logs: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        let process = self.processes.entry(seen.node).or_default();
        match seen.what {
            Observed::Started | Observed::DiskReplaced => {
                *process = ProcessState::default();
                Ok(())
            }
            Observed::Truncated(end) => match process.high_watermark {
                Some(high_watermark) if end < high_watermark => Err(format!(
                    "the log was truncated to {end}, below the high watermark {high_watermark}"
                )),
                _ => Ok(()),
            },
            Observed::HighWatermark(offset) => {
                let before = process.high_watermark.replace(offset);
                if let Some(before) = before.filter(|before| *before > offset) {
                    return Err(format!(
                        "the high watermark went from {before} down to {offset}"
                    ));
                }
                let from = process.compared_to;
                process.compared_to = offset;
                compare(logs, seen.node, from, offset)
            }
            Observed::Leads(epoch) => complete(logs, seen.node, epoch),
            _ => Ok(()),
        }
    }
}

/// Whether a node's log holds what is committed, from the batch at `from` up to `end`.
fn compare(logs: &Logs, node: NodeId, from: i64, end: i64) -> Result<(), String> {
    let Some(log) = logs.of(node) else {
        return Ok(());
    };
    let mut offset = from;
    while offset < end {
        let Some(committed) = logs.committed_at(offset) else {
            return match log.batch_at(offset) {
                Some(_) => Ok(()),
                None if offset < log.end_offset() => Ok(()),
                None => Err(format!(
                    "the high watermark is {end} and the log ends at {}",
                    log.end_offset()
                )),
            };
        };
        offset = committed.next_offset();
        match log.batch_at(committed.base_offset()) {
            Some(held) if identity(&held.batch) == identity(committed) => {}
            Some(held) => {
                return Err(format!(
                    "offset {} was committed in epoch {}, and this log holds another batch of epoch {} there",
                    committed.base_offset(),
                    committed.leader_epoch(),
                    held.batch.leader_epoch()
                ));
            }
            // In front of the log start a snapshot stands for it.
            None if committed.base_offset() < log.end_offset() => {}
            None => {
                return Err(format!(
                    "offset {} was committed, and this log ends at {}",
                    committed.base_offset(),
                    log.end_offset()
                ));
            }
        }
    }
    Ok(())
}

/// Whether a new leader holds the last batch that is committed; log matching says the rest.
fn complete(logs: &Logs, node: NodeId, epoch: i32) -> Result<(), String> {
    let (Some(log), Some(last)) = (logs.of(node), logs.committed().last()) else {
        return Ok(());
    };
    if last.leader_epoch() > epoch {
        // A vote that came late made it leader of an epoch that is over: it can commit nothing.
        return Ok(());
    }
    if last.last_offset() < log.start_offset() {
        return Ok(());
    }
    let held = log.batch_at(last.last_offset());
    if held.is_some_and(|held| identity(&held.batch) == identity(last)) {
        return Ok(());
    }
    Err(format!(
        "it leads epoch {epoch} without offset {}, which was committed in epoch {}; its log ends at {}",
        last.last_offset(),
        last.leader_epoch(),
        log.end_offset()
    ))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Bench, data, metadata_version, no_op};
    use super::{CommittedIsKept, Observed};

    fn committed() -> Bench<CommittedIsKept> {
        let mut bench = Bench::new();
        for offset in 0..3 {
            let batch = data(offset, 1, &[no_op()]);
            assert_eq!(bench.see(1, Observed::Appended(&batch)), Ok(()));
            assert_eq!(bench.see(2, Observed::Appended(&batch)), Ok(()));
        }
        assert_eq!(bench.see(1, Observed::HighWatermark(2)), Ok(()));
        assert_eq!(bench.see(2, Observed::HighWatermark(1)), Ok(()));
        bench
    }

    #[test]
    fn a_leader_lacks_what_was_committed_before_it_and_not_after_it() {
        let mut bench = committed();
        let batch = data(0, 1, &[no_op()]);
        assert_eq!(bench.see(3, Observed::Appended(&batch)), Ok(()));
        assert_eq!(bench.see(3, Observed::Leads(0)), Ok(()));
        assert!(bench.see(3, Observed::Leads(2)).is_err());
    }

    #[test]
    fn a_high_watermark_that_goes_down() {
        assert!(committed().see(1, Observed::HighWatermark(1)).is_err());
        let mut again = committed();
        assert_eq!(again.see(1, Observed::Started), Ok(()));
        let batch = data(0, 1, &[no_op()]);
        assert_eq!(again.see(1, Observed::Appended(&batch)), Ok(()));
        assert_eq!(
            again.see(1, Observed::HighWatermark(1)),
            Ok(()),
            "another process"
        );
    }

    #[test]
    fn truncation_below_it() {
        assert_eq!(committed().see(1, Observed::Truncated(2)), Ok(()));
        assert!(committed().see(1, Observed::Truncated(1)).is_err());
    }

    #[test]
    fn a_leader_without_what_is_committed() {
        let mut bench = committed();
        assert_eq!(bench.see(2, Observed::Leads(2)), Ok(()));
        assert_eq!(
            bench.see(3, Observed::Appended(&data(0, 1, &[no_op()]))),
            Ok(())
        );
        assert!(bench.see(3, Observed::Leads(3)).is_err());
    }

    #[test]
    fn another_batch_where_one_was_committed() {
        let mut bench = committed();
        assert_eq!(
            bench.see(3, Observed::Appended(&data(0, 1, &[no_op()]))),
            Ok(())
        );
        let other = data(1, 2, &[metadata_version(7)]);
        assert_eq!(bench.see(3, Observed::Appended(&other)), Ok(()));
        assert!(bench.see(3, Observed::HighWatermark(2)).is_err());
    }

    #[test]
    fn a_high_watermark_past_the_log() {
        assert!(committed().see(2, Observed::HighWatermark(9)).is_err());
    }
}
