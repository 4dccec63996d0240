use determinism::Time;
use releases::Rules;

use super::cluster::Cluster;
use super::faults::{Faults, Strikes};
use super::outcome::SeedOutcome;
use super::profile::Profile;
use super::shape::Shape;
use super::{liveness, situation};

/// The longest pause between the first start of a process and the last.
const START_SPREAD_MS: u64 = 3_000;

/// What is explored: a profile, and the rule sets that a node may run.
#[derive(Clone, Debug)]
pub struct Exploration {
    profile: Profile,
    rules: Vec<Rules>,
}

impl Exploration {
    /// Runs of `profile`; each node of a run draws one of `rules`.
    pub fn new(profile: Profile, rules: Vec<Rules>) -> Self {
        Exploration { profile, rules }
    }

    /// Runs one seed. The same seed always comes to the same outcome.
    pub fn seed(&self, seed: u64) -> SeedOutcome {
        match self.profile {
            Profile::Bootstrap => self.bootstrap(seed),
            Profile::Quorum => self.quorum(seed),
        }
    }

    /// Starts spread over time, faults from the first moment on, then none.
    fn bootstrap(&self, seed: u64) -> SeedOutcome {
        let shape = Shape::drawn(seed, &[1, 2, 3, 3, 3, 4, 5], &self.rules);
        let mut cluster = Cluster::new(seed, &shape);
        let mut starts = cluster.world.stream("pauses between starts");
        for id in cluster.ids() {
            let after = Time::from_millis(starts.below(START_SPREAD_MS));
            cluster.start_after(id, after);
        }
        let faults = Faults::drawn(&cluster, Strikes::AtStages);
        let drawn = format!("{shape}; {faults}");
        let mut draw = cluster.world.stream("length of the faults");
        let length = Time::from_millis(draw.range(2_000, 20_000));
        cluster.suffer(faults, length);
        let recovered_in = liveness::phase(&mut cluster);
        cluster.outcome(seed, drawn, recovered_in)
    }

    /// A quorum that works, one situation, random faults, then none.
    fn quorum(&self, seed: u64) -> SeedOutcome {
        let (situation, sizes) = situation::drawn(seed);
        let shape = Shape::drawn(seed, sizes, &self.rules);
        let mut cluster = Cluster::new(seed, &shape);
        for id in cluster.ids() {
            cluster.start_after(id, Time::ZERO);
        }
        let mut recovered_in = situation.run(&mut cluster);
        let faults = Faults::drawn(&cluster, Strikes::AtAnyTime);
        let drawn = format!("{shape}; {situation}; {faults}");
        if recovered_in.is_some() {
            cluster.suffer(faults, Time::from_secs(15));
            recovered_in = liveness::phase(&mut cluster);
        }
        cluster.outcome(seed, drawn, recovered_in)
    }
}
