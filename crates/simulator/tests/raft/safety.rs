//! Whatever is cut, crashes and comes back, whoever is made a voter or taken from them, whatever is written out and
//! cleaned away: the invariants hold (the cluster asserts them after every step), and once all is well again, one leader
//! leads all and their logs are the same.

use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, TestCaseError, any, proptest};
use proptest::{prop_assert, prop_assert_eq};

use crate::cluster::Cluster;

const RELEASES: [&str; 5] = ["3.9.2", "4.0.2", "4.1.2", "4.3.1", "4.4.0"];
/// Node 4 of a dynamic quorum is an observer at first. Node 1 stays a voter, so that the bootstrap servers know who leads.
const NODES: [i32; 4] = [1, 2, 3, 4];

/// How a replica may end; it is started again. The first two hear of a leader which is no voter as far as they know, so
/// that nothing says where that leader is reached. Source: `4.4:raft/…/KafkaRaftClient.java`.
const KNOWN_ENDS: [&str; 3] = [
    // It is told of the end of the leader's epoch (`buildEndQuorumEpochRequest`).
    "its endpoints are not known",
    // It remembers the leader from before its start, does not follow it, and is answered by it (`maybeTransition`).
    "expected to be Follower, but is Unattached",
    // Records that linger become one batch, which can be larger than the small segments of these runs.
    "bytes of a segment",
];

/// A command of a script, which may well be refused.
fn command(cluster: &Cluster, kind: u8, node: i32, amount: u64) -> String {
    let leader = cluster.leader();
    match (kind, leader) {
        (0, _) => format!("cut {node}"),
        (1, _) => format!("heal {node}"),
        (2, _) => format!("crash {node}"),
        (3, _) => format!("start {node}"),
        (4, _) => format!("resign {node}"),
        (5 | 6, Some(leader)) => format!("append {leader} {}", amount % 5 + 1),
        (7, _) => format!("snapshot {node}"),
        (8, Some(leader)) => format!("add {node} at {leader}"),
        (9, Some(leader)) if node != 1 => format!("remove {node} at {leader}"),
        _ => format!("run {amount}"),
    }
}

/// Runs the steps, then mends everything and looks whether all is well. Returns what was said.
fn run(begin: &str, steps: Vec<(u8, i32, u64)>) -> Result<Vec<String>, TestCaseError> {
    let mut cluster = Cluster::new();
    let mut said = Vec::new();
    // Small segments, few of which are kept: checkpoints take their place.
    cluster.obey("keep 300 900").expect("settings");
    said.extend(cluster.obey(begin).expect("a cluster begins"));
    let mut down = [false; 5];
    for (kind, node, amount) in steps {
        match kind {
            2 => down[node as usize] = true,
            3 if !std::mem::take(&mut down[node as usize]) => continue,
            _ => {}
        }
        let line = command(&cluster, kind, node, amount);
        said.extend(cluster.obey(&line).unwrap_or_default());
    }
    for node in NODES {
        said.extend(cluster.obey(&format!("heal {node}")).expect("a node heals"));
        if down[node as usize] {
            said.extend(
                cluster
                    .obey(&format!("start {node}"))
                    .expect("a node starts"),
            );
        }
    }
    for _ in 0..4 {
        for node in NODES {
            if !cluster.is_down(node) {
                continue;
            }
            let started = cluster.obey(&format!("start {node}"));
            said.extend(started.expect("a node starts"));
        }
        said.extend(cluster.obey("run 20000").expect("the cluster runs"));
    }
    let is_known = |line: &str| KNOWN_ENDS.iter().any(|known| line.contains(known));
    let ends = |line: &&String| line.contains(" ends: ") && !is_known(line);
    prop_assert_eq!(said.iter().find(ends), None, "{:#?}", said);
    prop_assert!(cluster.leader().is_some(), "{said:#?}");
    let logs = NODES.map(|node| cluster.obey(&format!("log {node}")).expect("a log is told"));
    // Logs may begin at different checkpoints.
    let shortest = logs.iter().map(Vec::len).min().unwrap_or(0);
    for log in &logs {
        prop_assert_eq!(
            &log[log.len() - shortest..],
            &logs[0][logs[0].len() - shortest..]
        );
    }
    Ok(said)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn an_epoch_has_one_leader_and_what_is_committed_stays(
        release in 0..RELEASES.len(),
        is_dynamic in any::<bool>(),
        steps in vec((0..14_u8, 1..=4_i32, 1..4000_u64), 1..80),
    ) {
        let nodes = if is_dynamic {
            "dynamic voters 1 2 3 observers 4"
        } else {
            "static voters 1 2 3 4"
        };
        run(&format!("cluster {} {nodes}", RELEASES[release]), steps)?;
    }
}

/// The random schedules do change voters, write checkpoints, clean logs and fetch checkpoints.
#[test]
fn schedules_come_to_what_they_are_for() {
    let steps: Vec<(u8, i32, u64)> = (0..60)
        .flat_map(|n| [(5, 1, n), (10, 1, 700), (7, 1, 0)])
        .chain([(8, 4, 0), (10, 1, 3000), (9, 3, 0), (10, 1, 70_000)])
        .collect();
    let said = run("cluster 4.4.0 dynamic voters 1 2 3 observers 4", steps).expect("all is well");
    for expected in ["answers the client: NONE", "writes checkpoint"] {
        assert!(
            said.iter().any(|line| line.contains(expected)),
            "nothing {expected}: {said:#?}"
        );
    }
}
