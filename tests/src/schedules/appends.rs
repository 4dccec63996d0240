//! What is appended and kept: records, large batches, records that cannot be written, checkpoints.

use serde_json::{Value, json};

use super::Generator;

/// One more character than Kafka can write in a string.
const TOO_LONG: usize = 32_768;

impl Generator {
    pub(super) fn append(&mut self) {
        let leaders = self.view.leaders();
        if let Some(node) = self.pick(&leaders) {
            // A controller that hears of what it has not written is a rare thing.
            if self.profile.has_controllers && !self.rng.chance(1, 6) {
                return self.ask_a_controller();
            }
            let (epoch, noops) = (self.view.of(node).epoch, 1 + self.rng.below(4));
            if !self.profile.has_controllers && self.rng.chance(1, 3) {
                return self.append_any(node, epoch);
            }
            self.tell(json!({ "cmd": "append", "node": node, "epoch": epoch, "noops": noops }));
        }
    }

    /// A batch that is large in its count or in its bytes.
    pub(super) fn append_much(&mut self) {
        if self.profile.has_controllers && self.rng.chance(2, 3) {
            return self.write_much();
        }
        let leaders = self.view.leaders();
        let Some(node) = self.pick(&leaders) else {
            return;
        };
        let epoch = self.view.of(node).epoch;
        if self.rng.chance(1, 2) {
            let noops = self.one_of(&[100, 700, 3_000, 20_000]);
            return self
                .tell(json!({ "cmd": "append", "node": node, "epoch": epoch, "noops": noops }));
        }
        if self.profile.has_controllers {
            return;
        }
        let (count, length) = self.one_of(&[(1, 30_000), (3, 32_000), (40, 30_000), (300, 30_000)]);
        let records: Vec<Value> = (0..count)
            .map(|at| config_record("topic", &"v".repeat(length), at))
            .collect();
        self.tell(json!({ "cmd": "append", "node": node, "epoch": epoch, "records": records }));
    }

    /// Through a controller.
    fn write_much(&mut self) {
        let Some(node) = self.active_or_another() else {
            return;
        };
        let name = self.one_of(&["a", "b", "c.d", "e"]);
        let command = if self.rng.chance(1, 2) {
            let partitions = self.one_of(&[50, 200, 900, 9_999, 10_000, 10_001]);
            json!({ "op": "createTopic", "name": name, "partitions": partitions, "replicas": self.one_of(&[1, 2]) })
        } else {
            let length = self.one_of(&[1_000, 20_000, 32_767]);
            let key = self.one_of(&["follower.replication.throttled.replicas", "retention.ms"]);
            let value = self.one_of(&["1", "0:11,", "x"]).repeat(length);
            let value: String = value.chars().take(length).collect();
            json!({ "op": "setConfig", "name": name, "set": { key: value } })
        };
        self.of_controller(node, command);
    }

    pub(super) fn of_controller(&mut self, node: i32, mut command: Value) {
        command["cmd"] = "controller".into();
        command["node"] = node.into();
        self.tell(command);
    }

    /// Records with strings that are too long, alone or among others; then others, whose timestamps tell of the batch.
    pub(super) fn append_the_unwritable(&mut self) {
        if self.profile.has_controllers && self.rng.chance(4, 5) {
            let Some(node) = self.active_or_another() else {
                return;
            };
            let value = "z".repeat(TOO_LONG + self.rng.below(2) as usize - 1);
            let command = match self.rng.below(4) {
                0 => {
                    json!({ "op": "setConfig", "resource": "BROKER", "name": "", "set": { "log.cleaner.io.buffer.size": value } })
                }
                1 => {
                    json!({ "op": "setConfig", "resource": "BROKER", "name": "11", "set": { "ssl.keystore.location": value } })
                }
                2 => {
                    json!({ "op": "setConfig", "resource": "BROKER", "name": "", "set": { "ssl.cipher.suites": value } })
                }
                _ => json!({ "op": "createTopic", "name": value, "partitions": 1, "replicas": 1 }),
            };
            self.of_controller(node, command);
        } else {
            let leaders = self.view.leaders();
            let Some(node) = self.pick(&leaders) else {
                return;
            };
            let epoch = self.view.of(node).epoch;
            let good = self.rng.below(4) as usize;
            let mut records: Vec<Value> = (0..good).map(|at| config_record("n", "v", at)).collect();
            let at = self.rng.below(records.len() as u64 + 1) as usize;
            records.insert(at, config_record("n", &"z".repeat(TOO_LONG), 9));
            if self.profile.has_controllers {
                records.retain(|record| record["data"]["value"] != "v");
            }
            self.tell(json!({ "cmd": "append", "node": node, "epoch": epoch, "records": records }));
        }
        if self.rng.chance(1, 2) {
            let ms = self.one_of(&[1, 7, 30]);
            self.move_clock(ms);
        }
        self.append();
    }

    /// A checkpoint as a server makes it, now and then of another offset.
    pub(super) fn snapshot(&mut self) {
        let known = self.view.with_high_watermark();
        if let Some(node) = self.pick(&known) {
            let epoch = self.view.last_epoch(node);
            let mut command =
                json!({ "cmd": "snapshot", "node": node, "epoch": epoch, "noops": 2 });
            if self.rng.chance(1, 4) {
                let high_watermark = self.view.of(node).high_watermark;
                command["offset"] = self.rng.below(high_watermark as u64 + 2).into();
            }
            self.tell(command);
        }
    }

    /// Checkpoints of any offset and epoch, logs that are cleaned, logs that lose their end.
    pub(super) fn keep_or_lose(&mut self) {
        match self.rng.below(10) {
            0..5 => self.snapshot_of_any_offset(),
            5..7 => self.move_clock(60_000),
            7..9 => {
                let all = self.view.up();
                if let Some(node) = self.pick(&all) {
                    let end = self.view.of(node).log_end.max(0) as u64;
                    let keep = self.rng.below(end + 2);
                    self.tell(json!({ "cmd": "restart", "node": node, "keep_below": keep }));
                }
            }
            _ => {
                let all = self.view.up();
                if let Some(node) = self.pick(&all) {
                    self.tell(json!({ "cmd": "restart", "node": node, "wipe": true }));
                }
            }
        }
    }

    fn snapshot_of_any_offset(&mut self) {
        let up = self.view.up();
        let Some(node) = self.pick(&up) else {
            return;
        };
        let state = self.view.of(node);
        let epoch = match self.rng.below(8) {
            0 => i64::from(state.epoch),
            1 => self.rng.below(4) as i64,
            2 => self.view.last_epoch(node) - 1,
            _ => self.view.last_epoch(node),
        };
        let mut command = json!({ "cmd": "snapshot", "node": node, "epoch": epoch });
        if self.rng.chance(2, 3) {
            command["offset"] = match self.rng.below(6) {
                0 => self.rng.below(3) as i64,
                1 => state.log_start,
                2 => state.log_end,
                3 => state.high_watermark + 1,
                _ => self.rng.below(state.high_watermark.max(0) as u64 + 1) as i64,
            }
            .into();
        }
        match self.rng.below(4) {
            0 => {}
            1 => command["noops"] = self.one_of(&[1, 3, 400]).into(),
            2 if !self.profile.has_controllers => command["records"] = self.records().into(),
            _ => command["noops"] = 2.into(),
        }
        self.tell(command);
    }
}

fn config_record(name: &str, value: &str, at: usize) -> Value {
    json!({
        "type": "CONFIG_RECORD", "version": 0,
        "data": { "resourceType": 2, "resourceName": format!("{name}-{at}"), "name": "k", "value": value },
    })
}
