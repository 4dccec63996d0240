use std::fs;
use std::path::{Path, PathBuf};

use records::NodeId;
use serde_json::Value;

use crate::agree::{CellError, entries, list};

/// A lived-in cluster: what was done to it, and what real Kafka made of it.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Where it stands.
    pub folder: PathBuf,
    /// What was asked for.
    pub spec: Value,
    /// What happened, each batch with the action that wrote it.
    pub result: Value,
    /// The same as the recorder wrote it, which is what a scenario's paths name.
    pub file: Value,
}

/// A part of what an action left in the log.
#[derive(Clone, Debug, PartialEq)]
pub enum Item<'a> {
    /// A leader begins its epoch.
    Leads(NodeId, &'a Value),
    /// Another batch that raft or the controllers write by themselves.
    Own(&'a Value),
    /// Batches that are given: of this action of the recording, from this offset to that one.
    Given(u64, i64, i64),
}

impl Recording {
    /// Reads a cell's folder.
    pub fn read(folder: &Path) -> Result<Self, CellError> {
        let json = |name: &str| {
            let path = folder.join(name);
            let bytes = fs::read(&path).map_err(|error| CellError::Io {
                path: path.clone(),
                error,
            })?;
            serde_json::from_slice(&bytes).map_err(|error| CellError::Json { path, error })
        };
        let file: Value = json("result.json")?;
        let mut result = file.clone();
        late_batches(&mut result);
        Ok(Recording {
            folder: folder.to_path_buf(),
            spec: json("spec.json")?,
            result,
            file,
        })
    }

    /// Its name.
    pub fn id(&self) -> &str {
        self.spec["id"].as_str().unwrap_or_default()
    }

    /// What was done, in order, with what came of it.
    pub fn actions(&self) -> &[Value] {
        list(&self.result["actions"])
    }

    /// The controllers that the cluster begins with.
    pub fn voters(&self) -> Vec<NodeId> {
        let count = self.spec["controllers"].as_i64().unwrap_or(1);
        (1..=count).map(|id| NodeId(id as i32)).collect()
    }

    /// The controllers that are not among them.
    pub fn extra(&self) -> Vec<NodeId> {
        let ids = list(&self.spec["extra_controllers"]).iter();
        ids.filter_map(Value::as_i64)
            .map(|id| NodeId(id as i32))
            .collect()
    }

    /// All controllers.
    pub fn controllers(&self) -> Vec<NodeId> {
        let mut all = self.voters();
        all.extend(self.extra());
        all
    }

    /// The release that does an action, where the action names none.
    pub fn version(&self) -> &str {
        self.spec["version"].as_str().unwrap_or("4.4.0")
    }

    /// A port of the recording.
    pub fn port(&self, name: &str) -> Option<u64> {
        self.result["volatile"]["ports"][name].as_u64()
    }
}

/// The recorder follows the leader's log. What was written while the last leader died is found when there is a leader
/// again; it belongs to the action in which that leader was lost.
fn late_batches(result: &mut Value) {
    let directories = result["directories"].clone();
    let Some(actions) = result["actions"].as_array_mut() else {
        return;
    };
    for at in 1..actions.len() {
        if actions[at]["action"].get("start").is_none() || !actions[at - 1]["leader"].is_null() {
            continue;
        }
        let led = (0..at).rev().find(|at| !actions[*at]["leader"].is_null());
        let Some(lost) = led.map(|led| led + 1) else {
            continue;
        };
        let known = newest_epoch(&directories, &actions[lost..at]);
        let records = list(&actions[at]["records"]);
        let early = records
            .iter()
            .take_while(|batch| batch["control"] != true || batch["epoch"].as_i64() <= Some(known));
        let number = actions[at]["n"].clone();
        let mut early: Vec<Value> = early.cloned().collect();
        for batch in &mut early {
            batch["recorded_in"] = number.clone();
        }
        if early.len() == records.len() {
            continue;
        }
        let count = early.len();
        if let Some(records) = actions[at]["records"].as_array_mut() {
            records.drain(..count);
        }
        if let Some(records) = actions[lost]["records"].as_array_mut() {
            records.extend(early);
        }
    }
}

/// The newest epoch in directories that were saved meanwhile.
fn newest_epoch(directories: &Value, actions: &[Value]) -> i64 {
    let saves = actions
        .iter()
        .filter_map(|entry| entry["action"]["save"].as_str());
    let nodes = saves.flat_map(|label| entries(&directories[label]));
    let files = nodes.flat_map(|(_, files)| list(files));
    let epochs = files.filter(|file| {
        let name = file["name"].as_str().unwrap_or_default();
        name.ends_with("leader-epoch-checkpoint")
    });
    let lines = epochs.flat_map(|file| list(&file["text"]).iter().skip(2));
    let epochs = lines.filter_map(|line| line.as_str()?.split(' ').next()?.parse().ok());
    epochs.max().unwrap_or(-1)
}

/// What an action left in the log, part by part.
pub fn items(entry: &Value) -> Vec<Item<'_>> {
    let mut items: Vec<Item<'_>> = Vec::new();
    let updates = entry["action"]["tool"] == "features";
    for batch in list(&entry["records"]) {
        let offset = batch["offset"].as_i64().unwrap_or(-1);
        let records = list(&batch["records"]);
        let last = offset + records.len() as i64 - 1;
        match leader_of(batch) {
            Some(leader) => items.push(Item::Leads(leader, batch)),
            None if batch["control"] == true => items.push(Item::Own(batch)),
            None => {
                let number = batch["recorded_in"].as_u64().or(entry["n"].as_u64());
                let number = number.unwrap_or(0);
                if let Some(Item::Given(_, _, to)) = items.last_mut()
                    && is_given(batch, updates)
                {
                    *to = last;
                } else if is_given(batch, updates) {
                    items.push(Item::Given(number, offset, last));
                } else {
                    items.push(Item::Own(batch));
                    continue;
                }
                if !registered(batch).is_empty() {
                    items.push(Item::Own(batch));
                }
            }
        }
    }
    items
}

/// Who begins its epoch with this batch.
pub fn leader_of(batch: &Value) -> Option<NodeId> {
    let first = &batch["records"][0];
    let leads = first["type"] == "LeaderChange";
    let leader = leads.then(|| first["data"]["leaderId"].as_i64());
    leader.flatten().map(|id| NodeId(id as i32))
}

/// The controllers whose registrations stand in a batch.
pub fn registered(batch: &Value) -> Vec<NodeId> {
    let records = list(&batch["records"]).iter();
    let registrations = records.filter(|record| is_registration(record));
    registrations
        .filter_map(|record| record["data"]["controllerId"].as_i64())
        .map(|id| NodeId(id as i32))
        .collect()
}

/// Whether a record registers a controller.
pub fn is_registration(record: &Value) -> bool {
    record["type"] == "REGISTER_CONTROLLER_RECORD"
}

/// Whether a batch holds records that nobody in the simulated cluster would write by itself.
pub fn is_given(batch: &Value, updates_features: bool) -> bool {
    if batch["control"] == true {
        return false;
    }
    let mut others = list(&batch["records"])
        .iter()
        .filter(|record| !is_registration(record))
        .peekable();
    let Some(first) = others.peek() else {
        return false;
    };
    let first = first["type"].as_str().unwrap_or_default();
    let bootstrap = first == "BEGIN_TRANSACTION_RECORD" || first == "ABORT_TRANSACTION_RECORD";
    let own = match first {
        "FEATURE_LEVEL_RECORD" => others.all(|record| {
            updates_features
                || record["type"] == "FEATURE_LEVEL_RECORD"
                || record["type"] == "ZK_MIGRATION_STATE_RECORD"
        }),
        "NO_OP_RECORD" | "UNREGISTER_CONTROLLER_RECORD" => true,
        _ => bootstrap,
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
            json!({"offset": offset, "control": control, "records": records})
        };
        let registration = "REGISTER_CONTROLLER_RECORD";
        let action = json!({"action": {}, "records": [
            batch(0, true, &["LeaderChange", "KRaftVersion"]),
            batch(2, false, &["BEGIN_TRANSACTION_RECORD"]),
            batch(3, false, &[registration]),
            batch(4, false, &["CONFIG_RECORD"]),
            batch(5, false, &["TOPIC_RECORD", registration]),
            batch(7, false, &["CONFIG_RECORD"]),
        ]});
        let batches = list(&action["records"]);
        let expected = [
            Item::Leads(NodeId(3), &batches[0]),
            Item::Own(&batches[1]),
            Item::Own(&batches[2]),
            Item::Given(0, 4, 6),
            Item::Own(&batches[4]),
            Item::Given(0, 7, 7),
        ];
        assert_eq!(items(&action), expected);
        assert_eq!(registered(&batches[4]), [NodeId(2)]);
    }
}
