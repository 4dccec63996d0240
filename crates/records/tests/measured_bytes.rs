//! Bytes that real servers and tools wrote, and what they say.

mod common;

use common::{Text, hex};
use records::control::{
    ControlKind, ControlRecord, KRaftVersionFeature, KRaftVersionRecord, LeaderChangeMessage,
    LeaderChangeVoter, SnapshotFooterRecord, SnapshotHeaderRecord, Voter, VoterEndpoint,
    VotersRecord,
};
use records::metadata::{
    BeginTransactionRecord, EndTransactionRecord, FeatureLevelRecord, MetadataRecord, NoOpRecord,
    VersionedRecord,
};
use records::{DecodeError, Uuid};

fn metadata_record_is(bytes: &[u8], record: impl Into<MetadataRecord>) {
    let record = VersionedRecord::new(0, record);
    assert_eq!(VersionedRecord::decode(bytes), Ok(record.clone()));
    let mut written = Vec::new();
    record.encode(&mut written).expect("writable");
    assert_eq!(written, bytes);
    assert_eq!(record.encoded_len(), Ok(bytes.len()));
}

fn control_record_is(key: &[u8], value: &[u8], record: impl Into<ControlRecord>) {
    let record = record.into();
    assert_eq!(ControlRecord::decode(key, value).as_ref(), Ok(&record));
    let (mut written_key, mut written_value) = (Vec::new(), Vec::new());
    record.encode_key(&mut written_key);
    record.encode_value(&mut written_value).expect("writable");
    assert_eq!((&written_key[..], &written_value[..]), (key, value));
}

fn voters() -> VotersRecord {
    let voter = Voter {
        voter_id: 1,
        voter_directory_id: Uuid::from_bytes(
            hex("8b5bc1fbe357459e93bd141d1c9ec7fa")
                .try_into()
                .expect("16 bytes"),
        ),
        endpoints: vec![VoterEndpoint {
            name: "CONTROLLER".into(),
            host: "127.0.0.1".into(),
            port: 19193,
            ..Default::default()
        }],
        kraft_version_feature: KRaftVersionFeature {
            min_supported_version: 0,
            max_supported_version: 1,
            ..Default::default()
        },
        ..Default::default()
    };
    VotersRecord {
        voters: vec![voter],
        ..Default::default()
    }
}

#[test]
fn metadata_records_of_a_format() {
    let bytes = hex("01 0c 00 11 6d657461646174612e76657273696f6e 0015 00");
    assert_eq!(bytes.len(), 23);
    let name = "metadata.version".into();
    metadata_record_is(
        &bytes,
        FeatureLevelRecord {
            name,
            feature_level: 21,
            ..Default::default()
        },
    );
    metadata_record_is(&hex("01 14 00 00"), NoOpRecord::default());
    let begin = [&hex("01 17 00 01 00 12 12")[..], b"Bootstrap records"].concat();
    let name = Some("Bootstrap records".into());
    metadata_record_is(
        &begin,
        BeginTransactionRecord {
            name,
            ..Default::default()
        },
    );
    metadata_record_is(&hex("01 18 00 00"), EndTransactionRecord::default());
}

#[test]
fn control_records_of_checkpoints() {
    control_record_is(
        &hex("00000003"),
        &hex("0000 0000000000000000 00"),
        SnapshotHeaderRecord::default(),
    );
    let last_contained_log_timestamp = 0x01a2_2911_7cbd;
    control_record_is(
        &hex("00000003"),
        &hex("0000 000001a229117cbd 00"),
        SnapshotHeaderRecord {
            last_contained_log_timestamp,
            ..Default::default()
        },
    );
    control_record_is(
        &hex("00000004"),
        &hex("0000 00"),
        SnapshotFooterRecord::default(),
    );
    control_record_is(
        &hex("00000005"),
        &hex("0000 0001 00"),
        KRaftVersionRecord {
            kraft_version: 1,
            ..Default::default()
        },
    );
    control_record_is(
        &hex("00000006"),
        &hex(
            "0000 02 00000001 8b5bc1fbe357459e93bd141d1c9ec7fa 02 0b 434f4e54524f4c4c4552 \
             0a 3132372e302e302e31 4af9 00 0000 0001 00 00 00",
        ),
        voters(),
    );
}

#[test]
fn leader_changes_in_both_versions() {
    let voter = |voter_directory_id| LeaderChangeVoter {
        voter_id: 1,
        voter_directory_id,
        ..Default::default()
    };
    control_record_is(
        &hex("00000002"),
        &hex("0000 00000001 02 00000001 00 02 00000001 00 00"),
        LeaderChangeMessage {
            leader_id: 1,
            voters: vec![voter(Uuid::ZERO)],
            granting_voters: vec![voter(Uuid::ZERO)],
            ..Default::default()
        },
    );
    let directory = "00000000000000000000000000000001";
    control_record_is(
        &hex("00000002"),
        &hex(&format!("0001 00000001 02 00000001 {directory} 00 01 00")),
        LeaderChangeMessage {
            version: 1,
            leader_id: 1,
            voters: vec![voter(Uuid::METADATA_TOPIC_ID)],
            ..Default::default()
        },
    );
}

#[test]
fn a_version_nobody_writes_reads_in_the_newest_layout() {
    let footer = SnapshotFooterRecord {
        version: 255,
        ..Default::default()
    };
    control_record_is(&hex("00000004"), &hex("00ff 00"), footer);
    let record = VersionedRecord::decode(&hex("01 14 7f 00")).expect("NoOp in version 127");
    assert_eq!(record, VersionedRecord::new(127, NoOpRecord::default()));
}

#[test]
fn unknown_control_records_are_kept() {
    for (key, value) in [
        ("00000000", ""),
        ("00000007", "0000"),
        ("00010003", "00"),
        ("0000000300", "00"),
    ] {
        let (key, value) = (hex(key), hex(value));
        let record = ControlRecord::decode(&key, &value).expect("any type is kept");
        assert_eq!(record.type_name(), "Unknown");
        assert_eq!((record.kind(), record.version()), (None, None));
        control_record_is(&key, &value, record);
    }
}

#[test]
fn keys_that_kafka_refuses_are_refused() {
    let error =
        ControlRecord::decode(&hex("ffff0003"), &hex("0000")).expect_err("negative version");
    assert_eq!(
        error.to_string(),
        "byte 0: version of a control record's key: expected 0 or more, found -1"
    );
    for cut in ["", "00", "000000"] {
        assert!(
            ControlRecord::decode(&hex(cut), &hex("0000")).is_err(),
            "{cut}"
        );
    }
}

#[test]
fn visitors_see_kafkas_names() {
    let mut text = Text::default();
    ControlRecord::from(voters()).accept(&mut text);
    assert_eq!(
        text.0,
        r#"{"voters":[{"voterId":1,"voterDirectoryId":"i1vB--NXRZ6TvRQdHJ7H-g","endpoints":[{"name":"CONTROLLER","host":"127.0.0.1","port":19193}],"kRaftVersionFeature":{"minSupportedVersion":0,"maxSupportedVersion":1}}]}"#
    );
    assert_eq!(ControlKind::KRaftVoters.type_name(), "KRaftVoters");
}

#[test]
fn errors_name_place_and_expectation() {
    let error = |bytes: &str| VersionedRecord::decode(&hex(bytes)).expect_err("not a record");
    assert_eq!(error("00 14 00 00"), DecodeError::FrameVersion { found: 0 });
    assert!(error("00 14 00 00").to_string().contains("2.8"));
    assert_eq!(error("02 14 00 00"), DecodeError::FrameVersion { found: 2 });
    assert_eq!(
        error("01 06 00 00"),
        DecodeError::UnknownRecordType {
            position: 1,
            found: 6
        }
    );
    assert_eq!(
        error("01 14 00 00 00"),
        DecodeError::TrailingBytes {
            position: 4,
            what: "NoOpRecord".to_owned(),
            found: 1
        }
    );
    let inflated = error("01 03 00 00000000 00000000000000000000000000000001 ffffffff07");
    assert_eq!(
        inflated,
        DecodeError::UnexpectedEnd {
            position: 28,
            what: "PartitionRecord.replicas".to_owned(),
            expected: 0x7fff_fffe * 4,
            found: 0
        }
    );
    assert_eq!(inflated.position(), 28);
    assert_eq!(
        inflated.expected(),
        "8589934584 more bytes of PartitionRecord.replicas"
    );
    assert_eq!(inflated.found(), "0 bytes");
    let null_name = error("01 0c 00 00 0015 00");
    assert_eq!(
        null_name.to_string(),
        "byte 3: FeatureLevelRecord.name: expected a value, found null"
    );
    let not_utf8 = error("01 0c 00 03 41ff 0015 00");
    assert_eq!(
        not_utf8.to_string(),
        "byte 5: FeatureLevelRecord.name: expected UTF-8, found byte 0xff"
    );
    let endless = error("01 0c 00 ffffffffff");
    assert_eq!(endless.position(), 3);
    let early_tag = error(
        "01 00 00 00000001 00000000000000000000000000000000 0000000000000000 01 01 00 01 01 00 01 01",
    );
    assert!(early_tag.to_string().contains("logDirs"), "{early_tag}");
    let wrong_size = error("01 17 00 01 00 03 02 41 42");
    assert!(
        matches!(wrong_size, DecodeError::TrailingBytes { position: 8, .. }),
        "{wrong_size}"
    );
}
