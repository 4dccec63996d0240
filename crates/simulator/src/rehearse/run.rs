use std::collections::BTreeMap;

use determinism::{Digest, Time};
use disk::{Disk as _, MemDisk, path};
use node::RegistrationState;
use records::NodeId;
use records::metadata::{MetadataRecord, VersionedRecord};

use super::outcome::{
    ActivationOutcome, BootstrapSource, NodeOutcome, PhaseEnd, PhaseOutcome, Rehearsal, Verdict,
};
use super::plan::Plan;
use crate::world::World;

/// The controllers count as quiet when nothing of note changed for this long.
const QUIET: Time = Time::from_millis(1_500);
/// How many seeds are tried for a wanted leader.
const LEADER_ATTEMPTS: u64 = 64;
/// The longest time between the first start of a node and the last, where they are not started at once.
const START_SPREAD: Time = Time::from_secs(3);
/// How long a clean stop may take before the process is killed.
const STOP_LIMIT: Time = Time::from_secs(15);

/// Runs the plan: every phase starts all nodes, waits until they are quiet, and looks; between phases they are
/// stopped cleanly.
pub fn rehearse(plan: &Plan) -> Rehearsal {
    let mut world = first_start(plan);
    let mut rehearsal = Rehearsal::default();
    rehearsal.phases.push(phase(plan, &mut world));
    for releases in &plan.then {
        stop_all(plan, &mut world);
        for (id, rules) in releases {
            world.set_rules(*id, rules.clone());
        }
        start_all(plan, &mut world);
        rehearsal.phases.push(phase(plan, &mut world));
    }
    rehearsal
}

/// The world of the first phase just after the start. Where a leader is wanted: the first attempt in which that node
/// wins the first election, with other draws and other pauses between the starts each time, as it is with real servers.
fn first_start(plan: &Plan) -> World {
    let first = started(plan, 0);
    let Some(wanted) = plan.leader.filter(|_| plan.nodes.len() > 1) else {
        return first;
    };
    let mut candidate = first.clone();
    for attempt in 1..=LEADER_ATTEMPTS {
        let mut trial = candidate.clone();
        trial.run_until(plan.phase_limit, |world| leader(world).is_some());
        if leader(&trial) == Some(wanted) {
            return candidate;
        }
        candidate = started(plan, attempt);
    }
    first
}

/// All nodes started: at once in attempt 0, at times within [`START_SPREAD`] in the others.
fn started(plan: &Plan, attempt: u64) -> World {
    let mut world = World::new(plan.seed.wrapping_add(attempt));
    let mut starts = Vec::new();
    let mut pauses = world.stream("pauses between starts");
    for node in &plan.nodes {
        let id = node.config.node_id();
        world.add(node.config.clone(), node.rules.clone());
        if let Some(disk) = world.disk_mut(id) {
            *disk = node.disk.clone();
        }
        let spread = if attempt == 0 {
            0
        } else {
            START_SPREAD.as_micros()
        };
        starts.push((Time::from_micros(pauses.below(spread)), id));
    }
    starts.sort();
    for (at, id) in starts {
        let pause = at.since(world.now());
        world.run_for(pause);
        world.start(id);
    }
    world
}

fn start_all(plan: &Plan, world: &mut World) {
    for node in &plan.nodes {
        world.start(node.config.node_id());
    }
}

fn stop_all(plan: &Plan, world: &mut World) {
    for node in &plan.nodes {
        world.stop(node.config.node_id());
    }
    let all_down = |world: &World| world.machines().all(|machine| machine.node().is_none());
    if !world.run_until(STOP_LIMIT, all_down) {
        for node in &plan.nodes {
            world.crash(node.config.node_id());
        }
    }
}

/// The active controller of the highest epoch.
fn leader(world: &World) -> Option<NodeId> {
    let active = world
        .machines()
        .filter_map(|machine| machine.node())
        .filter(|node| node.is_active());
    active.max_by_key(|node| node.epoch()).map(node::Node::id)
}

fn phase(plan: &Plan, world: &mut World) -> PhaseOutcome {
    let began = world.now();
    let mut last = Standing::default();
    let mut since = began;
    let quiet = world.run_until(plan.phase_limit, |world| {
        let standing = Standing::of(world);
        if standing != last {
            last = standing;
            since = world.now();
        }
        last.ended || (last.settled && world.now().since(since) >= QUIET)
    });
    let leader = leader(world);
    let any_lives = world.machines().any(|machine| machine.node().is_some());
    PhaseOutcome {
        verdict: match (leader, any_lives) {
            (Some(_), _) => Verdict::Active,
            (None, true) => Verdict::NoLeader,
            (None, false) => Verdict::Exited,
        },
        leader,
        end: if quiet {
            PhaseEnd::Quiet
        } else {
            PhaseEnd::TimeLimit
        },
        took: world.now().since(began),
        hash: world.hash(),
        nodes: plan
            .nodes
            .iter()
            .map(|node| outcome(world, node.config.node_id()))
            .collect::<BTreeMap<_, _>>(),
    }
}

/// What has to stay the same for the controllers to be quiet; no-op records, fetches and timers do not show in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Standing {
    digest: u64,
    /// A node is active, and all live ones are registered and done.
    settled: bool,
    /// No process lives.
    ended: bool,
}

impl Standing {
    fn of(world: &World) -> Self {
        let mut digest = Digest::new();
        let mut live = 0_u64;
        let mut settled = leader(world).is_some();
        for machine in world.machines() {
            if let Some(node) = machine.node() {
                live += 1;
                node.standing(&mut digest);
                settled &= node.registration_state() != RegistrationState::Pending
                    && !node.waits_to_join();
            }
        }
        digest.write_u64(live);
        Standing {
            digest: digest.value(),
            settled,
            ended: live == 0,
        }
    }
}

fn outcome(world: &World, id: NodeId) -> (NodeId, NodeOutcome) {
    let machine = world
        .machine(id)
        .expect("every node of the plan has a machine");
    let controller = machine.last_node().map(node::Node::controller);
    let activations = controller.map_or(&[][..], |controller| controller.activations());
    let warnings = controller.map_or(&[][..], |controller| controller.warnings());
    let outcome = NodeOutcome {
        release: machine.rules().release,
        refusal: machine
            .down()
            .filter(|down| down.by_itself())
            .map(ToString::to_string),
        warnings: warnings.to_vec(),
        activations: activations.iter().map(activation).collect(),
        disk: copy_of(machine.disk(), machine.config().server().all_directories()),
    };
    (id, outcome)
}

fn activation(of: &quorum_controller::Activation) -> ActivationOutcome {
    let is_marker = |record: &&VersionedRecord| {
        matches!(
            record.record,
            MetadataRecord::AbortTransaction(_) | MetadataRecord::BeginTransaction(_)
        )
    };
    ActivationOutcome {
        epoch: of.epoch,
        source: of.source.as_ref().map(source),
        records: of
            .records
            .iter()
            .skip_while(is_marker)
            .take(of.bootstrap_records)
            .cloned()
            .collect(),
        text: of.message.clone(),
    }
}

fn source(of: &quorum_controller::BootstrapSource) -> BootstrapSource {
    match of {
        quorum_controller::BootstrapSource::LegacyFile(_) => BootstrapSource::LegacyFile,
        quorum_controller::BootstrapSource::ZeroCheckpoint => BootstrapSource::ZeroCheckpoint,
        quorum_controller::BootstrapSource::Default => BootstrapSource::Default,
        quorum_controller::BootstrapSource::Configured(_)
        | quorum_controller::BootstrapSource::Minimum(_) => BootstrapSource::Configured,
    }
}

fn copy_of(source: &crate::SimDisk, directories: Vec<String>) -> MemDisk {
    let mut source = source.clone();
    let mut copy = MemDisk::new();
    for dir in directories {
        for (name, bytes) in source.files_below(&dir) {
            let to = path::join(&dir, &name);
            let put = copy
                .create_dir_all(path::parent(&to))
                .and_then(|()| copy.create(&to))
                .and_then(|()| copy.append(&to, &bytes));
            put.expect("a disk in memory takes any file");
        }
    }
    copy
}
