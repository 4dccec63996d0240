//! Everything below a directory, read within limits; what could not be read is named.
//!
//! A [`Reading`] keeps the files that were read apart from the names of what was not, and its readers choose: [`Reading::whole`]
//! for those who conclude something from what is absent, [`Reading::parts`] for those who tell of both. Archives are read
//! into the same type.

use std::fmt;

use bytes::Bytes;

use crate::regular::MOST_FILE_BYTES;
use crate::{Disk, DiskError, EntryKind, Result, Via, path};

/// Files and directories that one reading may come by.
pub const MOST_ENTRIES: usize = 100_000;
/// Bytes of all files together that one reading may keep in memory: 1 GiB.
pub const MOST_BYTES: u64 = 1 << 30;
/// Names in a path below the directory that is read.
pub const MOST_DEPTH: usize = 32;

/// What one command may still read. Several readings of one command share it.
#[derive(Clone, Debug)]
pub struct Budget {
    entries: usize,
    bytes: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            entries: MOST_ENTRIES,
            bytes: MOST_BYTES,
        }
    }
}

impl Budget {
    /// Another entry is come by.
    pub fn entry(&mut self) -> std::result::Result<(), Excess> {
        self.entries = self.entries.checked_sub(1).ok_or(Excess::Entries)?;
        Ok(())
    }

    /// `size` bytes of one file are about to be read.
    pub fn file(&mut self, size: u64) -> std::result::Result<(), Excess> {
        if size > MOST_FILE_BYTES {
            return Err(Excess::File { size });
        }
        self.bytes = self.bytes.checked_sub(size).ok_or(Excess::Bytes { size })?;
        Ok(())
    }
}

/// Which limit stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// [`MOST_ENTRIES`]
    Entries,
    /// [`MOST_FILE_BYTES`]
    File {
        /// Bytes that the file has.
        size: u64,
    },
    /// [`MOST_BYTES`]
    Bytes {
        /// Bytes that the file has.
        size: u64,
    },
    /// [`MOST_DEPTH`]
    Depth,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Excess::Entries => write!(
                f,
                "there are more than {MOST_ENTRIES} files and directories, which is the limit"
            ),
            Excess::File { size } => {
                write!(
                    f,
                    "it has {size} bytes; the limit of one file is {MOST_FILE_BYTES}"
                )
            }
            Excess::Bytes { size } => write!(
                f,
                "with its {size} bytes there would be more than {MOST_BYTES} in memory, which is the limit"
            ),
            Excess::Depth => write!(
                f,
                "it lies more than {MOST_DEPTH} directories deep, which is the limit"
            ),
        }
    }
}

/// What is wanted of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// A file with its content, a directory with all in it. Anything else counts as not read.
    Whole,
    /// A file with its content. Anything else, a directory too, counts as not read.
    File,
    /// Its name, and that it can be opened: the reader makes do without what is in it, a server does not.
    Openable,
    /// Its name: nobody needs what is in it.
    Name,
    /// It counts as not read, for this reason.
    Refused(&'static str),
    Nothing,
}

/// An entry that was come by, before it is read.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// Its path below the directory that is read.
    pub path: &'a str,
    /// What stands there.
    pub kind: EntryKind,
    /// Whether a symbolic link leads there.
    pub via: Via,
}

impl Candidate<'_> {
    /// The last part of its path.
    pub fn name(&self) -> &str {
        path::file_name(self.path)
    }
}

/// A regular file below the directory, with its content if that was wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFile {
    /// Its path below the directory that was read.
    pub path: String,
    /// Bytes in it, as it was listed.
    pub size: u64,
    /// Its content; nothing where only its name was wanted.
    pub content: Option<Bytes>,
    /// Bytes by which it grew while it was read; they are not in the content.
    pub grew_by: u64,
}

impl ReadFile {
    /// A file of which only the name is wanted.
    pub fn named(path: String, size: u64) -> Self {
        ReadFile {
            path,
            size,
            content: None,
            grew_by: 0,
        }
    }
}

/// Something that was not read, or not whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotRead {
    /// Its path below the directory or within the archive; empty where it is that itself.
    pub path: String,
    /// Why, in words that go on from `PATH: `.
    pub why: String,
}

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.why),
            path => write!(f, "{path}: {}", self.why),
        }
    }
}

/// The files below a directory or in an archive, and what is not among them although it stands there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Reading {
    directories: Vec<String>,
    files: Vec<ReadFile>,
    not_read: Vec<NotRead>,
}

impl Reading {
    /// The files in path order, if everything was read.
    pub fn whole(self) -> std::result::Result<Vec<ReadFile>, Vec<NotRead>> {
        let (files, not_read) = self.parts();
        if not_read.is_empty() {
            Ok(files)
        } else {
            Err(not_read)
        }
    }

    /// The files, and what was not read, each in path order.
    pub fn parts(mut self) -> (Vec<ReadFile>, Vec<NotRead>) {
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        self.not_read.sort();
        (self.files, self.not_read)
    }

    /// The directories that were looked into, without the one that was read; files may lie in others, too.
    pub fn directories(&self) -> &[String] {
        &self.directories
    }

    /// One more directory that was looked into.
    pub fn add_directory(&mut self, path: impl Into<String>) {
        self.directories.push(path.into());
    }

    /// One more file.
    pub fn add(&mut self, file: ReadFile) {
        self.files.push(file);
    }

    /// One more thing that was not read.
    pub fn leave_out(&mut self, path: impl Into<String>, why: impl fmt::Display) {
        self.not_read.push(NotRead {
            path: path.into(),
            why: why.to_string(),
        });
    }
}

/// Reads what is wanted below `root`. An error is that `root` itself cannot be listed.
pub fn read_tree(
    disk: &mut dyn Disk,
    root: &str,
    budget: &mut Budget,
    want: &mut dyn FnMut(&Candidate) -> Want,
) -> Result<Reading> {
    let mut walk = Walk {
        disk,
        root,
        budget,
        want,
        reading: Reading::default(),
    };
    walk.directory("", 0)?;
    Ok(walk.reading)
}

struct Walk<'a> {
    disk: &'a mut dyn Disk,
    root: &'a str,
    budget: &'a mut Budget,
    want: &'a mut dyn FnMut(&Candidate) -> Want,
    reading: Reading,
}

impl Walk<'_> {
    fn directory(&mut self, below: &str, depth: usize) -> Result<()> {
        let dir = match below {
            "" => self.root.to_owned(),
            below => path::join(self.root, below),
        };
        for entry in self.disk.list(&dir)? {
            let path = path::join(below, &entry.name);
            if let Err(excess) = self.budget.entry() {
                self.reading.leave_out(below, excess);
                return Ok(());
            }
            let (kind, via) = (entry.kind, entry.via);
            let want = (self.want)(&Candidate {
                path: &path,
                kind,
                via,
            });
            match (want, kind) {
                (Want::Nothing, _) | (Want::Name, EntryKind::Directory) => {}
                (Want::Refused(why), _) => self.reading.leave_out(path, why),
                (Want::Name, EntryKind::File { size }) => self.named(path, size),
                (Want::Openable, EntryKind::File { size }) => {
                    match self.disk.read_at(&path::join(self.root, &path), 0, 1) {
                        Ok(_) => self.named(path, size),
                        Err(error) => self.failed(path, error)?,
                    }
                }
                (Want::Whole | Want::File, EntryKind::File { size }) => self.file(path, size)?,
                (Want::File | Want::Openable, EntryKind::Directory) => {
                    self.reading
                        .leave_out(path, "a directory, not a regular file");
                }
                (Want::Whole, EntryKind::Directory) if depth + 1 > MOST_DEPTH => {
                    self.reading.leave_out(path, Excess::Depth);
                }
                (Want::Whole, EntryKind::Directory) => match self.directory(&path, depth + 1) {
                    Ok(()) => self.reading.add_directory(path),
                    Err(error) => self.failed(path, error)?,
                },
                (_, EntryKind::Special(special)) => self.reading.leave_out(path, special),
            }
        }
        Ok(())
    }

    fn named(&mut self, path: String, size: u64) {
        self.reading.add(ReadFile::named(path, size));
    }

    fn file(&mut self, within: String, listed: u64) -> Result<()> {
        if let Err(excess) = self.budget.file(listed) {
            self.reading.leave_out(within, excess);
            return Ok(());
        }
        let path = path::join(self.root, &within);
        let content = match self.disk.read(&path) {
            Ok(content) => content,
            Err(error) => return self.failed(within, error),
        };
        let read = content.len() as u64;
        let after = match self.disk.size(&path) {
            Ok(after) => after,
            Err(error) => return self.failed(within, error),
        };
        match after {
            // Bytes that were added behind those that were read leave these as they were at a moment.
            Some(after) if listed <= read && read <= after => self.reading.add(ReadFile {
                path: within,
                size: listed,
                content: Some(content),
                grew_by: after - read,
            }),
            _ => {
                let after = after.map_or("it is gone".to_owned(), |after| after.to_string());
                let why = format!(
                    "it changed while it was read: {listed} bytes were listed, {read} read, then {after}"
                );
                self.reading.leave_out(within, why);
            }
        }
        Ok(())
    }

    /// Only the end of a simulated process ends the reading.
    fn failed(&mut self, within: String, error: DiskError) -> Result<()> {
        let why = match error {
            DiskError::Crash => return Err(error),
            DiskError::NotFound { .. } => "it went away while it was read".to_owned(),
            DiskError::Failed { reason, .. } => format!("it cannot be read: {reason}"),
        };
        self.reading.leave_out(within, why);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
