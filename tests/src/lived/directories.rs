//! What stands on the disks of controllers.

use std::collections::{BTreeMap, BTreeSet};

use records::NodeId;
use serde_json::Value;
use simulator::SimDisk;

use super::checkpoints::id_of;
use super::log::Log;
use super::player::Player;
use super::recording::Recording;
use crate::recorded::lived::SavedFile;

/// The part of a directory that must agree.
#[derive(Debug, Default)]
struct Files {
    /// Names of small files, with what they say.
    small: BTreeMap<String, String>,
    /// Where segments begin.
    segments: BTreeSet<i64>,
    /// Checkpoints by offset and epoch.
    checkpoints: BTreeSet<(i64, String)>,
    /// Epochs, and where each begins in the log.
    epochs: Vec<(String, i64)>,
    /// Where the log begins.
    start: i64,
}

impl Files {
    /// Forgets what lies before an offset.
    fn clip(&mut self, start: i64) {
        self.segments.retain(|base| *base > start || start == 0);
        self.checkpoints.retain(|(offset, _)| *offset >= start);
        let gone = self
            .epochs
            .iter()
            .skip(1)
            .take_while(|(_, from)| *from <= start);
        let gone = gone.count();
        self.epochs.drain(..gone);
        if let Some((_, from)) = self.epochs.first_mut() {
            *from = (*from).max(start);
        }
    }

    /// Everything by name, with what it says.
    fn told(&self) -> BTreeMap<String, String> {
        let mut told = self.small.clone();
        for base in &self.segments {
            told.insert(format!("segment from {base}"), String::new());
        }
        for (offset, epoch) in &self.checkpoints {
            told.insert(
                format!("checkpoint of offset {offset}, {epoch}"),
                String::new(),
            );
        }
        let epochs = self.epochs.iter();
        let epochs = epochs.map(|(epoch, from)| format!("{epoch} from {from}"));
        told.insert(
            "leader-epoch-checkpoint".to_owned(),
            epochs.collect::<Vec<_>>().join(", "),
        );
        told
    }
}

/// The simulated directories at a moment of the recording.
#[derive(Debug, Default)]
pub struct Saved {
    label: String,
    nodes: BTreeMap<NodeId, Files>,
}

impl Player<'_, '_, '_> {
    /// Keeps what stands on the disks now, for a comparison at the end.
    pub fn saved(&self, label: &str) -> Saved {
        let controllers = self.recording.controllers().into_iter();
        let nodes = controllers.filter_map(|id| {
            let machine = self.session.world().machine(id)?;
            Some((id, self.simulated(machine.disk())))
        });
        Saved {
            label: label.to_owned(),
            nodes: nodes.collect(),
        }
    }

    /// Compares directories with those that were saved under the same label; of checkpoints, those that both sides made.
    pub fn compare_directories(
        &self,
        recording: &Recording,
        mut saved: Saved,
        matched: &BTreeSet<(NodeId, i64)>,
    ) -> Vec<String> {
        let label = &saved.label;
        let mut differences = Vec::new();
        let there = recording.outcome.directories.get(label).into_iter();
        for (node, files) in there.flatten() {
            let id = NodeId(node.parse().unwrap_or(-1));
            let Some(ours) = saved.nodes.get_mut(&id) else {
                continue;
            };
            let mut theirs = recorded(files, &self.theirs);
            // Each node cleans its log in its own time: compared is what both still have.
            let start = theirs.start.max(ours.start);
            let known = |start: i64| start == 0 || matched.contains(&(id, start));
            let comparable = known(theirs.start) && known(ours.start);
            for files in [&mut theirs, ours] {
                files.clip(start);
                files
                    .checkpoints
                    .retain(|(offset, _)| matched.contains(&(id, *offset)));
                if !comparable {
                    // Segments begin where a checkpoint was fetched, which is another one here.
                    files.segments.clear();
                }
            }
            let unlike = unlike(&theirs.told(), &ours.told());
            differences.extend(
                unlike
                    .into_iter()
                    .map(|what| format!("{label}, node {node}: {what}")),
            );
        }
        differences
    }

    fn simulated(&self, disk: &SimDisk) -> Files {
        let mut files = Files::default();
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

/// What one of two directories says otherwise, or does not have.
fn unlike(theirs: &BTreeMap<String, String>, ours: &BTreeMap<String, String>) -> Vec<String> {
    let names: BTreeSet<&String> = theirs.keys().chain(ours.keys()).collect();
    let each = names
        .into_iter()
        .filter_map(|name| match (theirs.get(name), ours.get(name)) {
            (Some(theirs), Some(ours)) if theirs == ours => None,
            // Whether an election was begun that nobody won is chance.
            (Some(theirs), Some(ours))
                if [theirs, ours].iter().any(|said| said.contains(NO_LEADER)) =>
            {
                None
            }
            (Some(theirs), Some(ours)) => Some(format!("{name} says {theirs} there, {ours} here")),
            (Some(_), None) => Some(format!("no {name} here")),
            (None, _) => Some(format!("{name} only here")),
        });
    each.collect()
}

fn recorded(files: &[SavedFile], log: &Log) -> Files {
    let mut kept = Files::default();
    for file in files {
        let name = file.name.strip_prefix("data/").unwrap_or(&file.name);
        keep(&mut kept, name, &file.text, log);
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
        "leader-epoch-checkpoint" => {
            files.epochs = leader_epochs(lines, log);
            files.start = files.epochs.first().map_or(0, |(_, from)| *from);
            return;
        }
        "partition.metadata" => lines.join(" "),
        "meta.properties" => properties(lines),
        "bootstrap.checkpoint" => String::new(),
        _ => {
            if let Some(base) = file.strip_suffix(".log").and_then(|base| base.parse().ok()) {
                files.segments.insert(log.place(base));
            } else if let Some((offset, epoch)) = id_of(file) {
                let epoch = epoch_word(log, epoch);
                files.checkpoints.insert((log.place(offset), epoch));
            }
            return;
        }
    };
    files.small.insert(file.to_owned(), said);
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

fn leader_epochs(lines: &[String], log: &Log) -> Vec<(String, i64)> {
    let each = lines.iter().skip(2).filter_map(|line| {
        let (epoch, offset) = line.split_once(' ')?;
        let epoch = epoch_word(log, epoch.parse().ok()?);
        Some((epoch, log.place(offset.parse().ok()?)))
    });
    each.collect()
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
