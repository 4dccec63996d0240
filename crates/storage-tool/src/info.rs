//! `info`: what the directories of a configuration hold, and what is wrong with them.

use std::collections::BTreeMap;

use config::ServerConfig;
use config::meta_properties::{self, MetaProperties, MetaPropertiesVersion};
use disk::{Disk, DiskError};

/// What `kafka-storage info` tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryInfo {
    /// Directories that are there, ascending.
    pub found: Vec<String>,
    /// What the first readable `meta.properties` says, by key.
    pub metadata: Option<BTreeMap<&'static str, String>>,
    /// What is wrong, in the order in which it is found; the tool then ends with status 1.
    pub problems: Vec<String>,
}

/// Looks at the directories of a configuration; writes nothing.
pub fn info(config: &ServerConfig, disk: &mut impl Disk) -> Result<DirectoryInfo, DiskError> {
    let mut info = DirectoryInfo {
        found: Vec::new(),
        metadata: None,
        problems: Vec::new(),
    };
    let mut first: Option<MetaProperties> = None;
    for directory in config.all_directories() {
        match disk.list(&directory) {
            Ok(_) => info.found.push(directory.clone()),
            Err(DiskError::NotFound { .. }) => {
                info.problems.push(format!("{directory} does not exist"));
                continue;
            }
            Err(DiskError::Crash) => return Err(DiskError::Crash),
            Err(DiskError::Failed { .. }) => {
                info.problems
                    .push(format!("{directory} is not a directory"));
                continue;
            }
        }
        match read(&directory, disk)? {
            Meta::Missing => info.problems.push(format!("{directory} is not formatted")),
            Meta::Unreadable(problem) => info.problems.push(problem),
            Meta::Read(meta) => match &first {
                None => first = Some(meta),
                Some(earlier) => info
                    .problems
                    .extend(mismatch(earlier, &meta).map(str::to_owned)),
            },
        }
    }
    if let Some(meta) = first {
        info.problems
            .extend(wrong_days(config, &meta).map(str::to_owned));
        info.metadata = Some(by_key(&meta));
    }
    Ok(info)
}

enum Meta {
    Missing,
    Unreadable(String),
    Read(MetaProperties),
}

fn read(directory: &str, disk: &mut impl Disk) -> Result<Meta, DiskError> {
    let file = format!("{directory}/{}", meta_properties::FILE_NAME);
    match disk.read(&file) {
        Ok(bytes) => Ok(match MetaProperties::parse(&file, &bytes) {
            Ok(meta) => Meta::Read(meta),
            Err(corrupt) => Meta::Unreadable(corrupt.to_string()),
        }),
        Err(DiskError::NotFound { .. }) => Ok(Meta::Missing),
        Err(DiskError::Crash) => Err(DiskError::Crash),
        Err(failed) => Ok(Meta::Unreadable(failed.to_string())),
    }
}

fn mismatch(earlier: &MetaProperties, meta: &MetaProperties) -> Option<&'static str> {
    if earlier.cluster_id != meta.cluster_id {
        Some("the directories belong to different clusters (cluster.id)")
    } else if earlier.node_id != meta.node_id {
        Some("the directories belong to different nodes (node.id)")
    } else {
        None
    }
}

/// A configuration of one kind of cluster over directories of the other.
fn wrong_days(config: &ServerConfig, meta: &MetaProperties) -> Option<&'static str> {
    match (config.process_roles.is_empty(), meta.version) {
        (false, MetaPropertiesVersion::V0) => {
            Some("the configuration is for KRaft, but the directories are formatted for ZooKeeper")
        }
        (true, MetaPropertiesVersion::V1) => {
            Some("the configuration is for ZooKeeper, but the directories are formatted for KRaft")
        }
        (true, MetaPropertiesVersion::V0) | (false, MetaPropertiesVersion::V1) => None,
    }
}

fn by_key(meta: &MetaProperties) -> BTreeMap<&'static str, String> {
    let id_key = match meta.version {
        MetaPropertiesVersion::V0 => "broker.id",
        MetaPropertiesVersion::V1 => "node.id",
    };
    let mut keys = BTreeMap::from([("version", meta.version.number().to_string())]);
    keys.extend(meta.cluster_id.clone().map(|id| ("cluster.id", id)));
    keys.extend(meta.node_id.map(|id| (id_key, id.to_string())));
    keys.extend(meta.directory_id.map(|id| ("directory.id", id.to_string())));
    keys
}
