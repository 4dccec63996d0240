use std::collections::BTreeMap;

use determinism::{Digest, Time};
use disk::{Disk as _, MemDisk, path};
use node::{Node, RegistrationState};
use records::NodeId;
use records::metadata::{MetadataRecord, VersionedRecord};
use releases::Release;

use super::outcome::{
    ActivationOutcome, NodeOutcome, PhaseEnd, PhaseOutcome, PhaseVerdict, Rehearsal,
};
use super::plan::Plan;
use super::reasons::reasons;
use crate::observer;
use crate::run::action::{Nodes, ProcessAction};
use crate::run::{Action, Run, Setting};
use crate::world::{Down, Machine, STOP_LIMIT, World};

/// The controllers count as quiet when nothing of note changed for this long.
const QUIET: Time = Time::from_millis(1_500);
/// How many seeds are tried for a wanted leader.
const LEADER_ATTEMPTS: u64 = 64;
/// The longest time between the first start of a node and the last, where they are not started at once.
const START_SPREAD: Time = Time::from_secs(3);

/// Runs the plan: every phase starts all nodes, waits until they are quiet, and looks; between phases they are
/// stopped cleanly.
pub fn rehearse(plan: &Plan) -> Rehearsal {
    let mut releases: BTreeMap<NodeId, Release> = plan
        .nodes
        .iter()
        .map(|node| (node.config.node_id(), node.release))
        .collect();
    let mut run = first_start(plan, &releases);
    let mut phases = vec![phase(plan, &mut run)];
    for then in &plan.then {
        stop_all(&mut run);
        releases.extend(then);
        for (id, release) in &releases {
            start(&mut run, *id, *release);
        }
        phases.push(phase(plan, &mut run));
    }
    Rehearsal {
        phases,
        violations: run.observer().invariants().violations().to_vec(),
        hash: run.hash(),
    }
}

/// The run of the first phase just after the start. Where a leader is wanted: the first attempt in which that node
/// wins the first election, with other draws and other pauses between the starts each time, as it is with real servers.
fn first_start(plan: &Plan, releases: &BTreeMap<NodeId, Release>) -> Run {
    let first = started(plan, releases, 0);
    let Some(wanted) = plan.leader.filter(|_| plan.nodes.len() > 1) else {
        return first;
    };
    let mut candidate = first.clone();
    for attempt in 1..=LEADER_ATTEMPTS {
        let mut trial = candidate.clone();
        trial.run_until(plan.phase_limit, |run| leader(run).is_some());
        if leader(&trial) == Some(wanted) {
            return candidate;
        }
        candidate = started(plan, releases, attempt);
    }
    first
}

/// All nodes started: at once in attempt 0, at times within [`START_SPREAD`] in the others.
fn started(plan: &Plan, releases: &BTreeMap<NodeId, Release>, attempt: u64) -> Run {
    let mut world = World::new(plan.seed.wrapping_add(attempt));
    let mut setting = Setting::default();
    setting.force_quirks(&plan.quirks);
    let mut starts = Vec::new();
    let mut pauses = world.stream("pauses between starts");
    for node in &plan.nodes {
        let id = node.config.node_id();
        world.add(node.config.clone(), setting.rules(node.release));
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
    let mut run = Run::over(world, setting);
    for (at, id) in starts {
        run.run_for(at.since(run.now()));
        start(&mut run, id, releases[&id]);
    }
    run
}

fn start(run: &mut Run, id: NodeId, release: Release) {
    perform(run, ProcessAction::Start(Nodes::one(id), Some(release)));
}

fn stop_all(run: &mut Run) {
    let machines = run.world().machines();
    let running = machines.filter(|machine| machine.node().is_some());
    let running: Vec<NodeId> = running.map(Machine::id).collect();
    perform(run, ProcessAction::Stop(Nodes::some(running)));
    let all_down = |run: &Run| {
        run.world()
            .machines()
            .all(|machine| machine.node().is_none())
    };
    run.run_until(STOP_LIMIT, all_down);
}

fn perform(run: &mut Run, action: ProcessAction) {
    let done = run.perform(&Action::Process(action), &(0..0));
    done.expect("a process can be started and stopped at any time");
}

/// The active controller of the highest epoch.
fn leader(run: &Run) -> Option<NodeId> {
    let nodes = run.world().machines().filter_map(Machine::node);
    let active = nodes.filter(|node| node.is_active());
    active.max_by_key(|node| node.epoch()).map(Node::id)
}

fn phase(plan: &Plan, run: &mut Run) -> PhaseOutcome {
    let began = run.now();
    let mut last = Standing::default();
    let mut since = began;
    let quiet = run.run_until(plan.phase_limit, |run| {
        let standing = Standing::of(run);
        if standing != last {
            last = standing;
            since = run.now();
        }
        last.ended || (last.settled && run.now().since(since) >= QUIET)
    });
    let leader = leader(run);
    let lives =
        |machine: &Machine| machine.node().is_some() || machine.down().is_some_and(Down::hangs);
    let any_lives = run.world().machines().any(lives);
    PhaseOutcome {
        verdict: match (leader, any_lives) {
            (Some(_), _) => PhaseVerdict::Active,
            (None, true) => PhaseVerdict::NoLeader,
            (None, false) => PhaseVerdict::Exited,
        },
        leader,
        end: if quiet {
            PhaseEnd::Quiet
        } else {
            PhaseEnd::TimeLimit
        },
        took: run.now().since(began),
        hash: run.hash(),
        reasons: reasons(run.world()),
        nodes: plan
            .nodes
            .iter()
            .map(|node| outcome(run.world(), node.config.node_id()))
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
    fn of(run: &Run) -> Self {
        let mut digest = Digest::new();
        let mut live = 0_u64;
        let mut settled = leader(run).is_some();
        for machine in run.world().machines() {
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
    let controller = machine.last_node().and_then(node::Node::controller);
    let activations = controller.map_or(&[][..], |controller| controller.activations());
    let warnings = controller.map_or(&[][..], |controller| controller.warnings());
    let outcome = NodeOutcome {
        release: machine.rules().release,
        refusal: machine
            .down()
            .filter(|down| down.by_itself())
            .map(ToString::to_string),
        leader: machine
            .node()
            .and_then(|node| node.leader_and_epoch().leader),
        hangs: machine
            .down()
            .filter(|down| down.hangs())
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
        source: observer::source(of),
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
