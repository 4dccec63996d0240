use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use bytes::Bytes;
use disk::{DiskError, Operation, Result, path as paths};

use super::fault::{DiskFault, FaultEffect};
use super::file::{File, Mode};

pub(super) type FileId = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Directory,
    File(FileId),
}

/// A machine's disk, in memory.
///
/// Two things can end: a *process* (its writes stay, the page cache outlives it) and the *machine* ([`Self::power_loss`]:
/// only what was synced stays; names as the last `sync_dir` of their directory left them). Directories
/// themselves are durable at once, because Kafka never syncs a parent of its log directories.
///
/// Faults ([`Self::arm`]) bite at a chosen operation. After [`FaultEffect::Crash`] every further operation fails
/// with [`DiskError::Crash`] until [`Self::recover`]: the process that holds the disk unwinds.
#[derive(Clone, Debug, Default)]
pub struct SimDisk {
    pub(super) names: BTreeMap<Arc<str>, Name>,
    pub(super) durable_names: BTreeMap<Arc<str>, Name>,
    pub(super) files: BTreeMap<FileId, File>,
    next_file: FileId,
    faults: Vec<DiskFault>,
    operations: u64,
    /// What was done since it was last taken, where somebody wants to see it.
    kept: Option<Vec<(Operation, Arc<str>)>>,
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

    /// Whether a fault still waits; how many operations it lets pass does not matter.
    pub fn is_armed(&self, fault: &DiskFault) -> bool {
        let same = |waiting: &DiskFault| {
            waiting.operation == fault.operation && waiting.name == fault.name
        };
        self.faults.iter().any(same)
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

    /// Keeps every operation from now on until [`Self::take_kept`].
    pub fn keep_operations(&mut self) {
        self.kept.get_or_insert_default();
    }

    /// The operations that were kept since this was last asked, each with the path that it is about.
    pub fn take_kept(&mut self) -> Vec<(Operation, Arc<str>)> {
        self.kept.as_mut().map(std::mem::take).unwrap_or_default()
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
            file.lose_unsynced();
        }
    }

    /// Everything now written becomes durable: a freshly loaded disk is one that has been at rest.
    pub fn settle(&mut self) {
        self.durable_names = self.names.clone();
        self.drop_unnamed_files();
        for file in self.files.values_mut() {
            file.sync();
        }
    }

    /// Puts a file there, durable, with the directories above it; for setting a scene, not for the process.
    pub fn put(&mut self, path: &str, bytes: Bytes) {
        let path = &*key(path);
        self.make_directories(paths::parent(path));
        let id = self.new_file(File::at_rest(bytes));
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

    /// A file's content as a reader would see it now; no operation of a process, so no fault bites.
    pub fn look(&self, path: &str) -> Option<Bytes> {
        self.look_at(path, 0)
    }

    /// What a machine without power keeps under this path.
    pub fn look_durable(&self, path: &str) -> Option<Bytes> {
        match self.durable_names.get(&*key(path))? {
            Name::File(id) => Some(self.files.get(id)?.durable()),
            Name::Directory => None,
        }
    }

    /// Whether a machine without power keeps this file with everything that is written in it, or there is none.
    pub fn keeps(&self, path: &str) -> bool {
        let path = &*key(path);
        match self.names.get(path) {
            Some(Name::File(id)) => {
                let file = self.files.get(id);
                file.is_none_or(|file| {
                    file.written.size() == 0
                        || (file.is_durable()
                            && self.durable_names.get(path) == Some(&Name::File(*id)))
                })
            }
            Some(Name::Directory) | None => true,
        }
    }

    /// A file's content from byte `at` on.
    pub fn look_at(&self, path: &str, at: u64) -> Option<Bytes> {
        match self.names.get(&*key(path))? {
            Name::File(id) => Some(self.files.get(id)?.written.read_at(at, u64::MAX)),
            Name::Directory => None,
        }
    }

    /// Every file below `dir`: path from there and size, in path order.
    pub fn files_in(&self, dir: &str) -> Vec<(String, u64)> {
        let prefix = prefix_of(&key(dir));
        below(&self.names, &prefix)
            .filter_map(|(path, name)| match name {
                Name::File(id) => {
                    let size = self.files.get(id).map_or(0, |file| file.written.size());
                    Some((path[prefix.len()..].to_owned(), size))
                }
                Name::Directory => None,
            })
            .collect()
    }

    pub(super) fn new_file(&mut self, file: File) -> FileId {
        let id = self.next_file;
        self.next_file += 1;
        self.files.insert(id, file);
        id
    }

    pub(super) fn file_mut(&mut self, id: FileId) -> &mut File {
        self.files
            .get_mut(&id)
            .expect("every name of a file has its content")
    }

    pub(super) fn drop_unnamed_files(&mut self) {
        let (live, durable) = (&self.names, &self.durable_names);
        self.files.retain(|id, _| {
            let named =
                |map: &BTreeMap<Arc<str>, Name>| map.values().any(|name| *name == Name::File(*id));
            named(live) || named(durable)
        });
    }

    pub(super) fn make_directories(&mut self, dir: &str) {
        let mut at = dir;
        while !is_root(at) && !self.names.contains_key(at) {
            self.names.insert(at.into(), Name::Directory);
            self.durable_names.insert(at.into(), Name::Directory);
            at = paths::parent(at);
        }
    }

    /// Counts the operation, and lets a waiting fault bite.
    pub(super) fn check(&mut self, operation: Operation, path: &str) -> Result<()> {
        if self.state == Power::Crashed {
            return Err(DiskError::Crash);
        }
        if let Some(kept) = &mut self.kept {
            kept.push((operation, path.into()));
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

    pub(super) fn existing(&mut self, operation: Operation, path: &str) -> Result<FileId> {
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

    pub(super) fn writable(&mut self, operation: Operation, path: &str) -> Result<FileId> {
        let id = self.existing(operation, path)?;
        match self.file_mut(id).mode {
            Mode::Writable => Ok(id),
            Mode::ReadOnly => Err(failed(operation, path, "permission denied")),
        }
    }

    pub(super) fn directory(&self, operation: Operation, path: &str) -> Result<()> {
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

pub(super) fn failed(operation: Operation, path: &str, reason: &str) -> DiskError {
    DiskError::Failed {
        operation,
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}

/// The path as it stands in the maps.
pub(super) fn key(path: &str) -> Cow<'_, str> {
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
pub(super) fn prefix_of(dir: &str) -> String {
    match dir {
        "" | "/" => dir.to_owned(),
        _ => [dir, "/"].concat(),
    }
}

pub(super) fn is_root(dir: &str) -> bool {
    dir.is_empty() || dir == "/"
}

pub(super) fn below<'a>(
    names: &'a BTreeMap<Arc<str>, Name>,
    prefix: &'a str,
) -> impl Iterator<Item = (&'a Arc<str>, &'a Name)> {
    names
        .range::<str, _>((Bound::Included(prefix), Bound::Unbounded))
        .take_while(move |(path, _)| path.starts_with(prefix))
}

/// The direct entries of the directory whose path and `/` is `prefix`.
pub(super) fn direct<'a>(
    names: &'a BTreeMap<Arc<str>, Name>,
    prefix: &'a str,
) -> impl Iterator<Item = (&'a Arc<str>, &'a Name)> {
    below(names, prefix).filter(move |(path, _)| !path[prefix.len()..].contains('/'))
}
