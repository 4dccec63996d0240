//! The same as JSON.

use serde_json::{Value, json};
use simulator::scenario::run::ScenarioOutcome;
use simulator::scenario::{Place, Problem};

use super::report::RunReport;
use crate::json;

/// All reports as one document.
pub(crate) fn document(reports: &[RunReport], unreadable: usize, trace: bool) -> Value {
    let held = reports.iter().filter(|report| report.held()).count();
    json!({
        "scenarios": reports.iter().map(|report| scenario(report, trace)).collect::<Vec<_>>(),
        "held": held,
        "failed": reports.len() - held,
        "unreadable": unreadable,
        "hash": format!("{:016x}", super::report::hash(reports)),
    })
}

fn scenario(report: &RunReport, trace: bool) -> Value {
    let (outcome, text) = (&report.outcome, &report.source.text);
    let problems = |problems: &[Problem]| -> Vec<Value> {
        problems
            .iter()
            .map(|problem| problem_of(problem, text))
            .collect()
    };
    let mut value = json!({
        "file": report.source.name,
        "title": outcome.title,
        "verdict": if report.held() { "held" } else { "failed" },
        "hash": format!("{:016x}", outcome.hash),
        "events": outcome.events,
        "simulated_us": outcome.simulated.as_micros(),
        "activations": outcome.activations.iter().map(|one| json!({
            "node": one.node.0,
            "release": one.release.name(),
            "epoch": one.epoch,
            "bootstrap_source": one.source.name(),
            "bootstrap_records": one.bootstrap_records,
            "activation": one.text,
        })).collect::<Vec<_>>(),
        "failures": problems(&outcome.failures),
        "warnings": problems(&outcome.warnings),
        "violations": outcome.violations.iter().map(|one| {
            let mut violation = json::violation(one);
            violation["expected"] = outcome.expected_violations.iter().any(|id| id == one.id).into();
            violation
        }).collect::<Vec<_>>(),
        "mismatches": outcome.mismatches.iter().map(|one| json!({
            "line": Place::of(text, one.span.start).line,
            "command": text[one.span.clone()],
            "expected": one.expected,
            "printed": one.printed,
        })).collect::<Vec<_>>(),
    });
    if trace {
        value["trace"] = journal(outcome);
    }
    value
}

/// Everything that happened, in order.
pub(crate) fn journal(outcome: &ScenarioOutcome) -> Value {
    let entries = outcome.journal.iter().map(|entry| {
        json!({
            "at_us": entry.at.as_micros(),
            "node": entry.node.map(|node| node.0),
            "what": entry.to_string(),
        })
    });
    entries.collect()
}

fn problem_of(problem: &Problem, text: &str) -> Value {
    let Place { line, column } = problem.place(text);
    json!({ "line": line, "column": column, "message": problem.message, "suggestion": problem.suggestion })
}
