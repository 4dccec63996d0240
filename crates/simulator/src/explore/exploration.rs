use determinism::{Rng, Time};
use releases::Rules;

use super::cluster::{Cluster, Deed};
use super::faults::{Faults, Strikes};
use super::liveness::{self, LIVENESS_BOUND};
use super::membership::{self, Administration};
use super::outcome::SeedOutcome;
use super::profile::Profile;
use super::selection::Selection;
use super::shape::Shape;
use super::situation::Situation;

/// The longest pause between the first start of a process and the last.
const START_SPREAD_MS: u64 = 3_000;
/// How long faults strike after a situation.
const FAULTS_AFTER: Time = Time::from_secs(5);
/// How many controllers a first start is drawn with.
const FIRST_STARTS: &[u64] = &[1, 2, 3, 3, 3, 4, 5];
/// How many voters a quorum has before they are changed.
const CHANGED: &[u64] = &[3, 4, 5];

/// So many voters cannot be brought into that situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("situation {} is not for {voters} voters, but for 3 or 5", situation.name())]
pub struct ImpossibleSelection {
    situation: Situation,
    voters: u64,
}

/// What is explored: a profile, and the rule sets that a node may run.
#[derive(Clone, Debug)]
pub struct Exploration {
    profile: Profile,
    rules: Vec<Rules>,
    selection: Selection,
}

impl Exploration {
    /// Runs of `profile`; each node of a run draws one of `rules`.
    pub fn new(profile: Profile, rules: Vec<Rules>) -> Self {
        Exploration {
            profile,
            rules,
            selection: Selection::default(),
        }
    }

    /// With some of what a seed would draw chosen.
    ///
    /// # Errors
    ///
    /// Where no quorum of so many voters can be in a chosen situation.
    pub fn with(self, selection: Selection) -> Result<Self, ImpossibleSelection> {
        if let Some(voters) = selection.voters
            && let Some(situation) = selection.situations.iter().find(|one| !one.takes(voters))
        {
            return Err(ImpossibleSelection {
                situation: *situation,
                voters,
            });
        }
        if selection.possible().is_empty() && self.profile == Profile::Quorum {
            return Err(ImpossibleSelection {
                situation: Situation::FirstElection,
                voters: selection.voters.unwrap_or_default(),
            });
        }
        Ok(Exploration { selection, ..self })
    }

    /// Runs one seed. The same seed always comes to the same outcome.
    pub fn seed(&self, seed: u64) -> SeedOutcome {
        match self.profile {
            Profile::Bootstrap => self.bootstrap(seed),
            Profile::Quorum => self.quorum(seed),
            Profile::Membership => self.membership(seed),
        }
    }

    /// Starts spread over time, faults from the first moment on, then none.
    fn bootstrap(&self, seed: u64) -> SeedOutcome {
        let shape = Shape::drawn(seed, FIRST_STARTS, &self.rules, &self.selection);
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
        let situation = Situation::drawn(seed, &self.selection.possible());
        let sizes = situation.drawn_sizes();
        let shape = Shape::drawn(seed, sizes, &self.rules, &self.selection);
        let shape = shape.with_drawn_checkpoints();
        let mut cluster = Cluster::new(seed, &shape);
        for id in cluster.ids() {
            cluster.start_after(id, Time::ZERO);
        }
        let mut recovered_in = situation.run(&mut cluster);
        let faults = Faults::drawn(&cluster, Strikes::AtAnyTime);
        let drawn = format!("{shape}; {situation}; {faults}");
        if recovered_in.is_some() {
            cluster.suffer(faults, FAULTS_AFTER);
            recovered_in = liveness::phase(&mut cluster);
        }
        cluster.outcome(seed, drawn, recovered_in)
    }

    /// A quorum that works, whose voters are changed while faults strike; then neither.
    fn membership(&self, seed: u64) -> SeedOutcome {
        let shape = Shape::drawn(seed, CHANGED, &self.rules, &self.selection);
        let mut draw = Rng::from_seed(seed).fork("membership");
        let shape = shape
            .with_observers(draw.range(1, 2), &self.rules)
            .with_drawn_checkpoints();
        let mut cluster = Cluster::new(seed, &shape);
        for id in cluster.ids() {
            cluster.start_after(id, Time::ZERO);
        }
        let faults = Faults::drawn(&cluster, Strikes::AtStages).with_one_fragile();
        let drawn = format!("{shape}; {faults}");
        let mut recovered_in = None;
        if cluster.run_until(LIVENESS_BOUND, liveness::works) {
            let least = if faults.power_fails() { 3 } else { 2 };
            cluster.administration = Some(Administration::drawn(&cluster, least));
            cluster.plan(Time::ZERO, Deed::Administer);
            let length = *draw.pick(&[15, 15, 70]).expect("there are lengths");
            cluster.suffer(faults, Time::from_secs(length));
            recovered_in = liveness::phase(&mut cluster);
            if recovered_in.is_some() {
                membership::calm(&mut cluster);
            }
        } else {
            let what = "nothing works before anything is changed".to_owned();
            cluster.find("LIVE-1", liveness::SENTENCE, what);
        }
        cluster.outcome(seed, drawn, recovered_in)
    }
}
