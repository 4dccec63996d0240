//! Every case of `facts/format_matrix.tsv`, formatted again: same outcome, same metadata.version, same kinds of
//! directories, same files of the same sizes, and a refusal for the same reason.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use kraftsim::{Console, Style};
use kraftsim_tests::agree::files_below;
use kraftsim_tests::repository;

const CLUSTER: &str = "a3JhZnRzaW0tb3JhY2xlMQ";

/// One row of the table.
struct Case<'a> {
    release: &'a str,
    name: &'a str,
    flags: Vec<&'a str>,
    outcome: &'a str,
    metadata_version: &'a str,
    kinds: &'a str,
    files: &'a str,
    refusal: &'a str,
}

/// What the command line answered.
struct Answer {
    exit: u8,
    out: String,
    err: String,
}

/// Words of the table's reasons for a refusal, and a word of ours that says the same.
const REASONS: [(&str, &str); 18] = [
    ("directory already formatted", "is formatted already"),
    ("cluster id differs", "belongs to another cluster"),
    (
        "static voters configured together",
        "controller.quorum.voters is set",
    ),
    (
        "needs one of the three quorum flags",
        "--no-initial-controllers",
    ),
    (
        "--standalone on a node without",
        "process.roles has no controller",
    ),
    ("kraft.version > 0 asked for", "static voters need 0"),
    ("kraft.version 0 asked for", "a dynamic quorum needs 1"),
    (
        "metadata.version too old",
        "too old to start a cluster with",
    ),
    (
        "metadata.version not production-ready",
        "is not stable in this release",
    ),
    (
        "metadata.version predates KRaft",
        "unknown metadata.version",
    ),
    ("release name unknown", "unknown metadata.version"),
    (
        "no metadata.version has that level",
        "unknown metadata.version level",
    ),
    (
        "metadata.version given both ways",
        "both name a metadata.version",
    ),
    ("feature name unknown", "has no such feature"),
    ("feature level unknown", "expected one of the levels"),
    ("feature dependency not met", "at level"),
    ("SCRAM records need", "has no SCRAM credentials"),
    ("process.roles missing", "process.roles is "),
];

#[test]
fn every_case_comes_out_as_it_did() {
    let table =
        fs::read_to_string(repository::root().join("tests/facts/format_matrix.tsv")).unwrap();
    let mut scratch = None;
    let mut differences = String::new();
    let mut count = 0;
    for line in table.lines().skip(1) {
        let case = case(line);
        if !case.name.contains('#') {
            scratch = Some(tempfile::tempdir().unwrap());
        }
        let folder = scratch.as_ref().unwrap().path();
        if let Err(difference) = check(&case, folder) {
            writeln!(differences, "{} {}: {difference}", case.release, case.name).unwrap();
        }
        count += 1;
    }
    assert!(differences.is_empty(), "{differences}");
    assert_eq!(count, 510);
}

fn case(line: &str) -> Case<'_> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [
        _,
        release,
        name,
        flags,
        outcome,
        metadata_version,
        kinds,
        files,
        refusal,
    ] = columns[..]
    else {
        panic!("a row has nine columns: {line}");
    };
    let flags = if flags == "-" {
        Vec::new()
    } else {
        flags.split(' ').collect()
    };
    Case {
        release,
        name,
        flags,
        outcome,
        metadata_version,
        kinds,
        files,
        refusal,
    }
}

fn check(case: &Case, folder: &Path) -> Result<(), String> {
    let config = folder.join("server.properties");
    fs::write(&config, server_properties(case, folder)).map_err(|error| error.to_string())?;
    let answer = format(case, &config);
    let exit = match case.outcome {
        "ok" => 0,
        "refused" | "usage-error" => 1,
        other => return Err(format!("outcome {other}?")),
    };
    if answer.exit != exit {
        return Err(format!(
            "exit {exit} expected, got {}: {}",
            answer.exit, answer.err
        ));
    }
    if case.files != "-" || case.outcome == "ok" {
        equal("files", case.files, &files(case, folder))?;
    }
    if case.outcome == "ok" && case.metadata_version != "-" {
        equal(
            "directories",
            case.kinds,
            &formatted(&answer, case.metadata_version)?,
        )?;
    }
    if case.outcome == "refused" {
        let reason = REASONS
            .iter()
            .find(|(reason, _)| case.refusal.contains(reason));
        let (_, word) = reason.ok_or_else(|| format!("no word for `{}`", case.refusal))?;
        if !answer.err.contains(word) {
            return Err(format!(
                "refused for `{}`, but: {}",
                case.refusal, answer.err
            ));
        }
    }
    Ok(())
}

fn equal(what: &str, expected: &str, found: &str) -> Result<(), String> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("{what} {expected} expected, got {found}"))
    }
}

fn format(case: &Case, config: &Path) -> Answer {
    let cluster = match case.name {
        "static-badcluster" => "x",
        "static-controller-again#4" => "b3RoZXItY2x1c3Rlci0wMQ",
        _ => CLUSTER,
    };
    let config = config.display().to_string();
    let mut args = vec![
        "format",
        "-c",
        &config,
        "-t",
        cluster,
        "--kafka",
        case.release,
    ];
    args.extend(&case.flags);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let line = std::iter::once("kraftsim").chain(args);
    let exit = kraftsim::run(line, &mut Console::new(&mut out, &mut err, Style::Plain));
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Answer {
        exit: exit.code(),
        out: text(out),
        err: text(err),
    }
}

/// The configuration that the name of a case stands for.
fn server_properties(case: &Case, folder: &Path) -> String {
    let folder = folder.display();
    if case.name == "zk" {
        return format!("zookeeper.connect=localhost:2181\nbroker.id=1\nlog.dirs={folder}/data\n");
    }
    let is = |word: &str| case.name.split(['-', '#']).any(|part| part == word);
    let (roles, listeners, node) = if is("broker") {
        ("broker", "PLAINTEXT://127.0.0.1:19192", 2)
    } else if is("combined") {
        (
            "broker,controller",
            "PLAINTEXT://127.0.0.1:19192,CONTROLLER://127.0.0.1:19193",
            1,
        )
    } else {
        ("controller", "CONTROLLER://127.0.0.1:19193", 1)
    };
    let quorum = if is("dyn") {
        "controller.quorum.bootstrap.servers=127.0.0.1:19193".to_owned()
    } else {
        "controller.quorum.voters=1@127.0.0.1:19193".to_owned()
    };
    let dirs = if is("combined") {
        format!("{folder}/x,{folder}/y")
    } else {
        format!("{folder}/data")
    };
    let more = if is("mld") {
        format!("metadata.log.dir={folder}/y")
    } else if is("unstable") {
        "unstable.feature.versions.enable=true".to_owned()
    } else if is("zkmig") {
        "zookeeper.metadata.migration.enable=true\nzookeeper.connect=localhost:2181".to_owned()
    } else {
        String::new()
    };
    format!(
        "process.roles={roles}\nnode.id={node}\ncontroller.listener.names=CONTROLLER\nlisteners={listeners}\n{quorum}\n\
         log.dirs={dirs}\n{more}\n"
    )
}

/// The files below the directories, as the table writes them. The salt that is drawn for a password has a length of
/// its own in every run; sizes that are off by no more than that count as the table's.
fn files(case: &Case, folder: &Path) -> String {
    let mut found = BTreeMap::new();
    for (name, path) in files_below(folder) {
        let Some((directory, file)) = name.split_once('/') else {
            continue;
        };
        let file = file.rsplit('/').next().unwrap();
        let file = if file.starts_with("00000000000000000000-0000000000.") {
            "0-0.checkpoint"
        } else {
            file
        };
        let name = if directory == "data" {
            file.to_owned()
        } else {
            format!("{directory}/{file}")
        };
        found.insert(name, fs::metadata(&path).unwrap().len());
    }
    let recorded = |name: &str, size: u64| {
        let sizes = case
            .files
            .split(';')
            .filter_map(|item| item.split_once('='));
        let mut sizes = sizes
            .filter(|(recorded, _)| *recorded == name)
            .filter_map(|(_, size)| size.parse::<u64>().ok());
        match sizes.next() {
            Some(recorded) if case.name == "static-scram" && recorded.abs_diff(size) <= 2 => {
                recorded
            }
            _ => size,
        }
    };
    let listed: Vec<String> = found
        .into_iter()
        .map(|(name, size)| format!("{name}={}", recorded(&name, size)))
        .collect();
    if listed.is_empty() {
        "-".to_owned()
    } else {
        listed.join(";")
    }
}

/// The kinds of the directories that an answer says are formatted, in the order of their names.
fn formatted(answer: &Answer, metadata_version: &str) -> Result<String, String> {
    let mut kinds = Vec::new();
    for line in answer
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("formatted "))
    {
        let (directory, version) = line
            .split_once(" at metadata.version ")
            .ok_or_else(|| format!("no version in `{line}`"))?;
        equal("metadata.version", metadata_version, version)?;
        kinds.push(
            directory
                .rsplit_once(' ')
                .map_or(directory, |(kind, _)| kind),
        );
    }
    kinds.sort_unstable();
    Ok(kinds.join(";"))
}
