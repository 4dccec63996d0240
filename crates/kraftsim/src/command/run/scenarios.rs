//! Which files are meant.

use std::path::{Path, PathBuf};

use disk::tree::{Budget, Candidate, Want, read_tree};
use disk::{EntryKind, ReadOnlyDisk, StdDisk, Via, regular};

use crate::Diagnosis;
use crate::limits::MOST_SCENARIO_BYTES;

/// How a scenario file's name ends.
const SUFFIX: &str = "scenario";

/// A scenario's text, and where it stands.
pub(crate) struct ScenarioText {
    pub(crate) path: PathBuf,
    /// The path as it is shown.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The files that are named, and every scenario below the directories that are; each once, in the order given, those of
/// a directory by name.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Vec<ScenarioText>, Diagnosis> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(below(path)?);
        } else {
            found.push(path.clone());
        }
    }
    let mut sources: Vec<ScenarioText> = Vec::new();
    for path in found {
        if sources.iter().any(|known| known.path == path) {
            continue;
        }
        let text = text(&path).map_err(|error| cannot_read(&path).found(error))?;
        sources.push(ScenarioText {
            name: path.display().to_string(),
            path,
            text,
        });
    }
    Ok(sources)
}

fn text(path: &Path) -> Result<String, String> {
    let bytes = regular::read(path, MOST_SCENARIO_BYTES).map_err(|error| error.to_string())?;
    let text = std::str::from_utf8(&bytes);
    let text = text.map_err(|error| format!("byte {} is not UTF-8 text", error.valid_up_to()))?;
    // Editors on Windows put a byte order mark in front.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
}

fn below(dir: &Path) -> Result<Vec<PathBuf>, Diagnosis> {
    let root = dir
        .to_str()
        .ok_or_else(|| cannot_read(dir).found("its name is not UTF-8"))?;
    let mut disk = ReadOnlyDisk::new(StdDisk::new());
    let reading = read_tree(&mut disk, root, &mut Budget::default(), &mut want)
        .map_err(|error| cannot_read(dir).found(error.to_string()))?;
    let files = reading
        .whole()
        .map_err(|not_read| cannot_read(dir).found_each(&not_read))?;
    if files.is_empty() {
        return Err(Diagnosis::new("there is no scenario in this directory")
            .at(dir.display().to_string())
            .advice(format!("scenarios are files whose names end in .{SUFFIX}")));
    }
    Ok(files.into_iter().map(|file| dir.join(file.path)).collect())
}

fn want(found: &Candidate) -> Want {
    let named = Path::new(found.path)
        .extension()
        .is_some_and(|extension| extension == SUFFIX);
    match (found.kind, found.via) {
        (EntryKind::Directory, Via::Name) => Want::Whole,
        (EntryKind::Directory, Via::Link) => {
            Want::Refused("a symbolic link to a directory, which is not followed")
        }
        (EntryKind::File { .. } | EntryKind::Special(_), _) if named => Want::Name,
        (EntryKind::File { .. } | EntryKind::Special(_), _) => Want::Nothing,
    }
}

fn cannot_read(path: &Path) -> Diagnosis {
    Diagnosis::new("scenarios cannot be read").at(path.display().to_string())
}
