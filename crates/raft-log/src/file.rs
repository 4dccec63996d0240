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

/// Removes a file that may be missing.
pub fn remove_if_exists(disk: &mut dyn Disk, path: &str) -> Result<(), DiskError> {
    match disk.remove(path) {
        Ok(()) | Err(DiskError::NotFound { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Replaces a file as Kafka does: written under the name with `.tmp`, made durable, renamed, and the directory made
/// durable. A crash leaves the old content or the new one, and at most the `.tmp` beside it.
pub fn replace(disk: &mut dyn Disk, path: &str, content: &Bytes) -> Result<(), DiskError> {
    let temporary = format!("{path}.tmp");
    disk.create(&temporary)?;
    disk.append(&temporary, content)?;
    disk.sync(&temporary)?;
    disk.rename(&temporary, path)?;
    disk.sync_dir(disk::path::parent(path))
}
