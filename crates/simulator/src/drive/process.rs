use std::collections::{BTreeMap, VecDeque};

use determinism::Time;
use disk::MemDisk;
use image::FaultPolicy;
use listener::{Event, ListenerId, Reading};
use quorum_controller::{
    BackgroundWork, Chance, Controller, ControllerConfig, EventKind, FatalFault, Ids, RequestId,
};
use raft::message::{Inbound, Node, Outbound, Response};
use raft::{Draw, Draws, MessageQueue, RaftConfig, RaftFault, Replica, WallClock};
use records::NodeId;

use super::afterlife;
use super::directories::{self, PARTITION};
use super::noting::Noting;
use super::{
    Call, ControllerState, ListenerKind, NodeState, Outcome, Purpose, ReadBatch, Refusal, Setup,
    Standing,
};

/// The controller, or what records in its place, is the only listener.
const LISTENER: ListenerId = ListenerId(0);

/// One node: its disk, and its process if there is one.
#[derive(Clone, Debug)]
pub(super) struct Process {
    pub node: NodeId,
    pub disk: MemDisk,
    pub replica: Option<Replica>,
    pub controller: Option<Controller>,
    /// A fault has ended it; it lies there as it was.
    pub doomed: bool,
    /// A fault ended it before its replica had a role: the driver counts it as up, and cannot say how it stands.
    pub is_stillborn: bool,
    pub held: bool,
    pub life: i64,
    pub inbox: VecDeque<(u64, Letter)>,
    pub timeout_ms: i64,
    pub prescribed: Vec<i32>,
    /// How many ids were drawn so far, by all nodes.
    pub ids_drawn: u64,
    /// Who waits for the answers of the replica, by token.
    pub asked: BTreeMap<u64, Asker>,
    /// Which operation a request to the controller is.
    pub operations: BTreeMap<RequestId, Asked>,
    pub outcomes: Vec<(u64, Outcome)>,
    /// Answers to letters of that kind.
    pub answered: Vec<(u64, Response)>,
    draws: Vec<(Purpose, Draw)>,
    calls: Vec<(u64, Call)>,
    next_call: u64,
    /// What the controller has queued and not read.
    unread: VecDeque<(u64, Vec<ReadBatch>)>,
    faults_seen: usize,
}

struct Letters {
    inbound: Option<Inbound>,
    timeout_ms: Option<i64>,
}

impl MessageQueue for &mut Letters {
    fn poll(&mut self, timeout_ms: i64) -> Option<Inbound> {
        self.timeout_ms = Some(timeout_ms);
        self.inbound.take()
    }
}

/// What waits for a replica.
#[derive(Clone, Debug)]
pub(super) enum Letter {
    /// A message.
    Inbound(Inbound),
    /// A request that is answered without a look at the state of the replica.
    Answered { token: u64, response: Response },
}

/// What a controller was asked for, by the number of the operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    /// Something whose answer says all.
    Anything(u64),
    /// An update of features, whose errors are part of its result.
    FeatureUpdate(u64),
}

/// Who waits for an answer of a replica.
#[derive(Clone, Debug)]
pub(super) enum Asker {
    /// The sender of a request.
    Flight {
        id: u64,
        from: NodeId,
        from_life: i64,
        version: i16,
        correlation: i32,
        to: Node,
    },
    /// A client.
    Client { operation: u64, version: i16 },
}

impl Process {
    pub fn new(node: NodeId, disk: MemDisk, prescribed: Vec<i32>) -> Self {
        Process {
            node,
            disk,
            replica: None,
            controller: None,
            doomed: false,
            is_stillborn: false,
            held: false,
            life: 0,
            inbox: VecDeque::new(),
            timeout_ms: -1,
            prescribed,
            ids_drawn: 0,
            asked: BTreeMap::new(),
            operations: BTreeMap::new(),
            outcomes: Vec::new(),
            answered: Vec::new(),
            draws: Vec::new(),
            calls: Vec::new(),
            next_call: 0,
            unread: VecDeque::new(),
            faults_seen: 0,
        }
    }

    /// Whether it can do anything.
    pub fn is_running(&self) -> bool {
        self.replica.is_some() && !self.doomed
    }

    /// Whether it can be crashed.
    pub fn is_up(&self) -> bool {
        self.replica.is_some() || self.is_stillborn
    }

    /// Comes up; the log of an earlier life is where it was.
    pub fn start(&mut self, setup: &Setup, now: Time) -> Result<(), Refusal> {
        self.life += 1;
        self.doomed = false;
        self.inbox.clear();
        self.asked.clear();
        self.operations.clear();
        self.unread.clear();
        self.timeout_ms = -1;
        self.faults_seen = 0;
        let config = directories::configuration(setup, self.node)?;
        let id = directories::directory_id(self.node);
        let mut raft_config = RaftConfig {
            clock: WallClock {
                at_start_ms: setup.clock_ms,
            },
            cluster_id: setup.cluster_id.as_str().into(),
            ..node::raft_config(&config, id, PARTITION)
        };
        // The driver gives the client a sorted map of them.
        raft_config.static_voters.sort_by_key(|(id, _)| *id);
        // Java's numbers wrap around.
        let own = i64::from(self.node.0) * 10 + (self.life - 1) * 100_000;
        let seed = setup.seed.wrapping_mul(1000).wrapping_add(own);
        let mut draws = Draws::like_java(seed);
        draws.keep_log();
        draws.prescribe(std::mem::take(&mut self.prescribed));
        let replica = Replica::open(raft_config, &setup.rules, now, draws, &mut self.disk);
        let mut replica = replica.map_err(|fault| {
            self.is_stillborn = !matches!(
                fault,
                RaftFault::Open(_) | RaftFault::Corrupt(_) | RaftFault::Disk(_)
            );
            Refusal::of_start(&fault)
        })?;
        match setup.listener {
            ListenerKind::Recorder => {
                replica.register(Reading::AtOnce);
            }
            ListenerKind::Controller => {
                replica.register(Reading::Later);
                let bootstrap = node::bootstrap_metadata(&config, &setup.rules, &mut self.disk);
                let bootstrap =
                    bootstrap.map_err(|error| Refusal::refused(format!("{error:?}")))?;
                let controller = ControllerConfig {
                    background_work: BackgroundWork::Everything,
                    fatal_faults: FaultPolicy::Logged,
                    ..node::controller_config(&config, LISTENER)
                };
                let mut chance = Chance {
                    placer: Draws::like_java(seed.wrapping_add(1)),
                    ids: Ids::Counted(0),
                };
                chance.placer.keep_log();
                let controller = Controller::new(controller, setup.rules.clone(), bootstrap);
                self.controller = Some(controller.with_chance(chance));
            }
        }
        self.replica = Some(replica);
        self.hear(now);
        self.quiesce(now);
        Ok(())
    }

    /// The process is gone, the files stay as they are.
    pub fn crash(&mut self, now: Time) {
        if let (true, Some(controller)) = (self.held, &mut self.controller) {
            for fault in afterlife::faults_of(controller, now) {
                self.note(fault);
            }
        }
        if let Some(mut replica) = self.replica.take() {
            self.prescribed = replica.draws_mut().take_prescribed();
        }
        self.controller = None;
        self.held = false;
        self.is_stillborn = false;
    }

    /// One turn of the replica; the controller handles what it has afterwards. The message that was handled.
    pub fn poll(&mut self, now: Time) -> Option<u64> {
        let replica = self.replica.as_mut()?;
        let next = self.inbox.pop_front();
        let mut inbound = Letters {
            inbound: match &next {
                Some((_, Letter::Inbound(inbound))) => Some(inbound.clone()),
                _ => None,
            },
            timeout_ms: None,
        };
        let mut handled = next.as_ref().map(|(id, _)| *id);
        let outcome = replica.poll(now, &mut self.disk, &mut inbound);
        if let Some(timeout_ms) = inbound.timeout_ms {
            self.timeout_ms = timeout_ms;
            if let Some((_, Letter::Answered { token, response })) = next {
                self.answered.push((token, response));
            }
        } else if let Some(letter) = next {
            // The poll ended before it looked at its messages.
            handled = None;
            self.inbox.push_front(letter);
        }
        self.hear(now);
        if let Err(fault) = outcome {
            self.doom(&fault);
        }
        handled
    }

    /// The replica's thread ends with an exception.
    pub fn doom(&mut self, cause: &impl ToString) {
        self.note(Call::Fault {
            fatal: true,
            message: "Unexpected error in raft IO thread".to_owned(),
            cause: cause.to_string(),
        });
        self.doomed = true;
    }

    pub fn receive(&mut self, id: u64, inbound: Inbound) {
        self.inbox.push_back((id, Letter::Inbound(inbound)));
    }

    /// What threads of their own do, now that the clock has moved.
    pub fn advance(&mut self, now: Time) -> Result<(), Refusal> {
        if let Some(replica) = &mut self.replica {
            replica
                .run_background(now, &mut self.disk)
                .map_err(Refusal::refused)?;
        }
        Ok(())
    }

    /// Takes what the replica tells its listener, and the draws it made.
    fn hear(&mut self, now: Time) {
        let Some(replica) = &mut self.replica else {
            return;
        };
        let draws = replica.draws_mut().take_log().into_iter();
        self.draws.extend(draws.map(|draw| (Purpose::Raft, draw)));
        let mut events = Vec::new();
        while let Some(event) = replica.poll_listener(LISTENER) {
            events.push(event);
        }
        let violation = replica.take_violation();
        for event in events {
            self.hand_over(now, event);
        }
        if let Some(violation) = violation {
            self.note(Call::Violation(violation.to_string()));
        }
    }

    fn hand_over(&mut self, now: Time, event: Event) {
        let (mut call, read) = Call::of(&event);
        let Some(controller) = &mut self.controller else {
            call.read(read);
            self.note(call);
            return;
        };
        let before = controller.queue_length();
        controller.handle_listener_event(now, event);
        let is_queued = controller.queue_length() > before;
        let number = self.note(call);
        if is_queued {
            self.unread.push_back((number, read));
        }
    }

    /// Lets the controller run until it has nothing to do at this time of the clock.
    pub fn quiesce(&mut self, now: Time) {
        if self.held {
            return;
        }
        while let (Some(controller), Some(replica)) = (&mut self.controller, &mut self.replica) {
            if controller.next_event_at().is_none_or(|at| at > now) {
                break;
            }
            let mut noting = Noting {
                replica,
                calls: Vec::new(),
            };
            controller.chance_mut().ids = Ids::Counted(self.ids_drawn);
            let outlived_before = controller.outlived_faults().len();
            let outcome = controller.poll_event(now, &mut noting);
            let chance = controller.chance_mut();
            if let Ids::Counted(last) = chance.ids {
                self.ids_drawn = last;
            }
            let draws = chance.placer.take_log().into_iter();
            self.draws.extend(draws.map(|draw| (Purpose::Placer, draw)));
            let mut calls = noting.calls;
            let faults = &controller.faults()[self.faults_seen..];
            self.faults_seen += faults.len();
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
            let outlived = &controller.outlived_faults()[outlived_before..];
            let fatal = outlived.first().into_iter().flat_map(fatal_fault);
            let noted: Vec<Call> = counted.chain(fatal).collect();
            calls.splice(resigns..resigns, noted);
            calls.extend(outlived.get(1..).into_iter().flatten().map(renounce_fault));
            self.doomed |= !outlived.is_empty();
            let outlived = outlived.first().cloned();
            self.take_replies();
            self.mark_read(&outcome, outlived.as_ref());
            for call in calls {
                self.note(call);
            }
        }
    }

    /// What of the listener's event has been read: all of it, or up to the batch that a fault was met in.
    fn mark_read(
        &mut self,
        outcome: &Result<Option<EventKind>, FatalFault>,
        outlived: Option<&FatalFault>,
    ) {
        let Ok(Some(
            EventKind::HandleCommit
            | EventKind::HandleLoadSnapshot
            | EventKind::HandleLoadBootstrap
            | EventKind::HandleLeaderChange,
        )) = outcome
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

    fn take_replies(&mut self) {
        let Some(controller) = &mut self.controller else {
            return;
        };
        while let Some(reply) = controller.poll_reply() {
            let outcome = match self.operations.remove(&reply.id) {
                None => continue,
                Some(Asked::Anything(number)) => (number, Outcome::Controller(reply.outcome)),
                Some(Asked::FeatureUpdate(number)) => {
                    (number, Outcome::FeatureUpdate(reply.outcome))
                }
            };
            self.outcomes.push(outcome);
        }
    }

    fn note(&mut self, call: Call) -> u64 {
        let number = self.next_call;
        self.next_call += 1;
        self.calls.push((number, call));
        number
    }

    /// Everything the replica has to send.
    pub fn take_messages(&mut self) -> Vec<Outbound> {
        let replica = self.replica.as_mut();
        replica
            .map(|replica| std::iter::from_fn(|| replica.poll_message()).collect())
            .unwrap_or_default()
    }

    /// How it stands, and what happened since last taken.
    pub fn state(&self) -> NodeState {
        NodeState {
            node: self.node,
            up: self.is_running(),
            standing: self.replica.as_ref().map(|replica| self.standing(replica)),
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

    fn standing(&self, replica: &Replica) -> Standing {
        let log = replica.log();
        Standing {
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
            next_poll_within: self.timeout_ms,
            woken: replica.waiting().woken,
            inbox: self.inbox.iter().map(|(id, _)| *id).collect(),
            controller: self.controller.as_ref().map(|controller| {
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
    let was_caught = matches!(fault, FatalFault::Claim(_) | FatalFault::Renounce(_));
    let kinds: &[bool] = if was_caught { &[true] } else { &[true, false] };
    let noted = kinds.iter().map(|fatal| Call::Fault {
        fatal: *fatal,
        message: "the controller".to_owned(),
        cause: fault.to_string(),
    });
    noted.collect()
}

fn renounce_fault(fault: &FatalFault) -> Call {
    Call::Fault {
        fatal: true,
        message: "the controller".to_owned(),
        cause: fault.to_string(),
    }
}
