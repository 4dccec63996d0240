use std::collections::BTreeMap;

use determinism::Time;
use simulator::explore::SeedOutcome;

use crate::limits::MOST_FAILURES_KEPT;
use crate::runs_hash::RunsHash;

/// The outcomes of the seeds, counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    /// How many seeds ran.
    pub(super) ran: u64,
    /// Whether Ctrl-C came before the last of them.
    pub(super) interrupted: bool,
    /// How many seeds did not hold.
    pub(super) failed: u64,
    /// The first of them, at most [`MOST_FAILURES_KEPT`].
    pub(super) failures: Vec<SeedOutcome>,
    /// The last seed.
    pub(super) last: Option<SeedOutcome>,
    /// How many seeds each invariant failed in.
    pub(super) by_invariant: BTreeMap<&'static str, u64>,
    pub(super) events: u64,
    pub(super) messages: u64,
    pub(super) faults: u64,
    pub(super) simulated_us: u64,
    /// The longest recovery, and whose.
    pub(super) slowest: Option<(Time, u64)>,
    hash: RunsHash,
}

impl Summary {
    /// Takes in the next seed.
    pub(super) fn take(&mut self, outcome: SeedOutcome) {
        self.ran += 1;
        self.events += outcome.events;
        self.messages += outcome.messages;
        self.faults += outcome.faults;
        self.simulated_us += outcome.simulated.as_micros();
        self.hash.take(outcome.hash);
        if let Some(took) = outcome.recovered_in
            && self.slowest.is_none_or(|(longest, _)| took > longest)
        {
            self.slowest = Some((took, outcome.seed));
        }
        for violation in &outcome.violations {
            *self.by_invariant.entry(violation.id).or_default() += 1;
        }
        if !outcome.violations.is_empty() {
            self.failed += 1;
            if self.failures.len() < MOST_FAILURES_KEPT {
                self.failures.push(outcome.clone());
            }
        }
        self.last = Some(outcome);
    }

    /// One number for all runs, in seed order.
    pub(super) fn hash(&self) -> u64 {
        self.hash.value()
    }
}
