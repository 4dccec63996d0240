//! A log's batches, as far as real Kafka's are held fast.

use serde_json::{Map, Value, json};

use super::cell::{entries, list};

/// How much of a log is chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// One controller: everything is held fast but periodic no-op batches.
    One,
    /// Several controllers: elections and linger decide epochs, who granted votes, how registrations are ordered and
    /// batched, offsets after the first registration, and the steps by which voters joined (the last voter set counts).
    Several,
}

/// The batches of a log that must agree. `log` is a list of batches, or of segments that hold them.
pub fn comparable(log: &Value, strictness: Strictness) -> Vec<Value> {
    let batches: Vec<Map<String, Value>> = list(log)
        .iter()
        .flat_map(|item| item.get("batches").map_or(std::slice::from_ref(item), list))
        .filter_map(Value::as_object)
        .filter(|batch| !is_only_no_ops(batch))
        .map(|batch| without(batch, &["noops_before"]))
        .collect();
    match strictness {
        Strictness::One => batches.into_iter().map(Value::Object).collect(),
        Strictness::Several => loosened(batches),
    }
}

fn records(batch: &Map<String, Value>) -> &[Value] {
    batch.get("records").map_or(&[], list)
}

fn is_only_no_ops(batch: &Map<String, Value>) -> bool {
    let records = records(batch);
    !records.is_empty()
        && records
            .iter()
            .all(|record| record["type"] == "NO_OP_RECORD")
}

fn without(batch: &Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let kept = batch
        .iter()
        .filter(|(name, _)| !names.contains(&name.as_str()));
    kept.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn loosened(batches: Vec<Map<String, Value>>) -> Vec<Value> {
    let (mut kept, mut registrations, mut voters) = (Vec::new(), Vec::new(), None);
    for batch in batches {
        let (registered, rest): (Vec<Value>, Vec<Value>) = records(&batch)
            .iter()
            .cloned()
            .partition(|record| record["type"] == "REGISTER_CONTROLLER_RECORD");
        let mixed = !registered.is_empty();
        registrations.extend(registered);
        let Some(first) = rest.first().map(|record| record["type"].clone()) else {
            continue;
        };
        let mut free = vec!["epoch"];
        if mixed || first == "LeaderChange" || first == "KRaftVoters" {
            free.push("size");
        }
        if !registrations.is_empty() {
            free.push("offset");
        }
        let mut batch = without(&batch, &free);
        batch.insert(
            "records".to_owned(),
            rest.into_iter().map(without_granting_voters).collect(),
        );
        if first == "KRaftVoters" {
            voters = Some(Value::Object(batch));
        } else {
            kept.push(Value::Object(batch));
        }
    }
    kept.extend(voters);
    registrations.sort_by_key(|record| record["data"]["controllerId"].to_string());
    kept.push(json!({ "registrations": registrations }));
    kept
}

fn without_granting_voters(mut record: Value) -> Value {
    if record["type"] == "LeaderChange" {
        let data = entries(&record["data"]).filter(|(name, _)| *name != "grantingVoters");
        let data: Map<String, Value> = data
            .map(|(name, value)| (name.to_owned(), value.clone()))
            .collect();
        record["data"] = Value::Object(data);
    }
    record
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_op_batches_are_left_out_and_segments_joined() {
        let log = json!([
            {"file": "0.log", "batches": [{"offset": 0, "records": [{"type": "NO_OP_RECORD"}]}]},
            {"file": "1.log", "batches": [{"offset": 1, "noops_before": 1, "records": [{"type": "X"}]}]},
        ]);
        let expected = json!([{"offset": 1, "records": [{"type": "X"}]}]);
        assert_eq!(Value::from(comparable(&log, Strictness::One)), expected);
        assert_eq!(
            Value::from(comparable(&expected, Strictness::One)),
            expected
        );
    }

    #[test]
    fn of_several_controllers_registrations_and_epochs_are_set_apart() {
        let registration =
            |id| json!({"type": "REGISTER_CONTROLLER_RECORD", "data": {"controllerId": id}});
        let log = json!([
            {"offset": 0, "epoch": 3, "size": 9, "records": [{"type": "LeaderChange", "data": {"leaderId": 1, "grantingVoters": [1]}}]},
            {"offset": 1, "epoch": 3, "size": 9, "records": [registration(2), {"type": "X"}]},
            {"offset": 3, "epoch": 3, "size": 9, "records": [registration(1)]},
        ]);
        let expected = json!([
            {"offset": 0, "records": [{"type": "LeaderChange", "data": {"leaderId": 1}}]},
            {"records": [{"type": "X"}]},
            {"registrations": [registration(1), registration(2)]},
        ]);
        assert_eq!(Value::from(comparable(&log, Strictness::Several)), expected);
    }
}
