//! A partition on its way from some brokers to others (`4.4:…/controller/PartitionReassignmentReplicas.java`,
//! `PartitionReassignmentRevert.java`).

use std::collections::BTreeSet;

use records::metadata::PartitionRecord;
use releases::replication::ReassignmentEnd;

/// The replicas of a partition, and which of them come and go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reassignment<'a> {
    pub(crate) replicas: &'a [i32],
    pub(crate) removing: &'a [i32],
    pub(crate) adding: &'a [i32],
}

/// Whether a partition is being reassigned.
pub(crate) fn is_in_progress(partition: &PartitionRecord) -> bool {
    !partition.removing_replicas.is_empty() || !partition.adding_replicas.is_empty()
}

fn without(replicas: &[i32], removed: &[i32]) -> Vec<i32> {
    let kept = replicas.iter().filter(|replica| !removed.contains(replica));
    kept.copied().collect()
}

fn all_in(wanted: &[i32], among: &[i32]) -> bool {
    wanted.iter().all(|replica| among.contains(replica))
}

impl Reassignment<'_> {
    /// Replicas and in-sync replicas after it, if it is complete.
    pub(crate) fn completed(
        &self,
        isr: &[i32],
        end: ReassignmentEnd,
    ) -> Option<(Vec<i32>, Vec<i32>)> {
        if self.removing.is_empty() && self.adding.is_empty() {
            return None;
        }
        let isr = without(isr, self.removing);
        let replicas = without(self.replicas, self.removing);
        if !self.removing.is_empty() && (isr.is_empty() || replicas.is_empty()) {
            return None;
        }
        let is_complete = match end {
            ReassignmentEnd::AllInSync => all_in(&replicas, &isr),
            ReassignmentEnd::AddedInSync => {
                let shrinks = self.adding.len() < self.removing.len();
                all_in(self.adding, &isr) && (!shrinks || all_in(&replicas, &isr))
            }
        };
        is_complete.then_some((replicas, isr))
    }
}

/// What a partition has to go through to get from its replicas to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) replicas: Vec<i32>,
    pub(crate) removing: Vec<i32>,
    pub(crate) adding: Vec<i32>,
}

impl Way {
    pub(crate) fn between(current: &[i32], target: &[i32]) -> Self {
        let difference = |one: &[i32], other: &[i32]| -> Vec<i32> {
            let difference: BTreeSet<i32> = without(one, other).into_iter().collect();
            difference.into_iter().collect()
        };
        let removing = difference(current, target);
        Way {
            replicas: [target, &removing].concat(),
            adding: difference(target, current),
            removing,
        }
    }
}

/// The way back from a reassignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RevertedReassignment {
    pub(crate) replicas: Vec<i32>,
    pub(crate) isr: Vec<i32>,
    /// Whether nobody in sync is left, so that one is taken who is not.
    pub(crate) is_unclean: bool,
}

impl RevertedReassignment {
    /// `None` if no replica would be left.
    pub(crate) fn of(partition: &PartitionRecord) -> Option<Self> {
        let replicas = without(&partition.replicas, &partition.adding_replicas);
        let isr = without(&partition.isr, &partition.adding_replicas);
        if !isr.is_empty() {
            return Some(RevertedReassignment {
                replicas,
                isr,
                is_unclean: false,
            });
        }
        let isr = vec![*replicas.first()?];
        Some(RevertedReassignment {
            replicas,
            isr,
            is_unclean: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_when_the_added_are_in_sync() {
        let reassignment = Reassignment {
            replicas: &[2, 3, 4, 5, 0, 1],
            removing: &[0, 1],
            adding: &[5],
        };
        let end = |isr: &[i32], end| reassignment.completed(isr, end);
        assert_eq!(end(&[0, 1, 5], ReassignmentEnd::AddedInSync), None);
        let done = Some((vec![2, 3, 4, 5], vec![2, 3, 4, 5]));
        let isr = [0, 1, 2, 3, 4, 5];
        assert_eq!(end(&isr, ReassignmentEnd::AddedInSync), done);
        assert_eq!(end(&isr, ReassignmentEnd::AllInSync), done);
        let as_many = Reassignment {
            replicas: &[2, 3, 1],
            removing: &[1],
            adding: &[3],
        };
        let isr = [1, 3];
        assert_eq!(
            as_many.completed(&isr, ReassignmentEnd::AddedInSync),
            Some((vec![2, 3], vec![3]))
        );
        assert_eq!(as_many.completed(&isr, ReassignmentEnd::AllInSync), None);
    }

    #[test]
    fn there_and_back() {
        let way = Way::between(&[1, 2, 3], &[4, 3]);
        assert_eq!(
            (way.replicas, way.removing, way.adding),
            (vec![4, 3, 1, 2], vec![1, 2], vec![4])
        );
        let partition = PartitionRecord {
            replicas: vec![4, 3, 1, 2],
            isr: vec![4],
            adding_replicas: vec![4],
            ..Default::default()
        };
        let revert = RevertedReassignment::of(&partition).unwrap();
        assert_eq!(
            (revert.replicas, revert.isr, revert.is_unclean),
            (vec![3, 1, 2], vec![3], true)
        );
    }
}
