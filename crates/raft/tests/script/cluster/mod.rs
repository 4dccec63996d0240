//! A small cluster that a script speaks to.

mod machines;
mod network;
mod orders;
mod telling;

use std::collections::{BTreeMap, BTreeSet};

use determinism::Time;
use disk::MemDisk;
use listener::RaftClient;
use raft::message::{Node, Request, Response};
use raft::{AutoJoinSetting, Replica, Role};
use raft_log::log::LogConfig;
use records::{NodeId, Uuid};
use releases::{Release, Rules};

const START_MS: i64 = 1_700_000_000_000;
const PARTITION: &str = "/metadata";

/// A cluster that a script speaks to.
pub(crate) struct Cluster {
    rules: Rules,
    is_dynamic: bool,
    voters: Vec<i32>,
    now_ms: u64,
    machines: BTreeMap<i32, Machine>,
    cut: BTreeSet<i32>,
    /// By time of arrival and number.
    network: BTreeMap<(u64, u64), Packet>,
    last_packet: u64,
    said: Vec<String>,
    tells_messages: bool,
    /// Who led an epoch.
    leaders: BTreeMap<i32, i32>,
    /// Polls by node, since last told.
    polls: BTreeMap<i32, u32>,
    settings: Settings,
    /// By base offset: the epoch of every batch that anybody took for committed.
    committed: BTreeMap<i64, i32>,
}

/// What differs from the defaults in the configuration of every machine.
#[derive(Clone, Copy)]
struct Settings {
    log: LogConfig,
    fetch_snapshot_max_bytes: i32,
    fetch_max_bytes: i32,
}

impl Settings {
    fn defaults() -> Self {
        Settings {
            log: LogConfig::default(),
            fetch_snapshot_max_bytes: 1024 * 1024,
            fetch_max_bytes: 1024 * 1024,
        }
    }
}

struct Machine {
    disk: MemDisk,
    replica: Option<Replica>,
    life: u64,
    last: Option<(Role, i32, Option<NodeId>)>,
    events: Vec<String>,
    asked: BTreeMap<u64, Asker>,
    prescribed: Vec<i32>,
    port: u16,
    directory: Uuid,
    auto_join: AutoJoinSetting,
}

enum Asker {
    Replica {
        node: i32,
        life: u64,
        to: Node,
        correlation_id: i32,
    },
    Client,
}

struct Packet {
    from: i32,
    to: i32,
    content: Content,
}

enum Content {
    Request {
        to: Node,
        correlation_id: i32,
        life: u64,
        request: Request,
    },
    Response {
        source: Node,
        correlation_id: i32,
        life: u64,
        response: Response,
    },
}

impl Cluster {
    pub(crate) fn new() -> Self {
        Cluster {
            rules: Release::V4_4_0.rules(),
            is_dynamic: false,
            voters: Vec::new(),
            now_ms: 0,
            machines: BTreeMap::new(),
            cut: BTreeSet::new(),
            network: BTreeMap::new(),
            last_packet: 0,
            said: Vec::new(),
            tells_messages: false,
            leaders: BTreeMap::new(),
            polls: BTreeMap::new(),
            settings: Settings::defaults(),
            committed: BTreeMap::new(),
        }
    }

    pub(crate) fn obey(&mut self, line: &str) -> Result<Vec<String>, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| -> Result<i32, String> {
            let word = words.get(at).ok_or("a number is missing")?;
            word.parse().map_err(|_| format!("{word} is no number"))
        };
        match words[0] {
            "cluster" => self.begin(&words)?,
            "draws" => {
                let values: Vec<i32> = words[2..]
                    .iter()
                    .filter_map(|word| word.parse().ok())
                    .collect();
                self.machine(number(1)?)?.prescribed.extend(values);
                self.restart_unstarted(number(1)?)?;
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
                let replica = self.replica(number(1)?)?;
                replica
                    .resign(replica.epoch())
                    .map_err(|error| error.to_string())?;
            }
            "shutdown" => {
                let now = self.now();
                self.replica(number(1)?)?.shutdown(now, 5000);
            }
            "crash" => self.machine(number(1)?)?.replica = None,
            "start" => self.start(number(1)?)?,
            "keep" => {
                self.settings.log.segment_bytes = number(1)? as u64;
                self.settings.log.retention_bytes = i64::from(number(2)?);
            }
            "chunk" => self.settings.fetch_snapshot_max_bytes = number(1)?,
            "batchwise" => self.settings.fetch_max_bytes = 1,
            "move" => self.machine(number(1)?)?.port = number(2)? as u16,
            "reformat" => self.reformat(number(1)?)?,
            "upgrade" => self.upgrade(number(1)? as i16, number(3)?)?,
            "endpoints" => self.tell_endpoints(number(1)?)?,
            "files" => self.tell_files(number(1)?)?,
            "wipe" => {
                let machine = self.machine(number(1)?)?;
                (machine.replica, machine.disk) = (None, MemDisk::new());
            }
            "state" => self.tell_states(),
            "log" => self.tell_log(number(1)?)?,
            "events" => {
                let events = std::mem::take(&mut self.machine(number(1)?)?.events);
                self.said.extend(events);
            }
            other => return Err(format!("unknown command {other}")),
        }
        Ok(std::mem::take(&mut self.said))
    }

    /// The leader of the highest epoch among the running.
    pub(crate) fn leader(&self) -> Option<i32> {
        let running = self.machines.iter().filter_map(|(node, machine)| {
            let replica = machine.replica.as_ref()?;
            (replica.role() == Role::Leader).then(|| (replica.epoch(), *node))
        });
        running.max().map(|(_, node)| node)
    }

    pub(crate) fn is_down(&self, node: i32) -> bool {
        self.machines[&node].replica.is_none()
    }

    /// What somebody takes for committed is what anybody took for committed there before.
    pub(crate) fn check_committed(&mut self) {
        for (node, machine) in &self.machines {
            let Some(replica) = &machine.replica else {
                continue;
            };
            let high_watermark = Replica::high_watermark(replica).unwrap_or(0);
            let committed = replica.log().batches();
            for batch in committed.filter(|batch| batch.next_offset() <= high_watermark) {
                let (offset, epoch) = (batch.base_offset(), batch.leader_epoch());
                let first = *self.committed.entry(offset).or_insert(epoch);
                assert_eq!(
                    first, epoch,
                    "node {node}: offset {offset} was committed in another epoch"
                );
            }
        }
    }

    fn now(&self) -> Time {
        Time::from_millis(self.now_ms)
    }

    fn machine(&mut self, node: i32) -> Result<&mut Machine, String> {
        self.machines
            .get_mut(&node)
            .ok_or(format!("there is no node {node}"))
    }

    fn replica(&mut self, node: i32) -> Result<&mut Replica, String> {
        self.machine(node)?
            .replica
            .as_mut()
            .ok_or(format!("node {node} is down"))
    }
}
