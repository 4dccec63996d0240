//! What becomes of messages.

use raft::ListenerName;
use raft::message::{ApiKey, Errors, Inbound, InboundRequest, Outbound, Request, Response};
use records::NodeId;

use super::directories::port;
use super::flight::{Flight, Payload};
use super::process::{Asker, Letter};
use super::{Ask, Detail, Drive, Outcome, Refusal, Sent};

/// Tokens of clients do not meet the numbers of messages.
const CLIENTS: u64 = 1 << 40;

fn listener_name() -> ListenerName {
    ListenerName::normalised("CONTROLLER")
}

/// A request of the latest version, as it is read in another. What only the older version says is lost with the latest.
fn rewritten(request: Request, version: i16) -> Result<Request, Refusal> {
    let mut request = request
        .at_version(version)
        .map_err(Refusal::unsupported_version)?;
    match &mut request {
        Request::EndQuorumEpoch(end) if version < 1 => end.preferred_candidates.clear(),
        Request::Fetch(_) if version < 15 => {
            return Err(Refusal::unsupported_version("a replica that fetches"));
        }
        _ => {}
    }
    Ok(request)
}

/// Kafka leaves the bytes of a checkpoint null where it answers with an error, and its own code cannot write that
/// (`singletonFetchSnapshotResponse` in `4.4:raft/…/RaftUtil.java`): the answer never leaves.
fn is_unspeakable(response: &Response) -> bool {
    let Response::FetchSnapshot(fetch) = response else {
        return false;
    };
    let partition = fetch.partition.as_ref();
    partition.is_some_and(|partition| partition.error_code != Errors::NONE)
}

impl Drive {
    /// Puts on its way what a replica has to say.
    pub(super) fn collect(&mut self, node: NodeId) -> Result<(), Refusal> {
        let Some(process) = self.processes.get_mut(&node) else {
            return Ok(());
        };
        let life = process.life;
        for (token, response) in std::mem::take(&mut process.answered) {
            self.answer(node, token, response);
        }
        let Some(process) = self.processes.get_mut(&node) else {
            return Ok(());
        };
        for outbound in process.take_messages() {
            match outbound {
                Outbound::Request {
                    to,
                    correlation_id,
                    request,
                } => {
                    let version = request.api().latest_version(&self.setup.rules.raft);
                    let mut nodes = self.processes.keys();
                    let receiver = nodes.find(|id| port(**id) == i32::from(to.address.port));
                    let Some(receiver) = receiver.copied() else {
                        // The driver's network throws, and the replica's thread with it.
                        let refusal = Refusal::NobodyThere(to.address.to_string());
                        if let Some(process) = self.processes.get_mut(&node) {
                            process.doom(&refusal);
                        }
                        return Ok(());
                    };
                    let request = request
                        .at_version(version)
                        .map_err(Refusal::unsupported_version)?;
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
        let asker = process.asked.remove(&token);
        if is_unspeakable(&response) {
            return;
        }
        match asker {
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
                let request = rewritten(request, version)?;
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
                process.receive(id, Inbound::Request(inbound));
            }
            Payload::Response(_) if process.life != flight.asker_life => return Ok(Detail::Lost),
            Payload::Response(response) => {
                let inbound = Inbound::Response {
                    source: flight.destination,
                    correlation_id: flight.correlation,
                    response,
                };
                process.receive(id, inbound);
            }
        }
        Ok(Detail::Done)
    }

    /// What the real channel answers when a connection is lost.
    pub(super) fn fail(&mut self, id: u64, error: Option<Errors>) -> Result<Detail, Refusal> {
        let flight = self.take_flight(id)?;
        let asker = match flight.payload {
            Payload::Request(_) => flight.from,
            Payload::Response(_) => flight.to,
        };
        let process = self.process_mut(asker)?;
        if process.replica.is_none() || process.life != flight.asker_life {
            return Ok(Detail::Lost);
        }
        let error = error.ok_or_else(|| Refusal::refused("there is no such error"))?;
        let inbound = Inbound::Response {
            source: flight.destination,
            correlation_id: flight.correlation,
            response: Response::failed(flight.payload.api(), error),
        };
        process.receive(id, inbound);
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
            Ask::Misaddressed { api, cluster_id } => {
                return self.misaddressed(node, version, api, cluster_id.as_deref());
            }
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
        process.receive(0, Inbound::Request(inbound));
        Ok(Detail::Operation(operation))
    }

    fn misaddressed(
        &mut self,
        node: NodeId,
        version: Option<i16>,
        api: ApiKey,
        cluster_id: Option<&str>,
    ) -> Result<Detail, Refusal> {
        let version = version.unwrap_or_else(|| api.latest_version(&self.setup.rules.raft));
        let error = match cluster_id {
            Some(id) if id != self.setup.cluster_id => Errors::INCONSISTENT_CLUSTER_ID,
            _ => Errors::INVALID_REQUEST,
        };
        let operation = self.next_operation();
        let token = CLIENTS + operation;
        let process = self.running(node)?;
        process
            .asked
            .insert(token, Asker::Client { operation, version });
        let response = Response::failed(api, error);
        let letter = Letter::Answered { token, response };
        process.inbox.push_back((0, letter));
        Ok(Detail::Operation(operation))
    }
}
