//! The controller: one thread's worth of events over one state (`4.4:metadata/…/controller/QuorumController.java`).

mod event;
mod listener_events;
mod periodic;
mod replay;
mod write_path;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use determinism::{Rng, Time};
use image::{Dialect, FaultPolicy, MetadataImage};
use listener::{Event, RaftClient};
use records::feature::{METADATA_VERSION, MetadataVersion};
use releases::Rules;
use releases::bootstrap::ZeroCheckpointUse;
use releases::controller::EmptyLogTest;
use releases::replication::SessionTracking;

pub use event::EventKind;

use self::event::ControllerEvent;
use crate::activation::{Activation, LogContent};
use crate::bootstrap::BootstrapMetadata;
use crate::chance::Chance;
use crate::config::ControllerConfig;
use crate::control_state::ControlState;
use crate::deferred_events::DeferredEvents;
use crate::event_queue::{EventQueue, Rejected};
use crate::fault::{CountedFault, FatalFault};
use crate::heartbeats::Heartbeats;
use crate::offset_control::OffsetControl;
use crate::periodic_task::{PeriodicTask, TaskSchedule};
use crate::request::{ControllerRequest, ControllerResponse, Reply, RequestError, RequestId};
use crate::result::{RequestResult, WriteFailure};
use crate::sessions::BrokerIdAndEpoch;
use crate::view::View;

/// The quorum controller of one node.
///
/// * `handle_listener_event` and `handle_request` only queue; so does Kafka's raft thread.
/// * `poll_event` runs one event of the queue; `next_event_at` says when there is one. Where it fails, nothing runs after
///   it: the process ends.
/// * `poll_reply` hands out answers; `activations` says what each activation did.
/// * Getters show the state.
#[derive(Clone, Debug)]
pub struct Controller {
    config: ControllerConfig,
    rules: Arc<Rules>,
    dialect: Dialect,
    bootstrap: BootstrapMetadata,
    queue: EventQueue<PeriodicTask, ControllerEvent>,
    offsets: OffsetControl<ControlState>,
    /// `None` while this controller is not active.
    heartbeats: Option<Heartbeats>,
    chance: Chance,
    balance_schedule: TaskSchedule,
    unclean_schedule: TaskSchedule,
    deferred: DeferredEvents<Option<(RequestId, RequestResult)>>,
    claim_epoch: Option<i32>,
    /// Whether this process has replayed any metadata record, committed or not. Never taken back: see
    /// [`EmptyLogTest::NoRecordEverReplayed`].
    has_ever_replayed: bool,
    replies: VecDeque<Reply>,
    activations: Vec<Activation>,
    faults: Vec<CountedFault>,
    outlived: Vec<FatalFault>,
    warnings: Vec<String>,
    next_request: u64,
    ended: bool,
}

/// What the active controller knows beyond the metadata, and loses with its leadership.
struct Soft<'a> {
    heartbeats: &'a mut Heartbeats,
    chance: &'a mut Chance,
}

impl Controller {
    /// A controller that knows nothing yet but its bootstrap records.
    pub fn new(
        config: ControllerConfig,
        rules: impl Into<Arc<Rules>>,
        bootstrap: BootstrapMetadata,
    ) -> Self {
        let rules = rules.into();
        Controller {
            dialect: Dialect::of(&rules),
            bootstrap,
            queue: EventQueue::default(),
            offsets: OffsetControl::new(ControlState::empty(rules.replication.partition_hash)),
            heartbeats: None,
            chance: Chance::from_rng(&Rng::from_seed(config.node_id.0.unsigned_abs().into())),
            balance_schedule: TaskSchedule::Deferred,
            unclean_schedule: TaskSchedule::Deferred,
            deferred: DeferredEvents::default(),
            claim_epoch: None,
            has_ever_replayed: false,
            replies: VecDeque::new(),
            activations: Vec::new(),
            faults: Vec::new(),
            outlived: Vec::new(),
            warnings: Vec::new(),
            next_request: 0,
            ended: false,
            config,
            rules,
        }
    }

    /// The same controller with other randomness.
    #[must_use]
    pub fn with_chance(mut self, chance: Chance) -> Self {
        self.chance = chance;
        self
    }

    /// Its randomness, to read draws back.
    pub fn chance_mut(&mut self) -> &mut Chance {
        &mut self.chance
    }

    /// Takes in what raft tells. Most of it waits in the queue; the shutdown, and a zero checkpoint that the release
    /// throws away, are dealt with at once, as on Kafka's raft thread.
    pub fn handle_listener_event(&mut self, now: Time, event: Event) {
        match event {
            Event::BeginShutdown => self.queue.begin_shutdown(),
            Event::LoadBootstrap(_)
                if self.rules.bootstrap.zero_checkpoint == ZeroCheckpointUse::Discarded => {}
            event => {
                // What raft says after the shutdown has begun is heard by nobody.
                let _ = self.queue.append(now, ControllerEvent::Raft(event));
            }
        }
    }

    /// Queues a request; its answer comes from `poll_reply`.
    ///
    /// # Errors
    ///
    /// A heartbeat whose time cannot be noted, because nobody keeps such times: it is refused before it is queued.
    pub fn handle_request(
        &mut self,
        now: Time,
        request: ControllerRequest,
    ) -> Result<RequestId, RequestError> {
        if let (SessionTracking::HeartbeatTimes, ControllerRequest::BrokerHeartbeat(_), None) = (
            self.rules.replication.session_tracking,
            &request,
            &self.heartbeats,
        ) {
            return Err(RequestError::NotController { active: None });
        }
        let id = RequestId(self.next_request);
        self.next_request += 1;
        self.note_heartbeat(now, &request);
        if let Err(Rejected(_)) = self
            .queue
            .append(now, ControllerEvent::Request(id, request))
        {
            self.reply(id, Err(RequestError::TimedOut));
        }
        Ok(id)
    }

    /// The time of a heartbeat counts even if the controller's thread gets to it late.
    fn note_heartbeat(&mut self, now: Time, request: &ControllerRequest) {
        if let (Some(beats), ControllerRequest::BrokerHeartbeat(beat)) =
            (&mut self.heartbeats, request)
        {
            let broker = BrokerIdAndEpoch {
                id: beat.broker_id,
                epoch: beat.broker_epoch,
            };
            beats.note(now, broker);
        }
    }

    /// When `poll_event` has something to do.
    pub fn next_event_at(&self) -> Option<Time> {
        if self.ended {
            None
        } else {
            self.queue.next_at()
        }
    }

    /// Runs one event, if one can run now.
    pub fn poll_event(
        &mut self,
        now: Time,
        raft: &mut impl RaftClient,
    ) -> Result<Option<EventKind>, FatalFault> {
        if self.ended {
            return Ok(None);
        }
        let Some(event) = self.queue.pop(now) else {
            return Ok(None);
        };
        let kind = event.kind();
        match (self.run(now, event, raft), self.config.fatal_faults) {
            (Ok(()), _) => Ok(kind),
            (Err(fault), FaultPolicy::EndsProcess) => {
                tracing::error!("meets a fatal fault: {fault}");
                self.ended = true;
                Err(fault)
            }
            (Err(fault), FaultPolicy::Logged) => {
                self.outlive(fault, raft);
                Ok(kind)
            }
        }
    }

    /// Goes on after a fatal fault, as Kafka's thread does where its handler of faults leaves the process alive.
    fn outlive(&mut self, fault: FatalFault, raft: &mut impl RaftClient) {
        tracing::error!("outlives a fatal fault: {fault}");
        self.outlived.push(fault);
        if self.is_active()
            && let Err(fault) = self.renounce(raft)
        {
            self.outlived.push(fault);
        }
    }

    /// The next answer.
    pub fn poll_reply(&mut self) -> Option<Reply> {
        self.replies.pop_front()
    }

    /// What each activation of this process decided to write, in order.
    pub fn activations(&self) -> &[Activation] {
        &self.activations
    }

    /// Faults that did not end the process.
    pub fn faults(&self) -> &[CountedFault] {
        &self.faults
    }

    /// Fatal faults that the process outlived: see [`ControllerConfig::fatal_faults`].
    pub fn outlived_faults(&self) -> &[FatalFault] {
        &self.outlived
    }

    /// What an operator would be warned of.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether this controller has claimed leadership.
    pub fn is_active(&self) -> bool {
        self.claim_epoch.is_some()
    }

    /// The epoch it has claimed.
    pub fn claim_epoch(&self) -> Option<i32> {
        self.claim_epoch
    }

    /// The metadata as it stands in memory, own uncommitted records included.
    pub fn image(&self) -> &MetadataImage {
        self.offsets.state().image()
    }

    /// Committed, stable and write offsets.
    pub fn offsets(&self) -> &OffsetControl<ControlState> {
        &self.offsets
    }

    /// The bootstrap records it would write now.
    pub fn bootstrap(&self) -> &BootstrapMetadata {
        &self.bootstrap
    }

    /// The metadata.version in force: the finalized one, or what the release assumes before any.
    pub fn metadata_version(&self) -> Option<MetadataVersion> {
        self.view().metadata_version()
    }

    /// What control managers take beside a request: the state, and what only the active controller knows.
    fn parts(&mut self) -> Result<(View<'_>, Soft<'_>), WriteFailure> {
        let Some(heartbeats) = &mut self.heartbeats else {
            let text = "the active controller keeps no heartbeats".to_owned();
            return Err(WriteFailure::Unexpected(text));
        };
        let view = View {
            config: &self.config,
            rules: &self.rules,
            state: self.offsets.state(),
        };
        let chance = &mut self.chance;
        Ok((view, Soft { heartbeats, chance }))
    }

    fn view(&self) -> View<'_> {
        View {
            config: &self.config,
            rules: &self.rules,
            state: self.offsets.state(),
        }
    }

    /// All finalized features as they were at an offset; `None` where that state is not kept, or the metadata.version was
    /// neither written nor assumed.
    pub fn finalized_at(&self, offset: i64) -> Option<BTreeMap<String, i16>> {
        let features = self.offsets.timeline().state_at(offset)?.image().features();
        let version = features
            .metadata_version()
            .or_else(|| self.view().assumed_metadata_version())?;
        let levels = features
            .levels()
            .map(|(name, level)| (name.to_owned(), level));
        Some(
            levels
                .chain([(METADATA_VERSION.to_owned(), version.0)])
                .collect(),
        )
    }

    /// Whether an activation now would find the log empty.
    fn log_content(&self) -> LogContent {
        let empty = match self.rules.controller.empty_log_test {
            EmptyLogTest::NoRecordEverReplayed => !self.has_ever_replayed,
            EmptyLogTest::NoRecordInState => *self.image() == MetadataImage::empty(),
            EmptyLogTest::MetadataVersionUnknown => {
                self.image().features().metadata_version().is_none()
            }
        };
        if empty {
            LogContent::Empty
        } else {
            LogContent::NotEmpty
        }
    }

    fn run(
        &mut self,
        now: Time,
        event: ControllerEvent,
        raft: &mut impl RaftClient,
    ) -> Result<(), FatalFault> {
        match event {
            ControllerEvent::Raft(Event::Commit(commit)) => self.handle_commit(now, &commit, raft),
            ControllerEvent::Raft(Event::LoadSnapshot(reader)) => {
                self.handle_load_snapshot(now, &reader)
            }
            ControllerEvent::Raft(Event::LoadBootstrap(reader)) => self.load_bootstrap(&reader),
            ControllerEvent::Raft(Event::LeaderChange(news)) => {
                self.handle_leader_change(now, news, raft)
            }
            ControllerEvent::Raft(Event::BeginShutdown) => Ok(()),
            ControllerEvent::CompleteActivation
            | ControllerEvent::Request(..)
            | ControllerEvent::Task(_) => self.run_write(now, &event, raft),
        }
    }

    fn reply(&mut self, id: RequestId, outcome: Result<ControllerResponse, RequestError>) {
        self.replies.push_back(Reply { id, outcome });
    }

    fn record_activation(&mut self, activation: Activation) {
        tracing::info!(
            epoch = activation.epoch,
            log = ?activation.log,
            bootstrap_records = activation.bootstrap_records,
            metadata_version = activation.metadata_version,
            "activates: {}",
            activation.message
        );
        self.activations.push(activation);
    }

    fn count_fault(&mut self, event: &str, text: String) {
        tracing::warn!(event, "counts a fault: {text}");
        self.faults.push(CountedFault {
            event: event.to_owned(),
            text,
        });
    }

    fn warn(&mut self, text: String) {
        self.warnings.push(text);
    }
}
