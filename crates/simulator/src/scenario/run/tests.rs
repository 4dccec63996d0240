//! What a run says of a scenario: expectations, output, warnings, violations.

use bytes::Bytes;
use releases::Release;

use super::{Options, ScenarioOutcome, Verdict, run};
use crate::run::Quirks;
use crate::scenario::{Problem, parse};

fn nothing_to_load(_: &str) -> Result<crate::run::Files, String> {
    Err("there is nothing".to_owned())
}

fn outcome(text: &str) -> ScenarioOutcome {
    with_options(text, &Options::default())
}

fn with_options(text: &str, options: &Options) -> ScenarioOutcome {
    let scenario = parse(text)
        .map_err(|problem| problem.render("s", text))
        .unwrap();
    let outcome = run(&scenario, options, &mut nothing_to_load);
    outcome
        .map_err(|problem| problem.render("s", text))
        .unwrap()
}

fn refused(text: &str) -> Problem {
    run(
        &parse(text).unwrap(),
        &Options::default(),
        &mut nothing_to_load,
    )
    .unwrap_err()
}

fn messages(problems: &[Problem]) -> Vec<&str> {
    problems
        .iter()
        .map(|problem| problem.message.as_str())
        .collect()
}

#[test]
fn a_property_that_cannot_be_is_shown_where_it_was_set() {
    let text = "controllers 1\nset metadata.log.segment.bytes 0\nset controller.quorum.fetch.timeout.ms \
                1500\nset 1 metadata.max.idle.interval.ms 0\nstart 1\n";
    assert_eq!(refused(text).place(text).line, 2, "{:?}", refused(text));
}

const ONE: &str = "controllers 1\nformat 1\n| node 1: formatted with metadata.version 4.4-IV2\nstart 1\n| node 1 leads epoch \
                   1\n";

#[test]
fn what_holds_is_held_and_the_same_again() {
    let text = format!("{ONE}run until active 1 within 1s\nexpect active 1\n");
    let (first, second) = (outcome(&text), outcome(&text));
    assert_eq!((first.failures.len(), first.violations.len()), (0, 0));
    assert_eq!(first.hash, second.hash);
    assert_ne!(first.hash, outcome(&format!("{text}run 1s\n")).hash);
    assert_eq!(
        first.verdict(),
        Verdict::Failed,
        "the output of `run until` is not in the text"
    );
    assert_eq!(first.mismatches.len(), 1);
    let blessed = parse(&text).unwrap().bless(&text, &first.printed);
    assert_eq!(outcome(&blessed).verdict(), Verdict::Held);
}

#[test]
fn what_does_not_hold_is_a_failure_with_its_reason() {
    let said = outcome(&format!(
        "{ONE}run until active 2 within 1s\nexpect metadata-version 4.3-IV0\nexpect violation LOG-1\n"
    ).replace("controllers 1", "controllers 1 2"));
    assert_eq!(
        messages(&said.failures),
        [
            "`active 2` did not hold within 1s: nobody is active",
            "expected metadata-version 4.3-IV0; node 1: no metadata.version",
            "expected a violation of LOG-1; there was none",
        ]
    );
    let never = outcome(&format!("{ONE}never active\nrun 1s\n"));
    assert_eq!(
        messages(&never.failures),
        ["`active` must never hold, and did: active: node 1"]
    );
}

#[test]
fn a_command_without_effect_is_a_warning() {
    let said = outcome(&format!(
        "{ONE}start 1\nresume 1\nstop old-leader\nat 0s crash 1\ncrash 1\ncrash 1\nisolate leader\ndrop any 1 to 1\nwhen \
         active crash 1\ncrash 1 at sync 99 of partition.metadata\nat 9s crash 1\n"
    ));
    assert_eq!(
        messages(&said.warnings),
        [
            "node 1 runs already",
            "node 1 is not paused",
            "nobody is `old-leader` now",
            "node 1 is down",
            "nobody is `leader` now",
            "no link leads from 1 to 1",
            "node 1 is down: nothing passes there now",
            "node 1 is down: nothing passes there now",
            "the moment for `crash 1` never came",
            "the moment for `crash 1` never came",
            "the moment for `crash 1` never came",
            "node 1 never did this operation",
        ]
    );
}

#[test]
fn a_disk_in_use_and_what_cannot_be_loaded_are_bad_input() {
    assert_eq!(
        refused(&format!("{ONE}wipe 1\n")).message,
        "node 1 runs, and uses this disk"
    );
    let problem = refused("controllers 1\nload 1 from ../x\n");
    assert_eq!(problem.message, "cannot load: there is nothing");
    assert_eq!(problem.span, 26..30);
    let problem = refused("controllers 1\nformat 1\ncopy 1:bootstrap.chekpoint as x\n");
    assert_eq!(problem.message, "1:bootstrap.chekpoint does not exist");
    let problem = refused("controllers 1\nset process.roles nothing\nformat 1\n");
    assert_eq!(problem.span, 14..39, "the line that configures: {problem}");
}

#[test]
fn a_release_or_a_quirk_can_be_forced() {
    let text = "controllers 1\nformat 1 with 4.3.1\nstart 1 on 4.3.1\nrun until active within 1s\n";
    let forced = Options {
        release: Some(Release::V4_4_0),
        ..Options::default()
    };
    assert_eq!(
        with_options(text, &forced).activations[0].release,
        Release::V4_4_0
    );
    assert_eq!(with_options(text, &forced).mismatches, []);
    assert_eq!(outcome(text).activations[0].release, Release::V4_3_1);
    let stale = "controllers 1\nformat 1 with 3.9.2 metadata-version 3.3-IV0\nstart 1 on 4.0.0\n";
    let mended = Options {
        quirks: Quirks {
            with: Vec::new(),
            without: vec!["KAFKA-19192".to_owned()],
        },
        ..Options::default()
    };
    assert!(
        outcome(&format!("{stale}expect exited 1 \"level 4\"\n"))
            .failures
            .is_empty()
    );
    assert!(
        with_options(&format!("{stale}expect running 1\n"), &mended)
            .failures
            .is_empty()
    );
}

#[test]
fn a_loaded_directory_is_found_wherever_its_files_are() {
    let text = "controllers 1\nload 1 from x\nexpect file 1:meta.properties\nexpect file 1:a/b\n";
    for prefix in ["", "data/", "node-1/data/"] {
        let files = vec![
            (format!("{prefix}a/b"), Bytes::from_static(b"x")),
            (
                format!("{prefix}meta.properties"),
                Bytes::from_static(b"version=1\n"),
            ),
            ("server.properties".to_owned(), Bytes::new()),
        ];
        let scenario = parse(text).unwrap();
        let said = run(&scenario, &Options::default(), &mut |_| Ok(files.clone())).unwrap();
        assert!(said.failures.is_empty(), "{prefix}: {:?}", said.failures);
    }
}

#[test]
fn a_planted_bug_is_a_violation_that_fails_unless_it_is_expected() {
    let text = "controllers 1 2 3\nset 1 controller.quorum.election.timeout.ms 200\nformat all\nisolate 3\nstart all\nrun \
                until committed at-least 10 on 2 within 10s\ncrash all\nheal\nwipe 2\nformat 2\nstart 2 3\nrun until active \
                within 20s\n";
    let said = outcome(text);
    let unexpected: Vec<_> = said.unexpected_violations().map(|one| one.id).collect();
    assert!(unexpected.contains(&"LOG-1"), "{unexpected:?}");
    let mut expecting = String::new();
    for id in &unexpected {
        expecting.push_str("expect violation ");
        expecting.push_str(id);
        expecting.push('\n');
    }
    let said = outcome(&format!("{text}{expecting}"));
    assert_eq!(said.unexpected_violations().count(), 0);
    assert!(said.failures.is_empty());
}
