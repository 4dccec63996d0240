//! A node that is to be rehearsed, as it was found.

use std::path::Path;

use config::properties::Properties;
use config::{ConfigError, ServerConfig};
use disk::tree::Budget;
use disk::{ReadOnlyDisk, StdDisk, regular};
use records::NodeId;
use releases::Rules;
use simulator::rehearse::{LoadedNode, load};

use super::standing::{StandingFile, files};
use crate::Diagnosis;
use crate::config_file::{config_for_any, read_properties};
use crate::limits::MOST_CONFIG_BYTES;

/// A node as it was found.
pub(super) struct Subject {
    pub(super) config_path: String,
    pub(super) loaded: LoadedNode,
    pub(super) found: Vec<StandingFile>,
}

impl Subject {
    /// Reads the configuration at `config_path` and the directories that it names, as far as `budget` allows. The
    /// configuration has to be one that any of `releases` accepts.
    pub(super) fn read(
        config_path: &str,
        releases: &[Rules],
        budget: &mut Budget,
    ) -> Result<Self, Diagnosis> {
        let properties = read_properties(Path::new(config_path))?;
        let config = config_for_any(releases, &properties)
            .map_err(|error| unusable(config_path, &properties, &error))?;
        let mut real = ReadOnlyDisk::new(StdDisk::new());
        let loaded = load(&mut real, config, budget);
        let found = files(
            &mut loaded.disk.clone(),
            loaded.config.server(),
            config_path,
        );
        Ok(Subject {
            config_path: config_path.to_owned(),
            loaded,
            found,
        })
    }

    pub(super) fn node(&self) -> NodeId {
        self.loaded.config.node_id()
    }

    pub(super) fn id(&self) -> String {
        self.node().to_string()
    }

    pub(super) fn server(&self) -> &ServerConfig {
        self.loaded.config.server()
    }
}

/// Why a configuration cannot be used, with the line that is to blame where there is one.
fn unusable(path: &str, properties: &Properties, error: &ConfigError) -> Diagnosis {
    let what = error.to_string();
    let place = blamed_line(path, properties, &what)
        .map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"));
    Diagnosis::new(format!("the configuration cannot be used: {what}")).at(place)
}

/// The number of the first line whose key the message names.
fn blamed_line(path: &str, properties: &Properties, message: &str) -> Option<usize> {
    let named = properties.iter().filter(|(key, _)| message.contains(key));
    // Of `listeners` and `advertised.listeners`, the longer key is the one that is meant.
    let (key, _) = named.max_by_key(|(key, _)| key.len())?;
    let position = usize::try_from(properties.position(key)?).ok()?;
    let bytes = regular::read(Path::new(path), MOST_CONFIG_BYTES).ok()?;
    let before = bytes.get(..position)?;
    Some(before.split(|byte| *byte == b'\n').count())
}
