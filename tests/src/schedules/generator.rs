use determinism::Rng;
use kraftsim::drive::Session;
use raft::message::ApiKey;
use releases::{Release, Rules};
use serde_json::{Value, json};

use super::crafted::directory_id;
use super::profile::{Load, Profile, Setting};
use super::view::{Flight, View};

/// The cluster where nothing else is said.
const CLUSTER_ID: &str = "a3JhZnRzaW0tb3JhY2xlMQ";

/// Makes a schedule from a seed, with an eye on what kraftsim answers to it: a command that real Kafka would take
/// differently is compared before anything depends on it.
pub struct Generator {
    pub(super) profile: Profile,
    pub(super) rng: Rng,
    pub(super) rules: Rules,
    pub(super) cluster_id: String,
    session: Session,
    pub(super) view: View,
    /// Nobody reaches them, for a while.
    cut: Vec<i32>,
    calm: bool,
    /// Whether any node was shut down: Kafka's driver would poll it for ever in a run.
    pub(super) has_shut_down: bool,
    /// Whether controllers put things off, such as writing nothing when idle.
    puts_off: bool,
    schedule: Vec<Value>,
    answers: Vec<Value>,
}

impl Generator {
    /// The schedule of a seed for a cluster such as [`Profile::of`] that seed, and what kraftsim answers to it.
    pub fn schedule(
        release: Release,
        profile: Profile,
        seed: u64,
        steps: usize,
    ) -> (Vec<Value>, Vec<Value>) {
        let mut rng = Rng::from_seed(seed);
        let rules = release.rules();
        let init = profile.init(rules.features.line, seed, &mut rng);
        let mut generator = Generator {
            profile,
            rng,
            cluster_id: init["cluster_id"].as_str().unwrap_or(CLUSTER_ID).to_owned(),
            session: Session::new(rules.clone()),
            view: View::default(),
            cut: Vec::new(),
            calm: true,
            has_shut_down: false,
            puts_off: init["props"]["metadata.max.idle.interval.ms"] != "0",
            rules,
            schedule: Vec::new(),
            answers: Vec::new(),
        };
        let starts = init["start"] != false;
        generator.tell(init);
        if !starts {
            for node in generator.profile.all() {
                generator.tell(json!({ "cmd": "restart", "node": node }));
            }
        }
        if generator.profile.load == Load::Brokers {
            generator
                .tell(json!({ "cmd": "run", "ms": 4000, "step": 50, "until": { "active": true } }));
        }
        for step in 0..steps {
            if step % 40 == 39 {
                generator.change_weather();
            }
            generator.step();
        }
        for node in generator.profile.all() {
            generator.tell(json!({ "cmd": "log", "node": node, "hex": node % 2 == 1 }));
        }
        generator.tell(json!({ "cmd": "state" }));
        (generator.schedule, generator.answers)
    }

    pub(super) fn tell(&mut self, command: Value) {
        self.say(command);
        // The controller of a node that a fault has ended goes on by the clock on the wall, where it has put something off.
        while let (true, Some(node)) = (self.puts_off, self.view.doomed().first()) {
            self.say(json!({ "cmd": "crash", "node": node }));
        }
    }

    fn say(&mut self, command: Value) {
        let answer = self.session.obey(&command);
        self.view.absorb(&command, &answer);
        self.schedule.push(command);
        self.answers.push(answer);
    }

    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        self.rng.pick(items).copied()
    }

    fn change_weather(&mut self) {
        self.calm = self.rng.chance(7, 10);
        self.cut = Vec::new();
        if self.rng.chance(4, 10) {
            let all = self.profile.all();
            self.cut = self.pick(&all).into_iter().collect();
        }
    }

    fn step(&mut self) {
        if self.profile.setting == Setting::Odd && self.rng.chance(15, 100) {
            return self.do_something_odd();
        }
        if self.profile.load == Load::Brokers {
            match self.rng.below(100) {
                0..45 => return self.ask_for_brokers(),
                45..70 => {
                    let ms = self.pick(&[0, 50, 200, 600, 1700]);
                    return self.tell(json!({ "cmd": "run", "ms": ms, "step": 50 }));
                }
                70..75 => return self.advance(),
                _ => {}
            }
        }
        let bound = if self.calm && self.rng.chance(93, 100) {
            86
        } else {
            100
        };
        let what = self.rng.below(bound);
        let busy = self.view.busy();
        if !self.view.flights.is_empty() && what < 45 {
            self.handle_message();
        } else if !busy.is_empty() && what < 80 {
            if let Some(node) = self.pick(&busy) {
                self.tell(json!({ "cmd": "poll", "node": node }));
            }
        } else if what < 84 {
            let up = self.view.up();
            if let Some(node) = self.pick(&up) {
                self.tell(json!({ "cmd": "poll", "node": node }));
            }
        } else if what < 93 {
            self.advance();
        } else {
            self.disturb();
        }
    }

    fn handle_message(&mut self) {
        let first: Vec<u64> = self.view.flights.keys().copied().take(4).collect();
        let Some(id) = self.pick(&first) else {
            return;
        };
        let Flight { from, to, request } = self.view.flights[&id];
        let is_cut = from != to && (self.cut.contains(&from) || self.cut.contains(&to));
        let reliability = if self.calm { 97 } else { 80 };
        let fate = if is_cut {
            self.pick(&["fail", "drop", "drop"])
        } else if self.rng.chance(reliability, 100) {
            Some("deliver")
        } else {
            self.pick(&["fail", "drop"])
        };
        let mut command = json!({ "cmd": fate, "id": id });
        match (fate, request) {
            (Some("deliver"), Some(latest)) if self.rng.chance(4, 100) => {
                command["version"] = (latest - self.rng.below(3) as i16).max(0).into();
            }
            (Some("fail"), _) if self.rng.chance(1, 4) => {
                let errors = [
                    "REQUEST_TIMED_OUT",
                    "NETWORK_EXCEPTION",
                    "UNSUPPORTED_VERSION",
                ];
                command["error"] = json!(self.pick(&errors));
            }
            _ => {}
        }
        self.tell(command);
    }

    fn advance(&mut self) {
        let mut choices = vec![1, 5, 10, 25, 50, 100, 250, 500];
        if self.profile.load == Load::Brokers {
            // Sessions end, and tasks come back.
            choices.extend([190, 700, 1130, 1510]);
        }
        let waits = self.view.waits();
        if let Some(soonest) = waits.iter().min() {
            choices.extend([*soonest; 5]);
            choices.extend(self.pick(&waits));
        }
        let mut ms = self.pick(&choices).unwrap_or(1);
        if self.profile.load == Load::Brokers {
            ms = (ms & !1).max(2);
        }
        self.tell(json!({ "cmd": "advance", "ms": ms }));
        if self.rng.chance(9, 10) {
            for node in self.view.up() {
                self.tell(json!({ "cmd": "poll", "node": node }));
            }
        }
    }

    /// Something that does not happen by itself.
    fn disturb(&mut self) {
        if self.rng.chance(15, 100) {
            return self.do_something_odd();
        }
        match self.rng.below(100) {
            0..25 => self.append(),
            25..30 => self.of_leader("resign"),
            30..45 => self.snapshot(),
            45..60 => self.end_a_process(),
            60..68 => self.bring_up(),
            68..82 => self.change_voters(),
            82..94 => self.ask_a_controller(),
            94..97 => self.hold_or_release(),
            97..98 => self.shut_down(),
            _ => self.do_something_odd(),
        }
    }

    fn append(&mut self) {
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

    fn of_leader(&mut self, command: &str) {
        let leaders = self.view.leaders();
        if let Some(node) = self.pick(&leaders) {
            let epoch = self.view.of(node).epoch;
            self.tell(json!({ "cmd": command, "node": node, "epoch": epoch }));
        }
    }

    fn snapshot(&mut self) {
        let known = self.view.with_high_watermark();
        if let Some(node) = self.pick(&known) {
            let epoch = self.view.last_epoch(node);
            let mut command =
                json!({ "cmd": "snapshot", "node": node, "epoch": epoch, "noops": 2 });
            if self.rng.chance(1, 4) {
                let high_watermark = self.view.of(node).high_watermark;
                command["offset"] = (self.rng.below(high_watermark as u64 + 2)).into();
            }
            self.tell(command);
        }
    }

    fn end_a_process(&mut self) {
        if self.calm && !self.rng.chance(3, 10) {
            return;
        }
        let up = self.view.up();
        let Some(node) = self.pick(&up) else {
            return;
        };
        let mut command = json!({ "cmd": "restart", "node": node });
        match self.rng.below(10) {
            0 | 1 => command["wipe"] = true.into(),
            2 => {
                let end = self.view.of(node).log_end;
                command["keep_below"] = (end - self.rng.below(4) as i64).max(0).into();
            }
            3..6 => command["cmd"] = "crash".into(),
            _ => {}
        }
        self.tell(command);
    }

    fn bring_up(&mut self) {
        let down: Vec<i32> = self
            .profile
            .all()
            .into_iter()
            .filter(|node| !self.view.is_up(*node))
            .collect();
        if let Some(node) = self.pick(&down) {
            self.tell(json!({ "cmd": "restart", "node": node }));
        }
    }

    fn change_voters(&mut self) {
        let asked = match (self.rng.chance(1, 10), self.view.leaders()) {
            (true, _) => self.view.up(),
            (false, leaders) => leaders,
        };
        let Some(node) = self.pick(&asked) else {
            return;
        };
        let all = self.profile.all();
        let voter = self.pick(&all).unwrap_or(1);
        let directory = json!(directory_id(voter));
        let cluster = self.cluster_id.clone();
        let choice = self.rng.below(100);
        let (api, body) = if choice < 40 && self.profile.is_dynamic {
            let mut body = json!({
                "clusterId": cluster, "timeoutMs": 1000, "voterId": voter, "voterDirectoryId": directory,
                "listeners": [{ "name": "CONTROLLER", "host": "localhost", "port": 9000 + voter }],
            });
            if ApiKey::AddRaftVoter.latest_version(&self.rules.raft) >= 1 {
                body["ackWhenCommitted"] = self.rng.chance(1, 2).into();
            }
            ("ADD_RAFT_VOTER", body)
        } else if choice < 75 && self.profile.is_dynamic {
            let body =
                json!({ "clusterId": cluster, "voterId": voter, "voterDirectoryId": directory });
            ("REMOVE_RAFT_VOTER", body)
        } else {
            let partitions = json!([{ "partitionIndex": 0 }]);
            let body = json!({ "topics": [{ "topicName": "__cluster_metadata", "partitions": partitions }] });
            ("DESCRIBE_QUORUM", body)
        };
        self.tell(json!({ "cmd": "request", "node": node, "api": api, "body": body }));
    }

    fn ask_a_controller(&mut self) {
        if !self.profile.has_controllers {
            return self.append();
        }
        let active = self.view.active();
        let asked = if active.is_empty() || self.rng.chance(1, 10) {
            self.view.up()
        } else {
            active
        };
        let Some(node) = self.pick(&asked) else {
            return;
        };
        let broker = self.pick(&[11, 12, 13]);
        let mut command = json!({ "cmd": "controller", "node": node, "id": broker });
        match self.rng.below(10) {
            0..4 => {
                let all = self.profile.all();
                command["op"] = "registerController".into();
                command["id"] = json!(self.pick(&all));
            }
            4..7 => command["op"] = "registerBroker".into(),
            7 => command["op"] = "unregisterBroker".into(),
            _ => {
                command["op"] = "setConfig".into();
                command["resource"] = "BROKER".into();
                command["name"] = broker.map_or_else(String::new, |id| id.to_string()).into();
                command["set"] = json!({ "log.cleaner.threads": self.rng.below(5).to_string() });
            }
        }
        self.tell(command);
    }

    fn hold_or_release(&mut self) {
        let held = self
            .view
            .of_up(|state| state.controller.as_ref().is_some_and(|of| of.held));
        if let Some(node) = self.pick(&held) {
            self.tell(json!({ "cmd": "release", "node": node }));
            return;
        }
        let up = self.view.up();
        if let (true, Some(node)) = (self.profile.has_controllers, self.pick(&up)) {
            self.tell(json!({ "cmd": "hold", "node": node }));
        }
    }

    fn shut_down(&mut self) {
        let up = self.view.up();
        if let (false, Some(node)) = (self.calm, self.pick(&up)) {
            self.has_shut_down = true;
            self.tell(json!({ "cmd": "shutdown", "node": node }));
        }
    }
}
