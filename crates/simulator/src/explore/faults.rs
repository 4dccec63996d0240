use std::collections::BTreeSet;
use std::fmt;

use determinism::{Rng, Time};
use records::NodeId;

use super::cluster::{Cluster, Deed, both_ways};
use crate::network::{Direction, DropRule};

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

impl Faults {
    /// Draws which kinds there are at all: a run with few kinds goes further into each.
    pub(super) fn drawn(cluster: &Cluster, strikes: Strikes) -> Self {
        let mut rng = cluster.world.stream("faults");
        let mut kinds = KINDS.to_vec();
        kinds.retain(|_| rng.chance(1, 2));
        let mut ids = cluster.ids();
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

    /// A fault, and the plan for the next one.
    pub(super) fn next(cluster: &mut Cluster) {
        let ids = cluster.ids();
        let Some(faults) = &mut cluster.faults else {
            return;
        };
        let pause = faults.rng.range(20, faults.pause_ms);
        let node = faults.rng.pick(&ids).copied();
        if let Some(node) = node {
            Self::strike(cluster, node);
        }
        cluster.plan(Time::from_millis(pause), Deed::Fault);
    }

    /// A node leads or is active since this moment: maybe something happens to it soon.
    pub(super) fn stage_reached(cluster: &mut Cluster, id: NodeId) {
        let Some(faults) = &mut cluster.faults else {
            return;
        };
        if faults.strikes == Strikes::AtStages && faults.rng.chance(1, 2) {
            let after = Time::from_micros(faults.rng.below(40_000));
            cluster.plan(after, Deed::Strike(id));
        }
    }

    /// One fault on this node.
    pub(super) fn strike(cluster: &mut Cluster, id: NodeId) {
        let ids = cluster.ids();
        let Some(faults) = &mut cluster.faults else {
            return;
        };
        let Some((kind, name)) = faults.rng.pick(&faults.kinds).copied() else {
            return;
        };
        let rng = &mut faults.rng;
        let others: Vec<NodeId> = ids.into_iter().filter(|other| *other != id).collect();
        let other = rng.pick(&others).copied();
        let length = Time::from_millis(rng.range(100, 6_000));
        let (few, many, coin) = (rng.below(6), rng.below(OPERATIONS_AHEAD), rng.chance(1, 2));
        let fragile = faults.fragile.contains(&id);
        let done = match kind {
            Kind::Crash => cluster.is_up(id).then(|| cluster.crash(id)),
            Kind::CrashAtDisk => (!fragile).then(|| crash_at_disk(cluster, id, many)),
            Kind::PowerLoss => (fragile && !cluster.lost_a_disk).then(|| {
                cluster.world.power_loss(id);
                cluster.look(id);
            }),
            Kind::Stop => cluster.is_up(id).then(|| {
                cluster.world.stop(id);
                cluster.look(id);
            }),
            Kind::Cut => other.map(|other| {
                let links = both_ways(id, other);
                let links = if coin { &links[..1] } else { &links[..] };
                cut_for(cluster, links.to_vec(), length);
            }),
            Kind::Isolate => other.map(|_| {
                let links = cluster.around(id);
                cut_for(cluster, links, length);
            }),
            Kind::Pause => cluster.is_up(id).then(|| {
                cluster.world.pause(id);
                cluster.plan(length, Deed::Resume(id));
            }),
            Kind::Drop => other.map(|other| {
                let direction = both_ways(id, other)[usize::from(coin)];
                cluster.world.network_mut().drop_messages(DropRule {
                    direction: Some(direction),
                    kind: None,
                    after: few,
                    count: 1 + many % 8,
                });
            }),
            Kind::Slow => other.map(|other| {
                let links = both_ways(id, other).to_vec();
                for link in &links {
                    let delay = Time::from_millis(50 * (1 + many));
                    cluster.world.network_mut().set_delay(*link, delay);
                }
                cluster.plan(length, Deed::Mend(links));
            }),
        };
        if done.is_some() {
            cluster.tell(&format!("{name}: node {id}"));
        }
    }
}

/// The node's process, this one or the next, dies before one of the next operations on its disk.
fn crash_at_disk(cluster: &mut Cluster, id: NodeId, ahead: u64) {
    if let Some(disk) = cluster.world.disk_mut(id) {
        let at = disk.operations() + ahead;
        disk.crash_at_operation(at);
    }
}

fn cut_for(cluster: &mut Cluster, links: Vec<Direction>, length: Time) {
    cluster.cut(&links);
    cluster.plan(length, Deed::Mend(links));
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
