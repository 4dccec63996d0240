use config::ServerConfig;
use disk::tree::{Budget, Candidate, NotRead, Want, read_tree};
use disk::{Disk, DiskError, EntryKind, path};
use node::{Advertised, NodeConfig};
use raft_log::FileKind;
use raft_log::log::METADATA_LOG_DIR_NAME;

use crate::SimDisk;

/// A file that is none of a controller's is copied up to this size, in bytes.
const MOST_BYTES_OF_OTHERS: u64 = 1 << 20;

/// A node as it stands on somebody's disk: configuration, and a copy of what a controller reads.
#[derive(Clone, Debug)]
pub struct LoadedNode {
    /// What its `server.properties` says.
    pub config: NodeConfig,
    /// Its directories, under the paths of the configuration.
    pub disk: SimDisk,
    /// Directories of the configuration that do not exist.
    pub missing: Vec<String>,
    /// What a controller would read and could not be copied whole, by its whole path: while there is any, the copy says
    /// nothing of what a server would do.
    pub not_read: Vec<NotRead>,
    /// What its owner should know about the reading, in plain words.
    pub notes: Vec<String>,
}

/// Copies what a controller reads of the directories of a configuration; writes nothing.
///
/// Other partitions' directories stay out, and so do index files, which a start makes anew.
pub fn load(disk: &mut impl Disk, config: ServerConfig, budget: &mut Budget) -> LoadedNode {
    let mut loaded = LoadedNode {
        config: NodeConfig::new(config).with_advertised(Advertised::AlsoMapped),
        disk: SimDisk::new(),
        missing: Vec::new(),
        not_read: Vec::new(),
        notes: Vec::new(),
    };
    for dir in loaded.config.server().all_directories() {
        if let Err(error) = loaded.copy(disk, &dir, budget) {
            loaded.failed(dir, error);
        }
    }
    loaded.disk.settle();
    loaded
}

impl LoadedNode {
    fn copy(
        &mut self,
        disk: &mut impl Disk,
        dir: &str,
        budget: &mut Budget,
    ) -> Result<(), DiskError> {
        let notes = &mut self.notes;
        let reading = read_tree(disk, dir, budget, &mut |found| want(dir, found, notes))?;
        self.disk.create_dir_all(dir)?;
        for below in reading.directories() {
            self.disk.create_dir_all(&path::join(dir, below))?;
        }
        let (files, not_read) = reading.parts();
        for file in files {
            let path = path::join(dir, &file.path);
            if file.grew_by > 0 {
                self.notes.push(format!(
                    "{path} grew by {} bytes while it was read, which are left out",
                    file.grew_by
                ));
            }
            if let Some(content) = file.content {
                self.disk.put(&path, content);
            }
        }
        self.not_read
            .extend(not_read.into_iter().map(|one| NotRead {
                path: path::join(dir, &one.path),
                why: one.why,
            }));
        Ok(())
    }

    fn failed(&mut self, dir: String, error: DiskError) {
        match error {
            DiskError::NotFound { .. } => self.missing.push(dir),
            DiskError::Failed { reason, .. } => self.not_read.push(NotRead {
                path: dir,
                why: format!("it cannot be read: {reason}"),
            }),
            DiskError::Crash => self.not_read.push(NotRead {
                path: dir,
                why: error.to_string(),
            }),
        }
    }
}

/// What a controller wants of an entry of a log directory.
fn want(dir: &str, found: &Candidate, notes: &mut Vec<String>) -> Want {
    let name = found.name();
    let in_partition = matches!(found.path.split_once('/'), Some((METADATA_LOG_DIR_NAME, _)));
    let mut left_out = |why: String| {
        notes.push(format!("{}: {why}", path::join(dir, found.path)));
        Want::Nothing
    };
    match (FileKind::of_name(name), found.kind) {
        _ if found.path == METADATA_LOG_DIR_NAME => Want::Whole,
        (FileKind::Lock, EntryKind::File { .. }) => {
            notes.push(format!(
                "{} exists: a process uses {dir}, or was killed in it",
                path::join(dir, found.path)
            ));
            Want::Openable
        }
        (FileKind::Index, _) => Want::Openable,
        (FileKind::Unknown, EntryKind::Directory) => Want::Nothing,
        // A server looks at every file of the metadata log's directory, whatever its name
        // (4.4:storage/src/main/java/org/apache/kafka/storage/internals/log/LogLoader.java).
        (FileKind::Unknown, EntryKind::File { .. }) if in_partition => Want::File,
        (FileKind::Unknown, EntryKind::File { size }) if size <= MOST_BYTES_OF_OTHERS => {
            Want::Whole
        }
        (FileKind::Unknown, EntryKind::File { .. }) => {
            left_out("left out, since no controller reads it".to_owned())
        }
        (FileKind::Unknown, EntryKind::Special(special)) => {
            left_out(format!("{special}; no controller reads it"))
        }
        _ => Want::File,
    }
}
