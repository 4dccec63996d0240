//! The disk in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use crate::{Disk, DiskError, Entry, EntryKind, Operation, Result, Via, path};

/// A disk in memory: what is written is durable, nothing fails that a healthy file system would do.
///
/// A file is a list of shared extents, so an append keeps the caller's bytes without copying them, and a clone
/// of the disk shares every file until one of the two changes it.
#[derive(Clone, Debug, Default)]
pub struct MemDisk {
    directories: BTreeSet<String>,
    files: BTreeMap<String, Arc<MemFile>>,
}

#[derive(Clone, Debug, Default)]
struct MemFile {
    extents: Vec<Bytes>,
    size: u64,
    read_only: bool,
}

impl MemFile {
    fn content(&mut self) -> Bytes {
        if self.extents.len() > 1 {
            let mut whole = BytesMut::with_capacity(self.size as usize);
            for extent in &self.extents {
                whole.extend_from_slice(extent);
            }
            // Kept whole, so that reading twice copies once.
            self.extents = vec![whole.freeze()];
        }
        self.extents.first().cloned().unwrap_or_default()
    }

    fn truncate(&mut self, size: u64) {
        let mut left = size;
        self.extents.retain_mut(|extent| {
            let keep = (extent.len() as u64).min(left);
            extent.truncate(keep as usize);
            left -= keep;
            keep > 0
        });
        self.size = size;
    }
}

impl MemDisk {
    /// An empty disk; only the root and the directory `.` exist.
    pub fn new() -> MemDisk {
        MemDisk::default()
    }

    /// Every file with its path, in path order: what a test or a copy wants to see of a whole disk.
    pub fn files(&mut self) -> impl Iterator<Item = (&str, Bytes)> {
        self.files
            .iter_mut()
            .map(|(path, file)| (path.as_str(), Arc::make_mut(file).content()))
    }

    fn directory_exists(&self, path: &str) -> bool {
        path.is_empty() || path == "/" || self.directories.contains(path)
    }

    fn not_found<T>(operation: Operation, path: &str) -> Result<T> {
        Err(DiskError::NotFound {
            operation,
            path: path.to_owned(),
        })
    }

    fn failed<T>(operation: Operation, path: &str, reason: &str) -> Result<T> {
        Err(DiskError::Failed {
            operation,
            path: path.to_owned(),
            reason: reason.to_owned(),
        })
    }

    fn file(&mut self, operation: Operation, path: &str) -> Result<&mut MemFile> {
        let key = path::clean(path);
        if self.directory_exists(&key) {
            return Self::failed(operation, path, "is a directory");
        }
        match self.files.get_mut(&key) {
            Some(file) => Ok(Arc::make_mut(file)),
            None => Self::not_found(operation, path),
        }
    }

    fn writable(&mut self, operation: Operation, path: &str) -> Result<&mut MemFile> {
        let file = self.file(operation, path)?;
        if file.read_only {
            return Self::failed(operation, path, "the file is read-only");
        }
        Ok(file)
    }

    fn existing_directory(&self, operation: Operation, path: &str) -> Result<String> {
        let key = path::clean(path);
        if self.files.contains_key(&key) {
            return Self::failed(operation, path, "not a directory");
        }
        if !self.directory_exists(&key) {
            return Self::not_found(operation, path);
        }
        Ok(key)
    }
}

impl Disk for MemDisk {
    fn list(&mut self, dir: &str) -> Result<Vec<Entry>> {
        let key = self.existing_directory(Operation::List, dir)?;
        let prefix = match key.as_str() {
            "" | "/" => key.clone(),
            _ => format!("{key}/"),
        };
        let mut entries = Vec::new();
        let inside = |path: &str| {
            let name = path.strip_prefix(&prefix)?;
            (!name.is_empty() && !name.contains('/')).then(|| name.to_owned())
        };
        for path in self.directories.range(prefix.clone()..) {
            if !path.starts_with(&prefix) {
                break;
            }
            entries.extend(inside(path).map(|name| Entry {
                name,
                kind: EntryKind::Directory,
                via: Via::Name,
            }));
        }
        for (path, file) in self.files.range(prefix.clone()..) {
            if !path.starts_with(&prefix) {
                break;
            }
            let kind = EntryKind::File { size: file.size };
            let via = Via::Name;
            entries.extend(inside(path).map(|name| Entry { name, kind, via }));
        }
        entries.sort();
        Ok(entries)
    }

    fn create_dir_all(&mut self, dir: &str) -> Result<()> {
        let key = path::clean(dir);
        for ancestor in path::ancestors(&key) {
            if self.files.contains_key(ancestor) {
                return Self::failed(Operation::CreateDirectory, dir, "not a directory");
            }
            if !self.directory_exists(ancestor) {
                self.directories.insert(ancestor.to_owned());
            }
        }
        Ok(())
    }

    fn create(&mut self, path: &str) -> Result<()> {
        let key = path::clean(path);
        self.existing_directory(Operation::Create, path::parent(&key))
            .map_err(|error| error.at(path))?;
        match self.writable(Operation::Create, path) {
            Ok(file) => *file = MemFile::default(),
            Err(DiskError::NotFound { .. }) => {
                self.files.insert(key, Arc::new(MemFile::default()));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn append(&mut self, path: &str, bytes: &Bytes) -> Result<()> {
        let file = self.writable(Operation::Append, path)?;
        if !bytes.is_empty() {
            file.extents.push(bytes.clone());
            file.size += bytes.len() as u64;
        }
        Ok(())
    }

    fn sync(&mut self, path: &str) -> Result<()> {
        self.file(Operation::Sync, path).map(|_| ())
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<()> {
        self.file(Operation::Rename, from)?;
        let target = path::clean(to);
        self.existing_directory(Operation::Rename, path::parent(&target))
            .map_err(|error| error.at(to))?;
        if self.directory_exists(&target) {
            return Self::failed(Operation::Rename, to, "is a directory");
        }
        if let Some(file) = self.files.remove(&path::clean(from)) {
            self.files.insert(target, file);
        }
        Ok(())
    }

    fn sync_dir(&mut self, dir: &str) -> Result<()> {
        self.existing_directory(Operation::SyncDirectory, dir)
            .map(|_| ())
    }

    fn truncate(&mut self, path: &str, size: u64) -> Result<()> {
        let file = self.writable(Operation::Truncate, path)?;
        if size > file.size {
            return Self::failed(Operation::Truncate, path, "the file is shorter than that");
        }
        file.truncate(size);
        Ok(())
    }

    fn remove(&mut self, path: &str) -> Result<()> {
        self.file(Operation::Remove, path)?;
        self.files.remove(&path::clean(path));
        Ok(())
    }

    fn remove_dir(&mut self, dir: &str) -> Result<()> {
        let key = self.existing_directory(Operation::Remove, dir)?;
        let prefix = if key == "/" {
            key.clone()
        } else {
            format!("{key}/")
        };
        self.directories
            .retain(|path| *path != key && !path.starts_with(&prefix));
        self.files.retain(|path, _| !path.starts_with(&prefix));
        Ok(())
    }

    fn read(&mut self, path: &str) -> Result<Bytes> {
        Ok(self.file(Operation::Read, path)?.content())
    }

    fn read_at(&mut self, path: &str, at: u64, length: u64) -> Result<Bytes> {
        let content = self.file(Operation::Read, path)?.content();
        let from = at.min(content.len() as u64);
        let to = from.saturating_add(length).min(content.len() as u64);
        Ok(content.slice(from as usize..to as usize))
    }

    fn size(&mut self, path: &str) -> Result<Option<u64>> {
        Ok(self.files.get(&path::clean(path)).map(|file| file.size))
    }

    fn set_read_only(&mut self, path: &str) -> Result<()> {
        self.file(Operation::SetReadOnly, path)?.read_only = true;
        Ok(())
    }
}
