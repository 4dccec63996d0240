//! The nine situations of Kafka's own simulation of raft (`4.4:raft/src/test/…/RaftEventSimulationTest.java`).

use std::fmt;

use determinism::{Rng, Time};
use records::NodeId;
use releases::raft::PreVote;

use super::cluster::{Cluster, both_ways};
use super::liveness::{LIVENESS_BOUND, SENTENCE, works};
use crate::network::Direction;

/// What LDR-3 says.
const STABLE_LEADER: &str = "Where the release has pre-vote, a leader that a majority of the voters reaches stays leader (KIP-996).";
/// How long a leader must stay where it can be reached by a majority.
const STABLE_FOR: Time = Time::from_secs(15);

/// A situation; `run` brings a quorum into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Situation {
    FirstElection,
    LeaderKilled,
    LeaderStopped,
    AllKilled,
    LeaderCutOff,
    Split,
    CutFromTheStart,
    CutWhileLed,
    TwoLeadersInARow,
    DiskLost,
}

/// Of five nodes two can only be reached by one other; the remaining three reach each other all the same.
const FROM_THE_START: &[(usize, usize)] = &[(0, 1), (0, 3), (0, 4), (1, 2), (1, 4)];
/// The first is the leader and reaches three, of whom two reach each other; the third node reaches only one of those.
const WHILE_LED: &[(usize, usize)] = &[(0, 2), (1, 2), (1, 3), (1, 4), (2, 4)];

const THREE_OR_FIVE: &[u64] = &[3, 3, 5];
const FIVE: &[u64] = &[5];

const SITUATIONS: [(Situation, &[u64], &str); 10] = [
    (Situation::FirstElection, &[1, 2, 3, 4, 5], "first election"),
    (
        Situation::LeaderKilled,
        THREE_OR_FIVE,
        "the leader is killed, and comes back",
    ),
    (
        Situation::LeaderStopped,
        THREE_OR_FIVE,
        "the leader is shut down, and comes back",
    ),
    (
        Situation::AllKilled,
        THREE_OR_FIVE,
        "all are killed, and a majority comes back",
    ),
    (
        Situation::LeaderCutOff,
        THREE_OR_FIVE,
        "the leader is cut off",
    ),
    (
        Situation::Split,
        FIVE,
        "two are split from three, and join them again",
    ),
    (
        Situation::CutFromTheStart,
        FIVE,
        "links missing from the start",
    ),
    (Situation::CutWhileLed, FIVE, "links cut around a leader"),
    (
        Situation::TwoLeadersInARow,
        THREE_OR_FIVE,
        "two leaders are lost in a row",
    ),
    (Situation::DiskLost, THREE_OR_FIVE, "a node loses its disk"),
];

/// The situation of a seed, and how many voters it is for.
pub(super) fn drawn(seed: u64) -> (Situation, &'static [u64]) {
    let mut rng = Rng::from_seed(seed).fork("situation");
    let at = rng.below(SITUATIONS.len() as u64) as usize;
    (SITUATIONS[at].0, SITUATIONS[at].1)
}

impl fmt::Display for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = SITUATIONS.iter().find(|(one, ..)| one == self);
        f.write_str(named.map_or("", |(.., name)| name))
    }
}

impl Situation {
    /// Waits until the quorum works, and brings it into the situation; how long the last recovery took, or nothing
    /// where it did not come.
    pub(super) fn run(self, cluster: &mut Cluster) -> Option<Time> {
        if self == Situation::CutFromTheStart {
            cut(cluster, &cluster.ids(), FROM_THE_START);
        }
        let led = |cluster: &Cluster| works(cluster) && cluster.leader().is_some();
        if !cluster.run_until(LIVENESS_BOUND, led) {
            cluster.find("LIVE-1", SENTENCE, format!("nothing works: {self}"));
            return None;
        }
        let leader = cluster.leader()?;
        let others = |gone: &[NodeId]| {
            let mut ids = cluster.ids();
            ids.retain(|id| !gone.contains(id));
            ids
        };
        let rest = others(&[leader]);
        match self {
            Situation::FirstElection => Some(Time::ZERO),
            Situation::LeaderKilled => {
                cluster.hold_down(leader);
                let came = self.moves_on(cluster, &rest);
                cluster.let_go(leader, Time::ZERO);
                came
            }
            Situation::LeaderStopped => {
                cluster.held.insert(leader);
                cluster.world.stop(leader);
                cluster.look(leader);
                let came = self.moves_on(cluster, &rest);
                cluster.let_go(leader, Time::ZERO);
                came
            }
            Situation::AllKilled => self.all_killed(cluster),
            Situation::LeaderCutOff => {
                let links = cluster.around(leader);
                cluster.cut(&links);
                let came = self.moves_on(cluster, &rest);
                cluster.mend(&links);
                came
            }
            Situation::Split => self.split(cluster),
            Situation::CutFromTheStart => {
                self.stays(cluster, leader);
                Some(Time::ZERO)
            }
            Situation::CutWhileLed => {
                let order: Vec<NodeId> = [leader].into_iter().chain(rest).collect();
                cut(cluster, &order, WHILE_LED);
                self.stays(cluster, leader);
                Some(Time::ZERO)
            }
            Situation::TwoLeadersInARow => self.two_in_a_row(cluster, leader, &rest),
            Situation::DiskLost => disk_lost(cluster, leader),
        }
    }

    fn all_killed(self, cluster: &mut Cluster) -> Option<Time> {
        let ids = cluster.ids();
        for id in &ids {
            cluster.hold_down(*id);
        }
        let back = &ids[..=ids.len() / 2];
        for id in back {
            cluster.let_go(*id, Time::from_millis(100));
        }
        self.moves_on(cluster, back)
    }

    fn split(self, cluster: &mut Cluster) -> Option<Time> {
        let ids = cluster.ids();
        let (few, many) = ids.split_at(ids.len() / 2);
        let links: Vec<Direction> = few
            .iter()
            .flat_map(|one| many.iter().flat_map(|other| both_ways(*one, *other)))
            .collect();
        cluster.cut(&links);
        let came = self.moves_on(cluster, many);
        cluster.mend(&links);
        came?;
        self.moves_on(cluster, &ids)
    }

    fn two_in_a_row(self, cluster: &mut Cluster, first: NodeId, rest: &[NodeId]) -> Option<Time> {
        let links = cluster.around(first);
        cluster.cut(&links);
        self.moves_on(cluster, rest)?;
        let second = cluster.leader().unwrap_or(first);
        cluster.mend(&links);
        let links = cluster.around(second);
        cluster.cut(&links);
        let mut others = cluster.ids();
        others.retain(|id| *id != second);
        let came = self.moves_on(cluster, &others);
        cluster.mend(&links);
        came
    }

    /// One of these nodes is active, and commits something new.
    fn moves_on(self, cluster: &mut Cluster, among: &[NodeId]) -> Option<Time> {
        let (reached, began) = (cluster.high_watermark(), cluster.world.now());
        let moves = |cluster: &Cluster| {
            among.iter().any(|id| {
                let node = cluster.machine(*id).node();
                node.is_some_and(|node| {
                    node.is_active()
                        && node
                            .replica()
                            .high_watermark()
                            .is_some_and(|offset| offset > reached)
                })
            })
        };
        if cluster.run_until(LIVENESS_BOUND, moves) {
            return Some(cluster.world.now().since(began));
        }
        let what = format!("{self}: the others do not commit anything beyond offset {reached}");
        cluster.find("LIVE-1", SENTENCE, what);
        None
    }

    /// The leader stays, where all nodes have pre-vote.
    fn stays(self, cluster: &mut Cluster, leader: NodeId) {
        let pre_vote = cluster
            .shape
            .nodes
            .iter()
            .all(|(_, rules)| rules.raft.pre_vote != PreVote::Absent);
        let epoch = cluster.machine(leader).node().map(node::Node::epoch);
        let another = |cluster: &Cluster| {
            let node = cluster.machine(leader).node();
            cluster.leader() != Some(leader) || node.map(node::Node::epoch) != epoch
        };
        if pre_vote && cluster.run_until(STABLE_FOR, another) {
            let what = format!("{self}: node {leader} did not stay leader of its epoch");
            cluster.find("LDR-3", STABLE_LEADER, what);
        } else if !pre_vote {
            cluster.run_for(STABLE_FOR);
        }
        cluster.world.network_mut().heal();
    }
}

/// A node loses its disk while every other one holds everything: any one of them can still tell what is committed,
/// and none will stand in an epoch in which the lost vote was given.
fn disk_lost(cluster: &mut Cluster, leader: NodeId) -> Option<Time> {
    if !cluster.run_until(LIVENESS_BOUND, all_hold_the_same) {
        let what = "the followers never hold what the leader holds".to_owned();
        cluster.find("LIVE-1", SENTENCE, what);
        return None;
    }
    let mut rng = cluster.world.stream("whose disk is lost");
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
