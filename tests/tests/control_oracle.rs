//! Control records against an independent implementation of Kafka's messages, the `kafka-protocol` crate: what we write
//! it reads as the same values and writes as the same bytes.

use bytes::{Bytes, BytesMut};
use kafka_protocol::messages as theirs;
use kafka_protocol::protocol::{Decodable, Encodable};
use proptest::collection::vec;
use proptest::prelude::*;
use records::control::{
    ControlRecord, KRaftVersionFeature, KRaftVersionRecord, LeaderChangeMessage, LeaderChangeVoter,
    SnapshotFooterRecord, SnapshotHeaderRecord, Voter, VoterEndpoint, VotersRecord,
};
use records::{TaggedFields, Uuid};

/// Our bytes, their reading of all of them; they write the same bytes.
fn through<T: Decodable + Encodable>(record: impl Into<ControlRecord>, version: i16) -> T {
    let mut value = Vec::new();
    record
        .into()
        .encode_value(&mut value)
        .expect("made to be written");
    let mut left = Bytes::from(value.clone());
    let message = T::decode(&mut left, version).expect("they read what we write");
    assert!(left.is_empty(), "{} bytes left", left.len());
    let mut again = BytesMut::new();
    message
        .encode(&mut again, version)
        .expect("they write what they read");
    assert_eq!(again, value);
    message
}

fn uuid() -> impl Strategy<Value = Uuid> {
    any::<[u8; 16]>().prop_map(Uuid::from_bytes)
}

fn tags() -> impl Strategy<Value = TaggedFields> {
    proptest::collection::btree_map(0..500_u32, vec(any::<u8>(), 0..9), 0..3).prop_map(|fields| {
        let mut tags = TaggedFields::new();
        for (tag, data) in fields {
            tags.push(tag, Bytes::from(data));
        }
        tags
    })
}

fn leader_change() -> impl Strategy<Value = LeaderChangeMessage> {
    let voter = |version: i16| {
        (any::<i32>(), uuid(), tags()).prop_map(
            move |(voter_id, directory, unknown_tagged_fields)| {
                let voter_directory_id = if version == 0 { Uuid::ZERO } else { directory };
                LeaderChangeVoter {
                    voter_id,
                    voter_directory_id,
                    unknown_tagged_fields,
                }
            },
        )
    };
    (0..=1_i16).prop_flat_map(move |version| {
        let voters = vec(voter(version), 0..4);
        let granting_voters = vec(voter(version), 0..4);
        (any::<i32>(), voters, granting_voters, tags()).prop_map(
            move |(leader_id, voters, granting_voters, unknown_tagged_fields)| {
                LeaderChangeMessage {
                    version,
                    leader_id,
                    voters,
                    granting_voters,
                    unknown_tagged_fields,
                }
            },
        )
    })
}

fn voter() -> impl Strategy<Value = Voter> {
    let endpoint = ("[A-Z]{1,9}", ".{0,12}", any::<u16>(), tags()).prop_map(
        |(name, host, port, unknown_tagged_fields)| VoterEndpoint {
            name,
            host,
            port,
            unknown_tagged_fields,
        },
    );
    let feature = (any::<i16>(), any::<i16>(), tags()).prop_map(
        |(min_supported_version, max_supported_version, unknown_tagged_fields)| {
            KRaftVersionFeature {
                min_supported_version,
                max_supported_version,
                unknown_tagged_fields,
            }
        },
    );
    (any::<i32>(), uuid(), vec(endpoint, 0..4), feature, tags()).prop_map(
        |(
            voter_id,
            voter_directory_id,
            endpoints,
            kraft_version_feature,
            unknown_tagged_fields,
        )| Voter {
            voter_id,
            voter_directory_id,
            endpoints,
            kraft_version_feature,
            unknown_tagged_fields,
        },
    )
}

proptest! {
    #[test]
    fn leader_changes_agree(ours in leader_change()) {
        let read: theirs::LeaderChangeMessage = through(ours.clone(), ours.version);
        prop_assert_eq!((read.version, read.leader_id.0), (ours.version, ours.leader_id));
        for (theirs, ours) in [(&read.voters, &ours.voters), (&read.granting_voters, &ours.granting_voters)] {
            prop_assert_eq!(theirs.len(), ours.len());
            for (voter, of_ours) in theirs.iter().zip(ours) {
                prop_assert_eq!(voter.voter_id, of_ours.voter_id);
                prop_assert_eq!(voter.voter_directory_id.as_bytes(), of_ours.voter_directory_id.as_bytes());
            }
        }
    }

    #[test]
    fn voter_sets_agree(voters in vec(voter(), 0..4), unknown_tagged_fields in tags()) {
        let ours = VotersRecord { version: 0, voters, unknown_tagged_fields };
        let read: theirs::VotersRecord = through(ours.clone(), 0);
        prop_assert_eq!(read.voters.len(), ours.voters.len());
        for (voter, of_ours) in read.voters.iter().zip(&ours.voters) {
            prop_assert_eq!(voter.voter_id.0, of_ours.voter_id);
            prop_assert_eq!(voter.voter_directory_id.as_bytes(), of_ours.voter_directory_id.as_bytes());
            let range = (voter.k_raft_version_feature.min_supported_version, voter.k_raft_version_feature.max_supported_version);
            let feature = &of_ours.kraft_version_feature;
            prop_assert_eq!(range, (feature.min_supported_version, feature.max_supported_version));
            let endpoints: Vec<(&str, &str, u16)> =
                voter.endpoints.iter().map(|endpoint| (&*endpoint.name, &*endpoint.host, endpoint.port)).collect();
            let of_ours: Vec<(&str, &str, u16)> =
                of_ours.endpoints.iter().map(|endpoint| (&*endpoint.name, &*endpoint.host, endpoint.port)).collect();
            prop_assert_eq!(endpoints, of_ours);
        }
    }

    #[test]
    fn the_small_ones_agree(
        last_contained_log_timestamp in any::<i64>(),
        kraft_version in any::<i16>(),
        unknown in tags(),
    ) {
        let header = SnapshotHeaderRecord { version: 0, last_contained_log_timestamp, unknown_tagged_fields: unknown.clone() };
        let read: theirs::SnapshotHeaderRecord = through(header, 0);
        prop_assert_eq!(read.last_contained_log_timestamp, last_contained_log_timestamp);
        let footer = SnapshotFooterRecord { version: 0, unknown_tagged_fields: unknown.clone() };
        let read: theirs::SnapshotFooterRecord = through(footer, 0);
        prop_assert_eq!(read.unknown_tagged_fields.len(), unknown.as_slice().len());
        let version = KRaftVersionRecord { version: 0, kraft_version, unknown_tagged_fields: unknown };
        let read: theirs::KRaftVersionRecord = through(version, 0);
        prop_assert_eq!(read.k_raft_version, kraft_version);
    }
}
