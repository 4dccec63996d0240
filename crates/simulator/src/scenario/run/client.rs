//! `add-voter`, `remove-voter`, `upgrade-feature`, `downgrade-feature`, `unregister-controller`, `describe-quorum`, and what
//! is answered.

use config::meta_properties::{self, MetaProperties};
use node::error_code;
use quorum_controller::request::{Execution, FeatureUpdate, UpgradeType};
use quorum_controller::{RequestError, Response as ControllerResponse, UpdateFeatures};
use raft::message::{
    AddRaftVoterRequest, DescribeQuorumResponse, Errors, RemoveRaftVoterRequest, ReplicaStateInfo,
    Request, Response, VoterChangeResponse,
};
use records::feature::Capability;
use records::{NodeId, Uuid};

use super::executor::Executor;
use super::setting::DIRECTORY;
use crate::observer::Happening;
use crate::scenario::nodes::NodeSelector;
use crate::scenario::problem::Problem;
use crate::scenario::span::{Span, Spanned};
use crate::scenario::verbs::client::{self, Change, Client};
use crate::world::{Answer, Machine, Question};

/// `request.timeout.ms` of Kafka's tools: how long the leader may take.
const TIMEOUT_MS: i32 = 30_000;

impl Executor<'_, '_> {
    pub(super) fn client(&mut self, command: &Client, span: &Span) -> Result<(), Problem> {
        if let Client::Write { path, until } = command {
            return self.write(path, *until, span);
        }
        let Some(leader) = self.view().leader() else {
            self.warn(span, "nobody leads: there is nobody to ask".to_owned());
            return Ok(());
        };
        let question = match command {
            Client::AddVoter(node) => self.add_voter(node, span),
            Client::RemoveVoter { node, directory } => {
                self.remove_voter(leader, node, directory.as_ref(), span)?
            }
            Client::UnregisterController(node) => self.only(node, span).map(|id| {
                Question::Controller(quorum_controller::Request::UnregisterController(id))
            }),
            Client::DescribeQuorum => {
                self.describe_quorum(leader);
                None
            }
            Client::Write { .. } => None,
            Client::UpdateFeature {
                feature,
                level,
                change,
            } => {
                let level = client::level(&feature.value, level)?;
                Some(update_features(&feature.value, level, *change))
            }
        };
        if let Some(question) = question {
            let number = self.world.ask(leader, question);
            self.asked.insert(number, (leader, command.to_string()));
            self.look(leader);
        }
        Ok(())
    }

    /// Writes down the answers that have come.
    pub(super) fn hear_answers(&mut self) {
        for (number, answer) in self.world.take_answers() {
            if let Some((node, command)) = self.asked.remove(&number) {
                let outcome = words(&answer);
                let what = Happening::Answered {
                    command: command.clone(),
                    outcome,
                };
                self.observer.note(self.world.now(), node, what);
                self.answers.push((command, answer));
            } else {
                self.write_answered(&answer);
            }
        }
    }

    fn add_voter(&mut self, node: &Spanned<NodeSelector>, span: &Span) -> Option<Question> {
        let id = self.only(node, span)?;
        let Some(directory) = self.directory_on_disk(id) else {
            self.warn(
                span,
                format!("node {id} is not formatted: it has no directory id"),
            );
            return None;
        };
        let machine = self.world.machine(id)?;
        Some(Question::Raft(Request::AddRaftVoter(AddRaftVoterRequest {
            cluster_id: None,
            timeout_ms: TIMEOUT_MS,
            voter_id: id.0,
            voter_directory_id: directory,
            listeners: machine.config().endpoints().clone(),
            ack_when_committed: true,
        })))
    }

    fn remove_voter(
        &mut self,
        leader: NodeId,
        node: &Spanned<NodeSelector>,
        directory: Option<&Spanned<String>>,
        span: &Span,
    ) -> Result<Option<Question>, Problem> {
        let Some(id) = self.only(node, span) else {
            return Ok(None);
        };
        let named = directory.map(|text| self.directory_named(text));
        let Some(directory) = named.transpose()?.or_else(|| self.directory_of(leader, id)) else {
            self.warn(span, format!("node {id} has no directory id"));
            return Ok(None);
        };
        let request = RemoveRaftVoterRequest {
            cluster_id: None,
            voter_id: id.0,
            voter_directory_id: directory,
        };
        Ok(Some(Question::Raft(Request::RemoveRaftVoter(request))))
    }

    /// An id, or the id that plays a part.
    fn directory_named(&self, text: &Spanned<String>) -> Result<Uuid, Problem> {
        let id = self.roles.id_of(&text.value).unwrap_or(&text.value);
        id.parse().map_err(|_| {
            let problem = format!("`{}` is not the id of a directory", text.value);
            Problem::new(text.span.clone(), problem)
                .suggesting("write an id, or the part it plays, such as \"<dir 3>\"")
        })
    }

    /// The directory that is a voter as far as the leader knows; if none is, the one on the node's disk.
    fn directory_of(&self, leader: NodeId, id: NodeId) -> Option<Uuid> {
        let leading = self.world.machine(leader)?.node()?;
        let voter = leading.replica().voters().voter(id);
        let known = voter.and_then(|voter| voter.voter_key.directory_id);
        known.or_else(|| self.directory_on_disk(id))
    }

    /// Kafka's tool asks the controllers first who they are, which they only say once their metadata.version knows that
    /// controllers register (`handleDescribeCluster` in `4.4:core/…/server/ControllerApis.scala`).
    fn describe_quorum(&mut self, leader: NodeId) {
        let command = Client::DescribeQuorum.to_string();
        let Some(node) = self.world.machine(leader).and_then(Machine::node) else {
            return;
        };
        let version = node.image().features().metadata_version();
        let features = node.rules().features;
        if version
            .is_some_and(|version| features.supports(version, Capability::ControllerRegistration))
        {
            let question = Question::Raft(Request::DescribeQuorum);
            let number = self.world.ask(leader, question);
            self.asked.insert(number, (leader, command));
            self.look(leader);
            return;
        }
        let why = "controllers do not say who they are under the present metadata.version";
        let outcome = format!("{}: {why}", Errors::UNSUPPORTED_VERSION);
        let what = Happening::Answered { command, outcome };
        self.observer.note(self.world.now(), leader, what);
    }

    /// The one node that is meant.
    fn only(&mut self, node: &Spanned<NodeSelector>, span: &Span) -> Option<NodeId> {
        match self.view().select(node.value).as_slice() {
            [id] => Some(*id),
            found => {
                let count = found.len();
                self.warn(span, format!("`{node}` is not one node now, but {count}"));
                None
            }
        }
    }

    fn directory_on_disk(&self, id: NodeId) -> Option<Uuid> {
        let path = format!("{DIRECTORY}/{}", meta_properties::FILE_NAME);
        let file = self.world.machine(id)?.disk().look(&path)?;
        let meta = MetaProperties::parse(meta_properties::FILE_NAME, &file).ok()?;
        meta.directory_id
    }
}

fn update_features(feature: &str, level: i16, change: Change) -> Question {
    let change = match change {
        Change::Upgrade => UpgradeType::Upgrade,
        Change::Downgrade => UpgradeType::SafeDowngrade,
        Change::UnsafeDowngrade => UpgradeType::UnsafeDowngrade,
    };
    Question::UpdateFeatures(UpdateFeatures {
        updates: vec![FeatureUpdate {
            feature: feature.to_owned(),
            level,
            upgrade_type: change,
        }],
        execution: Execution::Apply,
    })
}

/// An answer by Kafka's name of its error code, and why.
pub(crate) fn words(answer: &Answer) -> String {
    match answer {
        Answer::Disconnected => "no answer, the connection is gone".to_owned(),
        Answer::Raft(Response::AddRaftVoter(changed) | Response::RemoveRaftVoter(changed)) => {
            voter_change(changed)
        }
        Answer::Raft(Response::DescribeQuorum(quorum)) => described(quorum),
        Answer::Raft(other) => other.top_level_error().to_string(),
        Answer::Features(outcome) | Answer::Controller(outcome) => features(outcome),
    }
}

/// What `kafka-metadata-quorum describe` says of it, in one line.
fn described(response: &DescribeQuorumResponse) -> String {
    let Some(quorum) = &response.partition else {
        return response.error_code.to_string();
    };
    if quorum.error_code != Errors::NONE {
        return quorum.error_code.to_string();
    }
    let replicas = |some: &[ReplicaStateInfo]| {
        let each = some.iter().map(|state| {
            let id = state.replica.id;
            let end = state.log_end_offset;
            match state.replica.directory_id {
                Some(directory) => format!("{id} {directory} at {end}"),
                None => format!("{id} at {end}"),
            }
        });
        format!("{{{}}}", each.collect::<Vec<_>>().join(", "))
    };
    format!(
        "leader {}, epoch {}, committed {}, voters {}, observers {}",
        quorum.leader_id,
        quorum.leader_epoch,
        quorum.high_watermark,
        replicas(&quorum.current_voters),
        replicas(&quorum.observers)
    )
}

fn voter_change(response: &VoterChangeResponse) -> String {
    let code = response.error_code;
    match &response.error_message {
        Some(why) => format!("{code}: {why}"),
        None => code.to_string(),
    }
}

fn features(outcome: &Result<ControllerResponse, RequestError>) -> String {
    let refused = |error: &RequestError| format!("{}: {error}", error_code(error));
    match outcome {
        Ok(ControllerResponse::Features(results)) => {
            let mut refusals = results.values().filter_map(|result| result.as_ref().err());
            refusals
                .next()
                .map_or_else(|| Errors::NONE.to_string(), refused)
        }
        Ok(_) => Errors::NONE.to_string(),
        Err(error) => refused(error),
    }
}
