//! Which directories are formatted already, and for whom.

use std::collections::BTreeMap;

use config::ServerConfig;
use config::meta_properties::{self, MetaProperties};
use disk::{Disk, DiskError};
use records::{NodeId, Uuid};

use crate::Refusal;

/// The directories of a configuration by what their `meta.properties` says; each list ascending.
#[derive(Clone, Debug, Default)]
pub(crate) struct Existing {
    /// Directories with a readable file.
    pub(crate) formatted: Vec<(String, MetaProperties)>,
    /// Directories without one.
    pub(crate) unformatted: Vec<String>,
    /// Directories with an unreadable one, and why it is.
    pub(crate) unreadable: Vec<(String, String)>,
}

impl Existing {
    pub(crate) fn read(config: &ServerConfig, disk: &mut impl Disk) -> Result<Self, DiskError> {
        let mut existing = Existing::default();
        for directory in config.all_directories() {
            let file = file_in(&directory);
            match disk.read(&file) {
                Ok(bytes) => match MetaProperties::parse(&file, &bytes) {
                    Ok(meta) => existing.formatted.push((directory, meta)),
                    Err(corrupt) => existing.unreadable.push((directory, corrupt.to_string())),
                },
                Err(DiskError::NotFound { .. }) => existing.unformatted.push(directory),
                Err(DiskError::Crash) => return Err(DiskError::Crash),
                Err(failed) => existing.unreadable.push((directory, failed.to_string())),
            }
        }
        Ok(existing)
    }

    pub(crate) fn first_formatted(&self) -> Option<&str> {
        self.formatted
            .first()
            .map(|(directory, _)| directory.as_str())
    }

    /// Every readable file must be of this cluster and node, with a directory id of its own.
    pub(crate) fn check(&self, cluster_id: &str, node_id: NodeId) -> Result<(), Refusal> {
        let mut seen: BTreeMap<Uuid, &str> = BTreeMap::new();
        for (directory, meta) in &self.formatted {
            let file = file_in(directory);
            if let Some(found) = meta
                .cluster_id
                .as_deref()
                .filter(|found| *found != cluster_id)
            {
                let (expected, found) = (cluster_id.to_owned(), found.to_owned());
                return Err(Refusal::Foreign {
                    file,
                    key: "cluster.id",
                    expected,
                    found,
                    owner: "cluster",
                });
            }
            if let Some(found) = meta.node_id.filter(|found| *found != node_id) {
                let (expected, found) = (node_id.to_string(), found.to_string());
                return Err(Refusal::Foreign {
                    file,
                    key: "node.id",
                    expected,
                    found,
                    owner: "node",
                });
            }
            let Some(id) = meta.directory_id else {
                continue;
            };
            let problem = if id.is_reserved() {
                Some("is one of the first hundred, which mean something else".to_owned())
            } else {
                seen.insert(id, directory)
                    .map(|other| format!("is that of {other} too: one of them is a copy"))
            };
            if let Some(problem) = problem {
                return Err(Refusal::DirectoryId {
                    file,
                    found: id.to_string(),
                    problem,
                });
            }
        }
        Ok(())
    }

    /// There must be a directory that is readable, or none at all yet.
    pub(crate) fn check_usable(&self) -> Result<(), Refusal> {
        match self.unreadable.first() {
            Some((_, first)) if self.unformatted.is_empty() && self.formatted.is_empty() => {
                Err(Refusal::NoDirectory {
                    first: first.clone(),
                })
            }
            _ => Ok(()),
        }
    }
}

fn file_in(directory: &str) -> String {
    format!("{directory}/{}", meta_properties::FILE_NAME)
}
