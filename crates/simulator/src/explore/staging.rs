//! Brings a quorum that works into a situation, and judges how it comes out of it.

use determinism::{Rng, Time};
use records::NodeId;
use releases::raft::PreVote;

use super::cluster::Cluster;
use super::liveness::{LIVENESS_BOUND, LIVES, beyond};
use super::situation::Situation;
use crate::run::action::{NetworkAction, NodeSelector, Nodes, ProcessAction};
use crate::run::condition::Fact;
use crate::run::{Condition, Spanned};

/// The invariant that is violated where a leader does not stay that must.
const STABLE_LEADER: &str = "LDR-3";
/// How long a leader must stay where it can be reached by a majority.
const STABLE_FOR: Time = Time::from_secs(15);

/// Of five nodes two can only be reached by one other; the remaining three reach each other all the same.
const FROM_THE_START: &[(usize, usize)] = &[(0, 1), (0, 3), (0, 4), (1, 2), (1, 4)];
/// Of three, two do not reach each other.
const FROM_THE_START_OF_THREE: &[(usize, usize)] = &[(0, 1)];
/// The first is the leader and reaches three, of whom two reach each other; the third node reaches only one of those.
const WHILE_LED: &[(usize, usize)] = &[(0, 2), (1, 2), (1, 3), (1, 4), (2, 4)];
/// The leader reaches one follower, and that one the other.
const WHILE_LED_BY_ONE_OF_THREE: &[(usize, usize)] = &[(0, 2)];

impl Situation {
    /// Waits until the quorum works, and brings it into the situation; how long the last recovery took, or nothing
    /// where it did not come.
    pub(super) fn run(self, cluster: &mut Cluster) -> Option<Time> {
        let mut rng = cluster.run.world().stream("situation");
        if self == Situation::CutFromTheStart {
            let mut order = cluster.ids();
            rng.shuffle(&mut order);
            let missing = if order.len() < 5 {
                FROM_THE_START_OF_THREE
            } else {
                FROM_THE_START
            };
            cut(cluster, &order, missing);
        }
        cluster.start_all(|| Time::ZERO);
        let led = Condition::all([Fact::Working, Fact::Leader(None)]);
        cluster.wait(led, LIVENESS_BOUND, Some(LIVES))?;
        let leader = cluster.run.leader()?;
        match self {
            Situation::FirstElection => Some(Time::ZERO),
            Situation::LeaderKilled => {
                cluster.hold_down(leader);
                without(cluster, leader)
            }
            Situation::LeaderStopped => {
                cluster.director.hold(leader);
                cluster.act(ProcessAction::Stop(Nodes::one(leader)));
                without(cluster, leader)
            }
            Situation::AllKilled => all_killed(cluster, &mut rng),
            Situation::LeaderCutOff => {
                cut_off(cluster, leader)?;
                all_go_on(cluster)
            }
            Situation::Split => split(cluster, &mut rng),
            Situation::CutFromTheStart => stays(cluster, leader),
            Situation::CutWhileLed => {
                let mut order = cluster.others(leader);
                rng.shuffle(&mut order);
                order.insert(0, leader);
                let missing = if order.len() < 5 {
                    WHILE_LED_BY_ONE_OF_THREE
                } else {
                    WHILE_LED
                };
                cut(cluster, &order, missing);
                stays(cluster, leader)
            }
            Situation::TwoLeadersInARow => {
                cut_off(cluster, leader)?;
                let second = cluster.run.leader().unwrap_or(leader);
                cut_off(cluster, second)?;
                all_go_on(cluster)
            }
            Situation::DiskLost => disk_lost(cluster, leader, &mut rng),
        }
    }
}

/// The leader's process is held down until the others go on; then it comes back.
fn without(cluster: &mut Cluster, leader: NodeId) -> Option<Time> {
    let rest = cluster.others(leader);
    let came = moves_on(cluster, &rest);
    cluster.let_go(leader, Time::ZERO);
    came?;
    all_go_on(cluster)
}

fn all_killed(cluster: &mut Cluster, rng: &mut Rng) -> Option<Time> {
    let mut ids = cluster.ids();
    for id in &ids {
        cluster.hold_down(*id);
    }
    rng.shuffle(&mut ids);
    let back = &ids[..=ids.len() / 2];
    for id in back {
        cluster.let_go(*id, Time::from_millis(rng.range(0, 500)));
    }
    moves_on(cluster, back)
}

/// Nobody hears the leader until the others go on.
fn cut_off(cluster: &mut Cluster, leader: NodeId) -> Option<Time> {
    cluster.act(NetworkAction::Isolate(Nodes::one(leader)));
    let rest = cluster.others(leader);
    let came = moves_on(cluster, &rest);
    cluster.act(NetworkAction::Heal);
    came
}

fn split(cluster: &mut Cluster, rng: &mut Rng) -> Option<Time> {
    let mut ids = cluster.ids();
    rng.shuffle(&mut ids);
    let (few, many) = ids.split_at((ids.len() - 1) / 2);
    let sides = [few, many].map(|side| Nodes::some(side.iter().copied()));
    cluster.act(NetworkAction::Split(sides.to_vec()));
    let came = moves_on(cluster, many);
    cluster.act(NetworkAction::Heal);
    came?;
    all_go_on(cluster)
}

/// One of these nodes is active, and commits something new.
fn moves_on(cluster: &mut Cluster, among: &[NodeId]) -> Option<Time> {
    let among = Nodes::some(among.iter().copied());
    let moved_on = Fact::MovedOn(among, cluster.run.high_watermark());
    cluster.wait(moved_on, LIVENESS_BOUND, Some(LIVES))
}

/// Every node, back or reached again, knows something new to be committed.
fn all_go_on(cluster: &mut Cluster) -> Option<Time> {
    let more = beyond(cluster.run.high_watermark());
    let all = || Spanned::made(NodeSelector::All);
    let all_know = Condition::all([
        Fact::Running(Nodes(vec![all()])),
        Fact::Committed(more, Some(all())),
    ]);
    cluster.wait(all_know, LIVENESS_BOUND, Some(LIVES))
}

/// The leader stays and commits, where all nodes have pre-vote; older releases promise nothing here.
fn stays(cluster: &mut Cluster, leader: NodeId) -> Option<Time> {
    let mut nodes = cluster.shape.nodes.iter();
    let pre_vote = nodes.all(|(_, rules)| rules.raft.pre_vote != PreVote::Absent);
    let epoch = cluster.machine(leader).node().map(node::Node::epoch)?;
    let more = beyond(cluster.run.high_watermark());
    if pre_vote {
        let before = cluster.run.observer().invariants().violations().len();
        cluster.stay(
            Fact::Leads(Spanned::made(leader), epoch),
            STABLE_FOR,
            STABLE_LEADER,
        );
        if cluster.run.observer().invariants().violations().len() == before {
            cluster.expect(Fact::Committed(more, Some(node(leader))), LIVES);
        }
    } else {
        cluster.run_for(STABLE_FOR);
    }
    cluster.act(NetworkAction::Heal);
    all_go_on(cluster)
}

fn node(id: NodeId) -> Spanned<NodeSelector> {
    Spanned::made(NodeSelector::Number(id))
}

/// A node loses its disk while every other one holds everything: any one of them can still tell what is committed,
/// and none will stand in an epoch in which the lost vote was given.
fn disk_lost(cluster: &mut Cluster, leader: NodeId, rng: &mut Rng) -> Option<Time> {
    cluster.wait(Fact::InStep, LIVENESS_BOUND, Some(LIVES))?;
    let ids = cluster.ids();
    let lost = rng.pick(&ids).copied().unwrap_or(leader);
    let held = cluster.run.high_watermark();
    cluster.lose_disk(lost);
    cluster.let_go(lost, Time::from_millis(rng.range(200, 5_000)));
    let caught_up = Condition::all([
        Fact::Working,
        Fact::Running(Nodes::one(lost)),
        Fact::LogEnd(beyond(held), Some(node(lost))),
    ]);
    cluster.wait(caught_up, LIVENESS_BOUND, Some(LIVES))
}

fn cut(cluster: &mut Cluster, order: &[NodeId], missing: &[(usize, usize)]) {
    for (one, other) in missing {
        cluster.act(NetworkAction::Cut(node(order[*one]), node(order[*other])));
    }
}
