use std::sync::Arc;

use determinism::Time;
use node::{Destination, Payload, Reach};
use raft::Address;
use records::NodeId;
use releases::Rules;

use super::event::Event;
use super::letter::{Carried, Envelope};
use super::machine::Process;
use super::sight::Sight;
use super::{ADMINISTRATOR, World};
use crate::network::{Direction, Fate};

/// Sending: who a message is for, and what becomes of it on the way.
impl World {
    pub(super) fn send_all(&mut self, at: u16) {
        loop {
            let machine = Arc::make_mut(&mut self.machines[usize::from(at)]);
            let from = machine.id;
            let Process::Up(node) = &mut machine.process else {
                return;
            };
            let Some((destination, payload)) = node.poll_send() else {
                return;
            };
            let sender = node.shared_rules();
            self.send(from, sender, destination, payload);
        }
    }

    pub(super) fn send(
        &mut self,
        from: NodeId,
        sender: Arc<Rules>,
        destination: Destination,
        payload: Payload,
    ) {
        self.sent += 1;
        if self.letters.is_some() {
            self.put_in_hand(from, sender, destination, payload);
            return;
        }
        let Some(to) = self.resolve(&destination) else {
            return; // Nobody has that address: the request times out at its maker.
        };
        let direction = Direction { from, to };
        let fate = match payload.narrower_kind() {
            Some(narrower) => {
                let kinds = [payload.kind(), narrower];
                self.network.send(self.now, direction, &kinds)
            }
            None => self.network.send(self.now, direction, &[payload.kind()]),
        };
        let kind = payload.kind();
        let sight = match fate {
            Fate::Arrives(_) => Sight::Sent { to, kind },
            Fate::Lost => Sight::Lost { to, kind },
        };
        self.sights.message(self.now, from, sight);
        let connection = match (&destination, payload.request_id(), fate) {
            (Destination::Answer { connection, .. }, _, Fate::Arrives(_)) => *connection,
            (Destination::Answer { connection, .. }, _, Fate::Lost) => {
                self.in_flight.close(*connection);
                return;
            }
            (_, Some(request), Fate::Arrives(_)) => self.in_flight.open(direction, request),
            _ => return,
        };
        if let Fate::Arrives(at) = fate {
            let content = Carried::Message(payload);
            let envelope = Envelope {
                direction,
                connection,
                sender,
                version: None,
                content,
            };
            self.schedule_arrival(at, envelope);
        }
    }

    pub(super) fn schedule_arrival(&mut self, at: Time, envelope: Envelope) {
        let to = envelope.direction.to;
        let message = self.messages.insert(envelope);
        let event = if to == ADMINISTRATOR {
            Event::Answer { message }
        } else {
            let machine = self.by_id[&to];
            Event::Arrive { machine, message }
        };
        self.schedule(at, event);
    }

    pub(super) fn resolve(&self, destination: &Destination) -> Option<NodeId> {
        match destination {
            Destination::Node(id) | Destination::Answer { node: id, .. } => {
                (*id == ADMINISTRATOR || self.by_id.contains_key(id)).then_some(*id)
            }
            Destination::Address { address, expected } => self.at_address(address, *expected),
        }
    }

    /// The machine at an address. Where configurations leave out which address a node is reached at, the node that the
    /// sender means is taken if it listens on that port at all, else the only one that does so on every address.
    fn at_address(&self, address: &Address, expected: Option<NodeId>) -> Option<NodeId> {
        let reached = |how: Reach| {
            self.machines
                .iter()
                .filter(move |machine| machine.reached_at(address) == how)
                .map(|machine| machine.id)
        };
        if let Some(exact) = reached(Reach::Exact).next() {
            return Some(exact);
        }
        let meant = expected.and_then(|id| self.machine(id));
        if let Some(meant) = meant.filter(|meant| meant.reached_at(address) != Reach::No) {
            return Some(meant.id);
        }
        let mut listening = reached(Reach::AnyHostAtPort);
        listening.next().filter(|_| listening.next().is_none())
    }
}
