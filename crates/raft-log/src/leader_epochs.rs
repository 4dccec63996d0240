//! `leader-epoch-checkpoint`: at which offset each leader's epoch begins.

use bytes::Bytes;

use crate::Corrupt;
use crate::text::{lines, number, quoted};

/// Name of the file in the partition's directory.
pub const FILE_NAME: &str = "leader-epoch-checkpoint";

/// An epoch and the offset of its first record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EpochEntry {
    pub epoch: i32,
    /// Offset of the first record that its leader wrote.
    pub start_offset: i64,
}

/// The entries of a `leader-epoch-checkpoint`, as they stand there.
pub fn parse(file: &str, bytes: &Bytes) -> Result<Vec<EpochEntry>, Corrupt> {
    let lines = lines(file, bytes)?;
    let mut lines = lines.into_iter();
    let Some(version) = lines.next() else {
        return Ok(Vec::new());
    };
    let found: i32 = number(file, version.position, "the version", version.text)?;
    if found != 0 {
        return Err(Corrupt::invalid(file, 0, "version 0", found.to_string()));
    }
    let Some(count) = lines.next() else {
        return Ok(Vec::new());
    };
    let expected: i32 = number(file, count.position, "the number of entries", count.text)?;
    let mut entries = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.text.split_ascii_whitespace().collect();
        let [epoch, offset] = words[..] else {
            let expected = "an epoch and its start offset";
            return Err(Corrupt::invalid(
                file,
                line.position as u64,
                expected,
                quoted(line.text),
            ));
        };
        let epoch = number(file, line.position, "the epoch", epoch)?;
        let start_offset = number(file, line.position, "the start offset", offset)?;
        if epoch < 0 || start_offset < 0 {
            let expected = "an epoch and an offset of 0 or more";
            return Err(Corrupt::invalid(
                file,
                line.position as u64,
                expected,
                quoted(line.text),
            ));
        }
        entries.push(EpochEntry {
            epoch,
            start_offset,
        });
    }
    if i32::try_from(entries.len()) != Ok(expected) {
        let found = entries.len().to_string();
        let expected = format!("the {} entries that follow", entries.len());
        return Err(
            Corrupt::invalid(file, count.position as u64, expected, found).counting(count.text),
        );
    }
    Ok(entries)
}

/// The file's content for these entries.
pub fn to_bytes(entries: &[EpochEntry]) -> Bytes {
    let lines = entries
        .iter()
        .map(|entry| format!("{} {}\n", entry.epoch, entry.start_offset));
    Bytes::from(format!(
        "0\n{}\n{}",
        entries.len(),
        lines.collect::<String>()
    ))
}

/// The epochs of a log in ascending order, epochs and start offsets both strictly rising
/// (4.4:storage/…/LeaderEpochFileCache.java).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeaderEpochs {
    entries: Vec<EpochEntry>,
}

/// Whether an operation changed the entries, so that the file must be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Changed {
    /// The file no longer says what the entries say.
    Yes,
    No,
}

impl LeaderEpochs {
    /// Takes over the entries of a file, in their order: a later one displaces those that it contradicts.
    pub fn from_entries(entries: impl IntoIterator<Item = EpochEntry>) -> LeaderEpochs {
        let mut epochs = LeaderEpochs::default();
        for entry in entries {
            let _ = epochs.assign(entry.epoch, entry.start_offset);
        }
        epochs
    }

    /// The entries in ascending order.
    pub fn entries(&self) -> &[EpochEntry] {
        &self.entries
    }

    /// The last epoch that has records.
    pub fn latest(&self) -> Option<EpochEntry> {
        self.entries.last().copied()
    }

    /// The first epoch that has records.
    pub fn earliest(&self) -> Option<EpochEntry> {
        self.entries.first().copied()
    }

    /// Notes that `epoch` begins at `start_offset`. Nothing changes where the latest entry already says as much;
    /// entries that would no longer rise towards the new one are removed.
    pub fn assign(&mut self, epoch: i32, start_offset: i64) -> Changed {
        if let Some(latest) = self.latest()
            && latest.epoch == epoch
            && start_offset >= latest.start_offset
        {
            return Changed::No;
        }
        while self
            .latest()
            .is_some_and(|entry| entry.epoch >= epoch || entry.start_offset >= start_offset)
        {
            self.entries.pop();
        }
        self.entries.push(EpochEntry {
            epoch,
            start_offset,
        });
        Changed::Yes
    }

    /// Forgets epochs that begin at `end_offset` or later.
    pub fn truncate_from_end(&mut self, end_offset: i64) -> Changed {
        let before = self.entries.len();
        self.entries.retain(|entry| entry.start_offset < end_offset);
        if self.entries.len() == before {
            Changed::No
        } else {
            Changed::Yes
        }
    }

    /// Forgets epochs that ended before `start_offset`; the one that covers it now begins there.
    pub fn truncate_from_start(&mut self, start_offset: i64) -> Changed {
        let ended = self
            .entries
            .partition_point(|entry| entry.start_offset <= start_offset);
        if ended == 0 {
            return Changed::No;
        }
        let before = self.entries[0];
        self.entries.drain(..ended - 1);
        self.entries[0].start_offset = start_offset;
        if ended == 1 && self.entries[0] == before {
            Changed::No
        } else {
            Changed::Yes
        }
    }

    /// Removes all entries.
    pub fn clear(&mut self) -> Changed {
        if self.entries.is_empty() {
            return Changed::No;
        }
        self.entries.clear();
        Changed::Yes
    }

    /// The largest epoch up to `epoch` and its exclusive end offset; `None` where every known epoch is smaller.
    /// An epoch below all known ones ends, under its own number, where the first known one begins.
    pub fn end_offset_for(&self, epoch: i32, log_end_offset: i64) -> Option<EpochEnd> {
        if self.latest()?.epoch == epoch {
            return Some(EpochEnd {
                epoch,
                end_offset: log_end_offset,
            });
        }
        let above = self.entries.partition_point(|entry| entry.epoch <= epoch);
        let end_offset = self.entries.get(above)?.start_offset;
        let found = above
            .checked_sub(1)
            .map_or(epoch, |at| self.entries[at].epoch);
        Some(EpochEnd {
            epoch: found,
            end_offset,
        })
    }

    /// The epoch of the record at `offset`; `None` before the first known epoch.
    pub fn epoch_at(&self, offset: i64) -> Option<i32> {
        let above = self
            .entries
            .partition_point(|entry| entry.start_offset <= offset);
        above.checked_sub(1).map(|at| self.entries[at].epoch)
    }
}

/// An epoch and the offset after its last record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EpochEnd {
    pub epoch: i32,
    /// Offset after its last record.
    pub end_offset: i64,
}

impl Corrupt {
    /// A count that does not agree with what follows: what was found is the count.
    fn counting(self, text: &str) -> Corrupt {
        Corrupt {
            found: quoted(text),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(epoch: i32, start_offset: i64) -> EpochEntry {
        EpochEntry {
            epoch,
            start_offset,
        }
    }

    fn read(text: &str) -> Result<Vec<EpochEntry>, Corrupt> {
        parse(
            "leader-epoch-checkpoint",
            &Bytes::copy_from_slice(text.as_bytes()),
        )
    }

    #[test]
    fn files_are_read_and_rewritten() {
        for text in ["0\n0\n", "0\n1\n1 0\n", "0\n2\n1 0\n2 19\n"] {
            assert_eq!(to_bytes(&read(text).unwrap()), text);
        }
        assert_eq!(read("").unwrap(), []);
        assert_eq!(read("0\n").unwrap(), []);
        assert_eq!(read("0\n1\n7 12").unwrap(), [entry(7, 12)]);
    }

    #[test]
    fn damage_is_named_and_placed() {
        for (text, position) in [
            ("x", 0),
            ("1\n0\n", 0),
            ("0\nx\n", 2),
            ("0\n2\n1 0\n", 2),
            ("0\n1\n1\n", 4),
            ("0\n1\n1 x\n", 4),
            ("0\n1\n-1 0\n", 4),
            ("0\n99999999999\n", 2),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.position, position, "{text:?}: {error}");
        }
    }

    #[test]
    fn a_contradicted_entry_goes() {
        let mut epochs = LeaderEpochs::from_entries([entry(1, 0), entry(2, 10), entry(4, 20)]);
        assert_eq!(epochs.assign(4, 25), Changed::No);
        assert_eq!(epochs.assign(5, 20), Changed::Yes);
        assert_eq!(epochs.entries(), [entry(1, 0), entry(2, 10), entry(5, 20)]);
        assert_eq!(epochs.assign(2, 8), Changed::Yes);
        assert_eq!(epochs.entries(), [entry(1, 0), entry(2, 8)]);
    }

    #[test]
    fn ends_of_epochs() {
        let epochs = LeaderEpochs::from_entries([entry(2, 5), entry(4, 10), entry(7, 20)]);
        let end = |epoch, end_offset| Some(EpochEnd { epoch, end_offset });
        assert_eq!(epochs.end_offset_for(1, 30), end(1, 5));
        assert_eq!(epochs.end_offset_for(2, 30), end(2, 10));
        assert_eq!(epochs.end_offset_for(5, 30), end(4, 20));
        assert_eq!(epochs.end_offset_for(7, 30), end(7, 30));
        assert_eq!(epochs.end_offset_for(8, 30), None);
        assert_eq!(LeaderEpochs::default().end_offset_for(1, 30), None);
        assert_eq!(epochs.epoch_at(4), None);
        assert_eq!(epochs.epoch_at(19), Some(4));
        assert_eq!(epochs.epoch_at(20), Some(7));
    }

    #[test]
    fn truncation_at_both_ends() {
        let mut epochs = LeaderEpochs::from_entries([entry(2, 5), entry(4, 10), entry(7, 20)]);
        assert_eq!(epochs.truncate_from_start(4), Changed::No);
        assert_eq!(epochs.truncate_from_start(12), Changed::Yes);
        assert_eq!(epochs.entries(), [entry(4, 12), entry(7, 20)]);
        assert_eq!(epochs.truncate_from_start(12), Changed::No);
        assert_eq!(epochs.truncate_from_end(21), Changed::No);
        assert_eq!(epochs.truncate_from_end(20), Changed::Yes);
        assert_eq!(epochs.entries(), [entry(4, 12)]);
        assert_eq!(epochs.clear(), Changed::Yes);
        assert_eq!(epochs.clear(), Changed::No);
    }

    proptest! {
        /// The naive model: a log as a list of epochs, one a record.
        #[test]
        fn entries_agree_with_a_log_of_epochs(steps in proptest::collection::vec((1..4_i32, 1..5_usize, 0..3_usize), 1..12)) {
            let mut log: Vec<i32> = Vec::new();
            let mut epochs = LeaderEpochs::default();
            let mut epoch = 0;
            for (rise, appended, cut) in steps {
                epoch += rise;
                log.truncate(log.len() - cut.min(log.len()));
                let _ = epochs.truncate_from_end(log.len() as i64);
                let _ = epochs.assign(epoch, log.len() as i64);
                log.resize(log.len() + appended, epoch);
            }
            for (offset, epoch) in log.iter().enumerate() {
                prop_assert_eq!(epochs.epoch_at(offset as i64), Some(*epoch));
            }
            for asked in 0..=epoch {
                let end = log.iter().position(|epoch| *epoch > asked).unwrap_or(log.len());
                let last = log[..end].last().copied().unwrap_or(asked);
                let expected = Some(EpochEnd { epoch: last, end_offset: end as i64 });
                prop_assert_eq!(epochs.end_offset_for(asked, log.len() as i64), expected);
            }
        }
    }
}
