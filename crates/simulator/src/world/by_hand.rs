//! A world that its caller schedules: no thread runs and no message arrives by itself.

use std::sync::Arc;

use determinism::Time;
use node::{Destination, Ended, Node, NodeChance, Parts, Payload, SeamWatcher, Thread};
use raft::message::Errors;
use records::NodeId;
use releases::Rules;

use super::World;
use super::letter::{Carried, Envelope, Letter};
use super::machine::Process;
use crate::SimDisk;
use crate::network::Direction;

/// Scheduling by hand: the caller starts processes, runs their threads, and has every message that they send.
///
/// Disks, processes, connections and addresses are those of any world. [`World::step`] finds nothing to do.
impl World {
    /// An empty world that its caller schedules.
    pub fn by_hand(seed: u64) -> Self {
        World {
            letters: Some(Vec::new()),
            ..World::new(seed)
        }
    }

    /// Starts a process of these parts.
    pub fn start_by_hand(&mut self, id: NodeId, parts: Parts, chance: NodeChance) {
        self.start_with(id, |_| (parts, chance));
    }

    /// Sets the clock, which may go back.
    pub fn set_clock(&mut self, now: Time) {
        self.now = now;
    }

    /// Runs one event of a thread, now. After a fatal fault the process stays as it is until the caller ends it.
    ///
    /// # Errors
    ///
    /// Why the process is over.
    pub fn run_thread(
        &mut self,
        id: NodeId,
        thread: Thread,
        watcher: &mut impl SeamWatcher,
    ) -> Result<(), Ended> {
        let Some(at) = self.by_id.get(&id).copied() else {
            return Ok(());
        };
        let _scope = self.scope(at);
        self.run(at, thread, watcher)
    }

    /// Does something with a live process and its disk; `None` where there is none. What it sends is in
    /// [`Self::take_letters`].
    pub fn with_node<T>(
        &mut self,
        id: NodeId,
        act: impl FnOnce(&mut Node, Time, &mut SimDisk) -> T,
    ) -> Option<T> {
        let at = *self.by_id.get(&id)?;
        let _scope = self.scope(at);
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
        let Process::Up(node) = &mut machine.process else {
            return None;
        };
        let answer = act(node, self.now, &mut machine.disk);
        self.after(at);
        Some(answer)
    }

    /// The messages that were sent since the last call, in that order.
    pub fn take_letters(&mut self) -> Vec<Letter> {
        self.letters
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Whether the process that waits for this request's answer, or for this answer, still lives.
    pub fn is_awaited(&self, letter: &Letter) -> bool {
        self.in_flight.is_open(letter.connection)
    }

    /// A message arrives; whether anybody took it.
    pub fn deliver(&mut self, letter: Letter) -> bool {
        let Some((to, at)) = self.receiver(letter.to) else {
            return false;
        };
        if letter.payload.answers().is_some() && !self.is_awaited(&letter) {
            return false;
        }
        self.hand_over(
            at,
            Envelope {
                direction: Direction {
                    from: letter.from,
                    to,
                },
                connection: letter.connection,
                sender: letter.sender,
                version: letter.version,
                content: Carried::Message(letter.payload),
            },
        );
        true
    }

    /// The connection of a request or of its answer is gone: the channel of the process that asked answers `error`.
    /// Whether that process still lives.
    pub fn fail(&mut self, letter: &Letter, error: Errors) -> bool {
        let (asking, request) = match (letter.payload.request_id(), letter.payload.answers()) {
            (Some(request), _) => (Some(letter.from), request),
            (None, Some(request)) => (letter.to, request),
            (None, None) => return false,
        };
        if !self.in_flight.close(letter.connection) {
            return false;
        }
        let asking = asking.and_then(|id| {
            self.with_node(id, |node, now, _| node.request_failed(now, request, error))
        });
        asking.is_some()
    }

    fn receiver(&self, to: Option<NodeId>) -> Option<(NodeId, u16)> {
        let to = to?;
        let at = *self.by_id.get(&to)?;
        self.machines[usize::from(at)].node()?;
        Some((to, at))
    }

    /// A message that would travel by itself is the caller's.
    pub(super) fn put_in_hand(
        &mut self,
        from: NodeId,
        sender: Arc<Rules>,
        destination: Destination,
        payload: Payload,
    ) {
        let to = self.resolve(&destination);
        let connection = match (&destination, payload.request_id()) {
            (Destination::Answer { connection, .. }, _) => *connection,
            (_, Some(request)) => {
                // The caller may know better who is reached at an address; nobody is told when that process ends.
                let to = to.unwrap_or(from);
                self.in_flight.open(Direction { from, to }, request)
            }
            (_, None) => return,
        };
        self.letters.get_or_insert_default().push(Letter {
            from,
            to,
            destination,
            version: None,
            payload,
            sender,
            connection,
        });
    }
}
