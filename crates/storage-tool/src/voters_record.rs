//! The voters of a new quorum as they stand in the zero checkpoint.

use determinism::java::HashTable;
use records::control::{KRaftVersionFeature, Voter, VoterEndpoint, VotersRecord};

use crate::dynamic_voters::DynamicVoters;

/// The voters as a record, in the order of Kafka's hash maps. Every voter has one endpoint: that of the first listener
/// for controllers.
pub(crate) fn voters_record(voters: &DynamicVoters, listener_name: &str) -> VotersRecord {
    let mut ordered: Vec<_> = voters.iter().collect();
    HashTable::new().sort(&mut ordered, |voter| voter.id.0);
    HashTable::copy_of_map(ordered.len()).sort(&mut ordered, |voter| voter.id.0);
    let voters = ordered.into_iter().map(|voter| Voter {
        voter_id: voter.id.0,
        voter_directory_id: voter.directory_id,
        endpoints: vec![VoterEndpoint {
            name: listener_name.to_uppercase(),
            host: voter.host.clone(),
            port: voter.port,
            ..VoterEndpoint::default()
        }],
        kraft_version_feature: KRaftVersionFeature {
            min_supported_version: 0,
            max_supported_version: 1,
            ..KRaftVersionFeature::default()
        },
        ..Voter::default()
    });
    VotersRecord {
        voters: voters.collect(),
        ..VotersRecord::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_voter_has_the_endpoint_of_the_first_controller_listener() {
        let voters: DynamicVoters = "8@b:2:JEXY6aqzQY-32P5TStzaFg,1@a:1:MvDxzVmcRsaTz33bUuRU6A"
            .parse()
            .unwrap();
        let record = voters_record(&voters, "controller");
        let shown: Vec<_> = record
            .voters
            .iter()
            .map(|v| (v.voter_id, v.endpoints[0].name.as_str()))
            .collect();
        assert_eq!(
            shown,
            [(8, "CONTROLLER"), (1, "CONTROLLER")],
            "of four buckets, 8 is in the first and 1 in the second"
        );
    }
}
