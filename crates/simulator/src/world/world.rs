use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use determinism::{Digest, Rng, Time};
use node::NodeConfig;
use raft::WallClock;
use records::NodeId;
use releases::Rules;

use super::administrator::Administrator;
use super::event::{Event, Scheduled};
use super::in_flight::InFlight;
use super::letter::Envelope;
use super::letter::Letter;
use super::machine::Machine;
use super::sight::{Detail, Sight, Sights};
use super::slab::Slab;
use super::wire::Wire;
use crate::SimDisk;
use crate::network::Network;

/// Delay of every link unless another is set.
const LINK_DELAY: Time = Time::from_millis(5);

/// Everything simulated: machines with their disks, clocks and processes, the network between them, and the order in
/// which things happen.
///
/// A world is a value: a clone goes on exactly as the original would. Nothing in it depends on anything but the seed
/// and the calls made.
///
/// Four groups of methods: *setting up* ([`Self::add`], [`Self::disk_mut`], …), *doing* ([`Self::start`], [`Self::crash`],
/// [`Self::pause`], …), *running* ([`Self::step`], [`Self::pass_to`]; or [by hand](Self::by_hand)), *looking*
/// ([`Self::machine`], [`Self::hash`], …).
#[derive(Clone, Debug)]
pub struct World {
    pub(super) now: Time,
    pub(super) machines: Vec<Arc<Machine>>,
    pub(super) by_id: BTreeMap<NodeId, u16>,
    pub(super) network: Network,
    pub(super) queue: BinaryHeap<Scheduled>,
    pub(super) messages: Slab<Envelope>,
    pub(super) in_flight: InFlight,
    pub(super) root: Rng,
    pub(super) ties: Rng,
    pub(super) scheduled: u64,
    pub(super) handled: u64,
    pub(super) sent: u64,
    pub(super) touched: Option<u16>,
    pub(super) digest: Digest,
    pub(super) administrator: Administrator,
    pub(super) wire: Wire,
    pub(super) wire_faults: Vec<String>,
    pub(super) sights: Sights,
    /// In a world that is scheduled by hand: what was sent and not taken yet.
    pub(super) letters: Option<Vec<Letter>>,
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
            touched: None,
            digest: Digest::new(),
            administrator: Administrator::default(),
            wire: Wire::Off,
            wire_faults: Vec::new(),
            sights: Sights::default(),
            letters: None,
        }
    }

    /// Adds a machine with an empty disk, or gives an existing one another configuration and release for its next
    /// process.
    pub fn add(&mut self, config: NodeConfig, rules: Rules) {
        let id = config.node_id();
        let (config, rules) = (Arc::new(config), Arc::new(rules));
        if let Some(at) = self.by_id.get(&id) {
            let machine = Arc::make_mut(&mut self.machines[usize::from(*at)]);
            machine.set_config(config);
            machine.rules = rules;
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

    /// Whether messages pass through real bytes from now on.
    pub fn set_wire(&mut self, wire: Wire) {
        self.wire = wire;
    }

    /// Which messages and disk operations are kept from now on; of disks, from the next start of a process.
    pub fn keep_sights(&mut self, detail: Detail) {
        self.sights.detail = detail;
    }

    /// Whether anything was kept since it was last taken.
    pub fn has_sights(&self) -> bool {
        !self.sights.kept.is_empty()
    }

    /// What was kept since this was last asked, in order.
    pub fn take_sights(&mut self) -> Vec<(Time, NodeId, Sight)> {
        std::mem::take(&mut self.sights.kept)
    }

    /// Takes over what a machine's disk kept.
    pub(super) fn see_disk(&mut self, at: u16) {
        if !self.sights.detail.disk {
            return;
        }
        let now = self.now;
        let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
        let (id, kept) = (machine.id, machine.disk.take_kept());
        let sights = kept.into_iter();
        let sights = sights.map(|(operation, path)| (now, id, Sight::Disk { operation, path }));
        self.sights.kept.extend(sights);
    }

    /// Messages that did not come through as bytes, each with the reason. There must be none.
    pub fn wire_faults(&self) -> &[String] {
        &self.wire_faults
    }

    /// A stream of random numbers for a purpose outside the world that must not shift any inside it.
    pub fn stream(&self, purpose: &str) -> Rng {
        self.root.fork(purpose)
    }

    /// The true time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// `None` where no machine has that id.
    pub fn machine(&self, id: NodeId) -> Option<&Machine> {
        self.by_id
            .get(&id)
            .map(|at| &*self.machines[usize::from(*at)])
    }

    /// All machines in the order in which they were added.
    pub fn machines(&self) -> impl Iterator<Item = &Machine> {
        self.machines.iter().map(|machine| &**machine)
    }

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

    pub(super) fn machine_mut(&mut self, id: NodeId) -> Option<&mut Machine> {
        let at = self.by_id.get(&id)?;
        Some(Arc::make_mut(&mut self.machines[usize::from(*at)]))
    }

    pub(super) fn note(&mut self, what: &str, id: NodeId) {
        self.digest.write_u64(self.now.as_micros());
        self.digest.write_bytes(what.as_bytes());
        self.digest.write_i64(i64::from(id.0));
    }

    pub(super) fn schedule(&mut self, at: Time, event: Event) {
        let tie = (self.ties.next_u64() >> 32) as u32;
        self.schedule_with(at, tie, event);
    }

    /// Something that happens after all else at that moment, and draws nothing.
    pub(super) fn schedule_last(&mut self, at: Time, event: Event) {
        self.schedule_with(at, u32::MAX, event);
    }

    /// Something that happens before all else at that moment, and draws nothing.
    pub(super) fn schedule_first(&mut self, at: Time, event: Event) {
        self.schedule_with(at, 0, event);
    }

    fn schedule_with(&mut self, at: Time, tie: u32, event: Event) {
        if self.letters.is_some() {
            return;
        }
        self.queue.push(Scheduled {
            at,
            tie,
            number: self.scheduled,
            event,
        });
        self.scheduled += 1;
    }
}
