//! Time and messages.

use std::collections::BTreeMap;

use listener::ListenerId;
use raft::Role;
use raft::message::{Errors, Inbound, InboundRequest, Outbound, Request, Response};

use super::{Asker, Cluster, Content, Packet, machines::listener_name, telling::told};

impl Cluster {
    /// Takes what a replica has to say after a step.
    pub(super) fn settle(&mut self, node: i32) {
        let now_ms = self.now_ms;
        let receivers: BTreeMap<u16, i32> = self
            .machines
            .iter()
            .map(|(node, machine)| (machine.port, *node))
            .collect();
        let machine = self
            .machines
            .get_mut(&node)
            .expect("a machine of the cluster");
        let life = machine.life;
        let Some(replica) = &mut machine.replica else {
            return;
        };
        assert_eq!(
            replica.take_violation(),
            None,
            "the listener's contract holds"
        );
        while let Some(event) = replica.poll_listener(ListenerId(0)) {
            machine.events.push(told(&event));
        }
        let now = (replica.role(), replica.epoch(), replica.leader());
        if now.0 == Role::Leader {
            let first = *self.leaders.entry(now.1).or_insert(node);
            assert_eq!(first, node, "epoch {} has one leader", now.1);
        }
        if machine.last != Some(now) {
            let leader = now
                .2
                .filter(|leader| leader.0 != node)
                .map(|id| format!(" of {id}"));
            let leader = leader.unwrap_or_default();
            self.said.push(format!(
                "{now_ms:>5} {node} is {}{leader}, epoch {}",
                now.0, now.1
            ));
            machine.last = Some(now);
        }
        let mut packets = Vec::new();
        while let Some(outbound) = replica.poll_message() {
            match outbound {
                Outbound::Request {
                    to,
                    correlation_id,
                    request,
                } => {
                    let port = to.address.port;
                    let Some(receiver) = receivers.get(&port).copied() else {
                        continue;
                    };
                    let content = Content::Request {
                        to,
                        correlation_id,
                        life,
                        request,
                    };
                    packets.push(Packet {
                        from: node,
                        to: receiver,
                        content,
                    });
                }
                Outbound::Reply { token, response } => match machine.asked.remove(&token) {
                    Some(Asker::Replica {
                        node: asker,
                        life,
                        to,
                        correlation_id,
                    }) => {
                        let content = Content::Response {
                            source: to,
                            correlation_id,
                            life,
                            response,
                        };
                        packets.push(Packet {
                            from: node,
                            to: asker,
                            content,
                        });
                    }
                    Some(Asker::Client) => {
                        let error = match &response {
                            Response::AddRaftVoter(change) | Response::RemoveRaftVoter(change) => {
                                change.error_code
                            }
                            other => other.top_level_error(),
                        };
                        self.said
                            .push(format!("{now_ms:>5} {node} answers the client: {error}"));
                    }
                    None => {}
                },
            }
        }
        for packet in packets {
            self.send(packet);
        }
    }

    pub(super) fn send(&mut self, packet: Packet) {
        if self.tells_messages {
            let what = match &packet.content {
                Content::Request { request, .. } => name(request.api().name(), request),
                Content::Response { response, .. } => format!("{} answer", response.api().name()),
            };
            self.said.push(format!(
                "{:>5} {} -> {} {what}",
                self.now_ms, packet.from, packet.to
            ));
        }
        self.last_packet += 1;
        self.network
            .insert((self.now_ms + 1, self.last_packet), packet);
    }

    pub(super) fn run(&mut self, ms: u64) -> Result<(), String> {
        let end_ms = self.now_ms + ms;
        loop {
            let arrival = self.network.first_key_value().map(|((at, _), _)| *at);
            let due = self
                .machines
                .values()
                .filter_map(|machine| machine.replica.as_ref());
            let due = due.map(|replica| replica.next_poll().as_millis()).min();
            let Some(next) = [arrival, due].into_iter().flatten().min() else {
                break;
            };
            if next > end_ms {
                break;
            }
            self.now_ms = self.now_ms.max(next);
            if arrival.is_some_and(|at| at <= self.now_ms) {
                let (_, packet) = self.network.pop_first().ok_or("a packet was there")?;
                self.arrive(packet)?;
                continue;
            }
            let now = self.now();
            let node = self.machines.iter().find(|(_, machine)| {
                machine
                    .replica
                    .as_ref()
                    .is_some_and(|replica| replica.next_poll() <= now)
            });
            let node = *node.ok_or("somebody was due")?.0;
            self.poll(node, None)?;
        }
        self.now_ms = end_ms;
        Ok(())
    }

    pub(super) fn poll(&mut self, node: i32, inbound: Option<Inbound>) -> Result<(), String> {
        *self.polls.entry(node).or_default() += 1;
        let now = self.now();
        let machine = self.machine(node)?;
        if let Some(replica) = &mut machine.replica
            && let Err(fault) = replica.poll(now, &mut machine.disk, inbound)
        {
            machine.replica = None;
            let line = format!("{:>5} {node} ends: {fault}", self.now_ms);
            self.said.push(line);
        }
        self.settle(node);
        Ok(())
    }

    pub(super) fn arrive(&mut self, packet: Packet) -> Result<(), String> {
        let Packet { from, to, content } = packet;
        let is_cut = from != to && (self.cut.contains(&from) || self.cut.contains(&to));
        let token = self.last_packet + 1;
        self.last_packet = token;
        match content {
            Content::Request {
                to: destination,
                correlation_id,
                life,
                request,
            } => {
                let version = request.api().latest_version(&self.rules.raft);
                let machine = self.machine(to)?;
                if is_cut || machine.replica.is_none() {
                    let response = Response::failed(request.api(), Errors::BROKER_NOT_AVAILABLE);
                    let source = destination;
                    let asker = self.machine(from)?;
                    if asker.life != life {
                        return Ok(());
                    }
                    return self.poll(
                        from,
                        Some(Inbound::Response {
                            source,
                            correlation_id,
                            response,
                        }),
                    );
                }
                let asker = Asker::Replica {
                    node: from,
                    life,
                    to: destination,
                    correlation_id,
                };
                machine.asked.insert(token, asker);
                let request = request
                    .at_version(version)
                    .map_err(|error| error.to_string())?;
                self.poll(to, Some(inbound(token, version, request)))
            }
            Content::Response {
                source,
                correlation_id,
                life,
                response,
            } => {
                let is_gone = self.machine(to)?.life != life;
                if is_cut || is_gone {
                    return Ok(());
                }
                self.poll(
                    to,
                    Some(Inbound::Response {
                        source,
                        correlation_id,
                        response,
                    }),
                )
            }
        }
    }
}

pub(super) fn inbound(token: u64, api_version: i16, request: Request) -> Inbound {
    Inbound::Request(InboundRequest {
        token,
        listener_name: listener_name(),
        api_version,
        request,
    })
}

pub(super) fn name(message: &str, request: &Request) -> String {
    match request {
        Request::Vote(vote) if vote.pre_vote => format!("PRE-{message}"),
        Request::FetchSnapshot(fetch) => format!("{message} from byte {}", fetch.position),
        _ => message.to_owned(),
    }
}
