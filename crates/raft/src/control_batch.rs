//! The control records that a leader writes.

use raft_log::batch::BatchBuilder;
use records::NodeId;
use records::control::{
    ControlRecord, KRaftVersionFeature, KRaftVersionRecord, LeaderChangeMessage, LeaderChangeVoter,
    Voter, VoterEndpoint, VotersRecord,
};

use crate::VoterSet;

/// Appends one control record to an open control batch.
pub(crate) fn append(builder: &mut BatchBuilder, record: &ControlRecord) {
    let (mut key, mut value) = (Vec::new(), Vec::new());
    record.encode_key(&mut key);
    record
        .encode_value(&mut value)
        .expect("control records of our own making can be written");
    builder.append(Some(&key), Some(&value));
}

/// The record that opens an epoch. Always version 0, without directory ids (`disk_files` §4 of the facts).
pub(crate) fn leader_change(
    leader: NodeId,
    voters: impl Iterator<Item = NodeId>,
    granting: impl Iterator<Item = NodeId>,
) -> ControlRecord {
    let voter = |id: NodeId| LeaderChangeVoter {
        voter_id: id.0,
        ..Default::default()
    };
    ControlRecord::LeaderChange(LeaderChangeMessage {
        version: 0,
        leader_id: leader.0,
        voters: voters.map(voter).collect(),
        granting_voters: granting.map(voter).collect(),
        ..Default::default()
    })
}

/// The record that finalizes a kraft.version.
pub(crate) fn kraft_version(level: i16) -> ControlRecord {
    ControlRecord::KRaftVersion(KRaftVersionRecord {
        version: 0,
        kraft_version: level,
        ..Default::default()
    })
}

/// The record that holds a voter set.
pub(crate) fn voters(set: &VoterSet) -> ControlRecord {
    ControlRecord::KRaftVoters(voters_record(set))
}

/// The content of that record, in the order of Kafka's map.
pub(crate) fn voters_record(set: &VoterSet) -> VotersRecord {
    let voters = set.in_map_order().map(|node| Voter {
        voter_id: node.voter_key.id.0,
        voter_directory_id: node.voter_key.directory_id_or_zero(),
        endpoints: node
            .listeners
            .iter()
            .map(|(name, address)| VoterEndpoint {
                name: name.as_str().to_owned(),
                host: address.host.to_string(),
                port: address.port,
                ..Default::default()
            })
            .collect(),
        kraft_version_feature: KRaftVersionFeature {
            min_supported_version: node.supported_kraft_version.min,
            max_supported_version: node.supported_kraft_version.max,
            ..Default::default()
        },
        ..Default::default()
    });
    VotersRecord {
        version: 0,
        voters: voters.collect(),
        ..Default::default()
    }
}
