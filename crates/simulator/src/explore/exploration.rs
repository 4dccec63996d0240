use determinism::{Rng, Time};
use releases::{Release, Rules, UnknownQuirk};

use super::administration::Administration;
use super::cluster::Cluster;
use super::faults::{Faults, Strikes};
use super::liveness::{self, LIVENESS_BOUND, LIVES};
use super::membership;
use super::outcome::SeedOutcome;
use super::profile::Profile;
use super::selection::Selection;
use super::shape::ClusterShape;
use super::situation::Situation;
use crate::run::Quirks;
use crate::run::condition::Fact;

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
    quirks: Quirks,
    selection: Selection,
}

impl Exploration {
    /// Runs of `profile`; each node of a run draws one of `releases`, with the quirks planted or mended.
    ///
    /// # Errors
    ///
    /// Where there is no such quirk.
    pub fn new(
        profile: Profile,
        releases: &[Release],
        quirks: Quirks,
    ) -> Result<Self, UnknownQuirk> {
        let rules = releases.iter().map(|release| quirks.rules(*release));
        Ok(Exploration {
            profile,
            rules: rules.collect::<Result<_, _>>()?,
            quirks,
            selection: Selection::default(),
        })
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

    /// Runs one seed. The same seed always gives the same outcome.
    pub fn seed(&self, seed: u64) -> SeedOutcome {
        match self.profile {
            Profile::Bootstrap => self.bootstrap(seed),
            Profile::Quorum => self.quorum(seed),
            Profile::Membership => self.membership(seed),
        }
    }

    fn shape(&self, seed: u64, sizes: &[u64]) -> ClusterShape {
        ClusterShape::drawn(seed, sizes, (&self.rules, &self.quirks), &self.selection)
    }

    /// Starts spread over time, faults from the first moment on, then none.
    fn bootstrap(&self, seed: u64) -> SeedOutcome {
        let shape = self.shape(seed, FIRST_STARTS);
        let mut cluster = Cluster::new(&shape);
        let mut starts = cluster.run.world().stream("pauses between starts");
        cluster.start_all(|| Time::from_millis(starts.below(START_SPREAD_MS)));
        let faults = faults(&cluster, Strikes::AtStages);
        let drawn = format!("{shape}; {faults}");
        let mut draw = cluster.run.world().stream("length of the faults");
        let length = Time::from_millis(draw.range(2_000, 20_000));
        suffer(&mut cluster, faults, length);
        let recovered_in = liveness::phase(&mut cluster);
        cluster.outcome(seed, drawn, recovered_in)
    }

    /// A quorum that works, one situation, random faults, then none.
    fn quorum(&self, seed: u64) -> SeedOutcome {
        let situation = Situation::drawn(seed, &self.selection.possible());
        let shape = self.shape(seed, situation.drawn_sizes());
        let shape = shape.with_drawn_checkpoints(&self.rules);
        let mut cluster = Cluster::new(&shape);
        let mut recovered_in = situation.run(&mut cluster);
        let mut faults = faults(&cluster, Strikes::AtAnyTime);
        if situation == Situation::DiskLost {
            faults = faults.with_none_fragile();
        }
        let drawn = format!("{shape}; {situation}; {faults}");
        if recovered_in.is_some() {
            suffer(&mut cluster, faults, FAULTS_AFTER);
            recovered_in = liveness::phase(&mut cluster);
        }
        cluster.outcome(seed, drawn, recovered_in)
    }

    /// A quorum that works, whose voters are changed while faults strike; then neither.
    fn membership(&self, seed: u64) -> SeedOutcome {
        let shape = self.shape(seed, CHANGED);
        let mut draw = Rng::from_seed(seed).fork("membership");
        let shape = shape
            .with_observers(draw.range(1, 2), &self.rules)
            .with_drawn_checkpoints(&self.rules);
        let mut cluster = Cluster::new(&shape);
        cluster.start_all(|| Time::ZERO);
        let faults = faults(&cluster, Strikes::AtStages).with_one_fragile();
        let drawn = format!("{shape}; {faults}");
        let mut recovered_in = cluster.wait(Fact::Working, LIVENESS_BOUND, Some(LIVES));
        if recovered_in.is_some() {
            let least = if faults.power_fails() { 3 } else { 2 };
            let releases = self.rules.iter().map(|rules| rules.release).collect();
            let rng = cluster.run.world().stream("administration");
            let administration = Administration::drawn(rng, least, releases);
            let now = cluster.run.now();
            cluster.director.begin_administration(now, administration);
            let length = *draw.pick(&[15, 15, 70]).expect("there are lengths");
            suffer(&mut cluster, faults, Time::from_secs(length));
            recovered_in = liveness::phase(&mut cluster);
            if recovered_in.is_some() {
                membership::calm(&mut cluster);
            }
        }
        cluster.outcome(seed, drawn, recovered_in)
    }
}

fn faults(cluster: &Cluster, strikes: Strikes) -> Faults {
    let rng = cluster.run.world().stream("faults");
    Faults::drawn(rng, cluster.ids(), strikes)
}

/// Lets `faults` happen for `length`.
fn suffer(cluster: &mut Cluster, faults: Faults, length: Time) {
    cluster.director.begin_faults(cluster.run.now(), faults);
    cluster.run_for(length);
}
