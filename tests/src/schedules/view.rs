use std::collections::BTreeMap;

use serde::Deserialize as _;
use serde_json::Value;

use crate::recorded::driven::{Answer, Finished, MessageKind, NodeState, Step};

/// What the generator knows of a run: the last state of every node, and the messages on their way.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub states: BTreeMap<i32, NodeState>,
    pub flights: BTreeMap<u64, Flight>,
    /// The epoch of the last registration of each broker that was answered.
    pub broker_epochs: BTreeMap<i32, i64>,
    /// The ids of the topics that came up.
    pub topics: BTreeMap<String, String>,
    registrations: BTreeMap<u64, i32>,
}

/// A message on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub from: i32,
    pub to: i32,
    /// The version of a request.
    pub request: Option<i16>,
}

impl View {
    /// Takes in an answer, whose command was `command`.
    pub fn absorb(&mut self, command: &Value, answer: &Value) -> Answer {
        let answer = Answer::deserialize(answer).expect("kraftsim answers in the driver's form");
        if let (Some("registerBroker"), Some(number), Some(broker)) =
            (command["op"].as_str(), answer.op, command["id"].as_i64())
        {
            self.registrations.insert(number, broker as i32);
        }
        if matches!(command["cmd"].as_str(), Some("deliver" | "drop" | "fail"))
            && let Some(id) = command["id"].as_u64()
        {
            self.flights.remove(&id);
        }
        for sent in &answer.sent {
            let flight = Flight {
                from: sent.from,
                to: sent.to,
                request: (sent.kind == MessageKind::Request).then_some(sent.version),
            };
            self.flights.insert(sent.id, flight);
        }
        for step in answer.steps() {
            if let Step::Landed(id) = step {
                self.flights.remove(&id);
            }
        }
        for state in &answer.changed {
            for operation in &state.ops {
                self.absorb_result(operation);
            }
            self.states.insert(state.node, state.clone());
        }
        answer
    }

    fn absorb_result(&mut self, operation: &Finished) {
        let result = &operation.result;
        if let (Some(broker), Some(text)) =
            (self.registrations.remove(&operation.op), result.as_str())
        {
            let digits = text
                .chars()
                .filter(char::is_ascii_digit)
                .collect::<String>();
            self.broker_epochs
                .insert(broker, digits.parse().unwrap_or(-1));
        }
        for topic in result["topics"].as_array().into_iter().flatten() {
            if let (Some(name), Some(id), Some(0)) = (
                topic["name"].as_str(),
                topic["topicId"].as_str(),
                topic["errorCode"].as_i64(),
            ) {
                self.topics.insert(name.to_owned(), id.to_owned());
            }
        }
    }

    pub fn of(&self, node: i32) -> NodeState {
        self.states.get(&node).cloned().unwrap_or(NodeState {
            epoch: -1,
            leader: -1,
            high_watermark: -1,
            log_end: -1,
            log_start: -1,
            next_poll_within: -1,
            ..NodeState::default()
        })
    }

    pub fn last_epoch(&self, node: i32) -> i64 {
        self.of(node).last_epoch.map_or(-1, i64::from)
    }

    pub fn is_up(&self, node: i32) -> bool {
        self.states.get(&node).is_some_and(|state| state.up)
    }

    pub fn up(&self) -> Vec<i32> {
        self.of_up(|_| true)
    }

    pub fn leaders(&self) -> Vec<i32> {
        self.of_up(|state| state.role.as_deref() == Some("Leader"))
    }

    /// Whose controller is the active one.
    pub fn active(&self) -> Vec<i32> {
        self.of_up(|state| state.controller.as_ref().is_some_and(|of| of.active))
    }

    /// Who knows of committed records.
    pub fn with_high_watermark(&self) -> Vec<i32> {
        self.of_up(|state| state.high_watermark > 0)
    }

    /// Whose process lies there, ended by a fault.
    pub fn doomed(&self) -> Vec<i32> {
        let lies_there = |state: &NodeState| !state.up && state.role.is_some();
        let doomed = self.states.iter().filter(|(_, state)| lies_there(state));
        doomed.map(|(node, _)| *node).collect()
    }

    /// Who has something to do.
    pub fn busy(&self) -> Vec<i32> {
        self.of_up(|state| state.woken || !state.inbox.is_empty())
    }

    pub fn of_up(&self, wanted: impl Fn(&NodeState) -> bool) -> Vec<i32> {
        let mut up = self.states.iter().collect::<Vec<_>>();
        up.retain(|(_, state)| state.up && wanted(state));
        up.into_iter().map(|(node, _)| *node).collect()
    }

    /// How long nodes would wait, without those who would wait for ever.
    pub fn waits(&self) -> Vec<i64> {
        let up = self.states.values().filter(|state| state.up);
        up.map(|state| state.next_poll_within)
            .filter(|wait| (1..60_000).contains(wait))
            .collect()
    }
}
