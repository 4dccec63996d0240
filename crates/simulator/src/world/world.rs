use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use determinism::{Digest, Rng, Time};
use node::{
    Destination, Ended, Lifecycle, Node, NodeConfig, NodeStart, Payload, Reach, RequestId,
    StartError, Thread,
};
use raft::{Address, WallClock};
use records::NodeId;
use releases::Rules;

use super::event::{Event, Scheduled};
use super::in_flight::InFlight;
use super::machine::{Down, Machine, Process};
use super::slab::Slab;
use crate::SimDisk;
use crate::network::{Direction, Fate, LinkState, Network};

/// One handled event occupies its thread this long.
const EVENT_COST: Time = Time::from_micros(20);
/// Delay of every link unless another is set.
const LINK_DELAY: Time = Time::from_micros(500);

#[derive(Clone, Debug)]
struct Envelope {
    direction: Direction,
    /// What the sender runs: both sides talk in the newest version that both know.
    sender: Arc<Rules>,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Message(Payload),
    /// The connection on which the request with this number waited is gone.
    Disconnected(RequestId),
}

/// Everything simulated: machines with their disks, clocks and processes, the network between them, and the order in
/// which things happen.
///
/// A world is a value: a clone goes on exactly as the original would. Nothing in it depends on anything but the seed
/// and the calls made.
///
/// Four groups of methods: *setting up* ([`Self::add`], [`Self::disk_mut`], …), *doing* ([`Self::start`], [`Self::crash`],
/// [`Self::pause`], …), *running* ([`Self::step`], [`Self::run_until`]), *looking* ([`Self::machine`], [`Self::hash`], …).
#[derive(Clone, Debug)]
pub struct World {
    now: Time,
    machines: Vec<Arc<Machine>>,
    by_id: BTreeMap<NodeId, u16>,
    network: Network,
    queue: BinaryHeap<Scheduled>,
    messages: Slab<Envelope>,
    in_flight: InFlight,
    root: Rng,
    ties: Rng,
    scheduled: u64,
    handled: u64,
    sent: u64,
    digest: Digest,
}

impl World {
    /// An empty world. Every draw of the run comes from `seed`.
    pub fn new(seed: u64) -> Self {
        let root = Rng::from_seed(seed);
        World {
            now: Time::ZERO,
            machines: Vec::new(),
            by_id: BTreeMap::new(),
            network: Network::new(LINK_DELAY),
            queue: BinaryHeap::new(),
            messages: Slab::new(),
            in_flight: InFlight::default(),
            ties: root.fork("schedule"),
            root,
            scheduled: 0,
            handled: 0,
            sent: 0,
            digest: Digest::new(),
        }
    }

    // ── Setting up ──────────────────────────────────────────────────────────────────────────────────────────────

    /// Adds a machine with an empty disk, or gives an existing one another configuration and release for its next
    /// process.
    pub fn add(&mut self, config: NodeConfig, rules: Rules) {
        let id = config.node_id();
        let (config, rules) = (Arc::new(config), Arc::new(rules));
        if let Some(at) = self.by_id.get(&id) {
            let machine = Arc::make_mut(&mut self.machines[usize::from(*at)]);
            (machine.config, machine.rules) = (config, rules);
            return;
        }
        let at = u16::try_from(self.machines.len()).expect("a world has fewer than 2^16 machines");
        self.by_id.insert(id, at);
        self.machines
            .push(Arc::new(Machine::new(id, config, rules)));
    }

    /// The release of the machine's next process.
    pub fn set_rules(&mut self, id: NodeId, rules: Rules) {
        if let Some(machine) = self.machine_mut(id) {
            machine.rules = Arc::new(rules);
        }
    }

    /// The disk of a machine, for setting a scene; a live process is not told.
    pub fn disk_mut(&mut self, id: NodeId) -> Option<&mut SimDisk> {
        self.machine_mut(id).map(|machine| &mut machine.disk)
    }

    /// What the machine's wall clock shows at the time zero of the run; heard by its next process.
    pub fn set_wall_clock(&mut self, id: NodeId, at_start_ms: i64) {
        if let Some(machine) = self.machine_mut(id) {
            machine.wall_clock = WallClock { at_start_ms };
        }
    }

    /// The network: delays, cuts, drops.
    pub fn network_mut(&mut self) -> &mut Network {
        &mut self.network
    }

    /// A stream of random numbers for a purpose outside the world that must not shift any inside it.
    pub fn stream(&self, purpose: &str) -> Rng {
        self.root.fork(purpose)
    }

    // ── Doing ───────────────────────────────────────────────────────────────────────────────────────────────────

    /// Starts a process. A refusal is a state of the machine, not an error: see [`Machine::down`].
    pub fn start(&mut self, id: NodeId) {
        let Some(at) = self.by_id.get(&id).copied() else {
            return;
        };
        let (now, root) = (self.now, self.root.clone());
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
        if machine.node().is_some() {
            return;
        }
        machine.disk.recover();
        machine.starts += 1;
        let start = NodeStart {
            config: machine.config.clone(),
            rules: machine.rules.clone(),
            rng: root.fork(&format!("node {id} start {}", machine.starts)),
            wall_clock: machine.wall_clock,
        };
        machine.process = match Node::start(start, now, &mut machine.disk) {
            Ok(node) => Process::Up(Box::new(node)),
            Err(StartError::Crashed) => Process::Down(Down::Ended(Ended::CrashedAtDisk)),
            Err(StartError::Refused(refusal)) => Process::Down(Down::Refused(refusal)),
        };
        machine.last = None;
        machine.forget_wakes();
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

    /// Asks the process to stop cleanly; it goes on until it has (see [`Self::run_until`]).
    pub fn stop(&mut self, id: NodeId) {
        let Some(at) = self.by_id.get(&id).copied() else {
            return;
        };
        let now = self.now;
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
        if let Process::Up(node) = &mut machine.process {
            node.begin_stop(now);
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

    fn end(&mut self, id: NodeId, why: Down) {
        let Some(at) = self.by_id.get(&id).copied() else {
            return;
        };
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
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

    /// Whoever waits for an answer from `id` is told that the connection is gone.
    fn connections_lost(&mut self, id: NodeId) {
        for (requester, request) in self.in_flight.end_of(id) {
            self.tell_disconnected(id, requester, request);
        }
    }

    fn tell_disconnected(&mut self, from: NodeId, to: NodeId, request: RequestId) {
        let direction = Direction { from, to };
        if self.network.state(direction) == LinkState::Cut {
            return;
        }
        if let Some(machine) = self.by_id.get(&to).copied() {
            let at = self.now + self.network.delay(direction);
            let sender = self.machines[usize::from(machine)].rules.clone();
            let content = Content::Disconnected(request);
            let message = self.messages.insert(Envelope {
                direction,
                sender,
                content,
            });
            self.schedule(at, Event::Arrive { machine, message });
        }
    }

    // ── Running ─────────────────────────────────────────────────────────────────────────────────────────────────

    /// Handles the next event; `None` when nothing will ever happen again.
    pub fn step(&mut self) -> Option<Time> {
        let next = self.queue.pop()?;
        self.now = next.at;
        self.handled += 1;
        match next.event {
            Event::Wake {
                machine,
                thread,
                ticket,
            } => self.wake(machine, thread, ticket),
            Event::Arrive { machine, message } => self.arrive(machine, message),
            Event::Resume { machine, ticket } => {
                let paused = &self.machines[usize::from(machine)];
                if paused.ticket == ticket && paused.is_paused() {
                    self.resume(paused.id);
                }
            }
        }
        Some(self.now)
    }

    /// When the next event happens.
    pub fn next_at(&self) -> Option<Time> {
        self.queue.peek().map(|next| next.at)
    }

    /// Runs for a length of simulated time.
    pub fn run_for(&mut self, length: Time) {
        self.run_until(length, |_| false);
    }

    /// Runs until the condition holds, looking after every event, at most for `within`; whether it came to hold.
    pub fn run_until(&mut self, within: Time, mut condition: impl FnMut(&World) -> bool) -> bool {
        let deadline = self.now + within;
        loop {
            if condition(self) {
                return true;
            }
            match self.next_at() {
                Some(at) if at <= deadline => {
                    self.step();
                }
                _ => {
                    self.now = deadline;
                    return condition(self);
                }
            }
        }
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
            Err(ended) => {
                self.send_all(at);
                self.end(id, Down::Ended(ended));
            }
        }
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
            sender,
            content,
        } = self.messages.remove(message);
        let now = self.now;
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
        let Process::Up(node) = &mut machine.process else {
            if let Content::Message(payload) = content
                && let Some(request) = payload.request_id()
            {
                self.in_flight.take(direction, request);
                self.tell_disconnected(direction.to, direction.from, request);
            }
            return;
        };
        match content {
            Content::Message(payload) => {
                if let Some(answered) = payload.answers() {
                    let asked = Direction {
                        from: direction.to,
                        to: direction.from,
                    };
                    if !self.in_flight.take(asked, answered) {
                        return; // The process that asked is gone; another has its place.
                    }
                }
                self.digest
                    .write_u64(now.as_micros() << 16 | u64::from(at) << 4 | 0xf);
                payload.digest(&mut self.digest);
                node.deliver(now, direction.from, &sender.raft, payload);
            }
            Content::Disconnected(request) => node.disconnected(now, request),
        }
        self.after(at);
    }

    /// After a machine was touched: its messages leave, its threads are scheduled.
    fn after(&mut self, at: u16) {
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
            self.send(from, &destination, payload);
        }
    }

    fn send(&mut self, from: NodeId, destination: &Destination, payload: Payload) {
        self.sent += 1;
        let request = payload.request_id();
        let Some(to) = self.resolve(destination) else {
            return; // Nobody has that address: the request times out at its maker.
        };
        let direction = Direction { from, to };
        if let Some(request) = request {
            self.in_flight.add(direction, request);
        }
        match self.network.send(self.now, direction, payload.kind()) {
            Fate::Lost => {}
            Fate::Arrives(at) => {
                let machine = self.by_id[&to];
                let sender = self.machines[usize::from(self.by_id[&from])].rules.clone();
                let content = Content::Message(payload);
                let message = self.messages.insert(Envelope {
                    direction,
                    sender,
                    content,
                });
                self.schedule(at, Event::Arrive { machine, message });
            }
        }
    }

    fn resolve(&self, destination: &Destination) -> Option<NodeId> {
        match destination {
            Destination::Node(id) => self.by_id.contains_key(id).then_some(*id),
            Destination::Address { address, expected } => self.at_address(address, *expected),
        }
    }

    /// The machine at an address. Where configurations leave out which address a node is reached at, the node that the
    /// sender means is taken, else the only one that listens on that port.
    fn at_address(&self, address: &Address, expected: Option<NodeId>) -> Option<NodeId> {
        let reached = |how: Reach| {
            self.machines
                .iter()
                .filter(move |machine| machine.config.reached_at(address) == how)
                .map(|machine| machine.id)
        };
        if let Some(exact) = reached(Reach::Exact).next() {
            return Some(exact);
        }
        if let Some(id) = expected.filter(|id| self.by_id.contains_key(id)) {
            return Some(id);
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
            if wanted < wake.at {
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

    fn schedule(&mut self, at: Time, event: Event) {
        let tie = (self.ties.next_u64() >> 32) as u32;
        self.queue.push(Scheduled {
            at,
            tie,
            number: self.scheduled,
            event,
        });
        self.scheduled += 1;
    }

    fn machine_mut(&mut self, id: NodeId) -> Option<&mut Machine> {
        let at = self.by_id.get(&id)?;
        Some(Arc::make_mut(&mut self.machines[usize::from(*at)]))
    }

    fn note(&mut self, what: &str, id: NodeId) {
        self.digest.write_u64(self.now.as_micros());
        self.digest.write_bytes(what.as_bytes());
        self.digest.write_i64(i64::from(id.0));
    }

    // ── Looking ─────────────────────────────────────────────────────────────────────────────────────────────────

    /// The true time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// A machine.
    pub fn machine(&self, id: NodeId) -> Option<&Machine> {
        self.by_id
            .get(&id)
            .map(|at| &*self.machines[usize::from(*at)])
    }

    /// All machines in the order in which they were added.
    pub fn machines(&self) -> impl Iterator<Item = &Machine> {
        self.machines.iter().map(|machine| &**machine)
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The determinism hash: a rolling digest over every event and what it left behind.
    pub fn hash(&self) -> u64 {
        self.digest.value()
    }

    /// Events handled so far.
    pub fn events(&self) -> u64 {
        self.handled
    }

    /// Messages sent so far.
    pub fn messages_sent(&self) -> u64 {
        self.sent
    }
}
