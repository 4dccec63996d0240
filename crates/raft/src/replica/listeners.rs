//! What listeners are told, and when.

use listener::{BrokenContract, Event, ListenerId, ReadMode, SnapshotReader};
use raft_log::batch::Batch;
use releases::listener::CommittedReadLimit;

use super::Replica;
use super::shared::{Cx, Shared};
use crate::RaftFault;
use crate::role::{EpochState, Leader, State};

/// What one commit covers at most where that is limited.
const LIMITED_READ_BYTES: u64 = 8 * 1024 * 1024;

impl Replica {
    /// Adds a listener. It is told from the end of the next poll on.
    pub fn register(&mut self, reading: ReadMode) -> ListenerId {
        let dispatcher = listener::Dispatcher::new(self.shared.config.node_id).reading(reading);
        self.shared.listeners.push(dispatcher);
        self.shared.wakeup();
        ListenerId(self.shared.listeners.len() - 1)
    }

    /// The next event of a listener.
    pub fn poll_listener(&mut self, listener: ListenerId) -> Option<Event> {
        self.shared.listeners.get_mut(listener.0)?.poll()
    }

    /// A broken listener contract, once.
    pub fn take_violation(&mut self) -> Option<BrokenContract> {
        self.shared
            .listeners
            .iter_mut()
            .find_map(listener::Dispatcher::take_violation)
    }

    /// The contract of a listener, to tell it of the controller's side.
    pub fn contract_mut(&mut self, listener: ListenerId) -> Option<&mut listener::Contract> {
        self.shared
            .listeners
            .get_mut(listener.0)
            .map(listener::Dispatcher::contract_mut)
    }

    pub(super) fn poll_listeners(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        let shared = &mut self.shared;
        shared.registered = shared.listeners.len();
        if let Some(high_watermark) = self.role.high_watermark() {
            shared.update_listeners_progress(cx, high_watermark)?;
        }
        match &self.role {
            State::Leader(leader) => leader.announce(shared),
            // It is the leader of its epoch by name only, and could not write.
            State::Resigned(_) => {}
            _ => self.announce_leader(),
        }
        Ok(())
    }

    pub(super) fn announce_leader(&mut self) {
        let leader = self.role.leader_and_epoch();
        for dispatcher in self.shared.told_listeners() {
            dispatcher.leader_changed(leader);
        }
    }
}

impl Leader {
    /// Tells the listeners of the local node that it leads.
    pub(super) fn announce(&self, shared: &mut Shared) {
        for dispatcher in shared.told_listeners() {
            dispatcher.local_leader_changed(self.leader_and_epoch(), self.epoch_start_offset());
        }
    }
}

impl Shared {
    fn told_listeners(&mut self) -> &mut [listener::Dispatcher] {
        &mut self.listeners[..self.registered]
    }

    pub(super) fn close_listener_reader(&mut self, listener: ListenerId, next_offset: i64) {
        let dispatcher = self.listeners.get_mut(listener.0);
        if dispatcher.is_some_and(|dispatcher| dispatcher.close_reader(next_offset)) {
            self.wakeup();
        }
    }

    /// Tells each listener what it is to hear next, up to the high watermark.
    ///
    /// Source: `updateListenersProgress` in `4.4:raft/…/KafkaRaftClient.java`.
    pub(super) fn update_listeners_progress(
        &mut self,
        cx: &mut Cx<'_>,
        high_watermark: i64,
    ) -> Result<(), RaftFault> {
        for index in 0..self.registered {
            self.maybe_load_snapshot(cx, index, high_watermark)?;
            if let Some(next) = self.listeners[index].next_expected_offset()
                && next < high_watermark
            {
                let batches = self.read_committed(next)?;
                self.listeners[index].commit_from_log(next, batches);
                self.wake_for_reader(index);
            }
        }
        Ok(())
    }

    fn maybe_load_snapshot(
        &mut self,
        cx: &mut Cx<'_>,
        index: usize,
        high_watermark: i64,
    ) -> Result<(), RaftFault> {
        let Some(next) = self.listeners[index].next_expected_offset() else {
            return Ok(());
        };
        let is_new = self.listeners[index].is_new();
        let is_behind_start = next < self.log.start_offset();
        if !is_new && !is_behind_start {
            return Ok(());
        }
        let newest = if next < high_watermark {
            self.log.latest_snapshot(cx.disk)?
        } else {
            None
        };
        if let Some(checkpoint) = newest {
            let rule = self.rules.listener.zero_checkpoint;
            let reader = SnapshotReader {
                snapshot_id: checkpoint.id(),
                file: checkpoint.name().into(),
                bytes: checkpoint.bytes().clone(),
            };
            self.listeners[index].load(rule, reader);
        } else if is_new {
            self.listeners[index].begin_at_smallest_offset();
        } else {
            return Err(RaftFault::illegal(format!(
                "a listener at offset {next} needs a checkpoint: the log starts at {}, the high watermark is \
                 {high_watermark}",
                self.log.start_offset()
            )));
        }
        Ok(())
    }

    fn read_committed(&self, from: i64) -> Result<Vec<Batch>, RaftFault> {
        let max_bytes = match self.rules.listener.committed_read_limit {
            CommittedReadLimit::EightMebibytes => LIMITED_READ_BYTES,
            CommittedReadLimit::WholeSegment => i32::MAX as u64,
        };
        Ok(self.log.read_committed(from, max_bytes)?)
    }

    /// Hands a committed batch of the leader's own over from memory to the listeners that wait for just that.
    pub(super) fn commit_from_memory(&mut self, batch: &Batch) {
        for index in 0..self.registered {
            let dispatcher = &mut self.listeners[index];
            if dispatcher.next_expected_offset() == Some(batch.base_offset()) {
                dispatcher.commit_from_memory(batch.clone());
                self.wake_for_reader(index);
            }
        }
    }

    /// A reader that was closed in the callback itself makes the next poll due.
    fn wake_for_reader(&mut self, index: usize) {
        if self.listeners[index].reads() == ReadMode::AtOnce {
            self.wakeup();
        }
    }
}
