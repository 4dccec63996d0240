use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use records::Uuid;
use records::metadata::RecordKind;
use records::{FieldKind, FieldSchema, StructSchema};
use serde_json::{Map, Value};

/// Why a record in JSON cannot be written as bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// No record has this name.
    #[error("there is no record {0}")]
    UnknownType(String),
    /// A field that its version has is not there.
    #[error("{record}: the field {field} is missing")]
    Missing {
        /// The record, or the struct in it.
        record: &'static str,
        /// The field.
        field: &'static str,
    },
    /// A value does not fit its field.
    #[error("{field}: {found} is no {expected}")]
    Value {
        /// The field.
        field: &'static str,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
}

/// The frame that every release writes around a record.
const FRAME_VERSION: u32 = 1;

/// A record `{"type", "version", "data"}`, in its frame.
pub fn record(record: &Value) -> Result<Vec<u8>, EncodeError> {
    let name = record["type"].as_str().unwrap_or_default();
    let kind = RecordKind::ALL
        .iter()
        .find(|kind| kind.type_name() == name)
        .ok_or_else(|| EncodeError::UnknownType(name.to_owned()))?;
    let version = record["version"].as_i64().unwrap_or(0) as i16;
    let mut out = Vec::new();
    write_uvarint(&mut out, FRAME_VERSION);
    write_uvarint(&mut out, kind.api_key());
    write_uvarint(&mut out, u32::from(version.unsigned_abs()));
    write_struct(kind.schema(), &record["data"], version, &mut out)?;
    Ok(out)
}

fn write_struct(
    schema: &'static StructSchema,
    data: &Value,
    version: i16,
    out: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    let none = Map::new();
    let data = data.as_object().unwrap_or(&none);
    let mut tagged: Vec<(u32, Vec<u8>)> = Vec::new();
    let known = schema.fields.iter().filter(|field| version >= field.since);
    for field in known {
        match (data.get(field.name), field.tag) {
            (Some(value), None) => write_value(field, &field.kind, value, version, out)?,
            (Some(value), Some(tag)) => {
                let mut content = Vec::new();
                write_value(field, &field.kind, value, version, &mut content)?;
                tagged.push((tag, content));
            }
            (None, Some(_)) => {}
            (None, None) => {
                return Err(EncodeError::Missing {
                    record: schema.name,
                    field: field.name,
                });
            }
        }
    }
    tagged.sort();
    write_uvarint(out, tagged.len() as u32);
    for (tag, content) in tagged {
        write_uvarint(out, tag);
        write_uvarint(out, content.len() as u32);
        out.extend(content);
    }
    Ok(())
}

fn write_value(
    field: &'static FieldSchema,
    kind: &FieldKind,
    value: &Value,
    version: i16,
    out: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    let not = |expected| EncodeError::Value {
        field: field.name,
        found: value.to_string(),
        expected,
    };
    let number = || value.as_i64().ok_or_else(|| not("whole number"));
    match kind {
        FieldKind::Bool => out.push(u8::from(value.as_bool().ok_or_else(|| not("truth value"))?)),
        FieldKind::Int8 => out.extend((number()? as i8).to_be_bytes()),
        FieldKind::Int16 => out.extend((number()? as i16).to_be_bytes()),
        FieldKind::Uint16 => out.extend((number()? as u16).to_be_bytes()),
        FieldKind::Int32 => out.extend((number()? as i32).to_be_bytes()),
        FieldKind::Int64 => out.extend(number()?.to_be_bytes()),
        FieldKind::Float64 => {
            let number = value.as_f64().ok_or_else(|| not("number"))?;
            out.extend(number.to_bits().to_be_bytes());
        }
        FieldKind::String => {
            let text = value.as_str().ok_or_else(|| not("text"))?;
            write_uvarint(out, text.len() as u32 + 1);
            out.extend(text.as_bytes());
        }
        FieldKind::Bytes => {
            let bytes = value.as_str().map(|text| BASE64_STANDARD.decode(text));
            let bytes = bytes.and_then(Result::ok).ok_or_else(|| not("base64"))?;
            write_uvarint(out, bytes.len() as u32 + 1);
            out.extend(bytes);
        }
        FieldKind::Uuid => {
            let id: Option<Uuid> = value.as_str().and_then(|text| text.parse().ok());
            out.extend(id.ok_or_else(|| not("id"))?.as_bytes());
        }
        FieldKind::Array(of) => {
            let items = value.as_array().ok_or_else(|| not("list"))?;
            write_uvarint(out, items.len() as u32 + 1);
            for item in items {
                write_value(field, of, item, version, out)?;
            }
        }
        FieldKind::Nullable(_) if value.is_null() => out.push(0),
        FieldKind::Nullable(of) => write_value(field, of, value, version, out)?,
        FieldKind::Struct(schema) => write_struct(schema, value, version, out)?,
    }
    Ok(())
}

fn write_uvarint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
