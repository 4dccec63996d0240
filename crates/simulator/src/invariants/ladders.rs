//! Folds of what is committed, to compare with what nodes know.

use std::collections::BTreeMap;

use image::{Delta, Dialect, MetadataImage};
use raft_log::batch::Batch;
use records::metadata::MetadataRecord;

use super::content::records;
use super::observation::{KnownUpTo, Observed};

/// The result of the fold at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rung {
    /// The hash of the image.
    Hash(u64),
    /// A transaction is open there: nobody sees an image of it.
    InsideTransaction,
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

impl Ladders {
    /// The fold up to what is known; `None` where there is nothing to compare with.
    pub(super) fn rung(&self, known: &KnownUpTo<'_>) -> Option<Rung> {
        let ladder = self
            .of
            .get(known.rules.release.name())
            .filter(|_| !self.off)?;
        let hash = ladder.rungs.get(&known.offset);
        Some(hash.map_or(Rung::InsideTransaction, |hash| Rung::Hash(*hash)))
    }

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
