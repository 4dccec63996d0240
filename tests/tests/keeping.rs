//! What a run keeps goes below the folder that was named, or nowhere, and overwrites nothing.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use kraftsim_tests::cli::{Answer, ask};
use tar::{Builder, EntryType, Header};

/// Every path below a folder, links as they are.
fn everything(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        found.push(path.display().to_string());
        if path.is_dir() && !path.is_symlink() {
            found.extend(everything(&path));
        }
    }
    found.sort();
    found
}

/// An archive of members with these names, which the library would refuse to write.
fn archive(path: &Path, members: &[(&str, EntryType, &[u8])]) {
    let mut builder = Builder::new(Vec::new());
    for (name, kind, content) in members {
        let mut header = Header::new_gnu();
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_entry_type(*kind);
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    fs::write(path, builder.into_inner().unwrap()).unwrap();
}

fn run_and_keep(scenario: &Path, keep: &Path) -> Answer {
    ask(&[
        "run",
        scenario.to_str().unwrap(),
        "--keep",
        keep.to_str().unwrap(),
    ])
}

#[test]
fn names_in_an_archive_do_not_lead_out() {
    let meta: (&str, EntryType, &[u8]) = ("meta.properties", EntryType::Regular, b"version=1\n");
    let file = EntryType::Regular;
    let long = format!("x\n{}\n", "a/".repeat(40));
    for (name, kind) in [
        ("../../../outside", file),
        ("a/../../../../outside", file),
        ("/tmp/kraftsim-outside", file),
        ("..", EntryType::Directory),
        ("link", EntryType::Symlink),
        ("hard", EntryType::Link),
        ("a\u{1b}[2J/../..", file),
        (long.as_str(), file),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        archive(&at("evil.tar"), &[meta, (name, kind, b"")]);
        fs::write(at("outside"), "kept").unwrap();
        fs::write(
            at("a.scenario"),
            "controllers 1\nload 1 from evil.tar\n| node 1: 2 files\n",
        )
        .unwrap();
        fs::create_dir(at("in")).unwrap();
        let before = everything(folder.path());
        let answer = run_and_keep(&at("a.scenario"), &at("in/keep"));
        assert_eq!(fs::read_to_string(at("outside")).unwrap(), "kept");
        let after = everything(folder.path());
        let below = format!("{}/in/keep", folder.path().display());
        let new: Vec<&String> = after.iter().filter(|path| !before.contains(path)).collect();
        assert!(
            new.iter().all(|path| path.starts_with(&below)),
            "{name:?}: {new:?}"
        );
        if name != long {
            assert_eq!(answer.code, 2, "{name:?}: {answer:?}");
            assert!(new.is_empty(), "{name:?}: {new:?}");
        }
        assert!(!answer.err.contains('\u{1b}'), "{answer:?}");
        assert!(!Path::new("/tmp/kraftsim-outside").exists());
    }
}

#[test]
fn the_name_of_a_scenario_does_not_lead_out() {
    for name in ["...scenario", "..scenario"] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at(name), "controllers 1\n").unwrap();
        fs::create_dir(at("in")).unwrap();
        let answer = run_and_keep(&at(name), &at("in/keep"));
        assert_eq!(answer.code, 2, "{name}: {answer:?}");
        assert_eq!(everything(&at("in")), Vec::<String>::new(), "{name}");
        assert!(!at("node-1").exists() && !at("in/node-1").exists());
    }
}

#[test]
fn the_directories_of_a_configuration_do_not_lead_out() {
    for value in [
        "..",
        "/",
        "../../x",
        "/data/../../../x",
        ".",
        "/server.properties",
        "/a,/b",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(
            at("a.scenario"),
            format!("controllers 1\nset log.dirs {value}\nstart 1\n"),
        )
        .unwrap();
        let answer = run_and_keep(&at("a.scenario"), &at("keep"));
        assert_ne!(answer.code, 2, "{value}: {answer:?}");
        let kept = at("keep/a/node-1");
        let config = fs::read_to_string(kept.join("server.properties")).unwrap();
        let dirs = config
            .lines()
            .find_map(|line| line.strip_prefix("log.dirs="));
        for dir in dirs.unwrap().split(',') {
            let name = dir
                .strip_prefix(&format!("{}/", kept.display()))
                .expect(dir);
            assert!(
                !name.contains('/') && name != ".." && !name.is_empty(),
                "{dir}"
            );
            assert!(kept.join(name).is_dir(), "{dir}");
        }
    }
}

#[test]
fn nothing_that_exists_is_touched() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.scenario"), "controllers 1\n").unwrap();
    fs::write(at("file"), "kept").unwrap();
    fs::create_dir_all(at("full/a")).unwrap();
    fs::create_dir_all(at("linked")).unwrap();
    fs::create_dir_all(at("dangling")).unwrap();
    symlink("../elsewhere", at("dangling/a")).unwrap();
    fs::create_dir_all(at("target")).unwrap();
    symlink("../target", at("linked/a")).unwrap();
    for keep in ["file", "full", "linked", "dangling"] {
        let before = everything(folder.path());
        let answer = run_and_keep(&at("a.scenario"), &at(keep));
        assert_eq!(answer.code, 2, "{keep}: {answer:?}");
        assert_eq!(everything(folder.path()), before, "{keep}");
    }
    assert_eq!(fs::read_to_string(at("file")).unwrap(), "kept");

    // Others that stand in the folder do not matter; a second run finds the first one's.
    fs::write(at("full/other"), "kept").unwrap();
    fs::rename(at("full/a"), at("full/b")).unwrap();
    assert_eq!(run_and_keep(&at("a.scenario"), &at("full")).code, 0);
    assert_eq!(run_and_keep(&at("a.scenario"), &at("full")).code, 2);
    assert_eq!(fs::read_to_string(at("full/other")).unwrap(), "kept");
}

#[test]
fn two_scenarios_of_one_name_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for dir in ["one", "two"] {
        fs::create_dir(at(dir)).unwrap();
        fs::write(at(dir).join("a.scenario"), "controllers 1\n").unwrap();
    }
    let answer = run_and_keep(folder.path(), &at("keep"));
    assert_eq!(answer.code, 2, "{answer:?}");
    assert!(!at("keep").exists());
}

#[test]
fn blessing_writes_the_scenario_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = folder.path().join("a.scenario");
    fs::write(&scenario, "controllers 1\nformat 1\n").unwrap();
    let link = folder.path().join("link.scenario");
    symlink("a.scenario", &link).unwrap();
    let answer = ask(&["run", "--bless", link.to_str().unwrap()]);
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(link.is_symlink());
    let blessed = fs::read_to_string(&scenario).unwrap();
    assert!(blessed.contains("| node 1: formatted"), "{blessed}");
    assert_eq!(everything(folder.path()).len(), 2);
}
