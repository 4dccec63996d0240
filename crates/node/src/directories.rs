use raft_log::log::METADATA_LOG_DIR_NAME;
use std::collections::BTreeMap;

use config::ServerConfig;
use config::meta_properties::{FILE_NAME, MetaProperties};
use determinism::Rng;
use disk::{Disk, DiskError, path};
use raft_log::file::{Leftover, read_if_exists, replace};
use records::{NodeId, Uuid};

/// What the `meta.properties` files of a node agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Directories {
    pub(crate) cluster_id: String,
    /// Id of the metadata log directory.
    pub(crate) metadata_directory_id: Uuid,
}

/// Why a node does not start on its directories.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DirectoryRefusal {
    /// Not one file can be read.
    #[error("no readable {FILE_NAME} in any log directory{}: format them first", because(.unreadable))]
    NoneReadable {
        /// Why each unreadable one is.
        unreadable: Vec<String>,
    },
    /// The file of the metadata directory cannot be read.
    #[error("the metadata log directory {dir} has an unreadable {FILE_NAME}: {reason}")]
    MetadataDirectoryUnreadable {
        dir: String,
        /// What is wrong.
        reason: String,
    },
    /// Two directories belong to different clusters.
    #[error("{dir}/{FILE_NAME} has cluster.id {found}, the directories before it have {expected}")]
    OtherCluster {
        dir: String,
        /// The id of the others.
        expected: String,
        found: String,
    },
    /// The directory is another node's.
    #[error(
        "{dir}/{FILE_NAME} has node id {found}, but this is node {expected}: configure that node's directory, or remove all data of it"
    )]
    OtherNode {
        dir: String,
        /// `node.id` of the configuration.
        expected: NodeId,
        /// The id in the file.
        found: NodeId,
    },
    /// The directory id is one of those that mean something else.
    #[error("{dir}/{FILE_NAME} has the reserved directory id {found}")]
    ReservedDirectoryId { dir: String, found: Uuid },
    /// Two directories have one id.
    #[error("directory id {found} is that of both {first} and {second}")]
    DuplicateDirectoryId {
        found: Uuid,
        /// One of them.
        first: String,
        second: String,
    },
    /// A directory was not formatted.
    #[error("{dir} has no {FILE_NAME}: format it first")]
    NotFormatted { dir: String },
    /// A file does not say which node's it is.
    #[error("{dir}/{FILE_NAME} has no node id")]
    NoNodeId { dir: String },
    /// A file does not say which cluster's it is.
    #[error("{dir}/{FILE_NAME} has no cluster.id")]
    NoClusterId { dir: String },
    /// A metadata log where it should not be.
    #[error("{dir} holds a metadata log, but metadata.log.dir is {metadata_dir}")]
    MetadataLogElsewhere {
        /// The directory of that log.
        dir: String,
        /// The configured one.
        metadata_dir: String,
    },
}

fn because(unreadable: &[String]) -> String {
    if unreadable.is_empty() {
        String::new()
    } else {
        format!(" ({})", unreadable.join("; "))
    }
}

/// Why opening the directories failed.
#[derive(Debug)]
pub(crate) enum DirectoriesError {
    Refused(DirectoryRefusal),
    Disk(DiskError),
}

impl From<DirectoryRefusal> for DirectoriesError {
    fn from(refusal: DirectoryRefusal) -> Self {
        DirectoriesError::Refused(refusal)
    }
}

impl From<DiskError> for DirectoriesError {
    fn from(error: DiskError) -> Self {
        DirectoriesError::Disk(error)
    }
}

/// The files found, by directory.
#[derive(Debug, Default)]
struct Ensemble {
    read: BTreeMap<String, MetaProperties>,
    absent: Vec<String>,
    unreadable: BTreeMap<String, String>,
}

/// Reads and checks every directory's `meta.properties`, and gives an id to a directory that has none.
///
/// Source: `initializeLogDirs` in `4.4:core/…/server/KafkaRaftServer.scala`, `4.4:server-common/…/MetaPropertiesEnsemble.java`.
pub(crate) fn open(
    config: &ServerConfig,
    date: &str,
    mut ids: Rng,
    disk: &mut impl Disk,
) -> Result<Directories, DirectoriesError> {
    let mut ensemble = read_all(config, disk)?;
    verify(config, &ensemble)?;
    for dir in ensemble.read.keys() {
        if *dir != config.metadata_log_dir && has_metadata_log(dir, disk)? {
            let metadata_dir = config.metadata_log_dir.clone();
            return Err(DirectoryRefusal::MetadataLogElsewhere {
                dir: dir.clone(),
                metadata_dir,
            }
            .into());
        }
    }
    if let Some(dir) = ensemble.absent.first() {
        return Err(DirectoryRefusal::NotFormatted { dir: dir.clone() }.into());
    }
    let mut cluster_id = None;
    let mut rewritten = Vec::new();
    for (dir, meta) in &ensemble.read {
        if meta.node_id.is_none() {
            return Err(DirectoryRefusal::NoNodeId { dir: dir.clone() }.into());
        }
        let Some(cluster) = &meta.cluster_id else {
            return Err(DirectoryRefusal::NoClusterId { dir: dir.clone() }.into());
        };
        cluster_id.get_or_insert_with(|| cluster.clone());
        if meta.directory_id.is_none() {
            rewritten.push(dir.clone());
        }
    }
    for dir in rewritten {
        let id = new_directory_id(&ensemble, &mut ids);
        let meta = ensemble
            .read
            .get_mut(&dir)
            .expect("the directory was just read");
        meta.directory_id = Some(id);
        let file = path::join(&dir, FILE_NAME);
        replace(disk, &file, &meta.to_bytes(date), Leftover::Removed)?;
    }
    let metadata = ensemble
        .read
        .get(&config.metadata_log_dir)
        .and_then(|meta| meta.directory_id);
    Ok(Directories {
        cluster_id: cluster_id.expect("at least one file was read, and each has a cluster id"),
        metadata_directory_id: metadata
            .expect("the metadata directory has a readable file, and an id by now"),
    })
}

fn read_all(config: &ServerConfig, disk: &mut impl Disk) -> Result<Ensemble, DirectoriesError> {
    let mut ensemble = Ensemble::default();
    for dir in config.all_directories() {
        let file = path::join(&dir, FILE_NAME);
        let bytes = match read_if_exists(disk, &file) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => {
                ensemble.absent.push(dir);
                continue;
            }
            Err(DiskError::Crash) => return Err(DiskError::Crash.into()),
            Err(error) => {
                ensemble.unreadable.insert(dir, error.to_string());
                continue;
            }
        };
        match MetaProperties::parse(&file, &bytes) {
            Ok(meta) => {
                ensemble.read.insert(dir, meta);
            }
            Err(corrupt) => {
                ensemble.unreadable.insert(dir, corrupt.to_string());
            }
        }
    }
    Ok(ensemble)
}

/// The checks in Kafka's order: a node with several faults is told of the same one.
fn verify(config: &ServerConfig, ensemble: &Ensemble) -> Result<(), DirectoryRefusal> {
    if ensemble.read.is_empty() {
        let unreadable = ensemble.unreadable.values().cloned().collect();
        return Err(DirectoryRefusal::NoneReadable { unreadable });
    }
    let mut cluster_id: Option<&str> = None;
    let mut seen: BTreeMap<Uuid, &str> = BTreeMap::new();
    for (dir, meta) in &ensemble.read {
        match (&meta.cluster_id, cluster_id) {
            // Only version 0 can lack it; the start refuses that after it has looked for the node id.
            (None, _) => {}
            (Some(found), Some(expected)) if found != expected => {
                return Err(DirectoryRefusal::OtherCluster {
                    dir: dir.clone(),
                    expected: expected.to_owned(),
                    found: found.clone(),
                });
            }
            (Some(found), _) => cluster_id = Some(found),
        }
        if let Some(found) = meta.node_id
            && found != config.node_id
        {
            return Err(DirectoryRefusal::OtherNode {
                dir: dir.clone(),
                expected: config.node_id,
                found,
            });
        }
        if let Some(found) = meta.directory_id {
            if found.is_reserved() {
                return Err(DirectoryRefusal::ReservedDirectoryId {
                    dir: dir.clone(),
                    found,
                });
            }
            if let Some(first) = seen.insert(found, dir) {
                let (first, second) = (first.to_owned(), dir.clone());
                return Err(DirectoryRefusal::DuplicateDirectoryId {
                    found,
                    first,
                    second,
                });
            }
        }
    }
    match ensemble.unreadable.get(&config.metadata_log_dir) {
        Some(reason) => Err(DirectoryRefusal::MetadataDirectoryUnreadable {
            dir: config.metadata_log_dir.clone(),
            reason: reason.clone(),
        }),
        None => Ok(()),
    }
}

fn has_metadata_log(dir: &str, disk: &mut impl Disk) -> Result<bool, DiskError> {
    match disk.list(dir) {
        Ok(entries) => Ok(entries
            .iter()
            .any(|entry| entry.name == METADATA_LOG_DIR_NAME)),
        Err(DiskError::NotFound { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

fn new_directory_id(ensemble: &Ensemble, ids: &mut Rng) -> Uuid {
    loop {
        let id = Uuid::from_bytes(ids.bytes16());
        let used = ensemble
            .read
            .values()
            .any(|meta| meta.directory_id == Some(id));
        if !id.is_reserved() && !id.to_string().starts_with('-') && !used {
            return id;
        }
    }
}
