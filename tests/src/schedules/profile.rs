use determinism::Rng;
use records::feature::Line;
use serde_json::{Map, Value, json};

use super::settings;

/// What kind of cluster a schedule is about, and what happens to it.
#[derive(Clone, Debug)]
pub struct Profile {
    pub nodes: Vec<i32>,
    /// Who is none.
    pub observers: Vec<i32>,
    /// Whether voters can change.
    pub is_dynamic: bool,
    /// Whether there are controllers.
    pub has_controllers: bool,
    /// Whether the observers add themselves.
    pub joins: bool,
    /// How ordinary it is.
    pub setting: Setting,
    /// What is done to it, beside elections and the handling of messages.
    pub families: Vec<Family>,
    /// How it gets on.
    pub pace: Pace,
}

/// How ordinary a cluster is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Defaults for almost everything.
    Plain,
    /// Other properties, features, identities, a start one by one.
    Odd,
}

/// How a schedule gets on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Single steps: a message, a poll, the clock.
    Steps,
    /// Runs, with single steps between them.
    Runs,
}

/// A kind of thing that is done to a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Messages come late, and requests come twice.
    Late,
    /// Voters come and go quickly, with crashes between.
    Voters,
    /// Checkpoints of any offset, cleaning, truncation below a checkpoint.
    Snapshots,
    /// `kraft.version` is upgraded, by leaders that have resigned too.
    KraftVersion,
    /// Several features at once, odd types of upgrade.
    Features,
    /// Brokers, topics, configurations.
    Brokers,
    /// The clock jumps.
    Clock,
    Large,
    /// Records that cannot be written.
    Refused,
    /// Requests made by hand, nonsense.
    Odd,
    /// Processes end and lose what they had not flushed.
    Crashes,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 11] = [
        Family::Late,
        Family::Voters,
        Family::Snapshots,
        Family::KraftVersion,
        Family::Features,
        Family::Brokers,
        Family::Clock,
        Family::Large,
        Family::Refused,
        Family::Odd,
        Family::Crashes,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Family::Late => "late",
            Family::Voters => "voters",
            Family::Snapshots => "snapshots",
            Family::KraftVersion => "kraft-version",
            Family::Features => "features",
            Family::Brokers => "brokers",
            Family::Clock => "clock",
            Family::Large => "large",
            Family::Refused => "refused",
            Family::Odd => "odd",
            Family::Crashes => "crashes",
        }
    }

    fn wants_controllers(self) -> bool {
        matches!(
            self,
            Family::Brokers | Family::KraftVersion | Family::Features
        )
    }
}

impl Profile {
    /// The profile of a seed. With `only`, the cluster is one that suits these families, and nothing else happens to it.
    pub fn of(seed: u64, only: &[Family]) -> Self {
        let mut rng = Rng::from_seed(seed).fork("profile");
        let families = if only.is_empty() {
            drawn(&mut rng)
        } else {
            only.to_vec()
        };
        let has = |family: Family| families.contains(&family);
        let upgrades = has(Family::KraftVersion);
        let is_dynamic =
            !upgrades && (has(Family::Voters) || rng.chance(1, 2)) || rng.chance(1, 20);
        let counts: &[i32] = match (has(Family::Brokers), rng.chance(1, 4)) {
            // Brokers want a controller that stays.
            (true, false) => &[1, 1, 2, 3, 3],
            (true, true) => &[3, 4, 5],
            (false, false) => &[1, 1, 2, 3, 3, 3, 3, 4, 5, 5],
            (false, true) => &[6, 7, 7, 8, 9, 9],
        };
        let count = *rng.pick(counts).unwrap_or(&3);
        let observers: &[i32] = if is_dynamic {
            &[0, 1, 1, 2, 2, 3]
        } else {
            &[0, 0, 0, 1]
        };
        let observers = *rng.pick(observers).unwrap_or(&0);
        let wants_controllers = families.iter().any(|family| family.wants_controllers());
        Profile {
            nodes: (1..=count).collect(),
            observers: (count + 1..=count + observers).collect(),
            is_dynamic,
            has_controllers: wants_controllers || rng.chance(1, 2),
            joins: is_dynamic && rng.chance(1, 4),
            setting: if rng.chance(1, 3) {
                Setting::Odd
            } else {
                Setting::Plain
            },
            pace: if count > 5 || has(Family::Brokers) || rng.chance(1, 3) {
                Pace::Runs
            } else {
                Pace::Steps
            },
            families,
        }
    }

    /// The same cluster with another number of voters.
    #[must_use]
    pub fn with_voters(mut self, count: i32) -> Self {
        let observers = self.observers.len() as i32;
        self.nodes = (1..=count).collect();
        self.observers = (count + 1..=count + observers).collect();
        self
    }

    /// Voters and observers.
    pub fn all(&self) -> Vec<i32> {
        [self.nodes.as_slice(), &self.observers].concat()
    }

    /// Whether this is done to it.
    pub fn has(&self, family: Family) -> bool {
        self.families.contains(&family)
    }

    /// The first command.
    pub fn init(&self, line: Line, seed: u64, rng: &mut Rng) -> Value {
        let mut init = json!({
            "cmd": "init",
            "nodes": self.nodes,
            "quorum": if self.is_dynamic { "dynamic" } else { "static" },
            "seed": seed,
            "trace": true,
            "props": settings::plain(self, rng),
        });
        if !self.has_controllers {
            init["controller"] = false.into();
        }
        if !self.observers.is_empty() {
            init["observers"] = self.observers.clone().into();
        }
        if self.joins {
            let own = |id: &i32| {
                (
                    id.to_string(),
                    json!({ "controller.quorum.auto.join.enable": "true" }),
                )
            };
            init["node_props"] =
                Value::Object(self.observers.iter().map(own).collect::<Map<_, _>>());
        }
        if rng.chance(1, 3) {
            let first = |id: &i32| (id.to_string(), json!([i64::from(*id - 1) * 300]));
            init["draws"] = Value::Object(self.nodes.iter().map(first).collect::<Map<_, _>>());
        }
        if self.has(Family::Brokers) && line != Line::V3_9 && rng.chance(1, 2) {
            init["features"] = json!({ "eligible.leader.replicas.version": 1 });
        }
        if self.setting == Setting::Odd {
            settings::twist(self, line, &mut init, rng);
        }
        init
    }
}

/// Two to five of them; now and then all.
fn drawn(rng: &mut Rng) -> Vec<Family> {
    let mut all = Family::ALL.to_vec();
    if rng.chance(1, 20) {
        return all;
    }
    rng.shuffle(&mut all);
    all.truncate(1 + rng.below(4) as usize);
    // Something has to happen to the processes of most clusters.
    if rng.chance(1, 2) && !all.contains(&Family::Crashes) {
        all.push(Family::Crashes);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_and_every_size_of_a_quorum_is_drawn() {
        let profiles: Vec<Profile> = (0..300).map(|seed| Profile::of(seed, &[])).collect();
        for family in Family::ALL {
            let count = profiles
                .iter()
                .filter(|profile| profile.has(family))
                .count();
            assert!(count > 30, "{} in {count} of 300", family.name());
        }
        for size in 1..=9 {
            assert!(profiles.iter().any(|profile| profile.nodes.len() == size));
        }
    }
}
