use std::fmt;

use records::NodeId;
use winnow::combinator::{alt, repeat};
use winnow::prelude::*;

use super::grammar::{Input, Parsed, keyword, node_number};
use crate::run::Spanned;
use crate::run::action::{NodeSelector, Nodes};

impl fmt::Display for NodeSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NodeSelector::Number(id) => id.fmt(f),
            NodeSelector::Leader => f.write_str("leader"),
            NodeSelector::OldLeader => f.write_str("old-leader"),
            NodeSelector::Followers => f.write_str("followers"),
            NodeSelector::Active => f.write_str("active"),
            NodeSelector::All => f.write_str("all"),
        }
    }
}

impl fmt::Display for Nodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, node) in self.0.iter().enumerate() {
            let blank = if i == 0 { "" } else { " " };
            write!(f, "{blank}{node}")?;
        }
        Ok(())
    }
}

/// A node by its number, or nodes by what they are: `leader`, `followers`, `all`.
pub(crate) fn node(input: &mut Input<'_>) -> Parsed<Spanned<NodeSelector>> {
    let part = |word: &'static str, part: NodeSelector| {
        keyword(word).map(move |span| Spanned::new(part, span))
    };
    alt((
        node_number.map(|n| Spanned::new(NodeSelector::Number(n.value), n.span)),
        part("leader", NodeSelector::Leader),
        part("old-leader", NodeSelector::OldLeader),
        part("followers", NodeSelector::Followers),
        part("active", NodeSelector::Active),
        part("all", NodeSelector::All),
    ))
    .parse_next(input)
}

/// One or more selectors.
pub(crate) fn nodes(input: &mut Input<'_>) -> Parsed<Nodes> {
    repeat(1.., node).map(Nodes).parse_next(input)
}

/// One or more node numbers.
pub(crate) fn node_numbers(input: &mut Input<'_>) -> Parsed<Vec<Spanned<NodeId>>> {
    repeat(1.., node_number).parse_next(input)
}
