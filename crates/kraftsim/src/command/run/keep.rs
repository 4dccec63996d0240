//! What scenarios leave behind, written to the real file system.

use std::collections::BTreeMap;
use std::path::{Path, absolute};

use config::properties::Properties;
use disk::Disk as _;
use simulator::scenario::run::Left;

use super::report::RunReport;
use super::scenarios::ScenarioText;
use crate::Diagnosis;
use crate::new_folder::{NewFolder, WriteError};

/// Settings whose values are directories, with commas between them.
const DIRECTORIES: [&str; 3] = ["log.dirs", "log.dir", "metadata.log.dir"];
/// The configuration that is written beside the directories of a node.
const CONFIGURATION: &str = "server.properties";

/// Checks before anything runs that every scenario can have a new folder of its own below `dir`.
pub(crate) fn check(sources: &[ScenarioText], dir: &Path) -> Result<(), Diagnosis> {
    let dir = target(dir)?;
    let mut taken: BTreeMap<&str, &str> = BTreeMap::new();
    for source in sources {
        let name = name_of(source)?;
        if let Some(other) = taken.insert(name, &source.name) {
            return Err(Diagnosis::new("two scenarios would be kept in one folder")
                .at(format!("{other} and {}", source.name))
                .advice("keep them one after the other, in different folders"));
        }
        let folder = Path::new(&dir).join(name);
        if folder.symlink_metadata().is_ok() {
            return Err(exists(&folder));
        }
    }
    Ok(())
}

/// Writes `dir/SCENARIO/node-N` for every node of every scenario. Nothing that stands there already is touched.
pub(crate) fn keep(reports: &[RunReport], dir: &Path) -> Result<(), Diagnosis> {
    let dir = target(dir)?;
    for report in reports {
        let written = scenario(report, &dir);
        written.map_err(|error| match error {
            Unkept::Diagnosis(diagnosis) => diagnosis,
            Unkept::Write(WriteError::Exists { path }) => exists(&path),
            Unkept::Write(error) => Diagnosis::new("what the nodes left cannot be kept")
                .at(report.source.name.as_str())
                .found(error.to_string()),
        })?;
    }
    Ok(())
}

enum Unkept {
    Diagnosis(Diagnosis),
    Write(WriteError),
}

impl From<WriteError> for Unkept {
    fn from(error: WriteError) -> Self {
        Unkept::Write(error)
    }
}

impl From<Diagnosis> for Unkept {
    fn from(diagnosis: Diagnosis) -> Self {
        Unkept::Diagnosis(diagnosis)
    }
}

fn exists(path: &Path) -> Diagnosis {
    Diagnosis::new("something stands here already")
        .at(path.display().to_string())
        .advice("--keep writes new directories only; name another one")
}

/// The folder as configurations can name it.
fn target(dir: &Path) -> Result<String, Diagnosis> {
    let cannot = |why: String| {
        Diagnosis::new(format!("nothing can be kept here: {why}")).at(dir.display().to_string())
    };
    let absolute = absolute(dir).map_err(|error| cannot(error.to_string()))?;
    let text = absolute.to_str().map(str::to_owned);
    text.ok_or_else(|| cannot("its name is not UTF-8".to_owned()))
}

/// The name of a scenario's folder: that of its file, without the ending.
fn name_of(source: &ScenarioText) -> Result<&str, Diagnosis> {
    let cannot = |why: String| {
        Diagnosis::new(format!("nothing can be kept of this scenario: {why}"))
            .at(source.name.as_str())
            .advice("give it another name")
    };
    let stem = source.path.file_stem().unwrap_or_default();
    let name = stem
        .to_str()
        .ok_or_else(|| cannot("its name is not UTF-8".to_owned()))?;
    disk::path::below(name)
        .map_err(|misplaced| cannot(format!("its folder would have {misplaced}")))?;
    Ok(name)
}

fn scenario(report: &RunReport, dir: &str) -> Result<(), Unkept> {
    let folder = NewFolder::create(Path::new(dir), name_of(&report.source)?)?;
    for left in &report.outcome.left {
        node_left(left, &folder, &format!("node-{}", left.node))?;
    }
    Ok(())
}

/// The directories of a node, by names of their own, and a `server.properties` beside them.
fn node_left(left: &Left, folder: &NewFolder, node: &str) -> Result<(), WriteError> {
    let names = names(&left.directories);
    let mut disk = left.disk.clone();
    for (directory, name) in &names {
        let target = format!("{node}/{name}");
        if disk.list(directory).is_ok() {
            folder.copy(&mut disk, directory, &target)?;
        } else {
            folder.folder(&target)?;
        }
    }
    let moved = |dir: &str| match names.get(dir) {
        Some(name) => format!("{}/{node}/{name}", folder.path().display()),
        None => dir.to_owned(),
    };
    let mut properties = Properties::default();
    for (key, value) in &left.properties {
        let value = if DIRECTORIES.contains(&key.as_str()) {
            let moved: Vec<String> = value.split(',').map(|dir| moved(dir.trim())).collect();
            moved.join(",")
        } else {
            value.clone()
        };
        properties.set(key, &value);
    }
    folder.file(&format!("{node}/{CONFIGURATION}"), &properties.to_bytes())
}

/// A name for each directory, that of its path with `-` for `/`; with a number where that is taken or no name.
fn names(directories: &[String]) -> BTreeMap<String, String> {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for directory in directories {
        let plain = disk::path::clean(directory)
            .trim_matches('/')
            .replace('/', "-");
        let usable = |name: &str| {
            disk::path::below(name).is_ok_and(|path| path == name)
                && name != CONFIGURATION
                && !names.values().any(|taken| taken == name)
        };
        let numbered = (1..).map(|number| format!("directory-{number}"));
        let mut candidates = std::iter::once(plain).chain(numbered);
        let name = candidates.find(|name| usable(name));
        names.insert(
            directory.clone(),
            name.expect("some number is free of all numbers"),
        );
    }
    names
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn every_directory_has_a_name_below_and_of_its_own() {
        let of = |directories: &[&str]| {
            let directories: Vec<String> = directories.iter().map(ToString::to_string).collect();
            let names = names(&directories);
            directories
                .iter()
                .map(|one| names[one].clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(of(&["/data", "/a/b"]), ["data", "a-b"]);
        assert_eq!(of(&["/a/b", "/a-b"]), ["a-b", "directory-1"]);
        assert_eq!(
            of(&["..", "/", ".", "/server.properties"]),
            ["directory-1", "directory-2", "directory-3", "directory-4"]
        );
        assert_eq!(of(&["/a/../.."]), ["a-..-.."]);
    }
}
