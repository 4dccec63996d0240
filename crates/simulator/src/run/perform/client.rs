//! `add-voter`, `remove-voter`, `upgrade-feature`, `downgrade-feature`, `unregister-controller`, `describe-quorum`, and what
//! is answered.

use config::meta_properties::{self, MetaProperties};
use disk::path;
use quorum_controller::UpdateFeatures;
use quorum_controller::request::{Execution, FeatureUpdate, UpgradeType};
use raft::message::{AddRaftVoterRequest, Errors, RemoveRaftVoterRequest, Request};
use records::feature::{Capability, FeatureTable, KRAFT_VERSION, Line, METADATA_VERSION};
use records::{NodeId, Uuid};

use crate::observer::Happening;
use crate::run::action::{Change, ClientAction, NodeSelector};
use crate::run::{Problem, Run, Span, Spanned};
use crate::world::{Machine, Question};

/// `request.timeout.ms` of Kafka's tools: how long the leader may take.
const TIMEOUT_MS: i32 = 30_000;

impl Run {
    pub(in crate::run) fn client(
        &mut self,
        action: &ClientAction,
        span: &Span,
    ) -> Result<(), Problem> {
        let Some(leader) = self.leader() else {
            self.warn(span, "nobody leads: there is nobody to ask".to_owned());
            return Ok(());
        };
        let question = match action {
            ClientAction::AddVoter(node) => self.add_voter(node, span),
            ClientAction::RemoveVoter { node, directory } => {
                self.remove_voter(leader, node, directory.as_ref(), span)?
            }
            ClientAction::UnregisterController(node) => self.only(node, span).map(|id| {
                Question::Controller(quorum_controller::ControllerRequest::UnregisterController(
                    id,
                ))
            }),
            ClientAction::DescribeQuorum => self.describe_quorum(leader),
            ClientAction::UpdateFeature {
                feature,
                level,
                change,
            } => {
                let level = feature_level(&feature.value, level)?;
                Some(update_features(&feature.value, level, *change))
            }
        };
        if let Some(question) = question {
            self.ask(leader, question, action.to_string());
        }
        Ok(())
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
        let machine = self.world().machine(id)?;
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
        let leading = self.world().machine(leader)?.node()?;
        let voter = leading.replica().voters().voter(id);
        let known = voter.and_then(|voter| voter.voter_key.directory_id);
        known.or_else(|| self.directory_on_disk(id))
    }

    /// Kafka's tool asks the controllers first who they are, which they only say once their metadata.version knows that
    /// controllers register (`handleDescribeCluster` in `4.4:core/…/server/ControllerApis.scala`).
    fn describe_quorum(&mut self, leader: NodeId) -> Option<Question> {
        let node = self.world().machine(leader).and_then(Machine::node)?;
        let version = node.image().features().metadata_version();
        let features = node.rules().features;
        let registers = |version| features.supports(version, Capability::ControllerRegistration);
        if version.is_some_and(registers) {
            return Some(Question::Raft(Request::DescribeQuorum));
        }
        let why = "controllers do not say who they are under the present metadata.version";
        let what = Happening::Answered {
            command: ClientAction::DescribeQuorum.to_string(),
            outcome: format!("{}: {why}", Errors::UNSUPPORTED_VERSION),
        };
        let now = self.now();
        self.observer_mut().note(now, leader, what);
        None
    }

    /// The one node that is meant.
    fn only(&mut self, node: &Spanned<NodeSelector>, span: &Span) -> Option<NodeId> {
        match self.select(node.value).as_slice() {
            [id] => Some(*id),
            found => {
                let count = found.len();
                self.warn(span, format!("`{node}` is not one node now, but {count}"));
                None
            }
        }
    }

    fn directory_on_disk(&self, id: NodeId) -> Option<Uuid> {
        let machine = self.world().machine(id)?;
        let path = path::join(machine.metadata_dir(), meta_properties::FILE_NAME);
        let file = machine.disk().look(&path)?;
        let meta = MetaProperties::parse(meta_properties::FILE_NAME, &file).ok()?;
        meta.directory_id
    }
}

/// The level that is meant by a number, or by the name of a metadata.version.
pub(crate) fn feature_level(feature: &str, level: &Spanned<String>) -> Result<i16, Problem> {
    if let Ok(number) = level.value.parse() {
        return Ok(number);
    }
    let known = |line: &Line| FeatureTable::of(*line).metadata_version_named(&level.value);
    if feature == METADATA_VERSION
        && let Some(info) = Line::ALL.iter().rev().find_map(known)
    {
        return Ok(info.version.0);
    }
    let (problem, suggestion) = match feature {
        METADATA_VERSION => (
            format!("there is no metadata.version `{level}`"),
            "write a name such as 4.4-IV2, or a level such as 33",
        ),
        KRAFT_VERSION => (
            format!("`{level}` is not a level"),
            "kraft.version is 0 or 1",
        ),
        _ => (format!("`{level}` is not a level"), "write a whole number"),
    };
    Err(Problem::new(level.span.clone(), problem).suggesting(suggestion))
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
