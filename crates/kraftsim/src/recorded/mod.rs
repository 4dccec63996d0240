//! Records that real Kafka wrote, out of the `result.json` of a lived-in cluster (`tests/lived`): for scenarios that give
//! them to a controller.
//!
//! A path names an action, and of its batches those between two offsets, both inclusive: `12` or `12/43-49`;
//! `12/truncated/15-16` names batches that went away again. Left out is what every controller writes by itself:
//! control batches and the registrations of controllers.

mod encode;

use bytes::Bytes;
use serde_json::{Map, Value};
use simulator::scenario::run::Files;

pub use encode::{EncodeError, Expected, record};

/// What every controller writes by itself.
const OWN: &str = "REGISTER_CONTROLLER_RECORD";

/// The batches that a path names within a `result.json`, each as a file: for every record four bytes of length, and the
/// record in its frame.
pub fn batches(document: &Value, path: &str) -> Result<Files, String> {
    let wanted = Wanted::parse(path).ok_or_else(|| format!("`{path}` names no batches"))?;
    let actions = document["actions"].as_array().into_iter().flatten();
    let action = actions
        .into_iter()
        .find(|action| action["n"] == wanted.action)
        .ok_or_else(|| format!("there is no action {}", wanted.action))?;
    let mut files = Files::new();
    for batch in action[wanted.list].as_array().into_iter().flatten() {
        let offset = batch["offset"].as_i64().unwrap_or(-1);
        if batch["control"] == true || !wanted.covers(offset) {
            continue;
        }
        let mut bytes = Vec::new();
        for given in given(batch) {
            let filled = filled_in(given, &document["volatile"]);
            let frame = record(&filled).map_err(|error| format!("offset {offset}: {error}"))?;
            let length = u32::try_from(frame.len()).map_err(|error| error.to_string())?;
            bytes.extend(length.to_be_bytes());
            bytes.extend(frame);
        }
        if !bytes.is_empty() {
            files.push((format!("{offset:020}"), Bytes::from(bytes)));
        }
    }
    if files.is_empty() {
        return Err(format!("`{path}` names no records that could be given"));
    }
    Ok(files)
}

/// The records of a batch that a controller does not write by itself.
pub fn given(batch: &Value) -> impl Iterator<Item = &Value> {
    let records = batch["records"].as_array().into_iter().flatten();
    records.filter(|record| record["type"] != OWN)
}

struct Wanted<'a> {
    action: u64,
    list: &'a str,
    range: Option<(i64, i64)>,
}

impl<'a> Wanted<'a> {
    fn parse(path: &'a str) -> Option<Self> {
        let mut parts = path.split('/').peekable();
        let action = parts.next()?.parse().ok()?;
        let list = parts
            .next_if_eq(&"truncated")
            .map_or("records", |list| list);
        let range = match parts.next() {
            None => None,
            Some(range) => {
                let (from, to) = range.split_once('-').unwrap_or((range, range));
                Some((from.parse().ok()?, to.parse().ok()?))
            }
        };
        parts.next().is_none().then_some(Wanted {
            action,
            list,
            range,
        })
    }

    fn covers(&self, offset: i64) -> bool {
        self.range
            .is_none_or(|(from, to)| (from..=to).contains(&offset))
    }
}

/// A value with the ids and ports of the recording in the place of their names.
pub fn filled_in(value: &Value, volatile: &Value) -> Value {
    match value {
        Value::String(text) => match &volatile["ports"][text] {
            Value::Null => Value::String(with_ids(text, &volatile["ids"])),
            port => port.clone(),
        },
        Value::Array(items) => items.iter().map(|item| filled_in(item, volatile)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), filled_in(value, volatile)))
            .collect::<Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

fn with_ids(text: &str, ids: &Value) -> String {
    if !text.contains('<') {
        return text.to_owned();
    }
    let known = ids.as_object().into_iter().flatten();
    known.fold(text.to_owned(), |text, (name, id)| {
        text.replace(name, id.as_str().unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use records::metadata::{MetadataRecord, VersionedRecord};
    use serde_json::json;

    use super::batches;

    #[test]
    fn batches_of_an_action_without_what_controllers_write_themselves() {
        let config = |name: &str| {
            json!({"type": "CONFIG_RECORD", "version": 0,
                "data": {"resourceType": 16, "resourceName": name, "name": "k", "value": "v"}})
        };
        let own = json!({"type": "REGISTER_CONTROLLER_RECORD", "version": 0, "data": {}});
        let document = json!({
            "volatile": {"ids": {"<topic-a>": "the-id"}, "ports": {}},
            "actions": [{"n": 3, "records": [
                {"offset": 4, "control": true, "records": [{"type": "LeaderChange"}]},
                {"offset": 5, "control": false, "records": [config("<topic-a>"), own.clone()]},
                {"offset": 7, "control": false, "records": [own]},
                {"offset": 8, "control": false, "records": [config("b")]},
            ]}],
        });
        let files = batches(&document, "3").unwrap();
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["00000000000000000005", "00000000000000000008"]);
        let MetadataRecord::Config(first) =
            VersionedRecord::decode(&files[0].1[4..]).unwrap().record
        else {
            panic!("a config record");
        };
        assert_eq!(first.resource_name, "the-id");
        assert_eq!(batches(&document, "3/8-9").unwrap().len(), 1);
        assert!(batches(&document, "3/truncated").is_err());
        assert!(batches(&document, "4").is_err());
        assert!(batches(&document, "3/x").is_err());
    }
}
