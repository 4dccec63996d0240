//! A cell on disk, and unpacked.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::{Map, Value};
use tempfile::TempDir;

/// Why a cell cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CellError {
    /// A file of the cell, or the folder of cells, cannot be read or unpacked.
    #[error("{path}: {error}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A JSON file of the cell is not JSON.
    #[error("{path}: {error}", path = path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Where and why.
        error: serde_json::Error,
    },
}

/// One folder of cells' entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    folder: PathBuf,
}

/// The cells of a folder in name order, or the folder itself if it is one.
pub fn cells_in(folder: &Path) -> Result<Vec<Cell>, CellError> {
    if is_cell(folder) {
        return Ok(vec![Cell {
            folder: folder.to_path_buf(),
        }]);
    }
    let failed = |error| CellError::Io {
        path: folder.to_path_buf(),
        error,
    };
    let mut cells = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if is_cell(&path) {
            cells.push(Cell { folder: path });
        }
    }
    cells.sort();
    Ok(cells)
}

fn is_cell(folder: &Path) -> bool {
    folder.join("spec.json").is_file()
}

impl Cell {
    /// The folder's name.
    pub fn id(&self) -> String {
        self.folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default()
    }

    /// Where it stands.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Reads what was done and what came of it, and unpacks the directories into a folder that vanishes with the value.
    pub fn unpack(&self) -> Result<UnpackedCell, CellError> {
        let archive = self.folder.join("input.tar.gz");
        let failed = |error| CellError::Io {
            path: archive.clone(),
            error,
        };
        let work = tempfile::tempdir().map_err(failed)?;
        let file = File::open(&archive).map_err(failed)?;
        tar::Archive::new(GzDecoder::new(file))
            .unpack(work.path())
            .map_err(failed)?;
        Ok(UnpackedCell {
            spec: self.json("spec.json")?,
            result: self.json("result.json")?,
            work,
        })
    }

    fn json(&self, name: &str) -> Result<Value, CellError> {
        let path = self.folder.join(name);
        let text = fs::read(&path).map_err(|error| CellError::Io {
            path: path.clone(),
            error,
        })?;
        serde_json::from_slice(&text).map_err(|error| CellError::Json { path, error })
    }
}

/// A cell with its directories at hand.
pub struct UnpackedCell {
    /// What was done.
    pub spec: Value,
    /// What real Kafka made of it.
    pub result: Value,
    work: TempDir,
}

impl UnpackedCell {
    /// The folder that holds `phase-N/`, `final/` or `formatted/`.
    pub fn work(&self) -> &Path {
        self.work.path()
    }

    /// What happened in every server phase; none if the cell only formats.
    pub fn phases(&self) -> &[Value] {
        list(&self.result["phases"])
    }
}

/// The items of a list, none of anything else.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The entries of an object in its own order, none of anything else.
pub fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value
        .as_object()
        .into_iter()
        .flat_map(Map::iter)
        .map(|(key, value)| (key.as_str(), value))
}

/// The folders `node-ID` below `folder`, as (ID, path), in name order.
pub fn node_folders(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut nodes = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(id) = name.strip_prefix("node-") {
            nodes.push((id.to_owned(), entry.path()));
        }
    }
    nodes.sort_by(|a, b| a.1.cmp(&b.1));
    nodes
}

/// Every file below `folder`, as (path from the folder, path), in the order of the former.
pub fn files_below(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(folder)
                    .expect("found below the folder")
                    .display()
                    .to_string();
                files.push((name, path));
            }
        }
    }
    files.sort();
    files
}

/// Puts the folder that holds the nodes into a node's `server.properties`, and returns the file's path.
pub fn point_at(node: &Path, base: &Path) -> io::Result<String> {
    let path = node.join("server.properties");
    let text = fs::read_to_string(&path)?;
    fs::write(&path, text.replace("@WORK@", &base.display().to_string()))?;
    Ok(path.display().to_string())
}
