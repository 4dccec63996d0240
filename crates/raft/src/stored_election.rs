//! The election state on the disk: what is stored of a role, and which role follows from it at start.
//!
//! Source: `4.4:raft/…/{QuorumState,ElectionState}.java`.

use raft_log::quorum_state::{self, QuorumStateFile};
use records::{OffsetAndEpoch, ReplicaKey};
use releases::raft::VoteMemory;

use crate::RaftFault;
use crate::partition_state::is_reconfig_supported;
use crate::replica::{Cx, Replica};
use crate::role::{Election, EpochState, Resigned, State};
use crate::timer::Timer;

impl Replica {
    /// The role that follows from the stored election state and the end of the log.
    pub(crate) fn initial_state(
        &mut self,
        cx: &mut Cx<'_>,
        stored: &Election,
        log_end: OffsetAndEpoch,
    ) -> Result<State, RaftFault> {
        let (local, voters) = (
            self.shared.local_key(),
            self.shared.partition.last_voter_set().clone(),
        );
        let is_own_vote = stored.voted_key.is_some_and(|voted| {
            voted.id == local.id
                && (voted.directory_id.is_none() || voted.directory_id == local.directory_id)
        });
        Ok(if stored.epoch < log_end.epoch {
            self.unattached(cx, log_end.epoch, None, None, None)
        } else if stored.leader == Some(local.id) {
            let timer = Timer::new(cx.now_ms, self.shared.random_election_timeout_ms());
            let endpoints = self.shared.config.local_listeners.clone();
            State::Resigned(Resigned::new(
                stored.epoch,
                local.id,
                endpoints,
                &voters,
                timer,
                Vec::new(),
            ))
        } else if is_own_vote {
            State::Candidate(self.candidate(cx, stored.epoch, None, 1)?)
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
        match self.shared.rules.raft.vote_memory {
            VoteMemory::ForgottenWithLeader => stored.voted_key,
            VoteMemory::KeptForEpoch => None,
        }
    }

    /// What a role that knows the leader remembers of a vote of the same epoch.
    pub(crate) fn remembered_vote(&self, voted: Option<ReplicaKey>) -> Option<ReplicaKey> {
        match self.shared.rules.raft.vote_memory {
            VoteMemory::ForgottenWithLeader => None,
            VoteMemory::KeptForEpoch => voted,
        }
    }

    /// Makes durable what `quorum-state` says of a role.
    pub(crate) fn store_election(
        &self,
        cx: &mut Cx<'_>,
        state: &dyn EpochState,
    ) -> Result<(), RaftFault> {
        let (epoch, leader) = (state.epoch(), state.leader());
        let voted_key = match leader {
            Some(_) => self.remembered_vote(state.voted_key()),
            None => state.voted_key(),
        };
        let file = if is_reconfig_supported(self.shared.partition.last_kraft_version()) {
            QuorumStateFile::v1(epoch, leader, voted_key)
        } else {
            let voters = state.voters().unwrap_or_else(|| {
                let voters = self.shared.partition.last_voter_set().in_map_order();
                voters.map(|node| node.voter_key.id).collect()
            });
            QuorumStateFile::v0(epoch, leader, voted_key.map(|key| key.id), voters)
        };
        file.write(cx.disk, &self.quorum_state_path())?;
        Ok(())
    }

    fn quorum_state_path(&self) -> String {
        let folder = &self.shared.config.partition_dir;
        format!("{folder}/{}", quorum_state::FILE_NAME)
    }

    /// Makes the election state of a role durable, and only then takes it on.
    pub(crate) fn durable_transition_to(
        &mut self,
        cx: &mut Cx<'_>,
        next: State,
    ) -> Result<(), RaftFault> {
        self.store_election(cx, &*next)?;
        self.memory_transition_to(cx, next)
    }

    pub(crate) fn memory_transition_to(
        &mut self,
        cx: &mut Cx<'_>,
        next: State,
    ) -> Result<(), RaftFault> {
        self.leave_role(cx)?;
        let leader = next.leader().map(|id| id.0);
        tracing::info!(role = ?next.role(), epoch = next.epoch(), leader, "takes a role");
        self.role = next;
        Ok(())
    }

    /// The stored election state; epoch 0 without leader and vote where there is none.
    pub(crate) fn read_election(&self, cx: &mut Cx<'_>) -> Result<Election, RaftFault> {
        let file = QuorumStateFile::read(cx.disk, &self.quorum_state_path())?;
        Ok(match file {
            None => Election {
                epoch: 0,
                leader: None,
                voted_key: None,
            },
            Some(file) => Election {
                epoch: file.leader_epoch,
                leader: file.leader_id,
                voted_key: file.voted_key(),
            },
        })
    }
}
