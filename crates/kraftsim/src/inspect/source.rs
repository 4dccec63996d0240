//! Where files are read from.

use std::path::Path;

use bytes::Bytes;
use disk::{Disk, DiskError, EntryKind, ReadOnlyDisk, StdDisk, path};

use super::in_use::{Lock, lock_state};
use super::kind::FileKind;
use crate::Diagnosis;
use crate::archive::{self, Packing};

/// Folders deeper than this below the given one are not looked into.
const DEEPEST: usize = 8;

/// What was given to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// A directory.
    Directory,
    /// An archive.
    Archive(Packing),
    /// A single file.
    File,
}

/// A file of a source.
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
    /// Why not everything could be read.
    pub damage: Option<String>,
    /// Directories that a process holds or may hold, in words.
    pub in_use: Vec<String>,
}

/// Reads what stands at `path`.
pub fn open(path: &str) -> Result<Source, Diagnosis> {
    let cannot = |reason: String| {
        Diagnosis::new("the input cannot be read")
            .at(path)
            .found(reason)
    };
    let metadata = std::fs::metadata(path).map_err(|error| cannot(error.to_string()))?;
    if metadata.is_dir() {
        return Ok(directory(path));
    }
    let mut disk = ReadOnlyDisk::new(StdDisk::new());
    let content = disk.read(path).map_err(|error| cannot(error.to_string()))?;
    if let Some(packing) = archive::packing(&content) {
        return Ok(archived(path, packing, &content));
    }
    let name = path::file_name(path).to_owned();
    let kind = match FileKind::of_name(&name) {
        FileKind::Unknown => FileKind::of_content(&content),
        known => known,
    };
    let change = change(&mut disk, path, content.len() as u64, &content);
    let size = content.len() as u64;
    let file = SourceFile {
        path: name,
        kind,
        content: Some(content),
        size,
        change,
    };
    let kind = SourceKind::File;
    Ok(Source {
        path: path.to_owned(),
        kind,
        files: vec![file],
        damage: None,
        in_use: Vec::new(),
    })
}

fn archived(path: &str, packing: Packing, content: &Bytes) -> Source {
    let archive = archive::read(packing, content);
    let mut files: Vec<SourceFile> = archive
        .files
        .into_iter()
        .map(|file| SourceFile {
            kind: FileKind::of_name(path::file_name(&file.path)),
            size: file.content.len() as u64,
            path: file.path,
            content: Some(file.content),
            change: None,
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let kind = SourceKind::Archive(packing);
    Source {
        path: path.to_owned(),
        kind,
        files,
        damage: archive.damage,
        in_use: Vec::new(),
    }
}

fn directory(root: &str) -> Source {
    let mut source = Source {
        path: root.to_owned(),
        kind: SourceKind::Directory,
        files: Vec::new(),
        damage: None,
        in_use: Vec::new(),
    };
    collect(
        &mut ReadOnlyDisk::new(StdDisk::new()),
        root,
        "",
        0,
        &mut source,
    );
    source.files.sort_by(|a, b| a.path.cmp(&b.path));
    source
}

fn collect(disk: &mut dyn Disk, root: &str, below: &str, depth: usize, source: &mut Source) {
    let dir = path::join(root, below);
    let entries = match disk.list(&dir) {
        Ok(entries) => entries,
        Err(error) => {
            source.damage.get_or_insert(error.to_string());
            return;
        }
    };
    for entry in entries {
        let within = path::join(below, &entry.name);
        match entry.kind {
            EntryKind::Directory if depth < DEEPEST => {
                collect(disk, root, &within, depth + 1, source);
            }
            EntryKind::Directory => {}
            EntryKind::File { size } => {
                let file = read(disk, &path::join(root, &within), within, size);
                if file.kind == FileKind::Lock {
                    source.in_use.push(lock(&dir));
                }
                source.files.push(file);
            }
        }
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

fn read(disk: &mut dyn Disk, path: &str, within: String, size: u64) -> SourceFile {
    let kind = FileKind::of_name(path::file_name(path));
    let mut file = SourceFile {
        path: within,
        kind,
        content: None,
        size,
        change: None,
    };
    if kind == FileKind::Unknown {
        return file;
    }
    match disk.read(path) {
        Ok(content) => {
            file.change = change(disk, path, size, &content);
            file.content = Some(content);
        }
        Err(DiskError::NotFound { .. }) => file.change = Some("vanished while it was read".into()),
        Err(error) => file.change = Some(error.to_string()),
    }
    file
}

/// What a second look at the size says about the content that was read.
fn change(disk: &mut dyn Disk, path: &str, listed: u64, content: &Bytes) -> Option<String> {
    let read = content.len() as u64;
    match disk.size(path) {
        Ok(Some(after)) if after == read && listed == read => None,
        Ok(Some(after)) => Some(format!(
            "changed while it was read: {listed} bytes, then {read}, then {after}; {read} are shown"
        )),
        _ => Some(format!("vanished after {read} bytes were read")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use disk::MemDisk;

    #[test]
    fn a_file_that_changes_is_said_to() {
        let mut disk = MemDisk::new();
        let content = Bytes::from_static(b"12345");
        disk.create("f").unwrap();
        disk.append("f", &content).unwrap();
        assert_eq!(change(&mut disk, "f", 5, &content), None);
        assert!(
            change(&mut disk, "f", 3, &content)
                .unwrap()
                .contains("3 bytes, then 5, then 5")
        );
        disk.append("f", &content).unwrap();
        assert!(
            change(&mut disk, "f", 5, &content)
                .unwrap()
                .contains("then 10")
        );
        disk.remove("f").unwrap();
        assert!(
            change(&mut disk, "f", 5, &content)
                .unwrap()
                .contains("vanished")
        );
    }
}
