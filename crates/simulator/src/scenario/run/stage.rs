//! What stands around the run of a scenario: what is printed, what waits for its moment, what must never be.

use determinism::Time;
use records::NodeId;

use crate::describe::visible;
use crate::invariants::Invariants;
use crate::observer::Weight;
use crate::run::{Agent, Condition, Problem, Run, Said, Span};
use crate::scenario::command::Command;
use crate::scenario::limits::{MOST_EVENTS, MOST_PRINTED_BYTES, MOST_WAITING};
use crate::scenario::verbs::judging::Judging;

/// A command that waits for its moment.
#[derive(Clone, Debug)]
pub(super) struct WaitingCommand {
    moment: Moment,
    command: Command,
    span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Moment {
    At(Time),
    When(Condition),
}

impl WaitingCommand {
    /// That the moment never came.
    pub(super) fn in_vain(&self) -> Problem {
        let command = &self.command;
        Problem::new(
            self.span.clone(),
            format!("the moment for `{command}` never came"),
        )
    }
}

/// The agent of a scenario.
#[derive(Debug, Default)]
pub(super) struct Stage {
    pub(super) title: Option<String>,
    pub(super) waiting: Vec<WaitingCommand>,
    pub(super) failures: Vec<Problem>,
    pub(super) warnings: Vec<Problem>,
    pub(super) expected_violations: Vec<String>,
    never: Vec<(Condition, Span)>,
    out: Vec<String>,
    /// How many bytes have been printed, taken ones too.
    printed_bytes: usize,
    /// How much of the journal has been printed.
    told: usize,
}

impl Agent for Stage {
    fn next_at(&self) -> Option<Time> {
        let times = self.waiting.iter().filter_map(|one| match one.moment {
            Moment::At(at) => Some(at),
            Moment::When(_) => None,
        });
        times.min()
    }

    fn woken(&mut self, run: &mut Run) -> Result<(), Problem> {
        let next = self.next_at();
        let is_due =
            |one: &WaitingCommand| matches!(one.moment, Moment::At(at) if Some(at) == next);
        if let Some(at) = self.waiting.iter().position(is_due) {
            let WaitingCommand { command, span, .. } = self.waiting.remove(at);
            self.tell(run);
            self.command(run, &command, &span)?;
        }
        Ok(())
    }

    /// Carries out what waited for the present state, and looks for what must never be.
    fn touched(&mut self, run: &mut Run, _node: Option<NodeId>) -> Result<(), Problem> {
        if run.world().events() > MOST_EVENTS {
            return Err(beyond(format!(
                "a scenario has at most {MOST_EVENTS} events"
            )));
        }
        self.triggers(run)
    }
}

/// A problem of the command that is being carried out, which stands where the executor knows.
fn beyond(what: String) -> Problem {
    Problem::new(0..0, what).suggesting("docs/limits.md lists the limits")
}

impl Stage {
    /// That what was printed so far, and what waits, stay within the limits.
    pub(super) fn check_limits(&self) -> Result<(), Problem> {
        if self.printed_bytes > MOST_PRINTED_BYTES {
            return Err(beyond(format!(
                "a scenario prints at most {MOST_PRINTED_BYTES} bytes"
            )));
        }
        if self.waiting.len() + self.never.len() > MOST_WAITING {
            return Err(beyond(format!(
                "at most {MOST_WAITING} commands with `at`, `when` and `never` wait at a time"
            )));
        }
        Ok(())
    }

    pub(super) fn wait(&mut self, moment: Moment, command: &Command, span: &Span) {
        self.waiting.push(WaitingCommand {
            moment,
            command: command.clone(),
            span: span.clone(),
        });
    }

    /// A command that takes no time.
    pub(super) fn command(
        &mut self,
        run: &mut Run,
        command: &Command,
        span: &Span,
    ) -> Result<(), Problem> {
        match command {
            Command::Action(action) => {
                run.perform(action, span)?;
                self.hear(run);
            }
            Command::Looking(looking) => {
                let lines = super::looking::lines(run, looking);
                self.print_all(run, lines);
            }
            Command::Judging(judging) => self.judging(run, judging, span),
            Command::Declaration(_) | Command::Timing(_) => {
                unreachable!("`check` lets only what takes no time wait for its moment")
            }
        }
        self.tell(run);
        Ok(())
    }

    pub(super) fn triggers(&mut self, run: &mut Run) -> Result<(), Problem> {
        let mut at = 0;
        while at < self.waiting.len() {
            let is_due = match &self.waiting[at].moment {
                Moment::When(condition) => run.holds(condition),
                Moment::At(_) => false,
            };
            if !is_due {
                at += 1;
                continue;
            }
            let WaitingCommand { command, span, .. } = self.waiting.remove(at);
            self.tell(run);
            self.print(run, &format!("when: {command}"));
            self.command(run, &command, &span)?;
            at = 0;
        }
        let broken = self.never.iter();
        let broken = broken
            .clone()
            .position(|(condition, _)| run.holds(condition));
        if let Some(at) = broken {
            let (condition, span) = self.never.remove(at);
            let found = run.found(&condition);
            self.fail(
                &span,
                format!("`{condition}` must never hold, and did: {found}"),
            );
        }
        Ok(())
    }

    fn judging(&mut self, run: &mut Run, judging: &Judging, span: &Span) {
        match judging {
            Judging::Expect(condition, broken) => {
                let id = broken.as_ref().map(|id| id.value.as_str());
                if let Err(what) = run.expect(condition, id)
                    && id.is_none()
                {
                    let what = run.roles().replace(&what);
                    self.fail(span, what);
                }
            }
            Judging::Never(condition) => self.never.push((condition.clone(), span.clone())),
            Judging::Violation(id) => self.violation(run, &id.value, span),
        }
    }

    /// Expects that an invariant was violated; a KAFKA id stands for the invariants whose source names it.
    fn violation(&mut self, run: &Run, id: &str, span: &Span) {
        let named = Invariants::catalogue();
        let is_meant = |known: &str, source: &str| {
            known == id || (id.starts_with("KAFKA-") && source.contains(id))
        };
        let meant = named
            .iter()
            .filter(|(known, _, source)| is_meant(known, source));
        let meant: Vec<&str> = meant.map(|(known, ..)| *known).collect();
        let mut violated = run.observer().invariants().violations().iter();
        if !violated.any(|violation| meant.contains(&violation.id)) {
            self.fail(
                span,
                format!("expected a violation of {id}; there was none"),
            );
        }
        self.expected_violations
            .extend(meant.into_iter().map(str::to_owned));
    }

    // ── Printing ────────────────────────────────────────────────────────────────────────────────────────────────────

    pub(super) fn print(&mut self, run: &Run, line: &str) {
        let line = run.roles().replace(&visible(line));
        self.printed_bytes += line.len() + 1;
        self.out.push(line);
    }

    fn print_all(&mut self, run: &Run, lines: Vec<String>) {
        for line in lines {
            self.print(run, &line);
        }
    }

    /// A command has no effect, for this reason.
    pub(super) fn warn(&mut self, run: &Run, problem: Problem) {
        self.print(run, &format!("warning: {}", problem.message));
        self.warnings.push(problem);
    }

    pub(super) fn fail(&mut self, span: &Span, why: String) {
        self.failures.push(Problem::new(span.clone(), why));
    }

    /// Prints what the last action said for itself.
    pub(super) fn hear(&mut self, run: &mut Run) {
        for said in run.take_said() {
            match said {
                Said::Line(line) => self.print(run, &line),
                Said::Warning(problem) => self.warn(run, problem),
            }
        }
    }

    /// Prints what has happened and was not printed yet.
    pub(super) fn tell(&mut self, run: &Run) {
        let journal = run.observer().journal();
        let new = journal.get(self.told..).unwrap_or_default().iter();
        let headlines = new.filter(|entry| entry.what.weight() == Weight::Headline);
        let lines = headlines.map(ToString::to_string).collect();
        self.told = journal.len();
        self.print_all(run, lines);
    }

    pub(super) fn take_printed(&mut self) -> Vec<String> {
        std::mem::take(&mut self.out)
    }
}
