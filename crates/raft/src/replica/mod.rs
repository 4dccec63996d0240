//! One replica: [`Replica`] and what it does with messages and time, a file per kind of message.
//!
//! A replica is its role and what it has in every role, `Shared`; both can be borrowed at once. An entry point (a poll, a
//! request, an answer, a call of a listener) matches the role once, and what only a leader does is a method of `Leader`
//! that is given `Shared`, so that nothing has to be said for other roles. A role cannot replace itself: a method that
//! ends it returns the `RoleChange` that follows, and [`Replica`] alone makes it, by `transition`. What every role can
//! be asked is the trait `EpochState`. Which request needs the leader of its epoch, `leader_of` in `inbound` says.

mod append;
mod asker;
mod describe;
mod fetch;
mod fetch_snapshot;
mod inbound;
mod listeners;
mod open;
mod poll;
mod poll_follower;
mod poll_leader;
mod poll_roles;
mod quorum_epoch;
mod response;
mod role_changes;
mod send;
mod shared;
mod snapshot;
mod turn;
mod update_voter;
mod upgrade;
mod vote;
mod voter_changes;
mod waiting_fetch;

use determinism::{Draws, Time};
use disk::Disk;
use listener::LeaderAndEpoch;
use raft_log::log::MetadataLog;
use records::{NodeId, ReplicaKey};

use crate::message::{ApiVersionsResponse, Outbound};
use crate::role::State;
use crate::shutdown::Shutdown;
use crate::timer::Timer;
use crate::{RaftConfig, RaftFault, Role, VoterSet};

pub use shared::Waiting;
pub(crate) use shared::{Cx, Shared};
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
    pub(crate) role: State,
    pub(crate) shared: Shared,
}

impl Replica {
    /// Whether this replica is a voter of the newest voter set, committed or not.
    pub fn is_voter(&self) -> bool {
        self.shared.is_voter()
    }

    /// The next message to send.
    pub fn poll_message(&mut self) -> Option<Outbound> {
        self.shared.outbox.pop_front()
    }

    /// The answer to `API_VERSIONS`, which a real server gives without its raft thread.
    pub fn answer_api_versions(&self) -> ApiVersionsResponse {
        self.shared.answer_api_versions()
    }

    pub fn config(&self) -> &RaftConfig {
        &self.shared.config
    }

    /// The local node.
    pub fn id(&self) -> NodeId {
        self.shared.config.node_id
    }

    /// The present role.
    pub fn role(&self) -> Role {
        self.role.role()
    }

    /// The present epoch.
    pub fn epoch(&self) -> i32 {
        self.role.epoch()
    }

    /// The leader of the epoch, where it is known.
    pub fn leader(&self) -> Option<NodeId> {
        self.role.leader()
    }

    pub fn leader_and_epoch(&self) -> LeaderAndEpoch {
        self.role.leader_and_epoch()
    }

    /// Whom this replica voted for in the epoch, as far as the role remembers.
    pub fn voted_key(&self) -> Option<ReplicaKey> {
        self.role.voted_key()
    }

    /// The high watermark, where the role knows one.
    pub fn high_watermark(&self) -> Option<i64> {
        self.role.high_watermark()
    }

    /// Exclusive end of the log.
    pub fn log_end_offset(&self) -> i64 {
        self.shared.log.end_offset()
    }

    pub fn log(&self) -> &MetadataLog {
        &self.shared.log
    }

    /// The newest voter set, committed or not.
    pub fn voters(&self) -> &VoterSet {
        self.shared.partition.last_voter_set()
    }

    /// The newest kraft.version of the log, committed or not.
    pub fn log_kraft_version(&self) -> i16 {
        self.shared.partition.last_kraft_version()
    }

    /// Offset of the record with the newest voter set; none for static voters.
    pub fn voters_offset(&self) -> Option<i64> {
        self.shared
            .partition
            .last_voter_set_entry()
            .map(|(offset, _)| offset)
    }

    /// The offset at which the epoch that this replica leads began.
    pub fn epoch_start_offset(&self) -> Option<i64> {
        match &self.role {
            State::Leader(leader) => Some(leader.epoch_start_offset()),
            _ => None,
        }
    }

    /// The draws, to prescribe or read them.
    pub fn draws_mut(&mut self) -> &mut Draws {
        &mut self.shared.draws
    }

    /// Whether [`Replica::poll`] is still to be called.
    pub fn is_running(&self) -> bool {
        self.shared
            .shutdown
            .is_none_or(|shutdown| !shutdown.is_complete)
    }

    /// Begins a graceful shutdown: a leader resigns, and goes when another one is known or `timeout_ms` are over.
    pub fn shutdown(&mut self, now: Time, timeout_ms: i64) {
        let timer = Timer::new(self.shared.config.clock.millis(now), timeout_ms);
        self.shared.shutdown = Some(Shutdown {
            timer,
            is_complete: false,
        });
        self.shared.wakeup();
    }

    /// Closes the log, as a clean stop does after the shutdown.
    pub fn close(&mut self, disk: &mut dyn Disk) -> Result<(), RaftFault> {
        self.shared.log.flush(disk)?;
        Ok(self.shared.log.close(disk)?)
    }

    /// When [`Replica::poll`] wants to be called, even if no message came in.
    pub fn next_poll(&self) -> Time {
        if !self.is_running() {
            return Time::MAX;
        }
        let Waiting { woken, timeout_ms } = self.shared.schedule.waiting;
        let timeout_ms = timeout_ms.unwrap_or(0);
        let state = if woken || self.shared.schedule.handled_message {
            self.shared.schedule.since
        } else {
            match u64::try_from(timeout_ms) {
                Ok(ms) if timeout_ms != i64::MAX => {
                    let floor = Time::from_millis(self.shared.schedule.since.as_millis());
                    // A poll that wants to be called at once and is not woken spins, as Kafka's does when an observer's
                    // election timer is over: until its clock, which counts milliseconds, shows the next one, it would
                    // find the same again.
                    floor + Time::from_millis(ms.max(1))
                }
                _ => Time::MAX,
            }
        };
        let fetches = self.shared.waiting_fetches.next_deadline_ms();
        let background = [fetches, self.shared.log.next_deletion_ms()]
            .into_iter()
            .flatten()
            .min();
        state.min(background.map_or(Time::MAX, |ms| self.shared.config.clock.time_of(ms)))
    }

    /// What the raft thread waits for.
    pub fn waiting(&self) -> Waiting {
        self.shared.schedule.waiting
    }
}
