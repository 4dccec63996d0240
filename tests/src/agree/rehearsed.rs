//! Cells with server phases: each phase is rehearsed on its own input.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use super::batches::{Strictness, comparable};
use super::cell::{UnpackedCell, node_folders, point_at};
use super::kraftsim::Kraftsim;
use super::placeholder::Known;
use super::same::ByCell;
use super::{Judged, differ};
use crate::recorded::Batch;
use crate::recorded::golden::{Phase, Segment, Server, SpecPhase};
use crate::recorded::same::first_unlike;

/// Rehearses every phase; the log is compared after the last one.
pub fn judge(kraftsim: &Kraftsim, cell: &UnpackedCell) -> Judged<()> {
    let phases = &cell.outcome.phases;
    for (at, (expected, spec)) in phases.iter().zip(&cell.spec.phases).enumerate() {
        let number = at + 1;
        let base = cell.work().join(format!("phase-{number}"));
        // Before `@WORK@` is filled in, as the recorder saw the files.
        let known = Known::of(&cell.outcome.volatile, &base);
        let got = rehearse(kraftsim, &base, expected, spec)
            .or_else(|complaint| differ(format!("phase {number}: {complaint}")))?;
        let comparison = Comparison {
            number,
            expected,
            got: &got,
        };
        comparison.compare()?;
        if number == phases.len() {
            comparison.compare_logs(&cell.outcome.log, &known)?;
        }
    }
    Ok(())
}

/// What `rehearse --json` prints of a phase.
#[derive(Clone, Debug, Deserialize)]
struct Rehearsed {
    outcome: String,
    leader: Option<i32>,
    nodes: BTreeMap<String, RehearsedNode>,
    log: BTreeMap<String, Vec<Batch>>,
}

#[derive(Clone, Debug, Deserialize)]
struct RehearsedNode {
    exited: bool,
    refusal: Value,
    bootstrap_source: String,
    bootstrap_records: u64,
}

#[derive(Debug, Deserialize)]
struct Document {
    phases: Vec<Rehearsed>,
}

/// What kraftsim prints of the one phase, or what it said instead.
fn rehearse(
    kraftsim: &Kraftsim,
    base: &Path,
    expected: &Phase,
    spec: &SpecPhase,
) -> Result<Rehearsed, String> {
    let mut args = vec!["rehearse".to_owned()];
    for (id, folder) in node_folders(base) {
        let Some(node) = expected.nodes.get(&id) else {
            continue;
        };
        let release = node.version.as_deref().or(spec.version.of(&id));
        let config = point_at(&folder, base).map_err(|error| error.to_string())?;
        let on = format!("{id}={}", release.unwrap_or_default());
        args.extend(["-c".to_owned(), config, "--on".to_owned(), on]);
    }
    if let Some(leader) = expected.leader {
        args.extend(["--leader".to_owned(), leader.to_string()]);
    }
    if let Some(seed) = kraftsim.seed {
        args.extend(["--seed".to_owned(), seed.to_string()]);
    }
    // Credentials are compared too.
    args.extend(["--json".to_owned(), "--show-secrets".to_owned()]);
    let answer = kraftsim.ask(&args);
    let document = serde_json::from_slice::<Document>(&answer.out).map_err(|error| {
        format!(
            "no JSON (exit {:?}, {error}): {}",
            answer.exit, answer.complaint
        )
    })?;
    // 1: an invariant does not hold, in what Kafka did too.
    if !matches!(answer.exit, Some(0 | 1)) {
        return Err(format!("exit {:?}: {}", answer.exit, answer.complaint));
    }
    let mut phases = document.phases.into_iter();
    phases.next().ok_or("no phase".to_owned())
}

struct Comparison<'a> {
    number: usize,
    expected: &'a Phase,
    got: &'a Rehearsed,
}

impl Comparison<'_> {
    fn strictness(&self) -> Strictness {
        if self.expected.nodes.len() > 1 {
            Strictness::Several
        } else {
            Strictness::One
        }
    }

    fn compare(&self) -> Judged<()> {
        let (expected, got, number) = (self.expected, self.got, self.number);
        let several = self.strictness() == Strictness::Several;
        // Under another leader than Kafka's, where several could win, sources are compared as a set.
        let other_leader = several && expected.leader.is_some() && expected.leader != got.leader;
        for (id, node) in &expected.nodes {
            let Some(found) = got.nodes.get(id) else {
                return differ(format!("phase {number} node {id}: missing"));
            };
            self.compare_exit(id, node, found)?;
            if !other_leader {
                self.compare_source(id, node, found)?;
            }
        }
        if other_leader {
            self.compare_sources_as_a_set()?;
        }
        let outcome = outcome(expected);
        if got.outcome != outcome {
            return differ(format!(
                "phase {number}: outcome {outcome}, got {}",
                got.outcome
            ));
        }
        if !several && expected.leader != got.leader {
            return differ(format!(
                "phase {number}: leader {:?}, got {:?}",
                expected.leader, got.leader
            ));
        }
        Ok(())
    }

    fn compare_exit(&self, id: &str, node: &Server, found: &RehearsedNode) -> Judged<()> {
        if found.exited != node.exited {
            let fatal = node.fatal.as_ref().map(|fatal| &fatal.message);
            return differ(format!(
                "phase {} node {id}: exited {} ({fatal:?}), got {} ({})",
                self.number, node.exited, found.exited, found.refusal
            ));
        }
        Ok(())
    }

    fn compare_source(&self, id: &str, node: &Server, found: &RehearsedNode) -> Judged<()> {
        let number = self.number;
        let source = source_kind(node.bootstrap_source.as_deref());
        // Whether a process that ends comes to its activation before is chance (tests/tests/chance.rs).
        if node.exited && [source.as_str(), &found.bootstrap_source].contains(&"none") {
            return Ok(());
        }
        if found.bootstrap_source != source {
            return differ(format!(
                "phase {number} node {id}: source {source}, got {}",
                found.bootstrap_source
            ));
        }
        let mut counts = node.activation.iter().map(String::as_str);
        let count = counts.rfind(|line| bootstrap_records(line).is_some());
        match count.and_then(bootstrap_records) {
            Some(count) if found.bootstrap_records != count => differ(format!(
                "phase {number} node {id}: {count} bootstrap records, got {}",
                found.bootstrap_records
            )),
            _ => Ok(()),
        }
    }

    fn compare_sources_as_a_set(&self) -> Judged<()> {
        let wanted = self.expected.nodes.values();
        let mut wanted: Vec<String> = wanted
            .map(|node| source_kind(node.bootstrap_source.as_deref()))
            .collect();
        let found = self.got.nodes.values();
        let mut found: Vec<String> = found.map(|node| node.bootstrap_source.clone()).collect();
        wanted.sort();
        found.sort();
        if wanted == found {
            return Ok(());
        }
        differ(format!(
            "phase {}: sources {wanted:?}, got {found:?}",
            self.number
        ))
    }

    /// Whether its controller began to activate, in Kafka or here.
    fn is_activated(&self, id: &str, node: &Server) -> bool {
        let found = self.got.nodes.get(id);
        node.bootstrap_source.is_some() || found.is_some_and(|of| of.bootstrap_source != "none")
    }

    fn compare_logs(&self, logs: &BTreeMap<String, Vec<Segment>>, known: &Known) -> Judged<()> {
        let strictness = self.strictness();
        for (id, segments) in logs {
            let Some(node) = self.expected.nodes.get(id) else {
                continue;
            };
            let batches = segments.iter().flat_map(|segment| &segment.batches);
            let mut expected = comparable(batches.map(|batch| known.batch(batch)), strictness);
            let got = self.got.log.get(id).into_iter().flatten().cloned();
            let mut got = comparable(got, strictness);
            if strictness == Strictness::Several && node.exited {
                // How far a server read before it ended is chance.
                let certain = expected.len().min(got.len()).saturating_sub(1);
                expected.truncate(certain);
                got.truncate(certain);
            }
            if strictness == Strictness::One && node.exited && self.is_activated(id, node) {
                // Whether the activation was written before the process had ended is chance, too.
                match expected.len().cmp(&got.len()) {
                    Ordering::Less if got.len() - expected.len() == 1 => drop(got.pop()),
                    Ordering::Greater if expected.len() - got.len() == 1 => drop(expected.pop()),
                    _ => {}
                }
            }
            let path = format!("log[{id}]");
            if let Some(unlike) = first_unlike(&ByCell, &path, &json!(expected), &json!(got)) {
                return differ(unlike.to_string());
            }
        }
        Ok(())
    }
}

/// Kafka's end of a phase in the words of `rehearse`.
fn outcome(phase: &Phase) -> &'static str {
    if phase.leader.is_some() {
        "active"
    } else if phase.nodes.values().all(|node| node.exited) {
        "exited"
    } else {
        "no-leader"
    }
}

/// The kind of source that an activation's log line names.
pub fn source_kind(source: Option<&str>) -> String {
    let Some(text) = source else {
        return "none".to_owned();
    };
    let lower = text.to_lowercase();
    let zero = lower.contains("00000000000000000000-0000000000")
        || lower.trim_matches('\'') == "bootstrap";
    let kind = match lower {
        _ if lower.contains("bootstrap.checkpoint") => "legacy-file",
        _ if zero => "zero-checkpoint",
        _ if lower.contains("configured") => "configured",
        _ if lower.contains("default") => "default",
        _ => return format!("?{text}"),
    };
    kind.to_owned()
}

/// N of `Appending N bootstrap record(s)`.
pub fn bootstrap_records(line: &str) -> Option<u64> {
    let rest = line.split_once("Appending ")?.1;
    rest.split_once(" bootstrap record")?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_by_the_words_of_the_log() {
        let kind = |text: &str| source_kind(Some(text));
        assert_eq!(source_kind(None), "none");
        assert_eq!(
            kind("the binary bootstrap metadata file: <node-1>/data/bootstrap.checkpoint"),
            "legacy-file"
        );
        assert_eq!(
            kind("/x/00000000000000000000-0000000000.checkpoint"),
            "zero-checkpoint"
        );
        assert_eq!(kind("'bootstrap'"), "zero-checkpoint");
        assert_eq!(kind("the default bootstrap"), "default");
        assert_eq!(kind("the configured bootstrap"), "configured");
        assert_eq!(kind("somewhere"), "?somewhere");
    }

    #[test]
    fn the_number_of_records_is_read_from_the_log_line() {
        let line = "The metadata log appears to be empty. Appending 6 bootstrap record(s) in metadata transaction at";
        assert_eq!(bootstrap_records(line), Some(6));
        assert_eq!(bootstrap_records("Performing controller activation."), None);
    }
}
