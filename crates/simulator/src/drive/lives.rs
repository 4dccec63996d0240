//! How processes come and go.

use determinism::{Draws, Rng};
use disk::{DiskError, Operation};
use image::FaultPolicy;
use node::{Ended, Node, NodeChance, Parts, StartRefusal};
use quorum_controller::{BackgroundWork, Chance, Controller, Ids};
use raft::RaftFault;
use records::NodeId;

use super::seat::ProcessFate;
use super::{AnswerDetail, CommandRefusal, Drive, ListenerKind, Remainder, afterlife, directories};
use crate::world::{Down, Machine};

impl Drive {
    pub(super) fn prescribe(
        &mut self,
        node: NodeId,
        values: Vec<i32>,
    ) -> Result<AnswerDetail, CommandRefusal> {
        if values.is_empty() {
            return Ok(AnswerDetail::Done);
        }
        self.seat_mut(node)?;
        let given = self.world.with_node(node, |process, _, _| {
            process.as_listener(|replica| replica.draws_mut().prescribe(values.iter().copied()));
        });
        if given.is_none() {
            self.seat_mut(node)?.prescribed.extend(values);
        }
        Ok(AnswerDetail::Done)
    }

    /// Whether it can be crashed.
    fn is_up(&mut self, node: NodeId) -> Result<bool, CommandRefusal> {
        let is_stillborn = self.seat_mut(node)?.fate == ProcessFate::Stillborn;
        Ok(is_stillborn || self.process(node).is_some())
    }

    /// Comes up; the log of an earlier life is where it was.
    pub(super) fn start(&mut self, node: NodeId) -> Result<(), CommandRefusal> {
        self.seat_mut(node)?.begin_life();
        directories::configuration(&self.setup, node)?;
        let (parts, chance) = (self.parts(), self.chance(node)?);
        self.world.start_by_hand(node, parts, chance);
        self.observe(node);
        let refusal = match self.world.machine(node).and_then(Machine::down) {
            Some(Down::Refused(StartRefusal::Raft(
                fault @ (RaftFault::Open(_) | RaftFault::Corrupt(_)),
            ))) => return Err(CommandRefusal::of_start(fault)),
            Some(Down::Refused(StartRefusal::Raft(fault))) => CommandRefusal::of_start(fault),
            // A checkpoint that the log knows and whose file is not there, met while the log is opened, or after that.
            Some(Down::Refused(StartRefusal::Disk(
                error @ DiskError::NotFound { operation, .. },
            ))) => {
                let refusal = CommandRefusal::with("java.io.UncheckedIOException", error);
                if *operation == Operation::Rename {
                    return Err(refusal);
                }
                refusal
            }
            Some(Down::Refused(refusal)) => return Err(CommandRefusal::refused(refusal)),
            Some(Down::Ended(Ended::Hangs { reason, .. })) => CommandRefusal::endless(reason),
            _ => {
                self.draws_made(node);
                self.quiesce(node)?;
                return self.collect(node);
            }
        };
        self.seat_mut(node)?.end_before_a_role();
        Err(refusal)
    }

    fn parts(&self) -> Parts {
        match self.setup.listener {
            ListenerKind::Recorder => Parts::Recorder,
            ListenerKind::Controller => Parts::Controller {
                background_work: BackgroundWork::Everything,
                fatal_faults: FaultPolicy::Logged,
            },
        }
    }

    fn chance(&mut self, node: NodeId) -> Result<NodeChance, CommandRefusal> {
        let setup_seed = self.setup.seed;
        let seat = self.seat_mut(node)?;
        // Java's numbers wrap around.
        let own = i64::from(node.0) * 10 + (seat.life - 1) * 100_000;
        let seed = setup_seed.wrapping_mul(1000).wrapping_add(own);
        let noted = |seed| {
            let mut draws = Draws::like_java(seed);
            draws.keep_log();
            draws
        };
        let mut raft = noted(seed);
        raft.prescribe(std::mem::take(&mut seat.prescribed));
        Ok(NodeChance {
            raft,
            controller: Chance {
                placer: noted(seed.wrapping_add(1)),
                ids: Ids::Counted(0),
            },
            process: Rng::from_seed(seed.cast_unsigned()),
        })
    }

    /// The process is gone, the files stay as they are.
    pub(super) fn crash(
        &mut self,
        node: NodeId,
        keep_below: Option<i64>,
    ) -> Result<AnswerDetail, CommandRefusal> {
        let now = self.now();
        if !self.is_up(node)? {
            return Err(CommandRefusal::Down(node));
        }
        let seat = self
            .seats
            .get_mut(&node)
            .ok_or(CommandRefusal::NoSuchNode(node))?;
        let process = self.world.machine(node).and_then(Machine::node);
        let controller = process.and_then(Node::controller);
        if let Some(controller) = controller.filter(|_| seat.stands_still()) {
            for fault in afterlife::faults_of(&mut Controller::clone(controller), now) {
                seat.note(fault);
            }
        }
        seat.end_life();
        self.world.with_node(node, |process, _, _| {
            seat.prescribed = process.as_listener(|replica| replica.draws_mut().take_prescribed());
        });
        self.world.crash(node);
        self.observe(node);
        if let Some(offset) = keep_below
            && let Some(disk) = self.world.disk_mut(node)
        {
            directories::lose_from(disk, offset)?;
            self.observer.disk_replaced(self.world.now(), node);
        }
        Ok(AnswerDetail::Done)
    }

    pub(super) fn restart(
        &mut self,
        node: NodeId,
        keep_below: Option<i64>,
        remainder: Remainder,
    ) -> Result<AnswerDetail, CommandRefusal> {
        if self.is_up(node)? {
            self.crash(node, keep_below)?;
        }
        if remainder == Remainder::Wiped
            && let Ok(config) = directories::configuration(&self.setup, node)
        {
            let formatted = directories::formatted(&self.setup, &config)?;
            if let Some(disk) = self.world.disk_mut(node) {
                *disk = formatted;
            }
            self.observer.disk_replaced(self.world.now(), node);
        }
        self.start(node)?;
        Ok(AnswerDetail::Done)
    }
}
