//! The fold, its hash, and snapshots of it.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

use image::{ApplyError, Delta, Dialect, MetadataImage, feature_record};
use proptest::prelude::*;
use records::feature::MetadataVersion;
use records::metadata::{
    AccessControlEntryRecord, BrokerRegistrationChangeRecord, ClearElrRecord, ClientQuotaRecord,
    ConfigRecord, DelegationTokenRecord, EntityData, FenceBrokerRecord, NoOpRecord,
    PartitionChangeRecord, PartitionRecord, ProducerIdsRecord, RegisterBrokerRecord,
    RegisterControllerRecord, RemoveAccessControlEntryRecord, RemoveDelegationTokenRecord,
    RemoveTopicRecord, RemoveUserScramCredentialRecord, TopicRecord, UnfenceBrokerRecord,
    UnregisterBrokerRecord, UnregisterControllerRecord, UserScramCredentialRecord, VersionedRecord,
    ZkMigrationStateRecord,
};
use records::{Float64, NodeId, Uuid};
use releases::Release;

fn uuid(n: u8) -> Uuid {
    Uuid::from_bytes([n.wrapping_add(1); 16])
}

/// A record out of a small world, so that records meet each other's entries.
fn any_record() -> impl Strategy<Value = VersionedRecord> {
    prop_oneof![
        2 => finalized_record(),
        3 => cluster_record(),
        3 => topic_record(),
        2 => entry_record(),
        2 => security_record(),
    ]
}

fn cluster_record() -> impl Strategy<Value = VersionedRecord> {
    let small = 0..3u8;
    prop_oneof![
        small.clone().prop_map(|n| VersionedRecord::new(
            4,
            RegisterBrokerRecord {
                broker_id: i32::from(n),
                broker_epoch: 7,
                incarnation_id: uuid(n),
                log_dirs: vec![uuid(n)],
                fenced: true,
                ..Default::default()
            }
        )),
        small.clone().prop_map(|n| VersionedRecord::new(
            0,
            UnregisterBrokerRecord {
                broker_id: i32::from(n),
                ..Default::default()
            }
        )),
        small.clone().prop_map(|n| VersionedRecord::new(
            0,
            FenceBrokerRecord {
                id: i32::from(n),
                epoch: 7,
                ..Default::default()
            }
        )),
        small.clone().prop_map(|n| VersionedRecord::new(
            0,
            UnfenceBrokerRecord {
                id: i32::from(n),
                epoch: 7,
                ..Default::default()
            }
        )),
        (small.clone(), -1..2i8, 0..2i8).prop_map(|(n, fenced, shutdown)| VersionedRecord::new(
            3,
            BrokerRegistrationChangeRecord {
                broker_id: i32::from(n),
                broker_epoch: 7,
                fenced,
                in_controlled_shutdown: shutdown,
                cordoned_log_dirs: Some(vec![uuid(9)]),
                ..Default::default()
            }
        )),
        (small.clone(), small.clone()).prop_map(|(n, i)| VersionedRecord::new(
            0,
            RegisterControllerRecord {
                controller_id: i32::from(n),
                incarnation_id: uuid(i),
                ..Default::default()
            }
        )),
        small.clone().prop_map(|n| VersionedRecord::new(
            0,
            UnregisterControllerRecord {
                controller_id: i32::from(n),
                ..Default::default()
            }
        )),
    ]
}

fn topic_record() -> impl Strategy<Value = VersionedRecord> {
    let small = 0..3u8;
    prop_oneof![
        (small.clone(), small.clone()).prop_map(|(n, id)| VersionedRecord::new(
            0,
            TopicRecord {
                name: format!("topic-{n}"),
                topic_id: uuid(id),
                ..Default::default()
            }
        )),
        small.clone().prop_map(|id| VersionedRecord::new(
            0,
            RemoveTopicRecord {
                topic_id: uuid(id),
                ..Default::default()
            }
        )),
        (small.clone(), small.clone()).prop_map(|(id, p)| VersionedRecord::new(
            2,
            PartitionRecord {
                topic_id: uuid(id),
                partition_id: i32::from(p),
                replicas: vec![1, 2],
                isr: vec![1],
                leader: 1,
                eligible_leader_replicas: Some(vec![2]),
                ..Default::default()
            }
        )),
        (small.clone(), small.clone(), -2..3i32).prop_map(|(id, p, leader)| VersionedRecord::new(
            2,
            PartitionChangeRecord {
                topic_id: uuid(id),
                partition_id: i32::from(p),
                leader,
                isr: Some(vec![2, 1]),
                ..Default::default()
            }
        )),
        small.clone().prop_map(|n| {
            let topic_name = if n == 0 {
                String::new()
            } else {
                format!("topic-{n}")
            };
            VersionedRecord::new(
                0,
                ClearElrRecord {
                    topic_name,
                    ..Default::default()
                },
            )
        }),
    ]
}

fn entry_record() -> impl Strategy<Value = VersionedRecord> {
    let small = 0..3u8;
    prop_oneof![
        (small.clone(), proptest::option::of(0..3u8)).prop_map(|(n, value)| VersionedRecord::new(
            0,
            ConfigRecord {
                resource_type: if n == 2 { 4 } else { 2 },
                resource_name: format!("topic-{n}"),
                name: "retention.ms".to_owned(),
                value: value.map(|v| v.to_string()),
                ..Default::default()
            }
        )),
        (small.clone(), any::<bool>(), 0..3u8).prop_map(|(n, remove, value)| VersionedRecord::new(
            0,
            ClientQuotaRecord {
                entity: vec![EntityData {
                    entity_type: "user".to_owned(),
                    entity_name: (n > 0).then(|| format!("user-{n}")),
                    ..Default::default()
                }],
                key: "consumer_byte_rate".to_owned(),
                value: Float64::from(f64::from(value)),
                remove,
                ..Default::default()
            }
        )),
        (-1..9i64).prop_map(|next| VersionedRecord::new(
            0,
            ProducerIdsRecord {
                next_producer_id: next,
                ..Default::default()
            }
        )),
    ]
}

fn security_record() -> impl Strategy<Value = VersionedRecord> {
    let small = 0..3u8;
    prop_oneof![
        (small.clone(), small.clone()).prop_map(|(id, host)| VersionedRecord::new(
            0,
            AccessControlEntryRecord {
                id: uuid(id),
                host: host.to_string(),
                ..Default::default()
            }
        )),
        small.clone().prop_map(|id| VersionedRecord::new(
            0,
            RemoveAccessControlEntryRecord {
                id: uuid(id),
                ..Default::default()
            }
        )),
        (small.clone(), 0..4i8, 1..3i32).prop_map(|(n, mechanism, iterations)| {
            VersionedRecord::new(
                0,
                UserScramCredentialRecord {
                    name: n.to_string(),
                    mechanism,
                    iterations,
                    ..Default::default()
                },
            )
        }),
        (small.clone(), 0..4i8).prop_map(|(n, mechanism)| VersionedRecord::new(
            0,
            RemoveUserScramCredentialRecord {
                name: n.to_string(),
                mechanism,
                ..Default::default()
            }
        )),
        (small.clone(), 0..3i64).prop_map(|(n, at)| VersionedRecord::new(
            0,
            DelegationTokenRecord {
                token_id: n.to_string(),
                issue_timestamp: at,
                ..Default::default()
            }
        )),
        small.clone().prop_map(|n| VersionedRecord::new(
            0,
            RemoveDelegationTokenRecord {
                token_id: n.to_string(),
                ..Default::default()
            }
        )),
    ]
}

fn finalized_record() -> impl Strategy<Value = VersionedRecord> {
    prop_oneof![
        (0..5i16).prop_map(|level| feature_record("transaction.version", level.min(2))),
        (0..2i16).prop_map(|level| feature_record("eligible.leader.replicas.version", level)),
        (0..2i16).prop_map(|level| feature_record("kraft.version", level)),
        (0..6i8).prop_map(|state| VersionedRecord::new(
            0,
            ZkMigrationStateRecord {
                zk_migration_state: state,
                ..Default::default()
            }
        )),
        Just(VersionedRecord::new(0, NoOpRecord::default())),
    ]
}

fn fold(dialect: &Dialect, records: &[VersionedRecord]) -> MetadataImage {
    let mut image = MetadataImage::empty();
    for record in records {
        let before = image.clone();
        if image.apply(record, dialect, &mut Delta::default()).is_err() {
            assert_eq!(
                image, before,
                "an error leaves the image as it was: {record:?}"
            );
        }
    }
    image
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..Default::default() })]

    #[test]
    fn an_image_equals_the_fold_of_its_snapshot(records in proptest::collection::vec(any_record(), 0..60)) {
        for (release, level) in [(Release::V3_9_2, 21), (Release::V4_0_2, 25), (Release::V4_4_0, 33)] {
            let rules = release.rules();
            let dialect = Dialect::of(&rules);
            let mut all = vec![feature_record("metadata.version", level)];
            all.extend(records.iter().cloned());
            let image = fold(&dialect, &all);
            let version = image.features().metadata_version().unwrap();
            let written = image.snapshot_records(version, &dialect).unwrap();
            let mut read = MetadataImage::empty();
            for record in &written {
                let mut bytes = Vec::new();
                record.encode(&mut bytes).unwrap();
                let record = VersionedRecord::decode(&bytes).unwrap();
                read.apply(&record, &dialect, &mut Delta::default()).unwrap();
            }
            let again = read.snapshot_records(version, &dialect).unwrap();
            prop_assert_eq!(&written, &again, "{}", release);
            if release == Release::V4_4_0 && image.features().is_elr_enabled() {
                // Nothing is left out at the newest version with everything enabled.
                prop_assert_eq!(&image, &read);
                prop_assert_eq!(image.hash(), read.hash());
            }
        }
    }

    #[test]
    fn the_hash_kept_up_to_date_is_the_hash_of_what_is_there(
        records in proptest::collection::vec(any_record(), 0..60),
    ) {
        let rules = Release::V4_4_0.rules();
        let dialect = Dialect::of(&rules);
        let enable = [feature_record("metadata.version", 33), feature_record("eligible.leader.replicas.version", 1)];
        let image = fold(&dialect, &[&records[..], &enable].concat());
        let version = image.features().metadata_version().unwrap();
        let mut written = image.snapshot_records(version, &dialect).unwrap();
        let from_order = fold(&dialect, &written).hash();
        prop_assert_eq!(image.hash(), from_order);
        // Entries of one kind may come in any order; topics stay before their partitions.
        written.sort_by_key(|record| (record.record.api_key(), format!("{record:?}")));
        prop_assert_eq!(image.hash(), fold(&dialect, &written).hash());
    }
}

#[test]
fn different_entries_have_different_hashes() {
    let rules = Release::V4_4_0.rules();
    let dialect = Dialect::of(&rules);
    let hash = |records: &[VersionedRecord]| fold(&dialect, records).hash();
    let a = feature_record("transaction.version", 1);
    let b = feature_record("transaction.version", 2);
    let c = feature_record("group.version", 1);
    assert_ne!(
        hash(std::slice::from_ref(&a)),
        hash(std::slice::from_ref(&b))
    );
    assert_ne!(
        hash(std::slice::from_ref(&a)),
        hash(std::slice::from_ref(&c))
    );
    assert_eq!(hash(&[a.clone(), c.clone()]), hash(&[c.clone(), a.clone()]));
    assert_eq!(hash(&[a, b.clone()]), hash(&[b]));
    assert_eq!(hash(&[]), 0);
}

#[test]
fn impossible_records_are_refused_in_kafkas_cases() {
    let rules = Release::V4_4_0.rules();
    let dialect = Dialect::of(&rules);
    let refused = |record: VersionedRecord| {
        MetadataImage::empty()
            .apply(&record, &dialect, &mut Delta::default())
            .unwrap_err()
    };
    let fence = VersionedRecord::new(
        0,
        FenceBrokerRecord {
            id: 4,
            ..Default::default()
        },
    );
    assert_eq!(
        refused(fence),
        ApplyError::UnknownBroker {
            action: "fence",
            broker: NodeId(4)
        }
    );
    let partition = VersionedRecord::new(
        0,
        PartitionRecord {
            topic_id: uuid(1),
            ..Default::default()
        },
    );
    assert_eq!(
        refused(partition),
        ApplyError::UnknownTopicId {
            id: uuid(1),
            record: "PartitionRecord"
        }
    );
    let clear = VersionedRecord::new(
        0,
        ClearElrRecord {
            topic_name: "t".to_owned(),
            ..Default::default()
        },
    );
    assert!(matches!(refused(clear), ApplyError::UnknownTopic { .. }));
    let acl = VersionedRecord::new(
        0,
        RemoveAccessControlEntryRecord {
            id: uuid(1),
            ..Default::default()
        },
    );
    assert_eq!(refused(acl), ApplyError::UnknownAcl { id: uuid(1) });
    assert_eq!(
        refused(feature_record("metadata.version", 6)),
        ApplyError::UnknownMetadataVersion {
            level: 6,
            lowest: 7,
            highest: 34
        }
    );
}

#[test]
fn kraft_version_and_the_migration_state_are_kept_by_3_9_only() {
    let state = VersionedRecord::new(
        0,
        ZkMigrationStateRecord {
            zk_migration_state: 2,
            ..Default::default()
        },
    );
    let records = [feature_record("kraft.version", 1), state];
    for (release, level, migration) in [
        (Release::V3_9_2, 1, 2),
        (Release::V4_0_0, 0, 0),
        (Release::V4_4_0, 0, 0),
    ] {
        let rules = release.rules();
        let image = fold(&Dialect::of(&rules), &records);
        assert_eq!(image.features().level("kraft.version"), level, "{release}");
        assert_eq!(
            image.features().zk_migration_state(),
            migration,
            "{release}"
        );
    }
}

#[test]
fn a_snapshot_of_3_9_names_the_migration_state_where_the_version_has_it() {
    let rules = Release::V3_9_2.rules();
    let dialect = Dialect::of(&rules);
    let names = |level: i16| -> Vec<&'static str> {
        let image = fold(&dialect, &[feature_record("metadata.version", level)]);
        let records = image
            .snapshot_records(MetadataVersion(level), &dialect)
            .unwrap();
        records.iter().map(|record| record.record.name()).collect()
    };
    assert_eq!(names(21), ["FeatureLevelRecord", "ZkMigrationStateRecord"]);
    assert_eq!(names(7), ["FeatureLevelRecord"]);
    assert_eq!(names(3), Vec::<&str>::new());
}

#[test]
fn measured_order_of_features_in_a_snapshot() {
    let rules = Release::V4_4_0.rules();
    let dialect = Dialect::of(&rules);
    let named = [
        ("metadata.version", 33),
        ("eligible.leader.replicas.version", 1),
        ("group.version", 1),
        ("share.version", 2),
        ("streams.version", 1),
        ("transaction.version", 2),
    ];
    let records: Vec<_> = named
        .iter()
        .map(|(name, level)| feature_record(name, *level))
        .collect();
    let image = fold(&dialect, &records);
    let order = [
        "metadata.version",
        "group.version",
        "streams.version",
        "transaction.version",
        "eligible.leader.replicas.version",
        "share.version",
    ];
    let level = |name| named.iter().find(|(n, _)| *n == name).unwrap().1;
    let expected: Vec<_> = order
        .iter()
        .map(|name| feature_record(name, level(*name)))
        .collect();
    assert_eq!(
        image
            .snapshot_records(MetadataVersion(33), &dialect)
            .unwrap(),
        expected
    );
}
