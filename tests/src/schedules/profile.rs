use determinism::Rng;
use records::feature::Line;
use serde_json::{Map, Value, json};

/// What kind of cluster a schedule is about.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The voters.
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
    /// What is asked of controllers.
    pub load: Load,
}

/// How ordinary a cluster is, and what it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Defaults for almost everything.
    Plain,
    /// Other properties, features, identities, a start one by one; requests made by hand, nonsense.
    Odd,
}

/// What is asked of controllers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// Little: a registration now and then.
    Light,
    /// Brokers that come and go, and topics.
    Brokers,
}

impl Profile {
    /// The profile of a seed: all kinds take turns.
    pub fn of(seed: u64) -> Self {
        let (count, observers, is_dynamic, joins) = match seed / 2 % 6 {
            0 => (3, 0, false, false),
            1 => (3, 1, true, false),
            2 => (5, 0, false, false),
            3 => (3, 2, true, true),
            4 => (1, 2, true, false),
            _ => (2, 0, false, false),
        };
        let load = if seed.is_multiple_of(2) && seed / 12 % 2 == 1 {
            Load::Brokers
        } else {
            Load::Light
        };
        // Brokers want a controller that stays.
        let (count, observers) = match load {
            Load::Brokers => (count.min(1 + seed as i32 / 2 % 3), 0),
            Load::Light => (count, observers),
        };
        Profile {
            nodes: (1..=count).collect(),
            observers: (count + 1..=count + observers).collect(),
            is_dynamic,
            has_controllers: seed.is_multiple_of(2),
            joins,
            setting: if seed % 3 == 2 {
                Setting::Odd
            } else {
                Setting::Plain
            },
            load,
        }
    }

    /// The same cluster with another number of voters.
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

    /// The first command.
    pub fn init(&self, line: Line, seed: u64, rng: &mut Rng) -> Value {
        let mut props =
            json!({ "metadata.max.idle.interval.ms": if rng.chance(1, 6) { "500" } else { "0" } });
        if rng.chance(1, 5) {
            props["controller.quorum.append.linger.ms"] =
                (*rng.pick(&[0, 5, 100]).unwrap_or(&0)).to_string().into();
        }
        if rng.chance(1, 6) {
            props["controller.quorum.fetch.timeout.ms"] = "600".into();
        }
        if self.load == Load::Brokers {
            // Odd, while the clock moves by even steps: at the very end of a session 3.9 looks again and again.
            let timeout = *rng.pick(&[1501, 3001, 9001]).unwrap_or(&9001);
            props["broker.session.timeout.ms"] = timeout.to_string().into();
            if rng.chance(1, 2) {
                props["leader.imbalance.check.interval.seconds"] = "2".into();
            }
            if rng.chance(1, 5) {
                props["min.insync.replicas"] = "2".into();
            }
        }
        let mut init = json!({
            "cmd": "init",
            "nodes": self.nodes,
            "quorum": if self.is_dynamic { "dynamic" } else { "static" },
            "seed": seed,
            "trace": true,
            "props": props,
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
        if self.setting == Setting::Odd {
            self.twist(line, &mut init, rng);
        }
        init
    }

    fn twist(&self, line: Line, init: &mut Value, rng: &mut Rng) {
        let props = &mut init["props"];
        let mut set = |chance: u64, key: &str, values: &[&str], rng: &mut Rng| {
            if rng.chance(chance, 10) {
                props[key] = (*rng.pick(values).unwrap_or(&"1")).into();
            }
        };
        let quorum = |name: &str| format!("controller.quorum.{name}");
        set(
            3,
            &quorum("election.timeout.ms"),
            &["300", "1500", "50"],
            rng,
        );
        set(
            3,
            &quorum("election.backoff.max.ms"),
            &["50", "300", "5000"],
            rng,
        );
        set(
            3,
            &quorum("fetch.timeout.ms"),
            &["400", "1000", "5000"],
            rng,
        );
        set(
            3,
            &quorum("request.timeout.ms"),
            &["200", "700", "4000"],
            rng,
        );
        set(3, &quorum("retry.backoff.ms"), &["0", "5", "100"], rng);
        set(3, &quorum("append.linger.ms"), &["0", "10", "200"], rng);
        let segment = match line {
            Line::V3_9 | Line::V4_0 => "metadata.log.segment.bytes",
            _ => "internal.metadata.log.segment.bytes",
        };
        let size = ["500", "1200", "9000"];
        set(6, segment, &size, rng);
        set(3, "metadata.log.segment.ms", &["100", "2000"], rng);
        set(4, "metadata.max.retention.bytes", &["400", "1500"], rng);
        set(4, "metadata.max.retention.ms", &["100", "2000"], rng);
        if matches!(line, Line::V4_3 | Line::V4_4) {
            set(3, &quorum("fetch.max.bytes"), &["1", "300"], rng);
            set(
                3,
                &quorum("fetch.snapshot.max.bytes"),
                &["1", "100", "400"],
                rng,
            );
        }
        if matches!(line, Line::V3_9 | Line::V4_0) {
            init["props"]["metadata.log.segment.min.bytes"] = "100".into();
        }
        if rng.chance(3, 10) {
            let names = [
                "3.9-IV0", "3.8-IV0", "3.7-IV4", "4.0-IV3", "4.0-IV1", "4.1-IV1",
            ];
            let known = match line {
                Line::V3_9 => &names[..3],
                Line::V4_0 => &names[..4],
                _ => &names[..],
            };
            init["release_version"] = (*rng.pick(known).unwrap_or(&"3.9-IV0")).into();
        } else if rng.chance(3, 10) && self.is_dynamic {
            init["features"] = json!({ "kraft.version": 1 });
        } else if rng.chance(3, 10) && line != Line::V3_9 {
            init["features"] =
                json!({ "group.version": rng.below(2), "transaction.version": rng.below(3) });
        }
        if rng.chance(2, 10) {
            init["unstable"] = true.into();
        }
        if rng.chance(3, 10) {
            init["clock"] = (1_600_000_000_000_i64 + rng.below(1_000_000) as i64).into();
        }
        if rng.chance(3, 10) {
            init["cluster_id"] = "b3RoZXItY2x1c3Rlci1pZA".into();
        }
        if rng.chance(3, 10) {
            init["start"] = false.into();
        }
        if rng.chance(1, 10) {
            init["trace"] = true.into();
        }
    }
}
