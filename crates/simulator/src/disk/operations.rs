use std::sync::Arc;

use bytes::Bytes;
use disk::{Disk, DiskError, Entry, EntryKind, Operation, Result, Via, path as paths};

use super::file::{File, Mode};
use super::sim_disk::{Name, SimDisk, below, direct, failed, is_root, key, prefix_of};

impl Disk for SimDisk {
    fn list(&mut self, dir: &str) -> Result<Vec<Entry>> {
        let dir = &*key(dir);
        self.check(Operation::List, dir)?;
        self.directory(Operation::List, dir)?;
        let prefix = prefix_of(dir);
        let entries = direct(&self.names, &prefix).map(|(path, name)| Entry {
            name: path[prefix.len()..].to_owned(),
            kind: match name {
                Name::Directory => EntryKind::Directory,
                Name::File(id) => EntryKind::File {
                    size: self.files.get(id).map_or(0, |file| file.written.size()),
                },
            },
            via: Via::Name,
        });
        Ok(entries.collect())
    }

    fn create_dir_all(&mut self, dir: &str) -> Result<()> {
        let dir = &*key(dir);
        self.check(Operation::CreateDirectory, dir)?;
        let mut at = dir;
        while !is_root(at) {
            if let Some(Name::File(_)) = self.names.get(at) {
                return Err(failed(Operation::CreateDirectory, at, "not a directory"));
            }
            at = paths::parent(at);
        }
        self.make_directories(dir);
        Ok(())
    }

    fn create(&mut self, path: &str) -> Result<()> {
        let path = &*key(path);
        self.check(Operation::Create, path)?;
        if is_root(path) || self.names.contains_key(path) {
            let id = self.writable(Operation::Create, path)?;
            self.file_mut(id).truncate(0);
            return Ok(());
        }
        self.directory(Operation::Create, paths::parent(path))?;
        let id = self.new_file(File::default());
        self.names.insert(path.into(), Name::File(id));
        Ok(())
    }

    fn append(&mut self, path: &str, bytes: &Bytes) -> Result<()> {
        let path = &*key(path);
        self.check(Operation::Append, path)?;
        let id = self.writable(Operation::Append, path)?;
        self.file_mut(id).written.append(bytes.clone());
        Ok(())
    }

    fn sync(&mut self, path: &str) -> Result<()> {
        let path = &*key(path);
        self.check(Operation::Sync, path)?;
        let id = self.existing(Operation::Sync, path)?;
        self.file_mut(id).sync();
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<()> {
        let (from, to) = (&*key(from), &*key(to));
        self.check(Operation::Rename, to)?;
        match self.names.get(from).copied() {
            None => {
                return Err(DiskError::NotFound {
                    operation: Operation::Rename,
                    path: from.to_owned(),
                });
            }
            Some(Name::Directory) => return Err(failed(Operation::Rename, from, "is a directory")),
            Some(Name::File(id)) => {
                if is_root(to) || self.names.get(to) == Some(&Name::Directory) {
                    return Err(failed(Operation::Rename, to, "is a directory"));
                }
                self.directory(Operation::Rename, paths::parent(to))?;
                self.names.remove(from);
                self.names.insert(to.into(), Name::File(id));
            }
        }
        self.drop_unnamed_files();
        Ok(())
    }

    fn sync_dir(&mut self, dir: &str) -> Result<()> {
        let dir = &*key(dir);
        self.check(Operation::SyncDirectory, dir)?;
        self.directory(Operation::SyncDirectory, dir)?;
        let prefix = prefix_of(dir);
        let gone: Vec<Arc<str>> = direct(&self.durable_names, &prefix)
            .filter(|(path, _)| !self.names.contains_key(*path))
            .map(|(path, _)| path.clone())
            .collect();
        for path in gone {
            self.durable_names.remove(&path);
        }
        for (path, name) in direct(&self.names, &prefix) {
            if self.durable_names.get(path) != Some(name) {
                self.durable_names.insert(path.clone(), *name);
            }
        }
        self.drop_unnamed_files();
        Ok(())
    }

    fn truncate(&mut self, path: &str, size: u64) -> Result<()> {
        let path = &*key(path);
        self.check(Operation::Truncate, path)?;
        let id = self.writable(Operation::Truncate, path)?;
        if size > self.file_mut(id).written.size() {
            return Err(failed(
                Operation::Truncate,
                path,
                "the file is shorter than that",
            ));
        }
        self.file_mut(id).truncate(size);
        Ok(())
    }

    fn remove(&mut self, path: &str) -> Result<()> {
        let path = &*key(path);
        self.check(Operation::Remove, path)?;
        self.existing(Operation::Remove, path)?;
        self.names.remove(path);
        self.drop_unnamed_files();
        Ok(())
    }

    fn remove_dir(&mut self, dir: &str) -> Result<()> {
        let dir = &*key(dir);
        self.check(Operation::Remove, dir)?;
        self.directory(Operation::Remove, dir)?;
        let prefix = prefix_of(dir);
        let gone: Vec<Arc<str>> = below(&self.names, &prefix)
            .map(|(path, _)| path.clone())
            .collect();
        for path in gone {
            self.names.remove(&path);
        }
        self.names.remove(dir);
        self.drop_unnamed_files();
        Ok(())
    }

    fn read(&mut self, path: &str) -> Result<Bytes> {
        let path = &*key(path);
        self.check(Operation::Read, path)?;
        let id = self.existing(Operation::Read, path)?;
        Ok(self.file_mut(id).written.read())
    }

    fn read_at(&mut self, path: &str, at: u64, length: u64) -> Result<Bytes> {
        let path = &*key(path);
        self.check(Operation::Read, path)?;
        let id = self.existing(Operation::Read, path)?;
        Ok(self.file_mut(id).written.read_at(at, length))
    }

    fn size(&mut self, path: &str) -> Result<Option<u64>> {
        let path = &*key(path);
        self.check(Operation::Read, path)?;
        match self.names.get(path).copied() {
            Some(Name::File(id)) => Ok(Some(self.file_mut(id).written.size())),
            Some(Name::Directory) | None => Ok(None),
        }
    }

    fn set_read_only(&mut self, path: &str) -> Result<()> {
        let path = &*key(path);
        self.check(Operation::SetReadOnly, path)?;
        let id = self.existing(Operation::SetReadOnly, path)?;
        self.file_mut(id).mode = Mode::ReadOnly;
        Ok(())
    }
}
