//! What an administrator does while faults strike.

use determinism::{Rng, Time};
use node::Node;
use records::feature::KRAFT_VERSION;
use records::{NodeId, ReplicaKey};
use releases::Release;

use crate::run::action::{Change, ClientAction, NodeSelector};
use crate::run::{Run, Spanned};

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

pub(super) fn add(id: NodeId) -> ClientAction {
    ClientAction::AddVoter(Spanned::made(NodeSelector::Number(id)))
}

/// The voter may be the leader.
pub(super) fn remove(id: NodeId) -> ClientAction {
    ClientAction::RemoveVoter {
        node: Spanned::made(NodeSelector::Number(id)),
        directory: None,
    }
}

/// The voters, and whether they stand in the log, as the leader knows them.
pub(super) fn led(run: &Run) -> Option<(Vec<ReplicaKey>, bool)> {
    let leader = run.world().machine(run.leader()?);
    let replica = leader
        .and_then(|machine| machine.node())
        .map(Node::replica)?;
    let voters = replica.voters().voter_keys().collect();
    Some((voters, replica.log_kraft_version() > 0))
}

pub(super) fn outsiders(ids: &[NodeId], voters: &[ReplicaKey]) -> Vec<NodeId> {
    let is_outside = |id: &NodeId| voters.iter().all(|voter| voter.id != *id);
    ids.iter().copied().filter(is_outside).collect()
}
