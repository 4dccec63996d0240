//! The real file system.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use bytes::Bytes;

use crate::regular::{self, MOST_FILE_BYTES, Regular};
use crate::{Disk, DiskError, Entry, EntryKind, Operation, Result, Special, Via};

/// The real file system. Paths are absolute, or relative to the working directory.
///
/// A file without the right to write is never written, even where the system would let a privileged user do it, so
/// that a frozen checkpoint is as safe here as in memory. Only regular files are read and written, links followed.
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

const IS_A_DIRECTORY: &str = "is a directory";

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
            return refuse(operation, path, IS_A_DIRECTORY);
        }
        if !metadata.is_file() {
            let kind = regular::special(metadata.file_type());
            return refuse(operation, path, &kind.to_string());
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

/// What a name in a directory stands for; nothing where it vanished meanwhile, as happens in the directory of a running
/// process.
fn listed(entry: &fs::DirEntry) -> io::Result<Option<Entry>> {
    let found = match entry.metadata() {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let via = if found.is_symlink() {
        Via::Link
    } else {
        Via::Name
    };
    let kind = match via {
        Via::Name => kind_of(&found),
        // Followed, since what matters is what a reader would find.
        Via::Link => match fs::metadata(entry.path()) {
            Ok(target) => kind_of(&target),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                EntryKind::Special(Special::BrokenLink)
            }
            Err(error) => EntryKind::Special(Special::Unreachable(error.kind())),
        },
    };
    Ok(Some(match entry.file_name().into_string() {
        Ok(name) => Entry { name, kind, via },
        Err(name) => Entry {
            name: name.to_string_lossy().into_owned(),
            kind: EntryKind::Special(Special::NameNotUtf8),
            via,
        },
    }))
}

fn kind_of(metadata: &fs::Metadata) -> EntryKind {
    if metadata.is_dir() {
        EntryKind::Directory
    } else if metadata.is_file() {
        EntryKind::File {
            size: metadata.len(),
        }
    } else {
        EntryKind::Special(regular::special(metadata.file_type()))
    }
}

impl Disk for StdDisk {
    fn list(&mut self, dir: &str) -> Result<Vec<Entry>> {
        let failed = |error| failure(Operation::List, dir, &error);
        let mut entries = Vec::new();
        for entry in fs::read_dir(Self::directory(dir)).map_err(failed)? {
            entries.extend(listed(&entry.map_err(failed)?).map_err(failed)?);
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
            return refuse(Operation::Rename, to, IS_A_DIRECTORY);
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
        regular::read(Path::new(path), MOST_FILE_BYTES)
            .map_err(|error| failure(Operation::Read, path, &error))
    }

    fn read_at(&mut self, path: &str, at: u64, length: u64) -> Result<Bytes> {
        Self::file(Operation::Read, path)?;
        let read = || {
            let Regular { mut file, .. } = regular::open(Path::new(path))?;
            file.seek(SeekFrom::Start(at))?;
            let mut bytes = Vec::new();
            file.take(length.min(MOST_FILE_BYTES))
                .read_to_end(&mut bytes)?;
            Ok(Bytes::from(bytes))
        };
        read().map_err(|error: io::Error| failure(Operation::Read, path, &error))
    }

    fn size(&mut self, path: &str) -> Result<Option<u64>> {
        match Self::file(Operation::Read, path) {
            Ok(metadata) => Ok(Some(metadata.len())),
            Err(DiskError::Failed { reason, .. }) if reason == IS_A_DIRECTORY => Ok(None),
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
