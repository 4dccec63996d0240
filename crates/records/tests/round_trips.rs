//! Every record in every version: values drawn from the schema alone, by an encoder of its own, come back as the same
//! bytes; cut bytes are refused; damaged ones never panic.

mod common;

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use records::control::{ControlKind, ControlRecord};
use records::metadata::{MetadataRecord, RecordKind, VersionedRecord, valid_versions};
use records::visit::{Secrecy, Visitor};
use records::{EncodeError, Exposure, FieldKind, FieldSchema, StructSchema, Uuid};

fn uvarint(mut value: usize) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

fn counted(parts: &[Vec<u8>]) -> Vec<u8> {
    [uvarint(parts.len() + 1), parts.concat()].concat()
}

fn length_prefixed(content: &[u8]) -> Vec<u8> {
    [&uvarint(content.len() + 1)[..], content].concat()
}

fn fixed(len: usize) -> BoxedStrategy<Vec<u8>> {
    prop_oneof![
        2 => vec(any::<u8>(), len),
        1 => Just(vec![0; len]),
        1 => Just(vec![0xff; len]),
    ]
    .boxed()
}

fn kind_bytes(kind: FieldKind, version: i16) -> BoxedStrategy<Vec<u8>> {
    match kind {
        FieldKind::Bool => (0..=1_u8).prop_map(|byte| vec![byte]).boxed(),
        FieldKind::Int8 => fixed(1),
        FieldKind::Int16 | FieldKind::Uint16 => fixed(2),
        FieldKind::Int32 => fixed(4),
        FieldKind::Int64 | FieldKind::Float64 => fixed(8),
        FieldKind::Uuid => fixed(16),
        FieldKind::String => prop_oneof![
            8 => ".{0,8}",
            1 => "[a-z]{127,129}",
        ]
        .prop_map(|text| length_prefixed(text.as_bytes()))
        .boxed(),
        FieldKind::Bytes => vec(any::<u8>(), 0..40)
            .prop_map(|bytes| length_prefixed(&bytes))
            .boxed(),
        FieldKind::Array(element) => vec(kind_bytes(*element, version), 0..4)
            .prop_map(|parts| counted(&parts))
            .boxed(),
        FieldKind::Nullable(inner) => {
            prop_oneof![1 => Just(vec![0]), 3 => kind_bytes(*inner, version)].boxed()
        }
        FieldKind::Struct(schema) => struct_bytes(schema, version),
    }
}

/// Bytes of a struct with up to two unknown tags beyond those of the schema.
fn struct_bytes(schema: &'static StructSchema, version: i16) -> BoxedStrategy<Vec<u8>> {
    let present = |field: &&FieldSchema| field.since <= version;
    let plain: Vec<_> = schema
        .fields
        .iter()
        .filter(present)
        .filter(|field| field.tag.is_none())
        .map(|field| kind_bytes(field.kind, version))
        .collect();
    let tagged: Vec<_> = schema
        .fields
        .iter()
        .filter(present)
        .filter_map(|field| Some((field.tag? as usize, field)))
        .map(|(tag, field)| {
            let default = default_bytes(field);
            let content = kind_bytes(field.kind, version);
            proptest::option::of(content).prop_map(move |content| {
                content
                    .filter(|bytes| *bytes != default)
                    .map(|bytes| (tag, bytes))
            })
        })
        .collect();
    let unknown = proptest::collection::btree_map(100..40_000_usize, vec(any::<u8>(), 0..5), 0..3);
    (plain, tagged, unknown)
        .prop_map(|(plain, tagged, unknown)| {
            let mut tags: BTreeMap<usize, Vec<u8>> = unknown;
            tags.extend(tagged.into_iter().flatten());
            let mut out = plain.concat();
            out.extend(uvarint(tags.len()));
            for (tag, content) in tags {
                out.extend(uvarint(tag));
                out.extend(uvarint(content.len()));
                out.extend(content);
            }
            out
        })
        .boxed()
}

/// The default of a tagged field, as bytes.
fn default_bytes(field: &FieldSchema) -> Vec<u8> {
    struct Encoder(FieldKind, Vec<u8>);
    impl Visitor for Encoder {
        fn begin_struct(&mut self) {}
        fn end_struct(&mut self) {}
        fn field(&mut self, _: &'static str, _: Secrecy) {}
        fn begin_array(&mut self, len: usize) {
            self.1 = uvarint(len + 1);
        }
        fn end_array(&mut self) {}
        fn null(&mut self) {
            self.1 = vec![0];
        }
        fn boolean(&mut self, value: bool) {
            self.1 = vec![u8::from(value)];
        }
        fn integer(&mut self, value: i64) {
            let width = match self.0 {
                FieldKind::Int8 => 1,
                FieldKind::Int16 | FieldKind::Uint16 => 2,
                FieldKind::Int32 => 4,
                _ => 8,
            };
            self.1 = value.to_be_bytes()[8 - width..].to_vec();
        }
        fn float(&mut self, value: f64) {
            self.1 = value.to_be_bytes().to_vec();
        }
        fn string(&mut self, value: &str) {
            self.1 = length_prefixed(value.as_bytes());
        }
        fn bytes(&mut self, value: &[u8]) {
            self.1 = length_prefixed(value);
        }
        fn uuid(&mut self, value: Uuid) {
            self.1 = value.as_bytes().to_vec();
        }
    }
    let mut encoder = Encoder(field.kind, Vec::new());
    (field.visit_default)(&mut encoder);
    encoder.1
}

/// Every kind in every version any line knows, and one beyond.
fn kinds_and_versions() -> Vec<(RecordKind, i16)> {
    let newest = |kind| {
        records::feature::Line::ALL
            .iter()
            .filter_map(|line| valid_versions(*line, kind))
            .map(|(_, high)| high)
            .max()
    };
    RecordKind::ALL
        .iter()
        .flat_map(|&kind| {
            (0..=newest(kind).expect("some line knows it") + 1).map(move |version| (kind, version))
        })
        .collect()
}

fn frame(kind: RecordKind, version: i16, body: &[u8]) -> Vec<u8> {
    [&[1, kind.api_key() as u8, version as u8][..], body].concat()
}

fn any_record() -> impl Strategy<Value = Vec<u8>> {
    proptest::sample::select(kinds_and_versions()).prop_flat_map(|(kind, version)| {
        struct_bytes(kind.schema(), version).prop_map(move |body| frame(kind, version, &body))
    })
}

/// Runs `check` on some values of every kind and version; `any_record` alone might miss one.
fn for_every_kind(check: impl Fn(&[u8]) -> Result<(), TestCaseError>) {
    for (kind, version) in kinds_and_versions() {
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(48));
        runner
            .run(&struct_bytes(kind.schema(), version), |body| {
                check(&frame(kind, version, &body))
            })
            .unwrap_or_else(|error| panic!("{} in version {version}: {error}", kind.name()));
    }
}

#[test]
fn every_record_in_every_version_comes_back() {
    for_every_kind(|bytes| {
        let record = VersionedRecord::decode(bytes)
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        let mut again = Vec::new();
        record
            .encode(&mut again)
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&again[..], bytes);
        prop_assert_eq!(record.encoded_len(), Ok(bytes.len()));
        prop_assert_eq!(VersionedRecord::decode(&again), Ok(record));
        Ok(())
    });
}

#[test]
fn every_cut_is_refused() {
    for_every_kind(|bytes| {
        for len in 0..bytes.len() {
            let cut = VersionedRecord::decode(&bytes[..len]);
            prop_assert!(
                cut.is_err(),
                "{} of {} bytes read as {:?}",
                len,
                bytes.len(),
                cut
            );
            let position = cut.expect_err("just checked").position();
            prop_assert!(position <= len, "an error at {} of {} bytes", position, len);
        }
        Ok(())
    });
}

#[test]
fn every_default_record_comes_back() {
    for (kind, version) in kinds_and_versions() {
        let record = VersionedRecord {
            version,
            record: kind.default_record(),
        };
        let mut bytes = Vec::new();
        record.encode(&mut bytes).expect("defaults fit any version");
        assert_eq!(
            VersionedRecord::decode(&bytes),
            Ok(record),
            "{} in {version}",
            kind.name()
        );
    }
}

#[test]
fn every_control_record_comes_back() {
    for &kind in ControlKind::ALL {
        for version in 0..=kind.newest_version() {
            let key = [&[0, 0][..], &kind.type_id().to_be_bytes()].concat();
            let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(64));
            let strategy = struct_bytes(kind.schema(), version).prop_map(move |mut value| {
                value[..2].copy_from_slice(&version.to_be_bytes());
                value
            });
            let run = runner.run(&strategy, |value| {
                let record = ControlRecord::decode(&key, &value)
                    .map_err(|error| TestCaseError::fail(error.to_string()))?;
                let mut again = Vec::new();
                record
                    .encode_value(&mut again)
                    .map_err(|error| TestCaseError::fail(error.to_string()))?;
                prop_assert_eq!(&again, &value);
                prop_assert_eq!(record.version(), Some(version));
                for len in 0..value.len() {
                    prop_assert!(ControlRecord::decode(&key, &value[..len]).is_err());
                }
                Ok(())
            });
            run.unwrap_or_else(|error| {
                panic!("{} in version {version}: {error}", kind.type_name())
            });
        }
    }
}

/// Which fields of `record` that `version` does not have hold something else than their default.
fn beyond(record: &MetadataRecord, version: i16) -> Vec<&'static str> {
    let shown = |record: &MetadataRecord| {
        let mut text = common::Text::default();
        record.accept(i16::MAX, &mut text);
        text.0
    };
    let with_defaults = shown(&record.kind().default_record());
    let this = shown(record);
    record
        .kind()
        .schema()
        .fields
        .iter()
        .filter(|field| field.since > version && field.exposure != Exposure::Beside)
        .map(|field| field.name)
        .filter(|name| value_of(&this, name) != value_of(&with_defaults, name))
        .collect()
}

/// The value after `"name":` at the outermost level, up to where its brackets close.
fn value_of<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    let start = json.find(&format!("\"{name}\":"))? + name.len() + 3;
    let mut depth = 0;
    let end = json[start..].find(|letter| {
        match letter {
            '[' | '{' => depth += 1,
            ']' | '}' if depth > 0 => depth -= 1,
            ',' | '}' => return depth == 0,
            _ => {}
        }
        false
    });
    Some(&json[start..start + end?])
}

proptest! {
    /// A record of a newer version is written in an older one exactly if that loses nothing.
    #[test]
    fn an_older_version_carries_only_what_it_has(bytes in any_record(), down in 0..5_i16) {
        let record = VersionedRecord::decode(&bytes).expect("made to be read");
        let version = (record.version - down).max(0);
        let lost = beyond(&record.record, version);
        let older = VersionedRecord { version, record: record.record };
        let mut out = vec![7];
        match older.encode(&mut out) {
            Ok(()) => {
                prop_assert!(lost.is_empty(), "{:?} went missing", lost);
                prop_assert_eq!(VersionedRecord::decode(&out[1..]), Ok(older));
            }
            Err(EncodeError::FieldNotInVersion { field, .. }) => {
                prop_assert!(lost.contains(&field), "{} holds its default", field);
                prop_assert_eq!(out, [7], "nothing is written");
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in vec(any::<u8>(), 0..200)) {
        let _ = VersionedRecord::decode(&bytes);
        let _ = ControlRecord::decode(&bytes, &bytes);
    }

    /// Past the frame, where the interesting code is.
    #[test]
    fn arbitrary_bodies_never_panic(
        (kind, version) in proptest::sample::select(kinds_and_versions()),
        body in vec(prop_oneof![any::<u8>(), 0..4_u8], 0..200),
    ) {
        let bytes = frame(kind, version, &body);
        if let Ok(record) = VersionedRecord::decode(&bytes) {
            // Unknown tags may stand in an order that cannot be written.
            let mut out = Vec::new();
            if record.encode(&mut out).is_ok() {
                prop_assert_eq!(VersionedRecord::decode(&out), Ok(record));
            }
        }
    }

    /// One flipped bit, one byte more, one inflated byte: an error or another record, never a panic.
    #[test]
    fn damaged_records_never_panic(bytes in any_record(), at in any::<prop::sample::Index>(), mask in 1..=u8::MAX) {
        let at = at.index(bytes.len());
        let mut flipped = bytes.clone();
        flipped[at] ^= mask;
        let _ = VersionedRecord::decode(&flipped);
        let mut inserted = bytes.clone();
        inserted.insert(at, mask);
        let _ = VersionedRecord::decode(&inserted);
        let mut longer = bytes;
        longer.push(mask);
        prop_assert!(VersionedRecord::decode(&longer).is_err());
    }

    #[test]
    fn control_values_never_panic(
        kind in proptest::sample::select(ControlKind::ALL),
        value in vec(prop_oneof![any::<u8>(), 0..4_u8], 0..120),
    ) {
        let key = [&[0, 0][..], &kind.type_id().to_be_bytes()].concat();
        if let Ok(record) = ControlRecord::decode(&key, &value) {
            let mut out = Vec::new();
            if record.encode_value(&mut out).is_ok() {
                prop_assert_eq!(ControlRecord::decode(&key, &out), Ok(record));
            }
        }
    }

    #[test]
    fn uuids_come_back(bytes in any::<[u8; 16]>()) {
        let uuid = Uuid::from_bytes(bytes);
        prop_assert_eq!(uuid.to_string().parse(), Ok(uuid));
        prop_assert_eq!(uuid.to_string().len(), 22);
    }

    #[test]
    fn uuid_texts_never_panic(text in ".{0,30}") {
        let _ = text.parse::<Uuid>();
    }
}
