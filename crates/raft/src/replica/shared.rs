use std::collections::VecDeque;
use std::sync::Arc;

use determinism::Time;
use disk::Disk;
use listener::Dispatcher;
use raft_log::log::MetadataLog;
use records::{OffsetAndEpoch, ReplicaKey};
use releases::Rules;

use super::asker::Asker;
use super::waiting_fetch::WaitingFetch;
use crate::accumulator::CompletedBatch;
use crate::buffer_pool::BufferPool;
use crate::message::{ApiVersionsResponse, Errors, NodeEndpoint, Outbound, Response};
use crate::partition_state::PartitionState;
use crate::purgatory::Purgatory;
use crate::request_manager::RequestManager;
use crate::role::EpochState;
use crate::shutdown::Shutdown;
use crate::timer::Timer;
use crate::{Draws, RaftConfig, RaftFault, VoterNode};

/// What a replica has whatever its role is.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub(crate) config: Arc<RaftConfig>,
    pub(crate) rules: Arc<Rules>,
    pub(crate) draws: Draws,
    pub(crate) log: MetadataLog,
    pub(crate) partition: PartitionState,
    pub(super) requests: RequestManager,
    pub(super) waiting_fetches: Purgatory<WaitingFetch>,
    /// Batches that were appended and are not committed, kept to hand those of listeners over from memory.
    pub(super) uncommitted: Purgatory<CompletedBatch>,
    pub(super) buffers: BufferPool,
    pub(super) listeners: Vec<Dispatcher>,
    /// How many of the listeners are told already; the others come in at the end of the next poll.
    pub(super) registered: usize,
    pub(super) shutdown: Option<Shutdown>,
    pub(super) cleaner: Timer,
    pub(super) outbox: VecDeque<Outbound>,
    pub(super) next_correlation_id: i32,
    pub(super) part_files: u64,
    pub(super) schedule: PollSchedule,
}

/// When the next poll is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct PollSchedule {
    pub(super) waiting: Waiting,
    /// The last poll handled a message; Kafka's thread goes round at once then.
    pub(super) handled_message: bool,
    /// When the last poll began.
    pub(super) since: Time,
}

/// What Kafka's raft thread would wait for between two polls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Something happened that the next poll should see at once.
    pub woken: bool,
    /// How long the last poll was ready to wait for a message, in milliseconds, `i64::MAX` for ever; `None` before the
    /// first poll.
    pub timeout_ms: Option<i64>,
}

/// What every step needs: the time on the wall clock, and the disk.
pub(crate) struct Cx<'a> {
    pub(crate) now_ms: i64,
    pub(crate) disk: &'a mut dyn Disk,
}

impl Shared {
    pub(crate) fn local_key(&self) -> ReplicaKey {
        ReplicaKey::new(self.config.node_id, self.config.directory_id)
    }

    pub(crate) fn local_voter_node(&self) -> VoterNode {
        VoterNode {
            voter_key: self.local_key(),
            listeners: self.config.local_listeners.clone(),
            supported_kraft_version: self.config.supported_kraft_version,
        }
    }

    pub(crate) fn is_voter(&self) -> bool {
        self.partition.last_voter_set().is_voter(self.local_key())
    }

    pub(super) fn is_only_voter(&self) -> bool {
        self.partition
            .last_voter_set()
            .is_only_voter(self.local_key())
    }

    pub(crate) fn end_of_log(&self) -> Result<OffsetAndEpoch, RaftFault> {
        Ok(self.log.end()?)
    }

    /// A value in [t, 2t) of the election timeout t.
    pub(crate) fn random_election_timeout_ms(&mut self) -> i64 {
        let timeout_ms = self.config.election_timeout_ms;
        if timeout_ms == 0 {
            return 0;
        }
        i64::from(timeout_ms) + i64::from(self.draws.next_int(timeout_ms))
    }

    pub(super) fn wakeup(&mut self) {
        self.schedule.waiting.woken = true;
    }

    /// Milliseconds until the shutdown times out, while one is under way.
    pub(super) fn shutdown_remaining_ms(&mut self, now_ms: i64) -> Option<i64> {
        self.shutdown
            .as_mut()
            .map(|shutdown| shutdown.timer.remaining_ms(now_ms))
    }

    /// The number in the name of the next `.part` file, which Kafka draws at random.
    pub(super) fn next_part_number(&mut self) -> u64 {
        self.part_files += 1;
        self.part_files
    }

    pub(super) fn reply(&mut self, token: u64, response: Response) {
        self.outbox.push_back(Outbound::Reply { token, response });
    }

    pub(super) fn answer_api_versions(&self) -> ApiVersionsResponse {
        let kraft_version = Some(self.config.supported_kraft_version);
        ApiVersionsResponse {
            error_code: Errors::NONE,
            kraft_version,
        }
    }
}

pub(super) fn leader_id_or_sentinel(state: &dyn EpochState) -> i32 {
    state.leader().map_or(-1, |leader| leader.0)
}

/// The leader's endpoint for an answer, from the version on that has room for it.
pub(super) fn leader_endpoint(
    state: &dyn EpochState,
    asker: &Asker,
    since_version: i16,
) -> Option<NodeEndpoint> {
    let leader = state
        .leader()
        .filter(|_| asker.api_version >= since_version)?;
    let endpoints = state.leader_endpoints();
    let address = endpoints.address(&asker.listener_name)?.clone();
    Some(NodeEndpoint {
        node_id: leader.0,
        address,
    })
}
