//! Which files are meant.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Diagnosis;

/// How a scenario file's name ends.
const SUFFIX: &str = "scenario";

/// A scenario's text, and where it stands.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// The path as it is shown.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The files that are named, and every scenario below the directories that are; each once, in the order given, those of
/// a directory by name.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Vec<Source>, Diagnosis> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = found.len();
            below(path, &mut found).map_err(|error| cannot_read(path, &error))?;
            if found.len() == before {
                return Err(Diagnosis::new("there is no scenario in this directory")
                    .at(path.display().to_string())
                    .advice(format!("scenarios are files whose names end in .{SUFFIX}")));
            }
        } else {
            found.push(path.clone());
        }
    }
    let mut sources: Vec<Source> = Vec::new();
    for path in found {
        if sources.iter().any(|known| known.path == path) {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| cannot_read(&path, &error))?;
        sources.push(Source {
            name: path.display().to_string(),
            path,
            text,
        });
    }
    Ok(sources)
}

fn below(dir: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let entries = fs::read_dir(dir)?.collect::<Result<Vec<_>, _>>()?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            below(&path, found)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == SUFFIX)
        {
            found.push(path);
        }
    }
    Ok(())
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Diagnosis {
    Diagnosis::new(format!("the scenario cannot be read: {error}")).at(path.display().to_string())
}
