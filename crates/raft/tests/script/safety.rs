//! Whatever is cut, crashes and comes back: an epoch has one leader (the cluster asserts it after every step, as it does
//! the listener's contract), and once all is well again, one leader leads all and their logs are the same.

use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any, proptest};
use proptest::{prop_assert, prop_assert_eq};

use super::cluster::Cluster;

const RELEASES: [&str; 5] = ["3.9.2", "4.0.2", "4.1.2", "4.3.1", "4.4.0"];
const NODES: [i32; 3] = [1, 2, 3];

/// A command of a script, which may well be refused.
fn command(cluster: &Cluster, kind: u8, node: i32, amount: u64) -> String {
    match kind {
        0 => format!("cut {node}"),
        1 => format!("heal {node}"),
        2 => format!("crash {node}"),
        3 => format!("start {node}"),
        4 => format!("resign {node}"),
        5 | 6 => match cluster.leader() {
            Some(leader) => format!("append {leader} {}", amount % 5 + 1),
            None => format!("run {amount}"),
        },
        _ => format!("run {amount}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn an_epoch_has_one_leader(
        release in 0..RELEASES.len(),
        is_dynamic in any::<bool>(),
        steps in vec((0..10_u8, 1..=3_i32, 1..4000_u64), 1..60),
    ) {
        let voters = if is_dynamic { "dynamic" } else { "static" };
        let mut cluster = Cluster::new();
        let mut said = Vec::new();
        let begin = format!("cluster {} {voters} voters 1 2 3", RELEASES[release]);
        said.extend(cluster.obey(&begin).expect("a cluster begins"));
        let mut down = [false; 4];
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
                said.extend(cluster.obey(&format!("start {node}")).expect("a node starts"));
            }
        }
        said.extend(cluster.obey("run 60000").expect("the cluster runs"));
        prop_assert!(said.iter().all(|line| !line.contains(" ends: ")), "{said:#?}");
        prop_assert!(cluster.leader().is_some(), "{said:#?}");
        let logs = NODES.map(|node| cluster.obey(&format!("log {node}")).expect("a log is told"));
        prop_assert_eq!(&logs[0], &logs[1]);
        prop_assert_eq!(&logs[0], &logs[2]);
    }
}
