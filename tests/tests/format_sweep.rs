//! Random configurations, arguments and directories, and what the real kafka-storage of each release made of them:
//! recorded by `tests/format-sweep` in `tests/fixtures/format-sweep`, held here against kraftsim.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kraftsim_tests::cli::ask;
use kraftsim_tests::repository;
use rayon::prelude::*;
use regex::Regex;
use serde::Deserialize;

/// A drawn case and the real tool's answer.
#[derive(Debug, Deserialize)]
struct Case {
    seed: u64,
    /// Latin-1 text; `@W@` stands for the working directory, `@C@` for the configuration.
    properties: String,
    before: Vec<Step>,
    args: Vec<String>,
    /// The ids and times of what the real tool wrote, as kraftsim's options.
    given: Vec<String>,
    exit: i32,
    /// What kind of refusal, by `tests/sweep/kinds.tsv`.
    kind: Option<String>,
    /// What was made or changed: base64, or nothing where the bytes hang on a draw.
    files: BTreeMap<String, Option<String>>,
    gone: Vec<String>,
}

/// What stands in the working directory before.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Step {
    Directory { mkdir: String },
    File { write: String, text: String },
    Link { link: String, to: String },
}

/// A row of `tests/sweep/kinds.tsv`.
struct Kind {
    name: String,
    kraftsim: Regex,
}

fn kinds() -> Vec<Kind> {
    let table = fs::read_to_string(repository::root().join("tests/sweep/kinds.tsv")).unwrap();
    let rows = table.lines().skip(1);
    let rows = rows.map(|row| row.split('\t').collect::<Vec<_>>());
    rows.filter(|row| row[2] != "-")
        .map(|row| Kind {
            name: row[0].to_owned(),
            kraftsim: Regex::new(&format!("(?m){}", row[2])).unwrap(),
        })
        .collect()
}

/// The first row that a complaint matches, with what the pattern captures.
fn kind_of(kinds: &[Kind], complaint: &str) -> String {
    let mut found = kinds
        .iter()
        .filter_map(|kind| Some((kind, kind.kraftsim.captures(complaint)?)));
    let Some((kind, captures)) = found.next() else {
        return format!("? {complaint}");
    };
    let keys = captures.iter().skip(1).flatten();
    let keys = keys.map(|key| format!(" {}", key.as_str()));
    kind.name.clone() + &keys.collect::<String>()
}

/// A wrong id is that of the key in the file here; a value whose key Kafka does not name is that of any key.
fn is_same(kafka: &str, ours: &str) -> bool {
    let ours = match kafka {
        "value broker.id" => ours.replace("node.id", "broker.id"),
        _ => ours.to_owned(),
    };
    kafka == ours || (kafka == "value" && ours.starts_with("value "))
}

fn latin1(text: &str) -> Vec<u8> {
    let byte = |letter: char| u8::try_from(letter).unwrap_or(b'?');
    text.chars().map(byte).collect()
}

/// An empty directory with what the sweep puts into every one, and a configuration beside it.
struct Place {
    root: tempfile::TempDir,
}

impl Place {
    fn of(case: &Case) -> Place {
        let place = Place {
            root: tempfile::tempdir().unwrap(),
        };
        let work = place.work();
        fs::create_dir(&work).unwrap();
        let properties = latin1(&place.filled(&case.properties));
        fs::write(place.config(), &properties).unwrap();
        fs::write(work.join("server.properties"), &properties).unwrap();
        fs::write(work.join("file"), "a file").unwrap();
        symlink("loop", work.join("loop")).unwrap();
        symlink("nowhere", work.join("dangling")).unwrap();
        fs::create_dir(work.join("target")).unwrap();
        symlink("target", work.join("link")).unwrap();
        for step in &case.before {
            // An earlier step may stand in the way.
            let _ = place.step(step);
        }
        place
    }

    fn step(&self, step: &Step) -> std::io::Result<()> {
        let work = self.work();
        match step {
            Step::Directory { mkdir } => fs::create_dir_all(work.join(mkdir)),
            Step::Link { link, to } => symlink(to, work.join(link)),
            Step::File { write, text } => {
                let path = work.join(write);
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::write(path, latin1(&self.filled(text)))
            }
        }
    }

    fn work(&self) -> PathBuf {
        self.root.path().join("w")
    }

    fn config(&self) -> PathBuf {
        self.root.path().join("server.properties")
    }

    fn filled(&self, text: &str) -> String {
        let (work, config) = (self.work(), self.config());
        text.replace("@W@", work.to_str().unwrap())
            .replace("@C@", config.to_str().unwrap())
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.work(), "", &mut found);
        found
    }
}

/// Files with their content, directories with a `/` behind the name, and links with where they lead.
fn collect(folder: &Path, prefix: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_symlink() {
            let target = fs::read_link(&path).unwrap();
            found.insert(name, format!("-> {}", target.display()).into_bytes());
        } else if path.is_dir() {
            let name = format!("{name}/");
            collect(&path, &name, found);
            found.insert(name, Vec::new());
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
}

fn compare(kinds: &[Kind], release: &str, case: &Case) -> Result<(), String> {
    let place = Place::of(case);
    let before = place.files();
    let mut args = vec!["format".to_owned()];
    args.extend(case.args.iter().map(|argument| place.filled(argument)));
    args.extend(["--kafka".to_owned(), release.to_owned()]);
    args.extend(case.given.iter().map(|option| place.filled(option)));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let answer = ask(&args);
    let said = answer.out + &answer.err;
    if (answer.code == 0) != (case.exit == 0) {
        return Err(format!("exit {}, got {}: {said}", case.exit, answer.code));
    }
    if let Some(kind) = &case.kind {
        let found = kind_of(kinds, &answer.err);
        if !is_same(kind, &found) {
            return Err(format!("refused as {kind}, got {found}: {said}"));
        }
    }
    let mut expected = before;
    expected.retain(|name, _| !case.gone.contains(name));
    let mut found = place.files();
    for (name, content) in &case.files {
        let content = content.as_ref().map(|text| STANDARD.decode(text).unwrap());
        // Where the bytes hang on a draw, any will do.
        let content = content.or_else(|| found.get(name).cloned());
        expected.insert(name.clone(), content.unwrap_or_default());
    }
    if expected == found {
        return Ok(());
    }
    found.retain(|name, content| expected.get(name) != Some(content));
    let names: Vec<&String> = found.keys().collect();
    Err(format!("other files, or other content: {names:?}"))
}

#[test]
fn kraftsim_formats_and_refuses_as_the_releases_do() {
    let kinds = kinds();
    let folder = repository::root().join("tests/fixtures/format-sweep");
    let mut releases: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    releases.sort();
    assert_eq!(releases.len(), 6, "the newest release of each line");
    let mut cases = Vec::new();
    for path in &releases {
        let release = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(path).unwrap();
        for line in text.lines() {
            cases.push((release, serde_json::from_str::<Case>(line).unwrap()));
        }
    }
    let (accepted, refused): (Vec<_>, Vec<_>) = cases.iter().partition(|(_, case)| case.exit == 0);
    assert!(
        accepted.len() >= 100 && refused.len() >= 300,
        "a real sample"
    );
    let differences: Vec<String> = cases
        .par_iter()
        .filter_map(|(release, case)| {
            let problem = compare(&kinds, release, case).err()?;
            Some(format!(
                "{release} seed {}: {problem}\n{}",
                case.seed, case.properties
            ))
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
