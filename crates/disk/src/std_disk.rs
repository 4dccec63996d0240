//! The real file system.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};

use bytes::Bytes;

use crate::{Disk, DiskError, Entry, EntryKind, Operation, Result};

/// The real file system. Paths are absolute, or relative to the working directory.
///
/// A file without the right to write is never written, even where the system would let a privileged user do it, so
/// that a frozen checkpoint is as safe here as in memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct StdDisk {}

fn failure(operation: Operation, path: &str, error: &io::Error) -> DiskError {
    let path = path.to_owned();
    if error.kind() == io::ErrorKind::NotFound {
        return DiskError::NotFound { operation, path };
    }
    DiskError::Failed {
        operation,
        path,
        reason: error.to_string(),
    }
}

fn refuse<T>(operation: Operation, path: &str, reason: &str) -> Result<T> {
    Err(DiskError::Failed {
        operation,
        path: path.to_owned(),
        reason: reason.to_owned(),
    })
}

impl StdDisk {
    /// The file system of this machine.
    pub fn new() -> StdDisk {
        StdDisk {}
    }

    fn directory(path: &str) -> &str {
        if path.is_empty() { "." } else { path }
    }

    /// Size and whether it may be written, of a file that must exist.
    fn file(operation: Operation, path: &str) -> Result<fs::Metadata> {
        let metadata = fs::metadata(path).map_err(|error| failure(operation, path, &error))?;
        if metadata.is_dir() {
            return refuse(operation, path, "is a directory");
        }
        Ok(metadata)
    }

    fn writable(operation: Operation, path: &str) -> Result<fs::Metadata> {
        let metadata = Self::file(operation, path)?;
        if metadata.permissions().readonly() {
            return refuse(operation, path, "the file is read-only");
        }
        Ok(metadata)
    }
}

impl Disk for StdDisk {
    fn list(&mut self, dir: &str) -> Result<Vec<Entry>> {
        let failed = |error| failure(Operation::List, dir, &error);
        let mut entries = Vec::new();
        for entry in fs::read_dir(Self::directory(dir)).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            // Follows a link, since what matters is what a reader would find. A name that vanished meanwhile, as
            // happens in the directory of a running process, is not there.
            let metadata = match fs::metadata(entry.path()) {
                Ok(metadata) => metadata,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(failed(error)),
            };
            let kind = if metadata.is_dir() {
                EntryKind::Directory
            } else {
                EntryKind::File {
                    size: metadata.len(),
                }
            };
            entries.push(Entry {
                name: entry.file_name().to_string_lossy().into_owned(),
                kind,
            });
        }
        entries.sort();
        Ok(entries)
    }

    fn create_dir_all(&mut self, dir: &str) -> Result<()> {
        fs::create_dir_all(Self::directory(dir))
            .map_err(|error| failure(Operation::CreateDirectory, dir, &error))
    }

    fn create(&mut self, path: &str) -> Result<()> {
        match Self::writable(Operation::Create, path) {
            Ok(_) | Err(DiskError::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
        File::create(path)
            .map(|_| ())
            .map_err(|error| failure(Operation::Create, path, &error))
    }

    fn append(&mut self, path: &str, bytes: &Bytes) -> Result<()> {
        Self::writable(Operation::Append, path)?;
        OpenOptions::new()
            .append(true)
            .open(path)
            .and_then(|mut file| file.write_all(bytes))
            .map_err(|error| failure(Operation::Append, path, &error))
    }

    fn sync(&mut self, path: &str) -> Result<()> {
        Self::file(Operation::Sync, path)?;
        File::open(path)
            .and_then(|file| file.sync_all())
            .map_err(|error| failure(Operation::Sync, path, &error))
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<()> {
        Self::file(Operation::Rename, from)?;
        if fs::metadata(to).is_ok_and(|metadata| metadata.is_dir()) {
            return refuse(Operation::Rename, to, "is a directory");
        }
        fs::rename(from, to).map_err(|error| failure(Operation::Rename, to, &error))
    }

    fn sync_dir(&mut self, dir: &str) -> Result<()> {
        let failed = |error| failure(Operation::SyncDirectory, dir, &error);
        let path = Self::directory(dir);
        if !fs::metadata(path).map_err(failed)?.is_dir() {
            return refuse(Operation::SyncDirectory, dir, "not a directory");
        }
        File::open(path)
            .and_then(|file| file.sync_all())
            .map_err(failed)
    }

    fn truncate(&mut self, path: &str, size: u64) -> Result<()> {
        if size > Self::writable(Operation::Truncate, path)?.len() {
            return refuse(Operation::Truncate, path, "the file is shorter than that");
        }
        OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|file| file.set_len(size))
            .map_err(|error| failure(Operation::Truncate, path, &error))
    }

    fn remove(&mut self, path: &str) -> Result<()> {
        Self::file(Operation::Remove, path)?;
        fs::remove_file(path).map_err(|error| failure(Operation::Remove, path, &error))
    }

    fn remove_dir(&mut self, dir: &str) -> Result<()> {
        fs::remove_dir_all(dir).map_err(|error| failure(Operation::Remove, dir, &error))
    }

    fn read(&mut self, path: &str) -> Result<Bytes> {
        Self::file(Operation::Read, path)?;
        fs::read(path)
            .map(Bytes::from)
            .map_err(|error| failure(Operation::Read, path, &error))
    }

    fn read_at(&mut self, path: &str, at: u64, length: u64) -> Result<Bytes> {
        Self::file(Operation::Read, path)?;
        let read = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(at))?;
            let mut bytes = Vec::new();
            file.take(length).read_to_end(&mut bytes)?;
            Ok(Bytes::from(bytes))
        };
        read().map_err(|error: io::Error| failure(Operation::Read, path, &error))
    }

    fn size(&mut self, path: &str) -> Result<Option<u64>> {
        match Self::file(Operation::Read, path) {
            Ok(metadata) => Ok(Some(metadata.len())),
            Err(DiskError::Failed { reason, .. }) if reason == "is a directory" => Ok(None),
            Err(DiskError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn set_read_only(&mut self, path: &str) -> Result<()> {
        let mut permissions = Self::file(Operation::SetReadOnly, path)?.permissions();
        permissions.set_readonly(true);
        fs::set_permissions(path, permissions)
            .map_err(|error| failure(Operation::SetReadOnly, path, &error))
    }
}
