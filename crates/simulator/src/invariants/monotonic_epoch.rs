//! LDR-2.

use std::collections::BTreeMap;

use records::NodeId;

use super::logs::Logs;
use super::{Invariant, Observation, Observed};

/// A replica's epoch never goes down, in memory or on disk.
#[derive(Clone, Debug, Default)]
pub struct MonotonicEpoch {
    in_memory: BTreeMap<NodeId, i32>,
    on_disk: BTreeMap<NodeId, i32>,
}

impl Invariant for MonotonicEpoch {
    fn id(&self) -> &'static str {
        "LDR-2"
    }

    fn sentence(&self) -> &'static str {
        "A replica's epoch never goes down, in memory or on disk."
    }

    fn source(&self) -> &'static str {
        "Raft §5.1; KIP-595; Kafka's raft simulation: MonotonicEpoch"
    }

    fn observe(&mut self, _: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        let node = seen.node;
        let (place, epochs, epoch) = match seen.what {
            Observed::DiskReplaced => {
                self.in_memory.remove(&node);
                self.on_disk.remove(&node);
                return Ok(());
            }
            Observed::Epoch(epoch) => ("memory", &mut self.in_memory, epoch),
            Observed::Election { epoch, .. } => ("quorum-state", &mut self.on_disk, epoch),
            _ => return Ok(()),
        };
        match epochs.insert(node, epoch) {
            Some(before) if before > epoch => Err(format!(
                "the epoch in {place} went from {before} down to {epoch}"
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Bench;
    use super::{MonotonicEpoch, Observed};

    #[test]
    fn an_epoch_that_goes_down_anywhere() {
        let mut bench = Bench::<MonotonicEpoch>::new();
        let on_disk = |epoch| Observed::Election { epoch, voted: None };
        assert_eq!(bench.see(1, Observed::Epoch(3)), Ok(()));
        assert_eq!(bench.see(2, Observed::Epoch(1)), Ok(()));
        assert_eq!(bench.see(1, on_disk(2)), Ok(()));
        assert!(bench.see(1, on_disk(1)).is_err());
        assert_eq!(bench.see(1, Observed::Started), Ok(()));
        assert!(
            bench.see(1, Observed::Epoch(2)).is_err(),
            "not even across processes"
        );
        assert_eq!(bench.see(1, Observed::DiskReplaced), Ok(()));
        assert_eq!(bench.see(1, Observed::Epoch(0)), Ok(()));
    }
}
