//! Reading a `server.properties` from a real disk.

use std::path::Path;

use config::properties::Properties;
use config::{ConfigError, ServerConfig};
use disk::regular;

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

/// The configuration in a properties file: not a configuration at all is bad input, one that a server would refuse is
/// an answer.
pub fn read_config(path: &Path) -> Result<Result<ServerConfig, ConfigError>, Diagnosis> {
    Ok(ServerConfig::parse(read_properties(path)?.iter()))
}
