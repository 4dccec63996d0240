//! The table against the facts, which were read from the released jars.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{FieldType, Nullability, Shape, of};
use crate::wire::{Api, Kind, Side};

const FACTS: &str = include_str!("../../../../../tests/facts/kraft_rpcs.tsv");

/// `path: type versions nullable tag`, field by field, for each message.
type Fields = BTreeMap<Kind, Vec<String>>;

fn facts() -> Fields {
    let mut lines = FACTS.lines();
    let header: Vec<&str> = lines.next().expect("a header").split('\t').collect();
    let mut fields = Fields::new();
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
            "bool" => "Boolean",
            "int8" => "Int8",
            "int16" => "Int16",
            "uint16" => "Uint16",
            "int32" => "Int32",
            "int64" => "Int64",
            "uuid" => "Uuid",
            "string" => "Text",
            "records" => "Records",
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
        fields.entry(kind).or_default().push(format!(
            "{}: {array}{holds} {} {nullable} {}",
            value("field").to_lowercase(),
            value("versions"),
            value("tag")
        ));
    }
    fields
}

fn table(shape: &Shape, within: &str, rows: &mut Vec<String>) {
    for field in shape.fields {
        let path = format!("{within}{}", field.name.to_lowercase());
        let (element, array) = match field.holds {
            FieldType::Array(element) => (*element, "[]"),
            other => (other, ""),
        };
        let name = match element {
            FieldType::Struct(_) => "Struct".to_owned(),
            other => format!("{other:?}"),
        };
        let versions = match field.versions {
            (only, last) if only == last => only.to_string(),
            (first, i16::MAX) => format!("{first}+"),
            (first, last) => format!("{first}-{last}"),
        };
        let nullable = match field.nullability {
            Nullability::Never => "-",
            Nullability::Always => "nullable",
        };
        let tag = field.tag.map_or("-".to_owned(), |tag| tag.to_string());
        rows.push(format!("{path}: {array}{name} {versions} {nullable} {tag}"));
        if let FieldType::Struct(inner) = element {
            table(inner, &format!("{path}{array}."), rows);
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
            table(of(kind), "", &mut rows);
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
