use records::NodeId;

use crate::run::Spanned;

/// A node, or the nodes that play a part when the command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeSelector {
    /// `3`
    Number(NodeId),
    /// `leader`: the replica that leads the highest epoch.
    Leader,
    /// `old-leader`: the leader before the present one.
    OldLeader,
    /// `followers`: every running controller but the leader.
    Followers,
    /// `active`: the node whose controller is active in the highest epoch.
    Active,
    /// `all`: every node of the world.
    All,
}

/// One or more selectors, in the order written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nodes(pub Vec<Spanned<NodeSelector>>);

impl Nodes {
    /// One node, by its number.
    pub fn one(id: NodeId) -> Self {
        Nodes(vec![Spanned::made(NodeSelector::Number(id))])
    }

    /// Some nodes, by their numbers.
    pub fn some(ids: impl IntoIterator<Item = NodeId>) -> Self {
        let numbers = ids.into_iter().map(NodeSelector::Number);
        Nodes(numbers.map(Spanned::made).collect())
    }
}
