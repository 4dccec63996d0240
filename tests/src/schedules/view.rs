use std::collections::BTreeMap;

use serde_json::Value;

/// What the generator knows of a run: the last state of every node, and the messages on their way.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub states: BTreeMap<i32, Value>,
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
    pub request: Option<i64>,
}

impl View {
    /// Takes in an answer, whose command was `command`.
    pub fn absorb(&mut self, command: &Value, answer: &Value) {
        if let (Some("registerBroker"), Some(number)) =
            (command["op"].as_str(), answer["op"].as_u64())
        {
            self.registrations.insert(number, int(&command["id"]));
        }
        for state in answer["changed"].as_array().into_iter().flatten() {
            for operation in state["ops"].as_array().into_iter().flatten() {
                self.absorb_result(operation);
            }
            self.states.insert(int(&state["node"]), state.clone());
        }
        if matches!(command["cmd"].as_str(), Some("deliver" | "drop" | "fail"))
            && let Some(id) = command["id"].as_u64()
        {
            self.flights.remove(&id);
        }
        for step in answer["did"].as_array().into_iter().flatten() {
            let words = step.as_str().and_then(|step| step.split_once(' '));
            if let Some(("deliver" | "drop", id)) = words {
                self.flights.remove(&id.parse().unwrap_or(0));
            }
        }
        for sent in answer["sent"].as_array().into_iter().flatten() {
            let id = sent["id"].as_u64().unwrap_or(0);
            let is_gone = |step: &Value| {
                let words = step.as_str().and_then(|step| step.split_once(' '));
                matches!(words, Some(("deliver" | "drop", of)) if of.parse() == Ok(id))
            };
            if answer["did"]
                .as_array()
                .is_some_and(|did| did.iter().any(is_gone))
            {
                continue;
            }
            let flight = Flight {
                from: int(&sent["from"]),
                to: int(&sent["to"]),
                request: sent["version"]
                    .as_i64()
                    .filter(|_| sent["kind"] == "request"),
            };
            self.flights.insert(id, flight);
        }
    }

    fn absorb_result(&mut self, operation: &Value) {
        let result = &operation["result"];
        let number = operation["op"].as_u64().unwrap_or(0);
        if let (Some(broker), Some(text)) = (self.registrations.remove(&number), result.as_str()) {
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

    pub fn is_up(&self, node: i32) -> bool {
        self.states
            .get(&node)
            .is_some_and(|state| state["up"] == true)
    }

    pub fn up(&self) -> Vec<i32> {
        self.of_up(|_| true)
    }

    pub fn leaders(&self) -> Vec<i32> {
        self.of_up(|state| state["role"] == "Leader")
    }

    /// Whose process lies there, ended by a fault.
    pub fn doomed(&self) -> Vec<i32> {
        let lies_there = |state: &Value| state["up"] == false && state.get("role").is_some();
        let doomed = self.states.iter().filter(|(_, state)| lies_there(state));
        doomed.map(|(node, _)| *node).collect()
    }

    /// Who has something to do.
    pub fn busy(&self) -> Vec<i32> {
        self.of_up(|state| {
            state["woken"] == true
                || state["inbox"]
                    .as_array()
                    .is_some_and(|inbox| !inbox.is_empty())
        })
    }

    pub fn of_up(&self, wanted: impl Fn(&Value) -> bool) -> Vec<i32> {
        let up = self
            .states
            .iter()
            .filter(|(_, state)| state["up"] == true && wanted(state));
        up.map(|(node, _)| *node).collect()
    }

    pub fn field(&self, node: i32, name: &str) -> i64 {
        self.states
            .get(&node)
            .and_then(|state| state[name].as_i64())
            .unwrap_or(-1)
    }

    /// How long nodes would wait, without those who would wait for ever.
    pub fn waits(&self) -> Vec<i64> {
        let up = self.up().into_iter();
        up.map(|node| self.field(node, "next_poll_within"))
            .filter(|wait| (1..60_000).contains(wait))
            .collect()
    }
}

fn int(value: &Value) -> i32 {
    value.as_i64().unwrap_or(-1) as i32
}
