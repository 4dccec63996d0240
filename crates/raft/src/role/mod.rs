//! The roles of a replica, one file each: what it knows in that role, and what follows from that alone.
//!
//! Transitions between them are `transition`'s. What a role does with messages and timers, its methods in `replica` say.

mod candidate;
mod change_voter;
mod epoch_state;
mod follower;
mod kraft_version_upgrade;
mod leader;
#[cfg(test)]
mod leader_tests;
mod prospective;
mod replica_state;
mod resigned;
mod unattached;

use std::ops::Deref;

use records::{NodeId, ReplicaKey};

pub(crate) use candidate::{Candidate, Elected};
pub(crate) use change_voter::{AddVoter, RemoveVoter};
pub(crate) use epoch_state::{EpochState, LogComparison, VoteKind};
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
    Leader,
    /// Led, and tells the others that it does not any more.
    Resigned,
}

impl Role {
    /// The name that Kafka's own state classes have.
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

/// What is stored of the election of an epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Election {
    pub(crate) epoch: i32,
    pub(crate) leader: Option<NodeId>,
    pub(crate) voted_key: Option<ReplicaKey>,
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
}

/// What is the same question to every role.
impl Deref for State {
    type Target = dyn EpochState;

    fn deref(&self) -> &Self::Target {
        match self {
            State::Unattached(state) => state,
            State::Prospective(state) => state,
            State::Candidate(state) => state,
            State::Follower(state) => state,
            State::Leader(state) => &**state,
            State::Resigned(state) => state,
        }
    }
}
