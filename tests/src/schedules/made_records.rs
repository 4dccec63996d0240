//! Records of any type, made up.

use determinism::Rng;
use records::feature::Line;
use records::metadata::{RecordKind, valid_versions};
use records::{FieldKind, StructSchema, Uuid};
use serde_json::{Map, Value, json};

/// A record as JSON, of a type and version that the line knows.
pub(super) fn any(line: Line, rng: &mut Rng) -> Value {
    loop {
        let Some(kind) = rng.pick(RecordKind::ALL).copied() else {
            continue;
        };
        let Some((lowest, highest)) = valid_versions(line, kind) else {
            continue;
        };
        let version = lowest + rng.below((highest - lowest + 1) as u64) as i16;
        let data = structure(kind.schema(), version, rng);
        return json!({ "type": kind.type_name(), "version": version, "data": data });
    }
}

fn structure(schema: &StructSchema, version: i16, rng: &mut Rng) -> Value {
    let mut told = Map::new();
    for field in schema.fields.iter().filter(|field| version >= field.since) {
        if field.tag.is_none() || rng.chance(1, 2) {
            told.insert(field.name.to_owned(), value(field.kind, version, rng));
        }
    }
    Value::Object(told)
}

fn value(kind: FieldKind, version: i16, rng: &mut Rng) -> Value {
    let small = |rng: &mut Rng| rng.below(5) as i64;
    match kind {
        FieldKind::Bool => rng.chance(1, 2).into(),
        FieldKind::Uint16 => rng.below(65_536).into(),
        FieldKind::Int8 | FieldKind::Int16 | FieldKind::Int32 => (small(rng) - 1).into(),
        FieldKind::Int64 => (small(rng) << rng.below(40)).into(),
        FieldKind::Float64 => (f64::from(rng.below(5) as u32) + 0.5).into(),
        FieldKind::String => "x".repeat(rng.below(12) as usize).into(),
        FieldKind::Bytes => "AAEC".into(),
        FieldKind::Uuid => Uuid::from_bytes(rng.bytes16()).to_string().into(),
        FieldKind::Array(element) => (0..rng.below(3))
            .map(|_| value(*element, version, rng))
            .collect(),
        FieldKind::Nullable(_) if rng.chance(1, 3) => Value::Null,
        FieldKind::Nullable(present) => value(*present, version, rng),
        FieldKind::Struct(schema) => structure(schema, version, rng),
    }
}
