//! Small files, read whole and replaced whole.

use bytes::Bytes;
use disk::{Disk, DiskError};

use crate::Corrupt;

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The content is wrong.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
}

/// Reads a file that may be missing.
pub fn read_if_exists(disk: &mut dyn Disk, path: &str) -> Result<Option<Bytes>, DiskError> {
    match disk.read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(DiskError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes a file, or a directory with nothing in it, that may be missing: what Java's `Files.deleteIfExists` does.
pub fn remove_if_exists(disk: &mut dyn Disk, path: &str) -> Result<(), DiskError> {
    match disk.remove(path) {
        Ok(()) | Err(DiskError::NotFound { .. }) => Ok(()),
        Err(error) => remove_empty_directory(disk, path, error),
    }
}

/// Renames a file; a directory with nothing in it that stands in the way is removed
/// (4.4:clients/…/utils/Utils.java, `atomicMoveWithFallback`).
pub fn rename_over(disk: &mut dyn Disk, from: &str, to: &str) -> Result<(), DiskError> {
    match disk.rename(from, to) {
        Err(error @ DiskError::Failed { .. }) => {
            remove_empty_directory(disk, to, error)?;
            disk.rename(from, to)
        }
        outcome => outcome,
    }
}

/// `error`, unless it came about by a directory with nothing in it, which is removed.
fn remove_empty_directory(
    disk: &mut dyn Disk,
    path: &str,
    error: DiskError,
) -> Result<(), DiskError> {
    let is_directory = matches!(error, DiskError::Failed { .. });
    match is_directory.then(|| disk.list(path)) {
        Some(Ok(entries)) if entries.is_empty() => disk.remove_dir(path),
        Some(Err(DiskError::Crash)) => Err(DiskError::Crash),
        _ => Err(error),
    }
}

/// What becomes of the `.tmp` file when a file could not be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftover {
    /// It stays: `leader-epoch-checkpoint`, `partition.metadata`.
    Stays,
    /// It is removed: `quorum-state`, `meta.properties`.
    Removed,
}

/// Replaces a file as Kafka does: written under the name with `.tmp`, made durable, renamed, and the directory made
/// durable. A crash leaves the old content or the new one, and at most the `.tmp` beside it.
pub fn replace(
    disk: &mut dyn Disk,
    path: &str,
    content: &Bytes,
    leftover: Leftover,
) -> Result<(), DiskError> {
    let temporary = format!("{path}.tmp");
    disk.create(&temporary)?;
    disk.append(&temporary, content)?;
    disk.sync(&temporary)?;
    match rename_over(disk, &temporary, path) {
        Err(error @ DiskError::Failed { .. }) if leftover == Leftover::Removed => {
            remove_if_exists(disk, &temporary)?;
            Err(error)
        }
        Err(error) => Err(error),
        Ok(()) => disk.sync_dir(disk::path::parent(path)),
    }
}
