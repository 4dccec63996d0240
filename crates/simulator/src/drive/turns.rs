//! What a node does when it is its turn.

use node::{Ended, Node, Thread};
use quorum_controller::{Chance, Controller, Ids};
use records::NodeId;

use super::seat::{InboxItem, Seat};
use super::watching::Watching;
use super::{AnswerDetail, CommandRefusal, Drive, Purpose};
use crate::world::Machine;

impl Drive {
    /// One turn of the replica; the controller handles what it has afterwards.
    pub(super) fn poll(&mut self, node: NodeId) -> Result<AnswerDetail, CommandRefusal> {
        let next = self.running(node)?.inbox.pop_front();
        let (id, answered, put_back) = match next {
            None => (None, None, None),
            Some((id, InboxItem::Answered { operation, outcome })) => {
                let again = InboxItem::Answered {
                    operation,
                    outcome: outcome.clone(),
                };
                (Some(id), Some((operation, outcome)), again.into())
            }
            Some((id, waiting)) => {
                match waiting {
                    InboxItem::Letter(letter) => drop(self.world.deliver(letter)),
                    InboxItem::Failure { letter, error } => drop(self.world.fail(&letter, error)),
                    InboxItem::Delivered | InboxItem::Answered { .. } => {}
                }
                (Some(id), None, Some(InboxItem::Delivered))
            }
        };
        let (outcome, watched) = self.run_thread(node, Thread::Raft);
        let process = self.world.machine(node).and_then(Machine::node);
        let was_taken = process.is_some_and(|process| match answered {
            Some(_) => outcome.is_ok() && process.replica().is_running(),
            None => process.inbox_length() == 0,
        });
        let waiting = process.map(|process| process.replica().waiting());
        let seat = self
            .seats
            .get_mut(&node)
            .ok_or(CommandRefusal::NoSuchNode(node))?;
        match (was_taken, put_back) {
            (true, _) => seat.outcomes.extend(answered),
            (false, Some(waiting)) => seat.inbox.push_front((id.unwrap_or_default(), waiting)),
            (false, None) => {}
        }
        seat.heard(watched);
        if let Err(Ended::Fault { reason, .. } | Ended::Hangs { reason, .. }) = outcome {
            seat.doom(&reason);
        }
        self.draws_made(node);
        self.settle(node)?;
        Ok(AnswerDetail::Polled {
            handled: id.filter(|_| was_taken),
            next_poll_within: waiting.and_then(|of| of.timeout_ms).unwrap_or(-1),
        })
    }

    fn run_thread(&mut self, node: NodeId, thread: Thread) -> (Result<(), Ended>, Watching) {
        let mut watching = Watching::new(self.setup.rules.bootstrap.zero_checkpoint);
        let outcome = self.world.run_thread(node, thread, &mut watching);
        self.observe(node);
        (outcome, watching)
    }

    /// Something happened on a machine: what is different there?
    pub(super) fn observe(&mut self, node: NodeId) {
        if let Some(machine) = self.world.machine(node) {
            self.observer.look(self.world.now(), machine);
        }
    }

    pub(super) fn draws_made(&mut self, node: NodeId) {
        let Some(seat) = self.seats.get_mut(&node) else {
            return;
        };
        self.world.with_node(node, |process, _, _| {
            process.as_listener(|replica| seat.draws_made(Purpose::Raft, replica.draws_mut()));
        });
    }

    /// What the replica answered comes first; then the controller handles all it has.
    pub(super) fn settle(&mut self, node: NodeId) -> Result<(), CommandRefusal> {
        self.collect(node)?;
        self.quiesce(node)?;
        self.collect(node)
    }

    /// Lets the controller run until it has nothing to do at this time of the clock; ids are drawn from one stream for
    /// all nodes.
    pub(super) fn quiesce(&mut self, node: NodeId) -> Result<(), CommandRefusal> {
        let now = self.now();
        if self.seat_mut(node)?.stands_still() {
            return Ok(());
        }
        // A clock may show the end of all time, when even what never comes would be due: only what is put off is compared.
        let is_due = |process: &Node| {
            let controller = process.controller();
            controller
                .and_then(Controller::next_event_at)
                .is_some_and(|at| at <= now)
        };
        while self.process(node).is_some_and(is_due) {
            let drawn = self.ids_drawn;
            self.with_chance(node, |chance, _| chance.ids = Ids::Counted(drawn));
            let (_, watched) = self.run_thread(node, Thread::Controller);
            let drawn = self.with_chance(node, |chance, seat| {
                seat.draws_made(Purpose::Placer, &mut chance.placer);
                match chance.ids {
                    Ids::Counted(last) => Some(last),
                    Ids::Drawn(_) => None,
                }
            });
            self.ids_drawn = drawn.flatten().unwrap_or(self.ids_drawn);
            let process = self.world.machine(node).and_then(Machine::node);
            if let (Some(seat), Some(process)) = (self.seats.get_mut(&node), process) {
                seat.ran(watched, process);
            }
        }
        Ok(())
    }

    fn with_chance<T>(
        &mut self,
        node: NodeId,
        act: impl FnOnce(&mut Chance, &mut Seat) -> T,
    ) -> Option<T> {
        let seat = self.seats.get_mut(&node)?;
        let answer = self.world.with_node(node, |process, _, _| {
            let chance = process.controller_chance_mut()?;
            Some(act(chance, seat))
        });
        answer.flatten()
    }
}
