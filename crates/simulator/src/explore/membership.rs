//! Profile `membership`: an administrator changes the voters, and more, while faults strike.

use std::fmt;

use config::meta_properties::{self, MetaProperties};
use determinism::{Rng, Time};
use quorum_controller::UpdateFeatures;
use quorum_controller::request::{Execution, FeatureUpdate, UpgradeType};
use raft::message::{AddRaftVoterRequest, RemoveRaftVoterRequest, Request};
use records::feature::KRAFT_VERSION;
use records::{NodeId, ReplicaKey, Uuid};
use releases::Rules;
use releases::raft::ObserverFetchTimeout;

use super::cluster::{Cluster, Deed};
use super::liveness::{LIVENESS_BOUND, SENTENCE};
use crate::scenario::run::client;
use crate::scenario::run::setting::DIRECTORY;
use crate::scenario::verbs::world::QuorumKind;
use crate::world::Question;

/// `request.timeout.ms` of Kafka's tools.
const TIMEOUT_MS: i32 = 30_000;
/// How long the administrator waits, in calm, before the same thing is asked again.
const PATIENCE: Time = Time::from_secs(2);

/// What an administrator does, and how often.
#[derive(Clone, Debug)]
pub(super) struct Administration {
    rng: Rng,
    pause_ms: u64,
    /// Voters are removed down to so many: what the fault contract needs.
    least: usize,
}

/// A thing that can be done.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// A controller that is no voter becomes one.
    Add(NodeId),
    /// A voter is removed; it may be the leader.
    Remove(ReplicaKey),
    /// A static quorum becomes a dynamic one.
    Upgrade,
    /// A node's next process runs another of the releases.
    Exchange(NodeId),
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Act::Add(id) => write!(f, "add-voter {id}"),
            Act::Remove(key) => write!(f, "remove-voter {}", key.id),
            Act::Upgrade => f.write_str("upgrade-feature kraft.version 1"),
            Act::Exchange(id) => write!(f, "node {id} will run another release"),
        }
    }
}

impl Administration {
    pub(super) fn drawn(cluster: &Cluster, least: usize) -> Self {
        let mut rng = cluster.world.stream("administration");
        let pause_ms = *rng.pick(&[800, 3_000]).expect("there are two paces");
        Administration {
            rng,
            pause_ms,
            least,
        }
    }

    /// Something is asked, and the next time is planned.
    pub(super) fn next(cluster: &mut Cluster) {
        let acts = possible(cluster);
        let Some(own) = &mut cluster.administration else {
            return;
        };
        let pause = own.rng.range(20, own.pause_ms);
        let act = own.rng.pick(&acts).copied();
        if let Some(act) = act {
            perform(cluster, act);
        }
        cluster.plan(Time::from_millis(pause), Deed::Administer);
    }
}

/// What can be done now, as the leader sees it; nothing while nobody leads.
fn possible(cluster: &Cluster) -> Vec<Act> {
    let Some((voters, dynamic)) = led(cluster) else {
        return Vec::new();
    };
    let ids = cluster.ids();
    let Some(own) = &cluster.administration else {
        return Vec::new();
    };
    let mut acts = Vec::new();
    if dynamic {
        acts.extend(outsiders(cluster, &voters).into_iter().map(Act::Add));
        if voters.len() > own.least {
            acts.extend(voters.iter().copied().map(Act::Remove));
        }
    } else {
        acts.push(Act::Upgrade);
    }
    if cluster.shape.releases.len() > 1 {
        acts.extend(ids.into_iter().map(Act::Exchange));
    }
    acts
}

/// The voters, and whether they stand in the log, as the leader knows them.
fn led(cluster: &Cluster) -> Option<(Vec<ReplicaKey>, bool)> {
    let replica = cluster.machine(cluster.leader()?).node()?.replica();
    let voters = replica.voters().voter_keys().collect();
    Some((voters, replica.log_kraft_version() > 0))
}

fn outsiders(cluster: &Cluster, voters: &[ReplicaKey]) -> Vec<NodeId> {
    let mut ids = cluster.ids();
    ids.retain(|id| voters.iter().all(|voter| voter.id != *id));
    ids
}

fn perform(cluster: &mut Cluster, act: Act) {
    cluster.tell(&act.to_string());
    let question = match act {
        Act::Add(id) => added(cluster, id),
        Act::Remove(key) => Some(Question::Raft(Request::RemoveRaftVoter(
            RemoveRaftVoterRequest {
                cluster_id: None,
                voter_id: key.id.0,
                voter_directory_id: key.directory_id.unwrap_or(Uuid::ZERO),
            },
        ))),
        Act::Upgrade => Some(Question::UpdateFeatures(UpdateFeatures {
            updates: vec![FeatureUpdate {
                feature: KRAFT_VERSION.to_owned(),
                level: 1,
                upgrade_type: UpgradeType::Upgrade,
            }],
            execution: Execution::Apply,
        })),
        Act::Exchange(id) => {
            cluster.exchange_release(id);
            None
        }
    };
    let Some((question, leader)) = question.zip(cluster.leader()) else {
        return;
    };
    cluster.world.ask(leader, question);
    cluster.look(leader);
}

fn added(cluster: &Cluster, id: NodeId) -> Option<Question> {
    let machine = cluster.machine(id);
    let path = format!("{DIRECTORY}/{}", meta_properties::FILE_NAME);
    let meta = MetaProperties::parse(&path, &machine.disk().look(&path)?).ok()?;
    Some(Question::Raft(Request::AddRaftVoter(AddRaftVoterRequest {
        cluster_id: None,
        timeout_ms: TIMEOUT_MS,
        voter_id: id.0,
        voter_directory_id: meta.directory_id?,
        listeners: machine.config().endpoints().clone(),
        ack_when_committed: true,
    })))
}

/// In calm, what is asked for again and again is done: a dynamic quorum takes one more voter, or loses one.
pub(super) fn calm(cluster: &mut Cluster) -> Option<Time> {
    let began = cluster.world.now();
    let tries = LIVENESS_BOUND.as_micros() / PATIENCE.as_micros();
    let mut wanted = None;
    let mut answered = String::new();
    cluster.world.take_answers();
    for _ in 0..tries {
        let Some((voters, dynamic)) = led(cluster) else {
            cluster.run_for(PATIENCE);
            continue;
        };
        if !dynamic || is_unheard_of(cluster) {
            return Some(Time::ZERO);
        }
        let (act, id) = *wanted.get_or_insert_with(|| change(cluster, &voters));
        perform(cluster, act);
        let done = |cluster: &Cluster| is_done(cluster, act, id);
        if cluster.run_until(PATIENCE, done) {
            return Some(cluster.world.now().since(began));
        }
        if let Some((_, answer)) = cluster.world.take_answers().last() {
            answered = client::words(answer);
        }
    }
    let what = match wanted {
        Some((act, _)) => {
            let standing = standing(cluster);
            format!("{act}, asked for {tries} times in calm, is not done: {answered}; {standing}")
        }
        None => "nobody leads".to_owned(),
    };
    cluster.find("LIVE-1", SENTENCE, what);
    None
}

/// Whether the leader is none of those that a node may ask who the leader is: up to 4.1 an observer that lost it then
/// never finds it again. Only the nodes of a static quorum do not have all others in their configuration.
fn is_unheard_of(cluster: &Cluster) -> bool {
    let asks = |rules: &Rules| {
        rules.raft.observer_fetch_timeout == ObserverFetchTimeout::AsksBootstrapServers
    };
    let leader = cluster.leader();
    cluster.shape.quorum == QuorumKind::Static
        && leader.is_some_and(|id| !cluster.shape.is_first_voter(id))
        && cluster.shape.nodes.iter().any(|(_, rules)| asks(rules))
}

/// Who stands where, in words.
fn standing(cluster: &Cluster) -> String {
    let nodes = cluster.world.machines().map(|machine| {
        let id = machine.id();
        let Some(node) = machine.node() else {
            return format!("node {id} is down");
        };
        let replica = node.replica();
        let leader = replica
            .leader()
            .map_or_else(|| "nobody".to_owned(), |id| id.to_string());
        format!(
            "node {id}: {} of epoch {}, led by {leader}, log end {}, voters {:?}",
            replica.role().name(),
            replica.epoch(),
            replica.log_end_offset(),
            replica
                .voters()
                .voter_ids()
                .map(|id| id.0)
                .collect::<Vec<_>>()
        )
    });
    nodes.collect::<Vec<_>>().join("; ")
}

fn change(cluster: &Cluster, voters: &[ReplicaKey]) -> (Act, NodeId) {
    // A leader whose own removal was committed too late leads on, and is never caught up with itself: as in Kafka.
    let leader = cluster.leader();
    let mut outsiders = outsiders(cluster, voters).into_iter();
    if let Some(id) = outsiders.find(|id| Some(*id) != leader) {
        return (Act::Add(id), id);
    }
    let last = voters.last().copied();
    let last = last.expect("a quorum has a voter");
    (Act::Remove(last), last.id)
}

/// The leader's voter set is committed, and what was asked for is in it.
fn is_done(cluster: &Cluster, act: Act, id: NodeId) -> bool {
    let node = cluster.leader().and_then(|id| cluster.machine(id).node());
    let Some(replica) = node.map(node::Node::replica) else {
        return false;
    };
    let committed = replica.voters_offset() < replica.high_watermark();
    let is_voter = replica.voters().voter(id).is_some();
    committed && is_voter == matches!(act, Act::Add(_))
}
