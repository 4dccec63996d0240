use std::collections::{BTreeMap, BTreeSet};

use determinism::{Digest, Rng, Time};
use records::NodeId;

use super::faults::Faults;
use super::membership::Administration;
use super::outcome::{Finding, SeedOutcome};
use super::shape::Shape;
use crate::network::{Direction, LinkState};
use crate::observer::Observer;
use crate::world::{Machine, World};

/// Something that is to be done at a moment.
#[derive(Clone, Debug)]
pub(super) enum Deed {
    /// The supervisor starts a process.
    Start(NodeId),
    /// A pause is over.
    Resume(NodeId),
    /// Links carry messages again.
    Mend(Vec<Direction>),
    /// The next fault, on any node.
    Fault,
    /// A fault on a node that has just reached a stage.
    Strike(NodeId),
    /// The administrator asks for something.
    Administer,
}

/// How far a process has come: in which epoch it leads, and for which its controller is active.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stage {
    leads: Option<i32>,
    active: Option<i32>,
}

/// A watched quorum whose processes a supervisor starts again when they end.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    pub(super) world: World,
    pub(super) observer: Observer,
    pub(super) shape: Shape,
    /// Nodes that the supervisor leaves down.
    pub(super) held: BTreeSet<NodeId>,
    /// What goes wrong at the moment, if anything does.
    pub(super) faults: Option<Faults>,
    /// Who changes the cluster at the moment, if anybody does.
    pub(super) administration: Option<Administration>,
    /// Whether a node runs on another disk than it was formatted with.
    pub(super) lost_a_disk: bool,
    deeds: BTreeMap<(Time, u64), Deed>,
    planned: u64,
    starting: BTreeSet<NodeId>,
    stages: BTreeMap<NodeId, Stage>,
    supervisor: Rng,
    told: Vec<String>,
    findings: Vec<Finding>,
}

impl Cluster {
    /// Formatted nodes, none of them started, and messages that take their own time each.
    pub(super) fn new(seed: u64, shape: &Shape) -> Self {
        let mut world = shape.world(seed);
        let delays = world.stream("delays");
        world
            .network_mut()
            .spread_delays(delays, Time::from_millis(5));
        let supervisor = world.stream("supervisor");
        Cluster {
            world,
            observer: Observer::new(),
            shape: shape.clone(),
            held: BTreeSet::new(),
            faults: None,
            administration: None,
            lost_a_disk: false,
            deeds: BTreeMap::new(),
            planned: 0,
            starting: BTreeSet::new(),
            stages: BTreeMap::new(),
            supervisor,
            told: Vec::new(),
            findings: Vec::new(),
        }
    }

    // ── Looking ─────────────────────────────────────────────────────────────────────────────────────────────────────

    pub(super) fn ids(&self) -> Vec<NodeId> {
        self.shape.nodes.iter().map(|(id, _)| *id).collect()
    }

    pub(super) fn machine(&self, id: NodeId) -> &Machine {
        self.world
            .machine(id)
            .expect("every node of the shape has a machine")
    }

    pub(super) fn is_up(&self, id: NodeId) -> bool {
        self.machine(id).node().is_some()
    }

    /// The raft leader of the highest epoch, among those that run.
    pub(super) fn leader(&self) -> Option<NodeId> {
        let running = self.world.machines().filter(|one| !one.is_paused());
        let leading = running.filter_map(|machine| {
            let node = machine.node()?;
            (node.replica().role() == raft::Role::Leader).then_some((node.epoch(), machine.id()))
        });
        leading.max().map(|(_, id)| id)
    }

    /// The highest high watermark that any process knows; 0 before there is one.
    pub(super) fn high_watermark(&self) -> i64 {
        let known = self.world.machines().filter_map(Machine::node);
        known
            .filter_map(|node| node.replica().high_watermark())
            .max()
            .unwrap_or(0)
    }

    // ── Running ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Does something at a moment.
    pub(super) fn plan(&mut self, after: Time, deed: Deed) {
        self.planned += 1;
        self.deeds
            .insert((self.world.now() + after, self.planned), deed);
    }

    pub(super) fn run_for(&mut self, length: Time) {
        self.run_until(length, |_| false);
    }

    /// Runs until the condition holds, looking after every event, at most for `within`; whether it came to hold.
    pub(super) fn run_until(
        &mut self,
        within: Time,
        mut holds: impl FnMut(&Cluster) -> bool,
    ) -> bool {
        let deadline = self.world.now() + within;
        loop {
            if holds(self) {
                return true;
            }
            let deed = self.deeds.keys().next().copied();
            let deed = deed.filter(|(at, _)| *at <= deadline);
            let event = self.world.next_at().filter(|at| *at <= deadline);
            match (deed, event) {
                (Some(key), event) if event.is_none_or(|event| key.0 < event) => {
                    let pause = key.0.since(self.world.now());
                    self.world.run_for(pause);
                    if let Some(deed) = self.deeds.remove(&key) {
                        self.perform(deed);
                    }
                }
                (_, Some(_)) => {
                    self.world.step();
                    if let Some(touched) = self.world.touched().map(Machine::id) {
                        self.look(touched);
                    }
                }
                (_, None) => {
                    let rest = deadline.since(self.world.now());
                    self.world.run_for(rest);
                    return holds(self);
                }
            }
        }
    }

    /// Lets `faults` happen for `length`.
    pub(super) fn suffer(&mut self, faults: Faults, length: Time) {
        self.faults = Some(faults);
        self.plan(Time::ZERO, Deed::Fault);
        self.run_for(length);
    }

    fn perform(&mut self, deed: Deed) {
        match deed {
            Deed::Start(id) => {
                self.starting.remove(&id);
                if !self.held.contains(&id) {
                    self.world.start(id);
                    self.look(id);
                }
            }
            Deed::Resume(id) => {
                if self.machine(id).is_paused() {
                    self.world.resume(id);
                    self.look(id);
                }
            }
            Deed::Mend(links) => self.mend(&links),
            Deed::Fault => Faults::next(self),
            Deed::Strike(id) => Faults::strike(self, id),
            Deed::Administer => Administration::next(self),
        }
    }

    /// Watches a machine, and starts a process there again if it has none.
    pub(super) fn look(&mut self, id: NodeId) {
        let now = self.world.now();
        let Some(machine) = self.world.machine(id) else {
            return;
        };
        self.observer.look(now, machine);
        let stage = machine.node().map_or_else(Stage::default, |node| Stage {
            leads: (node.replica().role() == raft::Role::Leader).then(|| node.epoch()),
            active: node.controller().claim_epoch(),
        });
        let ended = machine.node().is_none() && machine.starts() > 0;
        let before = self.stages.insert(id, stage).unwrap_or_default();
        if (stage.leads.is_some() && stage.leads != before.leads)
            || (stage.active.is_some() && stage.active != before.active)
        {
            Faults::stage_reached(self, id);
        }
        if ended {
            let after = Time::from_millis(self.supervisor_pause());
            self.start_after(id, after);
        }
    }

    fn supervisor_pause(&mut self) -> u64 {
        if self.faults.is_some() {
            self.supervisor.range(50, 3_000)
        } else {
            1_000
        }
    }

    // ── Doing ───────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Starts the process unless somebody else is about to.
    pub(super) fn start_after(&mut self, id: NodeId, after: Time) {
        if !self.held.contains(&id) && self.starting.insert(id) {
            self.plan(after, Deed::Start(id));
        }
    }

    pub(super) fn crash(&mut self, id: NodeId) {
        self.world.crash(id);
        self.look(id);
    }

    /// Takes a process down, and keeps it down.
    pub(super) fn hold_down(&mut self, id: NodeId) {
        self.held.insert(id);
        self.crash(id);
    }

    /// Lets the supervisor have it again.
    pub(super) fn let_go(&mut self, id: NodeId, after: Time) {
        self.held.remove(&id);
        self.start_after(id, after);
    }

    /// The disk is gone; another, freshly formatted, has its place.
    pub(super) fn lose_disk(&mut self, id: NodeId) {
        self.hold_down(id);
        let disk = self.shape.replacement(id);
        if let Some(own) = self.world.disk_mut(id) {
            *own = disk;
        }
        self.lost_a_disk = true;
        self.observer.disk_replaced(self.world.now(), id);
    }

    /// The node's next process runs another of the releases.
    pub(super) fn exchange_release(&mut self, id: NodeId) {
        let own = self.machine(id).rules().release;
        let other = self.shape.releases.iter().find(|one| one.release != own);
        if let Some(rules) = other.cloned() {
            self.world.set_rules(id, rules);
        }
    }

    pub(super) fn cut(&mut self, links: &[Direction]) {
        for link in links {
            self.world.network_mut().set_state(*link, LinkState::Cut);
        }
    }

    pub(super) fn mend(&mut self, links: &[Direction]) {
        for link in links {
            let usual = self.world.network().default_delay();
            self.world.network_mut().set_state(*link, LinkState::Open);
            self.world.network_mut().set_delay(*link, usual);
        }
    }

    /// Both directions between a node and every other one.
    pub(super) fn around(&self, id: NodeId) -> Vec<Direction> {
        let others = self.ids().into_iter().filter(|other| *other != id);
        others.flat_map(|other| both_ways(id, other)).collect()
    }

    /// No fault is left, and every process is up or about to be.
    pub(super) fn end_faults(&mut self) {
        self.faults = None;
        self.administration = None;
        self.held.clear();
        self.deeds.retain(|_, deed| matches!(deed, Deed::Start(_)));
        self.world.network_mut().heal();
        for id in self.ids() {
            if let Some(disk) = self.world.disk_mut(id) {
                disk.disarm();
            }
            if self.machine(id).is_paused() {
                self.world.resume(id);
                self.look(id);
            }
            if !self.is_up(id) {
                self.start_after(id, Time::from_millis(10));
            }
        }
    }

    // ── Telling ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Notes a fault.
    pub(super) fn tell(&mut self, what: &str) {
        self.told.push(format!("{} {what}", self.world.now()));
    }

    /// Notes what did not hold and no observation shows.
    pub(super) fn find(&mut self, id: &'static str, sentence: &'static str, what: String) {
        let at = self.world.now();
        self.findings.push(Finding {
            id,
            at,
            what,
            sentence,
        });
    }

    pub(super) fn outcome(
        self,
        seed: u64,
        drawn: String,
        recovered_in: Option<Time>,
    ) -> SeedOutcome {
        let violations = self.observer.invariants().violations().iter();
        let mut findings: Vec<Finding> = violations
            .map(|violation| Finding {
                id: violation.id,
                at: violation.at,
                what: format!("on node {}: {}", violation.node, violation.what),
                sentence: violation.sentence,
            })
            .chain(self.findings)
            .collect();
        findings.sort_by_key(|finding| finding.at);
        let mut digest = Digest::new();
        digest.write_u64(self.world.hash());
        for said in self
            .told
            .iter()
            .chain(findings.iter().map(|finding| &finding.what))
        {
            digest.write_bytes(said.as_bytes());
        }
        SeedOutcome {
            seed,
            drawn,
            findings,
            faults: self.told,
            recovered_in,
            hash: digest.value(),
            events: self.world.events(),
            messages: self.world.messages_sent(),
            simulated: self.world.now(),
        }
    }
}

/// The two directions of a link.
pub(super) fn both_ways(one: NodeId, other: NodeId) -> [Direction; 2] {
    [
        Direction {
            from: one,
            to: other,
        },
        Direction {
            from: other,
            to: one,
        },
    ]
}
