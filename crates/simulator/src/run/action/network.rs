use determinism::Time;

use super::{NodeSelector, Nodes};
use crate::run::Spanned;

/// What can be done to links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkAction {
    /// `cut 1 2`: nothing passes, either way.
    Cut(Spanned<NodeSelector>, Spanned<NodeSelector>),
    /// `cut 1 to 2`: nothing passes this way.
    CutOneWay(LinkEnds),
    /// `isolate NODES`: cut from all others.
    Isolate(Nodes),
    /// `split 1 2 | 3 4 5`: cut between the sides.
    Split(Vec<Nodes>),
    /// `mend 1 2`: undoes cuts and delays between two nodes, both ways.
    Mend(Spanned<NodeSelector>, Spanned<NodeSelector>),
    /// `mend 1 to 2`: the same, this way only.
    MendOneWay(LinkEnds),
    /// `heal`: undoes every cut, split, delay and drop.
    Heal,
    /// `delay 1 to 3 by 300ms`: on top of the link's own time.
    Delay(LinkEnds, Time),
    /// `drop KIND [A to B] [next N [after K]|number K]`
    Drop {
        kind: MessageKind,
        /// On which link; without it, on all.
        link: Option<LinkEnds>,
        /// Which of them; without it, all from now on.
        which: DropWhich,
    },
}

/// One direction between two nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkEnds {
    pub from: Spanned<NodeSelector>,
    /// Who would receive.
    pub to: Spanned<NodeSelector>,
}

/// Which messages of a kind a `drop` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropWhich {
    /// All from now on, until `heal`.
    All,
    /// `next 3`: the next three; `next 3 after 5`: five pass before them; `number 14` is `next 1 after 13`.
    Next {
        /// How many are lost.
        count: u32,
        /// How many pass before.
        after: u32,
    },
}

/// A kind of message by Kafka's name; `DataFetchResponse` is a fetch response that carries records other than raft's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
