//! A small cluster that a script speaks to: a world by hand, in which a message takes 1 ms and a node is polled when it is
//! due.

mod machines;
mod network;
mod orders;
mod telling;

use std::collections::{BTreeMap, BTreeSet};

use config::AutoJoin;
use determinism::Time;
use listener::RaftClient as _;
use raft::{Replica, Role};
use records::{NodeId, Uuid};
use releases::{Release, Rules};
use simulator::SimDisk;
use simulator::observer::Observer;
use simulator::world::{Letter, Machine, World};

const START_MS: i64 = 1_700_000_000_000;

/// A cluster that a script speaks to.
pub(crate) struct Cluster {
    world: World,
    observer: Observer,
    rules: Rules,
    is_dynamic: bool,
    voters: Vec<i32>,
    now_ms: u64,
    seats: BTreeMap<i32, Seat>,
    cut: BTreeSet<i32>,
    /// By time of arrival and number.
    network: BTreeMap<(u64, u64), Letter>,
    last_letter: u64,
    said: Vec<String>,
    tells_messages: bool,
    /// Polls by node, since last told.
    polls: BTreeMap<i32, u32>,
    settings: Settings,
}

/// What differs from the defaults in the configuration of every machine.
#[derive(Clone, Copy, Default)]
struct Settings {
    /// Bytes of a segment, and of the whole log.
    keep: Option<(i32, i64)>,
    fetch_snapshot_max_bytes: Option<i32>,
    fetch_max_bytes: Option<i32>,
}

/// What a script knows of a node beside its machine in the world.
struct Seat {
    life: i64,
    last: Option<(Role, i32, Option<NodeId>)>,
    events: Vec<String>,
    prescribed: Vec<i32>,
    port: u16,
    directory: Uuid,
    auto_join: AutoJoin,
}

impl Cluster {
    pub(crate) fn new() -> Self {
        Cluster {
            world: World::by_hand(0),
            observer: Observer::new(),
            rules: Release::V4_4_0.rules(),
            is_dynamic: false,
            voters: Vec::new(),
            now_ms: 0,
            seats: BTreeMap::new(),
            cut: BTreeSet::new(),
            network: BTreeMap::new(),
            last_letter: 0,
            said: Vec::new(),
            tells_messages: false,
            polls: BTreeMap::new(),
            settings: Settings::default(),
        }
    }

    /// What a command says.
    pub(crate) fn obey(&mut self, line: &str) -> Result<Vec<String>, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| -> Result<i32, String> {
            let word = words.get(at).ok_or("a number is missing")?;
            word.parse().map_err(|_| format!("{word} is no number"))
        };
        match words[0] {
            "cluster" => self.begin(&words)?,
            "draws" => {
                let values = words[2..].iter().filter_map(|word| word.parse().ok());
                let values: Vec<i32> = values.collect();
                self.draws(number(1)?, values)?;
            }
            "run" | "messages" => {
                self.tells_messages = words[0] == "messages";
                self.run(number(1)? as u64)?;
            }
            "polls" => {
                self.tells_messages = false;
                self.polls.clear();
                self.run(number(1)? as u64)?;
                for (node, polls) in &self.polls {
                    self.said.push(format!("{node} is polled {polls} times"));
                }
            }
            "cut" => drop(self.cut.insert(number(1)?)),
            "heal" => drop(self.cut.remove(&number(1)?)),
            "append" => self.append(number(1)?, number(2)?)?,
            "snapshot" => self.snapshot(number(1)?)?,
            "add" | "remove" => self.change_voters(words[0], number(1)?, number(3)?)?,
            "resign" => {
                let resigned =
                    self.replica(number(1)?, |replica, _, _| replica.resign(replica.epoch()))?;
                resigned.map_err(|error| error.to_string())?;
            }
            "shutdown" => {
                self.replica(number(1)?, |replica, now, _| replica.shutdown(now, 5000))?;
            }
            "crash" => self.crash(number(1)?)?,
            "start" => self.start(number(1)?)?,
            "keep" => self.settings.keep = Some((number(1)?, number(2)?.into())),
            "chunk" => self.settings.fetch_snapshot_max_bytes = Some(number(1)?),
            "batchwise" => self.settings.fetch_max_bytes = Some(1),
            "move" => self.seat(number(1)?)?.port = number(2)? as u16,
            "reformat" => self.reformat(number(1)?)?,
            "upgrade" => self.upgrade(number(1)? as i16, number(3)?)?,
            "endpoints" => self.tell_endpoints(number(1)?)?,
            "files" => self.tell_files(number(1)?)?,
            "wipe" => self.wipe(number(1)?)?,
            "state" => self.tell_states(),
            "log" => self.tell_log(number(1)?)?,
            "events" => {
                let events = std::mem::take(&mut self.seat(number(1)?)?.events);
                self.said.extend(events);
            }
            other => return Err(format!("unknown command {other}")),
        }
        Ok(std::mem::take(&mut self.said))
    }

    /// The leader of the highest epoch among the running.
    pub(crate) fn leader(&self) -> Option<i32> {
        let running = self.seats.keys().filter_map(|node| {
            let replica = self.running(*node)?;
            (replica.role() == Role::Leader).then(|| (replica.epoch(), *node))
        });
        running.max().map(|(_, node)| node)
    }

    pub(crate) fn is_down(&self, node: i32) -> bool {
        self.running(node).is_none()
    }

    /// The replica of a node, if it runs.
    fn running(&self, node: i32) -> Option<&Replica> {
        let machine = self.world.machine(NodeId(node))?;
        machine.node().map(node::Node::replica)
    }

    fn seat(&mut self, node: i32) -> Result<&mut Seat, String> {
        self.seats
            .get_mut(&node)
            .ok_or(format!("there is no node {node}"))
    }

    /// Does as a replica's listener does.
    fn replica<T>(
        &mut self,
        node: i32,
        ask: impl FnOnce(&mut Replica, Time, &mut SimDisk) -> T,
    ) -> Result<T, String> {
        self.seat(node)?;
        let answer = self.world.with_node(NodeId(node), |process, now, disk| {
            process.as_listener(|replica| ask(replica, now, disk))
        });
        answer.ok_or(format!("node {node} is down"))
    }

    /// Nothing on the machine breaks an invariant, but for those of controllers: there are none.
    fn look(&mut self, node: i32) {
        if let Some(machine) = self.world.machine(NodeId(node)) {
            self.observer.look(self.world.now(), machine);
        }
        let mut violations = self.observer.invariants().violations().iter();
        let broken = violations.find(|violation| !violation.id.starts_with("BOOT-"));
        assert_eq!(broken, None, "the invariants hold");
    }

    fn machine(&self, node: i32) -> Result<&Machine, String> {
        let machine = self.world.machine(NodeId(node));
        machine.ok_or(format!("there is no node {node}"))
    }
}
