use std::fmt;
use std::sync::Arc;

use determinism::Time;
use disk::path;
use node::{Ended, Node, NodeConfig, Reach, StartRefusal, Thread};
use raft::{Address, WallClock};
use raft_log::log::METADATA_LOG_DIR_NAME;
use records::NodeId;
use releases::Rules;

use crate::SimDisk;

/// Wall clock at the beginning of a run, in milliseconds since 1970: 2025-01-01T00:00:00Z.
pub const EPOCH_MS: i64 = 1_735_689_600_000;

/// Why a machine runs no process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Down {
    /// None was started yet.
    NeverStarted,
    /// The last one refused to start.
    Refused(StartRefusal),
    /// The last one ended by itself, or finished its clean stop.
    Ended(Ended),
    /// The last one was killed.
    Killed,
}

impl Down {
    /// Whether the process ended by its own decision, or could not start: what Kafka shows as a non-zero exit.
    pub fn by_itself(&self) -> bool {
        matches!(self, Down::Refused(_) | Down::Ended(Ended::Fault { .. }))
    }

    /// Whether Kafka's process would live on in an endless loop.
    pub fn hangs(&self) -> bool {
        matches!(self, Down::Ended(Ended::Hangs { .. }))
    }
}

impl fmt::Display for Down {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Down::NeverStarted => f.write_str("never started"),
            Down::Refused(refusal) => write!(f, "{refusal}"),
            Down::Ended(ended) => write!(f, "{ended}"),
            Down::Killed => f.write_str("killed"),
        }
    }
}

/// The process of a machine.
#[derive(Clone, Debug)]
pub(super) enum Process {
    Down(Down),
    Up(Box<Node>),
    Paused(Box<Node>),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Wake {
    pub(super) at: Time,
    pub(super) ticket: u32,
    /// The thread handles an event until then.
    pub(super) busy_until: Time,
}

/// A machine: a disk, a clock, and at most one process.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(super) id: NodeId,
    pub(super) config: Arc<NodeConfig>,
    /// The directory of the metadata partition.
    partition_dir: Arc<str>,
    pub(super) rules: Arc<Rules>,
    pub(super) disk: SimDisk,
    pub(super) process: Process,
    /// The last process, if it ended: what it did can still be looked at.
    pub(super) last: Option<Box<Node>>,
    pub(super) wakes: [Wake; Thread::ALL.len()],
    /// Why the process is about to halt.
    pub(super) halting: Option<Ended>,
    /// Threads that met a fatal fault.
    pub(super) stopped_threads: [bool; Thread::ALL.len()],
    pub(super) ticket: u32,
    pub(super) starts: u32,
    /// Messages that arrived during a pause.
    pub(super) parked: Vec<u32>,
    pub(super) wall_clock: WallClock,
}

impl Machine {
    pub(super) fn new(id: NodeId, config: Arc<NodeConfig>, rules: Arc<Rules>) -> Self {
        let never = Wake {
            at: Time::MAX,
            ticket: 0,
            busy_until: Time::ZERO,
        };
        Machine {
            id,
            partition_dir: partition_dir(&config),
            config,
            rules,
            disk: SimDisk::new(),
            process: Process::Down(Down::NeverStarted),
            last: None,
            wakes: [never; Thread::ALL.len()],
            halting: None,
            stopped_threads: [false; Thread::ALL.len()],
            ticket: 0,
            starts: 0,
            parked: Vec::new(),
            wall_clock: WallClock {
                at_start_ms: EPOCH_MS,
            },
        }
    }

    /// The node id of its processes.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// The configuration that its next process starts with.
    pub fn config(&self) -> &NodeConfig {
        &self.config
    }

    /// The next process starts with this.
    pub(super) fn set_config(&mut self, config: Arc<NodeConfig>) {
        self.partition_dir = partition_dir(&config);
        self.config = config;
    }

    /// The metadata log directory, where the legacy file and `meta.properties` stand.
    pub fn metadata_dir(&self) -> &str {
        &self.config.server().metadata_log_dir
    }

    /// The directory of the metadata partition, where the log, its checkpoints and `quorum-state` stand.
    pub fn partition_dir(&self) -> &str {
        &self.partition_dir
    }

    /// How a connection to `address` would reach its process, by the configuration that the process was started with.
    pub(super) fn reached_at(&self, address: &Address) -> Reach {
        self.node()
            .map_or(&*self.config, Node::config)
            .reached_at(address)
    }

    /// The rules of the release that runs, or will run at the next start.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    pub fn disk(&self) -> &SimDisk {
        &self.disk
    }

    /// The live process; also while it is paused.
    pub fn node(&self) -> Option<&Node> {
        match &self.process {
            Process::Up(node) | Process::Paused(node) => Some(node),
            Process::Down(_) => None,
        }
    }

    /// The live process, else the one that ended last: for looking at what it did.
    pub fn last_node(&self) -> Option<&Node> {
        self.node().or(self.last.as_deref())
    }

    /// Whether the process is paused.
    pub fn is_paused(&self) -> bool {
        matches!(self.process, Process::Paused(_))
    }

    /// Whether the process has met a fatal fault, and is about to end.
    pub fn is_halting(&self) -> bool {
        self.halting.is_some()
    }

    /// Why no process lives; `None` while one does.
    pub fn down(&self) -> Option<&Down> {
        match &self.process {
            Process::Down(why) => Some(why),
            Process::Up(_) | Process::Paused(_) => None,
        }
    }

    /// How often a process was started here.
    pub fn starts(&self) -> u32 {
        self.starts
    }

    /// Wakes that were scheduled for an earlier process are not for the next one.
    pub(super) fn forget_wakes(&mut self) {
        self.halting = None;
        self.stopped_threads = [false; Thread::ALL.len()];
        for wake in &mut self.wakes {
            wake.at = Time::MAX;
            wake.busy_until = Time::ZERO;
        }
    }
}

fn partition_dir(config: &NodeConfig) -> Arc<str> {
    path::join(&config.server().metadata_log_dir, METADATA_LOG_DIR_NAME).into()
}
