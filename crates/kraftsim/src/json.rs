//! Values as JSON, with Kafka's own names.
//!
//! A batch is `{"offset","epoch","control","size","records"}`, a record `{"type","version","data"}` with the type names
//! and field names that Kafka's own JSON converters use. What cannot be read is a record of the type `UNREADABLE`
//! whose data say why, so that one bad record does not hide the others.

mod fields;

use bytes::Bytes;
use raft_log::batch::{Batch, RecordView};
use records::control::ControlRecord;
use records::metadata::VersionedRecord;
use serde::Serialize;
use serde_json::{Value, json};
use simulator::invariants::Violation;

use crate::{CommandError, Console};

pub use fields::{ByteStrings, Fields, Secrets};

/// Prints one document, indented, with a line end.
pub fn print(console: &mut Console, document: &impl Serialize) -> Result<(), CommandError> {
    serde_json::to_writer_pretty(&mut *console.out, document).map_err(std::io::Error::from)?;
    writeln!(console.out)?;
    Ok(())
}

/// A batch with its records.
pub fn batch(batch: &Batch, secrets: Secrets) -> Value {
    json!({
        "offset": batch.base_offset(),
        "epoch": batch.leader_epoch(),
        "control": batch.is_control(),
        "size": batch.size(),
        "records": records(batch, secrets),
    })
}

fn records(batch: &Batch, secrets: Secrets) -> Vec<Value> {
    let records = batch.records();
    records
        .map(|found| match found {
            Ok(view) if batch.is_control() => control_view(&view, secrets),
            Ok(view) => data_view(&view, secrets),
            Err(error) => unreadable(&error.to_string()),
        })
        .collect()
}

fn data_view(view: &RecordView, secrets: Secrets) -> Value {
    match VersionedRecord::decode(bytes_of(view.value.as_ref())) {
        Ok(decoded) => record(&decoded, secrets),
        Err(error) => unreadable(&error.to_string()),
    }
}

fn control_view(view: &RecordView, secrets: Secrets) -> Value {
    match ControlRecord::decode(bytes_of(view.key.as_ref()), bytes_of(view.value.as_ref())) {
        Ok(decoded) => control_record(&decoded, secrets),
        Err(error) => unreadable(&error.to_string()),
    }
}

fn bytes_of(field: Option<&Bytes>) -> &[u8] {
    field.map_or(&[], |bytes| bytes.as_ref())
}

fn unreadable(reason: &str) -> Value {
    json!({ "type": "UNREADABLE", "version": 0, "data": { "reason": reason } })
}

/// A metadata record.
pub fn record(record: &VersionedRecord, secrets: Secrets) -> Value {
    let mut fields = Fields::new(secrets);
    record.accept(&mut fields);
    json!({ "type": record.record.type_name(), "version": record.version, "data": fields.finish() })
}

/// A control record; its version stands beside the data, as that of a metadata record does.
pub fn control_record(record: &ControlRecord, secrets: Secrets) -> Value {
    let mut fields = Fields::new(secrets);
    record.accept(&mut fields);
    let mut data = fields.finish();
    if let (Some(_), Some(data)) = (record.kind(), data.as_object_mut()) {
        data.shift_remove("version");
    }
    json!({ "type": record.type_name(), "version": record.version().unwrap_or(0), "data": data })
}

/// An invariant that did not hold.
pub(crate) fn violation(violation: &Violation) -> Value {
    json!({
        "id": violation.id,
        "node": violation.node.map(|node| node.0),
        "at_us": violation.at.as_micros(),
        "what": violation.what,
        "says": violation.sentence,
    })
}

#[cfg(test)]
mod tests {
    use records::control::LeaderChangeMessage;
    use records::metadata::{FeatureLevelRecord, UserScramCredentialRecord};

    use super::*;

    #[test]
    fn a_record_has_kafkas_names() {
        let name = "metadata.version".to_owned();
        let level = FeatureLevelRecord {
            name,
            feature_level: 21,
            ..Default::default()
        };
        let printed = record(&VersionedRecord::new(0, level), Secrets::Shown);
        let expected = json!({
            "type": "FEATURE_LEVEL_RECORD",
            "version": 0,
            "data": { "name": "metadata.version", "featureLevel": 21 },
        });
        assert_eq!(printed, expected);
    }

    #[test]
    fn keys_are_shown_on_demand_only() {
        let credential = UserScramCredentialRecord {
            name: "alice".to_owned(),
            stored_key: Bytes::from_static(b"key"),
            ..Default::default()
        };
        let credential = VersionedRecord::new(0, credential);
        let shown = record(&credential, Secrets::Shown);
        assert_eq!(shown["data"]["storedKey"], "a2V5");
        let redacted = record(&credential, Secrets::Redacted);
        assert_eq!(redacted["data"]["storedKey"], "(redacted)");
        assert_eq!(redacted["data"]["name"], "alice");
    }

    #[test]
    fn a_control_records_version_is_not_said_twice() {
        let change = LeaderChangeMessage {
            leader_id: 3,
            ..Default::default()
        };
        let printed = control_record(&change.into(), Secrets::Shown);
        let expected = json!({
            "type": "LeaderChange",
            "version": 0,
            "data": { "leaderId": 3, "voters": [], "grantingVoters": [] },
        });
        assert_eq!(printed, expected);
    }
}
