use node::Node;
use quorum_controller::Controller;

use super::flight::Flight;
use super::seat::ProcessFate;
use super::{AnswerDetail, CommandRefusal, Drive, RunPlan, Until};

/// So many steps are noted of one run; a run that takes more does not end.
const MOST_STEPS: usize = 1_000_000;

/// What the scheduler has done so far.
struct Progress {
    did: Vec<String>,
    fulfilled: bool,
}

impl Drive {
    /// A simple scheduler out of the single steps.
    pub(super) fn run(&mut self, plan: &RunPlan) -> Result<AnswerDetail, CommandRefusal> {
        if plan.ms > 0 && plan.step_ms <= 0 {
            let step_ms = plan.step_ms;
            return Err(CommandRefusal::refused(format!(
                "run by steps of {step_ms} ms would never end: expected at least 1"
            )));
        }
        let moves = plan.ms / plan.step_ms.max(1);
        if moves > MOST_STEPS as i64 {
            return Err(CommandRefusal::refused(format!(
                "run would move the clock {moves} times: at most {MOST_STEPS} are taken"
            )));
        }
        let end = self.now_ms.saturating_add(plan.ms);
        let mut progress = Progress {
            did: Vec::new(),
            fulfilled: false,
        };
        loop {
            self.run_until_quiet(plan, &mut progress)?;
            if progress.fulfilled || self.now_ms >= end {
                break;
            }
            let by = plan.step_ms.min(end - self.now_ms);
            self.advance(by)?;
            progress.did.push(format!("advance {by}"));
        }
        Ok(AnswerDetail::Ran {
            did: progress.did,
            reached: plan.until.is_some().then_some(progress.fulfilled),
        })
    }

    fn run_until_quiet(
        &mut self,
        plan: &RunPlan,
        progress: &mut Progress,
    ) -> Result<(), CommandRefusal> {
        let mut is_first_round = true;
        loop {
            let before = progress.did.len();
            if before > MOST_STEPS {
                return Err(CommandRefusal::endless(format!(
                    "{before} steps of a run, the clock shows {} ms",
                    self.now_ms
                )));
            }
            let flights: Vec<(u64, bool)> = self
                .flights
                .iter()
                .map(|(id, flight)| (*id, is_dropped(plan, flight)))
                .collect();
            for (id, is_dropped) in flights {
                if is_dropped {
                    self.take_flight(id)?;
                    progress.did.push(format!("drop {id}"));
                } else {
                    self.deliver(id, None)?;
                    progress.did.push(format!("deliver {id}"));
                }
            }
            for node in self.nodes() {
                let mut is_due = is_first_round;
                while let Ok(seat) = self.running(node) {
                    let has_letter = !seat.inbox.is_empty();
                    let replica = self.process(node).map(Node::replica);
                    let woken = replica.is_some_and(|replica| replica.waiting().woken);
                    let has_work = is_due || woken || has_letter;
                    // One that has shut down never takes its messages; Kafka's driver would poll it for ever.
                    let is_over = replica.is_some_and(|replica| !replica.is_running());
                    if !has_work || (is_over && !is_due) {
                        break;
                    }
                    is_due = false;
                    self.poll(node)?;
                    progress.did.push(format!("poll {node}"));
                    if self.reached(plan.until.as_ref()) {
                        progress.fulfilled = true;
                        return Ok(());
                    }
                }
            }
            is_first_round = false;
            if progress.did.len() == before {
                return Ok(());
            }
        }
    }

    fn reached(&self, until: Option<&Until>) -> bool {
        let Some(until) = until else {
            return false;
        };
        self.seats.iter().any(|(node, seat)| {
            let Some(process) = self
                .process(*node)
                .filter(|_| seat.fate != ProcessFate::Doomed)
            else {
                return false;
            };
            let (replica, role) = (process.replica(), until.role.as_ref());
            let active = process.controller().map(Controller::is_active);
            until.node.is_none_or(|wanted| wanted == *node)
                && role.is_none_or(|role| role == replica.role().name())
                && until.min_epoch.is_none_or(|least| least <= replica.epoch())
                && until
                    .high_watermark
                    .is_none_or(|least| least <= replica.high_watermark().unwrap_or(-1))
                && until.active.is_none_or(|wanted| active == Some(wanted))
        })
    }
}

fn is_dropped(plan: &RunPlan, flight: &Flight) -> bool {
    plan.drop.iter().any(|rule| rule.matches(flight))
}
