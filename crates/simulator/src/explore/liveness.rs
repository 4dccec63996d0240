//! LIVE-1: after the faults an active controller comes, and what it wrote is committed.

use determinism::Time;

use super::cluster::Cluster;
use crate::run::condition::{Count, Fact};

/// The invariant that is violated where what must come does not.
pub(super) const LIVES: &str = "LIVE-1";

/// How long it may take. Elections of five nodes that time out together back off up to a second each time, and a
/// process that ended is started after one: most recoveries take less than ten.
pub const LIVENESS_BOUND: Time = Time::from_secs(60);

/// Ends all faults and waits; how long it took. What does not come is a violation.
pub(super) fn phase(cluster: &mut Cluster) -> Option<Time> {
    cluster.director.end_faults(&cluster.run);
    let began = cluster.run.now();
    cluster.wait(Fact::Working, LIVENESS_BOUND, Some(LIVES))?;
    let more = beyond(cluster.run.high_watermark());
    cluster.wait(Fact::Committed(more, None), LIVENESS_BOUND, Some(LIVES))?;
    Some(cluster.run.now().since(began))
}

/// More than this offset.
pub(super) fn beyond(offset: i64) -> Count {
    Count::AtLeast(offset + 1)
}
