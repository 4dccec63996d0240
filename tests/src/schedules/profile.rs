use determinism::Rng;
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
        Profile {
            nodes: (1..=count).collect(),
            observers: (count + 1..=count + observers).collect(),
            is_dynamic,
            has_controllers: seed.is_multiple_of(2),
            joins,
        }
    }

    /// Voters and observers.
    pub fn all(&self) -> Vec<i32> {
        [self.nodes.as_slice(), &self.observers].concat()
    }

    /// The first command.
    pub fn init(&self, seed: u64, rng: &mut Rng) -> Value {
        let mut props =
            json!({ "metadata.max.idle.interval.ms": if rng.chance(1, 6) { "500" } else { "0" } });
        if rng.chance(1, 5) {
            props["controller.quorum.append.linger.ms"] =
                (*rng.pick(&[0, 5, 100]).unwrap_or(&0)).to_string().into();
        }
        if rng.chance(1, 6) {
            props["controller.quorum.fetch.timeout.ms"] = "600".into();
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
        init
    }
}
