//! Reading a `server.properties` from a real disk.

use std::path::Path;

use config::properties::Properties;
use config::providers::{Sources, resolve};
use config::{ConfigError, ServerConfig};
use disk::regular;

use releases::Rules;

use crate::Diagnosis;
use crate::limits::MOST_CONFIG_BYTES;

/// The lines of a properties file.
pub fn read_properties(path: &Path) -> Result<Properties, Diagnosis> {
    let shown = path.display().to_string();
    let bytes = regular::read(path, MOST_CONFIG_BYTES).map_err(|error| {
        Diagnosis::new(format!("cannot read the configuration: {error}")).at(shown.clone())
    })?;
    Properties::parse(&shown, &bytes).map_err(|corrupt| {
        Diagnosis::new("the configuration is no Java properties file")
            .at(shown.clone())
            .found(corrupt.to_string())
    })
}

/// The configuration in a properties file: not a configuration at all is bad input, one that the release refuses is
/// an answer.
pub fn read_config(
    rules: &Rules,
    path: &Path,
) -> Result<Result<ServerConfig, ConfigError>, Diagnosis> {
    let properties = read_properties(path)?;
    let lines = resolve(properties.iter(), &mut RealSources);
    match lines.and_then(|lines| ServerConfig::parse(rules, lines)) {
        Err(error @ ConfigError::TooMuch { .. }) => {
            Err(Diagnosis::new(error.to_string()).at(path.display().to_string()))
        }
        answer => Ok(answer),
    }
}

/// The same for a configuration that several releases are to start with: the first that takes it reads it, and the
/// others refuse when they start. The error is that of the first.
pub fn config_for_any(
    releases: &[Rules],
    properties: &Properties,
) -> Result<ServerConfig, ConfigError> {
    let lines = resolve(properties.iter(), &mut RealSources)?;
    let mut first_error = None;
    for rules in releases {
        match ServerConfig::parse(rules, lines.clone()) {
            Ok(config) => return Ok(config),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.expect("at least one release is named"))
}

/// A regular file that a configuration or an argument names; `None` if it is none, is too large, or cannot be read.
pub fn read_named(path: &str) -> Option<Vec<u8>> {
    let content = regular::read(Path::new(path), MOST_CONFIG_BYTES).ok()?;
    Some(content.into())
}

/// What config providers read: files of the real disk, and the environment.
pub struct RealSources;

impl Sources for RealSources {
    fn file(&mut self, path: &str) -> Option<Vec<u8>> {
        read_named(path)
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}
