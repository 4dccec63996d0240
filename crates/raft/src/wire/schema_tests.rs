//! What is described against the facts, which were read from the released jars.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use records::wire::Described;
use records::{FieldKind, StructSchema};

use super::codec::{Task, with_type};
use super::{Api, Kind, Message, Side};
use crate::message::Rpc;

const FACTS: &str = include_str!("../../../../tests/facts/kraft_rpcs.tsv");

/// `path: type versions nullable tag ignorable`, field by field, for each message.
type Fields = BTreeMap<Kind, Vec<String>>;

fn facts() -> Fields {
    let mut lines = FACTS.lines();
    let header: Vec<&str> = lines.next().expect("a header").split('\t').collect();
    let mut fields = Fields::new();
    let mut versions: BTreeMap<(Kind, String), (i16, i16)> = BTreeMap::new();
    for line in lines {
        let values: Vec<&str> = line.split('\t').collect();
        let value = |name: &str| {
            let column = header.iter().position(|column| *column == name);
            values[column.expect("a column")]
        };
        let api = Api::all().find(|api| api.name() == value("api"));
        // 3.9 has other names for three fields of Vote; the bytes are the same.
        let renamed = value("differs") == "field not in 4.4";
        let (Some(api), "field", false) = (api, value("row"), renamed) else {
            continue;
        };
        let kind = match value("side") {
            "request" => api.request(),
            _ => api.response(),
        };
        let holds = match value("type").trim_start_matches("[]") {
            "bool" => "Bool",
            "int8" => "Int8",
            "int16" => "Int16",
            "uint16" => "Uint16",
            "int32" => "Int32",
            "int64" => "Int64",
            "uuid" => "Uuid",
            "string" => "String",
            "records" => "Bytes",
            _ => "Struct",
        };
        let array = if value("type").starts_with("[]") {
            "[]"
        } else {
            ""
        };
        let nullable = if value("nullable") == "-" {
            "-"
        } else {
            "nullable"
        };
        // A field of a struct stands in the versions of the struct.
        let path = value("field").to_lowercase();
        let within = path
            .rsplit_once('.')
            .map(|(within, _)| within.trim_end_matches("[]").to_owned());
        let of_struct = within.and_then(|within| versions.get(&(kind, within)));
        let own = common(parsed(value("versions")), *of_struct.unwrap_or(&ALWAYS));
        versions.insert((kind, path.clone()), own);
        fields.entry(kind).or_default().push(format!(
            "{path}: {array}{holds} {} {nullable} {} {}",
            words(own),
            value("tag"),
            value("ignorable")
        ));
    }
    fields
}

/// First and last version of a field that is always there.
const ALWAYS: (i16, i16) = (0, i16::MAX);

fn parsed(versions: &str) -> (i16, i16) {
    let number = |text: &str| text.parse::<i16>().expect("a version");
    match (versions.strip_suffix('+'), versions.split_once('-')) {
        (Some(first), _) => (number(first), i16::MAX),
        (None, Some((first, last))) => (number(first), number(last)),
        (None, None) => (number(versions), number(versions)),
    }
}

fn common(one: (i16, i16), other: (i16, i16)) -> (i16, i16) {
    (one.0.max(other.0), one.1.min(other.1))
}

fn words(versions: (i16, i16)) -> String {
    match versions {
        (only, last) if only == last => only.to_string(),
        (first, i16::MAX) => format!("{first}+"),
        (first, last) => format!("{first}-{last}"),
    }
}

/// The description of a kind.
struct Schema;

impl Task for Schema {
    type Out = &'static StructSchema;

    fn run<R: Rpc>(self, _: fn(R) -> Message) -> Self::Out {
        <R::Form as Described>::SCHEMA
    }
}

/// A struct that several messages share stands in the versions of the field that holds it.
fn table(shape: &StructSchema, within: &str, of_field: (i16, i16), rows: &mut Vec<String>) {
    for field in shape.fields {
        let path = format!("{within}{}", field.name.to_lowercase());
        let (kind, nullable) = match field.kind {
            FieldKind::Nullable(kind) => (*kind, "nullable"),
            kind => (kind, "-"),
        };
        let (element, array) = match kind {
            FieldKind::Array(element) => (*element, "[]"),
            other => (other, ""),
        };
        let name = match element {
            FieldKind::Struct(_) => "Struct".to_owned(),
            other => format!("{other:?}"),
        };
        let versions = common((field.since, field.until), of_field);
        let said = words(versions);
        let tag = field.tag.map_or("-".to_owned(), |tag| tag.to_string());
        let ignorable = if field.ignorable { "yes" } else { "-" };
        rows.push(format!(
            "{path}: {array}{name} {said} {nullable} {tag} {ignorable}"
        ));
        if let FieldKind::Struct(inner) = element {
            table(inner, &format!("{path}{array}."), versions, rows);
        }
    }
}

#[test]
fn the_table_is_as_the_facts_say() {
    let mut facts = facts();
    let mut differences = String::new();
    for api in Api::all() {
        for side in [Side::Request, Side::Response] {
            let kind = Kind { api, side };
            let expected = facts.remove(&kind).unwrap_or_default();
            let mut rows = Vec::new();
            table(with_type(kind, Schema), "", ALWAYS, &mut rows);
            if rows != expected {
                let _ = writeln!(differences, "{kind}:\n{rows:#?}\n{expected:#?}");
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn versions_become_flexible_where_the_facts_say() {
    let header: Vec<&str> = FACTS
        .lines()
        .next()
        .expect("a header")
        .split('\t')
        .collect();
    let flexible = header.iter().position(|column| *column == "flexible");
    let flexible = flexible.expect("a column");
    for line in FACTS.lines().filter(|line| line.starts_with("api\t")) {
        let values: Vec<&str> = line.split('\t').collect();
        if let Some(api) = Api::all().find(|api| api.name() == values[1]) {
            let since = format!("{}+", api.first_flexible_version());
            assert_eq!(since, values[flexible], "{api}");
        }
    }
}
