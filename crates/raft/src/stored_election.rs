//! The election state on the disk: what is stored of a role, and which role follows from it at start.
//!
//! Source: `4.4:raft/…/{QuorumState,ElectionState}.java`.

use raft_log::quorum_state::{self, QuorumStateFile};
use records::{OffsetAndEpoch, ReplicaKey};
use releases::raft::VoteMemory;

use crate::RaftFault;
use crate::partition_state::is_reconfig_supported;
use crate::replica::{Cx, Replica};
use crate::role::{Election, Resigned, State};
use crate::timer::Timer;

impl Replica {
    /// The role that follows from the stored election state and the end of the log.
    pub(crate) fn initial_state(
        &mut self,
        cx: &mut Cx<'_>,
        stored: &Election,
        log_end: OffsetAndEpoch,
    ) -> Result<State, RaftFault> {
        let (local, voters) = (self.local_key(), self.partition.last_voter_set().clone());
        let is_own_vote = stored.voted_key.is_some_and(|voted| {
            voted.id == local.id
                && (voted.directory_id.is_none() || voted.directory_id == local.directory_id)
        });
        Ok(if stored.epoch < log_end.epoch {
            self.unattached(cx, log_end.epoch, None, None, None)
        } else if stored.leader == Some(local.id) {
            let timer = Timer::new(cx.now_ms, self.random_election_timeout_ms());
            let endpoints = self.config.local_listeners.clone();
            State::Resigned(Resigned::new(
                stored.epoch,
                local.id,
                endpoints,
                &voters,
                timer,
                Vec::new(),
            ))
        } else if is_own_vote {
            self.candidate(cx, stored.epoch, None, 1)?
        } else if let (Some(leader), None) = (stored.leader, self.vote_that_hides_leader(stored)) {
            let endpoints = voters.listeners(leader);
            if endpoints.is_empty() {
                let voted = self.remembered_vote(stored.voted_key);
                self.unattached(cx, stored.epoch, Some(leader), voted, None)
            } else {
                let voted = self.remembered_vote(stored.voted_key);
                self.follower(cx, stored.epoch, leader, endpoints, voted, None)
            }
        } else {
            self.unattached(cx, stored.epoch, None, stored.voted_key, None)
        })
    }

    /// Where a vote is forgotten with the leader, a stored vote counts for more than a stored leader.
    fn vote_that_hides_leader(&self, stored: &Election) -> Option<ReplicaKey> {
        match self.rules.raft.vote_memory {
            VoteMemory::ForgottenWithLeader => stored.voted_key,
            VoteMemory::KeptForEpoch => None,
        }
    }

    /// What a role that knows the leader remembers of a vote of the same epoch.
    pub(crate) fn remembered_vote(&self, voted: Option<ReplicaKey>) -> Option<ReplicaKey> {
        match self.rules.raft.vote_memory {
            VoteMemory::ForgottenWithLeader => None,
            VoteMemory::KeptForEpoch => voted,
        }
    }

    /// What `quorum-state` says of a role.
    fn election_of(&self, state: &State) -> Election {
        let voters = match state {
            State::Candidate(candidate) => candidate.election.voter_ids().collect(),
            State::Leader(leader) => leader
                .voter_states()
                .iter()
                .map(|state| state.key.id)
                .collect(),
            _ => {
                let voters = self.partition.last_voter_set().in_map_order();
                voters.map(|node| node.voter_key.id).collect()
            }
        };
        let leader = state.leader();
        let voted_key = match leader {
            Some(_) => self.remembered_vote(state.voted_key()),
            None => state.voted_key(),
        };
        Election {
            epoch: state.epoch(),
            leader,
            voted_key,
            voters,
        }
    }

    /// Makes the election state of a role durable, and only then takes it on.
    pub(crate) fn durable_transition_to(
        &mut self,
        cx: &mut Cx<'_>,
        next: State,
    ) -> Result<(), RaftFault> {
        let election = self.election_of(&next);
        let file = if is_reconfig_supported(self.partition.last_kraft_version()) {
            QuorumStateFile::v1(election.epoch, election.leader, election.voted_key)
        } else {
            let voted = election.voted_key.map(|key| key.id);
            QuorumStateFile::v0(election.epoch, election.leader, voted, election.voters)
        };
        let path = format!("{}/{}", self.config.partition_dir, quorum_state::FILE_NAME);
        file.write(cx.disk, &path)?;
        self.memory_transition_to(cx, next)
    }

    pub(crate) fn memory_transition_to(
        &mut self,
        cx: &mut Cx<'_>,
        next: State,
    ) -> Result<(), RaftFault> {
        self.leave_state(cx)?;
        let leader = next.leader().map(|id| id.0);
        tracing::info!(role = ?next.role(), epoch = next.epoch(), leader, "takes a role");
        self.state = next;
        Ok(())
    }

    /// The stored election state; epoch 0 without leader and vote where there is none.
    pub(crate) fn read_election(&self, cx: &mut Cx<'_>) -> Result<Election, RaftFault> {
        let voters = self.partition.last_voter_set().voter_ids().collect();
        let path = format!("{}/{}", self.config.partition_dir, quorum_state::FILE_NAME);
        let file = QuorumStateFile::read(cx.disk, &path)?;
        Ok(match file {
            None => Election {
                epoch: 0,
                leader: None,
                voted_key: None,
                voters,
            },
            Some(file) => Election {
                epoch: file.leader_epoch,
                leader: file.leader_id,
                voted_key: file.voted_key(),
                voters,
            },
        })
    }
}
