use std::collections::BTreeSet;
use std::fmt;

use determinism::{Rng, Time};
use records::NodeId;

use crate::run::action::{
    DiskPoint, DropWhich, LinkEnds, MessageKind, NetworkAction, NodeSelector, Nodes, ProcessAction,
};
use crate::run::{Action, Run, Spanned};

/// The operations of a disk among which a crash is drawn: a first start makes about forty.
const OPERATIONS_AHEAD: u64 = 60;

/// One kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `kill -9`.
    Crash,
    /// A crash before one of the next operations on the disk.
    CrashAtDisk,
    /// A crash that takes with it what was not synced; only on few nodes.
    PowerLoss,
    /// A clean stop.
    Stop,
    /// One direction, or both, between two nodes.
    Cut,
    /// A node on its own.
    Isolate,
    /// The process stands still.
    Pause,
    /// Some messages of a link vanish.
    Drop,
    /// A link takes its time.
    Slow,
}

const KINDS: [(Kind, &str); 9] = [
    (Kind::Crash, "crash"),
    (Kind::CrashAtDisk, "crash at a disk operation"),
    (Kind::PowerLoss, "power loss"),
    (Kind::Stop, "stop"),
    (Kind::Cut, "cut"),
    (Kind::Isolate, "isolation"),
    (Kind::Pause, "pause"),
    (Kind::Drop, "lost messages"),
    (Kind::Slow, "slow links"),
];

/// When faults happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strikes {
    /// At random times, and where a node has just become leader, or its controller active.
    AtStages,
    /// At random times.
    AtAnyTime,
}

/// Which faults a seed has, and how often.
#[derive(Clone, Debug)]
pub(super) struct Faults {
    kinds: Vec<(Kind, &'static str)>,
    /// The longest pause between two of them.
    pause_ms: u64,
    strikes: Strikes,
    /// Nodes that may lose what they did not sync: a minority. No process dies there between an append and the sync of
    /// the log: the next one takes the batch for durable, as Kafka does, and a power loss shows that it is not.
    fragile: BTreeSet<NodeId>,
    rng: Rng,
}

/// One fault: what is done now, and what undoes it later.
#[derive(Clone, Debug)]
pub(super) struct Strike {
    pub(super) now: Vec<Action>,
    pub(super) later: Vec<Action>,
    /// How long the fault lasts.
    pub(super) length: Time,
}

impl Faults {
    /// Draws which kinds there are at all: a run with few kinds goes further into each.
    pub(super) fn drawn(mut rng: Rng, mut ids: Vec<NodeId>, strikes: Strikes) -> Self {
        let mut kinds = KINDS.to_vec();
        kinds.retain(|_| rng.chance(1, 2));
        rng.shuffle(&mut ids);
        let power_fails = kinds.iter().any(|(kind, _)| *kind == Kind::PowerLoss);
        let minority = if power_fails { (ids.len() - 1) / 2 } else { 0 };
        ids.truncate(minority);
        let pause_ms = *rng
            .pick(&[300, 1_500, 4_000])
            .expect("there are three paces");
        let strikes = match strikes {
            Strikes::AtStages if rng.chance(3, 4) => Strikes::AtStages,
            _ => Strikes::AtAnyTime,
        };
        Faults {
            kinds,
            pause_ms,
            strikes,
            fragile: ids.into_iter().collect(),
            rng,
        }
    }

    /// Whether something that was not synced may be lost.
    pub(super) fn power_fails(&self) -> bool {
        !self.fragile.is_empty()
    }

    /// At most one node may lose what it did not sync: a minority of any three voters.
    pub(super) fn with_one_fragile(mut self) -> Self {
        while self.fragile.len() > 1 {
            self.fragile.pop_last();
        }
        self
    }

    /// Nobody may lose what it did not sync: a node has lost its whole disk.
    pub(super) fn with_none_fragile(mut self) -> Self {
        self.fragile.clear();
        self.kinds.retain(|(kind, _)| *kind != Kind::PowerLoss);
        self
    }

    /// When the next fault comes, and on which node this one does.
    pub(super) fn next(&mut self, ids: &[NodeId]) -> (Time, Option<NodeId>) {
        let pause = self.rng.range(20, self.pause_ms);
        (Time::from_millis(pause), self.rng.pick(ids).copied())
    }

    /// A node leads or is active since this moment: maybe something happens to it soon.
    pub(super) fn stage_reached(&mut self) -> Option<Time> {
        let strikes = self.strikes == Strikes::AtStages && self.rng.chance(1, 2);
        strikes.then(|| Time::from_micros(self.rng.below(40_000)))
    }

    /// One fault on this node; `None` where what was drawn cannot happen there now.
    pub(super) fn strike(&mut self, run: &Run, ids: &[NodeId], id: NodeId) -> Option<Strike> {
        let (kind, _) = self.rng.pick(&self.kinds).copied()?;
        let rng = &mut self.rng;
        let others: Vec<NodeId> = ids.iter().copied().filter(|other| *other != id).collect();
        let other = rng.pick(&others).copied();
        let length = Time::from_millis(rng.range(100, 6_000));
        let (few, many, coin) = (rng.below(6), rng.below(OPERATIONS_AHEAD), rng.chance(1, 2));
        let fragile = self.fragile.contains(&id);
        let (up, node) = (run.is_up(id), Nodes::one(id));
        let (now, later) = match kind {
            Kind::Crash if up => only(ProcessAction::Crash(node)),
            Kind::CrashAtDisk if !fragile => {
                let (what, nth) = (None, 1 + many as u32);
                only(ProcessAction::CrashAt(node, DiskPoint { what, nth }))
            }
            Kind::PowerLoss if fragile => only(ProcessAction::LoseUnsynced(node)),
            Kind::Stop if up => only(ProcessAction::Stop(node)),
            Kind::Pause if up => only(ProcessAction::Pause(node, Some(length))),
            Kind::Cut => {
                let (this, that) = (selector(id), selector(other?));
                let (to, link) = (that.clone(), link(id, other?));
                if coin {
                    let mend = NetworkAction::MendOneWay(link.clone());
                    (
                        vec![NetworkAction::CutOneWay(link).into()],
                        vec![mend.into()],
                    )
                } else {
                    let mend = NetworkAction::Mend(this.clone(), that);
                    (vec![NetworkAction::Cut(this, to).into()], vec![mend.into()])
                }
            }
            Kind::Isolate if other.is_some() => {
                let mend = |other: &NodeId| NetworkAction::Mend(selector(id), selector(*other));
                let mended = others.iter().map(mend).map(Action::from);
                (vec![NetworkAction::Isolate(node).into()], mended.collect())
            }
            Kind::Drop => {
                let link = if coin {
                    link(other?, id)
                } else {
                    link(id, other?)
                };
                only(NetworkAction::Drop {
                    kind: MessageKind::Any,
                    link: Some(link),
                    which: DropWhich::Next {
                        count: 1 + many as u32 % 8,
                        after: few as u32,
                    },
                })
            }
            Kind::Slow => {
                let other = other?;
                let by = Time::from_millis(50 * (1 + many));
                let slow = |from, to| Action::from(NetworkAction::Delay(link(from, to), by));
                let mend = NetworkAction::Mend(selector(id), selector(other));
                (vec![slow(id, other), slow(other, id)], vec![mend.into()])
            }
            _ => return None,
        };
        Some(Strike { now, later, length })
    }
}

fn only(action: impl Into<Action>) -> (Vec<Action>, Vec<Action>) {
    (vec![action.into()], Vec::new())
}

fn selector(id: NodeId) -> Spanned<NodeSelector> {
    Spanned::made(NodeSelector::Number(id))
}

fn link(from: NodeId, to: NodeId) -> LinkEnds {
    let (from, to) = (selector(from), selector(to));
    LinkEnds { from, to }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.kinds.iter().map(|(_, name)| *name).collect();
        match names.as_slice() {
            [] => f.write_str("no faults"),
            names => {
                f.write_str(&names.join(", "))?;
                match self.strikes {
                    Strikes::AtStages => f.write_str("; also at activations"),
                    Strikes::AtAnyTime => Ok(()),
                }
            }
        }
    }
}
