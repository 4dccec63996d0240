use std::collections::BTreeMap;

use bytes::Bytes;
use determinism::{Digest, Time};
use records::NodeId;

use super::action::{Action, Declaration};
use super::answers::words;
use super::condition::Condition;
use super::duration;
use super::problem::Problem;
use super::roles::Roles;
use super::setting::{Delays, Setting};
use super::span::Span;
use crate::DiskFault;
use crate::observer::{Happening, Observer};
use crate::world::{AdministratorAnswer, Detail, Machine, Question, World};

/// Files of a directory, by their path in it.
pub type Files = Vec<(String, Bytes)>;

/// On top of its link's own time a message takes up to this much, with `random delays`.
const SPREAD: Time = Time::from_millis(5);

/// Who decides, while time passes, what is done next: a scenario's `at` and `when`, the faults of a seed.
///
/// An agent changes the world by [`Run::perform`] only. It does one thing each time that it is woken: what that thing
/// makes happen at the same moment happens before the next one.
pub trait Agent {
    /// When it wants to do something; `None` for not before something else happens.
    fn next_at(&self) -> Option<Time>;

    /// Its moment has come, and everything that happens up to it has happened.
    fn woken(&mut self, run: &mut Run) -> Result<(), Problem>;

    /// An event or an action has touched a node, or nobody's.
    fn touched(&mut self, run: &mut Run, node: Option<NodeId>) -> Result<(), Problem>;
}

/// Nobody decides anything: time just passes.
impl Agent for () {
    fn next_at(&self) -> Option<Time> {
        None
    }

    fn woken(&mut self, _run: &mut Run) -> Result<(), Problem> {
        Ok(())
    }

    fn touched(&mut self, _run: &mut Run, _node: Option<NodeId>) -> Result<(), Problem> {
        Ok(())
    }
}

/// What an action says for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// What it did.
    Line(String),
    /// Why it has no effect, and where it was written.
    Warning(Problem),
}

/// A watched world, and what is done to it.
///
/// A run is a value, as its world is: a clone goes on exactly as the original would.
///
/// Three groups of methods: *doing* ([`Self::perform`], [`Self::declare`], [`Self::ask`]), *letting time pass*
/// ([`Self::advance`]), *looking* ([`Self::holds`], [`Self::select`], [`Self::world`], [`Self::observer`], …).
#[derive(Clone, Debug)]
pub struct Run {
    world: World,
    observer: Observer,
    setting: Setting,
    pub(super) roles: Roles,
    /// Contents that `copy` kept.
    pub(super) copies: BTreeMap<String, Bytes>,
    /// What stands at the paths that actions name.
    pub(super) given: BTreeMap<String, Files>,
    /// How many times a tool has run: each run draws its own ids.
    pub(super) formats: u32,
    /// Operations at which a process is to die: whose, which, and where it was written.
    pub(super) armed: Vec<(NodeId, DiskFault, Span)>,
    /// Requests without an answer yet, by their number.
    asked: BTreeMap<u32, (NodeId, String)>,
    answers: Vec<(String, AdministratorAnswer)>,
    quiet_answers: Vec<AdministratorAnswer>,
    said: Vec<Said>,
}

impl Run {
    /// The run of a setting: every machine configured, no process started.
    ///
    /// # Errors
    ///
    /// Where a node cannot be configured so.
    pub fn new(setting: Setting) -> Result<Self, Problem> {
        let mut world = World::new(setting.seed);
        world.set_wire(setting.wire);
        if setting.delays == Delays::Random {
            let rng = world.stream("delays");
            world.network_mut().spread_delays(rng, SPREAD);
        }
        let mut run = Run::over(world, setting);
        run.configure_all()?;
        Ok(run)
    }

    /// The run of a world that somebody made.
    pub fn over(world: World, setting: Setting) -> Self {
        let mut roles = Roles::default();
        roles.cluster(super::setting::CLUSTER_ID);
        Run {
            world,
            observer: Observer::new(),
            setting,
            roles,
            copies: BTreeMap::new(),
            given: BTreeMap::new(),
            formats: 0,
            armed: Vec::new(),
            asked: BTreeMap::new(),
            answers: Vec::new(),
            quiet_answers: Vec::new(),
            said: Vec::new(),
        }
    }

    // ── Doing ───────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Does something to the world, now. `span` is where it was written; an action that no text stands behind has 0..0.
    ///
    /// # Errors
    ///
    /// Where it makes no sense in the present state, such as changing the disk of a process that runs.
    pub fn perform(&mut self, action: &Action, span: &Span) -> Result<(), Problem> {
        match action {
            Action::Disk(disk) => self.disk(disk, span),
            Action::Process(process) => {
                self.process(process, span);
                Ok(())
            }
            Action::Network(network) => {
                self.network(network, span);
                Ok(())
            }
            Action::Client(client) => self.client(client, span),
        }
    }

    /// Changes what the world is made of; processes that run keep what they started with.
    ///
    /// # Errors
    ///
    /// Where a node cannot be configured so.
    pub fn declare(&mut self, declaration: &Declaration, span: &Span) -> Result<(), Problem> {
        self.setting.take(declaration, span);
        match declaration {
            Declaration::Set { .. } => self.configure_all(),
            _ => Ok(()),
        }
    }

    /// Asks a node something; the answer comes into the journal under `command`.
    pub fn ask(&mut self, node: NodeId, question: Question, command: String) {
        let number = self.world.ask(node, question);
        self.asked.insert(number, (node, command));
        self.look(node);
    }

    /// Asks a node something whose answer stands in no journal: see [`Self::take_quiet_answers`].
    pub fn ask_quietly(&mut self, node: NodeId, question: Question) {
        self.world.ask(node, question);
        self.look(node);
    }

    /// The answers to what was asked quietly that came since they were last taken.
    pub fn take_quiet_answers(&mut self) -> Vec<AdministratorAnswer> {
        std::mem::take(&mut self.quiet_answers)
    }

    /// Lets actions find these files under a path: what `load` and `write` name.
    pub fn give(&mut self, path: &str, files: Files) {
        self.given.insert(path.to_owned(), files);
    }

    /// Gives every machine its configuration; what runs keeps what it started with.
    fn configure_all(&mut self) -> Result<(), Problem> {
        for id in self.setting.nodes() {
            let release = match self.world.machine(id) {
                Some(machine) => machine.rules().release,
                None => self.setting.process_release(None),
            };
            let config = self.setting.config(id, release)?;
            self.world.add(config, self.setting.rules(release));
        }
        Ok(())
    }

    // ── Letting time pass ───────────────────────────────────────────────────────────────────────────────────────────

    /// Lets time pass up to `deadline`, or until `until` holds, which is asked after every event and every action;
    /// whether it holds. The one loop of every kind of run.
    ///
    /// The order of one moment: first every event of the world, then, one at a time, what the agent does at it; what an
    /// action makes happen at that moment happens before the next action.
    ///
    /// # Errors
    ///
    /// What the agent meets.
    pub fn advance(
        &mut self,
        deadline: Time,
        agent: &mut (impl Agent + ?Sized),
        mut until: impl FnMut(&Run) -> bool,
    ) -> Result<bool, Problem> {
        loop {
            if until(self) {
                return Ok(true);
            }
            let event = self.world.next_at().unwrap_or(Time::MAX);
            let action = agent.next_at().unwrap_or(Time::MAX).max(self.now());
            if event <= action && event <= deadline {
                self.world.step();
                self.note_sights();
                let touched = self.look_at_touched();
                agent.touched(self, touched)?;
            } else if action <= deadline {
                self.world.pass_to(action);
                agent.woken(self)?;
            } else {
                self.world.pass_to(deadline);
                return Ok(until(self));
            }
        }
    }

    /// Waits until a condition holds, at most for `within`. Otherwise the words say what there is instead, and `broken`,
    /// if one is named, is violated.
    ///
    /// # Errors
    ///
    /// What the agent meets.
    pub fn wait(
        &mut self,
        condition: &Condition,
        within: Time,
        broken: Option<&str>,
        agent: &mut (impl Agent + ?Sized),
    ) -> Result<Result<(), String>, Problem> {
        let deadline = self.now() + within;
        if self.advance(deadline, agent, |run| run.holds(condition))? {
            return Ok(Ok(()));
        }
        let found = self.found(condition);
        Ok(Err(self.broken(
            broken,
            format!(
                "`{condition}` did not hold within {}: {found}",
                duration::print(within)
            ),
        )))
    }

    /// Lets a length of time pass, during which a condition has to hold; ends when it does not. Then the words say what
    /// there is instead, and `broken`, if one is named, is violated.
    ///
    /// # Errors
    ///
    /// What the agent meets.
    pub fn stay(
        &mut self,
        condition: &Condition,
        length: Time,
        broken: Option<&str>,
        agent: &mut (impl Agent + ?Sized),
    ) -> Result<Result<(), String>, Problem> {
        let deadline = self.now() + length;
        if !self.advance(deadline, agent, |run| !run.holds(condition))? {
            return Ok(Ok(()));
        }
        let found = self.found(condition);
        Ok(Err(self.broken(
            broken,
            format!("`{condition}` did not go on holding: {found}"),
        )))
    }

    /// Whether a condition holds now. Otherwise the words say what there is instead, and `broken`, if one is named, is
    /// violated.
    pub fn expect(&mut self, condition: &Condition, broken: Option<&str>) -> Result<(), String> {
        if self.holds(condition) {
            return Ok(());
        }
        let found = self.found(condition);
        Err(self.broken(broken, format!("expected {condition}; {found}")))
    }

    /// Reports that an invariant which waiting judges does not hold.
    fn broken(&mut self, id: Option<&str>, what: String) -> String {
        if let Some(id) = id {
            self.observer.judge(self.world.now(), id, what.clone());
        }
        what
    }

    /// Lets a length of time pass while nobody decides anything.
    pub fn run_for(&mut self, length: Time) {
        self.run_until(length, |_| false);
    }

    /// Lets time pass until the condition holds, at most for `within`, while nobody decides anything; whether it holds.
    pub fn run_until(&mut self, within: Time, until: impl FnMut(&Run) -> bool) -> bool {
        let deadline = self.now() + within;
        let ended = self.advance(deadline, &mut (), until);
        ended.expect("only an agent meets problems")
    }

    /// Looks at a machine that an action has touched.
    pub(crate) fn look(&mut self, id: NodeId) {
        self.note_sights();
        if let Some(machine) = self.world.machine(id) {
            self.observer.look(self.world.now(), machine);
        }
    }

    /// Lets messages and disk operations enter the journal from now on; the latter from the next start of a process.
    pub fn keep_sights(&mut self, detail: Detail) {
        self.world.keep_sights(detail);
    }

    fn note_sights(&mut self) {
        if !self.world.has_sights() {
            return;
        }
        for (at, node, sight) in self.world.take_sights() {
            self.observer.note(at, node, Happening::Saw(sight));
        }
    }

    fn look_at_touched(&mut self) -> Option<NodeId> {
        let touched = self.world.touched().map(Machine::id);
        if let Some(machine) = self.world.touched() {
            self.observer.look(self.world.now(), machine);
        } else {
            self.hear_answers();
        }
        touched
    }

    /// Writes down the answers that have come.
    fn hear_answers(&mut self) {
        for (number, answer) in self.world.take_answers() {
            if let Some((node, command)) = self.asked.remove(&number) {
                let what = Happening::Answered {
                    command: command.clone(),
                    outcome: words(&answer),
                };
                self.observer.note(self.world.now(), node, what);
                self.answers.push((command, answer));
            } else {
                self.quiet_answers.push(answer);
            }
        }
    }

    // ── Looking ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// The world as it stands.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, for what no action says. The observer sees what is done so at the next event of that machine.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// What was seen of it.
    pub fn observer(&self) -> &Observer {
        &self.observer
    }

    /// What it is made of.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// Simulated time since the run began.
    pub fn now(&self) -> Time {
        self.world.now()
    }

    /// Ids, and the parts they play.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// The answers to what was asked, each with its command, in the order in which they came.
    pub fn answers(&self) -> &[(String, AdministratorAnswer)] {
        &self.answers
    }

    /// The determinism hash: every event, what it left behind, and what was violated.
    pub fn hash(&self) -> u64 {
        let mut digest = Digest::new();
        digest.write_u64(self.world.hash());
        for violation in self.observer.invariants().violations() {
            digest.write_bytes(violation.id.as_bytes());
            digest.write_u64(violation.at.as_micros());
            digest.write_bytes(violation.what.as_bytes());
        }
        digest.value()
    }

    /// What the actions said since it was last taken.
    pub fn take_said(&mut self) -> Vec<Said> {
        std::mem::take(&mut self.said)
    }

    /// Crashes that are set at disk operations which never came, each with its place.
    pub fn in_vain(&self) -> Vec<Problem> {
        let waiting = self.armed.iter().filter(|(id, fault, _)| {
            let disk = self.world.machine(*id).map(Machine::disk);
            disk.is_some_and(|disk| disk.is_armed(fault))
        });
        let problem = |(id, _, span): &(NodeId, DiskFault, Span)| {
            Problem::new(span.clone(), format!("node {id} never did this operation"))
        };
        waiting.map(problem).collect()
    }

    // ── What the actions of other files use ─────────────────────────────────────────────────────────────────────────

    pub(crate) fn observer_mut(&mut self) -> &mut Observer {
        &mut self.observer
    }

    pub(super) fn say(&mut self, line: impl Into<String>) {
        self.said.push(Said::Line(line.into()));
    }

    /// An action has no effect, for this reason.
    pub(super) fn warn(&mut self, span: &Span, why: String) {
        self.said
            .push(Said::Warning(Problem::new(span.clone(), why)));
    }
}
