//! Writing below a folder that is new, and nowhere else: the one place that joins names from archives, scenarios and
//! configurations to a real folder.
//!
//! The folder itself must not exist, every name goes through [`disk::path::below`], no link is followed, and nothing that
//! exists is opened.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use disk::path::{Misplaced, below};
use disk::{Disk, EntryKind, path};

/// A folder that did not exist before.
#[derive(Debug)]
pub struct NewFolder {
    path: PathBuf,
}

/// Why something was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A name that is not to be joined.
    #[error("{name}: {why}, so it is not written")]
    Name {
        /// The name as it was given.
        name: String,
        /// What is wrong with it.
        why: Misplaced,
    },
    /// Something stands there already.
    #[error("{}: something stands here already", path.display())]
    Exists { path: PathBuf },
    /// The file system refused.
    #[error("{}: {error}", path.display())]
    Io {
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// What was to be written cannot be read.
    #[error("{0}")]
    Disk(#[from] disk::DiskError),
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_path_buf();
    move |error| match error.kind() {
        io::ErrorKind::AlreadyExists => WriteError::Exists { path },
        _ => WriteError::Io { path, error },
    }
}

fn checked(name: &str) -> Result<String, WriteError> {
    below(name).map_err(|why| WriteError::Name {
        name: name.to_owned(),
        why,
    })
}

impl NewFolder {
    /// Makes the folder `name` within `parent`, which is made too where it does not exist.
    pub fn create(parent: &Path, name: &str) -> Result<Self, WriteError> {
        let name = checked(name)?;
        fs::create_dir_all(parent).map_err(failed(parent))?;
        let path = parent.join(name);
        fs::create_dir(&path).map_err(failed(&path))?;
        Ok(NewFolder { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A folder in it, and those above it.
    pub fn folder(&self, name: &str) -> Result<(), WriteError> {
        let mut path = self.path.clone();
        for part in checked(name)?.split('/') {
            path.push(part);
            match fs::create_dir(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    let found = fs::symlink_metadata(&path).map_err(failed(&path))?;
                    if !found.is_dir() {
                        return Err(WriteError::Exists { path });
                    }
                }
                made => made.map_err(failed(&path))?,
            }
        }
        Ok(())
    }

    /// A new file in it, and the folders above it.
    pub fn file(&self, name: &str, content: &[u8]) -> Result<(), WriteError> {
        let name = checked(name)?;
        match path::parent(&name) {
            "" => {}
            parent => self.folder(parent)?,
        }
        let path = self.path.join(&name);
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        file.and_then(|mut file| file.write_all(content))
            .map_err(failed(&path))
    }

    /// A copy of everything below `from` on a disk, in the folder `name`.
    pub fn copy(&self, disk: &mut dyn Disk, from: &str, name: &str) -> Result<(), WriteError> {
        self.folder(name)?;
        for entry in disk.list(from)? {
            let (source, target) = (path::join(from, &entry.name), path::join(name, &entry.name));
            match entry.kind {
                EntryKind::Directory => self.copy(disk, &source, &target)?,
                EntryKind::File { .. } => self.file(&target, &disk.read(&source)?)?,
                EntryKind::Special(special) => {
                    let error = io::Error::other(special.to_string());
                    return Err(failed(Path::new(&source))(error));
                }
            }
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn everything_goes_below_and_nothing_is_overwritten() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        fs::write(root.join("outside"), "kept").unwrap();
        let folder = NewFolder::create(&root.join("a/b"), "new").unwrap();
        folder.file("d/f", b"x").unwrap();
        assert_eq!(fs::read(root.join("a/b/new/d/f")).unwrap(), b"x");
        for name in ["../up", "d/../../../outside", "/etc/x", "", "n\0"] {
            assert!(
                matches!(folder.file(name, b"y"), Err(WriteError::Name { .. })),
                "{name:?}"
            );
            assert!(folder.folder(name).is_err(), "{name:?}");
        }
        assert!(matches!(
            folder.file("d/f", b"y"),
            Err(WriteError::Exists { .. })
        ));
        assert!(matches!(
            NewFolder::create(&root.join("a/b"), "new"),
            Err(WriteError::Exists { .. })
        ));
        symlink(root, folder.path().join("link")).unwrap();
        assert!(folder.file("link/outside", b"y").is_err());
        assert!(folder.file("link/fresh", b"y").is_err());
        symlink("nowhere", root.join("dangling")).unwrap();
        assert!(NewFolder::create(root, "dangling").is_err());
        assert!(NewFolder::create(root, "..").is_err());
        assert_eq!(fs::read(root.join("outside")).unwrap(), b"kept");
        assert!(!root.join("fresh").exists());
    }
}
