//! The rarer things in a schedule: what a user may say, and seldom does.

use serde_json::{Value, json};

use super::Generator;
use super::crafted::Crafted;
use super::made_records;

impl Generator {
    pub(super) fn do_something_odd(&mut self) {
        match self.rng.below(100) {
            0..35 => self.craft(),
            35..50 => self.run(),
            50..60 => self.prescribe(),
            60..75 if self.profile.has_controllers => self.update_several_features(),
            75..80 => self.look(),
            80..90 => self.say_nonsense(),
            _ => self.snapshot_of_anything(),
        }
    }

    fn craft(&mut self) {
        let up = self.view.up();
        let leaders = self.view.leaders();
        let asked = if self.rng.chance(1, 2) && !leaders.is_empty() {
            leaders
        } else {
            up
        };
        let Some(node) = self.pick(&asked) else {
            return;
        };
        let nodes = self.profile.all();
        let mut crafted = Crafted {
            rng: &mut self.rng,
            view: &self.view,
            rules: &self.rules,
            nodes: &nodes,
            cluster_id: &self.cluster_id,
        };
        let request = crafted.request(node);
        self.tell(request);
    }

    fn run(&mut self) {
        let mut command = json!({ "cmd": "run", "ms": self.pick(&[0, 10, 50, 200]) });
        let all = self.profile.all();
        if self.rng.chance(1, 4) {
            command["step"] = json!(self.pick(&[1, 5, 50]));
        }
        if self.rng.chance(1, 2) {
            let node = self.pick(&all);
            let rules = [
                json!({ "node": node }),
                json!({ "from": node }),
                json!({ "to": node, "kind": "request" }),
                json!({ "api": "FETCH", "data": true }),
                json!({ "api": "VOTE", "kind": "response" }),
                json!({ "kind": "response", "data": false, "node": node }),
            ];
            let rule = self.rng.pick(&rules).cloned();
            command["drop"] = json!([rule]);
        }
        if self.rng.chance(1, 3) {
            let node = self.pick(&all);
            let conditions = [
                json!({ "role": "Leader" }),
                json!({ "node": node, "role": "Follower" }),
                json!({ "active": true }),
                json!({ "high_watermark": 5 }),
                json!({ "node": node, "min_epoch": 3 }),
                json!({}),
            ];
            command["until"] = self.rng.pick(&conditions).cloned().unwrap_or_default();
        }
        self.tell(command);
    }

    fn prescribe(&mut self) {
        let all = self.profile.all();
        let count = 1 + self.rng.below(3);
        let values: Vec<i64> = (0..count)
            .map(|_| self.rng.below(2000) as i64 - 200)
            .collect();
        let node = self.pick(&all);
        self.tell(json!({ "cmd": "draws", "node": node, "values": values }));
    }

    fn look(&mut self) {
        let all = self.profile.all();
        let node = self.pick(&all);
        let looks = [
            json!({ "cmd": "log", "node": node, "hex": true }),
            json!({ "cmd": "state", "node": node }),
            json!({ "cmd": "state" }),
        ];
        let look = self.rng.pick(&looks).cloned().unwrap_or_default();
        self.tell(look);
    }

    /// Commands that are refused, or do nothing.
    fn say_nonsense(&mut self) {
        let all = self.profile.all();
        let node = self.pick(&all).unwrap_or(1);
        let epoch = self.view.of(node).epoch;
        let flights: Vec<u64> = self.view.flights.keys().copied().collect();
        let flight = self.pick(&flights).unwrap_or(0);
        let nonsense: [Value; 19] = [
            json!({ "cmd": "poll", "node": 77 }),
            json!({ "cmd": "poll" }),
            json!({ "cmd": "advance" }),
            json!({ "cmd": "deliver", "id": 100_000 }),
            json!({ "cmd": "drop", "id": 100_000 }),
            json!({ "cmd": "fail", "id": 100_000 }),
            json!({ "cmd": "fail", "id": flight, "error": "NO_SUCH_ERROR" }),
            json!({ "cmd": "resign", "node": node, "epoch": epoch + 1 }),
            json!({ "cmd": "resign", "node": node, "epoch": epoch - 1 }),
            json!({ "cmd": "append", "node": node, "epoch": epoch + 1, "noops": 1 }),
            json!({ "cmd": "append", "node": node, "epoch": epoch - 1, "noops": 1 }),
            json!({ "cmd": "append", "node": node, "epoch": epoch }),
            json!({ "cmd": "append", "node": node, "epoch": epoch, "records": [{ "type": "NO_SUCH_RECORD", "data": {} }] }),
            json!({ "cmd": "snapshot", "node": node, "epoch": epoch, "offset": 100_000, "noops": 1 }),
            json!({ "cmd": "request", "node": node, "api": "NO_SUCH_API", "body": {} }),
            json!({ "cmd": "request", "node": node, "api": "VOTE", "body": {} }),
            json!({ "cmd": "release", "node": node }),
            json!({ "cmd": "init", "nodes": [1] }),
            json!({ "cmd": "no such command" }),
        ];
        let command = self.rng.pick(&nonsense).cloned().unwrap_or_default();
        self.tell(command);
    }

    pub(super) fn records(&mut self) -> Vec<Value> {
        let line = self.rules.features.line;
        let count = 1 + self.rng.below(5);
        (0..count)
            .map(|_| made_records::any(line, &mut self.rng))
            .collect()
    }

    /// Records of any type, which only a listener that does nothing with them survives.
    pub(super) fn append_any(&mut self, node: i32, epoch: i32) {
        let records = self.records();
        self.tell(json!({ "cmd": "append", "node": node, "epoch": epoch, "records": records }));
    }

    fn snapshot_of_anything(&mut self) {
        let known = self.view.with_high_watermark();
        if let Some(node) = self.pick(&known) {
            let epoch = self.view.last_epoch(node);
            let mut command = json!({ "cmd": "snapshot", "node": node, "epoch": epoch });
            if !self.profile.has_controllers && self.rng.chance(2, 3) {
                command["records"] = self.records().into();
            }
            self.tell(command);
        }
    }
}
