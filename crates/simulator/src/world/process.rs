use determinism::{Rng, Time};
use node::{Connection, Ended, Node, NodeChance, NodeStart, Parts, RequestId, StartError, Thread};
use records::NodeId;
use std::sync::Arc;

use super::World;
use super::event::Event;
use super::letter::{Carried, Envelope};
use super::machine::{Down, Process};
use crate::network::{Direction, LinkState};

/// How long a clean stop may take before the process is killed.
pub const STOP_LIMIT: Time = Time::from_secs(30);

/// Doing: what happens to processes from outside.
impl World {
    /// Starts a process. A refusal is a state of the machine, not an error: see [`super::Machine::down`].
    pub fn start(&mut self, id: NodeId) {
        self.start_with(id, |rng| (Parts::Server, NodeChance::from_rng(rng, id)));
    }

    pub(super) fn start_with(
        &mut self,
        id: NodeId,
        made_of: impl FnOnce(Rng) -> (Parts, NodeChance),
    ) {
        let Some(at) = self.by_id.get(&id).copied() else {
            return;
        };
        let scope = self.scope(at);
        let (now, root, detail) = (self.now, self.root.clone(), self.sights.detail);
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
        if machine.node().is_some() {
            return;
        }
        machine.disk.recover();
        if detail.disk {
            machine.disk.keep_operations();
        }
        machine.starts += 1;
        let (parts, chance) = made_of(root.fork(&format!("node {id} start {}", machine.starts)));
        let start = NodeStart {
            config: machine.config.clone(),
            rules: machine.rules.clone(),
            parts,
            chance,
            wall_clock: machine.wall_clock,
        };
        machine.process = match Node::start(start, now, &mut machine.disk) {
            Ok(node) => Process::Up(Box::new(node)),
            Err(StartError::Crashed) => Process::Down(Down::Ended(Ended::CrashedAtDisk)),
            Err(StartError::Refused(refusal)) => Process::Down(Down::Refused(refusal)),
            Err(StartError::Hangs(reason)) => Process::Down(Down::Ended(Ended::Hangs {
                thread: Thread::Raft,
                reason,
            })),
        };
        machine.last = None;
        machine.forget_wakes();
        drop(scope);
        self.note("start", id);
        self.after(at);
    }

    /// Kills the process (`kill -9`): what it wrote stays, nothing else happens.
    pub fn crash(&mut self, id: NodeId) {
        self.end(id, Down::Killed);
    }

    /// The machine loses power: only what was synced stays.
    pub fn power_loss(&mut self, id: NodeId) {
        self.end(id, Down::Killed);
        if let Some(machine) = self.machine_mut(id) {
            machine.disk.power_loss();
        }
    }

    /// Asks the process to stop cleanly; it goes on until it has, and is killed if that takes [`STOP_LIMIT`].
    pub fn stop(&mut self, id: NodeId) {
        let Some(at) = self.by_id.get(&id).copied() else {
            return;
        };
        let now = self.now;
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
        if let Process::Up(node) = &mut machine.process {
            node.begin_stop(now);
            let ticket = machine.starts;
            let limit = Event::StopLimit {
                machine: at,
                ticket,
            };
            self.schedule_last(now + STOP_LIMIT, limit);
        }
        self.note("stop", id);
        self.after(at);
    }

    /// Stops the process's threads from running; messages wait for it.
    pub fn pause(&mut self, id: NodeId) {
        if let Some(machine) = self.machine_mut(id) {
            machine.ticket += 1;
            let down = Process::Down(Down::NeverStarted);
            machine.process = match std::mem::replace(&mut machine.process, down) {
                Process::Up(node) => Process::Paused(node),
                other => other,
            };
        }
        self.note("pause", id);
    }

    /// Lets it go on after `after`.
    pub fn resume_after(&mut self, id: NodeId, after: Time) {
        let Some(at) = self.by_id.get(&id).copied() else {
            return;
        };
        let ticket = self.machines[usize::from(at)].ticket;
        self.schedule(
            self.now + after,
            Event::Resume {
                machine: at,
                ticket,
            },
        );
    }

    /// Lets it go on.
    pub fn resume(&mut self, id: NodeId) {
        let Some(at) = self.by_id.get(&id).copied() else {
            return;
        };
        let now = self.now;
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
        let down = Process::Down(Down::NeverStarted);
        machine.process = match std::mem::replace(&mut machine.process, down) {
            Process::Paused(node) => Process::Up(node),
            other => other,
        };
        machine.ticket += 1;
        for message in std::mem::take(&mut machine.parked) {
            self.schedule(
                now,
                Event::Arrive {
                    machine: at,
                    message,
                },
            );
        }
        self.note("resume", id);
        self.after(at);
    }

    pub(super) fn end(&mut self, id: NodeId, why: Down) {
        let Some(at) = self.by_id.get(&id).copied() else {
            return;
        };
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
        machine.halting = None;
        if let Process::Up(node) | Process::Paused(node) =
            std::mem::replace(&mut machine.process, Process::Down(why))
        {
            machine.last = Some(node);
        }
        for message in std::mem::take(&mut machine.parked) {
            self.messages.remove(message);
        }
        self.note("end", id);
        self.connections_lost(id);
    }

    /// Tells every node that waits for an answer from `id` that the connection is gone.
    fn connections_lost(&mut self, id: NodeId) {
        let lost = self.in_flight.end_of(id);
        if self.letters.is_some() {
            return; // The schedule says what happens to them.
        }
        for (requester, request, connection) in lost {
            self.tell_disconnected(id, requester, request, connection);
        }
    }

    pub(super) fn tell_disconnected(
        &mut self,
        from: NodeId,
        to: NodeId,
        request: RequestId,
        connection: Connection,
    ) {
        let direction = Direction { from, to };
        if self.network.state(direction) == LinkState::Cut {
            self.in_flight.close(connection);
            return;
        }
        if let Some(machine) = self.machine(from) {
            let sender = machine.rules.clone();
            let at = self.now + self.network.delay(direction);
            let content = Carried::Disconnected(request);
            let envelope = Envelope {
                direction,
                connection,
                sender,
                version: None,
                content,
            };
            self.schedule_arrival(at, envelope);
        }
    }
}
