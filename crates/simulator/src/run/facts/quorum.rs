//! What is asked of the quorum as a whole.

use node::{Node, RegistrationState, Thread};
use records::NodeId;

use super::Found;
use crate::observer::log_reader::is_no_op;
use crate::run::Run;
use crate::run::action::Nodes;
use crate::world::Machine;

impl Run {
    pub(super) fn leads(&self, id: NodeId, epoch: i32, found: &mut Found<'_>) -> bool {
        let leader = self.leader();
        let node = leader.and_then(|id| self.world().machine(id)?.node());
        found.say(|| match node {
            Some(node) => format!("node {} leads epoch {}", node.id(), node.epoch()),
            None => "nobody leads".to_owned(),
        });
        node.is_some_and(|node| (node.id(), node.epoch()) == (id, epoch))
    }

    /// A controller is active and has committed a metadata.version.
    pub(super) fn works(&self, found: &mut Found<'_>) -> bool {
        let mut nodes = self.world().machines().filter_map(Machine::node);
        let works = nodes.any(|node| {
            let Some(controller) = node.controller().filter(|of| of.is_active()) else {
                return false;
            };
            let offsets = controller.offsets();
            let committed = offsets.timeline().state_at(offsets.last_stable_offset());
            committed.is_some_and(|state| state.image().features().metadata_version().is_some())
        });
        found.say(|| {
            if works {
                "a controller is active, and a metadata.version is committed".to_owned()
            } else {
                self.lacking()
            }
        });
        works
    }

    /// What there is instead of a controller that works.
    fn lacking(&self) -> String {
        let machines = || self.world().machines();
        let is_active = |machine: &&Machine| machine.node().is_some_and(Node::is_active);
        if let Some(machine) = machines().find(is_active) {
            let id = machine.id();
            return format!("node {id} is active, and no metadata.version is committed");
        }
        let down = machines().filter_map(|machine| {
            let why = machine.down()?;
            Some(format!("node {}: {why}", machine.id()))
        });
        let down: Vec<String> = down.collect();
        if down.is_empty() {
            "all processes live, and no controller is active".to_owned()
        } else {
            format!("no controller is active; {}", down.join("; "))
        }
    }

    pub(super) fn moved_on(&self, nodes: &Nodes, offset: i64, found: &mut Found<'_>) -> bool {
        let nodes = nodes.0.iter().flat_map(|one| self.select(one.value));
        let mut nodes = nodes.filter_map(|id| self.world().machine(id)?.node());
        found.say(|| format!("none of them is active and commits anything beyond offset {offset}"));
        nodes.any(|node| {
            let committed = node.replica().high_watermark();
            node.is_active() && committed.is_some_and(|committed| committed > offset)
        })
    }

    pub(super) fn in_step(&self, found: &mut Found<'_>) -> bool {
        let mut first = None;
        for machine in self.world().machines() {
            let id = machine.id();
            let standing = machine.node().and_then(|node| {
                let replica = node.replica();
                Some((replica.leader()?, replica.epoch(), replica.log_end_offset()))
            });
            let Some(standing) = standing else {
                found.say(|| format!("node {id} follows nobody"));
                return false;
            };
            if *first.get_or_insert(standing) != standing {
                found.say(|| format!("node {id} does not stand where the first one does"));
                return false;
            }
        }
        // A follower learns late what is committed, in the older releases not before there is more.
        let committed = self.high_watermark();
        found.say(|| format!("all stand at the same offset; the high watermark is {committed}"));
        first.is_some_and(|(.., end)| end == committed)
    }

    /// Whether the committed voter set of the leader holds a node; `None` while that set is not committed.
    pub(super) fn voter(&self, id: NodeId, found: &mut Found<'_>) -> Option<bool> {
        let leader = self
            .leader()
            .and_then(|id| self.world().machine(id)?.node());
        let Some(replica) = leader.map(Node::replica) else {
            found.say(|| "nobody leads".to_owned());
            return None;
        };
        if replica.voters_offset() >= replica.high_watermark() {
            found.say(|| "the voter set of the leader is not committed".to_owned());
            return None;
        }
        let is_voter = replica.voters().voter(id).is_some();
        let not = if is_voter { "" } else { "no " };
        found.say(|| format!("node {id} is {not}voter"));
        Some(is_voter)
    }

    pub(super) fn quiet(&self, found: &mut Found<'_>) -> bool {
        let running = || self.world().machines().filter_map(Machine::node);
        let Some(active) = self.active() else {
            found.say(|| "nobody is active".to_owned());
            return false;
        };
        let waits = |node: &&Node| {
            node.registration_state() == RegistrationState::Pending || node.waits_to_join()
        };
        if let Some(node) = running().find(waits) {
            found.say(|| format!("node {} is not registered yet", node.id()));
            return false;
        }
        // No-op records come and go all the time.
        let logs = self.observer().invariants().logs();
        let end = logs.of(active).map_or(0, |log| log.end_before(is_no_op));
        let now = self.now();
        let is_behind = |node: &&Node| {
            let replica = node.replica();
            let committed = replica.high_watermark();
            committed.is_none_or(|committed| committed < end)
                || replica.log_end_offset() < end
                || node.next_at(Thread::Loader) <= now
        };
        let behind = running().find(is_behind);
        found.say(|| match behind {
            Some(node) => format!("node {} is behind", node.id()),
            None => "it is quiet".to_owned(),
        });
        behind.is_none()
    }
}
