use determinism::java::{HashTable, sort_as_immutable_set};
use records::{NodeId, ReplicaKey};
use releases::raft::SetOrder;

use crate::quorum::majority;

/// The votes of one election: who granted, who rejected, who has not answered.
///
/// Source: `4.4:raft/…/internals/EpochElection.java`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EpochElection {
    /// In the order of Kafka's map.
    voters: Vec<(ReplicaKey, VoteAnswer)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VoteAnswer {
    Unrecorded,
    Granted,
    Rejected,
}

impl EpochElection {
    /// An election among voters, given in the order of their set, in which a replica votes for itself. `None` where its id is
    /// none of theirs.
    pub(crate) fn of(voters: Vec<ReplicaKey>, local: NodeId) -> Option<Self> {
        let unrecorded = voters.into_iter().map(|key| (key, VoteAnswer::Unrecorded));
        let mut voters: Vec<(ReplicaKey, VoteAnswer)> = unrecorded.collect();
        HashTable::new().sort(&mut voters, |(key, _)| key.id.0);
        let mut election = EpochElection { voters };
        election.record(local, VoteAnswer::Granted)?;
        Some(election)
    }

    /// Records an answer; `None` if that node is no voter of this election.
    pub(crate) fn record(&mut self, voter: NodeId, answer: VoteAnswer) -> Option<VoteAnswer> {
        let mut voters = self.voters.iter_mut();
        let (_, recorded) = voters.find(|(key, _)| key.id == voter)?;
        Some(std::mem::replace(recorded, answer))
    }

    pub(crate) fn answer(&self, voter: NodeId) -> Option<VoteAnswer> {
        let mut voters = self.voters.iter();
        let (_, answer) = voters.find(|(key, _)| key.id == voter)?;
        Some(*answer)
    }

    fn voters_that(&self, wanted: VoteAnswer) -> impl Iterator<Item = ReplicaKey> {
        let voters = self.voters.iter();
        voters
            .filter(move |(_, answer)| *answer == wanted)
            .map(|(key, _)| *key)
    }

    fn count(&self, wanted: VoteAnswer) -> usize {
        self.voters_that(wanted).count()
    }

    /// A majority granted.
    pub(crate) fn is_vote_granted(&self) -> bool {
        self.count(VoteAnswer::Granted) >= majority(self.voters.len())
    }

    /// A majority cannot be reached any more.
    pub(crate) fn is_vote_rejected(&self) -> bool {
        self.count(VoteAnswer::Granted) + self.count(VoteAnswer::Unrecorded)
            < majority(self.voters.len())
    }

    /// Voters that have not answered, in the order in which Kafka asks them.
    pub(crate) fn unrecorded_voters(&self) -> Vec<ReplicaKey> {
        let mut keys: Vec<ReplicaKey> = self.voters_that(VoteAnswer::Unrecorded).collect();
        HashTable::new().sort(&mut keys, ReplicaKey::hash_code);
        keys
    }

    /// Voters that granted, in the order of the set in which Kafka hands them out.
    pub(crate) fn granting_voters(&self, order: SetOrder) -> Vec<NodeId> {
        let mut ids: Vec<NodeId> = self
            .voters_that(VoteAnswer::Granted)
            .map(|key| key.id)
            .collect();
        HashTable::new().sort(&mut ids, |id| id.0);
        match order {
            SetOrder::OfHashTable => {
                HashTable::copy_of_collection(ids.len()).sort(&mut ids, |id| id.0);
            }
            SetOrder::OfImmutableSet => sort_as_immutable_set(&mut ids, |id| id.0),
        }
        ids
    }

    /// All voters of the election, in the order of Kafka's map.
    pub(crate) fn voter_ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.voters.iter().map(|(key, _)| key.id)
    }
}
