//! The high watermark of a leader while replicas fetch and voters come and go, against counting.

use std::collections::BTreeMap;

use proptest::prelude::*;
use raft_log::log::LogPosition;
use records::{NodeId, ReplicaKey, Uuid};
use releases::Release;

use super::kraft_version_upgrade::KRaftVersionUpgrade;
use super::{EpochState, Leader, LeaderRules, LeaderStart};
use crate::accumulator::Accumulator;
use crate::{Endpoints, SupportedVersionRange, VoterNode, VoterSet};

const EPOCH_START: i64 = 5;
const LOCAL: i32 = 0;

fn key(id: i32) -> ReplicaKey {
    ReplicaKey::new(NodeId(id), Uuid::from_bytes([id as u8 + 1; 16]))
}

fn node(id: i32) -> VoterNode {
    VoterNode {
        voter_key: key(id),
        listeners: Endpoints::empty(),
        supported_kraft_version: SupportedVersionRange { min: 0, max: 1 },
    }
}

fn set(ids: &[i32]) -> VoterSet {
    VoterSet::from_record(ids.iter().map(|id| node(*id)))
}

/// One segment, and a byte an offset.
fn at(offset: i64) -> LogPosition {
    LogPosition {
        segment: 0,
        byte: offset as u64,
    }
}

/// Every replica with the offset it last fetched from, the leader with its log's end; who votes; what is committed.
struct Naive {
    ends: BTreeMap<i32, i64>,
    voters: Vec<i32>,
    committed: Option<i64>,
}

impl Naive {
    fn count(&mut self) {
        let has = |id: &&i32, offset: i64| self.ends.get(*id).is_some_and(|end| *end >= offset);
        let on_majority = |offset: i64| {
            2 * self.voters.iter().filter(|id| has(id, offset)).count() > self.voters.len()
        };
        // From its own epoch's first record on, and never back.
        let from = self.committed.unwrap_or(EPOCH_START) + 1;
        let newest = (from..200).take_while(|offset| on_majority(*offset)).last();
        self.committed = newest.or(self.committed);
    }
}

#[derive(Clone, Debug)]
enum Step {
    Append { count: i64 },
    Fetch { id: i32, offset: i64 },
    Voters { bits: u8 },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (1..4_i64).prop_map(|count| Step::Append { count }),
        6 => (1..6_i32, 0..60_i64).prop_map(|(id, offset)| Step::Fetch { id, offset }),
        1 => (1..64_u8).prop_map(|bits| Step::Voters { bits }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn the_high_watermark_is_what_a_majority_of_the_voters_in_force_has(
        steps in proptest::collection::vec(step(), 1..60),
    ) {
        let start = LeaderStart {
            local: node(LOCAL),
            epoch: 3,
            epoch_start_offset: EPOCH_START,
            voter_set: set(&[0, 1, 2]),
            voter_set_offset: Some(2),
            kraft_version: 1,
            granting_voters: vec![NodeId(0), NodeId(1)],
            fetch_timeout_ms: 2000,
            rules: LeaderRules::of(&Release::V4_4_0.rules().raft),
        };
        let accumulator = Accumulator::new(3, EPOCH_START, 25, 1 << 20, 10);
        let mut leader = Leader::new(start, accumulator, KRaftVersionUpgrade::Nothing, 0);
        let mut naive = Naive { ends: BTreeMap::new(), voters: vec![0, 1, 2], committed: None };
        let mut end = EPOCH_START;
        for step in steps {
            match step {
                Step::Append { count } => end += count,
                Step::Fetch { id, offset } => {
                    let offset = offset.min(end);
                    leader.update_replica_state(key(id), 0, offset, at(offset)).expect("not the leader");
                    naive.ends.insert(id, offset);
                    if naive.voters.contains(&id) {
                        naive.count();
                    }
                    prop_assert_eq!(leader.high_watermark(), naive.committed);
                    continue;
                }
                // A voters record, which counts from when it is in the leader's own log.
                Step::Voters { bits } => {
                    end += 1;
                    naive.voters = (0..6).filter(|id| bits & (1 << id) != 0).collect();
                }
            }
            leader.update_local_state(end, at(end), &set(&naive.voters)).expect("the log grows");
            naive.ends.insert(LOCAL, end);
            naive.count();
            prop_assert_eq!(leader.high_watermark(), naive.committed);
        }
    }
}
