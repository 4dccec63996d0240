use std::collections::BTreeSet;

use determinism::Time;
use node::RegistrationState;
use records::NodeId;
use simulator::scenario::Problem;
use simulator::scenario::run::Session;
use simulator::{Machine, World};

use super::checkpoints::Checkpoints;
use super::header::ids;
use super::log::{Log, batches_on, shared, simulated_batch};
use super::names::Names;
use super::recording::Recording;
use crate::recorded::Batch;

/// The simulated cluster beside its recording: commands are said, the world looked at, and what both wrote kept.
pub struct Player<'r, 'l, 's> {
    /// What is played.
    pub recording: &'r Recording,
    pub(super) session: Session<'l, 's>,
    /// Our ids by the recording's names.
    pub names: Names,
    /// What real Kafka committed so far.
    pub theirs: Log,
    /// What the simulated cluster committed so far.
    pub ours: Log,
    /// Where the recorded log and ours end.
    pub(super) ends: Ends,
    /// Checkpoints that were seen on the simulated disks.
    pub checkpoints: Checkpoints,
    /// Controllers whose registrations are held back, as they came later in the recording.
    held: BTreeSet<NodeId>,
    /// Nodes that the last `stop` stopped.
    pub(super) last_stopped: Vec<NodeId>,
    /// What the present action did not do as recorded.
    pub(super) differences: Vec<String>,
}

/// Offsets at which logs end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ends {
    /// The recorded one.
    pub theirs: i64,
    pub ours: i64,
}

/// What ends a step early: a command that the language does not know, or that made no sense. It is a fault of the
/// translation.
pub type Said<T> = Result<T, Problem>;

impl<'r, 'l, 's> Player<'r, 'l, 's> {
    /// Beside a session that has begun.
    pub fn new(recording: &'r Recording, session: Session<'l, 's>) -> Self {
        Player {
            recording,
            session,
            names: Names::default(),
            theirs: Log::default(),
            ours: Log::default(),
            ends: Ends::default(),
            checkpoints: Checkpoints::default(),
            held: BTreeSet::new(),
            last_stopped: Vec::new(),
            differences: Vec::new(),
        }
    }

    /// Carries out a command.
    pub fn say(&mut self, command: &str) -> Said<Vec<String>> {
        let printed = self.session.say(command)?;
        self.checkpoints
            .look(self.session.world(), &self.recording.controllers());
        Ok(printed)
    }

    /// Something that is not as recorded.
    pub fn differ(&mut self, what: impl Into<String>) {
        self.differences.push(what.into());
    }

    /// Runs until a condition holds, or says what did not come to be and goes on a little.
    pub fn until(
        &mut self,
        condition: &str,
        seconds: u64,
        holds: impl Fn(&World) -> bool,
    ) -> Said<bool> {
        let mut trial = self.session.run().clone();
        if trial.run_until(Time::from_secs(seconds), |run| holds(run.world())) {
            self.say(&format!("run until {condition} within {seconds}s"))?;
            return Ok(true);
        }
        self.say("run 2s")?;
        Ok(false)
    }

    /// The controllers that run.
    pub fn running(&self) -> Vec<NodeId> {
        let all = self.recording.controllers();
        all.into_iter()
            .filter(|id| self.session.node(*id).is_some())
            .collect()
    }

    // ── Elections ───────────────────────────────────────────────────────────────────────────────────────────────

    /// Only this node's requests for votes arrive from now on.
    pub fn steer(&mut self, wanted: NodeId) -> Said<()> {
        let running = self.running();
        for from in running.iter().filter(|id| **id != wanted) {
            for to in running.iter().filter(|id| *id != from) {
                self.say(&format!("drop vote-request {from} to {to}"))?;
            }
        }
        Ok(())
    }

    /// Waits until the node leads; where it does already, until it leads anew.
    pub fn led_by(&mut self, wanted: NodeId) -> Said<bool> {
        if self.session.leader() == Some(wanted) {
            self.until(&format!("no leader {wanted}"), 60, |world| {
                leader(world) != Some(wanted)
            })?;
        }
        let came = self.until(&format!("leader {wanted}"), 120, |world| {
            leader(world) == Some(wanted)
        })?;
        if !came {
            self.differ(format!("node {wanted} does not come to lead"));
        }
        Ok(came)
    }

    /// Lets another election happen, which this node wins.
    pub fn elect(&mut self, wanted: NodeId) -> Said<()> {
        self.steer(wanted)?;
        if let Some(now) = self.session.leader() {
            self.say(&format!("isolate {now}"))?;
            if now == wanted {
                // The others wait in vain; it gives up, and comes back.
                self.until(&format!("no leader {now}"), 60, |world| {
                    leader(world) != Some(now)
                })?;
                self.heal()?;
                self.steer(wanted)?;
            }
        }
        self.led_by(wanted)?;
        self.heal()
    }

    // ── Registrations ───────────────────────────────────────────────────────────────────────────────────────────

    /// Holds back a controller's registration.
    pub fn hold(&mut self, id: NodeId) -> Said<()> {
        self.held.insert(id);
        self.hold_again(id)
    }

    fn hold_again(&mut self, id: NodeId) -> Said<()> {
        for to in self.running() {
            self.say(&format!(
                "drop controller-registration-request {id} to {to}"
            ))?;
        }
        Ok(())
    }

    /// Lets go of registrations, and waits until they are there.
    pub fn let_register(&mut self, nodes: &[NodeId]) -> Said<()> {
        if nodes.iter().any(|id| self.held.contains(id)) {
            self.held.retain(|id| !nodes.contains(id));
            self.heal()?;
        }
        let running: Vec<NodeId> = nodes
            .iter()
            .copied()
            .filter(|id| self.session.node(*id).is_some())
            .collect();
        if running.is_empty() {
            return Ok(());
        }
        let waited = running.clone();
        let done = self.until(&format!("registered {}", ids(&running)), 30, move |world| {
            waited.iter().all(|id| is_registered(world, *id))
        })?;
        if !done {
            self.differ(format!("controllers {} do not register", ids(nodes)));
        }
        Ok(())
    }

    /// A process that is gone registers no more.
    pub fn forget_held(&mut self, id: NodeId) {
        self.held.remove(&id);
    }

    /// Heals the network, and goes on holding back what is held.
    pub fn heal(&mut self) -> Said<()> {
        self.say("heal")?;
        let running = self.running();
        for id in self.held.clone() {
            if running.contains(&id) {
                self.hold_again(id)?;
            }
        }
        Ok(())
    }

    // ── Logs ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Waits until our log holds, committed, as much as the recorded one up to `their_end`.
    pub fn committed(&mut self, their_end: i64) -> Said<bool> {
        let end = their_end - self.ends.theirs + self.ends.ours;
        self.until(&format!("committed at-least {end}"), 40, move |world| {
            leader(world).and_then(|id| world.machine(id)?.node()?.replica().high_watermark())
                >= Some(end)
        })
    }

    /// Takes in what was committed since the last time.
    pub fn follow(&mut self, recorded: &[Batch]) {
        let shared = shared(self.recording);
        for batch in recorded {
            if batch.offset < self.ends.theirs {
                continue;
            }
            self.ends.theirs = batch.end();
            self.theirs.push(&shared.batch(batch));
        }
        let Some((machine, end)) = self.furthest() else {
            return;
        };
        let new: Vec<_> = batches_on(machine.disk())
            .into_iter()
            .filter(|batch| batch.base_offset() >= self.ends.ours && batch.next_offset() <= end)
            .collect();
        for batch in new {
            self.ends.ours = batch.next_offset();
            self.ours.push(&simulated_batch(&self.names, &batch));
        }
    }

    /// The voters in force, as the leader knows them, are those of the recorded log.
    pub fn compare_voters(&mut self) {
        let Some(node) = self.session.leader().and_then(|id| self.session.node(id)) else {
            return;
        };
        let last = |log: &Log| {
            let mut voters = log.entries.iter().rev();
            let voters = voters.find(|entry| entry.record["type"] == "KRaftVoters");
            voters.map(|entry| entry.record["data"]["voters"].clone())
        };
        let Some(theirs) = last(&self.theirs) else {
            return;
        };
        let mut theirs: Vec<String> = theirs
            .as_array()
            .into_iter()
            .flatten()
            .map(|voter| {
                let directory = voter["voterDirectoryId"].as_str().unwrap_or_default();
                format!("{}@{directory}", voter["voterId"])
            })
            .collect();
        let mut ours: Vec<String> = node
            .replica()
            .voters()
            .voter_keys()
            .map(|key| {
                let directory = key.directory_id_or_zero().to_string();
                format!("{}@{}", key.id, self.names.in_text(&directory))
            })
            .collect();
        theirs.sort();
        ours.sort();
        if theirs != ours {
            self.differ(format!("voters {theirs:?} there, {ours:?} here"));
        }
    }

    /// The machine whose log tells what is committed, and up to where: the leader's; without one, the longest of those
    /// with the newest epoch.
    fn furthest(&self) -> Option<(&Machine, i64)> {
        let world = self.session.world();
        if let Some(id) = self.session.leader() {
            let machine = world.machine(id)?;
            let end = machine.node()?.replica().high_watermark()?;
            return Some((machine, end));
        }
        let ends = world.machines().filter_map(|machine| {
            let last = batches_on(machine.disk()).pop()?;
            Some((last.leader_epoch(), last.next_offset(), machine))
        });
        let (_, end, machine) = ends.max_by_key(|(epoch, end, _)| (*epoch, *end))?;
        Some((machine, end))
    }
}

/// Who leads the highest epoch that anybody leads.
pub fn leader(world: &World) -> Option<NodeId> {
    let nodes = world.machines().filter_map(Machine::node);
    let leading = nodes.filter(|node| node.leader_and_epoch().leader == Some(node.id()));
    leading.max_by_key(|node| node.epoch()).map(node::Node::id)
}

fn is_registered(world: &World, id: NodeId) -> bool {
    let node = world.machine(id).and_then(Machine::node);
    node.is_some_and(|node| {
        node.registration_state() == RegistrationState::Settled
            && node.image().cluster().controller(id).is_some()
    })
}
