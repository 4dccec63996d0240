//! The network: `cut`, `isolate`, `split`, `heal`, `delay`, `drop`.

use std::fmt;

use determinism::Time;
use winnow::combinator::{alt, opt, separated};
use winnow::prelude::*;

use crate::scenario::duration;
use crate::scenario::grammar::{Input, Parsed, after, bar, keyword, number, one_of, time};
use crate::scenario::nodes::{NodeSelector, Nodes, node, nodes};
use crate::scenario::span::Spanned;

/// A command about links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Network {
    /// `cut 1 2`: nothing passes, either way.
    Cut(Spanned<NodeSelector>, Spanned<NodeSelector>),
    /// `cut 1 to 2`: nothing passes this way.
    CutOneWay(Link),
    /// `isolate NODES`: cut from all others.
    Isolate(Nodes),
    /// `split 1 2 | 3 4 5`: cut between the sides.
    Split(Vec<Nodes>),
    /// `heal`: undoes every cut, split, delay and drop.
    Heal,
    /// `delay 1 to 3 by 300ms`: on top of the link's own time.
    Delay(Link, Time),
    /// `drop KIND [A to B] [next N|number K]`
    Drop {
        /// Which messages.
        kind: MessageKind,
        /// On which link; without it, on all.
        link: Option<Link>,
        /// Which of them; without it, all from now on.
        which: DropWhich,
    },
}

/// One direction between two nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Who sends.
    pub from: Spanned<NodeSelector>,
    /// Who would receive.
    pub to: Spanned<NodeSelector>,
}

/// Which messages of a kind a `drop` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropWhich {
    /// All from now on, until `heal`.
    All,
    /// `next 3`: the next three.
    Next(u32),
    /// `number 14`: only the fourteenth from now.
    Number(u32),
}

/// A kind of message by Kafka's name; `DataFetchResponse` is a fetch response that carries records other than raft's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // the variants are Kafka's message names
pub enum MessageKind {
    VoteRequest,
    VoteResponse,
    BeginQuorumEpochRequest,
    BeginQuorumEpochResponse,
    EndQuorumEpochRequest,
    EndQuorumEpochResponse,
    FetchRequest,
    FetchResponse,
    DataFetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    ApiVersionsRequest,
    ApiVersionsResponse,
    AddRaftVoterRequest,
    AddRaftVoterResponse,
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
    UpdateRaftVoterRequest,
    UpdateRaftVoterResponse,
    ControllerRegistrationRequest,
    ControllerRegistrationResponse,
    Any,
}

/// The words for kinds of messages.
pub(crate) const MESSAGE_KINDS: [(&str, MessageKind); 22] = [
    ("vote-request", MessageKind::VoteRequest),
    ("vote-response", MessageKind::VoteResponse),
    (
        "begin-quorum-epoch-request",
        MessageKind::BeginQuorumEpochRequest,
    ),
    (
        "begin-quorum-epoch-response",
        MessageKind::BeginQuorumEpochResponse,
    ),
    (
        "end-quorum-epoch-request",
        MessageKind::EndQuorumEpochRequest,
    ),
    (
        "end-quorum-epoch-response",
        MessageKind::EndQuorumEpochResponse,
    ),
    ("fetch-request", MessageKind::FetchRequest),
    ("fetch-response", MessageKind::FetchResponse),
    ("data-fetch-response", MessageKind::DataFetchResponse),
    ("fetch-snapshot-request", MessageKind::FetchSnapshotRequest),
    (
        "fetch-snapshot-response",
        MessageKind::FetchSnapshotResponse,
    ),
    ("api-versions-request", MessageKind::ApiVersionsRequest),
    ("api-versions-response", MessageKind::ApiVersionsResponse),
    ("add-raft-voter-request", MessageKind::AddRaftVoterRequest),
    ("add-raft-voter-response", MessageKind::AddRaftVoterResponse),
    (
        "remove-raft-voter-request",
        MessageKind::RemoveRaftVoterRequest,
    ),
    (
        "remove-raft-voter-response",
        MessageKind::RemoveRaftVoterResponse,
    ),
    (
        "update-raft-voter-request",
        MessageKind::UpdateRaftVoterRequest,
    ),
    (
        "update-raft-voter-response",
        MessageKind::UpdateRaftVoterResponse,
    ),
    (
        "controller-registration-request",
        MessageKind::ControllerRegistrationRequest,
    ),
    (
        "controller-registration-response",
        MessageKind::ControllerRegistrationResponse,
    ),
    ("any", MessageKind::Any),
];

/// A command of this group.
pub(crate) fn network(input: &mut Input<'_>) -> Parsed<Network> {
    alt((
        after("cut", cut),
        after("isolate", nodes).map(Network::Isolate),
        after("split", separated(2.., nodes, bar)).map(Network::Split),
        keyword("heal").value(Network::Heal),
        after("delay", (link, after("by", time))).map(|(link, by)| Network::Delay(link, by)),
        after("drop", drop),
    ))
    .parse_next(input)
}

fn cut(input: &mut Input<'_>) -> Parsed<Network> {
    (node, opt(keyword("to")), node)
        .map(|(from, one_way, to)| match one_way {
            Some(_) => Network::CutOneWay(Link { from, to }),
            None => Network::Cut(from, to),
        })
        .parse_next(input)
}

fn link(input: &mut Input<'_>) -> Parsed<Link> {
    (node, after("to", node))
        .map(|(from, to)| Link { from, to })
        .parse_next(input)
}

fn drop(input: &mut Input<'_>) -> Parsed<Network> {
    let which = alt((
        after("next", number("a number")).map(DropWhich::Next),
        after("number", number("a number")).map(DropWhich::Number),
    ));
    (
        one_of("a kind of message", &MESSAGE_KINDS),
        opt(link),
        opt(which),
    )
        .map(|(kind, link, which)| Network::Drop {
            kind,
            link,
            which: which.unwrap_or(DropWhich::All),
        })
        .parse_next(input)
}

impl MessageKind {
    /// The word of the language.
    pub fn name(self) -> &'static str {
        MESSAGE_KINDS
            .iter()
            .find(|(_, kind)| *kind == self)
            .map_or("any", |(name, _)| name)
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.from, self.to)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Network::Cut(a, b) => write!(f, "cut {a} {b}"),
            Network::CutOneWay(link) => write!(f, "cut {link}"),
            Network::Isolate(nodes) => write!(f, "isolate {nodes}"),
            Network::Split(sides) => {
                f.write_str("split ")?;
                for (i, side) in sides.iter().enumerate() {
                    let bar = if i == 0 { "" } else { " | " };
                    write!(f, "{bar}{side}")?;
                }
                Ok(())
            }
            Network::Heal => f.write_str("heal"),
            Network::Delay(link, by) => write!(f, "delay {link} by {}", duration::print(*by)),
            Network::Drop { kind, link, which } => {
                write!(f, "drop {}", kind.name())?;
                if let Some(link) = link {
                    write!(f, " {link}")?;
                }
                match which {
                    DropWhich::All => Ok(()),
                    DropWhich::Next(n) => write!(f, " next {n}"),
                    DropWhich::Number(k) => write!(f, " number {k}"),
                }
            }
        }
    }
}
