//! What real Kafka did, as it was recorded, typed: `result.json` and `spec.json` of cells and of lived-in clusters, answers of
//! the driver. What kraftsim prints in the same form is read with the same types.
//!
//! Reading order: [`batches`] (batches and records, the same in all of them), [`golden`] (`tests/golden`), [`lived`]
//! (`tests/lived`), [`driven`] (answers of `kafka-oracle drive` and `kraftsim drive`), [`same`] (whether two values say the
//! same).

pub mod batches;
pub mod driven;
pub mod golden;
pub mod lived;
pub mod same;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

pub use batches::{Batch, Record};

/// Why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A file, or a folder of recordings, cannot be read or unpacked.
    #[error("{path}: {error}", path = path.display())]
    Io {
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A file is not JSON of the form that the recorder writes.
    #[error("{path}: {error}", path = path.display())]
    Json {
        path: PathBuf,
        /// Where and why.
        error: serde_json::Error,
    },
}

/// A file of JSON.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, ReadError> {
    let bytes = fs::read(path).map_err(|error| ReadError::Io {
        path: path.to_path_buf(),
        error,
    })?;
    serde_json::from_slice(&bytes).map_err(|error| ReadError::Json {
        path: path.to_path_buf(),
        error,
    })
}
