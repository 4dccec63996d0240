//! DUR-1.

use super::logs::Logs;
use super::{Invariant, Observation, Observed};

/// Before a process says anything, what it says is on its disk: the vote and the epoch in quorum-state, and what it
/// appended to its log.
///
/// What a process *finds* in its log is left out: Kafka does not make it durable again (see [`super`]).
#[derive(Clone, Debug, Default)]
pub struct AcknowledgedIsDurable;

impl Invariant for AcknowledgedIsDurable {
    fn id(&self) -> &'static str {
        "DUR-1"
    }

    fn sentence(&self) -> &'static str {
        "What a process acknowledges, a vote or the end of its log, it has made durable before, unless it found it there."
    }

    fn source(&self) -> &'static str {
        "KIP-595; 4.4:raft/src/main/java/org/apache/kafka/raft/FileQuorumStateStore.java, KafkaRaftClient.java (log.flush); TLA+: CommittedIsDurable"
    }

    fn observe(&mut self, _: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        match seen.what {
            Observed::NotDurable(what) => Err(format!(
                "{what} was written, and is not durable when the process goes on"
            )),
            _ => Ok(()),
        }
    }
}
