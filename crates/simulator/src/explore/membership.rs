//! Profile `membership`: an administrator changes the voters, and more, while faults strike.

use determinism::Time;
use records::ReplicaKey;
use releases::Rules;
use releases::raft::ObserverFetchTimeout;

use super::administration::{add, led, outsiders, remove};
use super::cluster::Cluster;
use super::liveness::{LIVENESS_BOUND, LIVES};
use crate::run::Spanned;
use crate::run::action::{ClientAction, QuorumKind};
use crate::run::condition::Fact;

/// How long the administrator waits, in calm, before the same thing is asked again.
const PATIENCE: Time = Time::from_secs(2);

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
