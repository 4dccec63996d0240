//! `kraftsim explore` as people and scripts see it.

use kraftsim::{Console, Exit, Style};

fn explore(args: &[&str]) -> (Exit, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = ["kraftsim", "explore"].iter().chain(args);
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
    "855..863",
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
