use std::collections::BTreeMap;

use determinism::java::HashTable;
use records::{NodeId, ReplicaKey};

use crate::quorum::majority;

/// The votes of one election: who granted, who rejected, who has not answered.
///
/// Source: `4.4:raft/…/internals/EpochElection.java`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EpochElection {
    voters: BTreeMap<NodeId, (ReplicaKey, Answer)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Unrecorded,
    Granted,
    Rejected,
}

impl EpochElection {
    pub(crate) fn new(voters: impl IntoIterator<Item = ReplicaKey>) -> Self {
        let voters = voters
            .into_iter()
            .map(|key| (key.id, (key, Answer::Unrecorded)))
            .collect();
        EpochElection { voters }
    }

    /// Records an answer; `None` if that node is no voter of this election.
    pub(crate) fn record(&mut self, voter: NodeId, answer: Answer) -> Option<Answer> {
        let (_, recorded) = self.voters.get_mut(&voter)?;
        Some(std::mem::replace(recorded, answer))
    }

    pub(crate) fn answer(&self, voter: NodeId) -> Option<Answer> {
        self.voters.get(&voter).map(|(_, answer)| *answer)
    }

    fn count(&self, wanted: Answer) -> usize {
        self.voters
            .values()
            .filter(|(_, answer)| *answer == wanted)
            .count()
    }

    /// A majority granted.
    pub(crate) fn is_vote_granted(&self) -> bool {
        self.count(Answer::Granted) >= majority(self.voters.len())
    }

    /// A majority cannot be reached any more.
    pub(crate) fn is_vote_rejected(&self) -> bool {
        self.count(Answer::Granted) + self.count(Answer::Unrecorded) < majority(self.voters.len())
    }

    /// Voters that have not answered, in the order in which Kafka asks them.
    pub(crate) fn unrecorded_voters(&self) -> Vec<ReplicaKey> {
        let mut keys: Vec<ReplicaKey> = self
            .voters
            .values()
            .filter(|(_, answer)| *answer == Answer::Unrecorded)
            .map(|(key, _)| *key)
            .collect();
        HashTable::new().sort(&mut keys, ReplicaKey::hash_code);
        keys
    }

    /// Voters that granted, ascending.
    pub(crate) fn granting_voters(&self) -> Vec<NodeId> {
        let granted = self
            .voters
            .values()
            .filter(|(_, answer)| *answer == Answer::Granted);
        granted.map(|(key, _)| key.id).collect()
    }

    /// All voters of the election, ascending.
    pub(crate) fn voter_ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.voters.keys().copied()
    }
}
