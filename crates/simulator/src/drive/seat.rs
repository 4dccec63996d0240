use std::collections::{BTreeMap, VecDeque};

use node::Node;
use quorum_controller::{EventKind, FatalFault};
use raft::message::{Errors, Response};
use raft::{Draw, Draws, Replica};
use records::NodeId;

use super::watching::{Told, Watching};
use super::{
    Call, ControllerState, NodeState, OperationOutcome, Purpose, ReadBatch, ReplicaStanding,
};
use crate::world::{Letter, Machine};

/// What the driver keeps of a node beside its machine in the world.
#[derive(Clone, Debug, Default)]
pub(super) struct Seat {
    pub fate: ProcessFate,
    /// The controller's thread stands still.
    pub held: bool,
    /// A fault has ended the process, and the clock has moved since: its thread would wake up by the wall clock, and the
    /// driver holds it.
    frozen: bool,
    /// How often a process was started.
    pub life: i64,
    /// What waits for the replica, by the number of the message.
    pub inbox: VecDeque<(u64, InboxItem)>,
    /// What the next process is to draw first.
    pub prescribed: Vec<i32>,
    /// What clients asked, by the number of the question.
    pub asked: BTreeMap<u32, Asked>,
    pub outcomes: Vec<(u64, OperationOutcome)>,
    draws: Vec<(Purpose, Draw)>,
    calls: Vec<(u64, Call)>,
    next_call: u64,
    /// What the controller has not handled yet: the number of the call, and what will have been read then.
    unread: VecDeque<(u64, Vec<ReadBatch>)>,
    faults_seen: usize,
    outlived_seen: usize,
}

/// What a fault made of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ProcessFate {
    /// None has ended it.
    #[default]
    Spared,
    /// It has ended, and lies there as it was.
    Doomed,
    /// It ended before its replica had a role: the driver counts it as up, and cannot say how it stands.
    Stillborn,
}

/// What waits for a replica.
#[derive(Clone, Debug)]
pub(super) enum InboxItem {
    Letter(Letter),
    /// A request whose connection is gone, or its answer.
    Failure {
        letter: Letter,
        error: Errors,
    },
    /// The process has it, and has not taken it from its queue.
    Delivered,
    /// A request of a client that is answered without a look at the state of the replica.
    Answered {
        operation: u64,
        outcome: OperationOutcome,
    },
}

/// What a client asked, with the number of its operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    /// Something of the replica, in a version.
    Replica { operation: u64, version: i16 },
    /// Something of the controller, whose answer says all.
    Controller { operation: u64 },
    /// An update of features, whose errors are part of its result.
    FeatureUpdate { operation: u64 },
}

impl Seat {
    /// An empty seat; the random draws of its process begin with `prescribed`.
    pub fn new(prescribed: Vec<i32>) -> Self {
        Seat {
            prescribed,
            ..Seat::default()
        }
    }

    /// Another process begins; the next answer still gives the news of earlier ones.
    pub fn begin_life(&mut self) {
        *self = Seat {
            life: self.life + 1,
            prescribed: std::mem::take(&mut self.prescribed),
            outcomes: std::mem::take(&mut self.outcomes),
            draws: std::mem::take(&mut self.draws),
            calls: std::mem::take(&mut self.calls),
            next_call: self.next_call,
            ..Seat::default()
        };
    }

    /// A fault ends the process before its replica has a role: what it drew is told to nobody.
    pub fn end_before_a_role(&mut self) {
        self.fate = ProcessFate::Stillborn;
        self.draws.clear();
    }

    /// The clock shows another time.
    pub fn clock_moved(&mut self) {
        self.frozen |= self.fate == ProcessFate::Doomed;
    }

    /// Whether the controller's thread does nothing.
    pub fn stands_still(&self) -> bool {
        self.held || self.frozen
    }

    /// The process is gone.
    pub fn end_life(&mut self) {
        self.fate = ProcessFate::Spared;
        (self.held, self.frozen) = (false, false);
    }

    /// The replica's thread ends with an exception.
    pub fn doom(&mut self, cause: &impl ToString) {
        self.note(Call::Fault {
            fatal: true,
            message: "Unexpected error in raft IO thread".to_owned(),
            cause: cause.to_string(),
        });
        self.fate = ProcessFate::Doomed;
    }

    /// Keeps a call for the next answer; gives its number.
    pub fn note(&mut self, call: Call) -> u64 {
        let number = self.next_call;
        self.next_call += 1;
        self.calls.push((number, call));
        number
    }

    /// Keeps for the next answer what was drawn since the last time.
    pub fn draws_made(&mut self, purpose: Purpose, draws: &mut Draws) {
        let made = draws.take_log();
        self.draws
            .extend(made.into_iter().map(|draw| (purpose, draw)));
    }

    /// What a turn of the replica told its listener.
    pub fn heard(&mut self, watched: Watching) {
        for (mut call, told) in watched.told {
            match told {
                Told::Handled(read) => {
                    call.read(read);
                    self.note(call);
                }
                Told::Queued(read) => {
                    let number = self.note(call);
                    self.unread.push_back((number, read));
                }
                Told::Discarded => drop(self.note(call)),
            }
        }
    }

    /// What a controller asked for while it ran an event, with the faults that it met.
    pub fn ran(&mut self, watched: Watching, node: &Node) {
        let Some(controller) = node.controller() else {
            return;
        };
        let mut calls = watched.asked;
        let faults = &controller.faults()[self.faults_seen..];
        self.faults_seen += faults.len();
        let outlived = &controller.outlived_faults()[self.outlived_seen..];
        self.outlived_seen += outlived.len();
        // A fault is counted before the controller renounces for it.
        let resigns = calls
            .iter()
            .position(|call| matches!(call, Call::Resign { .. }))
            .unwrap_or(calls.len());
        let counted = faults.iter().map(|fault| Call::Fault {
            fatal: false,
            message: fault.event.clone(),
            cause: fault.text.clone(),
        });
        // Raft has resigned before renouncing can fail.
        let (first, rest) = match outlived.split_first() {
            Some((first, rest)) if !matches!(first, FatalFault::Renounce(_)) => (Some(first), rest),
            _ => (None, outlived),
        };
        let fatal = first.into_iter().flat_map(fatal_fault);
        let noted: Vec<Call> = counted.chain(fatal).collect();
        calls.splice(resigns..resigns, noted);
        // The fault of renouncing for another one was caught where it was met.
        calls.extend(rest.iter().map(|fault| fault_call(fault, true)));
        if !outlived.is_empty() {
            self.fate = ProcessFate::Doomed;
        }
        self.mark_read(watched.ran, outlived.first());
        for call in calls {
            self.note(call);
        }
    }

    /// What of the listener's event has been read: all of it, or up to the batch that a fault was met in.
    fn mark_read(&mut self, ran: Option<EventKind>, outlived: Option<&FatalFault>) {
        let Some(
            EventKind::HandleCommit
            | EventKind::HandleLoadSnapshot
            | EventKind::HandleLoadBootstrap
            | EventKind::HandleLeaderChange,
        ) = ran
        else {
            return;
        };
        let up_to = match outlived {
            None | Some(FatalFault::Checkpoint { .. }) => i64::MAX,
            Some(
                FatalFault::CommittedRecord { base_offset, .. }
                | FatalFault::SnapshotRecord { base_offset, .. },
            ) => *base_offset,
            _ => -1,
        };
        if let Some((number, mut read)) = self.unread.pop_front()
            && let Some((_, call)) = self.calls.iter_mut().find(|(of, _)| *of == number)
        {
            read.retain(|batch| batch.base <= up_to);
            call.read(read);
        }
    }

    /// A client has its answer from the replica.
    pub fn answered_by_replica(&mut self, number: u32, response: Response) {
        if let Some(Asked::Replica { operation, version }) = self.asked.remove(&number) {
            let outcome = OperationOutcome::Raft { version, response };
            self.outcomes.push((operation, outcome));
        }
    }

    /// How the node stands, and what happened since last taken.
    pub fn state(&self, node: NodeId, machine: Option<&Machine>) -> NodeState {
        let process = machine.and_then(Machine::node);
        NodeState {
            node,
            up: process.is_some() && self.fate != ProcessFate::Doomed,
            standing: process.map(|process| self.standing(process)),
            calls: self.calls.iter().map(|(_, call)| call.clone()).collect(),
            operations: self.outcomes.clone(),
            draws: self.draws.clone(),
        }
    }

    /// What happened is told once.
    pub fn forget_news(&mut self) {
        self.calls.clear();
        self.outcomes.clear();
        self.draws.clear();
    }

    fn standing(&self, process: &Node) -> ReplicaStanding {
        let replica: &Replica = process.replica();
        let (log, waiting) = (replica.log(), replica.waiting());
        ReplicaStanding {
            role: replica.role().name(),
            epoch: replica.epoch(),
            leader: replica.leader(),
            voted: replica.voted_key().map(|key| key.id),
            high_watermark: replica.high_watermark(),
            log_end: log.end_offset(),
            log_start: log.start_offset(),
            last_epoch: log.last_epoch().ok(),
            snapshot: log.latest_snapshot_id(),
            voters: replica.voters().voter_ids().collect(),
            kraft_version: replica.log_kraft_version(),
            next_poll_within: waiting.timeout_ms.unwrap_or(-1),
            woken: waiting.woken,
            inbox: self.inbox.iter().map(|(id, _)| *id).collect(),
            controller: process.controller().map(|controller| {
                let offsets = controller.offsets();
                ControllerState {
                    active: controller.is_active(),
                    claim_epoch: controller.claim_epoch(),
                    last_stable_offset: offsets.last_stable_offset(),
                    features: controller.finalized_at(offsets.last_stable_offset()),
                    held: self.held,
                }
            }),
        }
    }
}

/// The handler of faults notes them and dooms the process, and the controller's thread goes on: the fault is an exception
/// too, unless it was caught where it was met.
fn fatal_fault(fault: &FatalFault) -> Vec<Call> {
    let was_caught = matches!(fault, FatalFault::Claim(_));
    let kinds: &[bool] = if was_caught { &[true] } else { &[true, false] };
    kinds
        .iter()
        .map(|fatal| fault_call(fault, *fatal))
        .collect()
}

fn fault_call(fault: &FatalFault, fatal: bool) -> Call {
    Call::Fault {
        fatal,
        message: "the controller".to_owned(),
        cause: fault.to_string(),
    }
}
