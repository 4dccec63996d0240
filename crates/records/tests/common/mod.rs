//! What the tests of this crate share: fact tables, and records as text.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use records::feature::Line;
use records::visit::{Secrecy, Visitor};
use records::{FieldKind, FieldSchema, StructSchema, Uuid};

/// A row of a fact table: column name to text.
pub type Row = BTreeMap<String, String>;

/// Reads a fact table.
pub fn facts(file: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/facts")
        .join(file);
    let text = std::fs::read_to_string(&path).expect("fact tables stand in tests/facts");
    let mut lines = text.lines();
    let header: Vec<&str> = lines
        .next()
        .expect("a table has a header")
        .split('\t')
        .collect();
    let rows: Vec<Row> = lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!(cells.len(), header.len(), "{file}: ragged row {line}");
            header
                .iter()
                .zip(cells)
                .map(|(name, cell)| (name.to_string(), cell.into()))
                .collect()
        })
        .collect();
    assert!(rows.len() > 3, "{file} is nearly empty");
    rows
}

/// The line a fact table calls `branch`.
pub fn line(branch: &str) -> Line {
    branch.parse().expect("fact tables know the six lines")
}

/// One field of a flattened schema.
pub struct FlatField {
    /// `EndPoints[].Name`, with every segment in lower camel case.
    pub path: String,
    pub schema: &'static FieldSchema,
}

/// The fields of `schema` in order, those of nested structs after the field that holds them.
pub fn flatten(schema: &'static StructSchema) -> Vec<FlatField> {
    fn walk(schema: &'static StructSchema, prefix: &str, out: &mut Vec<FlatField>) {
        for field in schema.fields {
            let path = format!("{prefix}{}", field.name);
            out.push(FlatField {
                path: path.clone(),
                schema: field,
            });
            match field.kind {
                FieldKind::Array(FieldKind::Struct(inner)) => {
                    walk(inner, &format!("{path}[]."), out);
                }
                FieldKind::Struct(inner) => {
                    walk(inner, &format!("{path}."), out);
                }
                _ => {}
            }
        }
    }
    let mut out = Vec::new();
    walk(schema, "", &mut out);
    out
}

/// `EndPoints[].KRaftVersion` to `endPoints[].kRaftVersion`: Kafka's JSON names.
pub fn json_path(path: &str) -> String {
    let lower_first = |segment: &str| {
        let mut chars = segment.chars();
        chars.next().map_or(String::new(), |first| {
            first.to_ascii_lowercase().to_string() + chars.as_str()
        })
    };
    path.split('.')
        .map(lower_first)
        .collect::<Vec<_>>()
        .join(".")
}

/// A kind as fact tables write it.
pub fn kind_text(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Bool => "bool".into(),
        FieldKind::Int8 => "int8".into(),
        FieldKind::Int16 => "int16".into(),
        FieldKind::Uint16 => "uint16".into(),
        FieldKind::Int32 => "int32".into(),
        FieldKind::Int64 => "int64".into(),
        FieldKind::Float64 => "float64".into(),
        FieldKind::String => "string".into(),
        FieldKind::Bytes => "bytes".into(),
        FieldKind::Uuid => "uuid".into(),
        FieldKind::Array(element) => format!("[]{}", kind_text(element)),
        FieldKind::Nullable(inner) => kind_text(inner),
        FieldKind::Struct(schema) => match schema.name {
            "LeaderChangeVoter" => "Voter".into(),
            "VoterEndpoint" => "Endpoint".into(),
            name => name.into(),
        },
    }
}

/// Writes what it sees as JSON, secrets too.
#[derive(Default)]
pub struct Text(pub String);

impl Text {
    fn separate(&mut self) {
        if !self.0.is_empty() && !self.0.ends_with(['{', '[', ':']) {
            self.0.push(',');
        }
    }

    fn value(&mut self, text: impl std::fmt::Display) {
        self.separate();
        let _ = write!(self.0, "{text}");
    }
}

impl Visitor for Text {
    fn begin_struct(&mut self) {
        self.value("{");
    }

    fn end_struct(&mut self) {
        self.0.push('}');
    }

    fn field(&mut self, name: &'static str, _: Secrecy) {
        self.value(format_args!("{name:?}:"));
    }

    fn begin_array(&mut self, _: usize) {
        self.value("[");
    }

    fn end_array(&mut self) {
        self.0.push(']');
    }

    fn null(&mut self) {
        self.value("null");
    }

    fn boolean(&mut self, value: bool) {
        self.value(value);
    }

    fn integer(&mut self, value: i64) {
        self.value(value);
    }

    fn float(&mut self, value: f64) {
        self.value(format_args!("{value:?}"));
    }

    fn string(&mut self, value: &str) {
        self.value(format_args!("{value:?}"));
    }

    fn bytes(&mut self, value: &[u8]) {
        self.value(format_args!("\"{}\"", STANDARD.encode(value)));
    }

    fn uuid(&mut self, value: Uuid) {
        self.value(format_args!("\"{value}\""));
    }
}

/// The default of a field, as JSON.
pub fn default_text(field: &FieldSchema) -> String {
    let mut text = Text::default();
    (field.visit_default)(&mut text);
    text.0
}

/// A default as fact tables write it, as JSON.
pub fn default_as_json(cell: &str) -> String {
    match cell {
        "zero-uuid" => format!("\"{}\"", Uuid::ZERO),
        "empty" => "\"\"".into(),
        other => other.into(),
    }
}

/// Bytes from hexadecimal digits; blanks do not count.
pub fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let pair = |pair: &[u8]| {
        let text = std::str::from_utf8(pair).expect("hexadecimal digits are ASCII");
        u8::from_str_radix(text, 16).expect("hexadecimal digits")
    };
    digits.chunks(2).map(pair).collect()
}
