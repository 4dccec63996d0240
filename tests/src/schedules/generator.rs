use determinism::Rng;
use kraftsim::drive::DrivenSchedule;
use releases::{Release, Rules};
use serde_json::{Value, json};

use super::late::Late;
use super::profile::{Family, Pace, Profile};
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
    session: DrivenSchedule,
    pub(super) view: View,
    pub(super) late: Late,
    /// Nobody reaches them, for a while.
    cut: Vec<i32>,
    pub(super) calm: bool,
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
            session: DrivenSchedule::new(rules.clone()),
            view: View::default(),
            late: Late::default(),
            cut: Vec::new(),
            calm: true,
            puts_off: init["props"]["metadata.max.idle.interval.ms"] != "0",
            rules,
            schedule: Vec::new(),
            answers: Vec::new(),
        };
        generator.begin(init);
        for step in 0..steps {
            if step % 40 == 39 {
                generator.change_weather();
            }
            generator.step();
        }
        for node in generator.profile.all() {
            generator.tell(json!({ "cmd": "log", "node": node, "hex": node % 2 == 1 }));
        }
        for node in generator.profile.all() {
            generator.tell(json!({ "cmd": "state", "node": node }));
        }
        (generator.schedule, generator.answers)
    }

    fn begin(&mut self, init: Value) {
        let starts = init["start"] != false;
        self.tell(init);
        if !starts {
            for node in self.profile.all() {
                self.tell(json!({ "cmd": "restart", "node": node }));
            }
        }
        if self.profile.pace == Pace::Runs {
            let until = if self.profile.has_controllers {
                json!({ "active": true })
            } else {
                json!({ "role": "Leader" })
            };
            self.tell(json!({ "cmd": "run", "ms": 5000, "step": 50, "until": until }));
            self.tell(json!({ "cmd": "run", "ms": 100, "step": 50 }));
        }
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
        let told = self.view.absorb(&command, &answer);
        self.late.absorb(&told);
        self.schedule.push(command);
        self.answers.push(answer);
    }

    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        self.rng.pick(items).copied()
    }

    /// One of these, of which there is at least one.
    pub(super) fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        let at = self.rng.below(items.len() as u64) as usize;
        items[at]
    }

    pub(super) fn any_node(&mut self) -> i32 {
        let all = self.profile.all();
        self.one_of(&all)
    }

    fn change_weather(&mut self) {
        self.calm = self.rng.chance(7, 10);
        self.cut = Vec::new();
        if self.rng.chance(4, 10) {
            let all = self.profile.all();
            let some = if all.len() > 4 && self.rng.chance(1, 2) {
                2
            } else {
                1
            };
            for _ in 0..some {
                let node = self.one_of(&all);
                self.cut.push(node);
            }
        }
    }

    fn step(&mut self) {
        let happens = if self.calm { 20 } else { 30 };
        if self.rng.chance(happens, 100) {
            return self.let_something_happen();
        }
        match self.profile.pace {
            Pace::Steps => self.go_on_by_steps(),
            Pace::Runs => {
                if self.rng.chance(1, 2) {
                    self.run_a_while();
                } else {
                    self.go_on_by_steps();
                }
            }
        }
    }

    fn let_something_happen(&mut self) {
        let families = self.profile.families.clone();
        let Some(family) = self.pick(&families) else {
            return self.disturb();
        };
        if self.rng.chance(1, 6) {
            return self.disturb();
        }
        match family {
            Family::Late => self.be_late(),
            Family::Voters => self.change_voters_quickly(),
            Family::Snapshots => self.keep_or_lose(),
            Family::KraftVersion => self.upgrade_kraft_version(),
            Family::Features => self.update_several_features(),
            Family::Brokers => {
                for _ in 0..=self.rng.below(3) {
                    self.ask_for_brokers();
                }
            }
            Family::Clock => self.jump(),
            Family::Large => self.append_much(),
            Family::Refused => self.append_the_unwritable(),
            Family::Odd => self.do_something_odd(),
            Family::Crashes => self.end_a_process(),
        }
    }

    fn go_on_by_steps(&mut self) {
        let what = self.rng.below(100);
        let busy = self.view.busy();
        if !self.view.flights.is_empty() && what < 52 {
            self.handle_message();
        } else if !busy.is_empty() && what < 88 {
            let node = self.one_of(&busy);
            self.tell(json!({ "cmd": "poll", "node": node }));
        } else if what < 92 {
            let up = self.view.up();
            if let Some(node) = self.pick(&up) {
                self.tell(json!({ "cmd": "poll", "node": node }));
            }
        } else {
            self.advance();
        }
    }

    fn run_a_while(&mut self) {
        let ms = self.one_of(&[0, 0, 50, 100, 200, 600, 1700]);
        let step = self.one_of(&[10, 50, 50, 100]);
        let mut command = json!({ "cmd": "run", "ms": ms, "step": step });
        if !self.cut.is_empty() {
            command["drop"] = self
                .cut
                .iter()
                .map(|node| json!({ "node": node }))
                .collect();
        }
        self.tell(command);
    }

    fn handle_message(&mut self) {
        // The oldest ones mostly; others come out of their order.
        let many = if self.rng.chance(1, 15) { 100 } else { 4 };
        let late = &self.late;
        let first = self.view.flights.keys().copied();
        let first: Vec<u64> = first.filter(|id| !late.is_kept(*id)).take(many).collect();
        let Some(id) = self.pick(&first) else {
            return;
        };
        let Flight { from, to, request } = self.view.flights[&id];
        let is_cut = from != to && (self.cut.contains(&from) || self.cut.contains(&to));
        let reliability = if self.calm { 97 } else { 80 };
        let fate = if is_cut {
            self.one_of(&["fail", "drop", "drop"])
        } else if self.rng.chance(reliability, 100) {
            "deliver"
        } else {
            self.one_of(&["fail", "drop"])
        };
        if self.profile.has(Family::Late) && self.rng.chance(1, 8) {
            return self.late.keep(id);
        }
        let mut command = json!({ "cmd": fate, "id": id });
        match (fate, request) {
            ("deliver", Some(latest)) if self.rng.chance(4, 100) => {
                command["version"] = (latest - self.rng.below(3) as i16).max(0).into();
            }
            ("fail", _) if self.rng.chance(1, 4) => {
                let errors = [
                    "REQUEST_TIMED_OUT",
                    "NETWORK_EXCEPTION",
                    "UNSUPPORTED_VERSION",
                ];
                command["error"] = self.one_of(&errors).into();
            }
            _ => {}
        }
        self.tell(command);
    }

    fn advance(&mut self) {
        let mut choices = vec![1, 5, 10, 25, 50, 100, 250, 500];
        if self.profile.has(Family::Brokers) {
            // Sessions end, and tasks come back.
            choices.extend([190, 700, 1130, 1510]);
        }
        let waits = self.view.waits();
        if let Some(soonest) = waits.iter().min() {
            choices.extend([*soonest; 5]);
            choices.extend(self.pick(&waits));
        }
        let ms = self.one_of(&choices);
        self.move_clock(ms);
    }

    /// The clock moves, and most of the time everybody looks at it.
    pub(super) fn move_clock(&mut self, ms: i64) {
        self.tell(json!({ "cmd": "advance", "ms": ms }));
        if self.rng.chance(9, 10) {
            for node in self.view.up() {
                self.tell(json!({ "cmd": "poll", "node": node }));
            }
        }
    }

    /// Something that does not happen by itself, in any cluster.
    fn disturb(&mut self) {
        match self.rng.below(100) {
            0..30 => self.append(),
            30..36 => self.of_leader("resign"),
            36..46 => self.snapshot(),
            46..60 => self.end_a_process(),
            60..70 => self.bring_up(),
            70..80 => self.change_voters(),
            80..90 => self.ask_a_controller(),
            90..94 => self.hold_or_release(),
            94..95 => self.shut_down(),
            _ => self.do_something_odd(),
        }
    }

    pub(super) fn of_leader(&mut self, command: &str) {
        let leaders = self.view.leaders();
        if let Some(node) = self.pick(&leaders) {
            let epoch = self.view.of(node).epoch;
            self.tell(json!({ "cmd": command, "node": node, "epoch": epoch }));
        }
    }

    pub(super) fn ask_a_controller(&mut self) {
        if !self.profile.has_controllers {
            return self.append();
        }
        let Some(node) = self.active_or_another() else {
            return;
        };
        let broker = self.one_of(&[11, 12, 13]);
        let mut command = json!({ "cmd": "controller", "node": node, "id": broker });
        match self.rng.below(10) {
            0..4 => {
                command["op"] = "registerController".into();
                command["id"] = self.any_node().into();
            }
            4..7 => command["op"] = "registerBroker".into(),
            7 => command["op"] = "unregisterBroker".into(),
            _ => {
                command["op"] = "setConfig".into();
                command["resource"] = "BROKER".into();
                command["name"] = broker.to_string().into();
                command["set"] = json!({ "log.cleaner.threads": self.rng.below(5).to_string() });
            }
        }
        self.tell(command);
    }

    /// The active controller mostly; any other one now and then, and where there is none.
    pub(super) fn active_or_another(&mut self) -> Option<i32> {
        let active = self.view.active();
        let asked = if active.is_empty() || self.rng.chance(1, 20) {
            self.view.up()
        } else {
            active
        };
        self.pick(&asked)
    }

    fn hold_or_release(&mut self) {
        let is_held = |held: Option<&crate::recorded::driven::ControllerState>| {
            held.is_some_and(|controller| controller.held)
        };
        let held = self.view.of_up(|state| is_held(state.controller.as_ref()));
        if let Some(node) = self.pick(&held) {
            self.tell(json!({ "cmd": "release", "node": node }));
            return;
        }
        let up = self.view.up();
        if let (true, Some(node)) = (self.profile.has_controllers, self.pick(&up)) {
            self.tell(json!({ "cmd": "hold", "node": node }));
        }
    }
}
