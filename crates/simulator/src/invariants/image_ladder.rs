//! SNAP-3, TXN-1 and BOOT-2: what nodes know, against a fold of what is committed.

use std::collections::BTreeMap;

use image::{Delta, Dialect, MetadataImage};
use raft_log::batch::Batch;
use records::metadata::MetadataRecord;
use releases::Rules;

use super::logs::Logs;
use super::metadata_version_first::records;
use super::{Invariant, Observation, Observed};

/// Something that a node knows, and up to where.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The last offset it contains; −1 of nothing.
    pub offset: i64,
    /// The hash of the image.
    pub hash: u64,
    /// The rules of the release that folded it.
    pub rules: &'a Rules,
}

/// Folds of the committed log, one per release that runs: they differ in a few records.
#[derive(Clone, Debug, Default)]
pub(super) struct Ladders {
    of: BTreeMap<&'static str, Ladder>,
    /// Nodes took records from a place that is not the log, as releases up to 4.2 do from a newer tool's zero
    /// checkpoint: there is nothing to compare with.
    off: bool,
}

/// The fold of the committed log as one release makes it: a rung per offset outside of transactions.
#[derive(Clone, Debug, Default)]
struct Ladder {
    image: MetadataImage,
    /// The image before the open transaction.
    before: Option<MetadataImage>,
    rungs: BTreeMap<i64, u64>,
    /// How many committed batches are folded.
    folded: usize,
}

/// SNAP-3 (`K` = 3), TXN-1 (1), BOOT-2 (2): one fold, asked three ways.
#[derive(Clone, Debug, Default)]
pub struct ImageLadder<const K: u8>;

impl<const K: u8> Invariant for ImageLadder<K> {
    fn id(&self) -> &'static str {
        match K {
            1 => "TXN-1",
            2 => "BOOT-2",
            _ => "SNAP-3",
        }
    }

    fn sentence(&self) -> &'static str {
        match K {
            1 => {
                "No image between the begin and the end or abort of a metadata transaction is visible to anyone but the active controller."
            }
            2 => {
                "A controller's stable memory is a replay of what is committed; nothing from an uncommitted or local-only file is treated as committed."
            }
            _ => {
                "The image of a snapshot and what follows it is the image of the whole log, on every node and at every committed offset."
            }
        }
    }

    fn source(&self) -> &'static str {
        match K {
            1 => {
                "KIP-866; 4.4:metadata/src/main/java/org/apache/kafka/image/loader/MetadataBatchLoader.java"
            }
            2 => "4.4:metadata/src/main/java/org/apache/kafka/controller/OffsetControlManager.java",
            _ => "KIP-630; Kafka's raft simulation: ConsistentCommittedData",
        }
    }

    fn observe(&mut self, logs: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        match (K, seen.what) {
            (1 | 3, Observed::Image(known)) | (2, Observed::Stable(known)) => {
                Self::compare(logs, &known)
            }
            _ => Ok(()),
        }
    }
}

impl<const K: u8> ImageLadder<K> {
    fn compare(logs: &Logs, known: &Known<'_>) -> Result<(), String> {
        let from_the_beginning = logs
            .committed()
            .first()
            .is_none_or(|first| first.base_offset() == 0);
        let ladders = logs.ladders();
        let within = known.offset >= 0 && known.offset < logs.committed_end();
        let ladder = ladders.of.get(known.rules.release.name());
        let Some(ladder) = ladder.filter(|_| !ladders.off && from_the_beginning && within) else {
            return Ok(());
        };
        match (K, ladder.rungs.get(&known.offset)) {
            (1, None) => Err(format!(
                "the image at offset {} is from inside a transaction",
                known.offset
            )),
            (2 | 3, Some(hash)) if *hash != known.hash => Err(format!(
                "what is known at offset {} is not what a replay of the committed log comes to",
                known.offset
            )),
            _ => Ok(()),
        }
    }
}

impl Ladders {
    /// Takes in what happened, with all that is committed by now.
    pub(super) fn observe(&mut self, committed: &[Batch], what: &Observed<'_>) {
        match what {
            Observed::RecordsFromZeroCheckpoint => self.off = true,
            Observed::Image(known) | Observed::Stable(known) => {
                let ladder = self.of.entry(known.rules.release.name()).or_default();
                ladder.climb(committed, &Dialect::of(known.rules));
            }
            _ => {}
        }
    }
}

impl Ladder {
    /// Folds what was committed since the last time.
    fn climb(&mut self, committed: &[Batch], dialect: &Dialect) {
        for batch in committed.get(self.folded..).unwrap_or_default() {
            self.fold(batch, dialect);
        }
        self.folded = committed.len();
    }

    fn fold(&mut self, batch: &Batch, dialect: &Dialect) {
        if batch.is_control() {
            self.rung(batch.last_offset());
            return;
        }
        for (offset, record) in (batch.base_offset()..).zip(records(batch)) {
            match &record.record {
                MetadataRecord::BeginTransaction(_) => self.before = Some(self.image.clone()),
                MetadataRecord::EndTransaction(_) => self.before = None,
                MetadataRecord::AbortTransaction(_) => {
                    if let Some(before) = self.before.take() {
                        self.image = before;
                    }
                }
                _ => {
                    // What does not apply is the business of the node that ends by it.
                    let _ = self.image.apply(&record, dialect, &mut Delta::default());
                }
            }
            self.rung(offset);
        }
    }

    fn rung(&mut self, offset: i64) {
        if self.before.is_none() {
            self.rungs.insert(offset, self.image.hash());
        }
    }
}

#[cfg(test)]
mod tests {
    use releases::Release;

    use super::super::testing::{Bench, abort, begin, data, end, metadata_version, no_op};
    use super::{Dialect, ImageLadder, Known, Ladder, Observed};
    use records::metadata::VersionedRecord;

    fn log() -> [VersionedRecord; 6] {
        [
            metadata_version(20),
            begin(),
            metadata_version(21),
            abort(),
            begin(),
            end(),
        ]
    }

    fn bench<const K: u8>() -> Bench<ImageLadder<K>> {
        let mut bench = Bench::new();
        for (offset, record) in (0..).zip(log()) {
            let batch = data(offset, 1, &[record]);
            bench.see(1, Observed::Appended(&batch)).unwrap();
        }
        bench.see(1, Observed::HighWatermark(6)).unwrap();
        bench
    }

    /// The hash of the image of these records.
    fn hash_of(records: &[VersionedRecord]) -> u64 {
        let mut ladder = Ladder::default();
        let committed = [data(0, 1, records)];
        ladder.climb(&committed, &Dialect::of(&Release::V4_0_2.rules()));
        ladder.image.hash()
    }

    #[test]
    fn an_image_that_is_not_the_fold() {
        let rules = Release::V4_0_2.rules();
        let (right, wrong) = (
            hash_of(&[metadata_version(20)]),
            hash_of(&[metadata_version(21)]),
        );
        assert_ne!(right, wrong);
        let known = |offset, hash| Known {
            offset,
            hash,
            rules: &rules,
        };
        let mut snapshots = bench::<3>();
        assert_eq!(snapshots.see(2, Observed::Image(known(0, right))), Ok(()));
        assert_eq!(snapshots.see(2, Observed::Image(known(3, right))), Ok(()));
        assert!(snapshots.see(2, Observed::Image(known(3, wrong))).is_err());
        let mut stable = bench::<2>();
        assert_eq!(stable.see(2, Observed::Stable(known(5, right))), Ok(()));
        assert!(stable.see(2, Observed::Stable(known(5, wrong))).is_err());
    }

    #[test]
    fn an_image_from_inside_a_transaction() {
        let rules = Release::V4_0_2.rules();
        let hash = hash_of(&[no_op()]);
        let known = |offset| Known {
            offset,
            hash,
            rules: &rules,
        };
        let mut bench = bench::<1>();
        assert!(bench.see(2, Observed::Image(known(2))).is_err());
        assert_eq!(bench.see(2, Observed::Image(known(3))), Ok(()));
    }
}
