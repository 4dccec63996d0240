use std::fmt;
use std::sync::Arc;

use determinism::Time;
use node::{
    Connection, Destination, Ended, Lifecycle, Payload, Reach, RequestId, Sender, Thread, Versions,
};
use raft::Address;
use records::NodeId;
use releases::Rules;

use tracing::level_filters::LevelFilter;

use super::World;
use super::administrator::ADMINISTRATOR;
use super::event::Event;
use super::machine::{Down, Machine, Process};
use super::sight::Sight;
use super::wire::{self, Wire};
use crate::network::{Direction, Fate};

/// The target of the spans that say when something happened and on which node; a subscriber lets them pass always.
pub const SCOPE_TARGET: &str = "simulated";

/// One handled event occupies its thread this long.
const EVENT_COST: Time = Time::from_micros(20);
/// From a fatal fault to the end of the process, at most. Long enough for a batch that lingers (25 ms) to be written; real
/// Kafka takes up to 400 ms on a busy machine.
const LONGEST_HALT_MICROS: u64 = 64_000;
/// Each of so many delays is half of the one before. A third of them is none at all.
const HALT_DELAYS: u64 = 24;

/// When, and on which node; written out only where somebody listens.
struct Moment(Time, NodeId);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0.as_micros();
        let (seconds, micros) = (micros / 1_000_000, micros % 1_000_000);
        write!(f, "{seconds:>4}.{micros:06}s  node {}", self.1)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Envelope {
    pub(super) direction: Direction,
    pub(super) connection: Connection,
    /// What the sender runs: both sides talk in the newest version that both know.
    pub(super) sender: Arc<Rules>,
    pub(super) content: Carried,
}

#[derive(Clone, Debug)]
pub(super) enum Carried {
    Message(Payload),
    /// The connection on which the request with this number waited is gone.
    Disconnected(RequestId),
}

/// Running: what the scheduler hands out, and what follows from it.
impl World {
    /// Handles the next event; `None` when nothing will ever happen again.
    pub fn step(&mut self) -> Option<Time> {
        let next = self.queue.pop()?;
        self.now = next.at;
        self.handled += 1;
        self.touched = match next.event {
            Event::Wake { machine, .. }
            | Event::Arrive { machine, .. }
            | Event::Halt { machine, .. }
            | Event::StopLimit { machine, .. }
            | Event::Resume { machine, .. } => Some(machine),
            Event::Answer { .. } => None,
        };
        let _scope = self.touched.and_then(|at| self.scope(at));
        match next.event {
            Event::Wake {
                machine,
                thread,
                ticket,
            } => self.wake(machine, thread, ticket),
            Event::Arrive { machine, message } => self.arrive(machine, message),
            Event::Answer { message } => self.answer_arrives(message),
            Event::Halt { machine, ticket } => {
                let halting = &self.machines[usize::from(machine)];
                if let Some(why) = halting.halting.clone().filter(|_| halting.starts == ticket) {
                    self.end(halting.id, Down::Ended(why));
                }
            }
            Event::StopLimit { machine, ticket } => {
                let stopping = &self.machines[usize::from(machine)];
                if stopping.starts == ticket && stopping.node().is_some() {
                    self.crash(stopping.id);
                }
            }
            Event::Resume { machine, ticket } => {
                let paused = &self.machines[usize::from(machine)];
                if paused.ticket == ticket && paused.is_paused() {
                    self.resume(paused.id);
                }
            }
        }
        Some(self.now)
    }

    /// Under what the crates below trace: when, by the simulated clock, and which node.
    #[inline]
    pub(super) fn scope(&self, at: u16) -> Option<tracing::span::EnteredSpan> {
        // Nobody listens: one comparison an event.
        if LevelFilter::current() == LevelFilter::OFF {
            return None;
        }
        let message = Moment(self.now, self.machines[usize::from(at)].id);
        let span = tracing::error_span!(target: SCOPE_TARGET, "at", %message);
        Some(span.entered())
    }

    /// The machine that the last event concerned, if it concerned one; every other one is as it was before.
    pub fn touched(&self) -> Option<&Machine> {
        self.touched.map(|at| &*self.machines[usize::from(at)])
    }

    /// When the next event happens.
    pub fn next_at(&self) -> Option<Time> {
        self.queue.peek().map(|next| next.at)
    }

    /// Moves the clock; no event lies in between.
    pub fn pass_to(&mut self, at: Time) {
        debug_assert!(
            self.next_at().is_none_or(|next| next >= at),
            "an event lies before {at}"
        );
        self.now = self.now.max(at);
    }

    fn wake(&mut self, at: u16, thread: Thread, ticket: u32) {
        let now = self.now;
        let wake = &self.machines[usize::from(at)].wakes[thread as usize];
        if wake.ticket != ticket || wake.at != now {
            return;
        }
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
        machine.wakes[thread as usize].at = Time::MAX;
        let Process::Up(node) = &mut machine.process else {
            return;
        };
        if machine.stopped_threads[thread as usize] {
            return;
        }
        if node.next_at(thread) > now {
            self.after(at);
            return;
        }
        machine.wakes[thread as usize].busy_until = now + EVENT_COST;
        self.digest
            .write_u64(now.as_micros() << 16 | u64::from(at) << 4 | thread as u64);
        let id = machine.id;
        match node.run(thread, now, &mut machine.disk) {
            Ok(()) => {
                node.digest(&mut self.digest);
                let stopped = node.lifecycle() == Lifecycle::Stopped;
                self.after(at);
                if stopped {
                    self.end(id, Down::Ended(Ended::Stopped));
                }
            }
            Err(ended @ Ended::Fault { .. }) => self.halt(at, thread, ended),
            Err(ended) => {
                self.see_disk(at);
                self.send_all(at);
                self.end(id, Down::Ended(ended));
            }
        }
    }

    /// A thread met a fatal fault. The others go on until the process has halted: Kafka's fault handler writes to the log,
    /// then calls `Runtime.halt` (`4.4:server-common/…/fault/ProcessTerminatingFaultHandler.java`). How long that takes is
    /// chance, and with it whether a controller comes to its activation before.
    fn halt(&mut self, at: u16, thread: Thread, why: Ended) {
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
        machine.stopped_threads[thread as usize] = true;
        if machine.halting.is_none() {
            machine.halting = Some(why);
            let ticket = machine.starts;
            let stream = format!("node {} halt {ticket}", machine.id);
            let halvings = self.root.fork(&stream).below(HALT_DELAYS);
            let delay = Time::from_micros(LONGEST_HALT_MICROS >> halvings);
            let halt = Event::Halt {
                machine: at,
                ticket,
            };
            if delay == Time::ZERO {
                self.schedule_first(self.now, halt);
            } else {
                self.schedule(self.now + delay, halt);
            }
        }
        self.after(at);
    }

    fn arrive(&mut self, at: u16, message: u32) {
        if self.machines[usize::from(at)].is_paused() {
            Arc::make_mut(&mut self.machines[usize::from(at)])
                .parked
                .push(message);
            return;
        }
        let Envelope {
            direction,
            connection,
            sender,
            content,
        } = self.messages.remove(message);
        let now = self.now;
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
        let Process::Up(node) = &mut machine.process else {
            if let Carried::Message(payload) = content
                && let Some(request) = payload.request_id()
            {
                self.tell_disconnected(direction.to, direction.from, request, connection);
            }
            return;
        };
        match content {
            Carried::Message(payload) => {
                if payload.answers().is_some() && !self.in_flight.close(connection) {
                    return; // The process that asked is gone; another may have its place.
                }
                let (from, kind) = (direction.from, payload.kind());
                self.sights
                    .message(now, direction.to, Sight::Arrived { from, kind });
                self.digest
                    .write_u64(now.as_micros() << 16 | u64::from(at) << 4 | 0xf);
                payload.digest(&mut self.digest);
                let carried = match self.wire {
                    Wire::Off => Ok(payload),
                    Wire::On => wire::through_bytes(payload, &sender.raft, &node.rules().raft),
                };
                let payload = match carried {
                    Ok(payload) => payload,
                    Err(fault) => {
                        self.wire_faults.push(fault.to_string());
                        return;
                    }
                };
                let sender = Sender {
                    node: direction.from,
                    versions: Versions::Newest(&sender.raft),
                    connection,
                };
                node.deliver(now, sender, payload);
            }
            Carried::Disconnected(request) => {
                if !self.in_flight.close(connection) {
                    return;
                }
                node.disconnected(now, request);
            }
        }
        self.after(at);
    }

    /// After a machine was touched: its messages leave, its threads are scheduled.
    pub(super) fn after(&mut self, at: u16) {
        self.see_disk(at);
        self.send_all(at);
        self.wake_all(at, self.now);
    }

    fn send_all(&mut self, at: u16) {
        loop {
            let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
            let from = machine.id;
            let Process::Up(node) = &mut machine.process else {
                return;
            };
            let Some((destination, payload)) = node.poll_send() else {
                return;
            };
            let sender = node.shared_rules();
            self.send(from, sender, &destination, payload);
        }
    }

    pub(super) fn send(
        &mut self,
        from: NodeId,
        sender: Arc<Rules>,
        destination: &Destination,
        payload: Payload,
    ) {
        self.sent += 1;
        let Some(to) = self.resolve(destination) else {
            return; // Nobody has that address: the request times out at its maker.
        };
        let direction = Direction { from, to };
        let fate = match payload.narrower_kind() {
            Some(narrower) => {
                let kinds = [payload.kind(), narrower];
                self.network.send(self.now, direction, &kinds)
            }
            None => self.network.send(self.now, direction, &[payload.kind()]),
        };
        let kind = payload.kind();
        let sight = match fate {
            Fate::Arrives(_) => Sight::Sent { to, kind },
            Fate::Lost => Sight::Lost { to, kind },
        };
        self.sights.message(self.now, from, sight);
        let connection = match (destination, payload.request_id(), fate) {
            (Destination::Answer { connection, .. }, _, Fate::Arrives(_)) => *connection,
            (Destination::Answer { connection, .. }, _, Fate::Lost) => {
                self.in_flight.close(*connection);
                return;
            }
            (_, Some(request), Fate::Arrives(_)) => self.in_flight.open(direction, request),
            _ => return,
        };
        if let Fate::Arrives(at) = fate {
            let content = Carried::Message(payload);
            let envelope = Envelope {
                direction,
                connection,
                sender,
                content,
            };
            self.schedule_arrival(at, envelope);
        }
    }

    pub(super) fn schedule_arrival(&mut self, at: Time, envelope: Envelope) {
        let to = envelope.direction.to;
        let message = self.messages.insert(envelope);
        let event = if to == ADMINISTRATOR {
            Event::Answer { message }
        } else {
            let machine = self.by_id[&to];
            Event::Arrive { machine, message }
        };
        self.schedule(at, event);
    }

    fn resolve(&self, destination: &Destination) -> Option<NodeId> {
        match destination {
            Destination::Node(id) | Destination::Answer { node: id, .. } => {
                (*id == ADMINISTRATOR || self.by_id.contains_key(id)).then_some(*id)
            }
            Destination::Address { address, expected } => self.at_address(address, *expected),
        }
    }

    /// The machine at an address. Where configurations leave out which address a node is reached at, the node that the
    /// sender means is taken if it listens on that port at all, else the only one that does so on every address.
    fn at_address(&self, address: &Address, expected: Option<NodeId>) -> Option<NodeId> {
        let reached = |how: Reach| {
            self.machines
                .iter()
                .filter(move |machine| machine.reached_at(address) == how)
                .map(|machine| machine.id)
        };
        if let Some(exact) = reached(Reach::Exact).next() {
            return Some(exact);
        }
        let meant = expected.and_then(|id| self.machine(id));
        if let Some(meant) = meant.filter(|meant| meant.reached_at(address) != Reach::No) {
            return Some(meant.id);
        }
        let mut listening = reached(Reach::AnyHostAtPort);
        listening.next().filter(|_| listening.next().is_none())
    }

    fn wake_all(&mut self, at: u16, now: Time) {
        let Process::Up(node) = &self.machines[usize::from(at)].process else {
            return;
        };
        let machine = &self.machines[usize::from(at)];
        let mut due = [Time::MAX; Thread::ALL.len()];
        for thread in Thread::ALL {
            let wake = &machine.wakes[thread as usize];
            let wanted = node.next_at(thread).max(wake.busy_until).max(now);
            if wanted < wake.at && !machine.stopped_threads[thread as usize] {
                due[thread as usize] = wanted;
            }
        }
        for thread in Thread::ALL {
            let wanted = due[thread as usize];
            if wanted == Time::MAX {
                continue;
            }
            let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
            let wake = &mut machine.wakes[thread as usize];
            wake.at = wanted;
            wake.ticket = wake.ticket.wrapping_add(1);
            let ticket = wake.ticket;
            self.schedule(
                wanted,
                Event::Wake {
                    machine: at,
                    thread,
                    ticket,
                },
            );
        }
    }
}
