//! LDR-1.

use std::collections::BTreeMap;

use records::NodeId;

use super::logs::Logs;
use super::{Invariant, Observation, Observed};

/// At most one leader per epoch, and at most one durable vote per epoch and node.
#[derive(Clone, Debug, Default)]
pub struct SingleLeader {
    leaders: BTreeMap<i32, NodeId>,
    votes: BTreeMap<NodeId, (i32, NodeId)>,
}

impl Invariant for SingleLeader {
    fn id(&self) -> &'static str {
        "LDR-1"
    }

    fn sentence(&self) -> &'static str {
        "At most one leader per epoch; at most one durable vote per epoch per replica."
    }

    fn source(&self) -> &'static str {
        "Raft §5.2 (election safety); KIP-595; Kafka's raft simulation: SingleLeader"
    }

    fn observe(&mut self, _: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        let node = seen.node;
        match seen.what {
            Observed::DiskReplaced => {
                self.votes.remove(&node);
            }
            Observed::Leads(epoch) => {
                let first = *self.leaders.entry(epoch).or_insert(node);
                if first != node {
                    return Err(format!("epoch {epoch} has two leaders, {first} and {node}"));
                }
            }
            Observed::Election {
                epoch,
                voted: Some(voted),
            } => {
                let before = self.votes.insert(node, (epoch, voted));
                if let Some((before_epoch, before)) = before
                    && before_epoch == epoch
                    && before != voted
                {
                    return Err(format!(
                        "node {node} voted for {before} and then for {voted} in epoch {epoch}"
                    ));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Bench;
    use super::{NodeId, Observed, SingleLeader};

    #[test]
    fn two_leaders_of_an_epoch() {
        let mut bench = Bench::<SingleLeader>::new();
        assert_eq!(bench.see(1, Observed::Leads(3)), Ok(()));
        assert_eq!(bench.see(2, Observed::Leads(4)), Ok(()));
        assert_eq!(bench.see(1, Observed::Leads(3)), Ok(()));
        assert!(bench.see(2, Observed::Leads(3)).is_err());
    }

    #[test]
    fn two_votes_in_an_epoch() {
        let vote = |epoch, node| Observed::Election {
            epoch,
            voted: Some(NodeId(node)),
        };
        let mut bench = Bench::<SingleLeader>::new();
        assert_eq!(bench.see(1, vote(3, 2)), Ok(()));
        assert_eq!(bench.see(1, vote(3, 2)), Ok(()));
        assert_eq!(bench.see(1, vote(4, 3)), Ok(()));
        assert_eq!(bench.see(1, Observed::DiskReplaced), Ok(()));
        assert_eq!(bench.see(1, vote(4, 2)), Ok(()));
        assert!(bench.see(1, vote(4, 1)).is_err());
    }
}
