use std::collections::{BTreeMap, BTreeSet};

use determinism::{Rng, Time};
use records::NodeId;
use releases::Release;

use super::administration::{Act, Administration};
use super::faults::Faults;
use crate::run::action::{NetworkAction, NodeSelector, Nodes, ProcessAction};
use crate::run::{Action, Agent, Problem, Run, Spanned};
use crate::scenario::Command;
use crate::scenario::verbs::time::Timing;
use crate::world::Machine;

/// Something that the director does at a moment.
#[derive(Clone, Debug)]
enum Deed {
    /// An action that is decided.
    Act(Action),
    /// The supervisor starts a process, if it may.
    Start(NodeId),
    /// A fault on any node.
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

/// Who decides what happens in a seed's run: a supervisor that starts processes again, faults, an administrator.
///
/// It changes the world by actions only, and writes each down with its time: the run is a scenario.
#[derive(Clone, Debug)]
pub(super) struct Director {
    /// Every node, and the release of its next process.
    nodes: BTreeMap<NodeId, Release>,
    /// Nodes that the supervisor leaves down.
    held: BTreeSet<NodeId>,
    faults: Option<Faults>,
    administration: Option<Administration>,
    deeds: BTreeMap<(Time, u64), Deed>,
    planned: u64,
    starting: BTreeSet<NodeId>,
    stages: BTreeMap<NodeId, Stage>,
    supervisor: Rng,
    script: Vec<Command>,
    faults_done: u64,
    /// How much of the journal it has seen.
    journal_read: usize,
}

impl Director {
    pub(super) fn new(nodes: BTreeMap<NodeId, Release>, supervisor: Rng) -> Self {
        Director {
            nodes,
            held: BTreeSet::new(),
            faults: None,
            administration: None,
            deeds: BTreeMap::new(),
            planned: 0,
            starting: BTreeSet::new(),
            stages: BTreeMap::new(),
            supervisor,
            script: Vec::new(),
            faults_done: 0,
            journal_read: 0,
        }
    }

    // ── Planning ────────────────────────────────────────────────────────────────────────────────────────────────────

    fn plan(&mut self, at: Time, deed: Deed) {
        self.planned += 1;
        self.deeds.insert((at, self.planned), deed);
    }

    /// Does something at a moment.
    pub(super) fn act_at(&mut self, at: Time, action: impl Into<Action>) {
        self.plan(at, Deed::Act(action.into()));
    }

    /// Starts the process unless somebody else is about to.
    pub(super) fn start_at(&mut self, at: Time, id: NodeId) {
        if !self.held.contains(&id) && self.starting.insert(id) {
            self.plan(at, Deed::Start(id));
        }
    }

    /// The supervisor leaves a node down from now on.
    pub(super) fn hold(&mut self, id: NodeId) {
        self.held.insert(id);
    }

    /// Lets the supervisor have it again.
    pub(super) fn let_go(&mut self, at: Time, id: NodeId) {
        self.held.remove(&id);
        self.start_at(at, id);
    }

    /// Lets faults happen from now on.
    pub(super) fn begin_faults(&mut self, now: Time, faults: Faults) {
        self.faults = Some(faults);
        self.plan(now, Deed::Fault);
    }

    /// Lets an administrator change the cluster from now on.
    pub(super) fn begin_administration(&mut self, now: Time, administration: Administration) {
        self.administration = Some(administration);
        self.plan(now, Deed::Administer);
    }

    /// No fault is left, and every process is up or about to be.
    pub(super) fn end_faults(&mut self, run: &Run) {
        let now = run.now();
        self.faults = None;
        self.administration = None;
        self.held.clear();
        self.deeds.retain(|_, deed| matches!(deed, Deed::Start(_)));
        self.act_at(now, NetworkAction::Heal);
        let all = Nodes(vec![Spanned::made(NodeSelector::All)]);
        self.act_at(now, ProcessAction::Disarm(all));
        for machine in run.world().machines() {
            if machine.is_paused() {
                self.act_at(now, ProcessAction::Resume(Nodes::one(machine.id())));
            }
            if machine.node().is_none() {
                self.start_at(now + Time::from_millis(10), machine.id());
            }
        }
    }

    // ── What was done ───────────────────────────────────────────────────────────────────────────────────────────────

    /// Writes down what takes time; what is done meanwhile stands before it already.
    pub(super) fn write_down(&mut self, command: Command) {
        self.script.push(command);
    }

    /// The run as commands.
    pub(super) fn into_script(self) -> (Vec<Command>, u64) {
        (self.script, self.faults_done)
    }

    // ── Doing ───────────────────────────────────────────────────────────────────────────────────────────────────────

    fn perform(&mut self, run: &mut Run, action: Action) {
        let done = run.perform(&action, &(0..0));
        done.expect("a director does only what makes sense");
        run.take_said();
        let command = Box::new(Command::Action(action));
        self.script.push(Timing::At(run.now(), command).into());
        for id in self.nodes.keys().copied().collect::<Vec<_>>() {
            self.notice(run, id);
        }
    }

    fn fault(&mut self, run: &Run, id: NodeId) {
        let ids: Vec<NodeId> = self.nodes.keys().copied().collect();
        let Some(faults) = &mut self.faults else {
            return;
        };
        let Some(strike) = faults.strike(run, &ids, id) else {
            return;
        };
        self.faults_done += 1;
        let now = run.now();
        for action in strike.now {
            self.act_at(now, action);
        }
        for action in strike.later {
            self.act_at(now + strike.length, action);
        }
    }

    fn administer(&mut self, run: &Run) {
        let ids: Vec<NodeId> = self.nodes.keys().copied().collect();
        let Some(administration) = &mut self.administration else {
            return;
        };
        let (act, pause) = administration.next(run, &ids);
        let now = run.now();
        match act {
            Some(Act::Ask(client)) => self.act_at(now, client),
            Some(Act::Exchange(id, release)) => {
                self.nodes.insert(id, release);
            }
            None => {}
        }
        self.plan(now + pause, Deed::Administer);
    }

    /// Looks at a node after something happened there: strikes where a stage is reached, starts what has ended.
    fn notice(&mut self, run: &Run, id: NodeId) {
        let Some(machine) = run.world().machine(id) else {
            return;
        };
        let stage = machine.node().map_or_else(Stage::default, |node| Stage {
            leads: (node.replica().role() == raft::Role::Leader).then(|| node.epoch()),
            active: node
                .controller()
                .and_then(quorum_controller::Controller::claim_epoch),
        });
        let before = self.stages.get(&id).copied().unwrap_or_default();
        if stage == before && !has_ended(machine) {
            return;
        }
        self.stages.insert(id, stage);
        let now = run.now();
        if (stage.leads.is_some() && stage.leads != before.leads)
            || (stage.active.is_some() && stage.active != before.active)
        {
            let strike = self.faults.as_mut().and_then(Faults::stage_reached);
            if let Some(after) = strike {
                self.plan(now + after, Deed::Strike(id));
            }
        }
        if has_ended(machine) && !self.held.contains(&id) && !self.starting.contains(&id) {
            let pause = Time::from_millis(self.supervisor_pause());
            self.start_at(now + pause, id);
        }
    }

    fn supervisor_pause(&mut self) -> u64 {
        if self.faults.is_some() {
            self.supervisor.range(50, 3_000)
        } else {
            1_000
        }
    }
}

fn has_ended(machine: &Machine) -> bool {
    machine.node().is_none() && machine.starts() > 0
}

impl Agent for Director {
    fn next_at(&self) -> Option<Time> {
        self.deeds.keys().next().map(|(at, _)| *at)
    }

    fn woken(&mut self, run: &mut Run) -> Result<(), Problem> {
        let Some((_, deed)) = self.deeds.pop_first() else {
            return Ok(());
        };
        match deed {
            Deed::Act(action) => self.perform(run, action),
            Deed::Start(id) => {
                self.starting.remove(&id);
                if !self.held.contains(&id) && !run.is_up(id) {
                    let release = self.nodes.get(&id).copied();
                    let start = ProcessAction::Start(Nodes::one(id), release);
                    self.perform(run, Action::Process(start));
                }
            }
            Deed::Fault => {
                let ids: Vec<NodeId> = self.nodes.keys().copied().collect();
                let Some(faults) = &mut self.faults else {
                    return Ok(());
                };
                let (pause, node) = faults.next(&ids);
                self.plan(run.now() + pause, Deed::Fault);
                if let Some(node) = node {
                    self.fault(run, node);
                }
            }
            Deed::Strike(id) => self.fault(run, id),
            Deed::Administer => self.administer(run),
        }
        Ok(())
    }

    fn touched(&mut self, run: &mut Run, node: Option<NodeId>) -> Result<(), Problem> {
        // What it waits for is in the journal, where most events leave nothing.
        let length = run.observer().journal().len();
        let read = std::mem::replace(&mut self.journal_read, length);
        if let Some(id) = node.filter(|_| length > read) {
            self.notice(run, id);
        }
        Ok(())
    }
}
