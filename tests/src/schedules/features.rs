//! Updates of features: `kraft.version`, several at once, odd types.

use serde_json::{Map, Value, json};

use super::Generator;

const NAMES: [&str; 8] = [
    "metadata.version",
    "kraft.version",
    "group.version",
    "transaction.version",
    "eligible.leader.replicas.version",
    "share.version",
    "streams.version",
    "no.such.feature",
];

impl Generator {
    /// `kraft.version` is upgraded, after every controller has registered; or by one whose replica no longer leads.
    pub(super) fn upgrade_kraft_version(&mut self) {
        let Some(node) = self.active_or_another() else {
            return;
        };
        if self.rng.chance(1, 2) {
            for id in self.profile.all() {
                if self.rng.chance(9, 10) {
                    self.of_controller(node, json!({ "op": "registerController", "id": id }));
                }
            }
            let ms = self.one_of(&[0, 100, 1000]);
            self.tell(json!({ "cmd": "run", "ms": ms, "step": 50 }));
        }
        match self.rng.below(6) {
            0 => self.of_leader("resign"),
            1 => {
                self.of_leader("resign");
                self.tell(json!({ "cmd": "poll", "node": node }));
            }
            _ => {}
        }
        let level = self.one_of(&[1, 1, 1, 1, 0, 2]);
        let mut command =
            json!({ "op": "updateFeatures", "levels": { "kraft.version": level }, "type": 1 });
        if self.rng.chance(1, 5) {
            command["type"] = self.upgrade_type().into();
        }
        if self.rng.chance(1, 6) {
            command["validate_only"] = true.into();
        }
        if self.rng.chance(1, 6) {
            command["levels"]["group.version"] = 1.into();
        }
        self.of_controller(node, command);
        if self.rng.chance(1, 3) {
            let ms = self.one_of(&[0, 50, 600]);
            self.tell(json!({ "cmd": "run", "ms": ms, "step": 50 }));
        }
    }

    fn upgrade_type(&mut self) -> i32 {
        self.one_of(&[1, 1, 1, 2, 2, 3, 3, 0, 4, 127, -1, 300])
    }

    fn level_of(&mut self, name: &str) -> i64 {
        match name {
            "metadata.version" if self.rng.chance(4, 5) => 7 + self.rng.below(26) as i64,
            _ => self.one_of(&[0, 1, 1, 2, 3, -1]),
        }
    }

    /// One or several features, up or down, by any type.
    pub(super) fn update_several_features(&mut self) {
        let Some(node) = self.active_or_another() else {
            return;
        };
        if self.rng.chance(1, 4) {
            let id = self.any_node();
            self.of_controller(node, json!({ "op": "registerController", "id": id }));
        }
        let mut levels = Map::new();
        for _ in 0..self.one_of(&[1, 1, 2, 3, 5]) {
            let name = self.one_of(&NAMES);
            levels.insert(name.to_owned(), self.level_of(name).into());
        }
        let mut command = json!({ "op": "updateFeatures", "levels": Value::Object(levels) });
        if self.rng.chance(2, 3) {
            command["type"] = self.upgrade_type().into();
        }
        if self.rng.chance(1, 4) {
            command["validate_only"] = true.into();
        }
        self.of_controller(node, command);
    }
}
