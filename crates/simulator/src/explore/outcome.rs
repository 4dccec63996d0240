use determinism::Time;

use crate::invariants::Violation;
use crate::scenario::document::{Scenario, ScenarioLine, Statement};
use crate::scenario::{Command, Spanned};

/// What the run of one seed violated, drew and counted, with its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedOutcome {
    pub seed: u64,
    /// What was drawn, in words: the quorum, the releases, the situation, the kinds of faults.
    pub drawn: String,
    /// The invariants that did not hold, in order, each at most once.
    pub violations: Vec<Violation>,
    /// The run as commands: what the world is made of, then all that was done, with its time.
    pub script: Vec<Command>,
    /// How many faults there were.
    pub faults: u64,
    /// How long it took from the last fault to an active controller; `None` where there was none.
    pub recovered_in: Option<Time>,
    /// The determinism hash.
    pub hash: u64,
    pub events: u64,
    pub messages: u64,
    pub simulated: Time,
}

impl SeedOutcome {
    /// The run as a scenario, with what was drawn as a comment: it has the same events and the same hash. What its
    /// commands print is not in it yet.
    pub fn scenario(&self) -> Scenario {
        let statement = |command: &Command| {
            ScenarioLine::Statement(Statement {
                command: Spanned::made(command.clone()),
                comment: None,
                expected: Spanned::made(Vec::new()),
            })
        };
        let drawn = ScenarioLine::Comment(format!(" {}", self.drawn));
        let lines = self.script.iter().map(statement);
        Scenario {
            lines: std::iter::once(drawn).chain(lines).collect(),
        }
    }
}
