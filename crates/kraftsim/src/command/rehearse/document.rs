//! A rehearsal as one JSON document.

use serde_json::{Map, Value, json};
use simulator::rehearse::{NodeOutcome, PhaseEnd, PhaseOutcome, Rehearsal};

use super::standing::{StandingFile, files, log};
use super::subject::Subject;
use crate::json::{self, Secrets};

/// The document: what was found, then phase by phase what came of it.
pub fn document(subjects: &[Subject], rehearsal: &Rehearsal, secrets: Secrets) -> Value {
    json!({
        "found": subjects.iter().map(|subject| (subject.id(), found(subject))).collect::<Map<_, _>>(),
        "phases": rehearsal.phases.iter().map(|one| phase(subjects, one, secrets)).collect::<Vec<_>>(),
        "violations": rehearsal.violations.iter().map(json::violation).collect::<Vec<_>>(),
        "hash": format!("{:016x}", rehearsal.hash),
    })
}

fn found(subject: &Subject) -> Value {
    json!({
        "config": subject.config_path,
        "files": subject.found.iter().map(file).collect::<Vec<_>>(),
        "notes": subject.loaded.notes,
    })
}

fn phase(subjects: &[Subject], phase: &PhaseOutcome, secrets: Secrets) -> Value {
    let each = |what: &dyn Fn(&Subject, &NodeOutcome) -> Value| -> Map<String, Value> {
        let started = subjects
            .iter()
            .filter_map(|subject| Some((subject, phase.nodes.get(&subject.node())?)));
        started
            .map(|(subject, node)| (subject.id(), what(subject, node)))
            .collect()
    };
    json!({
        "release": release(phase),
        "outcome": phase.verdict.name(),
        "leader": phase.leader.map(|leader| leader.0),
        "ended_by": match phase.end {
            PhaseEnd::Quiet => "quiet",
            PhaseEnd::TimeLimit => "time-limit",
        },
        "simulated_us": phase.took.as_micros(),
        "hash": format!("{:016x}", phase.hash),
        "reasons": phase.reasons,
        "nodes": each(&|_, node| node_summary(node)),
        "log": each(&|subject, node| {
            let batches = log(&mut node.disk.clone(), subject.server());
            batches.iter().map(|batch| json::batch(batch, secrets)).collect()
        }),
        "files": each(&|subject, node| {
            let files = files(&mut node.disk.clone(), subject.server(), &subject.config_path);
            files.iter().map(file).collect()
        }),
    })
}

/// The release of all nodes, or of each where they differ.
fn release(phase: &PhaseOutcome) -> Value {
    let mut nodes = phase
        .nodes
        .iter()
        .map(|(id, node)| (id.to_string(), Value::from(node.release.name())));
    let all: Map<String, Value> = nodes.by_ref().collect();
    let first = all.values().next().cloned().unwrap_or_default();
    if all.values().all(|release| *release == first) {
        first
    } else {
        Value::Object(all)
    }
}

fn node_summary(node: &NodeOutcome) -> Value {
    let activation = node.deciding_activation();
    json!({
        "release": node.release.name(),
        "exited": node.refusal.is_some(),
        "refusal": node.refusal,
        "leader": node.leader.map(|leader| leader.0),
        "hangs": node.hangs,
        "bootstrap_source": activation.map_or("none", |one| one.source.name()),
        "bootstrap_records": activation.map_or(0, |one| one.records.len()),
        "activation": activation.map(|one| &one.text),
        "warnings": node.warnings,
    })
}

fn file(file: &StandingFile) -> Value {
    let mut entry = json!({ "name": file.name, "size": file.content.len() });
    if let Some(text) = file.text() {
        entry["text"] = Value::from(text);
    }
    entry
}
