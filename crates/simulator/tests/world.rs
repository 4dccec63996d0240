//! A world is a function of its seed and of what is done to it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use config::ServerConfig;
use determinism::{Rng, Time};
use disk::Operation;
use node::NodeConfig;
use records::NodeId;
use releases::Release;
use simulator::run::{Run, Setting};
use simulator::{DiskFault, Down, FaultEffect, NamePattern, World};
use storage_tool::{FormatRequest, SeededDraws, plan};

const THREE: [i32; 3] = [1, 2, 3];

fn config(id: i32) -> NodeConfig {
    config_with(id, &[("metadata.max.idle.interval.ms", "0")])
}

fn config_with(id: i32, more: &[(&'static str, &str)]) -> NodeConfig {
    let voters = THREE
        .map(|id| format!("{id}@controller-{id}:9093"))
        .join(",");
    let entries = [
        ("process.roles", "controller".to_owned()),
        ("node.id", id.to_string()),
        ("controller.quorum.voters", voters),
        ("controller.listener.names", "CONTROLLER".to_owned()),
        ("listeners", format!("CONTROLLER://controller-{id}:9093")),
        ("log.dirs", format!("/node-{id}/data")),
    ];
    let more = more.iter().map(|(key, value)| (*key, (*value).to_owned()));
    NodeConfig::new(
        ServerConfig::parse(&Release::V4_4_0.rules(), entries.into_iter().chain(more)).unwrap(),
    )
}

/// Three formatted controllers, not started.
fn formatted(seed: u64, release: Release) -> Run {
    let mut world = World::new(seed);
    for id in THREE {
        let config = config(id);
        world.add(config.clone(), release.rules());
        let mut draws = SeededDraws::new(Rng::from_seed(id as u64), 1_700_000_000_000);
        let disk = world.disk_mut(NodeId(id)).unwrap();
        let request = FormatRequest::new("cluster");
        let plan = plan(
            &release.rules(),
            config.server(),
            &request,
            disk,
            &mut draws,
        )
        .unwrap();
        plan.write(disk, &mut draws).unwrap();
        disk.settle();
    }
    Run::over(world, Setting::default())
}

fn start_all(run: &mut Run) {
    for id in THREE {
        run.world_mut().start(NodeId(id));
    }
}

fn active(run: &Run) -> Option<NodeId> {
    let active = run
        .world()
        .machines()
        .filter_map(|machine| machine.node())
        .find(|node| node.is_active());
    active.map(node::Node::id)
}

/// First start, then the active controller crashes and comes back.
fn chapter(run: &mut Run) {
    start_all(run);
    assert!(run.run_until(Time::from_secs(10), |run| active(run).is_some()));
    run.run_for(Time::from_secs(2));
    let first = active(run).unwrap();
    run.world_mut().crash(first);
    assert!(run.run_until(Time::from_secs(10), |run| active(run).is_some()));
    run.world_mut().start(first);
    run.run_for(Time::from_secs(3));
}

#[test]
fn the_same_seed_has_the_same_hash() {
    for seed in 1..6 {
        let hashes: Vec<(u64, u64)> = (0..2)
            .map(|_| {
                let mut run = formatted(seed, Release::V4_4_0);
                chapter(&mut run);
                (run.world().hash(), run.world().events())
            })
            .collect();
        assert_eq!(hashes[0], hashes[1], "seed {seed}");
    }
}

/// The file is made by a debug build and compared in both.
#[test]
fn hashes_are_those_on_file() {
    let mut found = String::new();
    for release in [Release::V3_9_2, Release::V4_1_2, Release::V4_4_0] {
        for seed in 1..4 {
            let mut run = formatted(seed, release);
            chapter(&mut run);
            writeln!(
                found,
                "{release} {seed} {:016x} {}",
                run.world().hash(),
                run.world().events()
            )
            .unwrap();
        }
    }
    expect_test::expect_file!["hashes.txt"].assert_eq(&found);
}

#[test]
fn a_clone_goes_on_as_the_original() {
    let mut run = formatted(7, Release::V4_4_0);
    start_all(&mut run);
    run.run_for(Time::from_millis(1_900));
    let mut clone = run.clone();
    for one in [&mut run, &mut clone] {
        one.run_for(Time::from_secs(4));
    }
    assert_eq!(
        (run.world().hash(), run.world().events()),
        (clone.world().hash(), clone.world().events())
    );
    assert!(active(&run).is_some());
}

#[test]
fn a_crash_at_a_disk_operation_ends_the_process_and_it_comes_back() {
    let mut run = formatted(3, Release::V4_4_0);
    let name = NamePattern::new("quorum-state");
    let fault = DiskFault {
        operation: Some(Operation::Sync),
        name,
        after: 1,
        effect: FaultEffect::Crash,
    };
    run.world_mut().disk_mut(NodeId(2)).unwrap().arm(fault);
    start_all(&mut run);
    run.run_for(Time::from_secs(6));
    let down = run.world().machine(NodeId(2)).unwrap().down().cloned();
    assert_eq!(down, Some(Down::Ended(node::Ended::CrashedAtDisk)));
    run.world_mut().start(NodeId(2));
    run.run_for(Time::from_secs(6));
    assert!(run.world().machine(NodeId(2)).unwrap().node().is_some());
    assert!(active(&run).is_some());
}

#[test]
fn a_paused_leader_is_replaced_and_hears_of_it() {
    let mut run = formatted(4, Release::V4_4_0);
    start_all(&mut run);
    assert!(run.run_until(Time::from_secs(10), |run| active(run).is_some()));
    run.run_for(Time::from_secs(2));
    let first = active(&run).unwrap();
    run.world_mut().pause(first);
    run.run_for(Time::from_secs(10));
    run.world_mut().resume(first);
    run.run_for(Time::from_secs(5));
    let nodes = || run.world().machines().filter_map(|machine| machine.node());
    assert_eq!(nodes().filter(|node| node.is_active()).count(), 1);
    assert_ne!(active(&run), Some(first));
    let epochs: Vec<i32> = nodes().map(node::Node::epoch).collect();
    assert_eq!(epochs, [epochs[0]; 3]);
}

#[test]
fn a_clean_stop_ends_the_process_and_hands_over() {
    let mut run = formatted(5, Release::V4_4_0);
    start_all(&mut run);
    assert!(run.run_until(Time::from_secs(10), |run| active(run).is_some()));
    run.run_for(Time::from_secs(2));
    let first = active(&run).unwrap();
    run.world_mut().stop(first);
    let handed_over = |run: &Run| {
        let down = run.world().machine(first).unwrap().down();
        down == Some(&Down::Ended(node::Ended::Stopped)) && active(run).is_some()
    };
    assert!(run.run_until(Time::from_secs(3), handed_over));
}

#[test]
fn another_release_goes_on_with_the_same_directories() {
    let mut run = formatted(6, Release::V4_3_1);
    chapter(&mut run);
    for id in THREE {
        run.world_mut().stop(NodeId(id));
        run.run_for(Time::from_secs(6));
        run.world_mut()
            .set_rules(NodeId(id), Release::V4_4_0.rules());
        run.world_mut().start(NodeId(id));
        run.run_for(Time::from_secs(3));
    }
    assert!(active(&run).is_some());
    assert!(
        run.world()
            .machines()
            .all(|machine| machine.node().is_some())
    );
}

#[test]
fn every_controller_writes_checkpoints_and_starts_from_them() {
    for release in [Release::V3_9_2, Release::V4_4_0] {
        let mut run = formatted(8, release);
        for id in THREE {
            let limit = [("metadata.log.max.record.bytes.between.snapshots", "500")];
            run.world_mut()
                .add(config_with(id, &limit), release.rules());
        }
        start_all(&mut run);
        run.run_for(Time::from_secs(20));
        for machine in run.world().machines() {
            let (written, faults) = machine.node().unwrap().checkpoints();
            assert!(
                written > 1 && faults.is_empty(),
                "{release}: {written} {faults:?}"
            );
        }
        for id in THREE {
            run.world_mut().crash(NodeId(id));
        }
        start_all(&mut run);
        assert!(run.run_until(Time::from_secs(10), |run| active(run).is_some()));
        let node = run.world().machine(NodeId(1)).unwrap().node().unwrap();
        let from = node.replica().log().latest_snapshot_id().unwrap();
        assert!(from.offset > 0, "{from}");
    }
}

/// A segment behind the end of the one before, and no record in between: Kafka reads on and on.
#[test]
fn a_node_in_an_endless_loop_ends_with_a_word_and_does_not_count_as_exited() {
    let mut run = formatted(5, Release::V4_4_0);
    let disk = run.world_mut().disk_mut(NodeId(1)).unwrap();
    for name in ["00000000000000000000.log", "00000000000000000100.log"] {
        let path = format!("/node-1/data/__cluster_metadata-0/{name}");
        disk.put(&path, bytes::Bytes::new());
    }
    start_all(&mut run);
    let down = run.world().machine(NodeId(1)).unwrap().down().cloned();
    let down = down.unwrap();
    assert!(down.hangs() && !down.by_itself());
    assert_eq!(
        down.to_string(),
        "endless loop in the raft thread: Kafka reads the log for ever: nothing is at offset 0, and the log ends at 100"
    );
    assert!(run.run_until(Time::from_secs(20), |run| active(run).is_some()));
}
