//! What the observer sees of a world that somebody broke: each breakage is reported under its invariant's id.

use bytes::Bytes;
use determinism::Time;
use disk::Disk as _;
use records::NodeId;
use releases::Release;

use super::cluster::Cluster;
use super::shape::ClusterShape;
use crate::SimDisk;
use crate::run::action::QuorumKind;
use crate::run::condition::Fact;

const FOLDER: &str = "/data/__cluster_metadata-0";
const LOG: &str = "00000000000000000000.log";

fn running(seed: u64) -> Cluster {
    let shape = ClusterShape::plain(seed, QuorumKind::Static, 3, &Release::V4_4_0.rules());
    let mut cluster = Cluster::new(&shape);
    cluster.start_all(|| Time::ZERO);
    let works = cluster.wait(Fact::Working, Time::from_secs(12), None);
    assert!(works.is_some());
    cluster.run_for(Time::from_secs(3));
    cluster
}

/// Breaks the disk of a node, and looks at it.
fn tamper(cluster: &mut Cluster, id: NodeId, how: impl Fn(&mut SimDisk)) {
    how(cluster.run.world_mut().disk_mut(id).unwrap());
    cluster.run.look(id);
}

fn violated(cluster: Cluster) -> Vec<&'static str> {
    let outcome = cluster.outcome(1, String::new(), None);
    let mut ids: Vec<&str> = outcome.violations.iter().map(|one| one.id).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn nothing_is_violated_where_nothing_is_broken() {
    assert_eq!(violated(running(1)), Vec::<&str>::new());
}

#[test]
fn a_vote_that_is_not_durable() {
    let mut cluster = running(1);
    tamper(&mut cluster, NodeId(2), |disk| {
        let path = format!("{FOLDER}/quorum-state");
        disk.append(&path, &Bytes::from_static(b" ")).unwrap();
    });
    assert_eq!(violated(cluster), ["DUR-1"]);
}

#[test]
fn a_batch_that_is_not_durable() {
    let mut cluster = running(1);
    let path = format!("{FOLDER}/{LOG}");
    let other = running(2).machine(NodeId(1)).disk().look(&path).unwrap();
    tamper(&mut cluster, NodeId(2), |disk| {
        disk.append(&path, &other).unwrap();
    });
    assert!(violated(cluster).contains(&"DUR-1"));
}

#[test]
fn a_checkpoint_of_what_is_not_committed() {
    let mut cluster = running(1);
    tamper(&mut cluster, NodeId(2), |disk| {
        let path = format!("{FOLDER}/00000000000000009999-0000000001.checkpoint");
        disk.create(&path).unwrap();
    });
    assert_eq!(violated(cluster), ["SNAP-1"]);
}

#[test]
fn a_high_watermark_over_logs_that_are_gone() {
    let mut cluster = running(1);
    let leader = cluster.run.leader().unwrap();
    for id in cluster.ids() {
        if id != leader {
            tamper(&mut cluster, id, |disk| {
                disk.truncate(&format!("{FOLDER}/{LOG}"), 0).unwrap();
            });
        }
    }
    cluster.run_for(Time::from_secs(2));
    let violated = violated(cluster);
    assert!(
        violated.contains(&"LOG-1") && violated.contains(&"LOG-3"),
        "{violated:?}"
    );
}

#[test]
fn a_node_that_knows_something_else() {
    let mut cluster = running(1);
    cluster.run_for(Time::from_secs(5));
    let other = running(2);
    let node = other.run.leader().unwrap();
    let now = cluster.run.now();
    cluster.run.observer_mut().look(now, other.machine(node));
    let violated = violated(cluster);
    for id in ["BOOT-2", "SNAP-3"] {
        assert!(violated.contains(&id), "{violated:?}");
    }
}
