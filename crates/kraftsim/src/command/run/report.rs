//! A scenario and what became of it.

use simulator::scenario::Scenario;
use simulator::scenario::run::{ScenarioOutcome, Verdict};

use super::scenarios::ScenarioText;
use crate::runs_hash::RunsHash;

/// A scenario that was run.
pub(crate) struct RunReport {
    pub(crate) source: ScenarioText,
    pub(crate) scenario: Scenario,
    pub(crate) outcome: ScenarioOutcome,
}

impl RunReport {
    /// The text with the output that its commands printed.
    pub(crate) fn blessed(&self) -> String {
        self.scenario
            .bless(&self.source.text, &self.outcome.printed)
    }

    pub(crate) fn held(&self) -> bool {
        self.outcome.verdict() == Verdict::Held
    }
}

/// The hash of one scenario, or of several.
pub(crate) fn hash(reports: &[RunReport]) -> u64 {
    let mut hash = RunsHash::default();
    for report in reports {
        hash.take(report.outcome.hash);
    }
    hash.value()
}
