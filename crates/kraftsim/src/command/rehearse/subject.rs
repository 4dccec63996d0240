//! A node that is to be rehearsed, as it was found.

use std::path::Path;

use config::properties::Properties;
use config::{ConfigError, ServerConfig};
use disk::tree::Budget;
use disk::{ReadOnlyDisk, StdDisk};
use records::NodeId;
use releases::{Rules, is_known_key, known_keys};
use simulator::rehearse::{LoadedNode, load};
use simulator::run::nearest;

use super::standing::{StandingFile, files};
use crate::config_file::{config_for_any, read_properties};
use crate::limits::MOST_LISTED;
use crate::{CommandError, Console, Diagnosis};

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
        console: &mut Console,
    ) -> Result<Self, CommandError> {
        let properties = read_properties(Path::new(config_path))?;
        warn_of_slips(config_path, &properties, console)?;
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

/// Names properties that no release has and that look like one: Kafka reads over them, and so does the rehearsal.
fn warn_of_slips(
    path: &str,
    properties: &Properties,
    console: &mut Console,
) -> Result<(), CommandError> {
    let keys = properties.iter().map(|(key, _)| key);
    let unknown = keys.filter(|key| !is_known_key(key));
    for key in unknown.take(MOST_LISTED) {
        if let Some(near) = nearest(key, known_keys().iter().copied()) {
            let place = place(path, properties, key);
            writeln!(
                console.err,
                "warning: {place}: Kafka ignores `{key}`, which is no property of any release; did you mean `{near}`?"
            )?;
        }
    }
    Ok(())
}

/// Why a configuration cannot be used, with the line that is to blame where there is one.
fn unusable(path: &str, properties: &Properties, error: &ConfigError) -> Diagnosis {
    let what = error.to_string();
    let named = properties.iter().filter(|(key, _)| what.contains(key));
    // Of `listeners` and `advertised.listeners`, the longer key is the one that is meant.
    let blamed = named.max_by_key(|(key, _)| key.len());
    let place = blamed.map_or_else(|| path.to_owned(), |(key, _)| place(path, properties, key));
    Diagnosis::new(format!("the configuration cannot be used: {what}")).at(place)
}

/// The file with the number of the line that sets `key`.
fn place(path: &str, properties: &Properties, key: &str) -> String {
    let line = properties.line_number(key);
    line.map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"))
}
