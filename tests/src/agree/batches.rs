//! A log's batches, as far as real Kafka's are held fast.

use serde_json::{Value, json};

use crate::recorded::{Batch, Record};

/// How much of a log is chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// One controller: everything is held fast but periodic no-op batches.
    One,
    /// Several controllers: elections and linger decide epochs, who granted votes, how registrations are ordered and
    /// batched, offsets after the first registration, and the steps by which voters joined (the last voter set counts).
    Several,
}

/// The batches of a log that must agree, as JSON without what is free.
pub fn comparable(log: impl Iterator<Item = Batch>, strictness: Strictness) -> Vec<Value> {
    let batches = log
        .filter(|batch| !is_only_no_ops(batch))
        .map(|batch| Batch {
            noops_before: None,
            ..batch
        });
    match strictness {
        Strictness::One => batches.map(|batch| json!(batch)).collect(),
        Strictness::Several => loosened(batches),
    }
}

fn is_only_no_ops(batch: &Batch) -> bool {
    let mut records = batch.records.iter();
    !batch.records.is_empty() && records.all(|record| record.kind == "NO_OP_RECORD")
}

fn loosened(batches: impl Iterator<Item = Batch>) -> Vec<Value> {
    let (mut kept, mut registrations, mut voters) = (Vec::new(), Vec::new(), None);
    for batch in batches {
        let mut told = json!(batch);
        let (registered, rest): (Vec<Record>, Vec<Record>) =
            batch.records.into_iter().partition(Record::is_registration);
        let is_mixed = !registered.is_empty();
        registrations.extend(registered);
        let Some(first) = rest.first().map(|record| record.kind.clone()) else {
            continue;
        };
        let sets_voters = first == "KRaftVoters";
        let free = [
            ("epoch", true),
            ("size", is_mixed || sets_voters || first == "LeaderChange"),
            ("offset", !registrations.is_empty()),
        ];
        if let Some(fields) = told.as_object_mut() {
            fields.retain(|name, _| !free.contains(&(name.as_str(), true)));
            let records = rest.into_iter().map(without_granting_voters);
            fields.insert("records".to_owned(), records.collect());
        }
        if sets_voters {
            voters = Some(told);
        } else {
            kept.push(told);
        }
    }
    kept.extend(voters);
    registrations.sort_by_key(|record| record.field("controllerId").to_string());
    kept.push(json!({ "registrations": registrations }));
    kept
}

fn without_granting_voters(mut record: Record) -> Value {
    if record.is_leadership() {
        record.data.shift_remove("grantingVoters");
    }
    json!(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(batches: Value) -> std::vec::IntoIter<Batch> {
        serde_json::from_value::<Vec<Batch>>(batches)
            .unwrap()
            .into_iter()
    }

    fn batch(offset: i64, records: &Value) -> Value {
        json!({ "offset": offset, "epoch": 3, "control": false, "size": 9, "records": records })
    }

    #[test]
    fn no_op_batches_are_left_out() {
        let kept = batch(1, &json!([{ "type": "X", "version": 0, "data": {} }]));
        let mut after = kept.clone();
        after["noops_before"] = 1.into();
        let all = json!([batch(0, &json!([{ "type": "NO_OP_RECORD" }])), after]);
        assert_eq!(comparable(log(all), Strictness::One), [kept]);
    }

    #[test]
    fn of_several_controllers_registrations_and_epochs_are_set_apart() {
        let registration = |id| json!({ "type": "REGISTER_CONTROLLER_RECORD", "version": 0, "data": { "controllerId": id } });
        let leads = |data| json!([{ "type": "LeaderChange", "version": 0, "data": data }]);
        let other = json!({ "type": "X", "version": 0, "data": {} });
        let all = json!([
            batch(0, &leads(json!({ "leaderId": 1, "grantingVoters": [1] }))),
            batch(1, &json!([registration(2), other])),
            batch(3, &json!([registration(1)])),
        ]);
        let expected = [
            json!({ "offset": 0, "control": false, "records": leads(json!({ "leaderId": 1 })) }),
            json!({ "control": false, "records": [other] }),
            json!({ "registrations": [registration(1), registration(2)] }),
        ];
        assert_eq!(comparable(log(all), Strictness::Several), expected);
    }
}
