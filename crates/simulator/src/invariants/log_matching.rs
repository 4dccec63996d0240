//! LOG-2.

use std::collections::BTreeMap;

use records::NodeId;

use super::logs::Logs;
use super::{Invariant, Observation, Observed};

/// Two logs that hold a batch at the same offset in the same epoch hold the same in front of it.
///
/// For every place (last offset, epoch) that a batch was seen at, the digest of what stood there and before, and on
/// which node it was seen first. A log that begins behind offset 0 is only compared by its batches.
#[derive(Clone, Debug, Default)]
pub struct LogMatching {
    seen: BTreeMap<(i64, i32), (u64, u64, NodeId)>,
}

impl Invariant for LogMatching {
    fn id(&self) -> &'static str {
        "LOG-2"
    }

    fn sentence(&self) -> &'static str {
        "Two logs with the same offset and epoch agree on everything before."
    }

    fn source(&self) -> &'static str {
        "Raft §5.3 (log matching); KIP-595; TLA+: NoLogDivergence"
    }

    fn observe(&mut self, logs: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        let Observed::Appended(batch) = seen.what else {
            return Ok(());
        };
        let Some(log) = logs.of(seen.node) else {
            return Ok(());
        };
        let Some(held) = log.last() else {
            return Ok(());
        };
        let whole = log.batch_at(0).is_some();
        let prefix = if whole { held.prefix } else { 0 };
        let place = (batch.last_offset(), batch.leader_epoch());
        let this = (super::logs::identity(batch), prefix, seen.node);
        let (identity, first_prefix, first) = *self.seen.entry(place).or_insert(this);
        let prefixes_differ = prefix != 0 && first_prefix != 0 && prefix != first_prefix;
        if identity == this.0 && !prefixes_differ {
            return Ok(());
        }
        Err(format!(
            "the logs of nodes {first} and {} both hold offset {} in epoch {}, and differ {}",
            seen.node,
            place.0,
            place.1,
            if identity == this.0 {
                "before it"
            } else {
                "there"
            }
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Bench, data, metadata_version, no_op};
    use super::{LogMatching, Observed};

    #[test]
    fn logs_that_part_and_meet_again() {
        let mut bench = Bench::<LogMatching>::new();
        let (ours, theirs) = (data(0, 1, &[no_op()]), data(0, 1, &[metadata_version(7)]));
        let later = data(1, 2, &[no_op()]);
        assert_eq!(bench.see(1, Observed::Appended(&ours)), Ok(()));
        assert_eq!(bench.see(2, Observed::Appended(&ours)), Ok(()));
        assert_eq!(bench.see(1, Observed::Appended(&later)), Ok(()));
        assert_eq!(bench.see(2, Observed::Appended(&later)), Ok(()));
        assert!(bench.see(3, Observed::Appended(&theirs)).is_err());
        assert!(
            bench.see(3, Observed::Appended(&later)).is_err(),
            "same there, not before"
        );
    }

    #[test]
    fn another_epoch_may_say_something_else() {
        let mut bench = Bench::<LogMatching>::new();
        assert_eq!(
            bench.see(1, Observed::Appended(&data(0, 1, &[no_op()]))),
            Ok(())
        );
        assert_eq!(bench.see(1, Observed::Truncated(0)), Ok(()));
        assert_eq!(
            bench.see(1, Observed::Appended(&data(0, 2, &[metadata_version(7)]))),
            Ok(())
        );
    }
}
