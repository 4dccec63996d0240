//! LOG-3.

use records::NodeId;

use super::logs::Logs;
use super::{Invariant, Observation, Observed};

/// What a leader takes for committed is in the logs of a majority of the voters in force. That they made it durable
/// before they said so is DUR-1.
#[derive(Clone, Debug, Default)]
pub struct MajorityHolds;

impl Invariant for MajorityHolds {
    fn id(&self) -> &'static str {
        "LOG-3"
    }

    fn sentence(&self) -> &'static str {
        "A high watermark implies that a majority of the voter set in force has everything before it."
    }

    fn source(&self) -> &'static str {
        "Raft §5.3; KIP-595; Kafka's raft simulation: MajorityReachedHighWatermark"
    }

    fn observe(&mut self, logs: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        let Observed::Commits { offset, voters } = seen.what else {
            return Ok(());
        };
        let holds = |id: &&NodeId| logs.of(**id).is_some_and(|log| log.end_offset() >= offset);
        let holding = voters.at_home.iter().filter(holds).count();
        if holding > voters.count / 2 {
            return Ok(());
        }
        Err(format!(
            "the high watermark is {offset}, and {holding} of {} voters have everything before it",
            voters.count
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::super::observation::Voters;
    use super::super::testing::{Bench, data, no_op};
    use super::{MajorityHolds, Observed};
    use records::NodeId;

    #[test]
    fn a_minority_is_not_enough() {
        let mut bench = Bench::<MajorityHolds>::new();
        let batch = data(0, 1, &[no_op()]);
        let ids = [NodeId(1), NodeId(2), NodeId(3)];
        let commits = |offset, at_home| Observed::Commits {
            offset,
            voters: Voters { count: 3, at_home },
        };
        assert_eq!(bench.see(1, Observed::Appended(&batch)), Ok(()));
        assert!(bench.see(1, commits(1, &ids)).is_err());
        assert_eq!(bench.see(3, Observed::Appended(&batch)), Ok(()));
        assert_eq!(bench.see(1, commits(1, &ids)), Ok(()));
        assert!(bench.see(1, commits(2, &ids)).is_err(), "one offset more");
        assert!(
            bench.see(1, commits(1, &ids[..2])).is_err(),
            "the third has another disk now"
        );
    }
}
