use super::Replica;
use super::inbound::Asker;
use crate::message::{
    DescribeQuorumPartitionResponse, DescribeQuorumResponse, Errors, ReplicaStateInfo,
    VoterListeners,
};
use crate::role::{ReplicaState, State};

impl Replica {
    /// `DESCRIBE_QUORUM`.
    pub(super) fn handle_describe_quorum(
        &mut self,
        cx: &super::Cx<'_>,
        asker: &Asker,
    ) -> DescribeQuorumResponse {
        let State::Leader(leader) = &mut self.state else {
            return DescribeQuorumResponse::partition_failed(Errors::NOT_LEADER_OR_FOLLOWER);
        };
        let local = leader.local_id();
        let info = |state: &ReplicaState| {
            let is_leader = state.key.id == local;
            let mut replica = state.key;
            if asker.api_version < 2 {
                replica.directory_id = None;
            }
            ReplicaStateInfo {
                replica,
                log_end_offset: state.end_offset.unwrap_or(-1),
                last_fetch_timestamp: if is_leader {
                    cx.now_ms
                } else {
                    state.last_fetch_ms
                },
                last_caught_up_timestamp: if is_leader {
                    cx.now_ms
                } else {
                    state.last_caught_up_ms
                },
            }
        };
        let current_voters = leader.voter_states().iter().map(info).collect();
        let observers = leader.observer_states(cx.now_ms).iter().map(info).collect();
        let partition = DescribeQuorumPartitionResponse {
            error_code: Errors::NONE,
            leader_id: local.0,
            leader_epoch: leader.epoch(),
            high_watermark: leader.high_watermark().unwrap_or(-1),
            current_voters,
            observers,
        };
        let nodes = leader.voter_states().iter().map(|state| VoterListeners {
            node_id: state.key.id,
            listeners: state.listeners.clone(),
        });
        let nodes = if asker.api_version >= 2 {
            nodes.collect()
        } else {
            Vec::new()
        };
        DescribeQuorumResponse {
            error_code: Errors::NONE,
            partition: Some(partition),
            nodes,
        }
    }
}
