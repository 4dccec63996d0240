//! What `load` and `write` name, read from the real file system: a directory, a directory within a tar, or batches within a
//! recording of real Kafka.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use bytes::Bytes;
use flate2::read::GzDecoder;
use simulator::scenario::run::Files;

use crate::recorded;

/// More than any metadata directory that a scenario should carry.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// Reads paths relative to a scenario's directory.
pub(crate) struct Loader {
    directory: PathBuf,
}

impl Loader {
    /// For the scenario at this path.
    pub(crate) fn beside(scenario: &Path) -> Self {
        let directory = scenario
            .parent()
            .map_or_else(PathBuf::new, Path::to_path_buf);
        Loader { directory }
    }

    /// The files of a directory, or of the directory that the rest of the path names within a tar, by their paths from
    /// there; or the batches that it names within a `result.json` (see [`recorded`]).
    pub(crate) fn load(&mut self, path: &str) -> Result<Files, String> {
        let path = self.directory.join(path);
        if path.is_dir() {
            let mut files = Vec::new();
            let mut left = MOST_BYTES;
            directory(&path, "", &mut files, &mut left).map_err(|error| said(&path, &error))?;
            return Ok(files);
        }
        let (archive, within) = split(&path);
        if archive.extension().is_some_and(|ending| ending == "json") {
            let file = File::open(&archive).map_err(|error| said(&archive, &error))?;
            let bytes = bounded(file, &mut MOST_BYTES.clone());
            let bytes = bytes.map_err(|error| said(&archive, &error))?;
            let document = serde_json::from_slice(&bytes)
                .map_err(|error| format!("{}: {error}", archive.display()))?;
            return recorded::batches(&document, &within)
                .map_err(|why| format!("{}: {why}", archive.display()));
        }
        if !archive.is_file() {
            return Err(format!("{}: no such directory or archive", path.display()));
        }
        let files = unpacked(&archive, &within).map_err(|error| said(&archive, &error))?;
        if files.is_empty() {
            return Err(format!(
                "{}: nothing in it lies below `{within}`",
                archive.display()
            ));
        }
        Ok(files)
    }
}

fn said(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// The part of a path that is a file, and the rest.
fn split(path: &Path) -> (PathBuf, String) {
    let mut archive = PathBuf::new();
    let mut rest: Vec<String> = Vec::new();
    for component in path.components() {
        if archive.is_file() {
            if let Component::Normal(part) = component {
                rest.push(part.to_string_lossy().into_owned());
            }
        } else {
            archive.push(component);
        }
    }
    (archive, rest.join("/"))
}

fn directory(dir: &Path, prefix: &str, files: &mut Files, left: &mut u64) -> io::Result<()> {
    let mut entries = fs::read_dir(dir)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let path = entry.path();
        if path.is_dir() {
            directory(&path, &format!("{name}/"), files, left)?;
        } else if path.is_file() {
            files.push((name, bounded(File::open(&path)?, left)?));
        }
    }
    Ok(())
}

fn unpacked(archive: &Path, within: &str) -> io::Result<Files> {
    let name = archive.to_string_lossy();
    let file = File::open(archive)?;
    let reader: Box<dyn Read> = if name.ends_with(".gz") || name.ends_with(".tgz") {
        Box::new(GzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let mut files = Vec::new();
    let mut left = MOST_BYTES;
    for entry in tar::Archive::new(reader).entries()? {
        let mut entry = entry?;
        let path = entry
            .path()?
            .to_string_lossy()
            .trim_start_matches("./")
            .to_owned();
        let inside = match within {
            "" => Some(path.as_str()),
            within => path
                .strip_prefix(within)
                .and_then(|rest| rest.strip_prefix('/')),
        };
        if let Some(inside) = inside.filter(|_| entry.header().entry_type().is_file()) {
            let inside = inside.to_owned();
            files.push((inside, bounded(&mut entry, &mut left)?));
        }
    }
    files.sort();
    Ok(files)
}

/// Everything that can be read, but not more than is left.
fn bounded(reader: impl Read, left: &mut u64) -> io::Result<Bytes> {
    let mut bytes = Vec::new();
    reader.take(*left + 1).read_to_end(&mut bytes)?;
    *left = left
        .checked_sub(bytes.len() as u64)
        .ok_or_else(|| io::Error::other(format!("more than {MOST_BYTES} bytes")))?;
    Ok(bytes.into())
}
