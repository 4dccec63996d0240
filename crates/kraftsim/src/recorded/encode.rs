use std::fmt;

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
        field: &'static str,
    },
    /// A value does not fit its field.
    #[error("{field}: {found} is no {expected}")]
    Value {
        field: &'static str,
        /// What stands there.
        found: String,
        expected: Expected,
    },
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    WholeNumber,
    /// One that the width of the field has room for.
    SmallerNumber,
    /// A number with a fraction.
    FloatingPointNumber,
    /// True or false.
    TruthValue,
    Text,
    /// A string of base64.
    Base64,
    /// A string that stands for an id.
    Id,
    List,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::WholeNumber => "whole number",
            Expected::SmallerNumber => "number that fits",
            Expected::FloatingPointNumber => "floating point number",
            Expected::TruthValue => "truth value",
            Expected::Text => "text",
            Expected::Base64 => "base64",
            Expected::Id => "id",
            Expected::List => "list",
        })
    }
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
    let number = |least: i64, most: i64| {
        let number = value.as_i64().ok_or_else(|| not(Expected::WholeNumber))?;
        let fits = (least..=most).contains(&number);
        fits.then_some(number)
            .ok_or_else(|| not(Expected::SmallerNumber))
    };
    match kind {
        FieldKind::Bool => {
            let value = value.as_bool().ok_or_else(|| not(Expected::TruthValue))?;
            out.push(u8::from(value));
        }
        FieldKind::Int8 => {
            // Kafka's reader takes numbers up to 256 for unsigned bytes, and takes 128 away.
            let number = number(i8::MIN.into(), 256)?;
            let byte = if number > 127 { number - 128 } else { number };
            out.extend((byte as i8).to_be_bytes());
        }
        FieldKind::Int16 => {
            out.extend((number(i16::MIN.into(), i16::MAX.into())? as i16).to_be_bytes());
        }
        FieldKind::Uint16 => out.extend((number(0, u16::MAX.into())? as u16).to_be_bytes()),
        FieldKind::Int32 => {
            out.extend((number(i32::MIN.into(), i32::MAX.into())? as i32).to_be_bytes());
        }
        FieldKind::Int64 => out.extend(number(i64::MIN, i64::MAX)?.to_be_bytes()),
        FieldKind::Float64 => {
            let number = value.as_f64().filter(|_| value.is_f64());
            let number = number.ok_or_else(|| not(Expected::FloatingPointNumber))?;
            out.extend(number.to_bits().to_be_bytes());
        }
        FieldKind::String => {
            let text = value.as_str().ok_or_else(|| not(Expected::Text))?;
            write_uvarint(out, text.len() as u32 + 1);
            out.extend(text.as_bytes());
        }
        FieldKind::Bytes => {
            let text = value.as_str().ok_or_else(|| not(Expected::Text))?;
            let bytes = BASE64_STANDARD.decode(text);
            let bytes = bytes.map_err(|_| not(Expected::Base64))?;
            write_uvarint(out, bytes.len() as u32 + 1);
            out.extend(bytes);
        }
        FieldKind::Uuid => {
            let text = value.as_str().ok_or_else(|| not(Expected::Text))?;
            let id: Uuid = text.parse().map_err(|_| not(Expected::Id))?;
            out.extend(id.as_bytes());
        }
        FieldKind::Array(of) => {
            let items = value.as_array().ok_or_else(|| not(Expected::List))?;
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
