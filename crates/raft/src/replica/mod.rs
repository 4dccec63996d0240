//! One replica: [`Replica`] and what it does with messages and time, a file per kind of message.

mod append;
mod describe;
mod fetch;
mod fetch_snapshot;
mod inbound;
mod listeners;
mod open;
mod poll;
mod poll_follower;
mod poll_roles;
mod quorum_epoch;
mod response;
mod role_changes;
mod send;
mod snapshot;
mod update_voter;
mod upgrade;
mod vote;
mod voter_changes;

use std::collections::VecDeque;
use std::sync::Arc;

use determinism::Time;
use disk::Disk;
use listener::{Dispatcher, LeaderAndEpoch};
use raft_log::log::MetadataLog;
use records::{NodeId, OffsetAndEpoch, ReplicaKey};
use releases::Rules;

use crate::accumulator::CompletedBatch;
use crate::buffer_pool::BufferPool;
use crate::message::Outbound;
use crate::partition_state::PartitionState;
use crate::purgatory::Purgatory;
use crate::request_manager::RequestManager;
use crate::role::State;
use crate::shutdown::Shutdown;
use crate::timer::Timer;
use crate::{Draws, RaftConfig, RaftFault, Role, VoterNode, VoterSet};

use fetch::WaitingFetch;

pub use snapshot::CreateSnapshotError;

/// One replica of the metadata partition: a value with methods, which knows neither clock nor network.
///
/// Its caller owns time, disk and transport, and calls four groups of methods:
///
/// * **Driving it.** [`Replica::open`] once. Then [`Replica::poll`] whenever a message came in, and at the latest at
///   [`Replica::next_poll`], as Kafka's raft thread does: one call is one turn of that thread, which first does what
///   the role has to do at that time (timeouts, requests), then handles at most one message, then looks after the
///   listeners. An error ends the process; the value must be dropped.
/// * **Taking what it says.** After every call that may change something: [`Replica::poll_message`] until `None`, and
///   [`Replica::poll_listener`] for every listener until `None`. Messages may be sent at once: what they promise is on
///   the disk before they come out.
/// * **Asking for something.** [`listener::RaftClient`], which the listeners use in the middle of their own work;
///   [`Replica::create_snapshot`]; [`Replica::shutdown`]. These never send a message themselves; they make the
///   next poll due.
/// * **Looking.** Getters, which change nothing.
///
/// It is `Clone`: a clone goes on exactly as the original would, over a clone of the disk.
///
/// Source: `4.4:raft/…/KafkaRaftClient.java`, and the same file of each other branch.
#[derive(Clone, Debug)]
pub struct Replica {
    pub(crate) config: Arc<RaftConfig>,
    pub(crate) rules: Arc<Rules>,
    pub(crate) draws: Draws,
    pub(crate) log: MetadataLog,
    pub(crate) partition: PartitionState,
    pub(crate) state: State,
    requests: RequestManager,
    waiting_fetches: Purgatory<WaitingFetch>,
    /// Batches that were appended and are not committed, kept to hand those of listeners over from memory.
    uncommitted: Purgatory<CompletedBatch>,
    pub(crate) buffers: BufferPool,
    listeners: Vec<Dispatcher>,
    /// How many of the listeners are told already; the others come in at the end of the next poll.
    registered: usize,
    shutdown: Option<Shutdown>,
    cleaner: Timer,
    outbox: VecDeque<Outbound>,
    next_correlation_id: i32,
    part_files: u64,
    schedule: Schedule,
}

/// When the next poll is due.
#[derive(Clone, Copy, Debug)]
struct Schedule {
    waiting: Waiting,
    /// The last poll handled a message; Kafka's thread goes round at once then.
    handled_message: bool,
    /// When the last poll began.
    since: Time,
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

impl Replica {
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

    /// Whether this replica is a voter of the newest voter set, committed or not.
    pub fn is_voter(&self) -> bool {
        self.partition.last_voter_set().is_voter(self.local_key())
    }

    fn is_only_voter(&self) -> bool {
        self.partition
            .last_voter_set()
            .is_only_voter(self.local_key())
    }

    pub(crate) fn end_of_log(&self) -> Result<OffsetAndEpoch, RaftFault> {
        Ok(self.log.end()?)
    }

    /// The next message to send.
    pub fn poll_message(&mut self) -> Option<Outbound> {
        self.outbox.pop_front()
    }

    /// The configuration.
    pub fn config(&self) -> &RaftConfig {
        &self.config
    }

    /// The local node.
    pub fn id(&self) -> NodeId {
        self.config.node_id
    }

    /// The present role.
    pub fn role(&self) -> Role {
        self.state.role()
    }

    /// The present epoch.
    pub fn epoch(&self) -> i32 {
        self.state.epoch()
    }

    /// The leader of the epoch, where it is known.
    pub fn leader(&self) -> Option<NodeId> {
        self.state.leader()
    }

    /// Leader and epoch.
    pub fn leader_and_epoch(&self) -> LeaderAndEpoch {
        self.state.leader_and_epoch()
    }

    /// Whom this replica voted for in the epoch, as far as the role remembers.
    pub fn voted_key(&self) -> Option<ReplicaKey> {
        self.state.voted_key()
    }

    /// The high watermark, where the role knows one.
    pub fn high_watermark(&self) -> Option<i64> {
        self.state.high_watermark()
    }

    /// Exclusive end of the log.
    pub fn log_end_offset(&self) -> i64 {
        self.log.end_offset()
    }

    /// The log.
    pub fn log(&self) -> &MetadataLog {
        &self.log
    }

    /// The newest voter set, committed or not.
    pub fn voters(&self) -> &VoterSet {
        self.partition.last_voter_set()
    }

    /// The newest kraft.version of the log, committed or not.
    pub fn log_kraft_version(&self) -> i16 {
        self.partition.last_kraft_version()
    }

    /// Offset of the record with the newest voter set; none for static voters.
    pub fn voters_offset(&self) -> Option<i64> {
        self.partition
            .last_voter_set_entry()
            .map(|(offset, _)| offset)
    }

    /// The offset at which the epoch that this replica leads began.
    pub fn epoch_start_offset(&self) -> Option<i64> {
        match &self.state {
            State::Leader(leader) => Some(leader.epoch_start_offset()),
            _ => None,
        }
    }

    /// The draws, to prescribe or read them.
    pub fn draws_mut(&mut self) -> &mut Draws {
        &mut self.draws
    }

    /// Whether [`Replica::poll`] is still to be called.
    pub fn is_running(&self) -> bool {
        self.shutdown.is_none_or(|shutdown| !shutdown.is_complete)
    }

    /// Begins a graceful shutdown: a leader resigns, and goes when another one is known or `timeout_ms` are over.
    pub fn shutdown(&mut self, now: Time, timeout_ms: i64) {
        let timer = Timer::new(self.config.clock.millis(now), timeout_ms);
        self.shutdown = Some(Shutdown {
            timer,
            is_complete: false,
        });
        self.wakeup();
    }

    /// Closes the log, as a clean stop does after the shutdown.
    pub fn close(&mut self, disk: &mut dyn Disk) -> Result<(), RaftFault> {
        self.log.flush(disk)?;
        Ok(self.log.close(disk)?)
    }

    pub(crate) fn wakeup(&mut self) {
        self.schedule.waiting.woken = true;
    }

    /// When [`Replica::poll`] wants to be called, even if no message came in.
    pub fn next_poll(&self) -> Time {
        if !self.is_running() {
            return Time::MAX;
        }
        let Waiting { woken, timeout_ms } = self.schedule.waiting;
        let timeout_ms = timeout_ms.unwrap_or(0);
        let state = if woken || self.schedule.handled_message {
            self.schedule.since
        } else {
            match u64::try_from(timeout_ms) {
                Ok(ms) if timeout_ms != i64::MAX => {
                    let floor = Time::from_millis(self.schedule.since.as_millis());
                    // A poll that wants to be called at once and is not woken spins, as Kafka's does when an observer's
                    // election timer is over: until its clock, which counts milliseconds, shows the next one, it would
                    // find the same again.
                    floor + Time::from_millis(ms.max(1))
                }
                _ => Time::MAX,
            }
        };
        let fetches = self.waiting_fetches.next_deadline_ms();
        let background = [fetches, self.log.next_deletion_ms()]
            .into_iter()
            .flatten()
            .min();
        state.min(background.map_or(Time::MAX, |ms| self.config.clock.time_of(ms)))
    }

    /// What the raft thread waits for.
    pub fn waiting(&self) -> Waiting {
        self.schedule.waiting
    }
}
