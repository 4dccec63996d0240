//! Recorded answers of Kafka's own classes, held against `kraftsim drive`, step by step.

use std::path::PathBuf;

use kraftsim::drive::{DrivenSchedule, ScheduleLine};
use kraftsim_tests::repository;
use kraftsim_tests::schedules::{Recording, first_difference, is_unavailable, ours};
use releases::Release;
use serde_json::{Value, json};

fn check(name: &str, recording: &Recording) -> usize {
    let found = ours(recording.release, &recording.schedule);
    let lacking = found.iter().position(is_unavailable);
    assert_eq!(lacking.map(|at| &recording.schedule[at]), None, "{name}");
    if let Some(difference) = first_difference(&recording.answers, &found) {
        let command = &recording.schedule[difference.index];
        panic!("{name}, {command}\n{difference}");
    }
    found.len()
}

#[test]
fn the_answers_recorded_beside_the_driver() {
    let folder = repository::root().join("oracle").join("schedules");
    let mut compared = 0;
    for answers in repository::files(&folder.join("answers"), &[".jsonl"]) {
        let name = answers.file_stem().unwrap().to_string_lossy().into_owned();
        let (schedule, _) = name.split_once('@').unwrap();
        let schedule = folder.join(format!("{schedule}.jsonl"));
        let recording = Recording::of_files(&schedule, &answers).unwrap();
        compared += check(&name, &recording);
    }
    assert!(compared > 100, "{compared} answers compared");
}

#[test]
fn random_schedules_recorded_from_real_kafka() {
    let folder: PathBuf = repository::root().join("tests/fixtures/schedules");
    let files = repository::files(&folder, &[".jsonl.gz"]);
    assert!(files.len() >= 10, "recordings are missing");
    for path in &files {
        let name = path.file_name().unwrap().to_string_lossy();
        let recordings = Recording::read_all(path).unwrap();
        assert!(!recordings.is_empty(), "{name} is empty");
        for (number, recording) in (1..).zip(&recordings) {
            let name = format!("{name}, recording {number}");
            assert_eq!(check(&name, recording), recording.schedule.len());
        }
    }
}

#[test]
fn one_changed_number_is_noticed() {
    let path = repository::root().join("tests/fixtures/schedules/five@4.4.0.jsonl.gz");
    let mut recording = Recording::read(&path).unwrap();
    let found = ours(recording.release, &recording.schedule);
    assert!(first_difference(&recording.answers, &found).is_none());
    let waits = |answer: &&mut Value| answer["next_poll_within"].as_i64() > Some(1);
    let answer = recording.answers.iter_mut().find(waits).unwrap();
    answer["next_poll_within"] = Value::from(1);
    assert!(first_difference(&recording.answers, &found).is_some());
}

#[test]
fn a_known_bug_breaks_an_invariant_in_a_schedule_too() {
    let path = repository::root().join("oracle/schedules/kafka-20839.jsonl");
    let schedule = std::fs::read_to_string(path).unwrap();
    let broken = |release: Release| {
        let mut session = DrivenSchedule::new(release.rules());
        for line in schedule.lines() {
            session.line(&ScheduleLine::Whole(line.to_owned()));
        }
        let violations = session.violations().iter();
        violations.map(|of| of.id).collect::<Vec<_>>()
    };
    assert_eq!(broken(Release::V3_9_2), ["BOOT-1"]);
    assert!(broken(Release::V4_4_0).is_empty());
}

#[test]
fn a_clock_goes_only_as_far_as_it_can() {
    let init = r#"{"cmd":"init","nodes":[1],"quorum":"static"}"#;
    let refused = [
        r#"{"cmd":"advance","ms":9223372036854775807}"#,
        r#"{"cmd":"advance","ms":-9223372036854775808}"#,
        r#"{"cmd":"run","ms":1000,"step":0}"#,
        r#"{"cmd":"run","ms":1000,"step":-1}"#,
    ];
    for command in refused {
        let schedule = [init, command, r#"{"cmd":"advance","ms":1}"#]
            .map(|line| serde_json::from_str(line).expect("a command is JSON"));
        let answers = ours(Release::V4_4_0, &schedule);
        assert_eq!(answers[1]["ok"], false, "{command}");
        assert_eq!(answers[2]["now"], 1_700_000_000_001_i64, "{command}");
    }
}

#[test]
fn a_clock_may_show_a_time_before_its_beginning() {
    for release in Release::ALL {
        let mut session = DrivenSchedule::new(release.rules());
        let mut say = |command: Value| session.obey(&command);
        say(
            json!({ "cmd": "init", "nodes": [1], "quorum": "static", "seed": 1, "clock": 1_600_000_000_000_i64 }),
        );
        let answer = say(json!({ "cmd": "advance", "ms": -3000 }));
        assert_eq!(answer["now"], 1_599_999_997_000_i64, "{release}: {answer}");
    }
}
