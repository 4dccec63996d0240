//! What becomes of messages.

use node::{Destination, Payload as Sending};
use quorum_controller::ControllerRequest;
use raft::message::{ApiKey, Errors, Request, Response};
use records::NodeId;

use super::directories::port;
use super::flight::{Flight, FlightPayload};
use super::seat::{Asked, InboxItem};
use super::{
    AnswerDetail, Ask, CommandRefusal, ControllerOperation, Drive, OperationOutcome, Sent,
};
use crate::world::{ADMINISTRATOR, Letter, Question};

/// A request of the latest version, as it is read in another. What only the older version says is lost with the latest.
fn rewritten(request: Request, version: i16) -> Result<Request, CommandRefusal> {
    let mut request = request
        .at_version(version)
        .map_err(CommandRefusal::unsupported_version)?;
    match &mut request {
        Request::EndQuorumEpoch(end) if version < 1 => end.preferred_candidates.clear(),
        Request::Fetch(_) if version < 15 => {
            return Err(CommandRefusal::unsupported_version(
                "a replica that fetches",
            ));
        }
        _ => {}
    }
    Ok(request)
}

/// Kafka leaves the bytes of a checkpoint null where it answers with an error, and its own code cannot write that
/// (`singletonFetchSnapshotResponse` in `4.4:raft/…/RaftUtil.java`). A server says so in its place; the driver has none,
/// and the answer never leaves.
fn is_unspeakable(response: &Response) -> bool {
    matches!(response, Response::FetchSnapshot(fetch) if fetch.error_code == Errors::UNKNOWN_SERVER_ERROR)
}

impl Drive {
    /// Puts on its way what a process has to say, and hands clients their answers.
    pub(super) fn collect(&mut self, node: NodeId) -> Result<(), CommandRefusal> {
        let mut is_cut_short = false;
        for mut letter in self.world.take_letters() {
            match letter.payload.clone() {
                Sending::ControllerReply { number, outcome } => {
                    let seat = self.seat_mut(node)?;
                    let outcome = match seat.asked.remove(&number) {
                        Some(Asked::Controller { operation }) => {
                            (operation, OperationOutcome::Controller(outcome))
                        }
                        Some(Asked::FeatureUpdate { operation }) => {
                            (operation, OperationOutcome::FeatureUpdate(outcome))
                        }
                        Some(Asked::Replica { .. }) | None => continue,
                    };
                    seat.outcomes.push(outcome);
                }
                _ if is_cut_short => {}
                Sending::RaftRequest {
                    correlation_id,
                    request,
                } => {
                    let Destination::Address { address, .. } = &letter.destination else {
                        continue;
                    };
                    let mut nodes = self.seats.keys();
                    let receiver = nodes.find(|id| port(**id) == i32::from(address.port));
                    let Some(receiver) = receiver.copied() else {
                        // The driver's network throws, and the replica's thread with it.
                        let refusal = CommandRefusal::NobodyThere(address.to_string());
                        self.seat_mut(node)?.doom(&refusal);
                        is_cut_short = true;
                        continue;
                    };
                    let version = request.api().latest_version(&self.setup.rules.raft);
                    let request = request
                        .at_version(version)
                        .map_err(CommandRefusal::unsupported_version)?;
                    letter.to = Some(receiver);
                    self.launch(Flight {
                        letter,
                        to: receiver,
                        version,
                        correlation: correlation_id,
                        payload: FlightPayload::Request(request),
                        in_reply_to: None,
                    });
                }
                Sending::RaftResponse {
                    correlation_id,
                    response,
                } if !is_unspeakable(&response) => {
                    self.answer(node, letter, correlation_id, response)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn answer(
        &mut self,
        node: NodeId,
        letter: Letter,
        correlation: i32,
        response: Response,
    ) -> Result<(), CommandRefusal> {
        match letter.to {
            Some(ADMINISTRATOR) => {
                let number = correlation.cast_unsigned();
                self.seat_mut(node)?.answered_by_replica(number, response);
            }
            Some(to) => {
                let Some((id, version)) = self.delivered.remove(&letter.connection()) else {
                    return Ok(());
                };
                self.launch(Flight {
                    letter,
                    to,
                    version,
                    correlation,
                    payload: FlightPayload::Response(response),
                    in_reply_to: Some(id),
                });
            }
            None => {}
        }
        Ok(())
    }

    fn launch(&mut self, flight: Flight) {
        let id = self.next_flight;
        self.next_flight += 1;
        self.fresh.push(Sent {
            brief: flight.brief(id),
            version: flight.version,
            correlation: flight.correlation,
            payload: flight.payload.clone(),
        });
        self.flights.insert(id, flight);
    }

    pub(super) fn take_flight(&mut self, id: u64) -> Result<Flight, CommandRefusal> {
        self.flights
            .remove(&id)
            .ok_or(CommandRefusal::NotInFlight(id))
    }

    pub(super) fn deliver(
        &mut self,
        id: u64,
        version: Option<i16>,
    ) -> Result<AnswerDetail, CommandRefusal> {
        let Flight {
            mut letter,
            to,
            version: latest,
            correlation,
            payload,
            ..
        } = self.take_flight(id)?;
        if self.running(to).is_err() {
            return Ok(AnswerDetail::Lost);
        }
        match payload {
            FlightPayload::Request(Request::ApiVersions) => {
                // The server around the replica answers this one.
                let Some(process) = self.process(to) else {
                    return Ok(AnswerDetail::Lost);
                };
                let response = Response::ApiVersions(process.replica().answer_api_versions());
                self.delivered.insert(letter.connection(), (id, latest));
                if let Some(answer) = letter.answered(response.clone()) {
                    self.answer(to, answer, correlation, response)?;
                }
                return Ok(AnswerDetail::Done);
            }
            FlightPayload::Request(request) => {
                let version = version.unwrap_or(latest);
                letter.version = Some(version);
                letter.payload = Sending::RaftRequest {
                    correlation_id: correlation,
                    request: rewritten(request, version)?,
                };
                self.delivered.insert(letter.connection(), (id, version));
            }
            FlightPayload::Response(_) if !self.world.is_awaited(&letter) => {
                return Ok(AnswerDetail::Lost);
            }
            FlightPayload::Response(_) => {}
        }
        let waiting = InboxItem::Letter(letter);
        self.seat_mut(to)?.inbox.push_back((id, waiting));
        Ok(AnswerDetail::Done)
    }

    /// What the real channel answers when a connection is lost.
    pub(super) fn fail(
        &mut self,
        id: u64,
        error: Option<Errors>,
    ) -> Result<AnswerDetail, CommandRefusal> {
        let flight = self.take_flight(id)?;
        let asker = match flight.payload {
            FlightPayload::Request(_) => flight.letter.from,
            FlightPayload::Response(_) => flight.to,
        };
        let letter = flight.letter;
        if self.process(asker).is_none() || !self.world.is_awaited(&letter) {
            return Ok(AnswerDetail::Lost);
        }
        let error = error.ok_or_else(|| CommandRefusal::refused("there is no such error"))?;
        let waiting = InboxItem::Failure { letter, error };
        self.seat_mut(asker)?.inbox.push_back((id, waiting));
        Ok(AnswerDetail::Done)
    }

    /// A client asks a replica.
    pub(super) fn request(
        &mut self,
        node: NodeId,
        version: Option<i16>,
        request: Ask,
    ) -> Result<AnswerDetail, CommandRefusal> {
        self.running(node)?;
        let request = match request {
            Ask::Raft(request) => request,
            Ask::Misaddressed { api, cluster_id } => {
                return self.misaddressed(node, version, api, cluster_id.as_deref());
            }
            Ask::Unavailable(what) => return Err(CommandRefusal::Unavailable(what)),
        };
        let latest = request.api().latest_version(&self.setup.rules.raft);
        let version = version.unwrap_or(latest);
        let operation = self.next_operation();
        let (number, letters) = self.asked(node, Question::Raft(request));
        let seat = self.running(node)?;
        let asked = Asked::Replica { operation, version };
        seat.asked.insert(number, asked);
        for mut letter in letters {
            letter.version = Some(version);
            seat.inbox.push_back((0, InboxItem::Letter(letter)));
        }
        Ok(AnswerDetail::Operation(operation))
    }

    fn misaddressed(
        &mut self,
        node: NodeId,
        version: Option<i16>,
        api: ApiKey,
        cluster_id: Option<&str>,
    ) -> Result<AnswerDetail, CommandRefusal> {
        let version = version.unwrap_or_else(|| api.latest_version(&self.setup.rules.raft));
        let error = match cluster_id {
            Some(id) if id != self.setup.cluster_id => Errors::INCONSISTENT_CLUSTER_ID,
            _ => Errors::INVALID_REQUEST,
        };
        let operation = self.next_operation();
        let outcome = OperationOutcome::Raft {
            version,
            response: Response::failed(api, error),
        };
        let waiting = InboxItem::Answered { operation, outcome };
        self.running(node)?.inbox.push_back((0, waiting));
        Ok(AnswerDetail::Operation(operation))
    }

    /// A client asks a controller, whose thread gets to it at once.
    pub(super) fn operate(
        &mut self,
        node: NodeId,
        operation: ControllerOperation,
    ) -> Result<AnswerDetail, CommandRefusal> {
        self.running(node)?;
        if self
            .process(node)
            .and_then(node::Node::controller)
            .is_none()
        {
            return Err(CommandRefusal::NoController(node));
        }
        let operation_number = self.next_operation();
        let request = match operation {
            ControllerOperation::Request(request) => request,
            ControllerOperation::Refused(refusal) => return Err(refusal),
        };
        let asked = match &request {
            ControllerRequest::UpdateFeatures(_) => Asked::FeatureUpdate {
                operation: operation_number,
            },
            _ => Asked::Controller {
                operation: operation_number,
            },
        };
        let (number, letters) = self.asked(node, Question::Controller(request));
        for letter in letters {
            self.world.deliver(letter);
        }
        for letter in self.world.take_letters() {
            // It is not even queued.
            if let Sending::ControllerReply {
                outcome: Err(error),
                ..
            } = letter.payload
            {
                let exception = "org.apache.kafka.common.errors.NotControllerException";
                return Err(CommandRefusal::with(exception, error));
            }
        }
        self.seat_mut(node)?.asked.insert(number, asked);
        self.quiesce(node)?;
        self.collect(node)?;
        Ok(AnswerDetail::Operation(operation_number))
    }

    /// What an administrator sends: its number, and the letter.
    fn asked(&mut self, node: NodeId, question: Question) -> (u32, Vec<Letter>) {
        let number = self.world.ask(node, question);
        (number, self.world.take_letters())
    }
}
