//! The schemas of records against every row of the fact tables.

mod common;

use std::collections::BTreeMap;

use common::{
    FlatField, Row, default_as_json, default_text, facts, flatten, json_path, kind_text, line,
};
use records::control::ControlKind;
use records::feature::{FeatureTable, Line, MetadataVersion};
use records::metadata::{RecordKind, record_version_for, valid_versions};
use records::{FieldKind, StructSchema};

fn kind_named(name: &str) -> RecordKind {
    let mut all = RecordKind::ALL.iter().copied();
    all.find(|kind| kind.name() == name)
        .unwrap_or_else(|| panic!("{name} is not described"))
}

/// Compares one field of a schema with its row, column by column.
fn check_field(record: &str, field: &FlatField, row: &Row, type_column: &str) {
    let what = format!("{record}.{}", field.path);
    let schema = field.schema;
    assert_eq!(field.path, json_path(&row["field"]), "{record}");
    assert_eq!(kind_text(&schema.kind), row[type_column], "{what}");
    assert_eq!(format!("{}+", schema.since), row["versions"], "{what}");
    let nullable = matches!(schema.kind, FieldKind::Nullable(_));
    assert_eq!(
        if nullable { &row["versions"] } else { "-" },
        row["nullable"],
        "{what}"
    );
    if row["default"] != "struct" {
        assert_eq!(
            default_text(schema),
            default_as_json(&row["default"]),
            "{what}"
        );
    }
}

#[test]
fn metadata_record_schemas_match_every_row() {
    let rows = facts("metadata_records.tsv");
    let mut fields: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    let mut described = 0;
    for row in &rows {
        if row["row"] == "field" {
            fields.entry(&row["record"]).or_default().push(row);
            continue;
        }
        described += 1;
        let kind = kind_named(&row["record"]);
        assert_eq!(kind.api_key().to_string(), row["api_key"]);
        assert_eq!(row["flexible"], "0+", "{}", kind.name());
        assert_eq!(RecordKind::from_api_key(kind.api_key()), Some(kind));
        for line in Line::ALL {
            let valid = match valid_versions(line, kind) {
                None => "-".to_owned(),
                Some((low, high)) if low == high => low.to_string(),
                Some((low, high)) => format!("{low}-{high}"),
            };
            assert_eq!(
                valid,
                row[&format!("valid_{line}")],
                "{} on {line}",
                kind.name()
            );
        }
    }
    assert_eq!(described, RecordKind::ALL.len());
    for kind in RecordKind::ALL {
        let rows = fields.get(kind.name()).map_or(&[][..], Vec::as_slice);
        let ours = flatten(kind.schema());
        assert_eq!(
            ours.len(),
            rows.len(),
            "number of fields of {}",
            kind.name()
        );
        for (index, (field, row)) in ours.iter().zip(rows).enumerate() {
            check_field(kind.name(), field, row, "type");
            assert_eq!(row["order"], index.to_string());
            assert_eq!(
                row["ignorable"], "-",
                "a field that may be dropped needs a word of its own"
            );
            assert_eq!(row["api_key"], kind.api_key().to_string());
            let tag = field
                .schema
                .tag
                .map_or("-".to_owned(), |tag| tag.to_string());
            assert_eq!(tag, row["tag"], "{}.{}", kind.name(), field.path);
            let tagged = if field.schema.tag.is_some() {
                &row["versions"]
            } else {
                "-"
            };
            assert_eq!(tagged, row["tagged"], "{}.{}", kind.name(), field.path);
            for line in Line::ALL {
                let here =
                    valid_versions(line, *kind).is_some_and(|(_, high)| field.schema.since <= high);
                let valid = if here { row["versions"].as_str() } else { "-" };
                assert_eq!(
                    valid,
                    row[&format!("valid_{line}")],
                    "{}.{} on {line}",
                    kind.name(),
                    field.path
                );
            }
        }
    }
}

#[test]
fn type_names_are_the_names_in_capitals() {
    for kind in RecordKind::ALL {
        let mut capitals = String::new();
        for letter in kind.name().chars() {
            if letter.is_ascii_uppercase() && !capitals.is_empty() {
                capitals.push('_');
            }
            capitals.push(letter.to_ascii_uppercase());
        }
        assert_eq!(kind.type_name(), capitals);
    }
}

#[test]
fn control_record_schemas_match_every_row() {
    let rows = facts("control_records.tsv");
    let mut schemas: BTreeMap<&str, &'static StructSchema> = BTreeMap::new();
    let mut fields: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in &rows {
        if row["row"] == "field" {
            fields.entry(&row["name"]).or_default().push(row);
            continue;
        }
        let type_id: i16 = row["type"].parse().expect("a number");
        let Some(kind) = ControlKind::from_type_id(type_id) else {
            assert!(
                row["value_schema"] == "-",
                "{} is not described",
                row["name"]
            );
            continue;
        };
        assert_eq!(kind.schema().name, row["value_schema"]);
        assert_eq!(row["key_hex"], format!("{:08x}", kind.type_id()));
        let newest = kind.newest_version();
        let versions = if newest == 0 {
            "0".to_owned()
        } else {
            format!("0-{newest}")
        };
        assert_eq!(row["versions"], versions, "{}", row["name"]);
        assert_eq!(row["flexible"], "0+", "{}", row["name"]);
        schemas.insert(&row["name"], kind.schema());
    }
    assert_eq!(schemas.len(), ControlKind::ALL.len());
    for (name, schema) in schemas {
        let ours = flatten(schema);
        assert_eq!(ours.len(), fields[name].len(), "number of fields of {name}");
        for (field, row) in ours.iter().zip(&fields[name]) {
            check_field(name, field, row, "field_type");
        }
    }
}

/// Level of a metadata.version by name on a line, or on whichever line knows it.
fn level(line: Line, name: &str) -> i16 {
    let lines = std::iter::once(line).chain(Line::ALL);
    let mut levels = lines.filter_map(|line| FeatureTable::of(line).metadata_version_named(name));
    levels
        .next()
        .unwrap_or_else(|| panic!("no line knows {name}"))
        .version
        .0
}

/// Notes the version that a row of `metadata_record_versions.tsv` names for each line, level and record it speaks of.
fn note_written(row: &Row, spoken: &mut BTreeMap<(Line, i16, RecordKind), i16>) {
    let kind = kind_named(&row["record"]);
    let lines: Vec<Line> = match row["branches"].as_str() {
        "all" => Line::ALL.to_vec(),
        some => some.split(',').map(line).collect(),
    };
    let version: i16 = row["version_written"].parse().expect("a number");
    for line in lines {
        let from = level(line, &row["from_mv"]);
        let to = if row["to_mv"] == "-" {
            i16::MAX
        } else {
            level(line, &row["to_mv"])
        };
        for info in FeatureTable::of(line).metadata_versions {
            let level = info.version.0;
            if (from..=to).contains(&level) {
                let entry = spoken.entry((line, level, kind)).or_insert(version);
                *entry = version.max(*entry);
            }
        }
    }
}

#[test]
fn written_versions_match_every_row() {
    let mut rows = facts("metadata_record_versions.tsv");
    // The rows of PartitionChangeRecord name 3.9's own bounds in words; they are those of PartitionRecord.
    let of_3_9: Vec<Row> = rows
        .iter()
        .filter(|row| row["record"] == "PartitionRecord" && row["branches"] == "3.9")
        .map(|row| {
            let mut row = row.clone();
            row.insert("record".into(), "PartitionChangeRecord".into());
            row
        })
        .collect();
    assert_eq!(of_3_9.len(), 2);
    rows.extend(of_3_9);
    let mut spoken = BTreeMap::new();
    for row in &rows {
        note_written(row, &mut spoken);
    }
    // 4.2's unstable 4.3-IV0 is beyond what the table speaks of; the table of levels has it.
    for row in facts("metadata_versions.tsv") {
        let version = row["register_broker_rec_ver"].parse().expect("a number");
        let level = row["level"].parse().expect("a number");
        let key = (line(&row["branch"]), level, RecordKind::RegisterBroker);
        assert_eq!(*spoken.entry(key).or_insert(version), version, "{key:?}");
    }
    for line in Line::ALL {
        for info in FeatureTable::of(line).metadata_versions {
            for &kind in RecordKind::ALL {
                assert_eq!(
                    record_version_for(line, kind, MetadataVersion(info.version.0)),
                    spoken.get(&(line, info.version.0, kind)).copied(),
                    "{} at {} on {line}",
                    kind.name(),
                    info.name,
                );
            }
        }
    }
}
