use super::asker::Asker;
use crate::message::{
    DescribeQuorumPartitionResponse, DescribeQuorumResponse, Errors, ReplicaStateInfo,
    VoterListeners,
};
use crate::role::{EpochState, Leader, ReplicaState};

impl Leader {
    /// How far the voters and observers are, as their fetches told.
    pub(super) fn handle_describe_quorum(
        &mut self,
        asker: &Asker,
        now_ms: i64,
    ) -> DescribeQuorumResponse {
        let local = self.local_id();
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
                    now_ms
                } else {
                    state.last_fetch_ms
                },
                last_caught_up_timestamp: if is_leader {
                    now_ms
                } else {
                    state.last_caught_up_ms
                },
            }
        };
        let current_voters = self.voter_states().iter().map(info).collect();
        let observers = self.observer_states(now_ms).iter().map(info).collect();
        let partition = DescribeQuorumPartitionResponse {
            error_code: Errors::NONE,
            leader_id: local.0,
            leader_epoch: self.epoch(),
            high_watermark: self.high_watermark().unwrap_or(-1),
            current_voters,
            observers,
        };
        let nodes = self.voter_states().iter().map(|state| VoterListeners {
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
