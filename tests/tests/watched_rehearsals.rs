//! A rehearsal runs under the invariants: a planted bug that breaks one is told, with status 1.

use kraftsim::{Console, Exit, Style};

/// A controller that died twice in its activation: what its log holds of records is a transaction that was aborted.
const DIED_TWICE: &str = "\
title \"A log whose only records are a transaction that was aborted\"
controllers 1
release 4.4.0
format 1 standalone
crash 1 at sync 2 of *.log
start 1
run 1s
truncate 1:__cluster_metadata-0/00000000000000000000.log to 1 batches and 1 records
crash 1 at sync 2 of *.log
start 1
run 1s
truncate 1:__cluster_metadata-0/00000000000000000000.log to 3 batches and 1 records
";

fn kraftsim(args: &[&str]) -> (Exit, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let line = std::iter::once("kraftsim").chain(args.iter().copied());
    let exit = kraftsim::run(line, &mut Console::new(&mut out, &mut err, Style::Plain));
    (
        exit,
        String::from_utf8(out).expect("what is printed is text"),
    )
}

#[test]
fn a_planted_bug_that_breaks_an_invariant_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = folder.path().join("died-twice.scenario");
    std::fs::write(&scenario, DIED_TWICE).unwrap();
    let kept = folder.path().join("kept");
    let made = [
        "run",
        scenario.to_str().unwrap(),
        "--keep",
        kept.to_str().unwrap(),
    ];
    // Its output is not expected in the text above, which is what the status says; its directories are what is wanted.
    assert_eq!(kraftsim(&made).0, Exit::Failed);
    let config = kept.join("died-twice/node-1/server.properties");
    let rehearse = ["rehearse", "-c", config.to_str().unwrap(), "--on", "4.4.0"];

    let (exit, printed) = kraftsim(&rehearse);
    assert_eq!(exit, Exit::Held, "{printed}");
    assert!(
        printed.contains("6 bootstrap records from the zero checkpoint"),
        "{printed}"
    );
    assert!(printed.contains("\nhash "), "{printed}");

    let planted = [&rehearse[..], &["--with", "KAFKA-20839"]].concat();
    let (exit, printed) = kraftsim(&planted);
    assert_eq!(exit, Exit::Failed, "{printed}");
    assert!(
        printed.starts_with("BOOT-1 violated on node 1: "),
        "{printed}"
    );

    let (exit, printed) = kraftsim(&[&planted[..], &["--json"]].concat());
    assert_eq!(exit, Exit::Failed, "{printed}");
    let document: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(document["violations"][0]["id"], "BOOT-1", "{printed}");
}
