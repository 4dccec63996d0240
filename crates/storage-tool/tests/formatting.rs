//! Formatting in memory: what is left by a crash at any disk operation, the drafts' rules, `info` over the result.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

use bytes::Bytes;
use config::ServerConfig;
use determinism::Rng;
use disk::{Disk, DiskError, Entry, MemDisk};
use raft_log::legacy;
use releases::{Release, Rules};
use storage_tool::{
    AlreadyFormatted, DirectoryKind, FormatError, FormatRequest, QuorumFlag, Refusal, SeededDraws,
    info, plan,
};

const CONFIG: &str = "process.roles=controller
node.id=1
controller.quorum.bootstrap.servers=localhost:9093
controller.listener.names=CONTROLLER
listeners=CONTROLLER://localhost:9093
log.dirs=/k/a,/k/b
metadata.log.dir=/k/a";

const ZERO: &str = "/k/a/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";

fn config(lines: &str) -> ServerConfig {
    let lines = lines.lines().filter_map(|line| line.split_once('='));
    ServerConfig::parse(&Release::V4_4_0.rules(), lines).unwrap()
}

fn request(already_formatted: AlreadyFormatted) -> FormatRequest {
    FormatRequest {
        quorum: QuorumFlag::Standalone,
        already_formatted,
        ..FormatRequest::new("cluster")
    }
}

fn draws(seed: u64) -> SeededDraws {
    SeededDraws::new(Rng::from_seed(seed), 1_764_000_000_000)
}

fn format(rules: &Rules, disk: &mut impl Disk, request: &FormatRequest) -> Result<(), FormatError> {
    // A process draws anew: a second one does not meet the temporary file of the first.
    let mut draws = draws(match request.already_formatted {
        AlreadyFormatted::Refused => 7,
        AlreadyFormatted::Skipped => 8,
    });
    let plan = plan(rules, &config(CONFIG), request, disk, &mut draws)?;
    Ok(plan.write(disk, &mut draws)?)
}

/// A disk whose process dies at its `left`-th operation that changes something.
struct Dying<'a> {
    inner: &'a mut MemDisk,
    left: usize,
}

impl Dying<'_> {
    fn step(&mut self) -> Result<&mut MemDisk, DiskError> {
        self.left = self.left.checked_sub(1).ok_or(DiskError::Crash)?;
        Ok(self.inner)
    }
}

impl Disk for Dying<'_> {
    fn list(&mut self, dir: &str) -> disk::Result<Vec<Entry>> {
        self.inner.list(dir)
    }
    fn create_dir_all(&mut self, dir: &str) -> disk::Result<()> {
        self.step()?.create_dir_all(dir)
    }
    fn create(&mut self, path: &str) -> disk::Result<()> {
        self.step()?.create(path)
    }
    fn append(&mut self, path: &str, bytes: &Bytes) -> disk::Result<()> {
        self.step()?.append(path, bytes)
    }
    fn sync(&mut self, path: &str) -> disk::Result<()> {
        self.step()?.sync(path)
    }
    fn rename(&mut self, from: &str, to: &str) -> disk::Result<()> {
        self.step()?.rename(from, to)
    }
    fn sync_dir(&mut self, dir: &str) -> disk::Result<()> {
        self.step()?.sync_dir(dir)
    }
    fn truncate(&mut self, path: &str, size: u64) -> disk::Result<()> {
        self.step()?.truncate(path, size)
    }
    fn remove(&mut self, path: &str) -> disk::Result<()> {
        self.step()?.remove(path)
    }
    fn remove_dir(&mut self, dir: &str) -> disk::Result<()> {
        self.step()?.remove_dir(dir)
    }
    fn read(&mut self, path: &str) -> disk::Result<Bytes> {
        self.inner.read(path)
    }
    fn read_at(&mut self, path: &str, at: u64, length: u64) -> disk::Result<Bytes> {
        self.inner.read_at(path, at, length)
    }
    fn size(&mut self, path: &str) -> disk::Result<Option<u64>> {
        self.inner.size(path)
    }
    fn set_read_only(&mut self, path: &str) -> disk::Result<()> {
        self.step()?.set_read_only(path)
    }
}

/// Names and sizes of all files, those on their way left out.
fn finished_files(disk: &mut MemDisk) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    let mut folders = vec!["/k".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in disk.list(&folder).unwrap_or_default() {
            let path = format!("{folder}/{}", entry.name);
            match entry.kind {
                disk::EntryKind::Directory => folders.push(path),
                disk::EntryKind::Special(special) => panic!("{path}: {special}"),
                disk::EntryKind::File { size } => found.push((path, size)),
            }
        }
    }
    found.retain(|(path, _)| {
        ![Some("tmp"), Some("part")].contains(&path.rsplit_once('.').map(|(_, kind)| kind))
    });
    found.sort();
    found
}

#[test]
fn a_crash_at_any_operation_leaves_directories_formatted_or_not() {
    for release in Release::ALL {
        let rules = release.rules();
        let mut whole = MemDisk::new();
        format(&rules, &mut whole, &request(AlreadyFormatted::Refused)).unwrap();
        let expected = finished_files(&mut whole);
        let mut crashes = 0;
        for left in 0.. {
            let mut disk = MemDisk::new();
            let died = format(
                &rules,
                &mut Dying {
                    inner: &mut disk,
                    left,
                },
                &request(AlreadyFormatted::Refused),
            );
            for dir in ["/k/a", "/k/b"] {
                let formatted = disk
                    .size(&format!("{dir}/meta.properties"))
                    .unwrap()
                    .is_some();
                let files = |all: &[(String, u64)]| -> Vec<(String, u64)> {
                    all.iter()
                        .filter(|(path, _)| path.starts_with(dir))
                        .cloned()
                        .collect()
                };
                if formatted {
                    assert_eq!(
                        files(&finished_files(&mut disk)),
                        files(&expected),
                        "{release} after {left}"
                    );
                }
            }
            if died.is_ok() {
                break;
            }
            assert_eq!(died, Err(FormatError::Disk(DiskError::Crash)));
            crashes += 1;
            format(&rules, &mut disk, &request(AlreadyFormatted::Skipped)).unwrap();
            assert_eq!(
                finished_files(&mut disk),
                expected,
                "{release}, formatted again after {left}"
            );
        }
        assert!(crashes > 15, "{release}: {crashes} operations");
    }
}

#[test]
fn only_the_drafts_delete_a_legacy_file() {
    for (release, deleted) in [(Release::V4_4_0, false), (Release::Kip1170, true)] {
        let mut disk = MemDisk::new();
        for dir in ["/k/a", "/k/b"] {
            disk.create_dir_all(dir).unwrap();
            legacy::write(&mut disk, dir, &Bytes::from_static(b"old")).unwrap();
        }
        format(
            &release.rules(),
            &mut disk,
            &request(AlreadyFormatted::Refused),
        )
        .unwrap();
        for dir in ["/k/a", "/k/b"] {
            let legacy = disk.size(&format!("{dir}/bootstrap.checkpoint")).unwrap();
            assert_eq!(legacy.is_none(), deleted, "{release} in {dir}");
        }
        assert_eq!(disk.size(ZERO).unwrap(), Some(494), "{release}");
    }
}

#[test]
fn directories_are_told_apart() {
    let mut disk = MemDisk::new();
    let plan = plan(
        &Release::V4_3_1.rules(),
        &config(CONFIG),
        &request(AlreadyFormatted::Refused),
        &mut disk,
        &mut draws(7),
    )
    .unwrap();
    let mut kinds: Vec<_> = plan
        .directories
        .iter()
        .map(|dir| (dir.path.as_str(), dir.kind))
        .collect();
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        [
            ("/k/a", DirectoryKind::DynamicVoter),
            ("/k/b", DirectoryKind::Data)
        ]
    );
    assert_eq!(
        plan.files_of("/k/b"),
        ["bootstrap.checkpoint", "meta.properties"]
    );
    let voter = plan
        .directories
        .iter()
        .find(|dir| dir.path == "/k/a")
        .unwrap()
        .meta
        .directory_id
        .unwrap();
    let other = plan
        .directories
        .iter()
        .find(|dir| dir.path == "/k/b")
        .unwrap()
        .meta
        .directory_id
        .unwrap();
    assert_ne!(voter, other);
    assert!(
        finished_files(&mut disk).is_empty(),
        "a plan writes nothing"
    );
}

#[test]
fn a_second_call_is_refused_and_writes_nothing() {
    let rules = Release::V4_1_2.rules();
    let mut disk = MemDisk::new();
    format(&rules, &mut disk, &request(AlreadyFormatted::Refused)).unwrap();
    let before = finished_files(&mut disk);
    let again = format(&rules, &mut disk, &request(AlreadyFormatted::Refused)).unwrap_err();
    assert_eq!(
        again,
        FormatError::Refused(Refusal::AlreadyFormatted {
            directory: "/k/a".to_owned()
        })
    );
    let mut other = request(AlreadyFormatted::Skipped);
    other.cluster_id = "other".to_owned();
    let foreign = format(&rules, &mut disk, &other).unwrap_err().to_string();
    assert!(
        foreign.contains("/k/a/meta.properties: expected cluster.id other, found cluster"),
        "{foreign}"
    );
    format(&rules, &mut disk, &request(AlreadyFormatted::Skipped)).unwrap();
    assert_eq!(finished_files(&mut disk), before);
}

#[test]
fn an_unreadable_directory_is_left_alone_unless_it_is_the_only_one() {
    let rules = Release::V4_4_0.rules();
    let mut disk = MemDisk::new();
    let broken = |disk: &mut MemDisk, dir: &str| {
        disk.create_dir_all(dir).unwrap();
        disk.create(&format!("{dir}/meta.properties")).unwrap();
        disk.append(
            &format!("{dir}/meta.properties"),
            &Bytes::from_static(b"version=9\n"),
        )
        .unwrap();
    };
    broken(&mut disk, "/k/b");
    let mut draws = draws(7);
    let plan = plan(
        &rules,
        &config(CONFIG),
        &request(AlreadyFormatted::Refused),
        &mut disk,
        &mut draws,
    )
    .unwrap();
    assert_eq!(plan.directories.len(), 1);
    assert_eq!(plan.unreadable[0].0, "/k/b");
    broken(&mut disk, "/k/a");
    let refused = format(&rules, &mut disk, &request(AlreadyFormatted::Refused)).unwrap_err();
    assert!(
        matches!(refused, FormatError::Refused(Refusal::NoDirectory { .. })),
        "{refused}"
    );
}

#[test]
fn info_tells_what_is_there() {
    let mut disk = MemDisk::new();
    let config = config(CONFIG);
    let missing = info(&config, &mut disk).unwrap();
    assert_eq!(
        missing.problems,
        ["/k/a does not exist", "/k/b does not exist"]
    );
    disk.create_dir_all("/k/a").unwrap();
    disk.create_dir_all("/k/b").unwrap();
    let empty = info(&config, &mut disk).unwrap();
    assert_eq!(
        empty.problems,
        ["/k/a is not formatted", "/k/b is not formatted"]
    );
    format(
        &Release::V4_4_0.rules(),
        &mut disk,
        &request(AlreadyFormatted::Refused),
    )
    .unwrap();
    let formatted = info(&config, &mut disk).unwrap();
    assert_eq!(formatted.found, ["/k/a", "/k/b"]);
    assert!(formatted.problems.is_empty());
    let metadata = formatted.metadata.unwrap();
    assert_eq!(
        (metadata["node.id"].as_str(), metadata["version"].as_str()),
        ("1", "1")
    );
}

#[test]
fn an_ipv6_listener_cannot_be_a_quorum_of_one() {
    let lines = CONFIG.replace("CONTROLLER://localhost:9093", "CONTROLLER://[::1]:9093");
    let config = config(&lines);
    let request = request(AlreadyFormatted::Refused);
    let refused = plan(
        &Release::V4_4_0.rules(),
        &config,
        &request,
        &mut MemDisk::new(),
        &mut draws(7),
    )
    .unwrap_err();
    assert_eq!(
        refused,
        FormatError::Refused(Refusal::StandaloneAddress {
            host: "::1".to_owned(),
            port: 9093,
        })
    );
}
