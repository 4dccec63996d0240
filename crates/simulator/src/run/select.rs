//! Which nodes a selector means now.

use node::Node;
use records::NodeId;

use super::Run;
use super::action::{NodeSelector, Nodes};
use crate::world::Machine;

/// Looking at who plays which part.
impl Run {
    /// The nodes that a selector means; none where nobody plays that part.
    pub fn select(&self, selector: NodeSelector) -> Vec<NodeId> {
        if let NodeSelector::Number(id) = selector {
            return vec![id];
        }
        let nodes = self.world().machines().map(Machine::id);
        nodes.filter(|id| self.means(selector, *id)).collect()
    }

    /// Whether a selector means a node; collects nothing, since conditions ask it after every event.
    pub fn means(&self, selector: NodeSelector, id: NodeId) -> bool {
        match selector {
            NodeSelector::Number(number) => number == id,
            NodeSelector::All => true,
            NodeSelector::Leader => self.leader() == Some(id),
            NodeSelector::OldLeader => self.old_leader() == Some(id),
            NodeSelector::Active => self.active() == Some(id),
            NodeSelector::Followers => self.is_up(id) && self.leader() != Some(id),
        }
    }

    /// The nodes that some selectors mean, each once, in the order written.
    pub fn select_all(&self, nodes: &Nodes) -> Vec<NodeId> {
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

    /// Who leads the highest epoch that anybody leads.
    pub fn leader(&self) -> Option<NodeId> {
        let nodes = self.world().machines().filter_map(Machine::node);
        let leading = nodes.filter(|node| node.leader_and_epoch().leader == Some(node.id()));
        leading.max_by_key(|node| node.epoch()).map(Node::id)
    }

    fn old_leader(&self) -> Option<NodeId> {
        let now = self.leader();
        let mut before = self.observer().leaders().iter().rev().copied();
        before.find(|id| Some(*id) != now)
    }

    /// Whose controller is active in the highest epoch.
    pub fn active(&self) -> Option<NodeId> {
        let nodes = self.world().machines().filter_map(Machine::node);
        let active = nodes.filter(|node| is_active(node));
        active.max_by_key(|node| node.epoch()).map(Node::id)
    }

    /// The highest high watermark that any process knows; 0 before there is one.
    pub fn high_watermark(&self) -> i64 {
        let known = self.world().machines().filter_map(Machine::node);
        let known = known.filter_map(|node| node.replica().high_watermark());
        known.max().unwrap_or(0)
    }

    /// Whether a process lives on a node.
    pub fn is_up(&self, id: NodeId) -> bool {
        let machine = self.world().machine(id);
        machine.is_some_and(|machine| machine.node().is_some())
    }
}

/// Whether a controller leads and has done its activation.
pub(crate) fn is_active(node: &Node) -> bool {
    let claimed = node
        .controller()
        .and_then(quorum_controller::Controller::claim_epoch);
    let done = node.activations().last();
    claimed.is_some() && claimed == done.map(|activation| activation.epoch)
}
