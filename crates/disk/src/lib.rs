//! What a controller asks of a file system: the [`Disk`] trait, a plain in-memory one, the real one.
//!
//! Deliberately knows nothing of Kafka's files and nothing of faults: the faulty disk is the simulator's, which
//! implements the same trait. Paths are text with `/`, as they stand in `server.properties`; a disk does not
//! resolve `..` or links. Operations are synchronous, as in Kafka, whose raft thread blocks on them.
//!
//! Reading order: [`Disk`] (the operations), [`MemDisk`], [`StdDisk`], [`ReadOnlyDisk`] (a wrapper that writes
//! nothing), [`regular`] (the one place that opens real files for reading), [`tree`] (everything below a directory, within
//! limits), [`copy_tree`], [`path`] (names joined below a directory), and `suite`, the cases that every disk must pass
//! (feature `suite`).
//!
//! ```
//! use bytes::Bytes;
//! use disk::{Disk, MemDisk};
//! let mut disk = MemDisk::new();
//! disk.create_dir_all("data/__cluster_metadata-0")?;
//! disk.create("data/quorum-state.tmp")?;
//! disk.append("data/quorum-state.tmp", &Bytes::from_static(b"{}"))?;
//! disk.sync("data/quorum-state.tmp")?;
//! disk.rename("data/quorum-state.tmp", "data/quorum-state")?;
//! disk.sync_dir("data")?;
//! assert_eq!(disk.list("data")?.len(), 2);
//! # Ok::<(), disk::DiskError>(())
//! ```

use std::fmt;

use bytes::Bytes;

/// What one directory entry is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Name within its directory, without `/`.
    pub name: String,
    /// What stands there, or where the link leads.
    pub kind: EntryKind,
    /// Whether the name is that of a symbolic link.
    pub via: Via,
}

/// What a name in a directory stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    Directory,
    /// A file and its size in bytes.
    File {
        /// Bytes in the file as a reader would see it now.
        size: u64,
    },
    /// Neither; only the real disk has such entries, and no operation reads or writes them.
    Special(Special),
}

/// How a directory entry leads to what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Via {
    /// By its name.
    Name,
    /// By a symbolic link, or several.
    Link,
}

/// An entry of a real directory that is neither a directory nor a regular file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Special {
    /// A named pipe: opening it waits for somebody at its other end.
    Fifo,
    Socket,
    /// A device such as `/dev/zero`, which may have no end.
    CharacterDevice,
    /// A device such as a partition of a hard disk.
    BlockDevice,
    /// A symbolic link to a place where nothing stands.
    BrokenLink,
    /// A symbolic link whose target cannot be looked at.
    Unreachable(std::io::ErrorKind),
    /// A name that is not UTF-8; it is listed with `�` for what is not, so no operation reaches it.
    NameNotUtf8,
    /// The system does not tell.
    Unknown,
}

impl fmt::Display for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Special::Fifo => "a FIFO, not a regular file",
            Special::Socket => "a socket, not a regular file",
            Special::CharacterDevice => "a character device, not a regular file",
            Special::BlockDevice => "a block device, not a regular file",
            Special::BrokenLink => "a symbolic link to nothing",
            Special::Unreachable(kind) => {
                return write!(f, "a symbolic link that cannot be followed: {kind}");
            }
            Special::NameNotUtf8 => "a name that is not UTF-8",
            Special::Unknown => "not a regular file",
        })
    }
}

/// An operation of [`Disk`], by name, as faults and errors speak of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// [`Disk::list`]
    List,
    /// [`Disk::create_dir_all`]
    CreateDirectory,
    /// [`Disk::create`]
    Create,
    /// [`Disk::append`]
    Append,
    /// [`Disk::sync`]
    Sync,
    /// [`Disk::rename`]
    Rename,
    /// [`Disk::sync_dir`]
    SyncDirectory,
    /// [`Disk::truncate`]
    Truncate,
    /// [`Disk::remove`] and [`Disk::remove_dir`]
    Remove,
    /// [`Disk::read`] and [`Disk::size`]
    Read,
    /// [`Disk::set_read_only`]
    SetReadOnly,
}

impl Operation {
    /// The word of the scenario language: `crash 1 at sync 3 of quorum-state`.
    pub fn name(self) -> &'static str {
        match self {
            Operation::List => "list",
            Operation::CreateDirectory => "create-directory",
            Operation::Create => "create",
            Operation::Append => "append",
            Operation::Sync => "sync",
            Operation::Rename => "rename",
            Operation::SyncDirectory => "sync-directory",
            Operation::Truncate => "truncate",
            Operation::Remove => "remove",
            Operation::Read => "read",
            Operation::SetReadOnly => "set-read-only",
        }
    }
}

/// Why an operation did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskError {
    /// The named file or directory does not exist.
    NotFound {
        operation: Operation,
        /// The path asked for.
        path: String,
    },
    /// The file system refused: full, not permitted, is a directory, …
    Failed {
        operation: Operation,
        /// The path asked for.
        path: String,
        /// The file system's own words.
        reason: String,
    },
    /// The process died at this operation: unwind, touch nothing more, drop the node.
    Crash,
}

impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiskError::NotFound { operation, path } => {
                write!(
                    f,
                    "{path}: cannot {}: no such file or directory",
                    operation.name()
                )
            }
            DiskError::Failed {
                operation,
                path,
                reason,
            } => {
                write!(f, "{path}: cannot {}: {reason}", operation.name())
            }
            DiskError::Crash => write!(f, "the process crashed at a disk operation"),
        }
    }
}

impl std::error::Error for DiskError {}

impl DiskError {
    /// The same error at another path: a directory that is missing is a file that cannot be made in it.
    fn at(self, path: &str) -> DiskError {
        let path = path.to_owned();
        match self {
            DiskError::NotFound { operation, .. } => DiskError::NotFound { operation, path },
            DiskError::Failed {
                operation, reason, ..
            } => DiskError::Failed {
                operation,
                path,
                reason,
            },
            DiskError::Crash => DiskError::Crash,
        }
    }
}

/// Shorthand for the result of a disk operation.
pub type Result<T> = std::result::Result<T, DiskError>;

/// The operations that a KRaft controller really makes, in the order in which it makes them.
///
/// Written is not durable: after `append` a reader sees the bytes, after `sync` a crash keeps them; a `create`,
/// `rename` or `remove` survives a crash once the directory that holds the name is synced with `sync_dir`.
pub trait Disk {
    /// Entries of a directory in ascending name order.
    fn list(&mut self, dir: &str) -> Result<Vec<Entry>>;
    /// Creates a directory and those above it; nothing if it exists.
    fn create_dir_all(&mut self, dir: &str) -> Result<()>;
    /// Creates an empty file, or empties the existing one.
    fn create(&mut self, path: &str) -> Result<()>;
    /// Adds bytes at the end. The disk may keep the shared bytes; it need not copy.
    fn append(&mut self, path: &str, bytes: &Bytes) -> Result<()>;
    /// Makes the file's content durable (fsync).
    fn sync(&mut self, path: &str) -> Result<()>;
    /// Renames a file within one file system, replacing the file that stands at `to` (atomic).
    fn rename(&mut self, from: &str, to: &str) -> Result<()>;
    /// Makes the names in a directory durable.
    fn sync_dir(&mut self, dir: &str) -> Result<()>;
    /// Cuts a file to `size` bytes; `size` is at most the present size.
    fn truncate(&mut self, path: &str, size: u64) -> Result<()>;
    /// Removes a file.
    fn remove(&mut self, path: &str) -> Result<()>;
    /// Removes a directory and all in it.
    fn remove_dir(&mut self, dir: &str) -> Result<()>;
    /// The whole content of a file, of at most [`regular::MOST_FILE_BYTES`] on the real disk.
    fn read(&mut self, path: &str) -> Result<Bytes>;
    /// `length` bytes from `at`, fewer at the end of the file.
    fn read_at(&mut self, path: &str, at: u64, length: u64) -> Result<Bytes>;
    /// Size of a file in bytes, `None` where no file stands.
    fn size(&mut self, path: &str) -> Result<Option<u64>>;
    /// Takes away the right to write (mode 0400, as Kafka does with a frozen checkpoint): from here on the file can be
    /// read, renamed and removed, not created anew, appended to or truncated.
    fn set_read_only(&mut self, path: &str) -> Result<()>;
}

mod copy;
mod mem;
pub mod path;
mod read_only;
pub mod regular;
mod std_disk;
#[cfg(any(test, feature = "suite"))]
pub mod suite;
#[cfg(test)]
mod tests;
pub mod tree;

pub use copy::copy_tree;
pub use mem::MemDisk;
pub use read_only::ReadOnlyDisk;
pub use std_disk::StdDisk;
