//! The roles of a replica, one file each: what it knows in that role, and what follows from that alone.
//!
//! Transitions between them are `transition`'s; messages and timers are `replica`'s.

mod candidate;
mod change_voter;
mod follower;
mod kraft_version_upgrade;
mod leader;
#[cfg(test)]
mod leader_tests;
mod prospective;
mod replica_state;
mod resigned;
mod unattached;

use listener::LeaderAndEpoch;
use records::{NodeId, ReplicaKey};

use crate::Endpoints;

pub(crate) use candidate::Candidate;
pub(crate) use change_voter::{AddVoter, RemoveVoter};
pub(crate) use follower::Follower;
pub(crate) use kraft_version_upgrade::KRaftVersionUpgrade;
pub(crate) use leader::{Leader, LeaderRules, LeaderStart};
pub(crate) use prospective::Prospective;
pub(crate) use replica_state::ReplicaState;
pub(crate) use resigned::Resigned;
pub(crate) use unattached::Unattached;

/// The name of a replica's role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Knows no leader; may have voted.
    Unattached,
    /// Asks whether it would be elected (KIP-996).
    Prospective,
    /// Asks to be elected.
    Candidate,
    /// Fetches from a leader, as a voter or as an observer.
    Follower,
    /// Leads.
    Leader,
    /// Led, and tells the others that it does not any more.
    Resigned,
}

impl Role {
    /// Kafka's name.
    pub fn name(self) -> &'static str {
        match self {
            Role::Unattached => "Unattached",
            Role::Prospective => "Prospective",
            Role::Candidate => "Candidate",
            Role::Follower => "Follower",
            Role::Leader => "Leader",
            Role::Resigned => "Resigned",
        }
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A role with what the replica knows in it.
#[derive(Clone, Debug)]
pub(crate) enum State {
    Unattached(Unattached),
    Prospective(Prospective),
    Candidate(Candidate),
    Follower(Follower),
    Leader(Box<Leader>),
    Resigned(Resigned),
}

/// What a role says about the election of its epoch, and what of that is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Election {
    pub(crate) epoch: i32,
    pub(crate) leader: Option<NodeId>,
    pub(crate) voted_key: Option<ReplicaKey>,
    pub(crate) voters: Vec<NodeId>,
}

/// Whether the log of a replica that asks for a vote is as long as the local one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogComparison {
    UpToDate,
    Behind,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VoteKind {
    PreVote,
    Vote,
}

impl State {
    pub(crate) fn role(&self) -> Role {
        match self {
            State::Unattached(_) => Role::Unattached,
            State::Prospective(_) => Role::Prospective,
            State::Candidate(_) => Role::Candidate,
            State::Follower(_) => Role::Follower,
            State::Leader(_) => Role::Leader,
            State::Resigned(_) => Role::Resigned,
        }
    }

    pub(crate) fn epoch(&self) -> i32 {
        match self {
            State::Unattached(state) => state.epoch,
            State::Prospective(state) => state.epoch,
            State::Candidate(state) => state.epoch,
            State::Follower(state) => state.epoch,
            State::Leader(state) => state.epoch(),
            State::Resigned(state) => state.epoch,
        }
    }

    pub(crate) fn leader(&self) -> Option<NodeId> {
        match self {
            State::Unattached(state) => state.leader,
            State::Prospective(state) => state.leader,
            State::Candidate(_) => None,
            State::Follower(state) => Some(state.leader),
            State::Leader(state) => Some(state.local_id()),
            State::Resigned(state) => Some(state.local_id),
        }
    }

    pub(crate) fn leader_and_epoch(&self) -> LeaderAndEpoch {
        LeaderAndEpoch::new(self.leader(), self.epoch())
    }

    pub(crate) fn voted_key(&self) -> Option<ReplicaKey> {
        match self {
            State::Unattached(state) => state.voted_key,
            State::Prospective(state) => state.voted_key,
            State::Candidate(state) => Some(state.local_key),
            State::Follower(state) => state.voted_key,
            State::Leader(_) | State::Resigned(_) => None,
        }
    }

    pub(crate) fn high_watermark(&self) -> Option<i64> {
        match self {
            State::Unattached(state) => state.high_watermark,
            State::Prospective(state) => state.high_watermark,
            State::Candidate(state) => state.high_watermark,
            State::Follower(state) => state.high_watermark,
            State::Leader(state) => state.high_watermark(),
            // Kafka's resigned replica knows none, so its listeners are not told of further commits.
            State::Resigned(_) => None,
        }
    }

    pub(crate) fn leader_endpoints(&self) -> Endpoints {
        match self {
            State::Unattached(_) | State::Candidate(_) => Endpoints::empty(),
            State::Prospective(state) => state.leader_endpoints.clone(),
            State::Follower(state) => state.leader_endpoints.clone(),
            State::Leader(state) => state.local_listeners().clone(),
            State::Resigned(state) => state.endpoints.clone(),
        }
    }

    pub(crate) fn can_grant_vote(
        &self,
        replica: ReplicaKey,
        log: LogComparison,
        kind: VoteKind,
    ) -> bool {
        let would = kind == VoteKind::PreVote && log == LogComparison::UpToDate;
        match self {
            State::Unattached(state) => {
                can_grant_without_leader(state.leader, state.voted_key, replica, log, kind)
            }
            State::Prospective(state) => {
                can_grant_without_leader(state.leader, state.voted_key, replica, log, kind)
            }
            State::Candidate(_) | State::Resigned(_) => would,
            State::Follower(state) => would && !state.has_fetched_from_leader,
            State::Leader(_) => false,
        }
    }
}

/// Source: `unattachedOrProspectiveCanGrantVote` in `4.4:raft/…/QuorumState.java`.
fn can_grant_without_leader(
    leader: Option<NodeId>,
    voted_key: Option<ReplicaKey>,
    replica: ReplicaKey,
    log: LogComparison,
    kind: VoteKind,
) -> bool {
    if kind == VoteKind::PreVote {
        return log == LogComparison::UpToDate;
    }
    match voted_key {
        Some(voted) => {
            voted.id == replica.id
                && (voted.directory_id.is_none() || voted.directory_id == replica.directory_id)
        }
        None => leader.is_none() && log == LogComparison::UpToDate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// KIP-595, KIP-996: one vote per epoch; a pre-vote is no vote.
    #[test]
    fn votes_without_a_leader() {
        let (one, two) = (
            ReplicaKey::of_node(NodeId(1)),
            ReplicaKey::of_node(NodeId(2)),
        );
        let grant =
            |leader, voted, log, kind| can_grant_without_leader(leader, voted, one, log, kind);
        assert!(grant(None, None, LogComparison::UpToDate, VoteKind::Vote));
        assert!(!grant(None, None, LogComparison::Behind, VoteKind::Vote));
        assert!(!grant(
            None,
            Some(two),
            LogComparison::UpToDate,
            VoteKind::Vote
        ));
        assert!(grant(
            None,
            Some(one),
            LogComparison::Behind,
            VoteKind::Vote
        ));
        assert!(!grant(
            Some(NodeId(3)),
            None,
            LogComparison::UpToDate,
            VoteKind::Vote
        ));
        assert!(grant(
            Some(NodeId(3)),
            Some(two),
            LogComparison::UpToDate,
            VoteKind::PreVote
        ));
    }
}
