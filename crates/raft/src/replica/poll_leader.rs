//! What a leader has to do at a poll: append, tell the voters of itself, and go when it must.

use determinism::java::HashTable;
use records::ReplicaKey;
use releases::raft::BeginQuorumEpochTargets;

use super::shared::{Cx, Shared};
use super::turn::{RoleChange, Turn};
use crate::RaftFault;
use crate::message::{BeginQuorumEpochRequest, Request};
use crate::role::{EpochState, Leader};

impl Leader {
    pub(super) fn poll(&mut self, shared: &mut Shared, cx: &mut Cx<'_>) -> Result<Turn, RaftFault> {
        self.announce(shared);
        let check_quorum_ms = self.time_until_check_quorum_expires_ms(cx.now_ms);
        if shared.shutdown.is_some() || self.is_resign_requested() || check_quorum_ms == 0 {
            let preferred_successors = self.other_voters_by_descending_end_offset();
            return Ok(Turn::Change(RoleChange::Resigned {
                preferred_successors,
            }));
        }
        let voter_change_ms = self.expire_voter_changes(shared, cx.now_ms);
        let flush_ms = self.maybe_append_batches(shared, cx)?;
        let begin_ms = self.maybe_send_begin_quorum_epoch(shared, cx)?;
        let waits_ms = [flush_ms, begin_ms, check_quorum_ms, voter_change_ms];
        Ok(Turn::Wait(waits_ms.into_iter().fold(i64::MAX, i64::min)))
    }

    fn maybe_send_begin_quorum_epoch(
        &mut self,
        shared: &mut Shared,
        cx: &Cx<'_>,
    ) -> Result<i64, RaftFault> {
        let remaining_ms = self.time_until_begin_quorum_epoch_ms(cx.now_ms);
        if remaining_ms != 0 {
            return Ok(remaining_ms);
        }
        let targets = match shared.rules.raft.begin_quorum_epoch_targets {
            BeginQuorumEpochTargets::EveryVoter => {
                let order = shared.rules.raft.voter_keys_order;
                let mut keys = shared.partition.last_voter_set().set_of_keys(order);
                keys.retain(|key| key.id != self.local_id());
                // What is left goes into a set of its own.
                HashTable::new().sort(&mut keys, ReplicaKey::hash_code);
                keys
            }
            BeginQuorumEpochTargets::SilentVoters => self.silent_voters(cx.now_ms),
        };
        let wait_ms = shared.maybe_send_to_voters(cx, &targets, |shared, voter| {
            Ok(self.build_begin_quorum_epoch(shared, voter))
        })?;
        self.restart_begin_quorum_epoch_timer(cx.now_ms);
        Ok(wait_ms)
    }

    fn build_begin_quorum_epoch(&self, shared: &Shared, voter: ReplicaKey) -> Request {
        Request::BeginQuorumEpoch(BeginQuorumEpochRequest {
            cluster_id: Some(shared.config.cluster_id.clone()),
            voter_id: voter.id.0,
            voter_directory_id: voter.directory_id_or_zero(),
            leader_id: self.local_id().0,
            leader_epoch: self.epoch(),
            leader_endpoints: self.leader_endpoints(),
        })
    }
}
