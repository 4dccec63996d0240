use determinism::Time;
use records::NodeId;

use super::director::Director;
use super::outcome::SeedOutcome;
use super::shape::ClusterShape;
use crate::run::action::{
    Action, DiskAction, Format, FormatVoters, Formatted, Nodes, ProcessAction, QuorumKind,
};
use crate::run::{Condition, Run, Setting, Spanned};
use crate::scenario::Command;
use crate::scenario::verbs::judging::Judging;
use crate::scenario::verbs::time::{Else, Timing};
use crate::world::Machine;

/// A run with its director: what situations and profiles tell what to do.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    pub(super) run: Run,
    pub(super) director: Director,
    pub(super) shape: ClusterShape,
    preamble: Vec<Command>,
}

impl Cluster {
    /// Formatted nodes, none of them started.
    pub(super) fn new(shape: &ClusterShape) -> Self {
        let preamble = shape.preamble();
        let mut setting = Setting::default();
        for command in &preamble {
            if let Command::Declaration(declaration) = command {
                setting.take(declaration, &(0..0));
            }
        }
        let mut run = Run::new(setting).expect("every release takes a plain configuration");
        for command in &preamble {
            if let Command::Action(format) = command {
                run.perform(format, &(0..0))
                    .expect("every release formats a plain configuration");
            }
        }
        run.take_said();
        let releases = shape.nodes.iter().map(|(id, rules)| (*id, rules.release));
        let supervisor = run.world().stream("supervisor");
        Cluster {
            director: Director::new(releases.collect(), supervisor),
            run,
            shape: shape.clone(),
            preamble,
        }
    }

    pub(super) fn ids(&self) -> Vec<NodeId> {
        self.shape.nodes.iter().map(|(id, _)| *id).collect()
    }

    /// Every node but one.
    pub(super) fn others(&self, gone: NodeId) -> Vec<NodeId> {
        let mut ids = self.ids();
        ids.retain(|id| *id != gone);
        ids
    }

    pub(super) fn machine(&self, id: NodeId) -> &Machine {
        let machine = self.run.world().machine(id);
        machine.expect("every node of the shape has a machine")
    }

    // ── Letting time pass ───────────────────────────────────────────────────────────────────────────────────────────

    /// Waits until a condition holds; how long it took. Where it does not come, `broken` is violated.
    pub(super) fn wait(
        &mut self,
        condition: impl Into<Condition>,
        within: Time,
        broken: Option<&str>,
    ) -> Option<Time> {
        let (condition, began) = (condition.into(), self.run.now());
        let waited = self
            .run
            .wait(&condition, within, broken, &mut self.director);
        let came = waited.expect(NO_PROBLEM).is_ok();
        let command = Timing::RunUntil(condition, within, named(broken));
        self.director.write_down(command.into());
        came.then(|| self.run.now().since(began))
    }

    /// Lets a length of time pass, during which a condition has to hold; otherwise `broken` is violated.
    pub(super) fn stay(&mut self, condition: impl Into<Condition>, length: Time, broken: &str) {
        let condition = condition.into();
        let stayed = self
            .run
            .stay(&condition, length, Some(broken), &mut self.director);
        // Whether it held is among the violations.
        let _ = stayed.expect(NO_PROBLEM);
        let command = Timing::RunWhile(condition, length, named(Some(broken)));
        self.director.write_down(command.into());
    }

    /// Judges that a condition holds now; otherwise `broken` is violated.
    pub(super) fn expect(&mut self, condition: impl Into<Condition>, broken: &str) {
        let condition = condition.into();
        // Whether it holds is among the violations.
        let _ = self.run.expect(&condition, Some(broken));
        let command = Judging::Expect(condition, named(Some(broken)));
        self.director.write_down(Command::Judging(command));
    }

    pub(super) fn run_for(&mut self, length: Time) {
        let deadline = self.run.now() + length;
        let ended = self.run.advance(deadline, &mut self.director, |_| false);
        ended.expect(NO_PROBLEM);
        self.director.write_down(Timing::RunFor(length).into());
    }

    // ── Doing ───────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Does something as soon as what happens at this moment has happened.
    pub(super) fn act(&mut self, action: impl Into<Action>) {
        self.director.act_at(self.run.now(), action);
    }

    /// Starts every node after a pause of its own.
    pub(super) fn start_all(&mut self, mut pause: impl FnMut() -> Time) {
        for id in self.ids() {
            self.director.start_at(self.run.now() + pause(), id);
        }
    }

    /// Takes a process down, and keeps it down.
    pub(super) fn hold_down(&mut self, id: NodeId) {
        self.director.hold(id);
        self.act(ProcessAction::Crash(Nodes::one(id)));
    }

    /// Lets the supervisor have a node again.
    pub(super) fn let_go(&mut self, id: NodeId, after: Time) {
        self.director.let_go(self.run.now() + after, id);
    }

    /// The disk is gone; another, freshly formatted, has its place. In a dynamic quorum it is no voter.
    pub(super) fn lose_disk(&mut self, id: NodeId) {
        self.hold_down(id);
        let voters = match self.shape.quorum {
            QuorumKind::Static => None,
            QuorumKind::Dynamic => Some(FormatVoters::NoInitialControllers),
        };
        self.act(DiskAction::Format(Format {
            formatted: Some(Formatted::Again),
            ..self.shape.format(vec![id], voters)
        }));
    }

    pub(super) fn outcome(
        self,
        seed: u64,
        drawn: String,
        recovered_in: Option<Time>,
    ) -> SeedOutcome {
        let (script, faults) = self.director.into_script();
        let world = self.run.world();
        SeedOutcome {
            seed,
            drawn,
            violations: self.run.observer().invariants().violations().to_vec(),
            script: self.preamble.into_iter().chain(script).collect(),
            faults,
            recovered_in,
            hash: self.run.hash(),
            events: world.events(),
            messages: world.messages_sent(),
            simulated: world.now(),
        }
    }
}

const NO_PROBLEM: &str = "a director meets no problem";

fn named(id: Option<&str>) -> Else {
    id.map(|id| Spanned::made(id.to_owned()))
}
