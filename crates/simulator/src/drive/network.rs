//! What becomes of messages.

use raft::ListenerName;
use raft::message::{Errors, Inbound, InboundRequest, Outbound, Request, Response};
use records::NodeId;

use super::directories::port;
use super::flight::{Flight, Payload};
use super::process::Asker;
use super::{Ask, Detail, Drive, Outcome, Refusal, Sent};

/// Tokens of clients do not meet the numbers of messages.
const CLIENTS: u64 = 1 << 40;

fn listener_name() -> ListenerName {
    ListenerName::normalised("CONTROLLER")
}

impl Drive {
    /// Puts on its way what a replica has to say.
    pub(super) fn collect(&mut self, node: NodeId) -> Result<(), Refusal> {
        let Some(process) = self.processes.get_mut(&node) else {
            return Ok(());
        };
        let life = process.life;
        for outbound in process.take_messages() {
            match outbound {
                Outbound::Request {
                    to,
                    correlation_id,
                    request,
                } => {
                    let version = request.api().latest_version(&self.setup.rules.raft);
                    let receiver = self
                        .processes
                        .keys()
                        .find(|id| port(**id) == i32::from(to.address.port))
                        .copied()
                        .ok_or_else(|| Refusal::NobodyThere(to.address.to_string()))?;
                    let request = request.at_version(version).map_err(Refusal::refused)?;
                    self.launch(Flight {
                        from: node,
                        to: receiver,
                        asker_life: life,
                        version,
                        correlation: correlation_id,
                        destination: to,
                        payload: Payload::Request(request),
                        in_reply_to: None,
                    });
                }
                Outbound::Reply { token, response } => self.answer(node, token, response),
            }
        }
        Ok(())
    }

    fn answer(&mut self, node: NodeId, token: u64, response: Response) {
        let Some(process) = self.processes.get_mut(&node) else {
            return;
        };
        match process.asked.remove(&token) {
            Some(Asker::Flight {
                id,
                from,
                from_life,
                version,
                correlation,
                to,
            }) => self.launch(Flight {
                from: node,
                to: from,
                asker_life: from_life,
                version,
                correlation,
                destination: to,
                payload: Payload::Response(response),
                in_reply_to: Some(id),
            }),
            Some(Asker::Client { operation, version }) => {
                let outcome = Outcome::Raft { version, response };
                process.outcomes.push((operation, outcome));
            }
            None => {}
        }
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

    pub(super) fn take_flight(&mut self, id: u64) -> Result<Flight, Refusal> {
        self.flights.remove(&id).ok_or(Refusal::NotInFlight(id))
    }

    pub(super) fn deliver(&mut self, id: u64, version: Option<i16>) -> Result<Detail, Refusal> {
        let flight = self.take_flight(id)?;
        let process = self.process_mut(flight.to)?;
        if !process.is_running() {
            return Ok(Detail::Lost);
        }
        match flight.payload.clone() {
            Payload::Request(Request::ApiVersions) => {
                // The server around the replica answers this one.
                let Some(replica) = &process.replica else {
                    return Ok(Detail::Lost);
                };
                let response = Response::ApiVersions(replica.answer_api_versions());
                self.launch(Flight {
                    from: flight.to,
                    to: flight.from,
                    payload: Payload::Response(response),
                    in_reply_to: Some(id),
                    ..flight
                });
            }
            Payload::Request(request) => {
                let version = version.unwrap_or(flight.version);
                let request = request.at_version(version).map_err(Refusal::refused)?;
                let asker = Asker::Flight {
                    id,
                    from: flight.from,
                    from_life: flight.asker_life,
                    version,
                    correlation: flight.correlation,
                    to: flight.destination,
                };
                process.asked.insert(id, asker);
                let inbound = InboundRequest {
                    token: id,
                    listener_name: listener_name(),
                    api_version: version,
                    request,
                };
                process.inbox.push_back((id, Inbound::Request(inbound)));
            }
            Payload::Response(_) if process.life != flight.asker_life => return Ok(Detail::Lost),
            Payload::Response(response) => {
                let inbound = Inbound::Response {
                    source: flight.destination,
                    correlation_id: flight.correlation,
                    response,
                };
                process.inbox.push_back((id, inbound));
            }
        }
        Ok(Detail::Done)
    }

    /// What the real channel answers when a connection is lost.
    pub(super) fn fail(&mut self, id: u64, error: Errors) -> Result<Detail, Refusal> {
        let flight = self.take_flight(id)?;
        let asker = match flight.payload {
            Payload::Request(_) => flight.from,
            Payload::Response(_) => flight.to,
        };
        let process = self.process_mut(asker)?;
        if process.replica.is_none() || process.life != flight.asker_life {
            return Ok(Detail::Lost);
        }
        let inbound = Inbound::Response {
            source: flight.destination,
            correlation_id: flight.correlation,
            response: Response::failed(flight.payload.api(), error),
        };
        process.inbox.push_back((id, inbound));
        Ok(Detail::Done)
    }

    /// A client asks a replica.
    pub(super) fn request(
        &mut self,
        node: NodeId,
        version: Option<i16>,
        request: Ask,
    ) -> Result<Detail, Refusal> {
        self.running(node)?;
        let request = match request {
            Ask::Raft(request) => request,
            Ask::Unavailable(what) => return Err(Refusal::Unavailable(what)),
        };
        let latest = request.api().latest_version(&self.setup.rules.raft);
        let version = version.unwrap_or(latest);
        let operation = self.next_operation();
        let process = self.running(node)?;
        let token = CLIENTS + operation;
        let asker = Asker::Client { operation, version };
        process.asked.insert(token, asker);
        let inbound = InboundRequest {
            token,
            listener_name: listener_name(),
            api_version: version,
            request,
        };
        process.inbox.push_back((0, Inbound::Request(inbound)));
        Ok(Detail::Operation(operation))
    }
}
