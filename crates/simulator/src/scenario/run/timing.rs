//! What takes time: `run`, `stop`, `restart`, `upgrade`; and `at`, `when`, `repeat`.

use determinism::Time;
use records::NodeId;
use releases::Release;

use super::executor::Executor;
use super::stage::Moment;
use crate::run::action::{Action, Nodes, ProcessAction};
use crate::run::condition::Fact;
use crate::run::{Condition, Problem, Span, duration};
use crate::scenario::limits::MOST_TIME;
use crate::scenario::verbs::time::{Else, Timing};
use crate::world::STOP_LIMIT;

impl Executor<'_, '_> {
    pub(super) fn timing(&mut self, timing: &Timing, span: &Span) -> Result<(), Problem> {
        self.check_time(timing, span)?;
        match timing {
            Timing::RunFor(length) => self.advance(*length, None).map(|_| ()),
            Timing::RunUntil(condition, within, broken) => {
                let id = broken.as_ref().map(|id| id.value.as_str());
                let waited = self.run.wait(condition, *within, id, &mut self.stage)?;
                self.judged(waited, broken, span);
                Ok(())
            }
            Timing::RunWhile(condition, length, broken) => {
                let id = broken.as_ref().map(|id| id.value.as_str());
                let stayed = self.run.stay(condition, *length, id, &mut self.stage)?;
                self.judged(stayed, broken, span);
                Ok(())
            }
            Timing::At(at, command) => {
                self.load_what_is_named(command)?;
                let now = self.run.now();
                if *at < now {
                    let why = format!("it is {now} by now: this moment has passed");
                    self.stage.warn(&self.run, Problem::new(span.clone(), why));
                } else {
                    self.stage.wait(Moment::At(*at), command, span);
                }
                Ok(())
            }
            Timing::When(condition, command) => {
                self.load_what_is_named(command)?;
                let moment = Moment::When(condition.clone());
                self.stage.wait(moment, command, span);
                self.stage.triggers(&mut self.run)
            }
            Timing::Repeat(times, body) => (0..*times).try_for_each(|_| self.body(body)),
            Timing::Restart(nodes, release) => {
                for id in self.stop(nodes, span)? {
                    let machine = self.run.world().machine(id);
                    let last = machine.map(|machine| machine.rules().release);
                    self.start(&Nodes::one(id), release.or(last), span)?;
                }
                Ok(())
            }
            Timing::Upgrade(nodes, release) => {
                let chosen = self.run.select_all(nodes);
                self.stop(nodes, span)?;
                self.start(&Nodes::some(chosen), Some(*release), span)
            }
            Timing::Write { path, until } => self.write(path, *until, span),
        }
    }

    /// That the command ends within the simulated time of a scenario.
    fn check_time(&self, timing: &Timing, span: &Span) -> Result<(), Problem> {
        let until = match timing {
            Timing::RunFor(length)
            | Timing::RunUntil(_, length, _)
            | Timing::RunWhile(_, length, _) => self.run.now() + *length,
            Timing::At(at, _) => *at,
            _ => return Ok(()),
        };
        if until <= MOST_TIME {
            return Ok(());
        }
        let most = duration::print(MOST_TIME);
        let what = format!("a scenario has at most {most} of simulated time");
        Err(Problem::new(span.clone(), what).suggesting("docs/limits.md lists the limits"))
    }

    /// What did not come is printed; unless an invariant stands for it, the scenario fails.
    fn judged(&mut self, judged: Result<(), String>, broken: &Else, span: &Span) {
        let Err(what) = judged else { return };
        self.stage.tell(&self.run);
        if broken.is_none() {
            self.stage.print(&self.run, &what);
            let what = self.run.roles().replace(&what);
            self.stage.fail(span, what);
        }
    }

    /// Lets time pass, at most `length`; ends when `until` holds, and says whether it does.
    pub(super) fn advance(
        &mut self,
        length: Time,
        until: Option<&Condition>,
    ) -> Result<bool, Problem> {
        let deadline = self.run.now() + length;
        self.run.advance(deadline, &mut self.stage, |run| {
            until.is_some_and(|condition| run.holds(condition))
        })
    }

    /// Stops processes cleanly, and waits until they are gone; those that ran.
    pub(super) fn stop(&mut self, nodes: &Nodes, span: &Span) -> Result<Vec<NodeId>, Problem> {
        let mut running = self.run.select_all(nodes);
        running.retain(|id| self.run.is_up(*id));
        self.act(ProcessAction::Stop(nodes.clone()), span)?;
        let down = Fact::Down(Nodes::some(running.iter().copied())).into();
        if !running.is_empty() {
            self.advance(STOP_LIMIT, Some(&down))?;
        }
        Ok(running)
    }

    fn start(
        &mut self,
        nodes: &Nodes,
        release: Option<Release>,
        span: &Span,
    ) -> Result<(), Problem> {
        self.act(ProcessAction::Start(nodes.clone(), release), span)
    }

    fn act(&mut self, action: ProcessAction, span: &Span) -> Result<(), Problem> {
        self.run.perform(&Action::Process(action), span)?;
        self.stage.hear(&mut self.run);
        Ok(())
    }
}
