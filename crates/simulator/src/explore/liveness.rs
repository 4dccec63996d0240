//! LIVE-1: after the faults an active controller comes, and what it wrote is committed.

use determinism::Time;

use super::cluster::Cluster;
use crate::world::Machine;

/// What LIVE-1 says.
pub const SENTENCE: &str = "Within 60 simulated seconds after the last fault a controller is active, the committed log \
                            holds a metadata.version, and the high watermark moves.";

/// How long it may take. Elections of five nodes that time out together back off up to a second each time, and a
/// process that ended is started after one: most recoveries take less than ten.
pub const LIVENESS_BOUND: Time = Time::from_secs(60);

/// Ends all faults and waits; how long it took. What does not come is a violation.
pub(super) fn phase(cluster: &mut Cluster) -> Option<Time> {
    cluster.end_faults();
    let began = cluster.world.now();
    if !cluster.run_until(LIVENESS_BOUND, works) {
        let what = lacking(cluster);
        cluster.find("LIVE-1", SENTENCE, what);
        return None;
    }
    let reached = cluster.high_watermark();
    let rest = LIVENESS_BOUND;
    if !cluster.run_until(rest, |cluster| cluster.high_watermark() > reached) {
        let what = format!("the high watermark stays at {reached}");
        cluster.find("LIVE-1", SENTENCE, what);
        return None;
    }
    Some(cluster.world.now().since(began))
}

/// Whether a controller is active and has committed a metadata.version.
pub(super) fn works(cluster: &Cluster) -> bool {
    cluster.world.machines().any(is_active_with_version)
}

fn is_active_with_version(machine: &Machine) -> bool {
    let Some(node) = machine.node().filter(|node| node.is_active()) else {
        return false;
    };
    let offsets = node.controller().offsets();
    let committed = offsets.timeline().state_at(offsets.last_stable_offset());
    committed.is_some_and(|state| state.image().features().metadata_version().is_some())
}

/// What there is instead, in words.
fn lacking(cluster: &Cluster) -> String {
    let active = cluster
        .world
        .machines()
        .find(|machine| machine.node().is_some_and(node::Node::is_active));
    if let Some(machine) = active {
        return format!(
            "node {} is active, and no metadata.version is committed",
            machine.id()
        );
    }
    let down: Vec<String> = cluster
        .world
        .machines()
        .filter_map(|machine| {
            let why = machine.down()?;
            Some(format!("node {}: {why}", machine.id()))
        })
        .collect();
    if down.is_empty() {
        "all processes live, and no controller is active".to_owned()
    } else {
        format!("no controller is active; {}", down.join("; "))
    }
}
