//! [`OffsetAndEpoch`]: a place in the log.

use std::cmp::Ordering;
use std::fmt;

/// An offset and the epoch of the leader that filled it; of a snapshot: exclusive end offset, epoch of its last record.
///
/// Ordered by epoch first, then offset, as Kafka orders ends of logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct OffsetAndEpoch {
    pub offset: i64,
    /// The leader epoch.
    pub epoch: i32,
}

impl OffsetAndEpoch {
    /// The place `offset` in `epoch`.
    pub const fn new(offset: i64, epoch: i32) -> Self {
        Self { offset, epoch }
    }
}

impl Ord for OffsetAndEpoch {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.epoch, self.offset).cmp(&(other.epoch, other.offset))
    }
}

impl PartialOrd for OffsetAndEpoch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for OffsetAndEpoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(offset={}, epoch={})", self.offset, self.epoch)
    }
}
