//!

use std::collections::BTreeMap;

use raft_log::batch::Batch;
use records::control::ControlRecord;
use records::{NodeId, Uuid};

use super::logs::Logs;
use super::{Invariant, Observation, Observed};

/// A leader changes the members of a voter set only after the set before it is committed: any two majorities in force
/// then overlap. A new leader may write the same members again at once, with other addresses of its own.
#[derive(Clone, Debug, Default)]
pub struct OneVoterChange {
    /// The epoch that a node leads.
    leads: BTreeMap<NodeId, i32>,
    /// The voter sets that the logs of the nodes hold, in order: the last offset of the batch, and the members.
    sets: BTreeMap<NodeId, Vec<(i64, Members)>>,
}

/// Voters by id and directory, in order of both.
type Members = Vec<(i32, Uuid)>;

impl Invariant for OneVoterChange {
    fn id(&self) -> &'static str {
        "Q-1"
    }

    fn sentence(&self) -> &'static str {
        "Voters change one by one, and a leader changes them only after the last voter set is committed."
    }

    fn source(&self) -> &'static str {
        "KIP-853; Raft dissertation §4.1; 4.4:raft/src/main/java/org/apache/kafka/raft/internals/AddVoterHandler.java"
    }

    fn observe(&mut self, logs: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        let sets = self.sets.entry(seen.node).or_default();
        match seen.what {
            Observed::Started | Observed::DiskReplaced => {
                sets.clear();
                self.leads.remove(&seen.node);
            }
            Observed::Leads(epoch) => {
                self.leads.insert(seen.node, epoch);
            }
            Observed::Truncated(end) => sets.retain(|(offset, _)| *offset < end),
            Observed::Appended(batch) if batch.is_control() => {
                if let Some(members) = members(batch) {
                    let own = self.leads.get(&seen.node) == Some(&batch.leader_epoch());
                    let judged = match sets.last().filter(|_| own) {
                        Some((at, before)) => {
                            judge(logs, (*at, before), (batch.last_offset(), &members))
                        }
                        None => Ok(()),
                    };
                    sets.push((batch.last_offset(), members));
                    return judged;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Whether one voter set may follow another.
fn judge(logs: &Logs, before: (i64, &Members), after: (i64, &Members)) -> Result<(), String> {
    let gone = before.1.iter().filter(|one| !after.1.contains(one)).count();
    let new = after.1.iter().filter(|one| !before.1.contains(one)).count();
    let (at, was_at) = (after.0, before.0);
    if gone + new > 1 {
        return Err(format!(
            "the voter set at offset {at} has {new} new members and lacks {gone} of the one at offset {was_at}"
        ));
    }
    if gone + new > 0 && was_at >= logs.committed_end() {
        return Err(format!(
            "other voters were written at offset {at}, and those at offset {was_at} are not committed"
        ));
    }
    Ok(())
}

/// The members of the voter set that a batch holds.
fn members(batch: &Batch) -> Option<Members> {
    let records = batch.control_records().unwrap_or_default();
    let mut sets = records.iter().filter_map(|record| match record {
        ControlRecord::KRaftVoters(set) => Some(&set.voters),
        _ => None,
    });
    let voters = sets.next()?.iter();
    let mut members: Members = voters
        .map(|voter| (voter.voter_id, voter.voter_directory_id))
        .collect();
    members.sort_unstable();
    Some(members)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Bench, voters};
    use super::{Observed, OneVoterChange};

    #[test]
    fn two_uncommitted_voter_sets() {
        let mut bench = Bench::<OneVoterChange>::new();
        assert_eq!(bench.see(1, Observed::Leads(3)), Ok(()));
        assert_eq!(
            bench.see(1, Observed::Appended(&voters(0, 3, &[1, 2]))),
            Ok(())
        );
        assert_eq!(
            bench.see(2, Observed::Appended(&voters(0, 3, &[1, 2]))),
            Ok(())
        );
        assert_eq!(
            bench.see(2, Observed::Appended(&voters(1, 3, &[1, 2, 3]))),
            Ok(()),
            "a follower copies"
        );
        let mut other = Bench::<OneVoterChange>::new();
        assert_eq!(other.see(1, Observed::Leads(3)), Ok(()));
        assert_eq!(
            other.see(1, Observed::Appended(&voters(0, 3, &[1, 2]))),
            Ok(())
        );
        assert_eq!(other.see(1, Observed::HighWatermark(1)), Ok(()));
        assert_eq!(
            other.see(1, Observed::Appended(&voters(1, 3, &[1, 2, 3]))),
            Ok(())
        );
        assert!(
            bench
                .see(1, Observed::Appended(&voters(1, 3, &[1, 2, 3])))
                .is_err()
        );
        assert!(
            other
                .see(1, Observed::Appended(&voters(2, 3, &[4])))
                .is_err(),
            "three changes at once"
        );
        let mut same = Bench::<OneVoterChange>::new();
        assert_eq!(same.see(1, Observed::Leads(3)), Ok(()));
        assert_eq!(same.see(1, Observed::Appended(&voters(0, 3, &[1]))), Ok(()));
        assert_eq!(
            same.see(1, Observed::Appended(&voters(1, 3, &[1]))),
            Ok(()),
            "no change"
        );
    }
}
