//! How processes ended, and from what they bootstrapped.

use std::collections::BTreeMap;

use records::NodeId;
use simulator::observer::{Happening, JournalEntry};

use super::recording::Recording;
use crate::agree::{bootstrap_records, source_kind};

/// What one process did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Process {
    /// Why it ended by itself, if it did.
    pub fault: Option<String>,
    /// Its activations that wrote bootstrap records: how many, and from where.
    pub bootstraps: Vec<(u64, String)>,
}

type Processes = BTreeMap<NodeId, Vec<Process>>;

/// The processes of the recording's controllers.
pub fn recorded(recording: &Recording) -> Processes {
    let controllers = recording.controllers();
    let mut processes = Processes::new();
    for server in &recording.outcome.servers {
        let id = NodeId(server.node);
        if !controllers.contains(&id) {
            continue;
        }
        let fault = server.fatal.as_ref();
        let fault = fault.map(|fatal| fatal.exceptions.first().unwrap_or(&fatal.message));
        let fault = fault.map_or("?", String::as_str);
        let bootstraps = server.activation.iter().filter_map(|line| {
            let source = line.split_once("bootstrap source ").map(|(_, rest)| rest);
            let source = source.map(|source| source.trim_end_matches('.'));
            let source = source_kind(source);
            Some((bootstrap_records(line)?, source))
        });
        processes.entry(id).or_default().push(Process {
            fault: (server.ended_by == "itself").then(|| fault.to_owned()),
            bootstraps: bootstraps.collect(),
        });
    }
    processes
}

/// The processes of the simulated ones.
pub fn simulated(journal: &[JournalEntry]) -> Processes {
    let mut processes = Processes::new();
    for entry in journal {
        let Some(node) = entry.node else { continue };
        let own = processes.entry(node).or_default();
        match &entry.what {
            Happening::Started(_) => own.push(Process::default()),
            Happening::Refused(reason) => own.push(Process {
                fault: Some(reason.clone()),
                ..Process::default()
            }),
            Happening::Ended(reason) if reason != "killed" && reason != "stopped" => {
                if let Some(process) = own.last_mut() {
                    process.fault = Some(reason.clone());
                }
            }
            Happening::Active(_, text) => {
                if let Some(process) = own.last_mut() {
                    process.bootstraps.extend(bootstrap(text));
                }
            }
            _ => {}
        }
    }
    processes
}

/// `…, 6 bootstrap records from the zero checkpoint, …`
fn bootstrap(text: &str) -> Option<(u64, String)> {
    let part = text
        .split(", ")
        .find(|part| part.contains(" bootstrap record"))?;
    let (count, from) = part.split_once(' ')?;
    let (_, from) = from.split_once(" from ")?;
    let source = match from {
        "the legacy file" => "legacy-file",
        "the zero checkpoint" => "zero-checkpoint",
        "the configuration" => "configured",
        _ => "default",
    };
    Some((count.parse().ok()?, source.to_owned()))
}

/// What processes did otherwise.
pub fn differences(theirs: &Processes, ours: &Processes) -> Vec<String> {
    let mut differences = Vec::new();
    for (id, expected) in theirs {
        let none = Vec::new();
        let found = ours.get(id).unwrap_or(&none);
        if expected.len() != found.len() {
            differences.push(format!(
                "node {id}: {} processes there, {} here",
                expected.len(),
                found.len()
            ));
        }
        for (number, (expected, found)) in (1..).zip(expected.iter().zip(found)) {
            let ended = |process: &Process| match &process.fault {
                Some(why) => format!("ended by itself ({why})"),
                None => "did not end by itself".to_owned(),
            };
            if expected.fault.is_some() != found.fault.is_some() {
                let (there, here) = (ended(expected), ended(found));
                differences.push(format!(
                    "process {number} of node {id}: {there} there, {here} here"
                ));
            }
            if expected.bootstraps != found.bootstraps {
                differences.push(format!(
                    "process {number} of node {id}: bootstrap records {:?} there, {:?} here",
                    expected.bootstraps, found.bootstraps
                ));
            }
        }
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bootstrap_records_by_the_words_of_a_scenario() {
        let text = "log empty, 6 bootstrap records from the zero checkpoint, in a transaction";
        assert_eq!(bootstrap(text), Some((6, "zero-checkpoint".to_owned())));
        assert_eq!(bootstrap("log not empty, nothing to write"), None);
    }

    #[test]
    fn an_end_that_only_one_side_had_is_a_difference() {
        let process = |fault: Option<&str>| Process {
            fault: fault.map(str::to_owned),
            bootstraps: Vec::new(),
        };
        let of = |process: Process| Processes::from([(NodeId(1), vec![process])]);
        assert!(differences(&of(process(None)), &of(process(None))).is_empty());
        assert_eq!(
            differences(&of(process(Some("x"))), &of(process(None))).len(),
            1
        );
    }
}
