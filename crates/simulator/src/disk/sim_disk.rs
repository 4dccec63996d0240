use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use bytes::Bytes;
use disk::{Disk, DiskError, Entry, EntryKind, Operation, Result, path as paths};

use super::content::Content;
use super::fault::{DiskFault, FaultEffect};

type FileId = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Directory,
    File(FileId),
}

#[derive(Clone, Debug, Default)]
struct File {
    written: Content,
    /// What the last sync kept.
    durable: Content,
    mode: Mode,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Writable,
    ReadOnly,
}

/// A machine's disk, in memory.
///
/// Two things can end: a *process* (its writes stay, the page cache outlives it) and the *machine* ([`Self::power_loss`]:
/// only what was synced stays; names as the last `sync_dir` of their directory left them). Directories
/// themselves are durable at once, because Kafka never syncs a parent of its log directories.
///
/// Faults ([`Self::arm`]) bite at a chosen operation. After [`FaultEffect::Crash`] every further operation fails
/// with [`DiskError::Crash`] until [`Self::recover`]: whoever holds the disk unwinds.
#[derive(Clone, Debug, Default)]
pub struct SimDisk {
    names: BTreeMap<Arc<str>, Name>,
    durable_names: BTreeMap<Arc<str>, Name>,
    files: BTreeMap<FileId, File>,
    next_file: FileId,
    faults: Vec<DiskFault>,
    operations: u64,
    crash_at_operation: Option<u64>,
    state: Power,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Power {
    #[default]
    Up,
    Crashed,
}

impl SimDisk {
    /// An empty disk.
    pub fn new() -> Self {
        SimDisk::default()
    }

    /// Lets `fault` bite; several may wait at once.
    pub fn arm(&mut self, fault: DiskFault) {
        self.faults.push(fault);
    }

    /// Takes all waiting faults away.
    pub fn disarm(&mut self) {
        self.faults.clear();
        self.crash_at_operation = None;
    }

    /// Operations that changed the disk (or tried to) so far: the points at which a sweep crashes.
    pub fn operations(&self) -> u64 {
        self.operations
    }

    /// Crashes at the changing operation with this number, counted from 0 over the disk's life.
    pub fn crash_at_operation(&mut self, number: u64) {
        self.crash_at_operation = Some(number);
    }

    /// After a crash: operations work again.
    pub fn recover(&mut self) {
        self.state = Power::Up;
    }

    /// The machine stops: only what is durable stays.
    pub fn power_loss(&mut self) {
        self.names = self.durable_names.clone();
        self.drop_unnamed_files();
        for file in self.files.values_mut() {
            file.written = file.durable.clone();
        }
    }

    /// Everything now written becomes durable: a freshly loaded disk is one that has been at rest.
    pub fn settle(&mut self) {
        self.durable_names = self.names.clone();
        self.drop_unnamed_files();
        for file in self.files.values_mut() {
            file.durable = file.written.clone();
        }
    }

    /// Puts a file there, durable, with the directories above it; for setting a scene, not for the process.
    pub fn put(&mut self, path: &str, bytes: Bytes) {
        let path = &*key(path);
        self.make_directories(paths::parent(path));
        let id = self.new_file(File {
            durable: Content::of(bytes.clone()),
            written: Content::of(bytes),
            mode: Mode::Writable,
        });
        self.names.insert(path.into(), Name::File(id));
        self.durable_names.insert(path.into(), Name::File(id));
        self.drop_unnamed_files();
    }

    /// Every file below `dir`: path from there and content, in path order.
    pub fn files_below(&mut self, dir: &str) -> Vec<(String, Bytes)> {
        let prefix = prefix_of(&key(dir));
        let found: Vec<(String, FileId)> = below(&self.names, &prefix)
            .filter_map(|(path, name)| match name {
                Name::File(id) => Some((path[prefix.len()..].to_owned(), *id)),
                Name::Directory => None,
            })
            .collect();
        found
            .into_iter()
            .map(|(path, id)| (path, self.file_mut(id).written.read()))
            .collect()
    }

    fn new_file(&mut self, file: File) -> FileId {
        let id = self.next_file;
        self.next_file += 1;
        self.files.insert(id, file);
        id
    }

    fn file_mut(&mut self, id: FileId) -> &mut File {
        self.files
            .get_mut(&id)
            .expect("every name of a file has its content")
    }

    fn drop_unnamed_files(&mut self) {
        let (live, durable) = (&self.names, &self.durable_names);
        self.files.retain(|id, _| {
            let named =
                |map: &BTreeMap<Arc<str>, Name>| map.values().any(|name| *name == Name::File(*id));
            named(live) || named(durable)
        });
    }

    fn make_directories(&mut self, dir: &str) {
        let mut at = dir;
        while !is_root(at) && !self.names.contains_key(at) {
            self.names.insert(at.into(), Name::Directory);
            self.durable_names.insert(at.into(), Name::Directory);
            at = paths::parent(at);
        }
    }

    /// Counts the operation, and lets a waiting fault bite.
    fn check(&mut self, operation: Operation, path: &str) -> Result<()> {
        if self.state == Power::Crashed {
            return Err(DiskError::Crash);
        }
        if !matches!(operation, Operation::Read | Operation::List) {
            let number = self.operations;
            self.operations += 1;
            if self.crash_at_operation == Some(number) {
                self.crash_at_operation = None;
                self.state = Power::Crashed;
                return Err(DiskError::Crash);
            }
        }
        if self.faults.is_empty() {
            return Ok(());
        }
        self.bite(operation, path)
    }

    fn bite(&mut self, operation: Operation, path: &str) -> Result<()> {
        let mut bitten = None;
        for (at, fault) in self.faults.iter_mut().enumerate() {
            if fault.concerns(operation, path) {
                if fault.after == 0 {
                    bitten = bitten.or(Some(at));
                } else {
                    fault.after -= 1;
                }
            }
        }
        let Some(at) = bitten else { return Ok(()) };
        match self.faults.remove(at).effect {
            FaultEffect::Crash => {
                self.state = Power::Crashed;
                Err(DiskError::Crash)
            }
            FaultEffect::Fail(reason) => Err(DiskError::Failed {
                operation,
                path: path.to_owned(),
                reason,
            }),
        }
    }

    fn existing(&mut self, operation: Operation, path: &str) -> Result<FileId> {
        match self.names.get(path) {
            Some(Name::File(id)) => Ok(*id),
            Some(Name::Directory) => Err(failed(operation, path, "is a directory")),
            None if is_root(path) => Err(failed(operation, path, "is a directory")),
            None => Err(DiskError::NotFound {
                operation,
                path: path.to_owned(),
            }),
        }
    }

    fn writable(&mut self, operation: Operation, path: &str) -> Result<FileId> {
        let id = self.existing(operation, path)?;
        match self.file_mut(id).mode {
            Mode::Writable => Ok(id),
            Mode::ReadOnly => Err(failed(operation, path, "permission denied")),
        }
    }

    fn directory(&self, operation: Operation, path: &str) -> Result<()> {
        match self.names.get(path) {
            Some(Name::Directory) => Ok(()),
            Some(Name::File(_)) => Err(failed(operation, path, "not a directory")),
            None if is_root(path) => Ok(()),
            None => Err(DiskError::NotFound {
                operation,
                path: path.to_owned(),
            }),
        }
    }
}

fn failed(operation: Operation, path: &str, reason: &str) -> DiskError {
    DiskError::Failed {
        operation,
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}

/// The path as it stands in the maps.
fn key(path: &str) -> Cow<'_, str> {
    let tidy = !path.starts_with("./")
        && !path.contains("//")
        && !path.contains("/./")
        && (path == "/" || !path.ends_with(['/', '.']));
    if tidy {
        Cow::Borrowed(path)
    } else {
        Cow::Owned(paths::clean(path))
    }
}

/// What every path below the directory begins with.
fn prefix_of(dir: &str) -> String {
    match dir {
        "" | "/" => dir.to_owned(),
        _ => format!("{dir}/"),
    }
}

fn is_root(dir: &str) -> bool {
    dir.is_empty() || dir == "/"
}

fn below<'a>(
    names: &'a BTreeMap<Arc<str>, Name>,
    prefix: &'a str,
) -> impl Iterator<Item = (&'a Arc<str>, &'a Name)> {
    names
        .range::<str, _>((Bound::Included(prefix), Bound::Unbounded))
        .take_while(move |(path, _)| path.starts_with(prefix))
}

/// The direct entries of the directory whose path and `/` is `prefix`.
fn direct<'a>(
    names: &'a BTreeMap<Arc<str>, Name>,
    prefix: &'a str,
) -> impl Iterator<Item = (&'a Arc<str>, &'a Name)> {
    below(names, prefix).filter(move |(path, _)| !path[prefix.len()..].contains('/'))
}

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
            self.file_mut(id).written = Content::default();
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
        let file = self.file_mut(id);
        file.durable = file.written.clone();
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
        self.file_mut(id).written.truncate(size);
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

#[cfg(test)]
mod tests {
    use super::SimDisk;
    use crate::disk::{DiskFault, FaultEffect, NamePattern};
    use bytes::Bytes;
    use disk::{Disk, DiskError, Operation};

    #[test]
    fn it_is_a_disk() {
        disk::suite::run(|_case| (SimDisk::new(), "/root".to_owned()));
        disk::suite::run(|_case| (SimDisk::new(), "root".to_owned()));
    }

    fn disk() -> SimDisk {
        let mut disk = SimDisk::new();
        disk.create_dir_all("/d").unwrap();
        disk
    }

    #[test]
    fn a_machine_keeps_only_what_was_synced() {
        let mut d = disk();
        d.create("/d/a").unwrap();
        d.append("/d/a", &Bytes::from_static(b"one")).unwrap();
        d.sync("/d/a").unwrap();
        d.append("/d/a", &Bytes::from_static(b"two")).unwrap();
        let mut unsynced_name = d.clone();
        unsynced_name.power_loss();
        assert_eq!(unsynced_name.size("/d/a").unwrap(), None);
        d.sync_dir("/d").unwrap();
        d.rename("/d/a", "/d/b").unwrap();
        assert_eq!(d.read("/d/b").unwrap(), "onetwo");
        d.power_loss();
        assert_eq!(
            (d.read("/d/a").unwrap(), d.size("/d/b").unwrap()),
            (Bytes::from_static(b"one"), None)
        );
    }

    #[test]
    fn the_third_sync_crashes_and_everything_after_it() {
        let mut d = disk();
        d.create("/d/quorum-state.tmp").unwrap();
        d.create("/d/other").unwrap();
        let name = NamePattern::new("quorum-state");
        d.arm(DiskFault {
            operation: Some(Operation::Sync),
            name,
            after: 2,
            effect: FaultEffect::Crash,
        });
        d.sync("/d/quorum-state.tmp").unwrap();
        d.sync("/d/other").unwrap();
        d.sync("/d/quorum-state.tmp").unwrap();
        assert_eq!(d.sync("/d/quorum-state.tmp"), Err(DiskError::Crash));
        assert_eq!(d.read("/d/other"), Err(DiskError::Crash));
        d.recover();
        assert_eq!(d.read("/d/other").unwrap(), "");
    }

    #[test]
    fn operations_are_counted_and_one_can_be_chosen() {
        let mut d = disk();
        let before = d.operations();
        d.crash_at_operation(before + 1);
        d.create("/d/a").unwrap();
        assert_eq!(d.create("/d/b"), Err(DiskError::Crash));
        d.recover();
        assert_eq!(d.list("/d").unwrap().len(), 1);
    }
}
