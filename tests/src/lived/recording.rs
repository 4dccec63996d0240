use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use records::NodeId;
use serde::Deserialize as _;
use serde_json::Value;

use crate::recorded::lived::{Deed, Done, Outcome, SavedFile, Spec};
use crate::recorded::{self, Batch, ReadError};

/// A lived-in cluster: what was done to it, and what real Kafka made of it.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Where it stands.
    pub folder: PathBuf,
    /// What was asked for.
    pub spec: Spec,
    /// What happened, each batch with the action that wrote it.
    pub outcome: Outcome,
    /// The same as the recorder wrote it, which is what a scenario's paths name.
    pub file: Value,
}

/// A part of what an action left in the log.
#[derive(Clone, Debug, PartialEq)]
pub enum Item<'a> {
    /// A leader begins its epoch.
    Leads(NodeId, &'a Batch),
    /// Another batch that raft or the controllers write by themselves.
    Own(&'a Batch),
    /// Batches that are given: of this action of the recording, from this offset to that one.
    Given(u64, i64, i64),
}

impl Recording {
    /// Reads a cell's folder.
    pub fn read(folder: &Path) -> Result<Self, ReadError> {
        let path = folder.join("result.json");
        let file: Value = recorded::read(&path)?;
        let outcome = Outcome::deserialize(&file);
        let mut outcome = outcome.map_err(|error| ReadError::Json { path, error })?;
        late_batches(&mut outcome);
        Ok(Recording {
            folder: folder.to_path_buf(),
            spec: recorded::read(&folder.join("spec.json"))?,
            outcome,
            file,
        })
    }

    pub fn id(&self) -> &str {
        &self.spec.id
    }

    /// What was done, in order, with what came of it.
    pub fn actions(&self) -> &[Done] {
        &self.outcome.actions
    }

    /// The controllers that the cluster begins with.
    pub fn voters(&self) -> Vec<NodeId> {
        (1..=self.spec.controllers).map(NodeId).collect()
    }

    /// The controllers that are not among them.
    pub fn extra(&self) -> Vec<NodeId> {
        let ids = self.spec.extra_controllers.iter();
        ids.copied().map(NodeId).collect()
    }

    pub fn controllers(&self) -> Vec<NodeId> {
        let mut all = self.voters();
        all.extend(self.extra());
        all
    }

    /// The release that does an action, where the action names none.
    pub fn version(&self) -> &str {
        &self.spec.version
    }

    /// A port of the recording.
    pub fn port(&self, name: &str) -> Option<u16> {
        self.outcome.volatile.ports.get(name).copied()
    }
}

/// The recorder follows the leader's log. What was written while the last leader died is found when there is a leader
/// again; it belongs to the action in which that leader was lost.
fn late_batches(outcome: &mut Outcome) {
    let actions = &mut outcome.actions;
    for at in 1..actions.len() {
        let starts = matches!(actions[at].action.deed, Deed::Start(_));
        if !starts || actions[at - 1].leader.is_some() {
            continue;
        }
        let led = (0..at).rev().find(|at| actions[*at].leader.is_some());
        let Some(lost) = led.map(|led| led + 1) else {
            continue;
        };
        let known = newest_epoch(&outcome.directories, &actions[lost..at]);
        let records = &actions[at].records;
        let early = records
            .iter()
            .take_while(|batch| !batch.control || batch.epoch <= known)
            .count();
        if early == records.len() {
            continue;
        }
        let number = actions[at].n;
        let early: Vec<Batch> = actions[at].records.drain(..early).collect();
        actions[lost]
            .records
            .extend(early.into_iter().map(|batch| Batch {
                noted_under: Some(number),
                ..batch
            }));
    }
}

/// The newest epoch in directories that were saved meanwhile.
fn newest_epoch(
    directories: &BTreeMap<String, BTreeMap<String, Vec<SavedFile>>>,
    actions: &[Done],
) -> i64 {
    let saves = actions.iter().filter_map(|done| match &done.action.deed {
        Deed::Save(save) => directories.get(&save.save),
        _ => None,
    });
    let files = saves.flat_map(|nodes| nodes.values().flatten());
    let epochs = files.filter(|file| file.name.ends_with("leader-epoch-checkpoint"));
    let lines = epochs.flat_map(|file| file.text.iter().skip(2));
    let epochs = lines.filter_map(|line| line.split(' ').next()?.parse().ok());
    epochs.max().unwrap_or(-1)
}

/// What an action left in the log, part by part.
pub fn items(entry: &Done) -> Vec<Item<'_>> {
    let mut items: Vec<Item<'_>> = Vec::new();
    let updates = updates_features(entry);
    for batch in &entry.records {
        let last = batch.end() - 1;
        match batch.leader() {
            Some(leader) => items.push(Item::Leads(leader, batch)),
            None if batch.control => items.push(Item::Own(batch)),
            None => {
                let number = batch.noted_under.unwrap_or(entry.n);
                if let Some(Item::Given(_, _, to)) = items.last_mut()
                    && is_given(batch, updates)
                {
                    *to = last;
                } else if is_given(batch, updates) {
                    items.push(Item::Given(number, batch.offset, last));
                } else {
                    items.push(Item::Own(batch));
                    continue;
                }
                if !batch.registered().is_empty() {
                    items.push(Item::Own(batch));
                }
            }
        }
    }
    items
}

/// Whether an action calls the tool that changes features.
pub fn updates_features(entry: &Done) -> bool {
    matches!(&entry.action.deed, Deed::Tool(tool) if tool.tool == "features")
}

/// Whether a batch holds records that nobody in the simulated cluster would write by itself.
pub fn is_given(batch: &Batch, updates_features: bool) -> bool {
    if batch.control {
        return false;
    }
    let others = batch.records.iter().filter(|one| !one.is_registration());
    let others: Vec<&str> = others.map(|record| record.kind.as_str()).collect();
    let own = match others.first() {
        None => return false,
        Some(&"FEATURE_LEVEL_RECORD") => others.iter().all(|kind| {
            updates_features || ["FEATURE_LEVEL_RECORD", "ZK_MIGRATION_STATE_RECORD"].contains(kind)
        }),
        Some(
            &"NO_OP_RECORD"
            | &"UNREGISTER_CONTROLLER_RECORD"
            | &"BEGIN_TRANSACTION_RECORD"
            | &"ABORT_TRANSACTION_RECORD",
        ) => true,
        Some(_) => false,
    };
    !own
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_action_in_parts() {
        let record = |kind: &str| json!({"type": kind, "data": {"controllerId": 2, "leaderId": 3}});
        let batch = |offset: i64, control: bool, kinds: &[&str]| {
            let records: Vec<Value> = kinds.iter().map(|kind| record(kind)).collect();
            json!({"offset": offset, "epoch": 1, "size": 9, "control": control, "records": records})
        };
        let registration = "REGISTER_CONTROLLER_RECORD";
        let action = json!({"n": 4, "action": {"wait": 1}, "ok": true, "leader": 3, "records": [
            batch(0, true, &["LeaderChange", "KRaftVersion"]),
            batch(2, false, &["BEGIN_TRANSACTION_RECORD"]),
            batch(3, false, &[registration]),
            batch(4, false, &["CONFIG_RECORD"]),
            batch(5, false, &["TOPIC_RECORD", registration]),
            batch(7, false, &["CONFIG_RECORD"]),
        ]});
        let action: Done = serde_json::from_value(action).unwrap();
        let batches = &action.records;
        let expected = [
            Item::Leads(NodeId(3), &batches[0]),
            Item::Own(&batches[1]),
            Item::Own(&batches[2]),
            Item::Given(4, 4, 6),
            Item::Own(&batches[4]),
            Item::Given(4, 7, 7),
        ];
        assert_eq!(items(&action), expected);
        assert_eq!(batches[4].registered(), [NodeId(2)]);
    }
}
