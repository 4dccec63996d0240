use config::properties::Properties;
use config::{ConfigError, ServerConfig};
use disk::{Disk, DiskError, EntryKind, path};
use node::NodeConfig;
use raft_log::Corrupt;

use crate::SimDisk;

/// A node as it stands on somebody's disk: configuration, and a copy of what a controller reads.
#[derive(Clone, Debug)]
pub struct LoadedNode {
    /// What its `server.properties` says.
    pub config: NodeConfig,
    /// Its directories, under the paths of the configuration.
    pub disk: SimDisk,
    /// What its owner should know about the reading, in plain words.
    pub notes: Vec<String>,
}

/// Why a node could not be loaded. That Kafka would refuse to start on it is no such reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The configuration cannot be read from the disk.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The configuration is not a properties file.
    #[error(transparent)]
    Properties(#[from] Corrupt),
    /// The configuration is one that Kafka refuses.
    #[error("{path}: {error}")]
    Config {
        /// The file.
        path: String,
        /// What is wrong.
        error: ConfigError,
    },
}

/// Reads a node's configuration and copies what a controller reads of its directories; writes nothing.
///
/// Other partitions' directories stay out, and so do index files, which a start makes anew.
pub fn load(disk: &mut impl Disk, config_path: &str) -> Result<LoadedNode, LoadError> {
    let text = disk.read(config_path)?;
    let properties = Properties::parse(config_path, &text)?;
    let config = ServerConfig::parse(properties.iter()).map_err(|error| LoadError::Config {
        path: config_path.to_owned(),
        error,
    })?;
    let mut loaded = LoadedNode {
        config: NodeConfig::new(config),
        disk: SimDisk::new(),
        notes: Vec::new(),
    };
    for dir in loaded.config.server().all_directories() {
        match copy_directory(disk, &dir, &mut loaded) {
            Ok(()) => {}
            Err(DiskError::NotFound { .. }) => {
                loaded.notes.push(format!("{dir}: no such directory"));
            }
            Err(error) => loaded.notes.push(error.to_string()),
        }
    }
    loaded.disk.settle();
    Ok(loaded)
}

fn copy_directory(
    disk: &mut impl Disk,
    dir: &str,
    loaded: &mut LoadedNode,
) -> Result<(), DiskError> {
    let entries = disk.list(dir)?;
    loaded.disk.create_dir_all(dir)?;
    for entry in entries {
        let path = path::join(dir, &entry.name);
        match entry.kind {
            EntryKind::Directory if entry.name == "__cluster_metadata-0" => {
                copy_directory(disk, &path, loaded)?;
            }
            EntryKind::Directory => {}
            EntryKind::File { .. } if entry.name == ".lock" => {
                loaded.notes.push(format!(
                    "{path} exists: a process uses {dir}, or was killed in it"
                ));
            }
            EntryKind::File { .. } if is_index(&entry.name) => {}
            EntryKind::File { size } => copy_file(disk, &path, size, loaded),
        }
    }
    Ok(())
}

fn copy_file(disk: &mut impl Disk, path: &str, listed: u64, loaded: &mut LoadedNode) {
    match disk.read(path) {
        Ok(bytes) => {
            if bytes.len() as u64 != listed {
                loaded.notes.push(format!(
                    "{path} changes while it is read: {listed} bytes when listed, {} when read",
                    bytes.len()
                ));
            }
            loaded.disk.put(path, bytes);
        }
        Err(DiskError::NotFound { .. }) => loaded
            .notes
            .push(format!("{path} went away while {path} was read")),
        Err(error) => loaded.notes.push(error.to_string()),
    }
}

fn is_index(name: &str) -> bool {
    [".index", ".timeindex", ".txnindex"]
        .iter()
        .any(|suffix| name.ends_with(suffix))
}
