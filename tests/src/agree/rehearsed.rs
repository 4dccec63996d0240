//! Cells with server phases: each phase is rehearsed on its own input.

use std::path::Path;

use serde_json::{Value, json};

use super::batches::{Strictness, comparable};
use super::cell::{UnpackedCell, entries, list, node_folders, point_at};
use super::kraftsim::Kraftsim;
use super::placeholder::Known;
use super::same::difference;
use super::{Judged, differ};

/// Rehearses every phase; the log is compared after the last one.
pub fn judge(kraftsim: &Kraftsim, cell: &UnpackedCell) -> Judged<()> {
    let phases = cell.phases();
    for (at, expected) in phases.iter().enumerate() {
        let number = at + 1;
        let base = cell.work().join(format!("phase-{number}"));
        // Before `@WORK@` is filled in, as the recorder saw the files.
        let known = Known::of(&cell.result, &base);
        let got = rehearse(kraftsim, &base, expected, &cell.spec["phases"][at])
            .or_else(|complaint| differ(format!("phase {number}: {complaint}")))?;
        let phase = Phase {
            number,
            expected,
            got: &got,
        };
        phase.compare()?;
        if number == phases.len() {
            phase.compare_logs(&cell.result["log"], &known)?;
        }
    }
    Ok(())
}

/// What kraftsim prints of the one phase, or what it said instead.
fn rehearse(
    kraftsim: &Kraftsim,
    base: &Path,
    expected: &Value,
    spec: &Value,
) -> Result<Value, String> {
    let mut args = vec!["rehearse".to_owned()];
    for (id, folder) in node_folders(base) {
        let Some(node) = expected["nodes"].get(&id) else {
            continue;
        };
        let release = node["version"]
            .as_str()
            .or(spec["version"].as_str())
            .unwrap_or_default();
        let config = point_at(&folder, base).map_err(|error| error.to_string())?;
        args.extend([
            "-c".to_owned(),
            config,
            "--on".to_owned(),
            format!("{id}={release}"),
        ]);
    }
    if let Some(leader) = expected["leader"].as_i64() {
        args.extend(["--leader".to_owned(), leader.to_string()]);
    }
    if let Some(seed) = kraftsim.seed {
        args.extend(["--seed".to_owned(), seed.to_string()]);
    }
    args.push("--json".to_owned());
    let answer = kraftsim.ask(&args);
    let complaint = || format!("no JSON (exit {:?}): {}", answer.exit, answer.complaint);
    let mut document: Value = serde_json::from_slice(&answer.out).map_err(|_| complaint())?;
    let phase = document.pointer_mut("/phases/0").ok_or_else(complaint)?;
    // 1: an invariant does not hold, in what Kafka did too.
    if !matches!(answer.exit, Some(0 | 1)) {
        return Err(format!("exit {:?}: {}", answer.exit, answer.complaint));
    }
    Ok(phase.take())
}

struct Phase<'a> {
    number: usize,
    expected: &'a Value,
    got: &'a Value,
}

impl Phase<'_> {
    fn strictness(&self) -> Strictness {
        if entries(&self.expected["nodes"]).count() > 1 {
            Strictness::Several
        } else {
            Strictness::One
        }
    }

    fn compare(&self) -> Judged<()> {
        let (expected, got, number) = (self.expected, self.got, self.number);
        let several = self.strictness() == Strictness::Several;
        // Under another leader than Kafka's, where several could win, sources are compared as a set.
        let other_leader =
            several && !expected["leader"].is_null() && expected["leader"] != got["leader"];
        for (id, node) in entries(&expected["nodes"]) {
            let Some(found) = got["nodes"].get(id) else {
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
        if got["outcome"] != outcome {
            return differ(format!(
                "phase {number}: outcome {outcome}, got {}",
                got["outcome"]
            ));
        }
        if !several && expected["leader"] != got["leader"] {
            return differ(format!(
                "phase {number}: leader {}, got {}",
                expected["leader"], got["leader"]
            ));
        }
        Ok(())
    }

    fn compare_exit(&self, id: &str, node: &Value, found: &Value) -> Judged<()> {
        let (ended, got) = (node["exited"] == true, &found["exited"]);
        if *got != ended {
            let (fatal, refusal) = (&node["fatal"], &found["refusal"]);
            return differ(format!(
                "phase {} node {id}: exited {ended} ({fatal}), got {got} ({refusal})",
                self.number
            ));
        }
        Ok(())
    }

    fn compare_source(&self, id: &str, node: &Value, found: &Value) -> Judged<()> {
        let number = self.number;
        let source = source_kind(&node["bootstrap_source"]);
        if found["bootstrap_source"] != source {
            return differ(format!(
                "phase {number} node {id}: source {source}, got {}",
                found["bootstrap_source"]
            ));
        }
        let mut counts = list(&node["activation"])
            .iter()
            .filter_map(|line| bootstrap_records(line.as_str()?));
        match counts.next_back() {
            Some(count) if found["bootstrap_records"] != count => differ(format!(
                "phase {number} node {id}: {count} bootstrap records, got {}",
                found["bootstrap_records"]
            )),
            _ => Ok(()),
        }
    }

    fn compare_sources_as_a_set(&self) -> Judged<()> {
        let mut wanted: Vec<String> = entries(&self.expected["nodes"])
            .map(|(_, node)| source_kind(&node["bootstrap_source"]))
            .collect();
        let mut found: Vec<String> = entries(&self.got["nodes"])
            .map(|(_, node)| {
                node["bootstrap_source"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned()
            })
            .collect();
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

    fn compare_logs(&self, logs: &Value, known: &Known) -> Judged<()> {
        let strictness = self.strictness();
        for (id, log) in entries(logs) {
            let Some(node) = self.expected["nodes"].get(id) else {
                continue;
            };
            let mut expected = comparable(&known.turned_back(log), strictness);
            let mut got = comparable(&self.got["log"][id], strictness);
            if strictness == Strictness::Several && node["exited"] == true {
                // How far a server read before it ended is chance.
                let certain = expected.len().min(got.len()).saturating_sub(1);
                expected.truncate(certain);
                got.truncate(certain);
            }
            let path = format!("log[{id}]");
            if let Some(difference) = difference(&json!(expected), &json!(got), &path) {
                return differ(difference);
            }
        }
        Ok(())
    }
}

/// Kafka's end of a phase in the words of `rehearse`.
fn outcome(phase: &Value) -> &'static str {
    if !phase["leader"].is_null() {
        "active"
    } else if entries(&phase["nodes"]).all(|(_, node)| node["exited"] == true) {
        "exited"
    } else {
        "no-leader"
    }
}

/// The kind of source that an activation's log line names.
pub fn source_kind(source: &Value) -> String {
    let Some(text) = source.as_str() else {
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
        let kind = |text: &str| source_kind(&json!(text));
        assert_eq!(source_kind(&Value::Null), "none");
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
