use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use determinism::Time;
use disk::Disk;
use image::Loader;
use quorum_controller::Controller;
use raft::message::{ApiKey, Errors, Inbound, InboundRequest, Outbound, Request, Response};
use raft::wire::as_sent;
use raft::{Replica, Role};
use records::NodeId;
use releases::{RaftRules, Rules};

use crate::asker::{Asker, ControllerAsker};
use crate::message::{Destination, Payload, RequestId, Sender};
use crate::registrar::Registrar;
use crate::snapshots::Snapshots;
use crate::{Ended, Heard, Hearer, NodeConfig, Thread};

/// How long a leader that stops waits for another one to be known (`4.4:raft/…/KafkaRaftClientDriver.java`).
const SHUTDOWN_TIMEOUT_MS: i64 = 5_000;

/// How far a process is from its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifecycle {
    /// It works.
    Running,
    /// It was asked to stop, and raft finishes.
    Stopping,
    /// Raft has finished; the process can end.
    Stopped,
}

/// One controller process: raft, metadata loader, quorum controller and registration manager on one disk.
///
/// * *Inputs*: [`Self::deliver`], [`Self::disconnected`], [`Self::begin_stop`]. They only queue.
/// * *Running*: [`Self::next_at`] says when a thread wants to run, [`Self::run`] runs one event of it. The caller
///   interleaves the threads, and drops the node after an error.
/// * *Outputs*: [`Self::poll_send`], to be drained after every input and run.
/// * *Looking*: the getters.
#[derive(Clone, Debug)]
pub struct Node {
    pub(crate) config: Arc<NodeConfig>,
    pub(crate) rules: Arc<Rules>,
    pub(crate) replica: Replica,
    pub(crate) loader: Loader,
    pub(crate) controller: Controller,
    pub(crate) registrar: Registrar,
    pub(crate) snapshots: Snapshots,
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
    /// What the last run told the listeners, for whoever watches.
    pub(crate) heard: Vec<(Hearer, Heard)>,
    /// The first breach of a listener's contract.
    pub(crate) violation: Option<listener::Violation>,
}

impl Node {
    pub(crate) fn new(
        config: Arc<NodeConfig>,
        rules: Arc<Rules>,
        replica: Replica,
        loader: Loader,
        controller: Controller,
        registrar: Registrar,
        snapshots: Snapshots,
    ) -> Self {
        let mut node = Node {
            config,
            rules,
            replica,
            loader,
            controller,
            registrar,
            snapshots,
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
            rules,
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
                self.request_arrives(now, asker, rules, request);
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
                let request = quorum_controller::Request::RegisterController(*registration);
                self.asking
                    .insert(self.controller.handle_request(now, request), asker);
            }
            Payload::UpdateFeatures { number, update } => {
                let asker = ControllerAsker::new(node, connection, RequestId::Features(number));
                let request = quorum_controller::Request::UpdateFeatures(update);
                self.asking
                    .insert(self.controller.handle_request(now, request), asker);
            }
            Payload::Controller { number, request } => {
                let asker = ControllerAsker::new(node, connection, RequestId::Controller(number));
                self.asking
                    .insert(self.controller.handle_request(now, *request), asker);
            }
            // No process asks for these: an administrator does.
            Payload::UpdateFeaturesReply { .. } | Payload::ControllerReply { .. } => {}
            Payload::RegistrationReply { number, outcome } => {
                self.registrar.answered(now, number, &outcome);
            }
        }
    }

    fn request_arrives(&mut self, now: Time, asker: Asker, rules: &RaftRules, request: Request) {
        let api = request.api();
        let api_version = api.common_version(&self.rules.raft, rules);
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

    /// The connection on which `request` waited is gone.
    pub fn disconnected(&mut self, now: Time, request: RequestId) {
        match request {
            RequestId::Raft(correlation_id) => {
                if let Some((_, api)) = self.asked.get(&correlation_id) {
                    let response = Response::failed(*api, Errors::BROKER_NOT_AVAILABLE);
                    self.answer_arrives(now, correlation_id, response);
                }
            }
            RequestId::Registration(number) => self.registrar.disconnected(now, number),
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
            Thread::Loader => self.loader.next_event_at().unwrap_or(Time::MAX),
            Thread::Controller => self.controller.next_event_at().unwrap_or(Time::MAX),
            Thread::Registration => self.registrar.next_at().unwrap_or(Time::MAX),
            Thread::Snapshots => self.snapshots.next_at().unwrap_or(Time::MAX),
        }
    }

    /// Runs one event of a thread. After an error the process is over.
    pub fn run(&mut self, thread: Thread, now: Time, disk: &mut impl Disk) -> Result<(), Ended> {
        let fault = |reason: String| Ended::Fault { thread, reason };
        self.heard.clear();
        match thread {
            Thread::Raft => self.run_raft(now, disk)?,
            Thread::Loader => {
                self.loader
                    .poll_event(now, &mut self.replica)
                    .map_err(|error| fault(error.to_string()))?;
                self.take_publications(now);
            }
            Thread::Controller => {
                self.controller
                    .poll_event(now, &mut self.replica)
                    .map_err(|error| fault(error.to_string()))?;
                self.answer_requests();
            }
            Thread::Registration => self.run_registration(now),
            Thread::Snapshots => {
                let written = self.snapshots.run(now, &mut self.replica, disk);
                written.map_err(|_| Ended::CrashedAtDisk)?;
            }
        }
        self.collect_messages();
        self.watch(now);
        Ok(())
    }

    /// Shows the contract both sides of the seam, and takes what it found.
    fn watch(&mut self, now: Time) {
        let leads = (self.replica.role() == Role::Leader).then(|| self.replica.epoch());
        let active_in = self.controller.claim_epoch();
        if let Some(contract) = self.replica.contract_mut(Hearer::Controller.id()) {
            contract.observe_sides(now, leads, active_in);
        }
        if self.violation.is_none() {
            self.violation = self.replica.take_violation();
        }
    }

    fn run_raft(&mut self, now: Time, disk: &mut impl Disk) -> Result<(), Ended> {
        let inbound = match self.inbound.front() {
            Some((at, _)) if *at <= now => self.inbound.pop_front().map(|(_, inbound)| inbound),
            _ => None,
        };
        self.replica.poll(now, disk, inbound).map_err(ended)?;
        while let Some(event) = self.replica.poll_listener(Hearer::Loader.id()) {
            self.heard.push((Hearer::Loader, Heard::of(&event)));
            self.loader.handle_event(now, event);
        }
        while let Some(event) = self.replica.poll_listener(Hearer::Controller.id()) {
            self.heard.push((Hearer::Controller, Heard::of(&event)));
            self.controller.handle_listener_event(now, event);
        }
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
        if let Some((to, number, registration)) = self.registrar.poll(now, leader) {
            let payload = Payload::Registration {
                number,
                registration: Box::new(registration),
            };
            self.outbox.push_back((Destination::Node(to), payload));
        }
    }

    fn take_publications(&mut self, now: Time) {
        while let Some(publication) = self.loader.poll_publication() {
            self.snapshots.image_published(now, &publication);
            self.registrar.image_published(now, &publication);
        }
    }

    fn answer_requests(&mut self) {
        while let Some(reply) = self.controller.poll_reply() {
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
                    // There is one request at a time to a node: an earlier one is given up, its answer comes too late.
                    self.asked.retain(|_, (node, _)| *node != to);
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

fn ended(fault: raft::RaftFault) -> Ended {
    match fault {
        raft::RaftFault::Disk(disk::DiskError::Crash) => Ended::CrashedAtDisk,
        other => Ended::Fault {
            thread: Thread::Raft,
            reason: other.to_string(),
        },
    }
}
