use determinism::Time;
use disk::Disk;

use super::Replica;
use super::open::CLEANING_INTERVAL_MS;
use super::shared::{Cx, Waiting};
use super::turn::Turn;
use crate::role::State;
use crate::{MessageQueue, RaftFault};

impl Replica {
    /// One turn of the raft thread: what the role has to do now, then at most one message, then the listeners.
    ///
    /// Call it whenever a message waits in the queue, and without one at [`Replica::next_poll`]. A turn that ends before
    /// that, in a fault or because a shutdown is complete, takes nothing from the queue.
    pub fn poll(
        &mut self,
        now: Time,
        disk: &mut dyn Disk,
        mut queue: impl MessageQueue,
    ) -> Result<(), RaftFault> {
        self.run_background(now, disk)?;
        let cx = &mut Cx {
            now_ms: self.shared.config.clock.millis(now),
            disk,
        };
        self.shared.schedule.since = now;
        self.shared.schedule.handled_message = false;
        if self.maybe_complete_shutdown(cx.now_ms) {
            return Ok(());
        }
        let state_timeout_ms = self.poll_current_state(cx)?;
        let cleaning_timeout_ms = self.maybe_clean(cx)?;
        let timeout_ms = state_timeout_ms.min(cleaning_timeout_ms);
        self.shared.schedule.waiting = Waiting {
            woken: false,
            timeout_ms: Some(timeout_ms),
        };
        let inbound = queue.poll(timeout_ms);
        self.shared.schedule.handled_message = inbound.is_some();
        if let Some(inbound) = inbound {
            self.handle_inbound(cx, inbound)?;
        }
        self.poll_listeners(cx)
    }

    /// What threads of their own do in Kafka: fetches whose time is over are answered, files that wait to be removed go.
    ///
    /// [`Replica::poll`] begins with it, and [`Replica::next_poll`] counts it in.
    pub fn run_background(&mut self, now: Time, disk: &mut dyn Disk) -> Result<(), RaftFault> {
        let now_ms = self.shared.config.clock.millis(now);
        self.shared.expire_fetches(now_ms);
        Ok(self.shared.log.run_deletions(disk, now_ms)?)
    }

    fn maybe_complete_shutdown(&mut self, now_ms: i64) -> bool {
        let shared = &self.shared;
        let goes_unmissed = shared.shutdown.is_some()
            && (!shared.is_voter() || shared.is_only_voter() || self.has_remote_leader());
        let Some(shutdown) = &mut self.shared.shutdown else {
            return false;
        };
        let is_complete = shutdown.timer.is_expired(now_ms) || goes_unmissed;
        shutdown.is_complete |= is_complete;
        is_complete
    }

    fn has_remote_leader(&self) -> bool {
        self.role
            .leader()
            .is_some_and(|leader| leader != self.shared.config.node_id)
    }

    /// The role's part of a turn. Returns the milliseconds until it has something to do.
    fn poll_current_state(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        let shared = &mut self.shared;
        let turn = match &mut self.role {
            State::Leader(leader) => leader.poll(shared, cx),
            State::Candidate(candidate) => candidate.poll(shared, cx),
            State::Prospective(prospective) => prospective.poll(shared, cx),
            State::Follower(follower) => follower.poll(shared, cx),
            State::Unattached(unattached) => unattached.poll(shared, cx),
            State::Resigned(resigned) => resigned.poll(shared, cx),
        };
        match turn? {
            Turn::Wait(timeout_ms) => Ok(timeout_ms),
            Turn::Change(change) => {
                self.change_role(cx, change)?;
                Ok(0)
            }
        }
    }

    fn maybe_clean(&mut self, cx: &mut Cx<'_>) -> Result<i64, RaftFault> {
        if self.shared.cleaner.is_expired(cx.now_ms) {
            self.shared.log.maybe_clean(cx.disk, cx.now_ms)?;
            self.shared.cleaner.reset(CLEANING_INTERVAL_MS);
        }
        Ok(self.shared.cleaner.remaining_ms(cx.now_ms))
    }
}
