use node::{Destination, Payload, RequestId};
use quorum_controller::{ControllerRequest, ControllerResponse, RequestError, UpdateFeatures};
use raft::message::{Request, Response};
use records::NodeId;

use super::World;
use super::letter::{Carried, Envelope};
use super::wire::{self, Wire};

/// The sender of what an administrator asks; no machine has this id, and no cut concerns it.
pub const ADMINISTRATOR: NodeId = NodeId(-1);

/// What an administrator asks of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Something that raft answers: another voter, one less.
    Raft(Request),
    /// Other finalized features.
    UpdateFeatures(UpdateFeatures),
    /// Something else that the controller answers.
    Controller(ControllerRequest),
}

/// What comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdministratorAnswer {
    Raft(Response),
    /// The controller's, to the wish for other features.
    Features(Result<ControllerResponse, RequestError>),
    /// The controller's, to anything else.
    Controller(Result<ControllerResponse, RequestError>),
    /// The process that was asked is gone.
    Disconnected,
}

/// The administrator of the cluster: asks a node, once, and waits.
#[derive(Clone, Debug, Default)]
pub(super) struct Administrator {
    asked: u32,
    answered: u32,
    answers: Vec<(u32, AdministratorAnswer)>,
}

/// Asking: what an administrator's tools send.
impl World {
    /// Sends a question to a node, with tools of the node's own release; its number comes back with the answer.
    pub fn ask(&mut self, to: NodeId, question: Question) -> u32 {
        self.administrator.asked += 1;
        let number = self.administrator.asked;
        let payload = match question {
            Question::Raft(request) => Payload::RaftRequest {
                correlation_id: number.cast_signed(),
                request,
            },
            Question::UpdateFeatures(update) => Payload::UpdateFeatures { number, update },
            Question::Controller(request) => Payload::Controller {
                number,
                request: Box::new(request),
            },
        };
        self.note("ask", to);
        if let Some(rules) = self.machine(to).map(|machine| machine.rules.clone()) {
            self.send(ADMINISTRATOR, rules, Destination::Node(to), payload);
        }
        number
    }

    /// The answers that came since the last call, in the order in which they came.
    pub fn take_answers(&mut self) -> Vec<(u32, AdministratorAnswer)> {
        std::mem::take(&mut self.administrator.answers)
    }

    /// How many questions have no answer yet.
    pub fn unanswered(&self) -> u32 {
        self.administrator.asked - self.administrator.answered
    }

    /// An answer reaches the administrator.
    pub(super) fn answer_arrives(&mut self, message: u32) {
        let Envelope {
            direction,
            connection,
            sender,
            content,
            ..
        } = self.messages.remove(message);
        if !self.in_flight.close(connection) {
            return;
        }
        self.note("answer", direction.from);
        let answer = match content {
            Carried::Disconnected(request) => {
                Some((number_of(request), AdministratorAnswer::Disconnected))
            }
            Carried::Message(payload) => {
                payload.digest(&mut self.digest);
                let rules = &sender.raft;
                let carried = match self.wire {
                    Wire::Off => Ok(payload),
                    Wire::On => wire::through_bytes(payload, rules, rules),
                };
                match carried {
                    Ok(payload) => answer_of(payload),
                    Err(fault) => {
                        self.wire_faults.push(fault.to_string());
                        return;
                    }
                }
            }
        };
        self.administrator.answered += 1;
        self.administrator.answers.extend(answer);
    }
}

fn answer_of(payload: Payload) -> Option<(u32, AdministratorAnswer)> {
    match payload {
        Payload::RaftResponse {
            correlation_id,
            response,
        } => Some((
            correlation_id.cast_unsigned(),
            AdministratorAnswer::Raft(response),
        )),
        Payload::UpdateFeaturesReply { number, outcome } => {
            Some((number, AdministratorAnswer::Features(outcome)))
        }
        Payload::ControllerReply { number, outcome } => {
            Some((number, AdministratorAnswer::Controller(outcome)))
        }
        Payload::RegistrationReply { .. }
        | Payload::RaftRequest { .. }
        | Payload::Registration { .. }
        | Payload::UpdateFeatures { .. }
        | Payload::Controller { .. } => None,
    }
}

fn number_of(request: RequestId) -> u32 {
    match request {
        RequestId::Raft(correlation_id) => correlation_id.cast_unsigned(),
        RequestId::Registration(number)
        | RequestId::Features(number)
        | RequestId::Controller(number) => number,
    }
}
