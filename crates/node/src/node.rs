use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use determinism::Time;
use disk::Disk;
use quorum_controller::{Chance, Controller, RequestError};
use raft::message::{ApiKey, Errors, Inbound, InboundRequest, Outbound, Request, Response};
use raft::wire::as_sent;
use raft::{MessageQueue, Replica, Role};
use records::NodeId;
use releases::Rules;

use crate::asker::{Asker, ControllerAsker};
use crate::message::{Destination, Payload, RequestId, Sender, Versions};
use crate::metadata::Metadata;
use crate::parts::{Listeners, Parts};
use crate::seam::{SeamWatcher, Watched};
use crate::{Ended, Heard, Hearer, NodeConfig, Thread};

/// How long a leader that stops waits for another one to be known (`4.4:raft/…/KafkaRaftClientDriver.java`).
const SHUTDOWN_TIMEOUT_MS: i64 = 5_000;

/// How far a process is from its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifecycle {
    Running,
    /// It was asked to stop, and raft finishes.
    Stopping,
    /// Raft has finished; the process can end.
    Stopped,
}

/// One controller process: raft on one disk, and the [`Parts`] around it.
///
/// * *Inputs*: [`Self::deliver`], [`Self::request_failed`], [`Self::begin_stop`]. They only queue.
/// * *Running*: [`Self::next_at`] says when a thread wants to run, [`Self::run`] runs one event of it. The caller
///   interleaves the threads, and drops the node after an error.
/// * *Playing a part*: [`Self::as_listener`], [`Self::controller_chance_mut`].
/// * *Outputs*: [`Self::poll_send`], to be drained after every other call.
/// * *Looking*: the getters.
#[derive(Clone, Debug)]
pub struct Node {
    pub(crate) config: Arc<NodeConfig>,
    pub(crate) rules: Arc<Rules>,
    pub(crate) replica: Replica,
    parts: Parts,
    pub(crate) listeners: Listeners,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) inbound: VecDeque<(Time, Inbound)>,
    pub(crate) outbox: VecDeque<(Destination, Payload)>,
    /// Requests of raft that wait for an answer: whom they went to, and what they were.
    pub(crate) asked: BTreeMap<i32, (raft::message::Node, ApiKey)>,
    /// Requests that came in and wait for raft's answer, by token.
    askers: BTreeMap<u64, Asker>,
    pub(crate) next_token: u64,
    /// Requests that came in and wait for the controller's answer.
    asking: BTreeMap<quorum_controller::RequestId, ControllerAsker>,
    /// What the last run told the listeners; an observer reads it.
    pub(crate) heard: Vec<(Hearer, Heard)>,
    /// The first breach of a listener's contract.
    pub(crate) violation: Option<listener::BrokenContract>,
}

impl Node {
    pub(crate) fn new(
        config: Arc<NodeConfig>,
        rules: Arc<Rules>,
        replica: Replica,
        parts: Parts,
        listeners: Listeners,
    ) -> Self {
        let mut node = Node {
            config,
            rules,
            replica,
            parts,
            listeners,
            lifecycle: Lifecycle::Running,
            inbound: VecDeque::new(),
            outbox: VecDeque::new(),
            asked: BTreeMap::new(),
            askers: BTreeMap::new(),
            next_token: 0,
            asking: BTreeMap::new(),
            heard: Vec::new(),
            violation: None,
        };
        node.collect_messages();
        node
    }

    /// A message arrives.
    pub fn deliver(&mut self, now: Time, sender: Sender<'_>, payload: Payload) {
        let Sender {
            node,
            connection,
            versions,
        } = sender;
        match payload {
            Payload::RaftRequest {
                correlation_id,
                request,
            } => {
                let asker = Asker {
                    node,
                    connection,
                    correlation_id,
                };
                self.request_arrives(now, asker, versions, request);
            }
            Payload::RaftResponse {
                correlation_id,
                response,
            } => self.answer_arrives(now, correlation_id, response),
            Payload::Registration {
                number,
                registration,
            } => {
                let asker = ControllerAsker::new(node, connection, RequestId::Registration(number));
                let request =
                    quorum_controller::ControllerRequest::RegisterController(*registration);
                self.ask_controller(now, asker, request);
            }
            Payload::UpdateFeatures { number, update } => {
                let asker = ControllerAsker::new(node, connection, RequestId::Features(number));
                let request = quorum_controller::ControllerRequest::UpdateFeatures(update);
                self.ask_controller(now, asker, request);
            }
            Payload::Controller { number, request } => {
                let asker = ControllerAsker::new(node, connection, RequestId::Controller(number));
                self.ask_controller(now, asker, *request);
            }
            // No process asks for these: an administrator does.
            Payload::UpdateFeaturesReply { .. } | Payload::ControllerReply { .. } => {}
            Payload::RegistrationReply { number, outcome } => {
                if let Some(metadata) = &mut self.listeners.metadata {
                    metadata.registrar.answered(now, number, &outcome);
                }
            }
        }
    }

    fn ask_controller(
        &mut self,
        now: Time,
        asker: ControllerAsker,
        request: quorum_controller::ControllerRequest,
    ) {
        let queued = match &mut self.listeners.controller {
            Some(controller) => controller.handle_request(now, request),
            None => Err(RequestError::NotController { active: None }),
        };
        match queued {
            Ok(id) => {
                self.asking.insert(id, asker);
            }
            Err(error) => self.outbox.extend(asker.answer(Err(error))),
        }
    }

    fn request_arrives(
        &mut self,
        now: Time,
        asker: Asker,
        versions: Versions<'_>,
        request: Request,
    ) {
        let api = request.api();
        let api_version = match versions {
            Versions::Newest(rules) => api.common_version(&self.rules.raft, rules),
            Versions::Exactly(version) => version,
        };
        let Ok(request) = request.at_version(api_version) else {
            self.outbox
                .push_back(asker.answer(Response::failed(api, Errors::UNSUPPORTED_VERSION)));
            return;
        };
        let token = self.next_token;
        self.next_token += 1;
        self.askers.insert(token, asker);
        let listener_name = self.config.controller_listener();
        let inbound = InboundRequest {
            token,
            listener_name,
            api_version,
            request,
        };
        self.inbound.push_back((now, Inbound::Request(inbound)));
    }

    /// The connection on which `request` waited is gone: the channel answers raft's with `error`.
    pub fn request_failed(&mut self, now: Time, request: RequestId, error: Errors) {
        match request {
            RequestId::Raft(correlation_id) => {
                if let Some((_, api)) = self.asked.get(&correlation_id) {
                    let response = Response::failed(*api, error);
                    self.answer_arrives(now, correlation_id, response);
                }
            }
            RequestId::Registration(number) => {
                if let Some(metadata) = &mut self.listeners.metadata {
                    metadata.registrar.disconnected(now, number);
                }
            }
            RequestId::Features(_) | RequestId::Controller(_) => {}
        }
    }

    fn answer_arrives(&mut self, now: Time, correlation_id: i32, response: Response) {
        if let Some((source, _)) = self.asked.remove(&correlation_id) {
            self.inbound.push_back((
                now,
                Inbound::Response {
                    source,
                    correlation_id,
                    response,
                },
            ));
        }
    }

    /// Begins a clean stop: raft gives up what it leads and says so.
    pub fn begin_stop(&mut self, now: Time) {
        if self.lifecycle == Lifecycle::Running {
            self.lifecycle = Lifecycle::Stopping;
            self.replica.shutdown(now, SHUTDOWN_TIMEOUT_MS);
            self.collect_messages();
        }
    }

    /// When a thread wants to run next; `Time::MAX` for never.
    pub fn next_at(&self, thread: Thread) -> Time {
        match thread {
            Thread::Raft => {
                let arrived = self.inbound.front().map_or(Time::MAX, |(at, _)| *at);
                arrived.min(self.replica.next_poll())
            }
            Thread::Loader => self.metadata_next_at(|metadata| metadata.loader.next_event_at()),
            Thread::Controller => {
                let controller = self.listeners.controller.as_ref();
                let next_at = controller.and_then(Controller::next_event_at);
                next_at.unwrap_or(Time::MAX)
            }
            Thread::Registration => self.metadata_next_at(|metadata| metadata.registrar.next_at()),
            Thread::Snapshots => self.metadata_next_at(|metadata| metadata.snapshots.next_at()),
        }
    }

    fn metadata_next_at(&self, next_at: impl FnOnce(&Metadata) -> Option<Time>) -> Time {
        let metadata = self.listeners.metadata.as_ref();
        metadata.and_then(next_at).unwrap_or(Time::MAX)
    }

    /// Runs one event of a thread, while somebody watches what passes between raft and its listeners; `&mut ()` for
    /// nobody. After an error the process is over.
    pub fn run(
        &mut self,
        thread: Thread,
        now: Time,
        disk: &mut impl Disk,
        watcher: &mut impl SeamWatcher,
    ) -> Result<(), Ended> {
        let fault = |reason: String| Ended::Fault { thread, reason };
        self.heard.clear();
        let outcome = match (thread, &mut self.listeners.metadata) {
            (Thread::Raft, _) => {
                let outcome = self.run_raft(now, disk);
                self.tell_listeners(now, watcher);
                outcome.and_then(|()| self.end_stop(disk))
            }
            (Thread::Controller, _) => self.run_controller(now, watcher),
            (Thread::Loader, Some(metadata)) => metadata
                .load(now, &mut self.replica)
                .map_err(|error| fault(error.to_string())),
            (Thread::Registration, _) => {
                self.run_registration(now);
                Ok(())
            }
            (Thread::Snapshots, Some(metadata)) => {
                metadata.write_snapshot(now, &mut self.replica, disk)
            }
            (Thread::Loader | Thread::Snapshots, None) => Ok(()),
        };
        // What was said before a fault has been said.
        self.collect_messages();
        self.watch(now);
        outcome
    }

    /// Does as a listener of raft's or the server around it does: appends, resigns, writes a checkpoint, shuts raft down.
    pub fn as_listener<T>(&mut self, ask: impl FnOnce(&mut Replica) -> T) -> T {
        let answer = ask(&mut self.replica);
        self.collect_messages();
        answer
    }

    /// The controller's randomness, to prescribe or read it.
    pub fn controller_chance_mut(&mut self) -> Option<&mut Chance> {
        let controller = self.listeners.controller.as_mut();
        controller.map(Controller::chance_mut)
    }

    /// Shows the contract both sides of the seam, and takes what it found.
    fn watch(&mut self, now: Time) {
        let leads = (self.replica.role() == Role::Leader).then(|| self.replica.epoch());
        let mut hearers = self.listeners.hearers();
        if let Some(controller) = &self.listeners.controller
            && let Some((_, id)) = hearers.find(|(hearer, _)| *hearer == Hearer::Controller)
            && let Some(contract) = self.replica.contract_mut(id)
        {
            contract.observe_sides(now, leads, controller.claim_epoch());
        }
        if self.violation.is_none() {
            self.violation = self.replica.take_violation();
        }
    }

    fn run_raft(&mut self, now: Time, disk: &mut impl Disk) -> Result<(), Ended> {
        let inbox = Arrived {
            queue: &mut self.inbound,
            now,
        };
        self.replica.poll(now, disk, inbox).map_err(ended)
    }

    fn tell_listeners(&mut self, now: Time, watcher: &mut impl SeamWatcher) {
        for (hearer, id) in self.listeners.hearers() {
            while let Some(event) = self.replica.poll_listener(id) {
                let heard = Heard::of(&event);
                tracing::debug!(listener = hearer.name(), "{heard}");
                self.heard.push((hearer, heard));
                watcher.told(hearer, &event);
                let Listeners {
                    metadata,
                    controller,
                } = &mut self.listeners;
                match (hearer, metadata, controller) {
                    (Hearer::Loader, Some(metadata), _) => metadata.loader.handle_event(now, event),
                    (Hearer::Controller, _, Some(controller)) => {
                        controller.handle_listener_event(now, event);
                    }
                    _ => {}
                }
            }
        }
    }

    fn run_controller(&mut self, now: Time, watcher: &mut impl SeamWatcher) -> Result<(), Ended> {
        let Some(controller) = &mut self.listeners.controller else {
            return Ok(());
        };
        let mut raft = Watched {
            replica: &mut self.replica,
            watcher: &mut *watcher,
        };
        let event = controller.poll_event(now, &mut raft);
        let event = event.map_err(|error| Ended::Fault {
            thread: Thread::Controller,
            reason: error.to_string(),
        })?;
        if let Some(event) = event {
            watcher.ran(event);
        }
        self.answer_requests();
        Ok(())
    }

    /// Once raft has shut down, a process that was asked to stop closes its log.
    fn end_stop(&mut self, disk: &mut impl Disk) -> Result<(), Ended> {
        if self.lifecycle == Lifecycle::Stopping && !self.replica.is_running() {
            self.lifecycle = Lifecycle::Stopped;
            self.replica.close(disk).map_err(ended)?;
        }
        Ok(())
    }

    /// The leader is reached at its address among the voters; who does not know the voters yet registers with nobody
    /// (`RaftControllerNodeProvider` in `4.4:core/…/server/NodeToControllerChannelManager.scala`).
    fn run_registration(&mut self, now: Time) {
        let leader = self.replica.leader_and_epoch().leader;
        let leader = leader.filter(|id| self.replica.voters().voter(*id).is_some());
        let Some(metadata) = &mut self.listeners.metadata else {
            return;
        };
        if let Some((to, number, registration)) = metadata.registrar.poll(now, leader) {
            let payload = Payload::Registration {
                number,
                registration: Box::new(registration),
            };
            self.outbox.push_back((Destination::Node(to), payload));
        }
    }

    fn answer_requests(&mut self) {
        let Some(controller) = &mut self.listeners.controller else {
            return;
        };
        while let Some(reply) = controller.poll_reply() {
            if let Some(asker) = self.asking.remove(&reply.id) {
                self.outbox.extend(asker.answer(reply.outcome));
            }
        }
    }

    fn collect_messages(&mut self) {
        while let Some(outbound) = self.replica.poll_message() {
            match outbound {
                Outbound::Request {
                    to,
                    correlation_id,
                    request,
                } => {
                    let expected = (to.id >= 0).then_some(NodeId(to.id));
                    let destination = Destination::Address {
                        address: to.address.clone(),
                        expected,
                    };
                    // The channel has one request at a time to a node: an earlier one is given up, its answer comes too late.
                    if self.parts == Parts::Server {
                        self.asked.retain(|_, (node, _)| *node != to);
                    }
                    self.asked.insert(correlation_id, (to, request.api()));
                    self.outbox.push_back((
                        destination,
                        Payload::RaftRequest {
                            correlation_id,
                            request,
                        },
                    ));
                }
                Outbound::Reply { token, response } => {
                    if let Some(asker) = self.askers.remove(&token) {
                        self.outbox.push_back(asker.answer(as_sent(response)));
                    }
                }
            }
        }
    }

    /// The next message to send.
    pub fn poll_send(&mut self) -> Option<(Destination, Payload)> {
        self.outbox.pop_front()
    }
}

/// The messages that have arrived by now.
struct Arrived<'a> {
    queue: &'a mut VecDeque<(Time, Inbound)>,
    now: Time,
}

impl MessageQueue for Arrived<'_> {
    fn poll(&mut self, _timeout_ms: i64) -> Option<Inbound> {
        let (at, _) = self.queue.front()?;
        if *at > self.now {
            return None;
        }
        self.queue.pop_front().map(|(_, inbound)| inbound)
    }
}

fn ended(fault: raft::RaftFault) -> Ended {
    match fault {
        raft::RaftFault::Disk(disk::DiskError::Crash) => Ended::CrashedAtDisk,
        endless @ raft::RaftFault::EndlessRead { .. } => Ended::Hangs {
            thread: Thread::Raft,
            reason: endless.to_string(),
        },
        other => Ended::Fault {
            thread: Thread::Raft,
            reason: other.to_string(),
        },
    }
}
