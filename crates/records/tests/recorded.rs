//! Records of real servers' logs: one of each shape, with the JSON that Kafka's own tool printed of it.
//!
//! `fixtures/recorded.tsv`: the recording it is from, key (`-` for a metadata record) and value in hexadecimal, type,
//! version, and the JSON. Only ids, ports and times are not from that tool but from the bytes.

mod common;

use common::{Text, hex};
use records::control::ControlRecord;
use records::metadata::VersionedRecord;

const RECORDED: &str = include_str!("fixtures/recorded.tsv");

struct Recorded<'a> {
    key: Option<Vec<u8>>,
    value: Vec<u8>,
    type_name: &'a str,
    version: i16,
    json: &'a str,
}

fn recorded() -> Vec<Recorded<'static>> {
    let parse = |line: &'static str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [_, key, value, type_name, version, json] = cells[..] else {
            panic!("ragged row {line}");
        };
        let key = (key != "-").then(|| hex(key));
        let version = version.parse().expect("a version is a number");
        Recorded {
            key,
            value: hex(value),
            type_name,
            version,
            json,
        }
    };
    RECORDED.lines().skip(1).map(parse).collect()
}

#[test]
fn recorded_metadata_records_read_as_kafka_printed_them() {
    let mut count = 0;
    for row in recorded().iter().filter(|row| row.key.is_none()) {
        let record = VersionedRecord::decode(&row.value).expect(row.json);
        assert_eq!(
            (record.record.type_name(), record.version),
            (row.type_name, row.version)
        );
        let mut text = Text::default();
        record.accept(&mut text);
        assert_eq!(text.0, row.json, "{}", row.type_name);
        let mut again = Vec::new();
        record.encode(&mut again).expect(row.json);
        assert_eq!(again, row.value, "{}", row.json);
        count += 1;
    }
    assert_eq!(count, 71);
}

#[test]
fn recorded_control_records_read_as_kafka_printed_them() {
    let mut count = 0;
    for row in recorded() {
        let Some(key) = row.key else { continue };
        let record = ControlRecord::decode(&key, &row.value).expect(row.json);
        assert_eq!(
            (record.type_name(), record.version()),
            (row.type_name, Some(row.version))
        );
        let mut text = Text::default();
        record.accept(&mut text);
        assert_eq!(text.0, row.json, "{}", row.type_name);
        let (mut key_again, mut value_again) = (Vec::new(), Vec::new());
        record.encode_key(&mut key_again);
        record.encode_value(&mut value_again).expect(row.json);
        assert_eq!((key_again, value_again), (key, row.value), "{}", row.json);
        count += 1;
    }
    assert_eq!(count, 3);
}
