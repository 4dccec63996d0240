//! What visitors see: which fields, under which names, which of them as secrets.

mod common;

use bytes::Bytes;
use common::Text;
use records::metadata::{
    BrokerRegistrationChangeRecord, ClientQuotaRecord, ConfigRecord, EntityData, MetadataRecord,
    PartitionChangeRecord, RecordKind, RegisterBrokerRecord, UserScramCredentialRecord,
};
use records::visit::{Secrecy, Visitor};
use records::{EncodeError, Exposure, Float64, TagProblem, TaggedFields, Uuid, metadata};

fn text(version: i16, record: impl Into<MetadataRecord>) -> String {
    let mut text = Text::default();
    record.into().accept(version, &mut text);
    text.0
}

/// Names of the fields that a visitor is told to keep to itself.
fn secrets(record: impl Into<MetadataRecord>) -> Vec<&'static str> {
    #[derive(Default)]
    struct Secrets(Vec<&'static str>);
    impl Visitor for Secrets {
        fn begin_struct(&mut self) {}
        fn end_struct(&mut self) {}
        fn field(&mut self, name: &'static str, secrecy: Secrecy) {
            if secrecy == Secrecy::Secret {
                self.0.push(name);
            }
        }
        fn begin_array(&mut self, _: usize) {}
        fn end_array(&mut self) {}
        fn null(&mut self) {}
        fn boolean(&mut self, _: bool) {}
        fn integer(&mut self, _: i64) {}
        fn float(&mut self, _: f64) {}
        fn string(&mut self, _: &str) {}
        fn bytes(&mut self, _: &[u8]) {}
        fn uuid(&mut self, _: Uuid) {}
    }
    let mut seen = Secrets::default();
    record.into().accept(0, &mut seen);
    seen.0
}

#[test]
fn plain_fields_are_always_there_and_tagged_ones_if_set() {
    let mut broker = RegisterBrokerRecord {
        broker_id: 11,
        rack: None,
        ..Default::default()
    };
    let zero = Uuid::ZERO;
    assert_eq!(
        text(1, broker.clone()),
        format!(
            r#"{{"brokerId":11,"incarnationId":"{zero}","brokerEpoch":0,"endPoints":[],"features":[],"rack":null,"fenced":true,"inControlledShutdown":false}}"#
        )
    );
    broker.cordoned_log_dirs = Some(Vec::new());
    assert!(
        text(4, broker.clone()).ends_with(r#""inControlledShutdown":false,"cordonedLogDirs":[]}"#)
    );
    assert!(!text(3, broker).contains("cordonedLogDirs"));
    let change = BrokerRegistrationChangeRecord {
        broker_id: 13,
        fenced: -1,
        ..Default::default()
    };
    assert_eq!(
        text(0, change),
        r#"{"brokerId":13,"brokerEpoch":0,"fenced":-1}"#
    );
    let change = PartitionChangeRecord {
        leader: 3,
        isr: Some(vec![3, 1]),
        ..Default::default()
    };
    assert!(text(0, change).ends_with(r#""isr":[3,1],"leader":3}"#));
}

#[test]
fn quotas_read_as_recorded() {
    let entity = |entity_type: &str, entity_name: Option<&str>| EntityData {
        entity_type: entity_type.into(),
        entity_name: entity_name.map(Into::into),
        ..Default::default()
    };
    let quota = ClientQuotaRecord {
        entity: vec![entity("client-id", Some("c1")), entity("user", None)],
        key: "producer_byte_rate".into(),
        value: Float64::from(512.0),
        ..Default::default()
    };
    assert_eq!(
        text(0, quota),
        r#"{"entity":[{"entityType":"client-id","entityName":"c1"},{"entityType":"user","entityName":null}],"key":"producer_byte_rate","value":512.0,"remove":false}"#
    );
}

#[test]
fn credentials_are_secret() {
    let scram = UserScramCredentialRecord {
        name: "alice".into(),
        salt: Bytes::from_static(b"salt"),
        ..Default::default()
    };
    assert_eq!(secrets(scram), ["salt", "storedKey", "serverKey"]);
    let config = |name: &str| {
        secrets(ConfigRecord {
            resource_type: 4,
            name: name.into(),
            ..Default::default()
        })
    };
    for name in [
        "ssl.keystore.password",
        "ssl.key.password",
        "ssl.keystore.key",
        "ssl.keystore.certificate.chain",
        "ssl.truststore.certificates",
        "listener.name.external.ssl.truststore.password",
        "sasl.jaas.config",
        "listener.name.sasl.scram-sha-256.sasl.jaas.config",
        "delegation.token.secret.key",
        "sasl.oauthbearer.client.credentials.client.secret",
        "sasl.oauthbearer.assertion.private.key.passphrase",
    ] {
        assert_eq!(config(name), ["value"], "{name}");
    }
    for name in [
        "min.insync.replicas",
        "ssl.keystore.location",
        "log.retention.ms",
        "ssl.keystore.type",
    ] {
        assert!(config(name).is_empty(), "{name}");
    }
}

#[test]
fn only_these_records_hold_secrets() {
    let holders: Vec<&str> = RecordKind::ALL
        .iter()
        .filter(|kind| {
            kind.schema()
                .fields
                .iter()
                .any(|field| field.exposure != Exposure::Public)
        })
        .map(|kind| kind.name())
        .collect();
    assert_eq!(holders, ["ConfigRecord", "UserScramCredentialRecord"]);
}

#[test]
fn unknown_tags_must_ascend_and_stay_unknown() {
    let written = |tags: &[u32]| {
        let mut unknown_tagged_fields = TaggedFields::new();
        for tag in tags {
            unknown_tagged_fields.push(*tag, Bytes::from_static(b"?"));
        }
        let record = RegisterBrokerRecord {
            unknown_tagged_fields,
            ..Default::default()
        };
        let mut out = Vec::new();
        metadata::VersionedRecord::new(0, record)
            .encode(&mut out)
            .map(|()| out)
    };
    let refused = |tag, problem| {
        Err(EncodeError::UnknownTag {
            record: "RegisterBrokerRecord",
            tag,
            problem,
        })
    };
    assert!(
        written(&[2, 3, 900])
            .is_ok_and(|bytes| bytes.ends_with(b"\x03\x02\x01?\x03\x01?\x84\x07\x01?"))
    );
    assert_eq!(written(&[3, 2]), refused(2, TagProblem::Order));
    assert_eq!(written(&[2, 2]), refused(2, TagProblem::Order));
    // A tag of a version beyond the one written is known all the same: it could not be read back.
    assert_eq!(written(&[1]), refused(1, TagProblem::Known));
}

#[test]
fn what_cannot_be_written_says_why() {
    let mut out = Vec::new();
    let long = metadata::TopicRecord {
        name: "x".repeat(32_768),
        ..Default::default()
    };
    assert_eq!(
        metadata::VersionedRecord::new(0, long).encode(&mut out),
        Err(EncodeError::StringTooLong {
            field: "name",
            len: 32_768
        })
    );
    let negative = metadata::VersionedRecord::new(-1, metadata::NoOpRecord::default());
    assert_eq!(
        negative.encode(&mut out),
        Err(EncodeError::NegativeVersion {
            record: "NoOpRecord",
            version: -1
        })
    );
    let log_dirs = vec![Uuid::METADATA_TOPIC_ID];
    let early = RegisterBrokerRecord {
        log_dirs,
        ..Default::default()
    };
    let error = metadata::VersionedRecord::new(2, early)
        .encode(&mut out)
        .expect_err("no log dirs in version 2");
    assert_eq!(
        error.to_string(),
        "RegisterBrokerRecord: field logDirs exists since version 3; version 2 cannot carry a non-default value"
    );
    assert!(out.is_empty());
}
