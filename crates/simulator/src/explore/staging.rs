//! Brings a quorum that works into a situation, and judges how it comes out of it.

use determinism::{Rng, Time};
use records::NodeId;
use releases::raft::PreVote;

use super::cluster::{Cluster, both_ways};
use super::liveness::{LIVENESS_BOUND, SENTENCE, works};
use super::situation::Situation;
use crate::network::Direction;

/// What LDR-3 says.
const STABLE_LEADER: &str = "Where the release has pre-vote, a leader that a majority of the voters reaches stays leader (KIP-996).";
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
        let mut rng = cluster.world.stream("situation");
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
        let led = |cluster: &Cluster| works(cluster) && cluster.leader().is_some();
        if !cluster.run_until(LIVENESS_BOUND, led) {
            cluster.find("LIVE-1", SENTENCE, format!("nothing works: {self}"));
            return None;
        }
        let leader = cluster.leader()?;
        match self {
            Situation::FirstElection => Some(Time::ZERO),
            Situation::LeaderKilled => {
                cluster.hold_down(leader);
                self.without(cluster, leader)
            }
            Situation::LeaderStopped => {
                cluster.held.insert(leader);
                cluster.world.stop(leader);
                cluster.look(leader);
                self.without(cluster, leader)
            }
            Situation::AllKilled => self.all_killed(cluster, &mut rng),
            Situation::LeaderCutOff => {
                self.cut_off(cluster, leader)?;
                self.all_go_on(cluster)
            }
            Situation::Split => self.split(cluster, &mut rng),
            Situation::CutFromTheStart => self.stays(cluster, leader),
            Situation::CutWhileLed => {
                let mut order = cluster.ids();
                order.retain(|id| *id != leader);
                rng.shuffle(&mut order);
                order.insert(0, leader);
                let missing = if order.len() < 5 {
                    WHILE_LED_BY_ONE_OF_THREE
                } else {
                    WHILE_LED
                };
                cut(cluster, &order, missing);
                self.stays(cluster, leader)
            }
            Situation::TwoLeadersInARow => {
                self.cut_off(cluster, leader)?;
                let second = cluster.leader().unwrap_or(leader);
                self.cut_off(cluster, second)?;
                self.all_go_on(cluster)
            }
            Situation::DiskLost => disk_lost(cluster, leader, &mut rng),
        }
    }

    /// The leader's process is held down until the others go on; then it comes back.
    fn without(self, cluster: &mut Cluster, leader: NodeId) -> Option<Time> {
        let rest = others(cluster, leader);
        let came = self.moves_on(cluster, &rest);
        cluster.let_go(leader, Time::ZERO);
        came?;
        self.all_go_on(cluster)
    }

    fn all_killed(self, cluster: &mut Cluster, rng: &mut Rng) -> Option<Time> {
        let mut ids = cluster.ids();
        for id in &ids {
            cluster.hold_down(*id);
        }
        rng.shuffle(&mut ids);
        let back = &ids[..=ids.len() / 2];
        for id in back {
            cluster.let_go(*id, Time::from_millis(rng.range(0, 500)));
        }
        self.moves_on(cluster, back)
    }

    /// Nobody hears the leader until the others go on.
    fn cut_off(self, cluster: &mut Cluster, leader: NodeId) -> Option<Time> {
        let links = cluster.around(leader);
        cluster.cut(&links);
        let rest = others(cluster, leader);
        let came = self.moves_on(cluster, &rest);
        cluster.mend(&links);
        came
    }

    fn split(self, cluster: &mut Cluster, rng: &mut Rng) -> Option<Time> {
        let mut ids = cluster.ids();
        rng.shuffle(&mut ids);
        let (few, many) = ids.split_at((ids.len() - 1) / 2);
        let links: Vec<Direction> = few
            .iter()
            .flat_map(|one| many.iter().flat_map(|other| both_ways(*one, *other)))
            .collect();
        cluster.cut(&links);
        let came = self.moves_on(cluster, many);
        cluster.mend(&links);
        came?;
        self.all_go_on(cluster)
    }

    /// One of these nodes is active, and commits something new.
    fn moves_on(self, cluster: &mut Cluster, among: &[NodeId]) -> Option<Time> {
        let (reached, began) = (cluster.high_watermark(), cluster.world.now());
        let moves = |cluster: &Cluster| {
            let nodes = among.iter().filter_map(|id| cluster.machine(*id).node());
            let mut active = nodes.filter(|node| node.is_active());
            active.any(|node| is_past(node, reached))
        };
        if cluster.run_until(LIVENESS_BOUND, moves) {
            return Some(cluster.world.now().since(began));
        }
        let what = format!("{self}: the others do not commit anything beyond offset {reached}");
        cluster.find("LIVE-1", SENTENCE, what);
        None
    }

    /// Every node, back or reached again, knows something new to be committed.
    fn all_go_on(self, cluster: &mut Cluster) -> Option<Time> {
        let (reached, began) = (cluster.high_watermark(), cluster.world.now());
        let lags = |cluster: &Cluster| {
            let mut machines = cluster.world.machines();
            let lag = |machine: &&crate::Machine| {
                !machine.node().is_some_and(|node| is_past(node, reached))
            };
            machines.find(lag).map(crate::Machine::id)
        };
        if cluster.run_until(LIVENESS_BOUND, |cluster| lags(cluster).is_none()) {
            return Some(cluster.world.now().since(began));
        }
        let who = lags(cluster).map_or_else(String::new, |id| format!("node {id} "));
        let what = format!("{self}: {who}does not come beyond offset {reached} again");
        cluster.find("LIVE-1", SENTENCE, what);
        None
    }

    /// The leader stays and commits, where all nodes have pre-vote; older releases promise nothing here.
    fn stays(self, cluster: &mut Cluster, leader: NodeId) -> Option<Time> {
        let mut nodes = cluster.shape.nodes.iter();
        let pre_vote = nodes.all(|(_, rules)| rules.raft.pre_vote != PreVote::Absent);
        let epoch = cluster.machine(leader).node().map(node::Node::epoch);
        let reached = cluster.high_watermark();
        let another = |cluster: &Cluster| {
            let node = cluster.machine(leader).node();
            cluster.leader() != Some(leader) || node.map(node::Node::epoch) != epoch
        };
        if !pre_vote {
            cluster.run_for(STABLE_FOR);
        } else if cluster.run_until(STABLE_FOR, another) {
            let what = format!("{self}: node {leader} did not stay leader of its epoch");
            cluster.find("LDR-3", STABLE_LEADER, what);
        } else if cluster.high_watermark() <= reached {
            let what =
                format!("{self}: node {leader} leads and commits nothing beyond offset {reached}");
            cluster.find("LIVE-1", SENTENCE, what);
        }
        cluster.world.network_mut().heal();
        self.all_go_on(cluster)
    }
}

fn is_past(node: &node::Node, offset: i64) -> bool {
    let known = node.replica().high_watermark();
    known.is_some_and(|known| known > offset)
}

fn others(cluster: &Cluster, gone: NodeId) -> Vec<NodeId> {
    let mut ids = cluster.ids();
    ids.retain(|id| *id != gone);
    ids
}

/// A node loses its disk while every other one holds everything: any one of them can still tell what is committed,
/// and none will stand in an epoch in which the lost vote was given.
fn disk_lost(cluster: &mut Cluster, leader: NodeId, rng: &mut Rng) -> Option<Time> {
    if !cluster.run_until(LIVENESS_BOUND, all_hold_the_same) {
        let what = "the followers never hold what the leader holds".to_owned();
        cluster.find("LIVE-1", SENTENCE, what);
        return None;
    }
    let ids = cluster.ids();
    let lost = rng.pick(&ids).copied().unwrap_or(leader);
    cluster.lose_disk(lost);
    cluster.let_go(lost, Time::from_millis(rng.range(200, 5_000)));
    let held = cluster.high_watermark();
    let began = cluster.world.now();
    let caught_up = move |cluster: &Cluster| {
        let node = cluster.machine(lost).node();
        works(cluster) && node.is_some_and(|node| node.replica().log_end_offset() > held)
    };
    if !cluster.run_until(LIVENESS_BOUND, caught_up) {
        let what = format!("node {lost} lost its disk, and does not catch up");
        cluster.find("LIVE-1", SENTENCE, what);
        return None;
    }
    Some(cluster.world.now().since(began))
}

fn cut(cluster: &mut Cluster, order: &[NodeId], missing: &[(usize, usize)]) {
    for (one, other) in missing {
        cluster.cut(&both_ways(order[*one], order[*other]));
    }
}

/// All run, in one epoch with a leader, with the same log end, up to which all is committed.
fn all_hold_the_same(cluster: &Cluster) -> bool {
    let standings: Option<Vec<_>> = cluster
        .world
        .machines()
        .map(|machine| {
            let replica = machine.node()?.replica();
            Some((replica.leader()?, replica.epoch(), replica.log_end_offset()))
        })
        .collect();
    // A follower learns late what is committed, in the older releases not before there is more.
    let committed = cluster.high_watermark();
    standings.is_some_and(|all| {
        all.windows(2).all(|pair| pair[0] == pair[1])
            && all.first().is_some_and(|(.., end)| *end == committed)
    })
}
