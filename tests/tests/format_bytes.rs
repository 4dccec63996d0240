//! Directories that real Kafka formatted, formatted again with the ids, times and salts that stand in them: every file
//! is the same, byte for byte, comment lines and all.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use bytes::Bytes;
use clap::Parser as _;
use config::ServerConfig;
use config::meta_properties::MetaProperties;
use config::properties::Properties;
use disk::{Disk, MemDisk};
use kraftsim::cli::{Cli, CliCommand};
use kraftsim_tests::agree::{Known, UnpackedCell, cells_in, files_below, node_folders};
use kraftsim_tests::recorded::golden::Formatted;
use kraftsim_tests::repository;
use raft_log::batch::read_batches;
use records::Uuid;
use records::control::ControlRecord;
use records::metadata::MetadataRecord;
use releases::Release;
use storage_tool::{Draws, FormatPlan, FormatRequest, plan};

/// Where the directories of a cell stand on the disk in memory.
const WORK: &str = "/work";

#[test]
fn every_formatted_directory_is_the_same_byte_for_byte() {
    let mut differences = String::new();
    let mut count = 0;
    for cell in cells_in(&repository::golden()).unwrap() {
        let unpacked = cell.unpack().unwrap();
        let Some(folder) = formatted_folder(&unpacked) else {
            continue;
        };
        for (id, node) in node_folders(&folder) {
            match compare(&unpacked, &folder, &id, &node) {
                Ok(()) => count += 1,
                Err(difference) => {
                    writeln!(differences, "{} node {id}: {difference}", cell.id()).unwrap();
                }
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(count >= 360, "{count} nodes compared");
}

/// The folder with what the cell's one format left, if it formatted each node once, with success, and did nothing else.
fn formatted_folder(cell: &UnpackedCell) -> Option<std::path::PathBuf> {
    let only_formats = cell.spec.steps.iter().all(|step| step.edits.is_empty());
    let phases = &cell.spec.phases;
    let edited = phases.first().is_some_and(|phase| !phase.before.is_empty());
    let formats = &cell.outcome.formats;
    let twice = formats.iter().enumerate().any(|(at, format)| {
        formats[..at]
            .iter()
            .any(|earlier| earlier.node == format.node)
    });
    let succeeded = formats
        .iter()
        .all(|format| format.exit_code == 0 && format.into == "node");
    if !only_formats || edited || twice || !succeeded || formats.is_empty() {
        return None;
    }
    let name = if cell.outcome.phases.is_empty() {
        "formatted"
    } else {
        "phase-1"
    };
    Some(cell.work().join(name)).filter(|folder| folder.is_dir())
}

fn compare(cell: &UnpackedCell, folder: &Path, id: &str, node: &Path) -> Result<(), String> {
    let mut formats = cell.outcome.formats.iter();
    let Some(format) = formats.find(|format| format.node.to_string() == id) else {
        return Ok(());
    };
    let release = format.version.parse::<Release>();
    let release = release.map_err(|error| format!("{error}"))?;
    let recorded = recorded_files(node, id);
    let (_, properties) = recorded
        .iter()
        .find(|(path, _)| path.ends_with("server.properties"))
        .unwrap();
    let text = String::from_utf8_lossy(properties).replace("@WORK@", WORK);
    let properties = Properties::parse("server.properties", &Bytes::from(text))
        .map_err(|error| error.to_string())?;
    let rules = release.rules();
    let config =
        ServerConfig::parse(&rules, properties.iter()).map_err(|error| error.to_string())?;
    let request = request(cell, format, &Known::of(&cell.outcome.volatile, folder));

    let mut disk = MemDisk::new();
    let mut replay = Replay {
        recorded: &recorded,
        readings: VecDeque::new(),
        salts: salts(&recorded),
    };
    let plan = plan(&rules, &config, &request, &mut disk, &mut replay)
        .map_err(|error| error.to_string())?;
    replay.readings = readings(&plan, &recorded)?;
    plan.write(&mut disk, &mut replay)
        .map_err(|error| error.to_string())?;
    if !replay.readings.is_empty() {
        return Err(format!(
            "{} readings of the clock are left",
            replay.readings.len()
        ));
    }

    let mut written = Vec::new();
    collect(&mut disk, &format!("{WORK}/node-{id}"), &mut written);
    let names = |files: &[(String, Bytes)]| -> Vec<String> {
        files
            .iter()
            .map(|(path, _)| path.clone())
            .filter(|path| !path.ends_with("server.properties"))
            .collect()
    };
    if names(&recorded) != names(&written) {
        return Err(format!(
            "files {:?}, got {:?}",
            names(&recorded),
            names(&written)
        ));
    }
    for (path, bytes) in &written {
        let (_, expected) = recorded.iter().find(|(other, _)| other == path).unwrap();
        if expected != bytes {
            let at = expected
                .iter()
                .zip(bytes)
                .take_while(|(a, b)| a == b)
                .count();
            return Err(format!(
                "{path} differs at byte {at} ({} bytes, got {})",
                expected.len(),
                bytes.len()
            ));
        }
    }
    Ok(())
}

/// The files of a node with their paths on the disk in memory, ascending.
fn recorded_files(node: &Path, id: &str) -> Vec<(String, Bytes)> {
    let files = files_below(node).into_iter();
    files
        .map(|(name, path)| {
            (
                format!("{WORK}/node-{id}/{name}"),
                Bytes::from(fs::read(path).unwrap()),
            )
        })
        .collect()
}

fn collect(disk: &mut MemDisk, dir: &str, found: &mut Vec<(String, Bytes)>) {
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in disk.list(&folder).unwrap() {
            let path = format!("{folder}/{}", entry.name);
            match entry.kind {
                disk::EntryKind::Directory => folders.push(path),
                disk::EntryKind::Special(special) => panic!("{path}: {special}"),
                disk::EntryKind::File { .. } => {
                    let bytes = disk.read(&path).unwrap();
                    found.push((path, bytes));
                }
            }
        }
    }
    found.sort();
}

/// The options of the recorded call, read as the command line reads them.
fn request(cell: &UnpackedCell, format: &Formatted, known: &Known) -> FormatRequest {
    let own = cell.spec.steps.iter().find(|step| {
        let nodes = step.nodes.as_ref();
        nodes.is_none_or(|nodes| nodes.contains(&format.node))
    });
    let own = own.and_then(|step| step.format.as_ref()?.cluster_id.as_ref());
    let cluster = own.unwrap_or(&cell.outcome.cluster_id);
    let fixed = [
        "kraftsim",
        "format",
        "-c",
        "x",
        "-t",
        cluster,
        "--kafka",
        &format.version,
    ]
    .map(str::to_owned);
    let args = format.args.iter().map(|arg| known.filled_in(arg));
    let CliCommand::Format(args) = Cli::try_parse_from(fixed.into_iter().chain(args))
        .unwrap()
        .command
    else {
        panic!("`format` is the format command");
    };
    args.request()
}

/// Draws what stands in the recorded files.
struct Replay<'a> {
    recorded: &'a [(String, Bytes)],
    readings: VecDeque<i64>,
    salts: VecDeque<Vec<u8>>,
}

impl Draws for Replay<'_> {
    fn directory_id(&mut self, directory: &str) -> Uuid {
        let file = format!("{directory}/meta.properties");
        let (_, bytes) = self
            .recorded
            .iter()
            .find(|(path, _)| *path == file)
            .expect("the directory was formatted");
        MetaProperties::parse(&file, bytes)
            .unwrap()
            .directory_id
            .unwrap()
    }

    fn now_ms(&mut self) -> i64 {
        self.readings
            .pop_front()
            .expect("as many readings as Kafka took")
    }

    fn salt(&mut self) -> Vec<u8> {
        self.salts.pop_front().expect("as many salts as Kafka drew")
    }

    fn file_number(&mut self) -> u64 {
        0
    }
}

/// The salts of all credentials, in order; those that were given are never asked for.
fn salts(recorded: &[(String, Bytes)]) -> VecDeque<Vec<u8>> {
    let checkpoint = recorded
        .iter()
        .find(|(path, _)| path.ends_with(".checkpoint") && !path.contains("-0/0000"));
    let checkpoint = checkpoint.or(recorded
        .iter()
        .find(|(path, _)| path.ends_with(".checkpoint")));
    let Some((path, bytes)) = checkpoint else {
        return VecDeque::new();
    };
    let mut salts = VecDeque::new();
    for batch in read_batches(path, bytes, 0)
        .map(Result::unwrap)
        .filter(|batch| !batch.is_control())
    {
        for record in batch.data_records().unwrap() {
            if let MetadataRecord::UserScramCredential(credential) = record.record {
                salts.push_back(credential.salt.to_vec());
            }
        }
    }
    salts
}

/// The readings of the clock that ended up in the files, in the order in which the plan writes them.
fn readings(plan: &FormatPlan, recorded: &[(String, Bytes)]) -> Result<VecDeque<i64>, String> {
    let mut readings = VecDeque::new();
    for directory in &plan.directories {
        for name in plan.files_of(&directory.path) {
            let path = format!("{}/{name}", directory.path);
            let (_, bytes) = recorded
                .iter()
                .find(|(other, _)| *other == path)
                .ok_or(format!("{path} is missing"))?;
            if name == "meta.properties" {
                readings.push_back(date(bytes)?);
                continue;
            }
            for batch in read_batches(&path, bytes, 0) {
                let batch = batch.map_err(|error| error.to_string())?;
                if name != "bootstrap.checkpoint" && batch.base_offset() == 0 {
                    readings.extend(header_time(&batch));
                }
                readings.push_back(batch.base_timestamp());
            }
        }
    }
    Ok(readings)
}

fn header_time(batch: &raft_log::batch::Batch) -> Option<i64> {
    match batch.control_records().unwrap().first() {
        Some(ControlRecord::SnapshotHeader(header)) => Some(header.last_contained_log_timestamp),
        _ => None,
    }
}

/// The time in the second line of a properties file: `#Sun Nov 29 21:25:48 UTC 2026`.
fn date(bytes: &[u8]) -> Result<i64, String> {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().nth(1).unwrap_or_default();
    let words: Vec<&str> = line.split([' ', ':']).collect();
    let [_, month, day, hour, minute, second, "UTC", year] = words[..] else {
        return Err(format!("`{line}` is no date"));
    };
    let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let month = months
        .iter()
        .position(|name| *name == month)
        .ok_or("no such month")? as i64;
    let number = |text: &str| text.parse::<i64>().map_err(|error| error.to_string());
    let (day, year) = (number(day)?, number(year)?);
    // Days of whole years since 1970, then of whole months.
    let leap = |year: i64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let mut days: i64 = (1970..year)
        .map(|year| if leap(year) { 366 } else { 365 })
        .sum();
    let lengths = [
        31,
        if leap(year) { 29 } else { 28 },
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    days += lengths[..month as usize].iter().sum::<i64>() + day - 1;
    Ok((((days * 24 + number(hour)?) * 60 + number(minute)?) * 60 + number(second)?) * 1000)
}
