//! `run`, `at`, `when`, `repeat`, and what must never hold.

use determinism::Time;

use super::executor::Executor;
use crate::scenario::command::Command;
use crate::scenario::condition::Condition;
use crate::scenario::duration;
use crate::scenario::problem::Problem;
use crate::scenario::span::Span;
use crate::scenario::verbs::time::Timing;

/// A command that waits for its moment.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    moment: Moment,
    command: Command,
    span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Moment {
    At(Time),
    When(Condition),
}

impl Executor<'_, '_> {
    pub(super) fn timing(&mut self, timing: &Timing, span: &Span) -> Result<(), Problem> {
        match timing {
            Timing::RunFor(length) => {
                self.advance(*length, None)?;
                Ok(())
            }
            Timing::RunUntil(condition, within) => {
                if !self.advance(*within, Some(condition))? {
                    let found = self.view().answer(condition).found;
                    self.tell();
                    let within = duration::print(*within);
                    self.print(format!("not within {within}: {found}"));
                    self.fail(
                        span,
                        format!("`{condition}` did not come to hold within {within}: {found}"),
                    );
                }
                Ok(())
            }
            Timing::At(at, command) => {
                if *at < self.world.now() {
                    self.warn(
                        span,
                        format!("it is {} by now: this moment has passed", self.world.now()),
                    );
                } else {
                    self.wait(Moment::At(*at), command, span);
                }
                Ok(())
            }
            Timing::When(condition, command) => {
                self.wait(Moment::When(condition.clone()), command, span);
                self.triggers()
            }
            Timing::Repeat(times, body) => (0..*times).try_for_each(|_| self.body(body)),
        }
    }

    fn wait(&mut self, moment: Moment, command: &Command, span: &Span) {
        let command = command.clone();
        self.waiting.push(Waiting {
            moment,
            command,
            span: span.clone(),
        });
    }

    /// Lets time pass, at most `length`; ends when `until` holds, and says whether it does.
    pub(super) fn advance(
        &mut self,
        length: Time,
        until: Option<&Condition>,
    ) -> Result<bool, Problem> {
        let deadline = self.world.now() + length;
        loop {
            if let Some(condition) = until
                && self.view().holds(condition)
            {
                return Ok(true);
            }
            let alarm = self.next_alarm().filter(|at| *at <= deadline);
            let next = self.world.next_at().filter(|at| *at <= deadline);
            match (alarm, next) {
                (Some(alarm), next) if next.is_none_or(|next| alarm <= next) => {
                    self.pass_to(alarm);
                    self.alarms(alarm)?;
                }
                (_, Some(_)) => {
                    self.world.step();
                    self.look_at_touched();
                    self.triggers()?;
                }
                (_, None) => {
                    self.pass_to(deadline);
                    return Ok(until.is_some_and(|condition| self.view().holds(condition)));
                }
            }
        }
    }

    /// Moves the clock; no event lies in between.
    fn pass_to(&mut self, at: Time) {
        let length = at.since(self.world.now());
        self.world.run_for(length);
    }

    fn next_alarm(&self) -> Option<Time> {
        let times = self
            .waiting
            .iter()
            .filter_map(|waiting| match waiting.moment {
                Moment::At(at) => Some(at),
                Moment::When(_) => None,
            });
        times.min()
    }

    fn alarms(&mut self, now: Time) -> Result<(), Problem> {
        let due = |waiting: &Waiting| matches!(waiting.moment, Moment::At(at) if at <= now);
        while let Some(at) = self.waiting.iter().position(due) {
            let Waiting { command, span, .. } = self.waiting.remove(at);
            self.tell();
            self.command(&command, &span)?;
        }
        Ok(())
    }

    /// Carries out what waited for the present state, and looks for what must never be.
    fn triggers(&mut self) -> Result<(), Problem> {
        let mut at = 0;
        while at < self.waiting.len() {
            let Moment::When(condition) = &self.waiting[at].moment else {
                at += 1;
                continue;
            };
            if !self.view().holds(condition) {
                at += 1;
                continue;
            }
            let Waiting { command, span, .. } = self.waiting.remove(at);
            self.tell();
            self.print(format!("when: {command}"));
            self.command(&command, &span)?;
            at = 0;
        }
        let broken = self
            .never
            .iter()
            .position(|(condition, _)| self.view().holds(condition));
        if let Some(at) = broken {
            let (condition, span) = self.never.remove(at);
            let found = self.view().answer(&condition).found;
            self.fail(
                &span,
                format!("`{condition}` must never hold, and did: {found}"),
            );
        }
        Ok(())
    }

    /// Commands that never had their moment, each with its place.
    pub(super) fn in_vain(&self) -> Vec<Problem> {
        let waiting = self.waiting.iter().map(|waiting| {
            let command = &waiting.command;
            Problem::new(
                waiting.span.clone(),
                format!("the moment for `{command}` never came"),
            )
        });
        let crashes = self.crashes.iter().filter(|(id, fault, _)| {
            let disk = self.world.machine(*id).map(crate::world::Machine::disk);
            disk.is_some_and(|disk| disk.is_armed(fault))
        });
        let crashes = crashes.map(|(id, _, span)| {
            Problem::new(
                span.clone(),
                format!("node {id} never came to this operation"),
            )
        });
        waiting.chain(crashes).collect()
    }
}
