use std::collections::BTreeMap;

use determinism::Time;
use listener::RaftClient as _;
use quorum_controller::Request;
use records::metadata::VersionedRecord;
use records::{NodeId, OffsetAndEpoch};

use super::flight::Flight;
use super::process::{Asked, Process};
use super::{
    Answer, Command, Detail, LogBytes, NodeState, Operation, Refusal, Remainder, Sent, Setup,
    StartKind, Trace, directories,
};

/// Nodes, messages on their way, and a clock: obeys one command at a time.
#[derive(Clone, Debug)]
pub struct Drive {
    pub(super) setup: Setup,
    pub(super) now_ms: i64,
    pub(super) processes: BTreeMap<NodeId, Process>,
    pub(super) flights: BTreeMap<u64, Flight>,
    pub(super) fresh: Vec<Sent>,
    pub(super) next_flight: u64,
    operations: u64,
    ids_drawn: u64,
    last_states: BTreeMap<NodeId, NodeState>,
}

impl Drive {
    /// Formats all nodes and starts them, and answers what became of it.
    pub fn new(setup: Setup) -> (Drive, Answer) {
        let mut drive = Drive {
            now_ms: setup.clock_ms,
            processes: BTreeMap::new(),
            flights: BTreeMap::new(),
            fresh: Vec::new(),
            next_flight: 1,
            operations: 0,
            ids_drawn: 0,
            last_states: BTreeMap::new(),
            setup,
        };
        let outcome = drive.set_up();
        let answer = drive.answered(outcome, Trace::Changes);
        (drive, answer)
    }

    fn set_up(&mut self) -> Result<Detail, Refusal> {
        for node in self.setup.all_nodes() {
            let disk = directories::formatted(&self.setup, node)?;
            let draws = self.setup.draws.get(&node).cloned().unwrap_or_default();
            self.processes.insert(node, Process::new(node, disk, draws));
        }
        if self.setup.start == StartKind::AtOnce {
            for node in self.nodes() {
                self.start(node)?;
            }
        }
        let directory_ids = self.processes.keys();
        Ok(Detail::SetUp {
            directory_ids: directory_ids
                .map(|node| (*node, directories::directory_id(*node)))
                .collect(),
        })
    }

    /// Carries a command out.
    pub fn obey(&mut self, command: Command) -> Answer {
        let looks = match command {
            Command::State(_) => Trace::Off,
            _ => Trace::Changes,
        };
        let outcome = self.execute(command);
        self.answered(outcome, looks)
    }

    /// What there is to tell without a command.
    pub fn look(&mut self) -> Answer {
        self.answered(Ok(Detail::Done), Trace::Changes)
    }

    /// Why a node cannot be told anything, if it cannot.
    pub fn refusal_of(&mut self, node: NodeId) -> Option<Refusal> {
        self.running(node).err()
    }

    fn answered(&mut self, outcome: Result<Detail, Refusal>, looks: Trace) -> Answer {
        let changed = (self.setup.trace == Trace::Changes && looks == Trace::Changes)
            .then(|| self.take_changes());
        Answer {
            outcome,
            changed,
            now_ms: self.now_ms,
            sent: std::mem::take(&mut self.fresh),
        }
    }

    fn take_changes(&mut self) -> Vec<NodeState> {
        let mut changed = Vec::new();
        let processes = self.processes.iter_mut();
        for (node, process) in processes.filter(|(_, process)| !process.is_stillborn) {
            let state = process.state();
            process.forget_news();
            let standing = state.without_news();
            if state.has_news() || self.last_states.get(node) != Some(&standing) {
                self.last_states.insert(*node, standing);
                changed.push(state);
            }
        }
        changed
    }

    pub(super) fn now(&self) -> Time {
        Time::from_millis((self.now_ms - self.setup.clock_ms) as u64)
    }

    pub(super) fn nodes(&self) -> Vec<NodeId> {
        self.processes.keys().copied().collect()
    }

    pub(super) fn next_operation(&mut self) -> u64 {
        self.operations += 1;
        self.operations
    }

    pub(super) fn process_mut(&mut self, node: NodeId) -> Result<&mut Process, Refusal> {
        self.processes
            .get_mut(&node)
            .ok_or(Refusal::NoSuchNode(node))
    }

    pub(super) fn running(&mut self, node: NodeId) -> Result<&mut Process, Refusal> {
        let process = self.process_mut(node)?;
        if process.is_running() {
            Ok(process)
        } else {
            Err(Refusal::Down(node))
        }
    }

    fn execute(&mut self, command: Command) -> Result<Detail, Refusal> {
        match command {
            Command::Advance { ms } => self.advance(ms).map(|()| Detail::Done),
            Command::Poll(node) => self.poll(node),
            Command::Deliver { id, version } => self.deliver(id, version),
            Command::Drop(id) => self.take_flight(id).map(|_| Detail::Done),
            Command::Fail { id, error } => self.fail(id, error),
            Command::Run(plan) => self.run(&plan),
            Command::State(node) => self.state(node),
            Command::Log { node, bytes } => self.log(node, bytes),
            Command::Controller { node, operation } => self.operate(node, operation),
            Command::Request {
                node,
                version,
                request,
            } => self.request(node, version, request),
            Command::Append {
                node,
                epoch,
                records,
            } => self.append(node, epoch, &records),
            Command::Snapshot {
                node,
                offset,
                epoch,
                records,
            } => self.snapshot(node, offset, epoch, &records),
            Command::Resign { node, epoch } => {
                let process = self.running(node)?;
                let outcome = process
                    .replica
                    .as_mut()
                    .map(|replica| replica.resign(epoch));
                outcome.transpose().map_err(Refusal::refused)?;
                Ok(Detail::Done)
            }
            Command::Shutdown { node, timeout_ms } => {
                let now = self.now();
                if let Some(replica) = &mut self.running(node)?.replica {
                    replica.shutdown(now, timeout_ms);
                }
                Ok(Detail::Done)
            }
            Command::Hold(node) => {
                let process = self.running(node)?;
                if process.controller.is_none() {
                    // There is no thread that could stand still.
                    return Err(Refusal::Incomplete);
                }
                process.held = true;
                Ok(Detail::Done)
            }
            Command::Release(node) => {
                let process = self.running(node)?;
                if process.held {
                    process.held = false;
                    self.quiesce(node)?;
                }
                self.collect(node)?;
                Ok(Detail::Done)
            }
            Command::Draws { node, values } => self.prescribe(node, values),
            Command::Crash { node, keep_below } => self.crash(node, keep_below),
            Command::Restart {
                node,
                keep_below,
                remainder,
            } => self.restart(node, keep_below, remainder),
        }
    }

    pub(super) fn advance(&mut self, ms: i64) -> Result<(), Refusal> {
        // Timers add their timeouts to what the clock shows.
        const FARTHEST_MS: u64 = 1 << 62;
        let now_ms = self.now_ms.checked_add(ms);
        self.now_ms = now_ms
            .filter(|now_ms| now_ms.unsigned_abs() <= FARTHEST_MS)
            .ok_or_else(|| {
                let now_ms = self.now_ms;
                Refusal::refused(format!(
                    "the clock shows {now_ms} and cannot move by {ms} ms"
                ))
            })?;
        let now = self.now();
        for node in self.nodes() {
            if let Ok(process) = self.running(node) {
                process.advance(now)?;
                self.settle(node)?;
            }
        }
        Ok(())
    }

    pub(super) fn poll(&mut self, node: NodeId) -> Result<Detail, Refusal> {
        let now = self.now();
        let process = self.running(node)?;
        let handled = process.poll(now);
        let next_poll_within = process.timeout_ms;
        self.settle(node)?;
        Ok(Detail::Polled {
            handled,
            next_poll_within,
        })
    }

    /// What the replica answered comes first; then the controller handles all it has.
    fn settle(&mut self, node: NodeId) -> Result<(), Refusal> {
        self.collect(node)?;
        self.quiesce(node)?;
        self.collect(node)
    }

    /// The controller runs; ids are drawn from one stream for all nodes.
    fn quiesce(&mut self, node: NodeId) -> Result<(), Refusal> {
        let (now, drawn) = (self.now(), self.ids_drawn);
        let process = self.process_mut(node)?;
        process.ids_drawn = drawn;
        process.quiesce(now);
        self.ids_drawn = process.ids_drawn;
        Ok(())
    }

    fn state(&mut self, node: Option<NodeId>) -> Result<Detail, Refusal> {
        let nodes = match node {
            Some(node) => vec![node],
            None => self.nodes(),
        };
        let mut states = Vec::new();
        for node in nodes {
            let process = self.process_mut(node)?;
            if process.is_stillborn {
                return Err(Refusal::NoRole(node));
            }
            states.push(process.state());
            process.forget_news();
        }
        let in_flight = self.flights.iter();
        Ok(Detail::State {
            nodes: states,
            in_flight: in_flight.map(|(id, flight)| flight.brief(*id)).collect(),
        })
    }

    fn log(&mut self, node: NodeId, bytes: LogBytes) -> Result<Detail, Refusal> {
        let process = self.process_mut(node)?;
        let batches = directories::batches(&mut process.disk)?;
        Ok(Detail::Log { batches, bytes })
    }

    fn operate(&mut self, node: NodeId, operation: Operation) -> Result<Detail, Refusal> {
        let now = self.now();
        if self.running(node)?.controller.is_none() {
            return Err(Refusal::NoController(node));
        }
        let number = self.next_operation();
        let request = match operation {
            Operation::Request(request) => request,
            Operation::Refused(refusal) => return Err(refusal),
        };
        let process = self.running(node)?;
        if let Some(controller) = &mut process.controller {
            let asked = match &request {
                Request::UpdateFeatures(_) => Asked::FeatureUpdate(number),
                _ => Asked::Anything(number),
            };
            let id = controller.handle_request(now, request).map_err(|error| {
                let exception = "org.apache.kafka.common.errors.NotControllerException";
                Refusal::with(exception, error)
            })?;
            process.operations.insert(id, asked);
        }
        self.quiesce(node)?;
        self.collect(node)?;
        Ok(Detail::Operation(number))
    }

    fn append(
        &mut self,
        node: NodeId,
        epoch: i32,
        records: &[VersionedRecord],
    ) -> Result<Detail, Refusal> {
        let now = self.now();
        let process = self.running(node)?;
        let replica = process.replica.as_mut().ok_or(Refusal::Down(node))?;
        let last_offset = replica
            .prepare_append(now, epoch, records)
            .map_err(|error| Refusal::of_append(&error))?;
        replica
            .schedule_prepared_append(now)
            .map_err(|error| Refusal::of_append(&error))?;
        Ok(Detail::Appended { last_offset })
    }

    fn snapshot(
        &mut self,
        node: NodeId,
        offset: Option<i64>,
        epoch: i32,
        records: &[VersionedRecord],
    ) -> Result<Detail, Refusal> {
        let (now, now_ms) = (self.now(), self.now_ms);
        let process = self.running(node)?;
        let replica = process.replica.as_mut().ok_or(Refusal::Down(node))?;
        let offset = offset.unwrap_or(replica.high_watermark().unwrap_or(0));
        let id = OffsetAndEpoch::new(offset, epoch);
        let disk = &mut process.disk;
        let writer = replica
            .create_snapshot(now, disk, id, now_ms)
            .map_err(|error| Refusal::of_snapshot(&error))?;
        let Some(mut writer) = writer else {
            return Ok(Detail::Snapshot { created: false });
        };
        writer
            .append(disk, records, now_ms)
            .map_err(|error| Refusal::of_checkpoint(&error))?;
        replica
            .freeze_snapshot(now, disk, writer)
            .map_err(Refusal::refused)?;
        Ok(Detail::Snapshot { created: true })
    }

    fn prescribe(&mut self, node: NodeId, values: Vec<i32>) -> Result<Detail, Refusal> {
        if values.is_empty() {
            return Ok(Detail::Done);
        }
        let process = self.process_mut(node)?;
        match &mut process.replica {
            Some(replica) => replica.draws_mut().prescribe(values),
            None => process.prescribed.extend(values),
        }
        Ok(Detail::Done)
    }

    fn start(&mut self, node: NodeId) -> Result<(), Refusal> {
        let now = self.now();
        let setup = &self.setup;
        let process = self
            .processes
            .get_mut(&node)
            .ok_or(Refusal::NoSuchNode(node))?;
        process.start(setup, now)?;
        self.collect(node)
    }

    fn crash(&mut self, node: NodeId, keep_below: Option<i64>) -> Result<Detail, Refusal> {
        let now = self.now();
        let process = self.process_mut(node)?;
        if !process.is_up() {
            return Err(Refusal::Down(node));
        }
        process.crash(now);
        if let Some(offset) = keep_below {
            directories::lose_from(&mut process.disk, offset)?;
        }
        Ok(Detail::Done)
    }

    fn restart(
        &mut self,
        node: NodeId,
        keep_below: Option<i64>,
        remainder: Remainder,
    ) -> Result<Detail, Refusal> {
        if self.process_mut(node)?.is_up() {
            self.crash(node, keep_below)?;
        }
        if remainder == Remainder::Wiped {
            self.process_mut(node)?.disk = directories::formatted(&self.setup, node)?;
        }
        self.start(node)?;
        Ok(Detail::Done)
    }
}
