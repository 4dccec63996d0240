//! What goes with a change of role: connections, waiting fetches, announcements, the leader's first batch.

use records::{NodeId, ReplicaKey};
use releases::raft::PreVote;

use super::{Cx, Replica};
use crate::accumulator::Accumulator;
use crate::message::Errors;
use crate::partition_state::is_reconfig_supported;
use crate::role::State;
use crate::{Endpoints, RaftFault, control_batch};

/// Full batches that may wait to be written.
const MAX_NUMBER_OF_BATCHES: usize = 10;

/// The largest batch.
pub(super) const MAX_BATCH_SIZE_BYTES: usize = raft_log::batch::MAX_BATCH_SIZE_BYTES;

impl Replica {
    /// Stands for election as the release does it: with a pre-vote, or at once.
    pub(super) fn stand_for_election(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        match self.rules.raft.pre_vote {
            PreVote::Asked => {
                self.become_prospective(cx)?;
                self.on_become_prospective(cx)
            }
            PreVote::Absent => self.transition_to_candidate(cx),
        }
    }

    fn on_become_prospective(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        if !self.maybe_move_forward(cx)? {
            self.requests.reset_all();
        }
        Ok(())
    }

    pub(super) fn transition_to_candidate(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        self.become_candidate(cx)?;
        self.announce_leader();
        self.on_become_candidate(cx)
    }

    pub(super) fn on_become_candidate(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        if !self.maybe_move_forward(cx)? {
            self.requests.reset_all();
        }
        Ok(())
    }

    /// With a majority of its election, a prospective becomes a candidate and a candidate leads.
    pub(super) fn maybe_move_forward(&mut self, cx: &mut Cx<'_>) -> Result<bool, RaftFault> {
        match &self.state {
            State::Prospective(state) if state.election.is_vote_granted() => {
                self.transition_to_candidate(cx)?;
                Ok(true)
            }
            State::Candidate(state) if state.election.is_vote_granted() => {
                self.on_become_leader(cx)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn on_become_leader(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        let end_offset = self.log.end_offset();
        let epoch = self.state.epoch();
        let accumulator = Accumulator::new(
            epoch,
            end_offset,
            self.config.append_linger_ms,
            MAX_BATCH_SIZE_BYTES,
            MAX_NUMBER_OF_BATCHES,
        );
        self.become_leader(cx, end_offset, accumulator)?;
        self.log.initialize_leader_epoch(cx.disk, epoch)?;
        self.append_start_of_epoch_records(cx)?;
        self.requests.reset_all();
        Ok(())
    }

    /// The control batch that opens an epoch. The voter set is repeated in it when it has never been in the log, or
    /// when this leader's entry is out of date.
    fn append_start_of_epoch_records(&mut self, cx: &Cx<'_>) -> Result<(), RaftFault> {
        let State::Leader(leader) = &mut self.state else {
            return Ok(());
        };
        let start = leader.start();
        let mut records = vec![control_batch::leader_change(
            leader.local_id(),
            leader.voter_states().iter().map(|state| state.key.id),
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
        leader
            .accumulator
            .append_control(cx.now_ms, &mut self.buffers, |builder| {
                for record in &records {
                    control_batch::append(builder, record);
                }
            });
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
        self.requests.reset_all();
        Ok(())
    }

    pub(super) fn transition_to_resigned(
        &mut self,
        cx: &mut Cx<'_>,
        preferred_successors: Vec<ReplicaKey>,
    ) -> Result<(), RaftFault> {
        self.fail_waiting_fetches(Errors::NOT_LEADER_OR_FOLLOWER);
        self.become_resigned(cx, preferred_successors)?;
        self.requests.reset_all();
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
        self.requests.reset_all();
        self.fail_waiting_fetches(Errors::NOT_LEADER_OR_FOLLOWER);
        while self.uncommitted.pop_first().is_some() {}
    }

    /// What ends with a role: a checkpoint half fetched, a voter change under way.
    pub(crate) fn leave_state(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        let download = match &mut self.state {
            State::Follower(follower) => follower.fetching_snapshot.take(),
            _ => None,
        };
        if let Some(download) = download {
            download.writer.abandon(cx.disk)?;
        }
        self.finish_voter_changes(Errors::NOT_LEADER_OR_FOLLOWER);
        if let State::Leader(leader) = &mut self.state {
            leader.accumulator.close(&mut self.buffers);
        }
        Ok(())
    }
}
