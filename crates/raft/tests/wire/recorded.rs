//! What Kafka's generated classes wrote, in every version of every release:
//!
//! ```text
//! cd crates/raft/tests/fixtures/wire
//! ../../../../../oracle/kafka-oracle wire samples.jsonl 3.9.2 4.0.2 4.1.2 4.3.1 4.4.0 > recorded.jsonl
//! ```

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use raft::wire::frame::{Frame, RequestHeader, ResponseHeader};
use raft::wire::{self, Api, EncodeError, Kind, Message, Side};
use records::TaggedFields;
use releases::Release;
use serde_json::Value;

use crate::json;

/// A line of the recording.
pub struct Recorded {
    pub kind: Kind,
    pub version: i16,
    pub name: String,
    pub releases: Vec<String>,
    /// Header, message and Kafka's JSON of it; what Kafka says where the version cannot carry it.
    pub written: Result<(Bytes, Bytes, Value), String>,
}

impl Recorded {
    /// Where to look when a test fails.
    pub fn place(&self) -> String {
        format!("{} {} \"{}\"", self.kind, self.version, self.name)
    }
}

pub fn all() -> Vec<Recorded> {
    let lines = include_str!("../fixtures/wire/recorded.jsonl").lines();
    lines.map(recorded).collect()
}

fn recorded(line: &str) -> Recorded {
    let line: Value = serde_json::from_str(line).unwrap();
    let text = |field: &str| line[field].as_str().unwrap_or_else(|| panic!("{field}"));
    let api = Api::all().find(|api| api.name() == text("api")).unwrap();
    let kind = match text("side") {
        "request" => api.request(),
        _ => api.response(),
    };
    let written = match line["refused"].as_str() {
        Some(reason) => Err(reason.to_owned()),
        None => Ok((
            unhex(text("header")),
            unhex(text("bytes")),
            line["json"].clone(),
        )),
    };
    let releases = line["releases"].as_array().unwrap().iter();
    Recorded {
        kind,
        version: line["version"].as_i64().unwrap() as i16,
        name: text("name").to_owned(),
        releases: releases.map(|r| r.as_str().unwrap().to_owned()).collect(),
        written,
    }
}

fn unhex(text: &str) -> Bytes {
    let digits = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.map(byte).collect()
}

#[test]
fn read_and_written_again_are_the_same_bytes() {
    let mut count = 0;
    for recorded in all() {
        let Ok((_, bytes, _)) = &recorded.written else {
            continue;
        };
        let place = recorded.place();
        let (message, unknown) = wire::decode_keeping(recorded.kind, recorded.version, bytes)
            .unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(message.kind(), recorded.kind, "{place}");
        assert_eq!(
            unknown.is_empty(),
            !recorded.name.contains("unknown tagged fields")
                || recorded.kind.api.name() == "Fetch" && recorded.version < 12,
            "{place}"
        );
        let again = wire::encode_keeping(&message, recorded.version, &unknown)
            .unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(&again[..], &bytes[..], "{place}");
        count += 1;
    }
    assert!(count > 300, "only {count} messages were compared");
}

#[test]
fn fields_have_the_names_and_values_that_kafka_shows() {
    for recorded in all() {
        if let Ok((_, bytes, shown)) = &recorded.written {
            let ours = json::of(recorded.kind, recorded.version, bytes);
            assert_eq!(&renamed(shown), &ours, "{}", recorded.place());
        }
    }
}

/// 3.9 calls the sender of a vote a candidate; the bytes are the same.
fn renamed(json: &Value) -> Value {
    let text = json.to_string();
    let text = text.replace("candidateEpoch", "replicaEpoch");
    let candidates = text.contains("preferredCandidates");
    let text = if candidates {
        text
    } else {
        text.replace("candidateDirectoryId", "replicaDirectoryId")
            .replace("candidateId", "replicaId")
    };
    serde_json::from_str(&text).unwrap()
}

#[test]
fn headers_are_the_same_bytes() {
    for recorded in all() {
        let Ok((header, bytes, _)) = &recorded.written else {
            continue;
        };
        let (api, version, place) = (recorded.kind.api, recorded.version, recorded.place());
        let (message, unknown_tagged_fields) =
            wire::decode_keeping(recorded.kind, version, bytes).unwrap();
        let size = (header.len() + bytes.len()) as i32;
        let whole = [&size.to_be_bytes()[..], header, bytes].concat();
        let payload = Bytes::copy_from_slice(&whole[4..]);
        let (written, read) = match recorded.kind.side {
            Side::Request => {
                let frame = Frame {
                    header: RequestHeader {
                        api,
                        version,
                        correlation_id: 7,
                        client_id: Some("raft-client-1".to_owned()),
                        unknown_tagged_fields: TaggedFields::new(),
                    },
                    message,
                    unknown_tagged_fields,
                };
                let read = Frame::<RequestHeader>::decode(&payload).unwrap();
                (frame.encode().unwrap(), read == frame)
            }
            Side::Response => {
                let frame = Frame {
                    header: ResponseHeader {
                        correlation_id: 7,
                        unknown_tagged_fields: TaggedFields::new(),
                    },
                    message,
                    unknown_tagged_fields,
                };
                let read = Frame::<ResponseHeader>::decode(api, version, &payload).unwrap();
                (frame.encode(version).unwrap(), read == frame)
            }
        };
        assert_eq!(&written[..], &whole[..], "{place}");
        assert!(read, "{place}: read another frame");
    }
}

/// What Kafka will not write in a version we will not write either. An endpoint in a response of version 0 is left out
/// here, because raft leaves it out (`4.4:raft/…/RaftUtil.java`).
#[test]
fn what_a_version_cannot_say_is_refused() {
    let newest = newest();
    let mut refused = 0;
    for recorded in all() {
        let Err(reason) = &recorded.written else {
            continue;
        };
        let message = &newest[&(recorded.kind, recorded.name.clone())].1;
        let result = wire::encode(message, recorded.version);
        if reason.contains("nodeEndpoints") {
            result.unwrap();
        } else {
            assert!(
                matches!(result, Err(EncodeError::Unsupported(_))),
                "{}: {result:?}",
                recorded.place()
            );
            refused += 1;
        }
    }
    assert_eq!(refused, 3);
}

/// The newest version of each sample.
fn newest() -> BTreeMap<(Kind, String), (i16, Message)> {
    let mut newest = BTreeMap::new();
    for recorded in all() {
        let Ok((_, bytes, _)) = &recorded.written else {
            continue;
        };
        let message = wire::decode(recorded.kind, recorded.version, bytes).unwrap();
        let entry = newest.entry((recorded.kind, recorded.name));
        let entry = entry.or_insert_with(|| (recorded.version, message.clone()));
        if entry.0 < recorded.version {
            *entry = (recorded.version, message);
        }
    }
    newest
}

/// The bytes that Kafka writes of one message in an older version are those that we write of it.
#[test]
fn an_older_version_is_written_as_kafka_writes_it() {
    let newest = newest();
    let mut count = 0;
    for recorded in all() {
        let Ok((_, bytes, _)) = &recorded.written else {
            continue;
        };
        let (_, message) = &newest[&(recorded.kind, recorded.name.clone())];
        // Releases before a field was there write the message without it; those that know the field refuse.
        let unsaid = ["prospective", "acknowledged when appended"].contains(&&recorded.name[..])
            && !recorded.releases.contains(&"4.4.0".to_owned());
        if unsaid || recorded.name.contains("unknown") {
            continue;
        }
        let ours = wire::encode(message, recorded.version)
            .unwrap_or_else(|error| panic!("{}: {error}", recorded.place()));
        assert_eq!(&ours[..], &bytes[..], "{}", recorded.place());
        count += 1;
    }
    assert!(count > 200, "only {count} messages were compared");
}

/// Every version that a release speaks is in the recording, and no other.
#[test]
fn releases_speak_the_recorded_versions() {
    let mut spoken: BTreeMap<(String, Api), BTreeSet<i16>> = BTreeMap::new();
    for recorded in all() {
        for release in recorded.releases {
            let versions = spoken.entry((release, recorded.kind.api)).or_default();
            versions.insert(recorded.version);
        }
    }
    assert_eq!(spoken.len(), 5 * 11);
    for ((release, api), versions) in spoken {
        let rules = release.parse::<Release>().unwrap().rules();
        let range = rules.raft.api_versions.versions(api.code()).unwrap();
        assert_eq!(versions, range.collect(), "{release} {api}");
    }
}
