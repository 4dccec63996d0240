//! BOOT-3.

use records::metadata::MetadataRecord;
use records::metadata::VersionedRecord;

use super::content::{records, sets_metadata_version};
use super::logs::Logs;
use super::{Invariant, Observation, Observed, ObservedActivation};
use crate::invariants::SourceKind;

/// What is committed as bootstrap is what the formatter put on the leader that wrote it, once, all or nothing.
#[derive(Clone, Debug, Default)]
pub struct BootstrapAsFormatted {
    /// The epoch of the open bootstrap transaction, and the offset it began at.
    open: Option<(i32, i64)>,
    /// Where the bootstrap that counts stands.
    done_at: Option<i64>,
    /// Epochs in which an activation wrote bootstrap records outside a transaction.
    wrote: Vec<i32>,
}

/// The name that the controller gives to its bootstrap transaction.
const TRANSACTION: &str = "Bootstrap records";

impl Invariant for BootstrapAsFormatted {
    fn id(&self) -> &'static str {
        "BOOT-3"
    }

    fn sentence(&self) -> &'static str {
        "What is committed as bootstrap equals exactly what the formatter put on the leader that wrote it, plus what \
         activation adds by the release's rule: once, all or nothing."
    }

    fn source(&self) -> &'static str {
        "KIP-1170; 4.4:metadata/src/main/java/org/apache/kafka/controller/ActivationRecordsGenerator.java"
    }

    fn observe(&mut self, _: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        match seen.what {
            Observed::Activated(activation) => self.activated(activation),
            Observed::Committed(batch) if !batch.is_control() => {
                let epoch = batch.leader_epoch();
                (batch.base_offset()..)
                    .zip(records(batch))
                    .try_for_each(|(offset, record)| self.committed(epoch, offset, &record))
            }
            _ => Ok(()),
        }
    }
}

impl BootstrapAsFormatted {
    fn activated(&mut self, activation: &ObservedActivation) -> Result<(), String> {
        if activation.source == SourceKind::None {
            return Ok(());
        }
        let begins =
            |record: &VersionedRecord| matches!(record.record, MetadataRecord::BeginTransaction(_));
        if !activation.written.iter().any(begins) {
            self.wrote.push(activation.epoch);
        }
        let bootstrap: Vec<&VersionedRecord> = activation
            .written
            .iter()
            .filter(|record| !added(record))
            .collect();
        let as_formatted = match activation.source {
            SourceKind::Default | SourceKind::Configured => {
                matches!(bootstrap.as_slice(), [only] if sets_metadata_version(only))
            }
            _ => bootstrap.iter().copied().eq(activation.formatted.iter()),
        };
        if as_formatted {
            return Ok(());
        }
        Err(format!(
            "{} bootstrap records were written in epoch {} from the {}, which holds {}",
            bootstrap.len(),
            activation.epoch,
            activation.source,
            activation.formatted.len()
        ))
    }

    fn committed(
        &mut self,
        epoch: i32,
        offset: i64,
        record: &VersionedRecord,
    ) -> Result<(), String> {
        match &record.record {
            MetadataRecord::BeginTransaction(begin) => {
                let bootstrap = begin.name.as_deref() == Some(TRANSACTION);
                self.open = bootstrap.then_some((epoch, offset));
                Ok(())
            }
            MetadataRecord::AbortTransaction(_) => {
                self.open = None;
                Ok(())
            }
            MetadataRecord::EndTransaction(_) => match self.open.take() {
                Some((_, began)) => self.done(began),
                None => Ok(()),
            },
            _ => self.inside(epoch, offset, record),
        }
    }

    /// A record that is no transaction marker.
    fn inside(&mut self, epoch: i32, offset: i64, record: &VersionedRecord) -> Result<(), String> {
        if let Some((began_in, began)) = self.open.filter(|(began_in, _)| *began_in != epoch) {
            return Err(format!(
                "the bootstrap transaction that began at offset {began} in epoch {began_in} was neither ended nor \
                 aborted before offset {offset} in epoch {epoch}"
            ));
        }
        // Outside a transaction: the atomic batch of an activation that is known to have written one.
        let atomic = self.open.is_none() && sets_metadata_version(record);
        if atomic && self.wrote.contains(&epoch) {
            self.wrote.retain(|wrote| *wrote != epoch);
            return self.done(offset);
        }
        Ok(())
    }

    fn done(&mut self, at: i64) -> Result<(), String> {
        match self.done_at.replace(at) {
            Some(first) => Err(format!(
                "bootstrap records are committed twice, at offset {first} and at offset {at}"
            )),
            None => Ok(()),
        }
    }
}

/// What activation adds to the bootstrap records by itself: transaction markers, 3.9's `ZooKeeper` state, and the
/// cluster's min.insync.replicas (4.0 and later, with eligible leader replicas on).
fn added(record: &VersionedRecord) -> bool {
    match &record.record {
        MetadataRecord::BeginTransaction(_)
        | MetadataRecord::EndTransaction(_)
        | MetadataRecord::AbortTransaction(_)
        | MetadataRecord::ZkMigrationState(_) => true,
        MetadataRecord::Config(config) => config.name == "min.insync.replicas",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Bench, abort, begin, data, end, metadata_version, no_op};
    use super::{BootstrapAsFormatted, Observed, ObservedActivation, SourceKind, VersionedRecord};

    fn activation(
        formatted: &[VersionedRecord],
        written: &[VersionedRecord],
    ) -> ObservedActivation {
        ObservedActivation {
            epoch: 1,
            source: SourceKind::LegacyFile,
            formatted: formatted.to_vec(),
            written: written.to_vec(),
            end_offset: 9,
        }
    }

    fn commits(batches: &[(i32, &[VersionedRecord])]) -> Result<(), String> {
        let mut bench = Bench::<BootstrapAsFormatted>::new();
        let mut at = 0;
        for (epoch, records) in batches {
            let batch = data(at, *epoch, records);
            at = batch.next_offset();
            bench.see(1, Observed::Appended(&batch))?;
        }
        bench.see(1, Observed::HighWatermark(at))
    }

    #[test]
    fn written_is_what_was_formatted() {
        let formatted = [metadata_version(20), metadata_version(21)];
        let [first, second] = formatted.clone();
        let mut bench = Bench::<BootstrapAsFormatted>::new();
        let mut see = |written: &[VersionedRecord]| {
            bench.see(1, Observed::Activated(&activation(&formatted, written)))
        };
        assert_eq!(
            see(&[begin(), first.clone(), second.clone(), end()]),
            Ok(())
        );
        assert_eq!(see(&[first.clone(), second.clone()]), Ok(()));
        assert!(
            see(&[begin(), first.clone(), end()]).is_err(),
            "one is missing"
        );
        assert!(
            see(&[begin(), second, first, end()]).is_err(),
            "another order"
        );
        let mut default = activation(&[], &[metadata_version(20)]);
        default.source = SourceKind::Default;
        assert_eq!(bench.see(1, Observed::Activated(&default)), Ok(()));
        default.written.push(no_op());
        assert!(bench.see(1, Observed::Activated(&default)).is_err());
    }

    #[test]
    fn once() {
        let bootstrap = [begin(), metadata_version(20), end()];
        assert_eq!(commits(&[(1, &bootstrap)]), Ok(()));
        assert!(commits(&[(1, &bootstrap), (2, &bootstrap)]).is_err());
        let cut = [begin(), metadata_version(20)];
        assert_eq!(
            commits(&[(1, &cut), (2, &[abort()]), (2, &bootstrap)]),
            Ok(())
        );
    }

    #[test]
    fn an_upgrade_later_on_is_no_bootstrap() {
        let mut bench = Bench::<BootstrapAsFormatted>::new();
        let written = [begin(), metadata_version(20), end()];
        let wrote = activation(&[metadata_version(20)], &written);
        assert_eq!(bench.see(1, Observed::Activated(&wrote)), Ok(()));
        let batches = [data(0, 1, &written), data(3, 1, &[metadata_version(21)])];
        for batch in &batches {
            assert_eq!(bench.see(1, Observed::Appended(batch)), Ok(()));
        }
        assert_eq!(bench.see(1, Observed::HighWatermark(4)), Ok(()));
    }

    #[test]
    fn all_or_nothing() {
        let cut = [begin(), metadata_version(20)];
        assert!(commits(&[(1, &cut), (2, &[no_op()])]).is_err());
    }

    #[test]
    fn an_atomic_batch_counts_too() {
        let mut bench = Bench::<BootstrapAsFormatted>::new();
        let version = [metadata_version(7)];
        for epoch in [1, 2] {
            let mut wrote = activation(&version, &version);
            wrote.epoch = epoch;
            assert_eq!(bench.see(1, Observed::Activated(&wrote)), Ok(()));
            let batch = data(i64::from(epoch) - 1, epoch, &version);
            assert_eq!(bench.see(1, Observed::Appended(&batch)), Ok(()));
        }
        assert_eq!(bench.see(1, Observed::HighWatermark(1)), Ok(()));
        assert!(bench.see(1, Observed::HighWatermark(2)).is_err());
    }
}
