//! What stands on the disks of controllers.

use std::collections::BTreeMap;

use records::NodeId;
use serde_json::Value;
use simulator::SimDisk;

use super::checkpoints::id_of;
use super::log::Log;
use super::player::Player;
use crate::agree::{entries, list};

/// The part of a directory that must agree: each file's name, with what it says.
type Files = BTreeMap<String, String>;

impl Player<'_, '_, '_> {
    /// Compares the controllers' directories with those that were saved under this label.
    pub fn compare_directories(&mut self, label: &str) -> Vec<String> {
        let mut differences = Vec::new();
        for (node, files) in entries(&self.recording.result["directories"][label]) {
            let Ok(id) = node.parse().map(NodeId) else {
                continue;
            };
            let Some(machine) = self.session.world().machine(id) else {
                continue;
            };
            let theirs = recorded(files, &self.theirs);
            let ours = self.simulated(machine.disk());
            for name in theirs
                .keys()
                .chain(ours.keys().filter(|name| !theirs.contains_key(*name)))
            {
                match (theirs.get(name), ours.get(name)) {
                    (Some(theirs), Some(ours)) if theirs == ours => {}
                    // Whether an election was begun that nobody won is chance.
                    (Some(theirs), Some(ours))
                        if [theirs, ours].iter().any(|said| said.contains(NO_LEADER)) => {}
                    (Some(theirs), Some(ours)) => differences.push(format!(
                        "{label}, node {node}: {name} says {theirs} there, {ours} here"
                    )),
                    (Some(_), None) => {
                        differences.push(format!("{label}, node {node}: no {name} here"));
                    }
                    (None, _) => {
                        differences.push(format!("{label}, node {node}: {name} only here"));
                    }
                }
            }
        }
        differences
    }

    fn simulated(&self, disk: &SimDisk) -> Files {
        let mut files = Files::new();
        for (name, _) in disk.files_in("/data") {
            let look = || disk.look(&format!("/data/{name}")).unwrap_or_default();
            let text = String::from_utf8_lossy(&look()).into_owned();
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let lines: Vec<String> = lines.iter().map(|line| self.names.in_text(line)).collect();
            keep(&mut files, &name, &lines, &self.ours);
        }
        files
    }
}

fn recorded(files: &Value, log: &Log) -> Files {
    let mut kept = Files::new();
    for file in list(files) {
        let name = file["name"].as_str().unwrap_or_default();
        let name = name.strip_prefix("data/").unwrap_or(name);
        let lines = list(&file["text"]).iter().filter_map(Value::as_str);
        let lines: Vec<String> = lines.map(str::to_owned).collect();
        keep(&mut kept, name, &lines, log);
    }
    kept
}

const NO_LEADER: &str = "an epoch without a leader";

/// Takes in one file, as far as it must agree: files about to be deleted, indexes and the clean shutdown's mark do not
/// count, segments by their name, checkpoints by offset and epoch.
fn keep(files: &mut Files, name: &str, lines: &[String], log: &Log) {
    let file = name.rsplit('/').next().unwrap_or(name);
    let said = match file {
        "quorum-state" => quorum_state(lines, log),
        "leader-epoch-checkpoint" => leader_epochs(lines, log),
        "partition.metadata" => lines.join(" "),
        "meta.properties" => properties(lines),
        "bootstrap.checkpoint" => String::new(),
        _ if file.ends_with(".log") => {
            let base = file.trim_end_matches(".log").parse().unwrap_or(-1);
            files.insert(format!("segment from {}", log.place(base)), String::new());
            return;
        }
        _ => match id_of(file) {
            Some((offset, epoch)) => {
                let (offset, epoch) = (log.place(offset), epoch_word(log, epoch));
                files.insert(
                    format!("checkpoint of offset {offset}, {epoch}"),
                    String::new(),
                );
                return;
            }
            None => return,
        },
    };
    files.insert(file.to_owned(), said);
}

/// An epoch by its number among those that began in the log.
fn epoch_word(log: &Log, epoch: i64) -> String {
    match log.rank(epoch) {
        Some(rank) => format!("epoch no. {rank}"),
        None if epoch == 0 => "epoch 0".to_owned(),
        None => NO_LEADER.to_owned(),
    }
}

/// Who voted for whom is chance.
fn quorum_state(lines: &[String], log: &Log) -> String {
    let Ok(mut state) = serde_json::from_str::<Value>(&lines.join("")) else {
        return "no JSON".to_owned();
    };
    let epoch = state["leaderEpoch"].as_i64().unwrap_or(-1);
    state["leaderEpoch"] = epoch_word(log, epoch).into();
    if log.rank(epoch).is_none() {
        state["leaderId"] = "-".into();
    }
    for vote in ["votedId", "votedDirectoryId"] {
        if let Some(vote) = state.get_mut(vote) {
            *vote = "-".into();
        }
    }
    state.to_string()
}

fn leader_epochs(lines: &[String], log: &Log) -> String {
    let each = lines.iter().skip(2).filter_map(|line| {
        let (epoch, offset) = line.split_once(' ')?;
        let epoch = epoch_word(log, epoch.parse().ok()?);
        let offset = log.place(offset.parse().ok()?);
        Some(format!("{epoch} from {offset}"))
    });
    each.collect::<Vec<_>>().join(", ")
}

fn properties(lines: &[String]) -> String {
    let mut lines: Vec<&str> = lines
        .iter()
        .map(|line| line.trim())
        .filter(|line| {
            !line.starts_with('#') && !line.is_empty() && !line.starts_with("cluster.id")
        })
        .collect();
    lines.sort_unstable();
    lines.join(" ")
}
