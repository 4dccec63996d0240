//! What goes with a change of role: connections, waiting fetches, announcements, the leader's first batch.

use records::{NodeId, ReplicaKey};
use releases::raft::PreVote;

use super::Replica;
use super::shared::{Cx, Shared};
use super::turn::RoleChange;
use crate::accumulator::Accumulator;
use crate::message::Errors;
use crate::partition_state::is_reconfig_supported;
use crate::role::{Elected, Leader, State};
use crate::{Endpoints, RaftFault, control_batch};

/// Full batches that may wait to be written.
const MAX_NUMBER_OF_BATCHES: usize = 10;

/// The largest batch.
pub(super) const MAX_BATCH_SIZE_BYTES: usize = raft_log::batch::MAX_BATCH_SIZE_BYTES;

impl Replica {
    /// Ends the present role.
    pub(super) fn change_role(
        &mut self,
        cx: &mut Cx<'_>,
        change: RoleChange,
    ) -> Result<(), RaftFault> {
        match change {
            RoleChange::StandForElection => self.stand_for_election(cx),
            RoleChange::Candidate => self.transition_to_candidate(cx),
            RoleChange::Leader(elected) => self.on_become_leader(cx, elected),
            RoleChange::Unattached { epoch, leader } => {
                self.transition_to_unattached(cx, epoch, leader)
            }
            RoleChange::Follower {
                epoch,
                leader,
                endpoints,
            } => self.transition_to_follower(cx, epoch, leader, endpoints),
            RoleChange::Resigned {
                preferred_successors,
            } => self.transition_to_resigned(cx, preferred_successors),
        }
    }

    /// Stands for election as the release does it: with a pre-vote, or at once.
    pub(super) fn stand_for_election(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        match self.shared.rules.raft.pre_vote {
            PreVote::Asked => {
                if self.become_prospective(cx)? {
                    return self.transition_to_candidate(cx);
                }
                self.shared.requests.reset_all();
                Ok(())
            }
            PreVote::Absent => self.transition_to_candidate(cx),
        }
    }

    pub(super) fn transition_to_candidate(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        let elected = self.become_candidate(cx)?;
        self.announce_leader();
        self.on_become_candidate(cx, elected)
    }

    /// With a majority of its election, be it by its own vote, a candidate leads at once.
    pub(super) fn on_become_candidate(
        &mut self,
        cx: &mut Cx<'_>,
        elected: Option<Elected>,
    ) -> Result<(), RaftFault> {
        if let Some(elected) = elected {
            return self.on_become_leader(cx, elected);
        }
        self.shared.requests.reset_all();
        Ok(())
    }

    fn on_become_leader(&mut self, cx: &mut Cx<'_>, elected: Elected) -> Result<(), RaftFault> {
        let epoch = elected.epoch;
        let accumulator = Accumulator::new(
            epoch,
            self.shared.log.end_offset(),
            self.shared.config.append_linger_ms,
            MAX_BATCH_SIZE_BYTES,
            MAX_NUMBER_OF_BATCHES,
        );
        let mut leader = self.leader_of_new_epoch(cx, elected, accumulator)?;
        self.store_election(cx, &leader)?;
        self.shared.log.initialize_leader_epoch(cx.disk, epoch)?;
        leader.append_start_of_epoch_records(&mut self.shared, cx)?;
        self.memory_transition_to(cx, State::Leader(Box::new(leader)))?;
        self.shared.requests.reset_all();
        Ok(())
    }

    pub(super) fn transition_to_unattached(
        &mut self,
        cx: &mut Cx<'_>,
        epoch: i32,
        leader: Option<NodeId>,
    ) -> Result<(), RaftFault> {
        self.become_unattached(cx, epoch, leader)?;
        self.announce_leader();
        self.shared.requests.reset_all();
        Ok(())
    }

    pub(super) fn transition_to_resigned(
        &mut self,
        cx: &mut Cx<'_>,
        preferred_successors: Vec<ReplicaKey>,
    ) -> Result<(), RaftFault> {
        self.shared
            .fail_waiting_fetches(&*self.role, Errors::NOT_LEADER_OR_FOLLOWER);
        self.become_resigned(cx, preferred_successors)?;
        self.shared.requests.reset_all();
        Ok(())
    }

    pub(super) fn transition_to_follower(
        &mut self,
        cx: &mut Cx<'_>,
        epoch: i32,
        leader: NodeId,
        endpoints: Endpoints,
    ) -> Result<(), RaftFault> {
        self.become_follower(cx, epoch, leader, endpoints)?;
        self.announce_leader();
        self.on_become_follower();
        Ok(())
    }

    pub(super) fn on_become_follower(&mut self) {
        self.shared.requests.reset_all();
        self.shared
            .fail_waiting_fetches(&*self.role, Errors::NOT_LEADER_OR_FOLLOWER);
        while self.shared.uncommitted.pop_first().is_some() {}
    }

    /// What ends with a role: a checkpoint half fetched, a voter change under way.
    pub(crate) fn leave_role(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        match &mut self.role {
            State::Follower(follower) => {
                if let Some(download) = follower.fetching_snapshot.take() {
                    download.writer.abandon(cx.disk)?;
                }
            }
            State::Leader(leader) => {
                leader.finish_voter_changes(&mut self.shared, Errors::NOT_LEADER_OR_FOLLOWER);
                leader.accumulator.close(&mut self.shared.buffers);
            }
            _ => {}
        }
        Ok(())
    }
}

impl Leader {
    /// The control batch that opens an epoch. The voter set is repeated in it when it has never been in the log, or
    /// when this leader's entry is out of date.
    fn append_start_of_epoch_records(
        &mut self,
        shared: &mut Shared,
        cx: &Cx<'_>,
    ) -> Result<(), RaftFault> {
        let start = self.start();
        let mut records = vec![control_batch::leader_change(
            self.local_id(),
            self.voter_states().iter().map(|state| state.key.id),
            start.granting_voters.iter().copied(),
        )];
        if is_reconfig_supported(start.kraft_version) {
            let offset = start.voter_set_offset.ok_or_else(|| {
                RaftFault::illegal(format!(
                    "kraft.version is {} and neither log nor checkpoint holds a voter set",
                    start.kraft_version
                ))
            })?;
            if offset == -1 || start.voter_set.voter_node_needs_update(&start.local) {
                let updated = start.voter_set.update_voter(start.local.clone());
                let updated = updated.ok_or_else(|| {
                    RaftFault::illegal(format!(
                        "the leader is none of the voters {}",
                        start.voter_set
                    ))
                })?;
                records.push(control_batch::kraft_version(start.kraft_version));
                records.push(control_batch::voters(&updated));
            }
        }
        self.accumulator
            .append_control(cx.now_ms, &mut shared.buffers, |builder| {
                for record in &records {
                    control_batch::append(builder, record);
                }
            });
        Ok(())
    }
}
