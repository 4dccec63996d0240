//! The network: `cut`, `isolate`, `split`, `heal`, `delay`, `drop`.

use std::fmt;

use winnow::combinator::{alt, opt, separated};
use winnow::prelude::*;

use crate::run::action::{DropWhich, LinkEnds, MessageKind, NetworkAction};
use crate::run::duration;
use crate::scenario::grammar::{Input, Parsed, after, bar, keyword, number, one_of, time};
use crate::scenario::nodes::{node, nodes};

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
pub(crate) fn network(input: &mut Input<'_>) -> Parsed<NetworkAction> {
    alt((
        after("cut", cut),
        after("isolate", nodes).map(NetworkAction::Isolate),
        after("split", separated(2.., nodes, bar)).map(NetworkAction::Split),
        after("mend", mend),
        keyword("heal").value(NetworkAction::Heal),
        after("delay", (link, after("by", time))).map(|(link, by)| NetworkAction::Delay(link, by)),
        after("drop", drop),
    ))
    .parse_next(input)
}

fn cut(input: &mut Input<'_>) -> Parsed<NetworkAction> {
    (node, opt(keyword("to")), node)
        .map(|(from, one_way, to)| match one_way {
            Some(_) => NetworkAction::CutOneWay(LinkEnds { from, to }),
            None => NetworkAction::Cut(from, to),
        })
        .parse_next(input)
}

fn mend(input: &mut Input<'_>) -> Parsed<NetworkAction> {
    (node, opt(keyword("to")), node)
        .map(|(from, one_way, to)| match one_way {
            Some(_) => NetworkAction::MendOneWay(LinkEnds { from, to }),
            None => NetworkAction::Mend(from, to),
        })
        .parse_next(input)
}

fn link(input: &mut Input<'_>) -> Parsed<LinkEnds> {
    (node, after("to", node))
        .map(|(from, to)| LinkEnds { from, to })
        .parse_next(input)
}

fn drop(input: &mut Input<'_>) -> Parsed<NetworkAction> {
    let which = alt((
        after(
            "next",
            (number("a number"), opt(after("after", number("a number")))),
        )
        .map(|(count, after): (u32, Option<u32>)| DropWhich::Next {
            count,
            after: after.unwrap_or(0),
        }),
        after("number", number("a number")).map(|number: u32| DropWhich::Next {
            count: 1,
            after: number.saturating_sub(1),
        }),
    ));
    (
        one_of("a kind of message", &MESSAGE_KINDS),
        opt(link),
        opt(which),
    )
        .map(|(kind, link, which)| NetworkAction::Drop {
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

impl fmt::Display for LinkEnds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.from, self.to)
    }
}

impl fmt::Display for NetworkAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkAction::Cut(a, b) => write!(f, "cut {a} {b}"),
            NetworkAction::CutOneWay(link) => write!(f, "cut {link}"),
            NetworkAction::Isolate(nodes) => write!(f, "isolate {nodes}"),
            NetworkAction::Split(sides) => {
                f.write_str("split ")?;
                for (i, side) in sides.iter().enumerate() {
                    let bar = if i == 0 { "" } else { " | " };
                    write!(f, "{bar}{side}")?;
                }
                Ok(())
            }
            NetworkAction::Mend(a, b) => write!(f, "mend {a} {b}"),
            NetworkAction::MendOneWay(link) => write!(f, "mend {link}"),
            NetworkAction::Heal => f.write_str("heal"),
            NetworkAction::Delay(link, by) => write!(f, "delay {link} by {}", duration::print(*by)),
            NetworkAction::Drop { kind, link, which } => {
                write!(f, "drop {}", kind.name())?;
                if let Some(link) = link {
                    write!(f, " {link}")?;
                }
                match which {
                    DropWhich::All => Ok(()),
                    DropWhich::Next { count, after: 0 } => write!(f, " next {count}"),
                    DropWhich::Next { count: 1, after } => {
                        write!(f, " number {}", u64::from(*after) + 1)
                    }
                    DropWhich::Next { count, after } => write!(f, " next {count} after {after}"),
                }
            }
        }
    }
}
