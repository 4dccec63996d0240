//! The voters of a new quorum as they stand in the zero checkpoint.

use records::control::{KRaftVersionFeature, Voter, VoterEndpoint, VotersRecord};
use records::feature::{JAVA_DEFAULT_CAPACITY, java_hash_buckets, java_hash_buckets_of_copy};

use crate::dynamic_voters::DynamicVoters;

/// The voters as a record, in the order of Kafka's hash maps. Every voter has one endpoint: that of the first listener
/// for controllers.
pub(crate) fn voters_record(voters: &DynamicVoters, listener_name: &str) -> VotersRecord {
    let all: Vec<_> = voters.iter().collect();
    let made = integer_order(
        all,
        java_hash_buckets(JAVA_DEFAULT_CAPACITY, voters.iter().count()),
        |voter| voter.id.0,
    );
    let count = made.len();
    let ordered = integer_order(made, java_hash_buckets_of_copy(count), |voter| voter.id.0);
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

/// Items by their numbers, in the order of a Java hash map of so many `buckets` into which they were put in the order
/// given. Java's hash of an `Integer` is its value.
fn integer_order<T>(mut items: Vec<T>, buckets: usize, number: impl Fn(&T) -> i32) -> Vec<T> {
    items.sort_by_key(|item| {
        let hash = number(item).cast_unsigned();
        (hash ^ (hash >> 16)) & (buckets as u32 - 1)
    });
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_by_bucket() {
        assert_eq!(integer_order(vec![1, 8, 9], 8, |id| *id), [8, 1, 9]);
        assert_eq!(integer_order(vec![1, 2, 3], 8, |id| *id), [1, 2, 3]);
        assert_eq!(integer_order(vec![65_536, 2], 4, |id| *id), [65_536, 2]);
    }

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
