//!

use std::collections::BTreeMap;

use raft_log::batch::Batch;
use records::NodeId;
use records::control::ControlRecord;

use super::logs::Logs;
use super::{Invariant, Observation, Observed};

/// A leader writes a voter set only after the one before it is committed: any two majorities in force then overlap.
#[derive(Clone, Debug, Default)]
pub struct OneVoterChange {
    /// The epoch that a node leads.
    leads: BTreeMap<NodeId, i32>,
    /// The last offsets at which the logs of the nodes hold a voter set, in order.
    sets: BTreeMap<NodeId, Vec<i64>>,
}

impl Invariant for OneVoterChange {
    fn id(&self) -> &'static str {
        "Q-1"
    }

    fn sentence(&self) -> &'static str {
        "At most one voter set is uncommitted: a leader writes another only after the last one is committed."
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
            Observed::Truncated(end) => sets.retain(|offset| *offset < end),
            Observed::Appended(batch) if batch.is_control() && holds_voters(batch) => {
                let before = sets.last().copied();
                sets.push(batch.last_offset());
                let own = self.leads.get(&seen.node) == Some(&batch.leader_epoch());
                if let Some(before) = before.filter(|before| own && *before >= logs.committed_end())
                {
                    return Err(format!(
                        "a voter set was written at offset {}, and the one at offset {before} is not committed",
                        batch.last_offset()
                    ));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn holds_voters(batch: &Batch) -> bool {
    let records = batch.control_records().unwrap_or_default();
    let mut records = records.iter();
    records.any(|record| matches!(record, ControlRecord::KRaftVoters(_)))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Bench, voters};
    use super::{Observed, OneVoterChange};

    #[test]
    fn two_uncommitted_voter_sets() {
        let mut bench = Bench::<OneVoterChange>::new();
        assert_eq!(bench.see(1, Observed::Leads(3)), Ok(()));
        assert_eq!(bench.see(1, Observed::Appended(&voters(0, 3))), Ok(()));
        assert_eq!(bench.see(2, Observed::Appended(&voters(0, 3))), Ok(()));
        assert_eq!(
            bench.see(2, Observed::Appended(&voters(1, 3))),
            Ok(()),
            "a follower copies"
        );
        let mut other = Bench::<OneVoterChange>::new();
        assert_eq!(other.see(1, Observed::Leads(3)), Ok(()));
        assert_eq!(other.see(1, Observed::Appended(&voters(0, 3))), Ok(()));
        assert_eq!(other.see(1, Observed::HighWatermark(1)), Ok(()));
        assert_eq!(other.see(1, Observed::Appended(&voters(1, 3))), Ok(()));
        assert!(bench.see(1, Observed::Appended(&voters(1, 3))).is_err());
    }
}
