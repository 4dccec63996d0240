//! A cell on disk, and unpacked.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use tempfile::TempDir;

use crate::recorded::{self, ReadError, golden};

/// One folder of cells' entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    folder: PathBuf,
}

/// The cells of a folder in name order, or the folder itself if it is one.
pub fn cells_in(folder: &Path) -> Result<Vec<Cell>, ReadError> {
    if is_cell(folder) {
        return Ok(vec![Cell {
            folder: folder.to_path_buf(),
        }]);
    }
    let failed = |error| ReadError::Io {
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
    pub fn unpack(&self) -> Result<UnpackedCell, ReadError> {
        let archive = self.folder.join("input.tar.gz");
        let failed = |error| ReadError::Io {
            path: archive.clone(),
            error,
        };
        let work = tempfile::tempdir().map_err(failed)?;
        let file = File::open(&archive).map_err(failed)?;
        tar::Archive::new(GzDecoder::new(file))
            .unpack(work.path())
            .map_err(failed)?;
        Ok(UnpackedCell {
            spec: recorded::read(&self.folder.join("spec.json"))?,
            outcome: recorded::read(&self.folder.join("result.json"))?,
            work,
        })
    }
}

/// A cell with its directories at hand.
pub struct UnpackedCell {
    /// What was done.
    pub spec: golden::Spec,
    /// What real Kafka made of it.
    pub outcome: golden::Outcome,
    work: TempDir,
}

impl UnpackedCell {
    /// The folder that holds `phase-N/`, `final/` or `formatted/`.
    pub fn work(&self) -> &Path {
        self.work.path()
    }
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
