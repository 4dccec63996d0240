//! Runs the statements of a scenario, one after the other.

use releases::Release;

use super::outcome::{Left, Mismatch, ScenarioOutcome};
use super::stage::Stage;
use crate::run::action::{
    Action, Declaration, DiskAction, FormatVoters, ProcessAction, QuorumKind,
};
use crate::run::{Files, Problem, Quirks, Run, Setting, Span};
use crate::scenario::check::check;
use crate::scenario::command::Command;
use crate::scenario::document::{Scenario, ScenarioLine, Statement, statements};
use crate::world::{Detail, Machine, Wire};

/// Reads what `load` names: a directory, or a tar of one. The words of an error say what is wrong.
pub type LoadFiles<'a> = dyn FnMut(&str) -> Result<Files, String> + 'a;

/// What a run may change.
///
/// Where it changes anything but the wire, the printed output is not compared: it is that of another run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Every process runs this release, whatever the scenario says.
    pub release: Option<Release>,
    /// Known bugs that are planted, or mended, in every release, after what the scenario says of them.
    pub quirks: Quirks,
    /// Whether messages pass through real bytes, whatever the scenario says.
    pub wire: Option<Wire>,
    /// Whether messages and disk operations enter the journal.
    pub detail: Detail,
}

impl Options {
    /// Whether the scenario runs as it stands.
    fn is_plain(&self) -> bool {
        self.release.is_none() && self.quirks.is_empty()
    }
}

/// Runs a scenario. An error is bad input; everything else, a failed expectation too, is an outcome.
pub fn run(
    scenario: &Scenario,
    options: &Options,
    load: &mut LoadFiles<'_>,
) -> Result<ScenarioOutcome, Problem> {
    check(scenario)?;
    let mut executor = Executor::new(scenario, options, load)?;
    let mut printed = Vec::new();
    for statement in scenario.statements() {
        executor.statement(statement)?;
        printed.push(executor.stage.take_printed());
    }
    Ok(executor.finish(scenario, options, printed))
}

/// A scenario on its way.
pub(super) struct Executor<'l, 's> {
    pub(super) run: Run,
    pub(super) stage: Stage,
    pub(super) load: &'l mut LoadFiles<'s>,
    /// Whether all statements so far said what the world is made of.
    in_preamble: bool,
}

impl<'l, 's> Executor<'l, 's> {
    pub(super) fn new(
        scenario: &Scenario,
        options: &Options,
        load: &'l mut LoadFiles<'s>,
    ) -> Result<Self, Problem> {
        let mut run = Run::new(setting(scenario, options))?;
        run.keep_sights(options.detail);
        Ok(Executor {
            run,
            stage: Stage::default(),
            load,
            in_preamble: true,
        })
    }

    pub(super) fn statement(&mut self, statement: &Statement) -> Result<(), Problem> {
        let span = &statement.command.span;
        let done = self.top_level(&statement.command.value, span);
        done.and_then(|()| self.stage.check_limits())
            .map_err(|problem| match problem.span.end {
                0 => Problem {
                    span: span.clone(),
                    ..problem
                },
                _ => problem,
            })
    }

    pub(super) fn body(&mut self, lines: &[ScenarioLine]) -> Result<(), Problem> {
        statements(lines).try_for_each(|statement| self.statement(statement))
    }

    fn top_level(&mut self, command: &Command, span: &Span) -> Result<(), Problem> {
        if let Command::Declaration(declaration) = command {
            return self.declaration(declaration, span);
        }
        self.in_preamble = false;
        match command {
            Command::Timing(timing) => {
                self.timing(timing, span)?;
                self.stage.tell(&self.run);
                Ok(())
            }
            Command::Action(Action::Process(ProcessAction::Stop(nodes))) => {
                self.stop(nodes, span)?;
                self.stage.tell(&self.run);
                Ok(())
            }
            other => {
                self.load_what_is_named(other)?;
                self.stage.command(&mut self.run, other, span)
            }
        }
    }

    fn declaration(&mut self, declaration: &Declaration, span: &Span) -> Result<(), Problem> {
        if let Declaration::Title(title) = declaration {
            self.stage.title = Some(title.clone());
        }
        // What stands before the first deed was taken in when the world was made.
        if self.in_preamble {
            return Ok(());
        }
        self.run.declare(declaration, span)
    }

    pub(super) fn load_what_is_named(&mut self, command: &Command) -> Result<(), Problem> {
        if let Command::Action(Action::Disk(DiskAction::Load { path, .. })) = command {
            let files = (self.load)(&path.value).map_err(|error| {
                Problem::new(path.span.clone(), format!("cannot load: {error}"))
            })?;
            self.run.give(&path.value, files);
        }
        Ok(())
    }

    fn finish(
        mut self,
        scenario: &Scenario,
        options: &Options,
        printed: Vec<Vec<String>>,
    ) -> ScenarioOutcome {
        let faults = self.run.world().wire_faults().iter();
        let faults = faults.map(|fault| format!("a message did not come through: {fault}"));
        let faults: Vec<String> = faults.collect();
        for fault in faults {
            self.stage.fail(&(0..0), fault);
        }
        let mismatches = if options.is_plain() {
            mismatches(scenario, &printed)
        } else {
            Vec::new()
        };
        let (run, stage) = (self.run, self.stage);
        let mut warnings = stage.warnings;
        warnings.extend(
            stage
                .waiting
                .iter()
                .map(super::stage::WaitingCommand::in_vain),
        );
        warnings.extend(run.in_vain());
        let observer = run.observer();
        ScenarioOutcome {
            title: stage.title,
            mismatches,
            printed,
            failures: stage.failures,
            warnings,
            violations: observer.invariants().violations().to_vec(),
            expected_violations: stage.expected_violations,
            activations: observer.activations().to_vec(),
            journal: observer.journal().to_vec(),
            hash: run.hash(),
            events: run.world().events(),
            simulated: run.now(),
            left: left(&run),
        }
    }
}

fn left(run: &Run) -> Vec<Left> {
    let of = |machine: &Machine| {
        let mut disk = machine.disk().clone();
        disk.disarm();
        disk.recover();
        Left {
            node: machine.id(),
            properties: run.setting().properties_of(machine.id()),
            directories: machine.config().server().all_directories(),
            disk,
        }
    };
    run.world().machines().map(of).collect()
}

/// What a scenario says of its world before anything happens.
fn setting(scenario: &Scenario, options: &Options) -> Setting {
    let mut setting = Setting::default();
    setting.quorum = implied_quorum(scenario);
    for statement in scenario.statements() {
        let Command::Declaration(declaration) = &statement.command.value else {
            break;
        };
        setting.take(declaration, &statement.command.span);
    }
    setting.wire = options.wire.unwrap_or(setting.wire);
    if let Some(release) = options.release {
        setting.force_release(release);
    }
    setting.force_quirks(&options.quirks);
    setting
}

/// Without `quorum`, the quorum is dynamic if some directory is formatted for one.
fn implied_quorum(scenario: &Scenario) -> QuorumKind {
    let dynamic = scenario.all_statements().into_iter().any(|statement| {
        let Command::Action(Action::Disk(DiskAction::Format(format))) = &statement.command.value
        else {
            return false;
        };
        matches!(
            format.voters,
            Some(FormatVoters::Standalone | FormatVoters::InitialControllers)
        )
    });
    if dynamic {
        QuorumKind::Dynamic
    } else {
        QuorumKind::Static
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
    let statements = scenario.statements().zip(printed);
    statements.filter_map(differs).collect()
}
