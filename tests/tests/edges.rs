//! The edges of the command line: limits, slips of the pen, secrets, control characters, a reader that goes away.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use kraftsim::{Console, Style};
use kraftsim_tests::cli::{Answer, ask, golden_work};
use serde_json::Value;

/// A scenario in a folder of its own.
fn run_text(text: &str, options: &[&str]) -> Answer {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.scenario");
    fs::write(&path, text).unwrap();
    ask(&[&["run", path.to_str().unwrap()], options].concat())
}

#[test]
fn what_is_too_large_is_refused_soon_and_by_its_limit() {
    let many: Vec<String> = (1..=2000).map(|id| id.to_string()).collect();
    let many = many.join(" ");
    let begun = Instant::now();
    for (text, limit) in [
        (
            format!("controllers {many}\nformat all\nstart all\nrun 1s\n"),
            "64",
        ),
        (format!("controllers 1\nobservers {}\n", &many[2..]), "64"),
        (
            format!("controllers 1\n{}stop 1\n", "when active ".repeat(5000)),
            "16",
        ),
        (
            format!("controllers 1\n{}stop 1\n", "at 1s ".repeat(9000)),
            "16",
        ),
        (
            format!("controllers 1\n{}", "repeat 2\n".repeat(100_000)),
            "16",
        ),
        (
            format!("controllers 1\ntitle {}\n", "x".repeat(900_000)),
            "65536",
        ),
        (
            "controllers 1\nrepeat 4000000000\nquorum\nend\n".to_owned(),
            "100000",
        ),
        ("controllers 1\nrun 1000000h\n".to_owned(), "168h"),
        (
            format!("controllers 1\n# {}\n", "x".repeat(2 << 20)),
            "1048576",
        ),
    ] {
        let answer = run_text(&text, &[]);
        let shown = &text[..text.len().min(60)];
        assert_eq!(
            (answer.code, answer.out.as_str()),
            (2, ""),
            "{shown}: {answer:?}"
        );
        assert!(answer.err.contains(limit), "{shown}: {answer:?}");
        assert!(
            answer.err.len() < 4096,
            "{shown}: {} bytes are said",
            answer.err.len()
        );
    }
    let stars = "controllers 1\nformat 1\ncrash 1 at sync 1 of ".to_owned();
    run_text(
        &format!("{stars}{}log\nstart 1\nrun 1s\n", "*0".repeat(4000)),
        &[],
    );
    assert!(
        begun.elapsed() < Duration::from_mins(1),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn a_slip_of_the_pen_is_named_with_the_nearest_word() {
    for (line, near) in [
        (
            "never records BeginTransacionRecord at-least 1",
            "BeginTransactionRecord",
        ),
        (
            "never records BEGIN_TRANSACION_RECORD 1",
            "BEGIN_TRANSACTION_RECORD",
        ),
        ("expect no feature group.verison=1", "group.version"),
        ("never metadata-version 4.4-IV22", "4.4-IV2"),
        ("never file 1:bootstrap.checkpont", "bootstrap.checkpoint"),
        (
            "never file 1:__cluster_metdata-0/quorum-state",
            "__cluster_metadata-0/quorum-state",
        ),
        ("crash 1 at sync 1 of quorum-stat", "quorum-state"),
        ("crash 1 at sycn 1 of quorum-state", "sync"),
        ("never source legcy-file", "legacy-file"),
        ("never actve", "active"),
        ("never violation", "`never`"),
        ("expect violation LOG1", "LOG-1"),
        ("expect active else LIVE1", "LIVE-1"),
        ("drop vote-requst", "vote-request"),
        ("with KAFKA-20838", "KAFKA-20839"),
        ("start 1 on 4.4.1", "4.4.0"),
        ("upgrade-feature kraft.verson 1", "kraft.version"),
        ("format 1 feature kraft.verson=1", "kraft.version"),
        ("run untl active within 1s", "until"),
    ] {
        let answer = run_text(&format!("controllers 1\n{line}\n"), &[]);
        assert_eq!(
            (answer.code, answer.out.as_str()),
            (2, ""),
            "{line}: {answer:?}"
        );
        let found = near == "`never`" || answer.err.contains(near);
        assert!(found, "{line}: {answer:?}");
    }
}

#[test]
fn one_node_has_one_release_in_a_phase() {
    let work = golden_work("a-static-f4.3.1-s4.4.0");
    let config = work.config("phase-1/node-1");
    let refused: [&[&str]; 6] = [
        &["--on", "3.9.2", "--on", "4.0.2"],
        &["--on", "1=3.9.2", "--on", "1=4.0.2"],
        &["--on", "4.4.0", "--then", "4.0.2,4.4.0"],
        &["--on", "4.4.0", "--then", "1=4.0.2,1=4.4.0"],
        &["--on", "4.4.0", "--on", "2=4.4.0"],
        &[
            "--on",
            "4.4.0",
            "--with",
            "KAFKA-20839",
            "--without",
            "KAFKA-20839",
        ],
    ];
    for options in refused {
        let answer = ask(&[&["rehearse", "-c", &config][..], options].concat());
        assert_eq!(
            (answer.code, answer.out.as_str()),
            (2, ""),
            "{options:?}: {answer:?}"
        );
    }
    let both = ["--with", "KAFKA-20839", "--without", "20839"];
    let others: [&[&str]; 3] = [
        &[
            "explore",
            "--profile",
            "bootstrap",
            "--seeds",
            "1..3",
            "--kafka",
            "4.4.0",
        ],
        &["run", "no-such.scenario"],
        &[
            "format",
            "-c",
            &config,
            "-t",
            "a3JhZnRzaW0tb3JhY2xlMQ",
            "--kafka",
            "4.4.0",
        ],
    ];
    for command in others {
        let answer = ask(&[command, &both].concat());
        assert_eq!(answer.code, 2, "{command:?}: {answer:?}");
    }
}

/// What a formatter made out of a password, as it stands in the record.
const FORMATTED: &str =
    "controllers 1\nformat 1 scram alice\nstart 1\nrun until quiet within 10s\n";

#[test]
fn no_output_shows_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let text = format!(
        "{FORMATTED}log 1\nimage 1\nfiles 1\ncallbacks 1\ntimeline\ndiff 1 1\nversions 1\n"
    );
    fs::write(at("a.scenario"), text).unwrap();
    let kept = ask(&["run", &at("a.scenario"), "--keep", &at("keep")]);
    assert_ne!(kept.code, 2, "{kept:?}");
    let data = at("keep/a/node-1/data");
    let config = at("keep/a/node-1/server.properties");
    let shown = ask(&["inspect", &data, "--json", "--show-secrets"]);
    let mut secrets = Vec::new();
    collect_secrets(&serde_json::from_str(&shown.out).unwrap(), &mut secrets);
    assert!(secrets.len() >= 3, "a salt and two keys: {secrets:?}");
    // Other draws, another salt: the two differ, and neither is shown.
    fs::write(at("b.scenario"), format!("seed 2\n{FORMATTED}")).unwrap();
    ask(&["run", &at("b.scenario"), "--keep", &at("keep")]);
    let other = at("keep/b/node-1/data");
    let shown = ask(&["inspect", &other, "--json", "--show-secrets"]);
    let before = secrets.len();
    collect_secrets(&serde_json::from_str(&shown.out).unwrap(), &mut secrets);
    assert_ne!(secrets[0], secrets[before], "two salts");
    for shape in [&[][..], &["--json"]] {
        let answer = ask(&[&["inspect", &data, "--diff", &other][..], shape].concat());
        assert_eq!(answer.code, 1, "{answer:?}");
    }
    let outputs: [&[&str]; 10] = [
        &["inspect", &data],
        &["inspect", &data, "--json"],
        &["inspect", &data, "--brief"],
        &["inspect", &data, "--diff", &other, "--json"],
        &["inspect", &data, "--diff", &other],
        &["run", &at("a.scenario")],
        &["run", &at("a.scenario"), "--trace"],
        &["run", &at("a.scenario"), "--trace", "--json"],
        &["rehearse", "-c", &config, "--on", "4.4.0"],
        &["rehearse", "-c", &config, "--on", "4.4.0", "--json"],
    ];
    for command in outputs {
        let answer = ask(command);
        let said = format!("{}{}", answer.out, answer.err);
        for secret in &secrets {
            assert!(
                !said.contains(secret),
                "{command:?} shows {secret}: {answer:?}"
            );
        }
    }
}

/// The salts and keys in a document.
fn collect_secrets(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value.as_str() {
                    Some(text) if ["salt", "storedKey", "serverKey"].contains(&name.as_str()) => {
                        into.push(text.to_owned());
                    }
                    _ => collect_secrets(value, into),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_secrets(item, into)),
        _ => {}
    }
}

#[test]
fn a_name_with_control_characters_is_shown_escaped() {
    const EVIL: &str = "\u{1b}]0;x\u{7}\u{9b}31m\r\u{202e}";
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join(format!("root{EVIL}"));
    fs::create_dir(&root).unwrap();
    let at = |name: &str| root.join(name).display().to_string();
    let name = format!("{EVIL}.scenario");
    fs::write(
        root.join(&name),
        format!("title \"{EVIL}\"\nshows \"{EVIL}\"\ncontrollers 1\nset 1 x.{EVIL} {EVIL}\n"),
    )
    .unwrap();
    fs::write(
        at("bad.scenario"),
        format!("controllers 1\nfrobnicate {EVIL}\n"),
    )
    .unwrap();
    fs::write(
        at("odd.scenario"),
        format!("controllers 1\nload 1 from {EVIL}.tar\n"),
    )
    .unwrap();
    fs::write(at(&format!("{EVIL}.log")), "x").unwrap();
    let properties =
        format!("process.roles=controller\nnode.id=1\nlisteners={EVIL}\nlog.dirs={EVIL}\n");
    fs::write(at("server.properties"), properties).unwrap();
    let commands: [&[&str]; 10] = [
        &["run", &at(&name)],
        &["run", &at(&name), "--json", "--trace"],
        &["run", &at("bad.scenario")],
        &["run", &at("odd.scenario")],
        &["run", &at(EVIL)],
        &["inspect", &at("")],
        &["inspect", &at(""), "--diff", &at("")],
        &["inspect", &at(EVIL)],
        &["rehearse", "-c", &at("server.properties"), "--on", "4.4.0"],
        &["info", "-c", &at("server.properties"), "--kafka", "4.4.0"],
    ];
    for command in commands {
        let answer = ask(command);
        let said = format!("{}{}", answer.out, answer.err);
        let hidden = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!said.contains(hidden), "{command:?}: {said:?}");
    }
}

/// A standard output whose reader has gone.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

#[test]
fn the_exit_status_does_not_depend_on_who_reads() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("held.scenario"), "controllers 1\n").unwrap();
    fs::write(at("failed.scenario"), "controllers 1\nexpect active\n").unwrap();
    fs::write(at("bad.scenario"), "controllers\n").unwrap();
    fs::create_dir(at("damaged")).unwrap();
    fs::write(Path::new(&at("damaged")).join("quorum-state"), "{").unwrap();
    let explored = [
        "explore",
        "--profile",
        "bootstrap",
        "--kafka",
        "4.4.0",
        "--seeds",
    ];
    let planted = [&explored[..], &["1677", "--with", "KAFKA-20839"]].concat();
    let commands: [(&[&str], u8); 7] = [
        (&["run", &at("held.scenario")], 0),
        (&["run", &at("failed.scenario")], 1),
        (&["run", &at("failed.scenario"), "--json"], 1),
        (&["run", &at("bad.scenario")], 2),
        (&["inspect", &at("damaged")], 1),
        (&["inspect", &at("damaged"), "--json"], 1),
        (&planted, 1),
    ];
    for (command, code) in commands {
        assert_eq!(ask(command).code, code, "{command:?}");
        let mut err = Vec::new();
        let line = std::iter::once("kraftsim").chain(command.iter().copied());
        let exit = kraftsim::run(line, &mut Console::new(&mut Gone, &mut err, Style::Plain));
        assert_eq!(exit.code(), code, "{command:?}, and nobody reads");
    }
}

/// The hash at the end of a page.
fn hash_in(text: &str) -> String {
    let place = text.rfind("hash ").expect(text) + "hash ".len();
    text[place..place + 16].to_owned()
}

#[test]
fn a_run_has_one_hash_in_every_output() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("a.scenario"), FORMATTED).unwrap();
    ask(&["run", &at("a.scenario"), "--keep", &at("keep")]);
    let config = at("keep/a/node-1/server.properties");
    let commands: [&[&str]; 2] = [
        &["run", &at("a.scenario")],
        &["rehearse", "-c", &config, "--on", "4.4.0"],
    ];
    for command in commands {
        let text = ask(command).out;
        let json = ask(&[command, &["--json"]].concat()).out;
        let json: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["hash"], hash_in(&text), "{command:?}");
        if let Some(one) = json["scenarios"][0].as_object() {
            assert_eq!(one["hash"], json["hash"], "one scenario, one hash");
        }
    }
}

#[test]
fn a_scenario_that_cannot_be_read_has_no_table() {
    let answer = run_text("controllers 1\nfrobnicate\n", &[]);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{answer:?}");
}

#[test]
fn a_property_that_cannot_be_is_blamed_where_it_was_set() {
    let text = "controllers 1\nset metadata.log.segment.bytes 0\nset controller.quorum.fetch.timeout.ms 1500\nstart 1\n";
    let answer = run_text(text, &[]);
    assert_eq!(answer.code, 2, "{answer:?}");
    assert!(answer.err.contains("a.scenario:2:"), "{answer:?}");
}

#[test]
fn a_node_without_a_leader_follows_nobody() {
    let work = golden_work("b1-standalone-s4.3.1");
    let config = work.config("phase-1/node-1");
    let answer = ask(&["rehearse", "-c", &config, "--on", "4.3.1"]);
    assert!(!answer.out.contains("runs, and follows"), "{answer:?}");
}
