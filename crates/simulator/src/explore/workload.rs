use determinism::Time;
use releases::Release;

use super::cluster::Cluster;
use super::shape::ClusterShape;
use crate::run::action::{NodeSelector, Nodes, QuorumKind};
use crate::run::condition::Fact;
use crate::run::{Condition, Spanned};

/// A run that is timed: the same work for every seed, all invariants watching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Workload {
    /// Three controllers from formatted directories to an active controller and to quiet.
    Activate3,
    /// Three controllers for 120 simulated seconds, without faults.
    Chaos3,
}

/// What a run of a workload did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    pub events: u64,
    pub messages: u64,
    pub simulated: Time,
    /// The determinism hash.
    pub hash: u64,
}

impl Workload {
    pub const ALL: [Workload; 2] = [Workload::Activate3, Workload::Chaos3];

    /// `activate3`, `chaos3`.
    pub fn name(self) -> &'static str {
        match self {
            Workload::Activate3 => "activate3",
            Workload::Chaos3 => "chaos3",
        }
    }

    /// What it is, in one sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Workload::Activate3 => {
                "3 controllers of 4.4.0, from formatted directories to all registered"
            }
            Workload::Chaos3 => "3 controllers of 4.4.0 for 120 simulated seconds, no faults yet",
        }
    }

    /// Runs one seed to its end.
    pub fn run(self, seed: u64) -> Measured {
        let shape = ClusterShape::plain(seed, QuorumKind::Dynamic, 3, &Release::V4_4_0.rules());
        let mut cluster = Cluster::new(&shape);
        cluster.start_all(|| Time::ZERO);
        match self {
            Workload::Activate3 => {
                let all = Nodes(vec![Spanned::made(NodeSelector::All)]);
                let settled = Condition::all([Fact::Working, Fact::Registered(all)]);
                cluster.wait(settled, Time::from_secs(12), None);
            }
            Workload::Chaos3 => cluster.run_for(Time::from_secs(120)),
        }
        let outcome = cluster.outcome(seed, String::new(), None);
        debug_assert!(outcome.violations.is_empty(), "{:?}", outcome.violations);
        Measured {
            events: outcome.events,
            messages: outcome.messages,
            simulated: outcome.simulated,
            hash: outcome.hash,
        }
    }
}
