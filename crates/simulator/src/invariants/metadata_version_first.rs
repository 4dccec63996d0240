//! BOOT-1.

use std::collections::BTreeMap;

use raft_log::batch::Batch;
use records::NodeId;
use records::metadata::MetadataRecord;
use records::metadata::VersionedRecord;

use super::content::{records, sets_metadata_version};
use super::logs::Logs;
use super::observation::SnapshotContent;
use super::{Invariant, Observation, Observed};

/// The committed metadata names its metadata.version first.
///
/// Follows the committed records: which of them are in an open transaction, and whether a metadata.version has been
/// set. An activation is judged once everything that it wrote is committed.
#[derive(Clone, Debug, Default)]
pub struct MetadataVersionFirst {
    known: bool,
    open: Option<Open>,
    /// How many committed batches have been followed.
    told: usize,
    /// Nodes whose controller was handed a snapshot that names a metadata.version.
    by_snapshot: BTreeMap<NodeId, SnapshotContent>,
    /// Nodes with an activation that is not judged yet: epoch, and the log end behind it.
    waiting: BTreeMap<NodeId, (i32, i64)>,
}

/// What an open transaction would do.
#[derive(Clone, Debug, Default)]
struct Open {
    known: bool,
    problem: Option<String>,
}

impl Invariant for MetadataVersionFirst {
    fn id(&self) -> &'static str {
        "BOOT-1"
    }

    fn sentence(&self) -> &'static str {
        "Once a controller is active and its first write is committed, the committed log or snapshot holds a \
         metadata.version record, and no other data record comes before it."
    }

    fn source(&self) -> &'static str {
        "KIP-778; 4.4:metadata/src/main/java/org/apache/kafka/controller/ActivationRecordsGenerator.java; KAFKA-20839"
    }

    fn observe(&mut self, logs: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        match seen.what {
            Observed::Started => {
                self.by_snapshot.remove(&seen.node);
                self.waiting.remove(&seen.node);
                Ok(())
            }
            Observed::SnapshotLoaded(content) => {
                self.by_snapshot.insert(seen.node, content);
                Ok(())
            }
            Observed::Activated(activation) => {
                self.waiting
                    .insert(seen.node, (activation.epoch, activation.end_offset));
                self.judge(logs, seen.node)
            }
            Observed::Committed(batch) => self.committed(seen.node, batch),
            Observed::HighWatermark(_) => self.judge(logs, seen.node),
            Observed::Truncated(_) => {
                // It lost what its activation wrote, or is about to: not its first write any more.
                self.waiting.remove(&seen.node);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl MetadataVersionFirst {
    fn knows(&self, node: NodeId) -> bool {
        let by_snapshot = self.by_snapshot.get(&node);
        self.known || by_snapshot == Some(&SnapshotContent::WithMetadataVersion)
    }

    /// Judges a node's activation once its own high watermark has passed it.
    fn judge(&mut self, logs: &Logs, node: NodeId) -> Result<(), String> {
        let Some((epoch, end_offset)) = self.waiting.get(&node).copied() else {
            return Ok(());
        };
        let high_watermark = logs
            .of(node)
            .and_then(super::logs::ReplicaLog::high_watermark);
        if high_watermark.is_none_or(|high_watermark| high_watermark < end_offset) {
            return Ok(());
        }
        // The batches below this high watermark are told right after it.
        let untold = &logs.committed()[self.told..];
        let untold = untold.iter().any(tells);
        self.waiting.remove(&node);
        if untold || self.knows(node) {
            return Ok(());
        }
        Err(format!(
            "it is active in epoch {epoch}, all that it wrote is committed up to offset {end_offset}, and the \
             committed log has no metadata.version"
        ))
    }

    fn committed(&mut self, node: NodeId, batch: &Batch) -> Result<(), String> {
        self.told += 1;
        if batch.is_control() {
            return Ok(());
        }
        let records = records(batch);
        (batch.base_offset()..)
            .zip(&records)
            .try_for_each(|(offset, record)| self.record(node, offset, record))
    }

    fn record(
        &mut self,
        node: NodeId,
        offset: i64,
        record: &VersionedRecord,
    ) -> Result<(), String> {
        match &record.record {
            MetadataRecord::BeginTransaction(_) => self.open = Some(Open::default()),
            MetadataRecord::AbortTransaction(_) => self.open = None,
            MetadataRecord::EndTransaction(_) => {
                let open = self.open.take().unwrap_or_default();
                self.known |= open.known;
                return open.problem.map_or(Ok(()), Err);
            }
            other => {
                let known = self.knows(node) || self.open.as_ref().is_some_and(|open| open.known);
                let sets = sets_metadata_version(record);
                let problem = (!known && !sets).then(|| {
                    let name = other.kind().name();
                    format!("{name} at offset {offset} is committed before any metadata.version")
                });
                if let Some(open) = &mut self.open {
                    open.known |= sets;
                    open.problem = open.problem.take().or(problem);
                } else {
                    self.known |= sets;
                    return problem.map_or(Ok(()), Err);
                }
            }
        }
        Ok(())
    }
}

/// Whether a batch sets metadata.version.
fn tells(batch: &Batch) -> bool {
    !batch.is_control() && records(batch).iter().any(sets_metadata_version)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Bench, abort, begin, data, end, metadata_version, no_op};
    use super::super::{Observed, ObservedActivation};
    use super::{MetadataVersionFirst, SnapshotContent};
    use crate::invariants::SourceKind;
    use records::metadata::VersionedRecord;

    fn active(end_offset: i64) -> ObservedActivation {
        ObservedActivation {
            epoch: 1,
            source: SourceKind::None,
            formatted: Vec::new(),
            written: Vec::new(),
            end_offset,
        }
    }

    /// One node appends and commits these batches.
    fn committed(
        batches: &[&[VersionedRecord]],
    ) -> (Bench<MetadataVersionFirst>, Result<(), String>) {
        let mut bench = Bench::new();
        let mut at = 0;
        for records in batches {
            let batch = data(at, 1, records);
            at = batch.next_offset();
            assert_eq!(bench.see(1, Observed::Appended(&batch)), Ok(()));
        }
        let outcome = bench.see(1, Observed::HighWatermark(at));
        (bench, outcome)
    }

    #[test]
    fn active_over_a_log_without_metadata_version() {
        let (mut bench, outcome) = committed(&[]);
        assert_eq!(outcome, Ok(()));
        assert!(bench.see(1, Observed::Activated(&active(0))).is_err());
    }

    #[test]
    fn not_judged_before_its_first_write_is_committed() {
        let mut bench = Bench::<MetadataVersionFirst>::new();
        let batch = data(0, 1, &[metadata_version(20)]);
        assert_eq!(bench.see(1, Observed::Appended(&batch)), Ok(()));
        assert_eq!(bench.see(1, Observed::Activated(&active(1))), Ok(()));
        assert_eq!(bench.see(1, Observed::HighWatermark(0)), Ok(()));
        assert_eq!(bench.see(1, Observed::HighWatermark(1)), Ok(()));
    }

    #[test]
    fn another_record_comes_first() {
        assert!(committed(&[&[no_op()]]).1.is_err());
        assert!(
            committed(&[&[begin(), no_op(), metadata_version(20), end()]])
                .1
                .is_err()
        );
        let cut = committed(&[
            &[begin(), no_op(), abort()],
            &[metadata_version(20), no_op()],
        ]);
        assert_eq!(
            cut.1,
            Ok(()),
            "what an aborted transaction held does not count"
        );
    }

    #[test]
    fn an_aborted_transaction_sets_nothing() {
        let (mut bench, outcome) = committed(&[&[begin(), metadata_version(20), abort()]]);
        assert_eq!(outcome, Ok(()));
        assert!(bench.see(1, Observed::HighWatermark(3)).is_ok());
        assert!(
            committed(&[&[begin(), metadata_version(20), abort()], &[no_op()]])
                .1
                .is_err()
        );
    }

    #[test]
    fn a_snapshot_may_hold_it() {
        let mut bench = Bench::<MetadataVersionFirst>::new();
        let with = SnapshotContent::WithMetadataVersion;
        assert_eq!(bench.see(1, Observed::SnapshotLoaded(with)), Ok(()));
        assert_eq!(bench.see(1, Observed::HighWatermark(0)), Ok(()));
        assert_eq!(bench.see(1, Observed::Activated(&active(0))), Ok(()));
    }
}
