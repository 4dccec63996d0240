//! From role to role: which are allowed, what is kept, what is made durable.
//!
//! Source: `4.4:raft/…/QuorumState.java`, `3.9:raft/…/QuorumState.java`.

use records::{NodeId, ReplicaKey};
use releases::raft::{AfterResignation, PreVote, UpdateVoter};

use crate::accumulator::Accumulator;
use crate::election::EpochElection;
use crate::partition_state::is_reconfig_supported;
use crate::replica::{Cx, Replica};
use crate::role::{
    Candidate, Elected, Follower, KRaftVersionUpgrade, Leader, LeaderRules, LeaderStart,
    Prospective, Resigned, Role, State, Unattached,
};
use crate::timer::Timer;
use crate::{Endpoints, RaftFault};

impl Replica {
    pub(crate) fn unattached(
        &mut self,
        cx: &Cx<'_>,
        epoch: i32,
        leader: Option<NodeId>,
        voted_key: Option<ReplicaKey>,
        high_watermark: Option<i64>,
    ) -> State {
        let election_timer = Timer::new(cx.now_ms, self.shared.random_election_timeout_ms());
        State::Unattached(Unattached {
            epoch,
            leader,
            voted_key,
            high_watermark,
            election_timer,
        })
    }

    /// An election in which this replica votes for itself, as `to`.
    fn own_election(&self, to: &str) -> Result<EpochElection, RaftFault> {
        let order = self.shared.rules.raft.voter_keys_order;
        let voters = self.shared.partition.last_voter_set().set_of_keys(order);
        EpochElection::of(voters, self.shared.config.node_id).ok_or_else(|| self.not_a_voter(to))
    }

    pub(crate) fn candidate(
        &mut self,
        cx: &Cx<'_>,
        epoch: i32,
        high_watermark: Option<i64>,
        retries: u32,
    ) -> Result<Candidate, RaftFault> {
        let election_timer = Timer::new(cx.now_ms, self.shared.random_election_timeout_ms());
        self.check_voter("Candidate")?;
        Ok(Candidate {
            epoch,
            local_key: self.shared.local_key(),
            election: self.own_election("Candidate")?,
            high_watermark,
            election_timer,
            retries,
            backoff_timer: Timer::new(cx.now_ms, 0),
            is_backing_off: false,
        })
    }

    pub(crate) fn follower(
        &self,
        cx: &Cx<'_>,
        epoch: i32,
        leader: NodeId,
        leader_endpoints: Endpoints,
        voted_key: Option<ReplicaKey>,
        high_watermark: Option<i64>,
    ) -> State {
        let fetch_timeout_ms = i64::from(self.shared.config.fetch_timeout_ms);
        let update_voter_period_ms = match self.shared.rules.raft.update_voter {
            UpdateVoter::WhenOutOfDate => fetch_timeout_ms * 3,
            UpdateVoter::AlsoToEveryLeader => fetch_timeout_ms,
        };
        State::Follower(Follower {
            epoch,
            leader,
            leader_endpoints,
            voted_key,
            high_watermark,
            fetch_timeout_ms,
            fetch_timer: Timer::new(cx.now_ms, fetch_timeout_ms),
            update_voter_period_ms,
            update_voter_timer: Timer::new(cx.now_ms, update_voter_period_ms),
            has_fetched_from_leader: false,
            has_updated_leader: false,
            fetching_snapshot: None,
        })
    }

    fn wrong(&self, to: &str, why: &str) -> RaftFault {
        let (role, epoch) = (self.role.role(), self.role.epoch());
        RaftFault::illegal(format!(
            "no transition to {to} from {role} of epoch {epoch}: {why}"
        ))
    }

    fn check_voter(&self, to: &str) -> Result<(), RaftFault> {
        if self.shared.is_voter() {
            Ok(())
        } else {
            Err(self.not_a_voter(to))
        }
    }

    fn not_a_voter(&self, to: &str) -> RaftFault {
        let (key, voters) = (
            self.shared.local_key(),
            self.shared.partition.last_voter_set(),
        );
        self.wrong(to, &format!("replica {key} is none of the voters {voters}"))
    }

    /// A new epoch without a known leader, or a lost pre-vote.
    pub(crate) fn become_unattached(
        &mut self,
        cx: &mut Cx<'_>,
        epoch: i32,
        leader: Option<NodeId>,
    ) -> Result<(), RaftFault> {
        let current = self.role.epoch();
        let same_epoch = epoch == current && self.role.role() == Role::Prospective;
        if epoch <= current && !same_epoch {
            return Err(self.wrong("Unattached", &format!("epoch {epoch} is not newer")));
        }
        let timeout_ms = self.unattached_timeout_ms(cx.now_ms);
        let voted_key = self.role.voted_key().filter(|_| same_epoch);
        let next = State::Unattached(Unattached {
            epoch,
            leader,
            voted_key,
            high_watermark: self.role.high_watermark(),
            election_timer: Timer::new(cx.now_ms, timeout_ms),
        });
        self.durable_transition_to(cx, next)
    }

    /// An election timeout that is running goes on, so that no replica is put off for ever by others' epochs.
    fn unattached_timeout_ms(&mut self, now_ms: i64) -> i64 {
        if !self.shared.is_voter() {
            return i64::MAX;
        }
        let after_resignation = self.shared.rules.raft.after_resignation;
        let running = match &mut self.role {
            State::Candidate(state) => Some(&mut state.election_timer),
            State::Unattached(state) => Some(&mut state.election_timer),
            State::Prospective(state) if !state.election.is_vote_rejected() => {
                Some(&mut state.election_timer)
            }
            State::Resigned(state) if after_resignation == AfterResignation::BecomesUnattached => {
                Some(&mut state.election_timer)
            }
            _ => None,
        };
        match running {
            Some(timer) => timer.remaining_ms(now_ms),
            None => self.shared.random_election_timeout_ms(),
        }
    }

    /// Votes for `candidate` in the present epoch, as Unattached or Prospective.
    pub(crate) fn add_vote(
        &mut self,
        cx: &mut Cx<'_>,
        candidate: ReplicaKey,
    ) -> Result<(), RaftFault> {
        if candidate.id == self.shared.config.node_id {
            return Err(self.wrong("a vote", "the candidate has the local node id"));
        }
        let epoch = self.role.epoch();
        let (leader, high_watermark) = (self.role.leader(), self.role.high_watermark());
        let next = match &self.role {
            State::Unattached(_) => {
                self.unattached(cx, epoch, leader, Some(candidate), high_watermark)
            }
            State::Prospective(state) => {
                let (retries, endpoints) = (state.retries, state.leader_endpoints.clone());
                State::Prospective(self.prospective(
                    cx,
                    leader,
                    endpoints,
                    Some(candidate),
                    retries,
                )?)
            }
            _ => return Err(self.wrong("a vote", "neither Unattached nor Prospective")),
        };
        self.durable_transition_to(cx, next)
    }

    fn prospective(
        &mut self,
        cx: &Cx<'_>,
        leader: Option<NodeId>,
        leader_endpoints: Endpoints,
        voted_key: Option<ReplicaKey>,
        retries: u32,
    ) -> Result<Prospective, RaftFault> {
        let election_timer = Timer::new(cx.now_ms, self.shared.random_election_timeout_ms());
        Ok(Prospective {
            epoch: self.role.epoch(),
            leader,
            leader_endpoints,
            voted_key,
            election: self.own_election("Prospective")?,
            high_watermark: self.role.high_watermark(),
            election_timer,
            retries,
        })
    }

    /// A leader whose endpoints are known.
    pub(crate) fn become_follower(
        &mut self,
        cx: &mut Cx<'_>,
        epoch: i32,
        leader: NodeId,
        endpoints: Endpoints,
    ) -> Result<(), RaftFault> {
        let current = self.role.epoch();
        let to = format!("Follower of {leader} in epoch {epoch}");
        if endpoints.is_empty() {
            return Err(self.wrong(&to, "its endpoints are not known"));
        } else if leader == self.shared.config.node_id {
            return Err(self.wrong(&to, "that is the local node"));
        } else if epoch < current {
            return Err(self.wrong(&to, "the epoch is over"));
        } else if epoch == current {
            match &self.role {
                State::Follower(state) if state.leader_endpoints.len() >= endpoints.len() => {
                    return Err(self.wrong(&to, "it follows already"));
                }
                State::Leader(_) => return Err(self.wrong(&to, "it leads itself")),
                _ => {}
            }
        }
        let voted = self.role.voted_key().filter(|_| epoch == current);
        let voted = self.remembered_vote(voted);
        let next = self.follower(
            cx,
            epoch,
            leader,
            endpoints,
            voted,
            self.role.high_watermark(),
        );
        self.durable_transition_to(cx, next)
    }

    /// Asks for pre-votes. Nothing durable changes. True if its own vote is a majority.
    pub(crate) fn become_prospective(&mut self, cx: &mut Cx<'_>) -> Result<bool, RaftFault> {
        self.check_voter("Prospective")?;
        let retries = match &self.role {
            State::Leader(_) | State::Prospective(_) => {
                return Err(self.wrong("Prospective", "that role does not stand for election"));
            }
            State::Candidate(state) => state.retries + 1,
            _ => 1,
        };
        let (leader, endpoints) = (self.role.leader(), self.role.leader_endpoints());
        let next = self.prospective(cx, leader, endpoints, self.role.voted_key(), retries)?;
        let is_vote_granted = next.election.is_vote_granted();
        self.memory_transition_to(cx, State::Prospective(next))?;
        Ok(is_vote_granted)
    }

    /// Votes for itself in the next epoch. Says with what it leads, if its own vote is a majority.
    pub(crate) fn become_candidate(
        &mut self,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Elected>, RaftFault> {
        self.check_voter("Candidate")?;
        let retries = match (&self.role, self.shared.rules.raft.pre_vote) {
            (State::Prospective(state), _) => state.retries,
            (_, PreVote::Asked) => return Err(self.wrong("Candidate", "without a pre-vote")),
            (State::Leader(_), PreVote::Absent) => {
                return Err(self.wrong("Candidate", "it leads already"));
            }
            (State::Candidate(state), PreVote::Absent) => state.retries + 1,
            (_, PreVote::Absent) => 1,
        };
        let epoch = self.role.epoch().wrapping_add(1);
        let next = self.candidate(cx, epoch, self.role.high_watermark(), retries)?;
        let elected = next.elected(self.shared.rules.raft.granting_voters_order);
        self.durable_transition_to(cx, State::Candidate(next))?;
        Ok(elected)
    }

    /// The leader of an epoch that begins. The high watermark is not taken over: it is known again when a record of this epoch commits.
    pub(crate) fn leader_of_new_epoch(
        &self,
        cx: &Cx<'_>,
        elected: Elected,
        accumulator: Accumulator,
    ) -> Result<Leader, RaftFault> {
        self.check_voter("Leader")?;
        let voter_set = self.shared.partition.last_voter_set().clone();
        let kraft_version = self.shared.partition.last_kraft_version();
        let upgrade = self.initial_upgrade(kraft_version, &voter_set)?;
        let start = LeaderStart {
            local: self.shared.local_voter_node(),
            epoch: elected.epoch,
            epoch_start_offset: self.shared.log.end_offset(),
            voter_set,
            voter_set_offset: self
                .shared
                .partition
                .last_voter_set_entry()
                .map(|(offset, _)| offset),
            kraft_version,
            granting_voters: elected.granting_voters,
            fetch_timeout_ms: i64::from(self.shared.config.fetch_timeout_ms),
            rules: LeaderRules::of(&self.shared.rules.raft),
        };
        Ok(Leader::new(start, accumulator, upgrade, cx.now_ms))
    }

    fn initial_upgrade(
        &self,
        kraft_version: i16,
        voters: &crate::VoterSet,
    ) -> Result<KRaftVersionUpgrade, RaftFault> {
        use releases::raft::KRaftVersionUpgrade as Rule;
        if is_reconfig_supported(kraft_version)
            || self.shared.rules.raft.kraft_version_upgrade == Rule::Absent
        {
            return Ok(KRaftVersionUpgrade::Nothing);
        }
        let updated = voters.update_voter_ignoring_directory_id(self.shared.local_voter_node());
        updated
            .map(KRaftVersionUpgrade::CollectsVoters)
            .ok_or_else(|| self.wrong("Leader", "the replica has no entry in the voter set"))
    }

    /// Gives up leadership, and says so. Nothing durable changes.
    pub(crate) fn become_resigned(
        &mut self,
        cx: &mut Cx<'_>,
        preferred_successors: Vec<ReplicaKey>,
    ) -> Result<(), RaftFault> {
        let timer = Timer::new(cx.now_ms, self.shared.random_election_timeout_ms());
        let next = State::Resigned(Resigned::new(
            self.role.epoch(),
            self.shared.config.node_id,
            self.shared.config.local_listeners.clone(),
            self.shared.partition.last_voter_set(),
            timer,
            preferred_successors,
        ));
        self.memory_transition_to(cx, next)
    }
}
