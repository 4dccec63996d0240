//! FEAT-2, of what is written.

use raft_log::batch::Batch;
use records::control::ControlRecord;
use records::feature::{Line, MetadataVersion};
use records::metadata::{MetadataRecord, VersionedRecord, record_version_for};

use super::content::records;
use super::logs::Logs;
use super::{Invariant, Observation, Observed};

/// No record is committed in a version that the metadata.version before it does not know, and no voter set while
/// kraft.version is 0.
#[derive(Clone, Debug, Default)]
pub struct VersionsAllowed {
    /// The finalized level; 0 before it is known.
    metadata_version: i16,
    /// What it was before the open transaction.
    before: Option<i16>,
    kraft_version: i16,
}

impl Invariant for VersionsAllowed {
    fn id(&self) -> &'static str {
        "FEAT-2"
    }

    fn sentence(&self) -> &'static str {
        "No record version is written that the finalized metadata.version or kraft.version forbids."
    }

    fn source(&self) -> &'static str {
        "KIP-584; KIP-853; 4.4:server-common/src/main/java/org/apache/kafka/server/common/MetadataVersion.java"
    }

    fn observe(&mut self, logs: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        match seen.what {
            Observed::Committed(batch) if batch.is_control() => self.control(logs, batch),
            Observed::Committed(batch) => (batch.base_offset()..)
                .zip(records(batch))
                .try_for_each(|(offset, record)| self.data(offset, &record)),
            _ => Ok(()),
        }
    }
}

impl VersionsAllowed {
    fn control(&mut self, logs: &Logs, batch: &Batch) -> Result<(), String> {
        for record in batch.control_records().unwrap_or_default() {
            match record {
                ControlRecord::KRaftVersion(version) => self.kraft_version = version.kraft_version,
                ControlRecord::KRaftVoters(_) if self.kraft_version == 0 => {
                    // A log that begins later may have been told before.
                    let whole = logs.committed_at(0).is_some();
                    if whole {
                        return Err(format!(
                            "a voter set is committed at offset {}, and kraft.version is 0",
                            batch.last_offset()
                        ));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn data(&mut self, offset: i64, record: &VersionedRecord) -> Result<(), String> {
        if self.metadata_version > 0 {
            let version = MetadataVersion(self.metadata_version);
            let kind = record.record.kind();
            let of_lines = |version| {
                Line::ALL
                    .into_iter()
                    .filter_map(move |line| record_version_for(line, kind, version))
                    .max()
            };
            let ever = of_lines(MetadataVersion(i16::MAX)).is_some();
            let most = of_lines(version);
            if ever && most.is_none_or(|most| record.version > most) {
                return Err(format!(
                    "a {} of version {} is committed at offset {offset}, and metadata.version {} {}",
                    kind.name(),
                    record.version,
                    version.0,
                    most.map_or("has none".to_owned(), |most| format!("goes up to {most}"))
                ));
            }
        }
        match &record.record {
            MetadataRecord::BeginTransaction(_) => self.before = Some(self.metadata_version),
            MetadataRecord::EndTransaction(_) => self.before = None,
            MetadataRecord::AbortTransaction(_) => {
                if let Some(before) = self.before.take() {
                    self.metadata_version = before;
                }
            }
            MetadataRecord::FeatureLevel(feature) if feature.name == "metadata.version" => {
                self.metadata_version = feature.feature_level;
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Bench, begin, data, metadata_version, no_op, voters};
    use super::{Observed, VersionsAllowed};

    #[test]
    fn a_version_that_is_not_known_yet() {
        for (level, holds) in [(13, true), (12, false)] {
            let mut bench = Bench::<VersionsAllowed>::new();
            let batch = data(0, 1, &[metadata_version(level), no_op(), begin()]);
            assert_eq!(bench.see(1, Observed::Appended(&batch)), Ok(()));
            let seen = bench.see(1, Observed::HighWatermark(3));
            assert_eq!(
                seen.is_ok(),
                holds,
                "transactions came with level 13: {seen:?}"
            );
        }
    }

    #[test]
    fn a_voter_set_without_kraft_version() {
        let mut bench = Bench::<VersionsAllowed>::new();
        assert_eq!(
            bench.see(1, Observed::Appended(&voters(0, 1, &[1]))),
            Ok(())
        );
        assert!(bench.see(1, Observed::HighWatermark(1)).is_err());
    }
}
