//! All invariants of a run, told of everything.

use std::collections::BTreeSet;

use determinism::Time;
use records::NodeId;

use super::invariant::Invariant;
use super::judged::JUDGED;
use super::logs::Logs;
use super::observation::{Observation, Observed};
use super::violation::Violation;
use super::{
    acknowledged_is_durable, bootstrap_as_formatted, callback_contract, checkpoints,
    committed_is_kept, image_ladder, log_matching, majority_holds, metadata_version_first,
    monotonic_epoch, one_voter_change, single_leader, versions_allowed,
};

/// All invariants of one run, and what they found.
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    logs: Logs,
    checkers: Checkers,
    violations: Vec<Violation>,
    /// Nodes that run, or ran, on their disks; and those whose disks were replaced since.
    nodes: BTreeSet<NodeId>,
    replaced: BTreeSet<NodeId>,
}

#[derive(Clone, Debug, Default)]
struct Checkers {
    single_leader: single_leader::SingleLeader,
    monotonic_epoch: monotonic_epoch::MonotonicEpoch,
    log_matching: log_matching::LogMatching,
    committed_is_kept: committed_is_kept::CommittedIsKept,
    metadata_version_first: metadata_version_first::MetadataVersionFirst,
    bootstrap_as_formatted: bootstrap_as_formatted::BootstrapAsFormatted,
    load: callback_contract::CallbackContract<1>,
    while_active: callback_contract::CallbackContract<2>,
    activates: callback_contract::CallbackContract<3>,
    majority_holds: majority_holds::MajorityHolds,
    acknowledged_is_durable: acknowledged_is_durable::AcknowledgedIsDurable,
    checkpoint_of_committed: checkpoints::CheckpointOfCommitted,
    checkpoint_at_log_start: checkpoints::CheckpointAtLogStart,
    one_voter_change: one_voter_change::OneVoterChange,
    versions_allowed: versions_allowed::VersionsAllowed,
    transactions_hidden: image_ladder::ImageLadder<1>,
    stable_memory: image_ladder::ImageLadder<2>,
    images_agree: image_ladder::ImageLadder<3>,
}

impl Checkers {
    fn all(&mut self) -> [&mut dyn Invariant; 18] {
        [
            &mut self.metadata_version_first,
            &mut self.stable_memory,
            &mut self.bootstrap_as_formatted,
            &mut self.load,
            &mut self.while_active,
            &mut self.activates,
            &mut self.acknowledged_is_durable,
            &mut self.versions_allowed,
            &mut self.single_leader,
            &mut self.monotonic_epoch,
            &mut self.committed_is_kept,
            &mut self.log_matching,
            &mut self.majority_holds,
            &mut self.one_voter_change,
            &mut self.checkpoint_of_committed,
            &mut self.checkpoint_at_log_start,
            &mut self.images_agree,
            &mut self.transactions_hidden,
        ]
    }
}

impl Invariants {
    /// Nothing seen yet.
    pub fn new() -> Self {
        Invariants::default()
    }

    /// Takes in what happened at `now`; how many violations are new. Each invariant is reported once.
    pub fn observe(&mut self, now: Time, seen: &Observation<'_>) -> usize {
        let before = self.violations.len();
        self.follow_disks(seen);
        let committed = self.logs.observe(seen);
        self.tell(now, seen);
        for batch in committed {
            let seen = Observation {
                node: seen.node,
                what: Observed::Committed(&batch),
            };
            self.tell(now, &seen);
        }
        self.violations.len() - before
    }

    /// Where every disk was given other content from outside, nothing is left that could keep a promise: another
    /// cluster begins, and so does the account of it.
    fn follow_disks(&mut self, seen: &Observation<'_>) {
        match seen.what {
            Observed::Started => {
                self.nodes.insert(seen.node);
                self.replaced.remove(&seen.node);
            }
            Observed::DiskReplaced => {
                self.replaced.insert(seen.node);
                if !self.nodes.is_empty() && self.nodes.is_subset(&self.replaced) {
                    self.logs = Logs::default();
                    self.checkers = Checkers::default();
                }
            }
            _ => {}
        }
    }

    fn tell(&mut self, now: Time, seen: &Observation<'_>) {
        for invariant in self.checkers.all() {
            let Err(what) = invariant.observe(&self.logs, seen) else {
                continue;
            };
            let id = invariant.id();
            if self.violations.iter().all(|known| known.id != id) {
                let sentence = invariant.sentence();
                self.violations.push(Violation {
                    id,
                    at: now,
                    node: Some(seen.node),
                    what,
                    sentence,
                });
            }
        }
    }

    /// Takes in that an invariant which waiting judges does not hold; whether that is new.
    pub fn judge(&mut self, now: Time, id: &str, what: String) -> bool {
        let judged = JUDGED.iter().find(|judged| judged.id == id);
        let judged = judged.expect("only invariants that waiting judges are named so");
        let is_new = self.violations.iter().all(|known| known.id != judged.id);
        if is_new {
            self.violations.push(Violation {
                id: judged.id,
                at: now,
                node: None,
                what,
                sentence: judged.sentence,
            });
        }
        is_new
    }

    /// What was violated so far, in order, each invariant at most once.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The logs as they were seen.
    pub fn logs(&self) -> &Logs {
        &self.logs
    }

    /// Ids, sentences and sources of all invariants, by id.
    pub fn catalogue() -> Vec<(&'static str, &'static str, &'static str)> {
        let mut checkers = Checkers::default();
        let watching = checkers.all();
        let watching = watching.map(|one| (one.id(), one.sentence(), one.source()));
        let judged = JUDGED.map(|one| (one.id, one.sentence, one.source));
        let mut all: Vec<_> = watching.into_iter().chain(judged).collect();
        all.sort_unstable();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{data, no_op};
    use super::{Invariants, NodeId, Observation, Observed, Time};

    fn see(invariants: &mut Invariants, node: i32, what: Observed<'_>) -> usize {
        invariants.observe(
            Time::ZERO,
            &Observation {
                node: NodeId(node),
                what,
            },
        )
    }

    fn leader_of_a_committed_log(invariants: &mut Invariants) {
        for node in [1, 2] {
            see(invariants, node, Observed::Started);
            see(
                invariants,
                node,
                Observed::Appended(&data(0, 1, &[no_op()])),
            );
        }
        see(invariants, 1, Observed::HighWatermark(1));
    }

    #[test]
    fn a_violation_is_reported_once() {
        let mut invariants = Invariants::new();
        assert_eq!(see(&mut invariants, 1, Observed::Leads(1)), 0);
        assert_eq!(see(&mut invariants, 2, Observed::Leads(1)), 1);
        assert_eq!(see(&mut invariants, 3, Observed::Leads(1)), 0);
        assert_eq!(invariants.violations().len(), 1);
    }

    #[test]
    fn one_replaced_disk_voids_nothing_and_all_of_them_everything() {
        let mut invariants = Invariants::new();
        leader_of_a_committed_log(&mut invariants);
        let before = invariants.violations().len();
        see(&mut invariants, 2, Observed::DiskReplaced);
        see(&mut invariants, 2, Observed::Started);
        see(&mut invariants, 2, Observed::Leads(2));
        assert_eq!(
            invariants.violations().len(),
            before + 1,
            "a leader without what is committed"
        );

        let mut invariants = Invariants::new();
        leader_of_a_committed_log(&mut invariants);
        let before = invariants.violations().len();
        see(&mut invariants, 1, Observed::DiskReplaced);
        see(&mut invariants, 2, Observed::DiskReplaced);
        see(&mut invariants, 2, Observed::Started);
        see(&mut invariants, 2, Observed::Leads(1));
        assert_eq!(invariants.violations().len(), before);
    }

    #[test]
    fn every_invariant_explains_itself() {
        let catalogue = Invariants::catalogue();
        assert!(catalogue.iter().all(|(id, sentence, source)| {
            id.contains('-') && sentence.ends_with('.') && !source.is_empty()
        }));
        let ids: std::collections::BTreeSet<_> = catalogue.iter().map(|(id, ..)| id).collect();
        assert_eq!(ids.len(), catalogue.len());
    }
}
