use std::collections::BTreeMap;

use determinism::Time;
use listener::RaftClient as _;
use node::{Connection, Node};
use raft::Replica;
use records::metadata::VersionedRecord;
use records::{NodeId, OffsetAndEpoch};

use super::flight::Flight;
use super::seat::{ProcessFate, Seat};
use super::{
    AnswerDetail, CommandAnswer, CommandRefusal, DriveCommand, LogBytes, NodeState, Sent, Setup,
    StartKind, Trace, directories,
};
use crate::SimDisk;
use crate::observer::Observer;
use crate::world::{Machine, World};

/// Nodes, messages on their way, and a clock: obeys one command at a time.
///
/// The world does what is done; here stands what the driver of Kafka's own classes fixes arbitrarily.
#[derive(Clone, Debug)]
pub struct Drive {
    pub(super) setup: Setup,
    pub(super) world: World,
    pub(super) observer: Observer,
    pub(super) now_ms: i64,
    pub(super) seats: BTreeMap<NodeId, Seat>,
    pub(super) flights: BTreeMap<u64, Flight>,
    /// Requests that were delivered: the number of the message, and the version it had.
    pub(super) delivered: BTreeMap<Connection, (u64, i16)>,
    pub(super) fresh: Vec<Sent>,
    pub(super) next_flight: u64,
    operations: u64,
    pub(super) ids_drawn: u64,
    last_states: BTreeMap<NodeId, NodeState>,
}

impl Drive {
    /// Formats all nodes and starts them, and answers what became of it.
    pub fn new(setup: Setup) -> (Drive, CommandAnswer) {
        let mut drive = Drive {
            world: World::by_hand(setup.seed.cast_unsigned()),
            observer: Observer::new(),
            now_ms: setup.clock_ms,
            seats: BTreeMap::new(),
            flights: BTreeMap::new(),
            delivered: BTreeMap::new(),
            fresh: Vec::new(),
            next_flight: 1,
            operations: 0,
            ids_drawn: 0,
            last_states: BTreeMap::new(),
            setup,
        };
        drive.world.set_clock(drive.now());
        let outcome = drive.set_up();
        let answer = drive.answered(outcome, Trace::Changes);
        (drive, answer)
    }

    fn set_up(&mut self) -> Result<AnswerDetail, CommandRefusal> {
        for node in self.setup.all_nodes() {
            // A configuration that is none is met at the start only: the driver's formatter does not read it.
            if let Ok(config) = directories::configuration(&self.setup, node) {
                let disk = directories::formatted(&self.setup, &config)?;
                self.world.add(config, self.setup.rules.clone());
                self.world.set_wall_clock(node, 0);
                if let Some(empty) = self.world.disk_mut(node) {
                    *empty = disk;
                }
            }
            let draws = self.setup.draws.get(&node).cloned().unwrap_or_default();
            self.seats.insert(node, Seat::new(draws));
        }
        if self.setup.start == StartKind::AtOnce {
            for node in self.nodes() {
                self.start(node)?;
            }
        }
        let directory_ids = self.seats.keys();
        Ok(AnswerDetail::SetUp {
            directory_ids: directory_ids
                .map(|node| (*node, directories::directory_id(*node)))
                .collect(),
        })
    }

    /// What was seen of the nodes, and whether it may be.
    pub fn observer(&self) -> &Observer {
        &self.observer
    }

    /// Carries a command out.
    pub fn obey(&mut self, command: DriveCommand) -> CommandAnswer {
        let looks = match command {
            DriveCommand::State(_) => Trace::Off,
            _ => Trace::Changes,
        };
        let outcome = self.execute(command);
        self.answered(outcome, looks)
    }

    /// What there is to tell without a command.
    pub fn look(&mut self) -> CommandAnswer {
        self.answered(Ok(AnswerDetail::Done), Trace::Changes)
    }

    /// Why a node cannot be told anything, if it cannot.
    pub fn refusal_of(&mut self, node: NodeId) -> Option<CommandRefusal> {
        self.running(node).err()
    }

    fn answered(
        &mut self,
        outcome: Result<AnswerDetail, CommandRefusal>,
        looks: Trace,
    ) -> CommandAnswer {
        let changed = (self.setup.trace == Trace::Changes && looks == Trace::Changes)
            .then(|| self.take_changes());
        CommandAnswer {
            outcome,
            changed,
            now_ms: self.now_ms,
            sent: std::mem::take(&mut self.fresh),
        }
    }

    fn take_changes(&mut self) -> Vec<NodeState> {
        let mut changed = Vec::new();
        for (node, seat) in &mut self.seats {
            if seat.fate == ProcessFate::Stillborn {
                continue;
            }
            let state = seat.state(*node, self.world.machine(*node));
            seat.forget_news();
            let standing = state.without_news();
            if state.has_news() || self.last_states.get(node) != Some(&standing) {
                self.last_states.insert(*node, standing);
                changed.push(state);
            }
        }
        changed
    }

    /// Time counts from 1970, so that a clock which is moved back stands before its beginning, as Kafka's does.
    pub(super) fn now(&self) -> Time {
        Time::from_millis(u64::try_from(self.now_ms).unwrap_or(0))
    }

    pub(super) fn nodes(&self) -> Vec<NodeId> {
        self.seats.keys().copied().collect()
    }

    pub(super) fn next_operation(&mut self) -> u64 {
        self.operations += 1;
        self.operations
    }

    pub(super) fn seat_mut(&mut self, node: NodeId) -> Result<&mut Seat, CommandRefusal> {
        self.seats
            .get_mut(&node)
            .ok_or(CommandRefusal::NoSuchNode(node))
    }

    /// The process of a node, if it has one, whether or not a fault has ended it.
    pub(super) fn process(&self, node: NodeId) -> Option<&Node> {
        self.world.machine(node).and_then(Machine::node)
    }

    /// The seat of a node that can do something.
    pub(super) fn running(&mut self, node: NodeId) -> Result<&mut Seat, CommandRefusal> {
        let is_up = self.process(node).is_some();
        let seat = self.seat_mut(node)?;
        if is_up && seat.fate != ProcessFate::Doomed {
            Ok(seat)
        } else {
            Err(CommandRefusal::Down(node))
        }
    }

    /// Does as the listener of a replica that can do something.
    pub(super) fn as_listener<T>(
        &mut self,
        node: NodeId,
        ask: impl FnOnce(&mut Replica, Time, &mut SimDisk) -> T,
    ) -> Result<T, CommandRefusal> {
        self.running(node)?;
        let answer = self.world.with_node(node, |process, now, disk| {
            process.as_listener(|replica| ask(replica, now, disk))
        });
        answer.ok_or(CommandRefusal::Down(node))
    }

    fn execute(&mut self, command: DriveCommand) -> Result<AnswerDetail, CommandRefusal> {
        match command {
            DriveCommand::Advance { ms } => self.advance(ms).map(|()| AnswerDetail::Done),
            DriveCommand::Poll(node) => self.poll(node),
            DriveCommand::Deliver { id, version } => self.deliver(id, version),
            DriveCommand::Drop(id) => self.take_flight(id).map(|_| AnswerDetail::Done),
            DriveCommand::Fail { id, error } => self.fail(id, error),
            DriveCommand::Run(plan) => self.run(&plan),
            DriveCommand::State(node) => self.state(node),
            DriveCommand::Log { node, bytes } => self.log(node, bytes),
            DriveCommand::Controller { node, operation } => self.operate(node, operation),
            DriveCommand::Request {
                node,
                version,
                request,
            } => self.request(node, version, request),
            DriveCommand::Append {
                node,
                epoch,
                records,
            } => self.append(node, epoch, &records),
            DriveCommand::Snapshot {
                node,
                offset,
                epoch,
                records,
            } => self.snapshot(node, offset, epoch, &records),
            DriveCommand::Resign { node, epoch } => {
                let resigned = self.as_listener(node, |replica, _, _| replica.resign(epoch))?;
                resigned.map_err(CommandRefusal::refused)?;
                Ok(AnswerDetail::Done)
            }
            DriveCommand::Shutdown { node, timeout_ms } => {
                self.as_listener(node, |replica, now, _| replica.shutdown(now, timeout_ms))?;
                Ok(AnswerDetail::Done)
            }
            DriveCommand::Hold(node) => {
                self.running(node)?;
                if self.process(node).and_then(Node::controller).is_none() {
                    // There is no thread that could stand still.
                    return Err(CommandRefusal::Incomplete);
                }
                self.running(node)?.held = true;
                Ok(AnswerDetail::Done)
            }
            DriveCommand::Release(node) => {
                if std::mem::take(&mut self.running(node)?.held) {
                    self.quiesce(node)?;
                }
                self.collect(node)?;
                Ok(AnswerDetail::Done)
            }
            DriveCommand::Draws { node, values } => self.prescribe(node, values),
            DriveCommand::Crash { node, keep_below } => self.crash(node, keep_below),
            DriveCommand::Restart {
                node,
                keep_below,
                remainder,
            } => self.restart(node, keep_below, remainder),
        }
    }

    pub(super) fn advance(&mut self, ms: i64) -> Result<(), CommandRefusal> {
        // Timers add their timeouts to what the clock shows.
        const FARTHEST_MS: u64 = 1 << 62;
        let now_ms = self.now_ms.checked_add(ms);
        self.now_ms = now_ms
            .filter(|now_ms| now_ms.unsigned_abs() <= FARTHEST_MS)
            .ok_or_else(|| {
                let now_ms = self.now_ms;
                CommandRefusal::refused(format!(
                    "the clock shows {now_ms} and cannot move by {ms} ms"
                ))
            })?;
        self.world.set_clock(self.now());
        for node in self.nodes() {
            self.seat_mut(node)?.clock_moved();
            if self.running(node).is_ok() {
                // What threads of their own do.
                let cleaned =
                    self.as_listener(node, |replica, now, disk| replica.run_background(now, disk))?;
                cleaned.map_err(CommandRefusal::refused)?;
                self.settle(node)?;
            }
        }
        Ok(())
    }

    fn state(&mut self, node: Option<NodeId>) -> Result<AnswerDetail, CommandRefusal> {
        let nodes = match node {
            Some(node) => vec![node],
            None => self.nodes(),
        };
        let mut states = Vec::new();
        for node in nodes {
            let seat = self
                .seats
                .get_mut(&node)
                .ok_or(CommandRefusal::NoSuchNode(node))?;
            if seat.fate == ProcessFate::Stillborn {
                return Err(CommandRefusal::NoRole(node));
            }
            states.push(seat.state(node, self.world.machine(node)));
            seat.forget_news();
        }
        let in_flight = self.flights.iter();
        Ok(AnswerDetail::State {
            nodes: states,
            in_flight: in_flight.map(|(id, flight)| flight.brief(*id)).collect(),
        })
    }

    fn log(&mut self, node: NodeId, bytes: LogBytes) -> Result<AnswerDetail, CommandRefusal> {
        self.seat_mut(node)?;
        let disk = self.world.disk_mut(node);
        let batches = disk.map_or(Ok(Vec::new()), directories::batches)?;
        Ok(AnswerDetail::Log { batches, bytes })
    }

    fn append(
        &mut self,
        node: NodeId,
        epoch: i32,
        records: &[VersionedRecord],
    ) -> Result<AnswerDetail, CommandRefusal> {
        let appended = self.as_listener(node, |replica, now, _| {
            let last_offset = replica.prepare_append(now, epoch, records)?;
            replica.schedule_prepared_append(now).map(|()| last_offset)
        })?;
        let last_offset = appended.map_err(|error| CommandRefusal::of_append(&error))?;
        Ok(AnswerDetail::Appended { last_offset })
    }

    fn snapshot(
        &mut self,
        node: NodeId,
        offset: Option<i64>,
        epoch: i32,
        records: &[VersionedRecord],
    ) -> Result<AnswerDetail, CommandRefusal> {
        let now_ms = self.now_ms;
        self.as_listener(node, |replica, now, disk| {
            let offset = offset.unwrap_or(replica.high_watermark().unwrap_or(0));
            let id = OffsetAndEpoch::new(offset, epoch);
            let writer = replica
                .create_snapshot(now, disk, id, now_ms)
                .map_err(|error| CommandRefusal::of_snapshot(&error))?;
            let Some(mut writer) = writer else {
                return Ok(AnswerDetail::Snapshot { created: false });
            };
            writer
                .append(disk, records, now_ms)
                .map_err(|error| CommandRefusal::of_checkpoint(&error))?;
            replica
                .freeze_snapshot(now, disk, writer)
                .map_err(CommandRefusal::refused)?;
            Ok(AnswerDetail::Snapshot { created: true })
        })?
    }
}
