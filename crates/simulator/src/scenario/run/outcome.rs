//! What became of a scenario.

use std::collections::BTreeMap;

use determinism::Time;
use records::NodeId;

use crate::SimDisk;
use crate::invariants::Violation;
use crate::observer::{ActivationRow, JournalEntry};
use crate::run::Problem;
use crate::run::Span;

/// What became of a scenario.
#[derive(Clone, Debug)]
pub struct ScenarioOutcome {
    /// Its title, or nothing.
    pub title: Option<String>,
    /// What each statement printed, in the order of `Scenario::statements`.
    pub printed: Vec<Vec<String>>,
    /// Statements that printed something else than stands in the text.
    pub mismatches: Vec<Mismatch>,
    /// Expectations that did not hold.
    pub failures: Vec<Problem>,
    /// Commands that had no effect.
    pub warnings: Vec<Problem>,
    /// Invariants that were violated, expected or not.
    pub violations: Vec<Violation>,
    /// Ids of the violations that the scenario expects.
    pub expected_violations: Vec<String>,
    /// Every activation, in order.
    pub activations: Vec<ActivationRow>,
    /// Everything that happened, in order.
    pub journal: Vec<JournalEntry>,
    /// The determinism hash: of the world, and of what was printed.
    pub hash: u64,
    pub events: u64,
    pub simulated: Time,
    /// What every node leaves behind, voters first.
    pub left: Vec<Left>,
}

/// What a node leaves behind at the end: a process that still runs, as if it were killed.
#[derive(Clone, Debug)]
pub struct Left {
    pub node: NodeId,
    /// Its `server.properties`.
    pub properties: BTreeMap<String, String>,
    /// Its directories, ascending.
    pub directories: Vec<String>,
    pub disk: SimDisk,
}

/// Output that is not what the text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub span: Span,
    /// What stands in the text.
    pub expected: Vec<String>,
    /// What was printed.
    pub printed: Vec<String>,
}

/// Whether everything was as the scenario says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Expectations, output and invariants held, or were violated as expected.
    Held,
    /// Something did not.
    Failed,
}

impl ScenarioOutcome {
    /// Violations that the scenario does not expect.
    pub fn unexpected_violations(&self) -> impl Iterator<Item = &Violation> {
        let expected = &self.expected_violations;
        self.violations
            .iter()
            .filter(|one| !expected.iter().any(|id| id == one.id))
    }

    /// Whether everything was as the scenario says; its printed output counts too.
    pub fn verdict(&self) -> Verdict {
        let held = self.failures.is_empty()
            && self.mismatches.is_empty()
            && self.unexpected_violations().next().is_none();
        if held { Verdict::Held } else { Verdict::Failed }
    }
}
