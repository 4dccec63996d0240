//! `kraftsim explore` as people and scripts see it.

use kraftsim::{Console, Exit, Style};
use simulator::explore::Workload;

fn explore(args: &[&str]) -> (Exit, String) {
    kraftsim(&[&["explore"], args].concat())
}

fn kraftsim(args: &[&str]) -> (Exit, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = ["kraftsim"].iter().chain(args);
    let exit = kraftsim::run(words, &mut Console::new(&mut out, &mut err, Style::Plain));
    assert!(err.is_empty(), "{}", String::from_utf8_lossy(&err));
    (
        exit,
        String::from_utf8(out).expect("what is printed is text"),
    )
}

/// A range with and without failing seeds, of a planted bug.
const PLANTED: [&str; 8] = [
    "--profile",
    "bootstrap",
    "--kafka",
    "4.4.0",
    "--with",
    "KAFKA-20839",
    "--seeds",
    "1672..1680",
];

#[test]
fn what_is_printed_does_not_hang_on_the_jobs() {
    let alone = explore(&[&PLANTED[..], &["--jobs", "1"]].concat());
    let together = explore(&[&PLANTED[..], &["--jobs", "3"]].concat());
    assert_eq!(alone, together);
    assert_eq!(alone.0, Exit::Failed, "{}", alone.1);
}

#[test]
fn the_command_of_a_failing_seed_shows_it_again() {
    let (_, printed) = explore(&PLANTED);
    let again = printed
        .lines()
        .find_map(|line| line.trim().strip_prefix("again: kraftsim explore "))
        .expect("a failing seed is told with its command");
    let hash = printed
        .lines()
        .find(|line| line.starts_with("  hash "))
        .expect("and its hash");
    let words: Vec<&str> = again.split(' ').collect();
    let (exit, shown) = explore(&words);
    assert_eq!(exit, Exit::Failed, "{shown}");
    assert!(shown.lines().any(|line| line == hash), "{shown}");
}

/// The run of a seed, written down and run as a file.
#[test]
fn a_seed_written_as_a_scenario_comes_to_the_same_hash() {
    for (seed, with) in [
        ("860", &["--with", "KAFKA-20839"][..]),
        ("1677", &["--with", "KAFKA-20839"]),
        ("3", &[]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("seed.scenario");
        let file = file.to_str().unwrap();
        let one = [
            "--profile",
            "bootstrap",
            "--kafka",
            "4.4.0",
            "--seeds",
            seed,
            "--write",
            file,
            "--json",
        ];
        let (exit, explored) = explore(&[&one[..], with].concat());
        let explored: serde_json::Value = serde_json::from_str(&explored).unwrap();

        let (mut out, mut err) = (Vec::new(), Vec::new());
        let run = ["kraftsim", "run", file, "--json"];
        let again = kraftsim::run(run, &mut Console::new(&mut out, &mut err, Style::Plain));
        assert!(err.is_empty(), "{}", String::from_utf8_lossy(&err));
        let ran: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(ran["scenarios"][0]["hash"], explored["hash"], "seed {seed}");
        assert!(explored["hash"].is_string());
        assert_eq!(
            ran["scenarios"][0]["events"], explored["events"],
            "seed {seed}"
        );
        assert_eq!(
            (exit == Exit::Held, again == Exit::Held),
            (seed != "1677", seed != "1677")
        );
    }
}

#[test]
fn seeds_that_hold_end_with_zero() {
    let (exit, printed) = explore(&[
        "--profile",
        "quorum",
        "--kafka",
        "4.4.0",
        "--seeds",
        "1..5",
        "--json",
    ]);
    assert_eq!(exit, Exit::Held, "{printed}");
    let document: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(document["ran"], 4);
    assert_eq!(document["held"], 4);
}

/// A table without what is not the same at every run.
fn table(args: &[&str]) -> (Exit, Vec<String>) {
    let common = ["--profile", "quorum", "--table", "--seeds", "1..3"];
    let (exit, printed) = explore(&[&common, args].concat());
    let timeless = printed.lines().map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let times = if words.last() == Some(&"s") { 2 } else { 0 };
        words[..words.len() - times].join(" ")
    });
    (exit, timeless.collect())
}

#[test]
fn a_table_has_a_line_for_each_situation_and_kind_of_cluster() {
    let chosen = [
        "--situation",
        "split,disk-lost",
        "--kafka",
        "3.9.2",
        "--kafka",
        "4.3.1,4.4.0",
    ];
    let alone = table(&[&chosen[..], &["--jobs", "1"]].concat());
    let together = table(&[&chosen[..], &["--jobs", "2"]].concat());
    assert_eq!(alone, together);
    let (exit, lines) = alone;
    assert_eq!(exit, Exit::Held, "{lines:#?}");
    let split = lines
        .iter()
        .filter(|line| line.starts_with("4.3.1,4.4.0 5 dynamic split 2 0 "));
    assert_eq!(split.count(), 1, "{lines:#?}");
    let last = lines.last().map_or("", String::as_str);
    assert!(
        last.starts_with("16 cells, 32 seeds: all held;"),
        "{lines:#?}"
    );
}

/// What is refused, and what it says.
fn refused(args: &[&str]) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = ["kraftsim", "explore"].iter().chain(args);
    let exit = kraftsim::run(words, &mut Console::new(&mut out, &mut err, Style::Plain));
    assert_eq!(exit, Exit::BadInput);
    assert!(out.is_empty(), "{}", String::from_utf8_lossy(&out));
    String::from_utf8(err).expect("what is printed is text")
}

#[test]
fn mistakes_are_told() {
    let quorum = ["--profile", "quorum", "--kafka", "4.4.0"];
    for (args, told) in [
        (&["--jobs", "0"][..], "0 is not in 1..=1024"),
        (&["--jobs", "70000"], "70000 is not in 1..=1024"),
        (&["--seeds", "9..3"], "the range is empty"),
        (&["--seeds", "3..3"], "the range is empty"),
        (&["--seeds", "x"], "expected A..B or one number"),
        (&["--kafka", "4.9"], "did you mean 4.4.0?"),
        (&["--with", "KAFKA-1"], "invalid value 'KAFKA-1'"),
        (&["--situation", "leader-kiled"], "'leader-killed'"),
        (
            &["--situation", "cut-while-led", "--voters", "4"],
            "but for 3 or 5",
        ),
        (&["--voters", "6"], "6 is not in 1..=5"),
    ] {
        let said = refused(&[&quorum[..], args].concat());
        assert!(said.contains(told), "{args:?}: {said}");
    }
    let bootstrap = ["--profile", "bootstrap", "--kafka", "4.4.0", "--table"];
    assert!(refused(&bootstrap).contains("--table is for --profile quorum"));
    assert!(refused(&["--profile", "quorun"]).contains("'quorum'"));
    assert!(refused(&["--profile", "quorum"]).contains("--kafka"));
}

#[test]
fn a_line_of_bench_is_the_sum_of_its_runs() {
    for workload in Workload::ALL {
        let (one, other) = (workload.run(1), workload.run(2));
        let (exit, line) = kraftsim(&["bench", workload.name(), "--runs", "2", "--json"]);
        assert_eq!(exit, Exit::Held);
        let line: serde_json::Value = serde_json::from_str(&line).expect("a line is a document");
        let sums = [
            ("events", one.events + other.events),
            ("messages", one.messages + other.messages),
            (
                "simulated_us",
                one.simulated.as_micros() + other.simulated.as_micros(),
            ),
        ];
        for (name, sum) in sums {
            assert_eq!(line[name], sum, "{name} of {}", workload.name());
        }
    }
}
