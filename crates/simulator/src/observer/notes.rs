use std::collections::BTreeMap;

use determinism::Time;
use records::{NodeId, Uuid};

use super::activation::ActivationRow;
use super::journal::{Happening, JournalEntry};
use crate::invariants::{Invariants, Observation, Observed};

/// What the looks have found: the journal, the activations, and what was violated.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    pub(super) invariants: Invariants,
    pub(super) journal: Vec<JournalEntry>,
    pub(super) activations: Vec<ActivationRow>,
    pub(super) leaders: Vec<NodeId>,
    /// The directory ids of the disks, as the last process on each knew it.
    pub(super) directories: BTreeMap<NodeId, Uuid>,
}

impl Notes {
    pub(super) fn note(&mut self, at: Time, node: Option<NodeId>, what: Happening) {
        self.journal.push(JournalEntry { at, node, what });
    }

    /// Tells the invariants what is different on a node, and writes down what it violates.
    pub(super) fn check(&mut self, now: Time, node: NodeId, what: Observed<'_>) {
        let new = self.invariants.observe(now, &Observation { node, what });
        let violations = self.invariants.violations();
        for at in violations.len() - new..violations.len() {
            let violation = &self.invariants.violations()[at];
            let text = format!("of {}: {}", violation.id, violation.what);
            self.note(now, Some(node), Happening::Violation(text));
        }
    }

    /// An invariant that waiting judges does not hold.
    pub(super) fn judge(&mut self, now: Time, id: &str, what: String) {
        let text = format!("of {id}: {what}");
        if self.invariants.judge(now, id, what) {
            self.note(now, None, Happening::Violation(text));
        }
    }
}
