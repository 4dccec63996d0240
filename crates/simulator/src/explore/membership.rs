//! Profile `membership`: an administrator changes the voters, and more, while faults strike.

use determinism::{Rng, Time};
use node::Node;
use records::feature::KRAFT_VERSION;
use records::{NodeId, ReplicaKey};
use releases::raft::ObserverFetchTimeout;
use releases::{Release, Rules};

use super::cluster::Cluster;
use super::liveness::{LIVENESS_BOUND, LIVES};
use crate::run::action::{Change, ClientAction, NodeSelector, QuorumKind};
use crate::run::condition::Fact;
use crate::run::{Run, Spanned};

/// How long the administrator waits, in calm, before the same thing is asked again.
const PATIENCE: Time = Time::from_secs(2);

/// What an administrator does, and how often.
#[derive(Clone, Debug)]
pub(super) struct Administration {
    rng: Rng,
    pause_ms: u64,
    /// Voters are removed down to so many: what the fault contract needs.
    least: usize,
    /// What the nodes may run.
    releases: Vec<Release>,
}

/// A thing that can be done.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// The leader is asked.
    Ask(ClientAction),
    /// The next process of a node runs another release.
    Exchange(NodeId, Release),
}

impl Administration {
    pub(super) fn drawn(mut rng: Rng, least: usize, releases: Vec<Release>) -> Self {
        let pause_ms = *rng.pick(&[800, 3_000]).expect("there are two paces");
        Administration {
            rng,
            pause_ms,
            least,
            releases,
        }
    }

    /// What is done now, if anything can be, and how long it is until the next time.
    pub(super) fn next(&mut self, run: &Run, ids: &[NodeId]) -> (Option<Act>, Time) {
        let acts = self.possible(run, ids);
        let pause = self.rng.range(20, self.pause_ms);
        (self.rng.pick(&acts).cloned(), Time::from_millis(pause))
    }

    /// What can be done now, as the leader sees it; nothing while nobody leads.
    fn possible(&self, run: &Run, ids: &[NodeId]) -> Vec<Act> {
        let Some((voters, dynamic)) = led(run) else {
            return Vec::new();
        };
        let mut acts = Vec::new();
        if dynamic {
            let outside = outsiders(ids, &voters).into_iter();
            acts.extend(outside.map(|id| Act::Ask(add(id))));
            if voters.len() > self.least {
                acts.extend(voters.iter().map(|voter| Act::Ask(remove(voter.id))));
            }
        } else {
            acts.push(Act::Ask(ClientAction::UpdateFeature {
                feature: Spanned::made(KRAFT_VERSION.to_owned()),
                level: Spanned::made("1".to_owned()),
                change: Change::Upgrade,
            }));
        }
        for id in ids {
            let own = run
                .world()
                .machine(*id)
                .map(|machine| machine.rules().release);
            let mut others = self.releases.iter().copied();
            let other = others.find(|other| Some(*other) != own);
            acts.extend(other.map(|other| Act::Exchange(*id, other)));
        }
        acts
    }
}

fn add(id: NodeId) -> ClientAction {
    ClientAction::AddVoter(Spanned::made(NodeSelector::Number(id)))
}

/// The voter may be the leader.
fn remove(id: NodeId) -> ClientAction {
    ClientAction::RemoveVoter {
        node: Spanned::made(NodeSelector::Number(id)),
        directory: None,
    }
}

/// The voters, and whether they stand in the log, as the leader knows them.
fn led(run: &Run) -> Option<(Vec<ReplicaKey>, bool)> {
    let leader = run.world().machine(run.leader()?);
    let replica = leader
        .and_then(|machine| machine.node())
        .map(Node::replica)?;
    let voters = replica.voters().voter_keys().collect();
    Some((voters, replica.log_kraft_version() > 0))
}

fn outsiders(ids: &[NodeId], voters: &[ReplicaKey]) -> Vec<NodeId> {
    let is_outside = |id: &NodeId| voters.iter().all(|voter| voter.id != *id);
    ids.iter().copied().filter(is_outside).collect()
}

/// In calm, what is asked for again and again is done: a dynamic quorum takes one more voter, or loses one.
pub(super) fn calm(cluster: &mut Cluster) {
    let tries = LIVENESS_BOUND.as_micros() / PATIENCE.as_micros();
    let mut wanted: Option<(ClientAction, Fact)> = None;
    for _ in 0..tries {
        let Some((voters, dynamic)) = led(&cluster.run) else {
            cluster.run_for(PATIENCE);
            continue;
        };
        if !dynamic || is_unheard_of(cluster) {
            return;
        }
        let (ask, done) = wanted
            .get_or_insert_with(|| change(cluster, &voters))
            .clone();
        cluster.act(ask);
        if cluster.wait(done, PATIENCE, None).is_some() {
            return;
        }
    }
    match wanted {
        Some((_, done)) => cluster.expect(done, LIVES),
        None => cluster.expect(Fact::Leader(None), LIVES),
    }
}

/// Whether the leader is none of those that a node may ask who the leader is: up to 4.1 an observer that lost it then
/// never finds it again. Only the nodes of a static quorum do not have all others in their configuration.
fn is_unheard_of(cluster: &Cluster) -> bool {
    let asks = |rules: &Rules| {
        rules.raft.observer_fetch_timeout == ObserverFetchTimeout::AsksBootstrapServers
    };
    let leader = cluster.run.leader();
    cluster.shape.quorum == QuorumKind::Static
        && leader.is_some_and(|id| !cluster.shape.is_first_voter(id))
        && cluster.shape.nodes.iter().any(|(_, rules)| asks(rules))
}

/// What is asked for in calm, and what holds once it is done.
fn change(cluster: &Cluster, voters: &[ReplicaKey]) -> (ClientAction, Fact) {
    // A leader whose own removal was committed too late leads on, and is never caught up with itself: as in Kafka.
    let leader = cluster.run.leader();
    let mut outsiders = outsiders(&cluster.ids(), voters).into_iter();
    if let Some(id) = outsiders.find(|id| Some(*id) != leader) {
        return (add(id), Fact::Voter(Spanned::made(id)));
    }
    let last = voters.last().map(|voter| voter.id);
    let last = last.expect("a quorum has a voter");
    (remove(last), Fact::NonVoter(Spanned::made(last)))
}
