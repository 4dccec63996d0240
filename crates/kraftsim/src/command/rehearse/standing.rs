//! What stands on a node's disk.

use bytes::Bytes;
use config::{ServerConfig, meta_properties};
use disk::{Disk, EntryKind, path};
use raft_log::batch::{Batch, read_batches};
use raft_log::log::METADATA_LOG_DIR_NAME;

/// Largest text file whose content is shown.
const SMALL: usize = 4096;
const TEXT_FILES: [&str; 4] = [
    "meta.properties",
    "quorum-state",
    "leader-epoch-checkpoint",
    "partition.metadata",
];

/// A file, by its name for people and its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingFile {
    /// Path from the folder of the node's `server.properties` where it lies below that, else the whole path.
    pub name: String,
    /// What it holds.
    pub content: Bytes,
}

impl StandingFile {
    /// Whether it is the file that formatting leaves.
    pub fn is_meta_properties(&self) -> bool {
        path::file_name(&self.name) == meta_properties::FILE_NAME
    }

    /// The content of a small text file.
    pub fn text(&self) -> Option<&str> {
        let last = self.name.rsplit('/').next().unwrap_or(&self.name);
        let is_text = TEXT_FILES.contains(&last) && self.content.len() <= SMALL;
        std::str::from_utf8(&self.content).ok().filter(|_| is_text)
    }
}

/// All files of a node's directories, in name order.
pub fn files(disk: &mut impl Disk, config: &ServerConfig, config_path: &str) -> Vec<StandingFile> {
    let base = config_path
        .rsplit_once('/')
        .map(|(folder, _)| format!("{folder}/"));
    let mut found = Vec::new();
    for directory in config.all_directories() {
        collect(disk, &directory, &mut found);
    }
    let name = |path: String| match &base {
        Some(base) => path
            .strip_prefix(base.as_str())
            .map(str::to_owned)
            .unwrap_or(path),
        None => path,
    };
    let mut files: Vec<StandingFile> = found
        .into_iter()
        .map(|(path, content)| StandingFile {
            name: name(path),
            content,
        })
        .collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    // One log directory may lie within another.
    files.dedup();
    files
}

/// Reading a copy in memory cannot fail: a node that could not be copied whole is not rehearsed.
fn collect(disk: &mut impl Disk, directory: &str, found: &mut Vec<(String, Bytes)>) {
    for entry in disk.list(directory).unwrap_or_default() {
        let path = path::join(directory, &entry.name);
        match entry.kind {
            EntryKind::Directory => collect(disk, &path, found),
            EntryKind::Special(_) => {}
            EntryKind::File { .. } => {
                if let Ok(content) = disk.read(&path) {
                    found.push((path, content));
                }
            }
        }
    }
}

/// The metadata log as far as it can be read: every batch of every segment, in order.
pub fn log(disk: &mut impl Disk, config: &ServerConfig) -> Vec<Batch> {
    let partition = path::join(&config.metadata_log_dir, METADATA_LOG_DIR_NAME);
    let mut batches = Vec::new();
    for entry in disk.list(&partition).unwrap_or_default() {
        let is_segment = entry.name.len() == 24
            && entry
                .name
                .strip_suffix(".log")
                .is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
        if is_segment && let Ok(content) = disk.read(&path::join(&partition, &entry.name)) {
            batches.extend(read_batches(&entry.name, &content, 0).map_while(Result::ok));
        }
    }
    batches
}
