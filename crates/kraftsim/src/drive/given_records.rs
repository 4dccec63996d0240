//! Records from JSON, as Kafka's own converters read them: any type, by its schema.

use records::metadata::{NoOpRecord, RecordKind, VersionedRecord, valid_versions};
use releases::Rules;
use serde_json::Value;

use super::exceptions::Exception;
use super::fields::Fields;
use super::limits;
use crate::recorded::{self, EncodeError, Expected};

/// The records that a command gives: `records`, then `noops` times nothing.
pub(super) fn of_command(
    fields: &Fields<'_>,
    rules: &Rules,
) -> Result<Vec<VersionedRecord>, Exception> {
    let given = fields.list("records", "records", Some)?;
    let mut records = given
        .into_iter()
        .flatten()
        .map(|given| one(given, rules))
        .collect::<Result<Vec<_>, _>>()?;
    let noops = fields.integer("noops")?.unwrap_or(0);
    if noops > limits::RECORDS {
        let most = limits::RECORDS;
        return Err(Exception::malformed(format!(
            "{noops} records: `drive` takes at most {most} in a command"
        )));
    }
    records.extend((0..noops).map(|_| VersionedRecord::new(0, NoOpRecord::default())));
    Ok(records)
}

fn one(given: &Value, rules: &Rules) -> Result<VersionedRecord, Exception> {
    let fields = Fields::of_object("a record", given)?;
    let name = Fields::needed(fields.text("type"))?;
    let (_, data) = (fields.number::<i16>("version")?, fields.get("data"));
    fields.all_are_known()?;
    let kind = RecordKind::ALL.iter().find(|kind| kind.type_name() == name);
    // A version that nobody has yet reads like the newest.
    let is_known = kind.is_some_and(|kind| valid_versions(rules.features.line, *kind).is_some());
    if !is_known {
        return Err(Exception::illegal_argument(format!(
            "no record type {name}"
        )));
    }
    if data.is_none() {
        return Err(Exception::NullPointer);
    }
    let bytes = recorded::record(given).map_err(|error| exception(&error))?;
    VersionedRecord::decode_unwritable(&bytes)
        .map_err(|error| Exception::runtime(error.to_string()))
}

/// What Kafka's converters throw.
fn exception(error: &EncodeError) -> Exception {
    let text = error.to_string();
    match error {
        EncodeError::UnknownType(_) => Exception::illegal_argument(text),
        EncodeError::Missing { .. } => Exception::runtime(text),
        EncodeError::Value { expected, .. } => match expected {
            Expected::WholeNumber | Expected::FloatingPointNumber => {
                Exception::number_format(&text)
            }
            Expected::Base64 => Exception::new("java.io.UncheckedIOException", text),
            Expected::Id => Exception::illegal_argument(text),
            _ => Exception::runtime(text),
        },
    }
}

#[cfg(test)]
mod tests {
    use releases::Release;
    use serde_json::json;

    use super::*;
    use crate::json::{Secrets, record as as_json};

    fn rules() -> Rules {
        "4.4.0".parse::<Release>().unwrap().rules()
    }

    #[test]
    fn every_record_comes_back_from_its_json() {
        let rules = rules();
        for kind in RecordKind::ALL {
            let Some((lowest, highest)) = valid_versions(rules.features.line, *kind) else {
                continue;
            };
            for version in lowest..=highest {
                let record = VersionedRecord {
                    version,
                    record: kind.default_record(),
                };
                let given = as_json(&record, Secrets::Shown);
                assert_eq!(one(&given, &rules), Ok(record), "{given}");
            }
        }
    }

    #[test]
    fn tagged_fields_arrays_and_nulls() {
        let topic = "AAAAAAAAAAAAAAAAAAAAFA";
        let given = json!({ "type": "PARTITION_CHANGE_RECORD", "version": 2, "data": {
            "partitionId": 3, "topicId": topic, "isr": [1, 2], "leader": -1, "removingReplicas": null,
            "leaderRecoveryState": 200, "directories": [topic], "lastKnownElr": [7],
        } });
        let record = one(&given, &rules()).unwrap();
        let told = as_json(&record, Secrets::Shown);
        assert_eq!(told["data"]["isr"], json!([1, 2]));
        assert_eq!(told["data"]["leaderRecoveryState"], 72);
        assert_eq!(told["data"]["directories"], json!([topic]));
        assert_eq!(told["data"].get("removingReplicas"), None);
    }

    #[test]
    fn what_is_no_record_is_refused_by_its_class() {
        let refused = |given: Value| one(&given, &rules()).unwrap_err().to_string();
        let class = |text: String| text.split(':').next().unwrap().to_owned();
        let feature = |data: Value| json!({ "type": "FEATURE_LEVEL_RECORD", "data": data });
        assert_eq!(
            class(refused(json!({ "type": "NO_RECORD", "data": {} }))),
            "java.lang.IllegalArgumentException"
        );
        assert_eq!(
            class(refused(feature(json!({ "name": "a" })))),
            "java.lang.RuntimeException"
        );
        assert_eq!(
            class(refused(feature(
                json!({ "name": "a", "featureLevel": "x" })
            ))),
            "java.lang.NumberFormatException"
        );
        // Versions that nobody has yet are none of the reader's business.
        assert!(
            one(
                &json!({ "type": "NO_OP_RECORD", "version": 7, "data": {} }),
                &rules()
            )
            .is_ok()
        );
    }
}
