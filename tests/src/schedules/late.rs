//! Messages that come late, and requests that come twice.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Generator;
use crate::recorded::driven::{Answer, MessageKind, Sent};

/// So many requests are remembered.
const MEMORY: usize = 60;

/// What is kept for later.
#[derive(Clone, Debug, Default)]
pub(super) struct Late {
    /// Messages that stay on their way.
    kept: BTreeSet<u64>,
    /// Requests that were sent, in order.
    requests: Vec<Sent>,
}

impl Late {
    pub fn is_kept(&self, id: u64) -> bool {
        self.kept.contains(&id)
    }

    pub fn keep(&mut self, id: u64) {
        self.kept.insert(id);
    }

    pub fn absorb(&mut self, answer: &Answer) {
        let is_request = |sent: &&Sent| sent.kind == MessageKind::Request;
        let mut requests: Vec<Sent> = answer.sent.iter().filter(is_request).cloned().collect();
        requests.retain(|sent| sent.api != "API_VERSIONS");
        self.requests.extend(requests);
        let too_many = self.requests.len().saturating_sub(MEMORY);
        self.requests.drain(..too_many);
    }
}

impl Generator {
    pub(super) fn be_late(&mut self) {
        let flights = &self.view.flights;
        self.late.kept.retain(|id| flights.contains_key(id));
        let kept: Vec<u64> = self.late.kept.iter().copied().collect();
        if let (Some(id), true) = (self.pick(&kept), self.rng.chance(1, 2)) {
            self.late.kept.remove(&id);
            return self.tell(json!({ "cmd": "deliver", "id": id }));
        }
        self.send_again();
    }

    /// A request comes once more, to the same node, as a client's: its answer goes nowhere.
    fn send_again(&mut self) {
        let many = self.late.requests.len();
        let recent = if self.rng.chance(1, 2) { 8 } else { many };
        let requests = &self.late.requests[many.saturating_sub(recent)..];
        let Some(sent) = self.rng.pick(requests).cloned() else {
            return;
        };
        let mut command = json!({
            "cmd": "request", "node": sent.to, "api": sent.api, "version": sent.version, "body": sent.body,
        });
        if self.rng.chance(1, 12) {
            command["node"] = self.any_node().into();
        }
        if self.rng.chance(1, 3) {
            return self.twice(&command);
        }
        self.tell(command);
    }

    fn twice(&mut self, command: &Value) {
        self.tell(command.clone());
        self.tell(command.clone());
    }
}
