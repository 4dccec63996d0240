//! Where files are read from.

use raft_log::log::METADATA_LOG_DIR_NAME;
use std::io;
use std::path::Path;

use bytes::Bytes;
use disk::regular::{self, MOST_FILE_BYTES};
use disk::tree::{Budget, Candidate, NotRead, ReadFile, Reading, Want, read_tree};
use disk::{EntryKind, ReadOnlyDisk, StdDisk, Via, path};
use raft_log::FileKind;

use super::in_use::{Lock, lock_state};
use crate::Diagnosis;
use crate::archive::{self, Packing};

/// What was given to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    Directory,
    Archive(Packing),
    /// A single file.
    File,
}

/// A file that `inspect` was asked about, alone or within a directory or an archive.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Path within the source; of a single file its name.
    pub path: String,
    /// What it is.
    pub kind: FileKind,
    /// Content; `None` where the file is none of a controller's, and was not read.
    pub content: Option<Bytes>,
    /// Size in bytes as it was listed.
    pub size: u64,
    /// What happened to it while it was read.
    pub change: Option<String>,
}

/// The files that were found.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path that was given.
    pub path: String,
    /// What stands there.
    pub kind: SourceKind,
    /// The files in path order.
    pub files: Vec<SourceFile>,
    /// What stands there too and was not read, or not whole: while there is any, nothing follows from what is absent.
    pub not_read: Vec<NotRead>,
    /// Directories that a process holds or may hold, in words.
    pub in_use: Vec<String>,
}

/// Reads what stands at `path`.
pub fn open(path: &str, budget: &mut Budget) -> Result<Source, Diagnosis> {
    let cannot = |reason: String| {
        Diagnosis::new("the input cannot be read")
            .at(path)
            .found(reason)
    };
    let metadata = std::fs::metadata(path).map_err(|error| cannot(error.to_string()))?;
    if metadata.is_dir() {
        return directory(path, budget).map_err(|error| cannot(error.to_string()));
    }
    let mut want = |found: &Candidate| want("", found, &mut Vec::new());
    let archive = archive::open(Path::new(path), budget, &mut want);
    match archive.map_err(|error| cannot(error.to_string()))? {
        Some((packing, reading)) => Ok(source(
            path,
            SourceKind::Archive(packing),
            reading,
            Vec::new(),
        )),
        None => single(path).map_err(|error| cannot(error.to_string())),
    }
}

fn single(path: &str) -> io::Result<Source> {
    let content = regular::read(Path::new(path), MOST_FILE_BYTES)?;
    let name = path::file_name(path).to_owned();
    let kind = match FileKind::of_name(&name) {
        FileKind::Unknown => FileKind::of_content(&content),
        known => known,
    };
    let file = SourceFile {
        path: name,
        kind,
        size: content.len() as u64,
        content: Some(content),
        change: None,
    };
    Ok(Source {
        path: path.to_owned(),
        kind: SourceKind::File,
        files: vec![file],
        not_read: Vec::new(),
        in_use: Vec::new(),
    })
}

fn directory(root: &str, budget: &mut Budget) -> Result<Source, disk::DiskError> {
    let mut disk = ReadOnlyDisk::new(StdDisk::new());
    let mut in_use = Vec::new();
    let reading = read_tree(&mut disk, root, budget, &mut |found| {
        want(root, found, &mut in_use)
    })?;
    Ok(source(root, SourceKind::Directory, reading, in_use))
}

fn source(path: &str, kind: SourceKind, reading: Reading, in_use: Vec<String>) -> Source {
    let (files, not_read) = reading.parts();
    Source {
        path: path.to_owned(),
        kind,
        files: files.into_iter().map(source_file).collect(),
        not_read,
        in_use,
    }
}

fn source_file(file: ReadFile) -> SourceFile {
    let kind = FileKind::of_name(path::file_name(&file.path));
    SourceFile {
        kind,
        size: file.size,
        change: (file.grew_by > 0).then(|| {
            format!(
                "grew by {} bytes while it was read, which are not shown",
                file.grew_by
            )
        }),
        path: file.path,
        content: file.content,
    }
}

/// What is looked at of a directory or an archive: files of a controller, and where they may lie.
fn want(root: &str, found: &Candidate, in_use: &mut Vec<String>) -> Want {
    let name = found.name();
    match (found.kind, FileKind::of_name(name)) {
        // A controller follows the link of its metadata log, and so does this; others may lead anywhere.
        (EntryKind::Directory, FileKind::Unknown) => match found.via {
            Via::Link if name != METADATA_LOG_DIR_NAME => {
                Want::Refused("a symbolic link to a directory, which is not followed")
            }
            Via::Link | Via::Name => Want::Whole,
        },
        (EntryKind::File { .. }, FileKind::Unknown) => Want::Name,
        (EntryKind::File { .. }, FileKind::Lock) => {
            if !root.is_empty() {
                in_use.push(lock(&path::join(root, path::parent(found.path))));
            }
            Want::Openable
        }
        _ => Want::File,
    }
}

fn lock(dir: &str) -> String {
    match lock_state(&Path::new(dir).join(".lock")) {
        Lock::Held => format!("{dir}: a process holds .lock; what it is writing may be half there"),
        Lock::LeftBehind => format!(
            "{dir}: .lock stands there and nobody is seen to hold it: the process died, or it runs where its locks are \
             not seen"
        ),
    }
}
