//! A follower that is far behind the leader's log start catches up by `FETCH_SNAPSHOT`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use config::ServerConfig;
use determinism::{Rng, Time};
use node::{Node, NodeConfig, RegistrationState};
use records::NodeId;
use releases::Release;
use simulator::run::{Run, Setting};
use simulator::{DropRule, Wire, World};
use storage_tool::{FormatRequest, SeededDraws, plan};

const THREE: [i32; 3] = [1, 2, 3];
const LEADER: NodeId = NodeId(1);
const LATE: NodeId = NodeId(3);
/// How far the log start is to run ahead.
const RECORDS: i64 = 100_000;

fn config(id: i32) -> NodeConfig {
    let voters = THREE
        .map(|id| format!("{id}@controller-{id}:9093"))
        .join(",");
    let election = if id == LEADER.0 { "200" } else { "1000" };
    let entries = [
        ("process.roles", "controller".to_owned()),
        ("node.id", id.to_string()),
        ("controller.quorum.voters", voters),
        ("controller.listener.names", "CONTROLLER".to_owned()),
        ("listeners", format!("CONTROLLER://controller-{id}:9093")),
        ("log.dirs", format!("/node-{id}/data")),
        ("controller.quorum.election.timeout.ms", election.to_owned()),
        // A record every millisecond; small checkpoints, often, and little else kept; many pieces to fetch.
        ("metadata.max.idle.interval.ms", "1".to_owned()),
        (
            "metadata.log.max.record.bytes.between.snapshots",
            "100000".to_owned(),
        ),
        ("internal.metadata.log.segment.bytes", "50000".to_owned()),
        ("metadata.max.retention.bytes", "150000".to_owned()),
        (
            "controller.quorum.fetch.snapshot.max.bytes",
            "100".to_owned(),
        ),
    ];
    NodeConfig::new(ServerConfig::parse(&Release::V4_4_0.rules(), entries).unwrap())
}

fn started(release: Release) -> Run {
    let mut world = World::new(1);
    world.set_wire(Wire::On);
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
        );
        plan.unwrap().write(disk, &mut draws).unwrap();
        disk.settle();
    }
    for id in THREE {
        world.start(NodeId(id));
    }
    Run::over(world, Setting::default())
}

fn node(run: &Run, id: NodeId) -> Option<&Node> {
    run.world().machine(id)?.node()
}

fn settled(run: &Run, id: NodeId) -> bool {
    node(run, id).is_some_and(|node| node.registration_state() == RegistrationState::Settled)
}

/// Sees that `LATE` lies `RECORDS` behind the log start, comes back and has what the others have.
fn catches_up(release: Release) {
    let mut run = started(release);
    let all = |run: &Run| THREE.iter().all(|id| settled(run, NodeId(*id)));
    assert!(run.run_until(Time::from_secs(20), all), "nobody leads");
    assert!(node(&run, LEADER).unwrap().is_active());
    let left_at = node(&run, LATE).unwrap().replica().log_end_offset();
    run.world_mut().crash(LATE);

    let far = |run: &Run| {
        let leader = node(run, LEADER).unwrap();
        leader.replica().log().start_offset() >= left_at + RECORDS
    };
    assert!(
        run.run_until(Time::from_secs(400), far),
        "the log start stays"
    );
    let target = node(&run, LEADER).unwrap().replica().log_end_offset();

    // One piece gets lost on the way: the rest is asked for again.
    run.world_mut().network_mut().drop_messages(DropRule {
        direction: None,
        kind: Some("fetch-snapshot-response"),
        after: 1,
        count: 1,
    });
    run.world_mut().start(LATE);
    let caught_up = |run: &Run| {
        let late = node(run, LATE).unwrap();
        let committed = late.replica().high_watermark().unwrap_or(0);
        settled(run, LATE) && committed >= target
    };
    assert!(
        run.run_until(Time::from_secs(60), caught_up),
        "it stays behind"
    );
    run.run_for(Time::from_secs(2));
    let (late, leader) = (node(&run, LATE).unwrap(), node(&run, LEADER).unwrap());
    assert!(
        late.replica().log().start_offset() >= left_at + RECORDS,
        "its log begins at a checkpoint that it was given"
    );
    assert_eq!(late.image().hash(), leader.image().hash());
    assert_eq!(late.image().cluster().controllers().count(), THREE.len());
    assert_eq!(run.world().wire_faults(), [] as [&str; 0]);
}

#[test]
fn on_4_4_0() {
    catches_up(Release::V4_4_0);
}

#[test]
fn on_3_9_2() {
    catches_up(Release::V3_9_2);
}
