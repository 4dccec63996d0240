//! Runs the statements of a scenario, one after the other, over a world.

use std::collections::BTreeMap;

use bytes::Bytes;
use determinism::{Digest, Time};
use records::NodeId;
use releases::Release;

use super::outcome::{Left, Mismatch, Outcome};
use super::roles::Roles;
use super::select::View;
use super::setting::{Delays, Setting};
use super::timing::Waiting;
use crate::DiskFault;
use crate::observer::{Observer, Weight};
use crate::scenario::check::check;
use crate::scenario::command::Command;
use crate::scenario::condition::Condition;
use crate::scenario::document::{Line, Scenario, Statement, statements};
use crate::scenario::problem::Problem;
use crate::scenario::span::Span;
use crate::scenario::verbs::world::World as WorldCommand;
use crate::world::{Answer, Machine, Wire, World};

/// Files of a directory, by their path in it.
pub type Files = Vec<(String, Bytes)>;

/// Reads what `load` names: a directory, or a tar of one. The words of an error say what is wrong.
pub type LoadFiles<'a> = dyn FnMut(&str) -> Result<Files, String> + 'a;

/// What a run may change.
///
/// Where it changes anything but the wire, the printed output is not compared: it is that of another run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Every process runs this release, whatever the scenario says.
    pub release: Option<Release>,
    /// Known bugs that are planted in every release, after what the scenario says of them.
    pub with: Vec<String>,
    /// Known bugs that are mended in every release.
    pub without: Vec<String>,
    /// Whether messages pass through real bytes, whatever the scenario says.
    pub wire: Option<Wire>,
}

impl Options {
    /// Whether the scenario runs as it stands.
    fn is_plain(&self) -> bool {
        self.release.is_none() && self.with.is_empty() && self.without.is_empty()
    }
}

/// On top of its link's own time a message takes up to this much, with `random delays`.
const SPREAD: Time = Time::from_millis(5);

/// Runs a scenario. An error is bad input; everything else, a failed expectation too, is an outcome.
pub fn run(
    scenario: &Scenario,
    options: &Options,
    load: &mut LoadFiles<'_>,
) -> Result<Outcome, Problem> {
    check(scenario)?;
    let mut executor = Executor::new(scenario, options, load)?;
    let mut printed = Vec::new();
    for statement in scenario.statements() {
        executor.statement(statement)?;
        printed.push(executor.take_printed());
    }
    Ok(executor.finish(scenario, options, printed))
}

/// A scenario on its way.
pub(super) struct Executor<'l, 's> {
    pub(super) world: World,
    pub(super) observer: Observer,
    pub(super) setting: Setting,
    pub(super) roles: Roles,
    /// Contents that `copy` kept.
    pub(super) copies: BTreeMap<String, Bytes>,
    /// How many times a tool has run: each run draws its own ids.
    pub(super) formats: u32,
    pub(super) load: &'l mut LoadFiles<'s>,
    /// Operations at which a process is to die: whose, which, and the command.
    pub(super) crashes: Vec<(NodeId, DiskFault, Span)>,
    out: Vec<String>,
    /// How much of the journal has been printed.
    told: usize,
    /// What was asked of whom and has no answer yet, by the number of the question.
    pub(super) asked: BTreeMap<u32, (NodeId, String)>,
    /// The answers that came, with the command that asked.
    pub(super) answers: Vec<(String, Answer)>,
    /// How many given batches were not written, or not kept.
    pub(super) refused_writes: u32,
    pub(super) waiting: Vec<Waiting>,
    pub(super) never: Vec<(Condition, Span)>,
    pub(super) failures: Vec<Problem>,
    warnings: Vec<Problem>,
    pub(super) expected_violations: Vec<String>,
    title: Option<String>,
}

impl<'l, 's> Executor<'l, 's> {
    pub(super) fn new(
        scenario: &Scenario,
        options: &Options,
        load: &'l mut LoadFiles<'s>,
    ) -> Result<Self, Problem> {
        let setting = Setting::of(scenario, options);
        let mut world = World::new(setting.seed);
        world.set_wire(setting.wire);
        if setting.delays == Delays::Random {
            let rng = world.stream("delays");
            world.network_mut().spread_delays(rng, SPREAD);
        }
        let mut executor = Executor {
            world,
            observer: Observer::new(),
            setting,
            roles: Roles::default(),
            copies: BTreeMap::new(),
            formats: 0,
            load,
            crashes: Vec::new(),
            out: Vec::new(),
            told: 0,
            asked: BTreeMap::new(),
            answers: Vec::new(),
            refused_writes: 0,
            waiting: Vec::new(),
            never: Vec::new(),
            failures: Vec::new(),
            warnings: Vec::new(),
            expected_violations: Vec::new(),
            title: None,
        };
        executor.roles.cluster(super::setting::CLUSTER_ID);
        let span = executor.setting.span.clone();
        executor.configure_all(&span)?;
        Ok(executor)
    }

    /// Gives every machine its configuration; what runs keeps what it started with.
    pub(super) fn configure_all(&mut self, span: &Span) -> Result<(), Problem> {
        for id in self.setting.nodes() {
            let release = match self.world.machine(id) {
                Some(machine) => machine.rules().release,
                None => self.setting.process_release(None),
            };
            let config = self.setting.config(id, span)?;
            self.world.add(config, self.setting.rules(release));
        }
        Ok(())
    }

    pub(super) fn statement(&mut self, statement: &Statement) -> Result<(), Problem> {
        self.command(&statement.command.value, &statement.command.span)
    }

    pub(super) fn body(&mut self, lines: &[Line]) -> Result<(), Problem> {
        statements(lines).try_for_each(|statement| self.statement(statement))
    }

    pub(super) fn command(&mut self, command: &Command, span: &Span) -> Result<(), Problem> {
        match command {
            Command::World(world) => self.world_command(world, span)?,
            Command::Disk(disk) => self.disk(disk, span)?,
            Command::Process(process) => self.process(process, span),
            Command::Timing(timing) => self.timing(timing, span)?,
            Command::Network(network) => self.network(network, span),
            Command::Client(client) => self.client(client, span)?,
            Command::Looking(looking) => self.looking(looking),
            Command::Judging(judging) => self.judging(judging, span),
        }
        self.tell();
        Ok(())
    }

    fn world_command(&mut self, world: &WorldCommand, span: &Span) -> Result<(), Problem> {
        if let WorldCommand::Title(title) = world {
            self.title = Some(title.clone());
        }
        // What stands before the first deed was taken in when the world was made.
        if self.world.events() > 0 || self.formats > 0 {
            self.setting.take(world);
        }
        match world {
            WorldCommand::Set { .. } => self.configure_all(span),
            _ => Ok(()),
        }
    }

    // ── What the commands of other files use ────────────────────────────────────────────────────────────────────

    pub(super) fn view(&self) -> View<'_> {
        View {
            world: &self.world,
            observer: &self.observer,
        }
    }

    /// Looks at a machine that a command has touched.
    pub(super) fn look(&mut self, id: NodeId) {
        if let Some(machine) = self.world.machine(id) {
            self.observer.look(self.world.now(), machine);
        }
    }

    pub(super) fn look_at_touched(&mut self) {
        if let Some(machine) = self.world.touched() {
            self.observer.look(self.world.now(), machine);
        }
        self.hear_answers();
    }

    pub(super) fn print(&mut self, line: impl Into<String>) {
        let line = self.roles.replace(&line.into());
        self.out.push(line);
    }

    pub(super) fn print_all(&mut self, lines: Vec<String>) {
        for line in lines {
            self.print(line);
        }
    }

    /// A command has no effect, for this reason.
    pub(super) fn warn(&mut self, span: &Span, why: String) {
        self.print(format!("warning: {why}"));
        self.warnings.push(Problem::new(span.clone(), why));
    }

    pub(super) fn fail(&mut self, span: &Span, why: String) {
        self.failures.push(Problem::new(span.clone(), why));
    }

    /// Prints what has happened and was not printed yet.
    pub(super) fn tell(&mut self) {
        self.hear_answers();
        let journal = self.observer.journal();
        let lines: Vec<String> = journal[self.told..]
            .iter()
            .filter(|entry| entry.what.weight() == Weight::Headline)
            .map(ToString::to_string)
            .collect();
        self.told = journal.len();
        self.print_all(lines);
    }

    pub(super) fn take_printed(&mut self) -> Vec<String> {
        std::mem::take(&mut self.out)
    }

    fn finish(
        mut self,
        scenario: &Scenario,
        options: &Options,
        printed: Vec<Vec<String>>,
    ) -> Outcome {
        for fault in self.world.wire_faults().to_vec() {
            let span = self.setting.span.clone();
            self.fail(&span, format!("a message did not come through: {fault}"));
        }
        let mut digest = Digest::new();
        digest.write_u64(self.world.hash());
        for line in printed.iter().flatten() {
            digest.write_bytes(line.as_bytes());
        }
        let mismatches = if options.is_plain() {
            mismatches(scenario, &printed)
        } else {
            Vec::new()
        };
        let mut warnings = self.in_vain();
        let left = self.left();
        warnings.splice(0..0, self.warnings);
        Outcome {
            title: self.title,
            mismatches,
            printed,
            failures: self.failures,
            warnings,
            violations: self.observer.invariants().violations().to_vec(),
            expected_violations: self.expected_violations,
            activations: self.observer.activations().to_vec(),
            journal: self.observer.journal().to_vec(),
            hash: digest.value(),
            events: self.world.events(),
            simulated: self.world.now(),
            left,
        }
    }

    fn left(&self) -> Vec<Left> {
        let of = |machine: &Machine| {
            let mut disk = machine.disk().clone();
            disk.disarm();
            disk.recover();
            Left {
                node: machine.id(),
                properties: self.setting.properties_of(machine.id()),
                disk,
            }
        };
        self.world.machines().map(of).collect()
    }
}

/// Where the text expects other output than was printed.
fn mismatches(scenario: &Scenario, printed: &[Vec<String>]) -> Vec<Mismatch> {
    let differs = |(statement, printed): (&Statement, &Vec<String>)| {
        let expected = &statement.expected.value;
        let same = expected.iter().map(|line| line.trim_end());
        let same = same.eq(printed.iter().map(|line| line.trim_end()));
        (!same).then(|| Mismatch {
            span: statement.command.span.clone(),
            expected: expected.clone(),
            printed: printed.clone(),
        })
    };
    scenario
        .statements()
        .zip(printed)
        .filter_map(differs)
        .collect()
}
