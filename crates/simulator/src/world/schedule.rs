use std::fmt;
use std::sync::Arc;

use determinism::Time;
use node::{Ended, Lifecycle, SeamWatcher, Sender, Thread, Versions};
use raft::message::Errors;
use records::NodeId;

use tracing::level_filters::LevelFilter;

use super::World;
use super::event::Event;
use super::letter::{Carried, Envelope};
use super::machine::{Down, Machine, Process};
use super::sight::Sight;
use super::wire::{self, Wire};

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
            // The thread was woken earlier, or is to be woken later: this event concerns nobody any more.
            self.touched = None;
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
        // A process that is over has been ended.
        let _ = self.run(at, thread, &mut ());
    }

    /// Runs one event of a thread of a live process.
    pub(super) fn run(
        &mut self,
        at: u16,
        thread: Thread,
        watcher: &mut impl SeamWatcher,
    ) -> Result<(), Ended> {
        let now = self.now;
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
        let Process::Up(node) = &mut machine.process else {
            return Ok(());
        };
        self.digest
            .write_u64(now.as_micros() << 16 | u64::from(at) << 4 | thread as u64);
        let id = machine.id;
        match node.run(thread, now, &mut machine.disk, watcher) {
            Ok(()) => {
                node.digest(&mut self.digest);
                let stopped = node.lifecycle() == Lifecycle::Stopped;
                self.after(at);
                if stopped {
                    self.end(id, Down::Ended(Ended::Stopped));
                }
                Ok(())
            }
            // Who schedules the world by hand looks at what hangs, too.
            Err(ended)
                if matches!(ended, Ended::Fault { .. })
                    || matches!(ended, Ended::Hangs { .. }) && self.letters.is_some() =>
            {
                self.halt(at, thread, ended.clone());
                Err(ended)
            }
            Err(ended) => {
                self.see_disk(at);
                self.send_all(at);
                self.end(id, Down::Ended(ended.clone()));
                Err(ended)
            }
        }
    }

    /// A thread met a fatal fault. The others go on until the process has halted: Kafka's fault handler writes to the log,
    /// then calls `Runtime.halt` (`4.4:server-common/…/fault/ProcessTerminatingFaultHandler.java`). How long that takes is
    /// chance, and with it whether a controller activates before.
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
        let envelope = self.messages.remove(message);
        self.hand_over(at, envelope);
    }

    pub(super) fn hand_over(&mut self, at: u16, envelope: Envelope) {
        let Envelope {
            direction,
            connection,
            sender,
            version,
            content,
        } = envelope;
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
                    versions: version.map_or(Versions::Newest(&sender.raft), Versions::Exactly),
                    connection,
                };
                node.deliver(now, sender, payload);
            }
            Carried::Disconnected(request) => {
                if !self.in_flight.close(connection) {
                    return;
                }
                node.request_failed(now, request, Errors::BROKER_NOT_AVAILABLE);
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

    fn wake_all(&mut self, at: u16, now: Time) {
        let Process::Up(node) = &self.machines[usize::from(at)].process else {
            return;
        };
        if self.letters.is_some() {
            return;
        }
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
