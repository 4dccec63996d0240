//! Records from JSON, as Kafka's own converters read them: any type, by its schema.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use records::metadata::{NoOpRecord, RecordKind, VersionedRecord, valid_versions};
use records::{FieldKind, FieldSchema, StructSchema, Uuid};
use releases::Rules;
use serde_json::Value;

use super::exceptions::Exception;

/// The records that a command gives: `records`, then `noops` times nothing.
pub(super) fn of_command(
    command: &Value,
    rules: &Rules,
) -> Result<Vec<VersionedRecord>, Exception> {
    let given = command["records"].as_array().into_iter().flatten();
    let mut records = given
        .map(|given| one(given, rules))
        .collect::<Result<Vec<_>, _>>()?;
    let noops = command["noops"].as_i64().unwrap_or(0).clamp(0, 1 << 20);
    records.extend((0..noops).map(|_| VersionedRecord::new(0, NoOpRecord::default())));
    Ok(records)
}

fn one(given: &Value, rules: &Rules) -> Result<VersionedRecord, Exception> {
    let version = given["version"].as_i64().unwrap_or(0) as i16;
    let name = given["type"].as_str().ok_or(Exception::NullPointer)?;
    let known = |kind: &&RecordKind| kind.type_name() == name;
    let line = rules.features.line;
    let kind = RecordKind::ALL.iter().find(known);
    let kind = kind
        .filter(|kind| valid_versions(line, **kind).is_some())
        .ok_or_else(|| Exception::illegal_argument(format!("no record type {name}")))?;
    let data = given.get("data").ok_or(Exception::NullPointer)?;
    let mut bytes = Vec::new();
    uvarint(&mut bytes, 1);
    uvarint(&mut bytes, kind.api_key());
    uvarint(&mut bytes, u32::from(version.cast_unsigned()));
    structure(&mut bytes, kind.schema(), version, data)?;
    VersionedRecord::decode(&bytes).map_err(|error| Exception::runtime(error.to_string()))
}

fn structure(
    out: &mut Vec<u8>,
    schema: &StructSchema,
    version: i16,
    data: &Value,
) -> Result<(), Exception> {
    let mut tagged = Vec::new();
    for field in schema.fields.iter().filter(|field| version >= field.since) {
        match (data.get(field.name), field.tag) {
            (Some(given), None) => value(out, field, field.kind, version, given)?,
            (Some(given), Some(tag)) => {
                let mut content = Vec::new();
                value(&mut content, field, field.kind, version, given)?;
                tagged.push((tag, content));
            }
            (None, Some(_)) => {}
            (None, None) => {
                return Err(Exception::runtime(format!(
                    "{}: no field {}, which version {version} must have",
                    schema.name, field.name
                )));
            }
        }
    }
    tagged.sort_by_key(|(tag, _)| *tag);
    uvarint(out, tagged.len() as u32);
    for (tag, content) in tagged {
        uvarint(out, tag);
        uvarint(out, content.len() as u32);
        out.extend(content);
    }
    Ok(())
}

fn value(
    out: &mut Vec<u8>,
    field: &FieldSchema,
    kind: FieldKind,
    version: i16,
    given: &Value,
) -> Result<(), Exception> {
    let wrong = |expected: &str| Exception::runtime(format!("{}: expected {expected}", field.name));
    match kind {
        FieldKind::Bool => out.push(given.as_bool().ok_or_else(|| wrong("a boolean"))?.into()),
        FieldKind::Int8 => {
            // Up to 256 it passes for an unsigned byte.
            let number = integer(field, given, -128, 256)?;
            let byte = if number > 127 { number - 128 } else { number };
            out.push((byte as i8).cast_unsigned());
        }
        FieldKind::Int16 => {
            let number = integer(field, given, i16::MIN.into(), i16::MAX.into())?;
            out.extend((number as i16).to_be_bytes());
        }
        FieldKind::Uint16 => {
            let number = integer(field, given, 0, u16::MAX.into())?;
            out.extend((number as u16).to_be_bytes());
        }
        FieldKind::Int32 => {
            let number = integer(field, given, i32::MIN.into(), i32::MAX.into())?;
            out.extend((number as i32).to_be_bytes());
        }
        FieldKind::Int64 => out.extend(integer(field, given, i64::MIN, i64::MAX)?.to_be_bytes()),
        FieldKind::Float64 => {
            let number = given.as_f64().filter(|_| given.is_f64());
            let number = number.ok_or_else(|| Exception::number_format(field.name))?;
            out.extend(number.to_be_bytes());
        }
        FieldKind::String => {
            let text = given.as_str().ok_or_else(|| wrong("a string"))?;
            uvarint(out, text.len() as u32 + 1);
            out.extend(text.as_bytes());
        }
        FieldKind::Bytes => {
            let text = given.as_str().ok_or_else(|| wrong("base64"))?;
            let bytes = STANDARD
                .decode(text)
                .map_err(|_| Exception::new("java.io.UncheckedIOException", field.name))?;
            uvarint(out, bytes.len() as u32 + 1);
            out.extend(bytes);
        }
        FieldKind::Uuid => {
            let text = given.as_str().ok_or_else(|| wrong("a string"))?;
            let id: Uuid = text
                .parse()
                .map_err(|error| Exception::illegal_argument(format!("{}: {error}", field.name)))?;
            out.extend(id.as_bytes());
        }
        FieldKind::Array(element) => {
            let items = given.as_array().ok_or_else(|| wrong("an array"))?;
            uvarint(out, items.len() as u32 + 1);
            for item in items {
                value(out, field, *element, version, item)?;
            }
        }
        FieldKind::Nullable(_) if given.is_null() => out.push(0),
        FieldKind::Nullable(present) => value(out, field, *present, version, given)?,
        FieldKind::Struct(schema) if given.is_object() => structure(out, schema, version, given)?,
        FieldKind::Struct(_) => return Err(wrong("an object")),
    }
    Ok(())
}

fn integer(field: &FieldSchema, given: &Value, min: i64, max: i64) -> Result<i64, Exception> {
    let number = given.as_i64().filter(|_| given.is_i64() || given.is_u64());
    let number = number.ok_or_else(|| Exception::number_format(field.name))?;
    if (min..=max).contains(&number) {
        Ok(number)
    } else {
        Err(Exception::runtime(format!(
            "{}: {number} does not fit",
            field.name
        )))
    }
}

fn uvarint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
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
