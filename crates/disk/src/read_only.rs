//! A disk that is looked at and never touched.

use bytes::Bytes;

use crate::{Disk, DiskError, Entry, Operation, Result};

/// Any disk with its writing operations refused: how a real controller's directory is opened for looking.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOnlyDisk<D> {
    inner: D,
}

impl<D: Disk> ReadOnlyDisk<D> {
    /// The same disk, for reading only.
    pub fn new(inner: D) -> ReadOnlyDisk<D> {
        ReadOnlyDisk { inner }
    }

    fn refuse(operation: Operation, path: &str) -> Result<()> {
        let reason = "this disk is opened for reading only".to_owned();
        Err(DiskError::Failed {
            operation,
            path: path.to_owned(),
            reason,
        })
    }
}

impl<D: Disk> Disk for ReadOnlyDisk<D> {
    fn list(&mut self, dir: &str) -> Result<Vec<Entry>> {
        self.inner.list(dir)
    }

    fn create_dir_all(&mut self, dir: &str) -> Result<()> {
        Self::refuse(Operation::CreateDirectory, dir)
    }

    fn create(&mut self, path: &str) -> Result<()> {
        Self::refuse(Operation::Create, path)
    }

    fn append(&mut self, path: &str, _bytes: &Bytes) -> Result<()> {
        Self::refuse(Operation::Append, path)
    }

    fn sync(&mut self, path: &str) -> Result<()> {
        Self::refuse(Operation::Sync, path)
    }

    fn rename(&mut self, from: &str, _to: &str) -> Result<()> {
        Self::refuse(Operation::Rename, from)
    }

    fn sync_dir(&mut self, dir: &str) -> Result<()> {
        Self::refuse(Operation::SyncDirectory, dir)
    }

    fn truncate(&mut self, path: &str, _size: u64) -> Result<()> {
        Self::refuse(Operation::Truncate, path)
    }

    fn remove(&mut self, path: &str) -> Result<()> {
        Self::refuse(Operation::Remove, path)
    }

    fn remove_dir(&mut self, dir: &str) -> Result<()> {
        Self::refuse(Operation::Remove, dir)
    }

    fn read(&mut self, path: &str) -> Result<Bytes> {
        self.inner.read(path)
    }

    fn read_at(&mut self, path: &str, at: u64, length: u64) -> Result<Bytes> {
        self.inner.read_at(path, at, length)
    }

    fn size(&mut self, path: &str) -> Result<Option<u64>> {
        self.inner.size(path)
    }

    fn set_read_only(&mut self, path: &str) -> Result<()> {
        Self::refuse(Operation::SetReadOnly, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemDisk;

    #[test]
    fn every_writing_operation_is_refused_and_changes_nothing() {
        let mut mem = MemDisk::new();
        mem.create_dir_all("d").unwrap();
        mem.create("d/f").unwrap();
        mem.append("d/f", &Bytes::from_static(b"x")).unwrap();
        let mut disk = ReadOnlyDisk::new(mem);
        let refused = [
            disk.create_dir_all("e"),
            disk.create("d/f"),
            disk.append("d/f", &Bytes::from_static(b"y")),
            disk.sync("d/f"),
            disk.rename("d/f", "d/g"),
            disk.sync_dir("d"),
            disk.truncate("d/f", 0),
            disk.remove("d/f"),
            disk.remove_dir("d"),
            disk.set_read_only("d/f"),
        ];
        for result in refused {
            assert!(
                matches!(result, Err(DiskError::Failed { .. })),
                "{result:?}"
            );
        }
        assert_eq!(disk.read("d/f").unwrap(), "x");
        assert_eq!(disk.list("").unwrap().len(), 1);
    }
}
