//! SNAP-3, TXN-1 and BOOT-2: what nodes know, against a fold of what is committed.

use super::ladders::Rung;
use super::logs::Logs;
use super::observation::KnownUpTo;
use super::{Invariant, Observation, Observed};

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
    fn compare(logs: &Logs, known: &KnownUpTo<'_>) -> Result<(), String> {
        let from_the_beginning = logs
            .committed()
            .first()
            .is_none_or(|first| first.base_offset() == 0);
        if !from_the_beginning || known.offset < 0 || known.offset >= logs.committed_end() {
            return Ok(());
        }
        let Some(rung) = logs.ladders().rung(known) else {
            return Ok(());
        };
        match (K, rung) {
            (1, Rung::InsideTransaction) => Err(format!(
                "the image at offset {} is from inside a transaction",
                known.offset
            )),
            (2 | 3, Rung::Hash(hash)) if hash != known.hash => Err(format!(
                "what is known at offset {} is not what a replay of the committed log gives",
                known.offset
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use releases::Release;

    use super::super::testing::{Bench, abort, begin, data, end, metadata_version, no_op};
    use super::{ImageLadder, KnownUpTo, Observed};
    use image::{Delta, Dialect, MetadataImage};
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
        let mut image = MetadataImage::default();
        let dialect = Dialect::of(&Release::V4_0_2.rules());
        for record in records {
            image
                .apply(record, &dialect, &mut Delta::default())
                .unwrap();
        }
        image.hash()
    }

    #[test]
    fn an_image_that_is_not_the_fold() {
        let rules = Release::V4_0_2.rules();
        let (right, wrong) = (
            hash_of(&[metadata_version(20)]),
            hash_of(&[metadata_version(21)]),
        );
        assert_ne!(right, wrong);
        let known = |offset, hash| KnownUpTo {
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
        let known = |offset| KnownUpTo {
            offset,
            hash,
            rules: &rules,
        };
        let mut bench = bench::<1>();
        assert!(bench.see(2, Observed::Image(known(2))).is_err());
        assert_eq!(bench.see(2, Observed::Image(known(3))), Ok(()));
    }
}
