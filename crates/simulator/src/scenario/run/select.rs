//! Which nodes a selector means now.

use records::NodeId;

use crate::observer::Observer;
use crate::scenario::nodes::{NodeSelector, Nodes};
use crate::world::{Machine, World};

/// The world, and what was seen of it.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) world: &'a World,
    pub(super) observer: &'a Observer,
}

impl<'a> View<'a> {
    /// The nodes that a selector means; none where nobody plays that part.
    pub(super) fn select(self, selector: NodeSelector) -> Vec<NodeId> {
        match selector {
            NodeSelector::Number(id) => vec![id],
            NodeSelector::All => self.world.machines().map(Machine::id).collect(),
            NodeSelector::Leader => self.leader().into_iter().collect(),
            NodeSelector::OldLeader => self.old_leader().into_iter().collect(),
            NodeSelector::Active => self.active().into_iter().collect(),
            NodeSelector::Followers => {
                let leader = self.leader();
                let running = self
                    .world
                    .machines()
                    .filter(|machine| machine.node().is_some());
                running
                    .map(Machine::id)
                    .filter(|id| Some(*id) != leader)
                    .collect()
            }
        }
    }

    /// The nodes that some selectors mean, each once, in the order written.
    pub(super) fn select_all(self, nodes: &Nodes) -> Vec<NodeId> {
        let mut selected = Vec::new();
        for selector in &nodes.0 {
            for id in self.select(selector.value) {
                if !selected.contains(&id) {
                    selected.push(id);
                }
            }
        }
        selected
    }

    pub(super) fn machine(self, id: NodeId) -> Option<&'a Machine> {
        self.world.machine(id)
    }

    /// Who leads the highest epoch that anybody leads.
    pub(super) fn leader(self) -> Option<NodeId> {
        let nodes = self.world.machines().filter_map(Machine::node);
        let leading = nodes.filter(|node| node.leader_and_epoch().leader == Some(node.id()));
        leading.max_by_key(|node| node.epoch()).map(node::Node::id)
    }

    fn old_leader(self) -> Option<NodeId> {
        let now = self.leader();
        self.observer
            .leaders()
            .iter()
            .rev()
            .copied()
            .find(|id| Some(*id) != now)
    }

    /// Whose controller is active in the highest epoch.
    pub(super) fn active(self) -> Option<NodeId> {
        let nodes = self.world.machines().filter_map(Machine::node);
        nodes
            .filter(|node| is_active(node))
            .max_by_key(|node| node.epoch())
            .map(node::Node::id)
    }
}

/// Whether a controller leads and has done its activation.
pub(super) fn is_active(node: &node::Node) -> bool {
    let controller = node.controller();
    let done = controller
        .activations()
        .last()
        .map(|activation| activation.epoch);
    controller.claim_epoch().is_some() && controller.claim_epoch() == done
}
