//! What `load` and `write` name, read from the real file system: a directory, a directory within an archive, or batches
//! within a recording of real Kafka.

use raft_log::log::METADATA_LOG_DIR_NAME;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use disk::regular;
use disk::tree::{Budget, Candidate, ReadFile, Reading, Want, read_tree};
use disk::{EntryKind, ReadOnlyDisk, StdDisk, path};
use simulator::scenario::run::Files;

use crate::archive;
use crate::diagnosis::listed;
use crate::limits::MOST_RECORDING_BYTES;
use crate::recorded;

/// Reads paths relative to a scenario's directory, each once, within the limits of one reading.
pub(crate) struct Loader {
    directory: PathBuf,
    budget: Budget,
    loaded: BTreeMap<String, Files>,
}

impl Loader {
    /// For the scenario at this path.
    pub(crate) fn beside(scenario: &Path) -> Self {
        let directory = scenario
            .parent()
            .map_or_else(PathBuf::new, Path::to_path_buf);
        Loader {
            directory,
            budget: Budget::default(),
            loaded: BTreeMap::new(),
        }
    }

    /// The files of a directory, or of the directory that the rest of the path names within an archive, by their paths
    /// from there; or the batches that it names within a `result.json` (see [`recorded`]). What cannot be read whole is
    /// not loaded.
    pub(crate) fn load(&mut self, named: &str) -> Result<Files, String> {
        if let Some(files) = self.loaded.get(named) {
            return Ok(files.clone());
        }
        let files = self.read(named)?;
        self.loaded.insert(named.to_owned(), files.clone());
        Ok(files)
    }

    fn read(&mut self, named: &str) -> Result<Files, String> {
        let path = self.directory.join(named);
        if path.is_dir() {
            return whole(&path, self.directory_at(&path)?);
        }
        let (file, within) = split(&path)?;
        if file.extension().is_some_and(|ending| ending == "json") {
            let bytes =
                regular::read(&file, MOST_RECORDING_BYTES).map_err(|error| said(&file, &error))?;
            let document = serde_json::from_slice(&bytes)
                .map_err(|error| format!("{}: {error}", file.display()))?;
            return recorded::batches(&document, &within)
                .map_err(|why| format!("{}: {why}", file.display()));
        }
        let reading = self.archive_at(&file, &within);
        let files = whole(&file, reading.map_err(|error| said(&file, &error))?)?;
        if files.is_empty() {
            return Err(match within.as_str() {
                "" => format!("{}: there is no file in it", file.display()),
                within => format!("{}: nothing in it lies below `{within}`", file.display()),
            });
        }
        Ok(files)
    }

    fn directory_at(&mut self, path: &Path) -> Result<Reading, String> {
        let text = path
            .to_str()
            .ok_or_else(|| format!("{}: a name that is not UTF-8", path.display()))?;
        let mut disk = ReadOnlyDisk::new(StdDisk::new());
        read_tree(
            &mut disk,
            text,
            &mut self.budget,
            &mut |found| match (found.kind, found.via) {
                (EntryKind::Directory, disk::Via::Link)
                    if found.name() != METADATA_LOG_DIR_NAME =>
                {
                    Want::Refused("a symbolic link to a directory, which is not followed")
                }
                _ => Want::Whole,
            },
        )
        .map_err(|error| error.to_string())
    }

    fn archive_at(&mut self, file: &Path, within: &str) -> io::Result<Reading> {
        let mut want = |found: &Candidate| match inside(found.path, within) {
            Some(_) => Want::Whole,
            None => Want::Nothing,
        };
        let Some((_, reading)) = archive::open(file, &mut self.budget, &mut want)? else {
            return Err(io::Error::other(
                "neither a directory nor a .tar, .tar.gz or .tar.xz",
            ));
        };
        let (files, not_read) = reading.parts();
        let mut part = Reading::default();
        for file in files {
            if let Some(path) = inside(&file.path, within) {
                let path = path.to_owned();
                part.add(ReadFile { path, ..file });
            }
        }
        // What lies elsewhere in the archive for certain is not asked for.
        for one in not_read {
            let elsewhere =
                path::below(&one.path).is_ok_and(|path| inside(&path, within).is_none());
            if !elsewhere {
                part.leave_out(one.path, one.why);
            }
        }
        Ok(part)
    }
}

/// The path from `within` on; all of it where that is the archive itself.
fn inside<'a>(path: &'a str, within: &str) -> Option<&'a str> {
    match within {
        "" => Some(path),
        _ => path.strip_prefix(within)?.strip_prefix('/'),
    }
}

fn whole(path: &Path, reading: Reading) -> Result<Files, String> {
    let files = reading.whole().map_err(|not_read| {
        let each = listed(&not_read).join("; ");
        format!(
            "{} is not loaded, since it was not read whole: {each}",
            path.display()
        )
    })?;
    let content = |file: ReadFile| (file.path, file.content.unwrap_or_default());
    Ok(files.into_iter().map(content).collect())
}

fn said(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// The part of a path that is a file, and the rest.
fn split(path: &Path) -> Result<(PathBuf, String), String> {
    let mut ancestors = path.ancestors();
    let Some(file) = ancestors.find(|ancestor| ancestor.symlink_metadata().is_ok()) else {
        return Err(format!("{}: no such directory or archive", path.display()));
    };
    let rest = path
        .strip_prefix(file)
        .expect("an ancestor is the beginning of a path");
    let rest = rest.to_string_lossy();
    if rest.is_empty() {
        return Ok((file.to_path_buf(), String::new()));
    }
    // A path that goes on below a directory names nothing that exists.
    if file.is_dir() || file.as_os_str().is_empty() {
        return Err(format!("{}: no such directory or archive", path.display()));
    }
    let within = path::below(&rest)
        .map_err(|misplaced| format!("{}: within it, {misplaced}", file.display()))?;
    Ok((file.to_path_buf(), within))
}
