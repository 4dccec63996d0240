//! Looking: `files`, `log`, `quorum`, `image`, `diff`, `callbacks`, `timeline`, `versions`.

use std::fmt;

use winnow::combinator::{alt, opt};
use winnow::prelude::*;

use crate::run::Spanned;
use crate::run::action::{NodeSelector, Nodes};
use crate::scenario::grammar::{Input, Parsed, after, keyword, number};
use crate::scenario::nodes::{node, nodes};

/// A command that prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Looking {
    /// `files NODES`: what stands in the metadata log directory, and what it holds.
    Files(Nodes),
    /// `log NODES [from OFFSET]`: the batches on disk, and how far they are committed.
    Log(Nodes, Option<i64>),
    /// `quorum`: role, epoch, leader, offsets of every node.
    Quorum,
    /// `image NODES`: the committed metadata.
    Image(Nodes),
    /// `diff 1 2`: where two nodes' logs and files differ.
    Diff(Spanned<NodeSelector>, Spanned<NodeSelector>),
    /// `callbacks NODES`: what raft told the listeners.
    Callbacks(Nodes),
    /// `timeline`: what happened so far, with times.
    Timeline,
    /// `versions NODES`: the supported and finalized features that an `ApiVersions` request is told.
    Versions(Nodes),
}

/// A command of this group.
pub(crate) fn looking(input: &mut Input<'_>) -> Parsed<Looking> {
    alt((
        after("files", nodes).map(Looking::Files),
        after("log", (nodes, opt(after("from", number("an offset")))))
            .map(|(nodes, from)| Looking::Log(nodes, from)),
        keyword("quorum").value(Looking::Quorum),
        after("image", nodes).map(Looking::Image),
        after("diff", (node, node)).map(|(a, b)| Looking::Diff(a, b)),
        after("callbacks", nodes).map(Looking::Callbacks),
        keyword("timeline").value(Looking::Timeline),
        after("versions", nodes).map(Looking::Versions),
    ))
    .parse_next(input)
}

impl fmt::Display for Looking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Looking::Files(nodes) => write!(f, "files {nodes}"),
            Looking::Log(nodes, None) => write!(f, "log {nodes}"),
            Looking::Log(nodes, Some(from)) => write!(f, "log {nodes} from {from}"),
            Looking::Quorum => f.write_str("quorum"),
            Looking::Image(nodes) => write!(f, "image {nodes}"),
            Looking::Diff(a, b) => write!(f, "diff {a} {b}"),
            Looking::Callbacks(nodes) => write!(f, "callbacks {nodes}"),
            Looking::Timeline => f.write_str("timeline"),
            Looking::Versions(nodes) => write!(f, "versions {nodes}"),
        }
    }
}
