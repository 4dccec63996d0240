//! Names of checkpoint files (4.4:raft/…/snapshot/Snapshots.java).

use records::OffsetAndEpoch;

const SUFFIX: &str = ".checkpoint";
const PARTIAL_SUFFIX: &str = ".checkpoint.part";
const DELETED_SUFFIX: &str = ".checkpoint.deleted";
const OFFSET_DIGITS: usize = 20;
const EPOCH_DIGITS: usize = 10;

/// How far a checkpoint file has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SnapshotState {
    /// Being written: `.checkpoint.part`.
    Partial,
    /// Whole: `.checkpoint`.
    Frozen,
    /// Waiting to be removed: `.checkpoint.deleted`.
    Deleted,
}

/// What the name of a checkpoint file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotName {
    /// End offset (exclusive) and epoch of the last record.
    pub id: OffsetAndEpoch,
    /// How far it has come.
    pub state: SnapshotState,
}

/// A name that ends like a checkpoint's and does not begin like one. Kafka dies of it when it opens the directory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{name}: the name of a checkpoint begins with {OFFSET_DIGITS} digits, one character and {EPOCH_DIGITS} digits: \
     {reason}"
)]
pub struct NameError {
    /// The file's name.
    pub name: String,
    /// What Kafka trips over.
    pub reason: String,
}

/// `<offset>-<epoch>.checkpoint`, both padded with zeros; longer numbers are not cut.
pub fn snapshot_file_name(id: OffsetAndEpoch) -> String {
    format!("{}{SUFFIX}", stem(id))
}

/// `<offset>-<epoch>-<random>.checkpoint.part`
pub(super) fn partial_file_name(id: OffsetAndEpoch, random: u64) -> String {
    format!("{}-{random}{PARTIAL_SUFFIX}", stem(id))
}

/// `<offset>-<epoch>.checkpoint.deleted`
pub(crate) fn deleted_file_name(id: OffsetAndEpoch) -> String {
    format!("{}{DELETED_SUFFIX}", stem(id))
}

fn stem(id: OffsetAndEpoch) -> String {
    // Java's `NumberFormat` counts digits, so a sign comes on top: the epoch -1 has eleven letters, and
    // [`parse_name`] reads it back as 0.
    let sign = if id.epoch < 0 { "-" } else { "" };
    let epoch = id.epoch.unsigned_abs();
    format!("{:020}-{sign}{epoch:010}", id.offset)
}

/// Reads a file's name; `None` where it is not the name of a checkpoint.
pub fn parse_name(name: &str) -> Result<Option<SnapshotName>, NameError> {
    let state = if name.ends_with(PARTIAL_SUFFIX) {
        SnapshotState::Partial
    } else if name.ends_with(DELETED_SUFFIX) {
        SnapshotState::Deleted
    } else if name.ends_with(SUFFIX) {
        SnapshotState::Frozen
    } else {
        return Ok(None);
    };
    let error = |reason: String| NameError {
        name: name.to_owned(),
        reason,
    };
    let letters: Vec<char> = name.chars().collect();
    let part = |from: usize, to: usize| {
        let part = letters.get(from..to);
        part.map(|part| part.iter().collect::<String>())
            .ok_or_else(|| error(format!("begin {from}, end {to}, length {}", letters.len())))
    };
    let offset = part(0, OFFSET_DIGITS)?;
    let offset = offset
        .parse()
        .map_err(|_| error(format!("`{offset}` is not a number")))?;
    let epoch = part(OFFSET_DIGITS + 1, OFFSET_DIGITS + 1 + EPOCH_DIGITS)?;
    let epoch = epoch
        .parse()
        .map_err(|_| error(format!("`{epoch}` is not a number")))?;
    Ok(Some(SnapshotName {
        id: OffsetAndEpoch { offset, epoch },
        state,
    }))
}
