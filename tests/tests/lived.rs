//! Every lived-in cluster of the kinds that are lived again is a test; the page that tells of them and the scenarios that come of them
//! are what the run says; and what is planted as a difference is found.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::sync::OnceLock;

use kraftsim_tests::agree::{Cell, cells_in};
use kraftsim_tests::lived::{
    KnownDifferences, LivedVerdict, Recording, judge, judge_against, page,
};
use kraftsim_tests::recorded::Batch;
use kraftsim_tests::recorded::lived::{Done, Outcome};
use kraftsim_tests::repository::root;
use rayon::prelude::*;
use serde_json::json;

/// The kinds that the page tells of; the others are lives of brokers.
const KINDS: [&str; 4] = ["l2-", "l3-", "l5-", "l6-"];

fn verdicts() -> &'static [(String, LivedVerdict)] {
    static VERDICTS: OnceLock<Vec<(String, LivedVerdict)>> = OnceLock::new();
    VERDICTS.get_or_init(|| {
        let cells =
            cells_in(&root().join("tests/lived")).expect("the repository carries its cells");
        let of_a_kind = |cell: &Cell| KINDS.iter().any(|kind| cell.id().starts_with(kind));
        let cells: Vec<Cell> = cells.into_iter().filter(of_a_kind).collect();
        cells
            .par_iter()
            .map(|cell| (cell.id(), judge(&recording(&cell.id()))))
            .collect()
    })
}

fn recording(id: &str) -> Recording {
    let folder = root().join("tests/lived").join(id);
    Recording::read(&folder).expect("a cell of the repository can be read")
}

#[test]
fn lives_agree_or_differ_for_a_known_reason() {
    let known = KnownDifferences::of_repository();
    let wrong: Vec<String> = verdicts()
        .iter()
        .filter_map(|(id, verdict)| {
            let stands = known.stand_by(id, verdict);
            stands.err().map(|why| format!("{id}: {why}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(verdicts().len() > 30);
}

#[test]
fn the_page_is_the_output_of_the_command() {
    let expected = page(verdicts(), &KnownDifferences::of_repository());
    let path = root().join("docs/agreement-lived.md");
    let found = fs::read_to_string(path).unwrap_or_default();
    assert!(expected == found, "docs/agreement-lived.md is out of date");
}

#[test]
fn the_scenarios_are_those_that_come_of_it() {
    for (id, verdict) in verdicts() {
        let path = root().join(format!("simulations/lived/{id}.scenario"));
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            verdict.scenario == found,
            "{} is out of date",
            path.display()
        );
    }
}

/// What the judge says of a life beside a recording in which something was changed.
fn planted(id: &str, change: impl FnOnce(&mut Outcome)) -> Vec<String> {
    let original = recording(id);
    let mut changed = original.clone();
    change(&mut changed.outcome);
    let before = judge(&original).differences();
    let after = judge_against(&original, &changed).differences();
    after
        .into_iter()
        .filter(|what| !before.contains(what))
        .collect()
}

fn batches(outcome: &mut Outcome) -> impl Iterator<Item = &mut Batch> {
    let actions = outcome.actions.iter_mut();
    actions.flat_map(|done| &mut done.records)
}

#[test]
fn a_record_that_is_gone_is_found() {
    let found = planted("l3-membership-4.4.0", |outcome| {
        let config = |batch: &Batch| batch.records[0].field("resourceName") == "m2-1";
        for done in &mut outcome.actions {
            done.records.retain(|batch| !config(batch));
        }
    });
    assert!(
        found
            .iter()
            .any(|what| what.contains("only here") && what.contains("m2-1")),
        "{found:?}"
    );
}

#[test]
fn another_voter_set_is_found() {
    let found = planted("l3-membership-4.4.0", |outcome| {
        for batch in batches(outcome) {
            let record = &mut batch.records[0];
            if record.kind == "KRaftVoters" {
                record.data["voters"][0]["voterDirectoryId"] = json!("<dir-1.2>");
            }
        }
    });
    assert!(
        found.iter().any(|what| what.contains("KRaftVoters")),
        "{found:?}"
    );
    assert!(
        found.iter().any(|what| what.contains("voters [")),
        "{found:?}"
    );
}

#[test]
fn another_leader_or_another_order_is_found() {
    let found = planted("l5-failover-3.9.2", |outcome| {
        let mut leaders = batches(outcome).filter(|one| one.leader().is_some());
        leaders.nth(4).unwrap().records[0].data["leaderId"] = json!(1);
    });
    assert!(
        found.iter().any(|what| what.contains("LeaderChange")),
        "{found:?}"
    );
    let found = planted("l5-failover-3.9.2", |outcome| {
        let mut records = batches(outcome).filter(|one| one.records[0].kind == "CONFIG_RECORD");
        let (one, other) = (records.next().unwrap(), records.next().unwrap());
        std::mem::swap(&mut one.records, &mut other.records);
    });
    assert!(!found.is_empty());
}

#[test]
fn another_checkpoint_is_found() {
    let found = planted("l2-snapshots-4.3.1", |outcome| {
        let mut seen = outcome.checkpoints_seen.iter_mut();
        let one = seen.find(|one| one.name.contains("60-")).unwrap();
        "00000000000000000040-0000000001.checkpoint".clone_into(&mut one.name);
    });
    assert!(
        found.iter().any(|what| what.contains("not due")),
        "{found:?}"
    );
    let found = planted("l2-snapshots-4.3.1", |outcome| {
        let (_, one) = outcome.checkpoints.iter_mut().next_back().unwrap();
        let data = one.batches.iter_mut().find(|batch| !batch.control).unwrap();
        data.records.pop();
    });
    assert!(
        found
            .iter()
            .any(|what| what.contains("holds something else")),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|what| what.contains("does not hold the log")),
        "{found:?}"
    );
}

#[test]
fn another_directory_or_end_is_found() {
    let found = planted("l3-autojoin-4.4.0", |outcome| {
        let node = outcome.directories.get_mut("final").unwrap();
        let mut files = node.get_mut("1").unwrap().iter_mut();
        let state = files.find(|one| one.name.ends_with("quorum-state"));
        state.unwrap().text =
            vec![r#"{"leaderId":3,"leaderEpoch":3,"votedId":-1,"data_version":0}"#.to_owned()];
    });
    assert!(
        found.iter().any(|what| what.contains("quorum-state")),
        "{found:?}"
    );
    let found = planted("l6-interrupted-4.0.2", |outcome| {
        for server in &mut outcome.servers {
            "kill9".clone_into(&mut server.ended_by);
        }
    });
    assert!(
        found.iter().any(|what| what.contains("ended by itself")),
        "{found:?}"
    );
}

#[test]
fn another_answer_is_found() {
    let mut changed = recording("l3-membership-4.4.0");
    let actions = &mut changed.outcome.actions;
    let is_status = |done: &&mut Done| {
        let mut said = done.said.iter();
        said.next()
            .is_some_and(|line| line.starts_with("ClusterId"))
    };
    let status = actions.iter_mut().filter(is_status).nth(1).unwrap();
    for line in &mut status.said {
        *line = line.replace("<dir-4>", "<dir-4.2>");
    }
    for done in actions {
        done.ok = true;
    }
    let found = judge(&changed).differences();
    assert!(
        found.iter().any(|what| what.contains("<dir-4.2>")),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|what| what.contains("the answer was NONE there")),
        "{found:?}"
    );
}
