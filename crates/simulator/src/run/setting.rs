//! What declarations make: configurations and rules.

use std::collections::BTreeMap;

use config::ServerConfig;
use node::NodeConfig;
use records::NodeId;
use releases::{Release, Rules};

use super::action::{Declaration, QuorumKind};
use super::problem::Problem;
use super::quirks::Quirks;
use super::span::{Span, Spanned};
use crate::world::Wire;

/// The cluster id of every scenario's world.
pub const CLUSTER_ID: &str = "c2NlbmFyaW8tY2x1c3Rlcg";
/// The port of every controller's listener.
const PORT: u16 = 9093;
/// Where every node keeps its metadata log.
pub const DIRECTORY: &str = "/data";

/// What nodes there are, what they run and how they are configured.
#[derive(Clone, Debug)]
pub struct Setting {
    pub seed: u64,
    pub controllers: Vec<NodeId>,
    /// Controllers that are not voters.
    pub observers: Vec<NodeId>,
    /// How nodes learn the voters.
    pub quorum: QuorumKind,
    /// Whether each message takes its own time.
    pub delays: Delays,
    /// Whether messages pass through real bytes.
    pub wire: Wire,
    /// What runs, and formats, where nothing is named.
    release: Release,
    /// What runs everywhere, whatever the scenario says.
    forced: Option<Release>,
    /// As declared, in order.
    quirks: Vec<(Plant, String)>,
    forced_quirks: Quirks,
    /// Where the last line stands that configures the nodes.
    span: Span,
    properties: Vec<SetProperty>,
}

/// A line of `server.properties` that a declaration set.
#[derive(Clone, Debug)]
struct SetProperty {
    /// Whose; `None` for all nodes.
    node: Option<NodeId>,
    key: String,
    value: String,
    span: Span,
}

/// How long messages take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delays {
    /// All the same.
    Fixed,
    /// Each its own, from the seed.
    Random,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plant {
    With,
    Without,
}

impl Default for Setting {
    /// Seed 1, no node, fixed delays, 4.4.0 everywhere.
    fn default() -> Self {
        Setting {
            seed: 1,
            controllers: Vec::new(),
            observers: Vec::new(),
            quorum: QuorumKind::Static,
            delays: Delays::Fixed,
            wire: Wire::Off,
            release: Release::V4_4_0,
            forced: None,
            quirks: Vec::new(),
            forced_quirks: Quirks::default(),
            span: 0..0,
            properties: Vec::new(),
        }
    }
}

impl Setting {
    /// Every process runs this release, whatever an action says.
    pub fn force_release(&mut self, release: Release) {
        self.forced = Some(release);
    }

    /// Plants known bugs in every release, and mends others, after what declarations say of them.
    pub fn force_quirks(&mut self, quirks: &Quirks) {
        self.forced_quirks = quirks.clone();
    }

    /// Takes in one more declaration; `span` is where an error in a configuration shows that it makes wrong.
    pub fn take(&mut self, declaration: &Declaration, span: &Span) {
        let ids = |nodes: &[Spanned<NodeId>]| nodes.iter().map(|node| node.value).collect();
        if matches!(
            declaration,
            Declaration::Controllers(_) | Declaration::Observers(_) | Declaration::Set { .. }
        ) {
            self.span = span.clone();
        }
        match declaration {
            Declaration::Title(_) | Declaration::Shows(_) => {}
            Declaration::Seed(seed) => self.seed = *seed,
            Declaration::Controllers(nodes) => self.controllers = ids(nodes),
            Declaration::Observers(nodes) => self.observers = ids(nodes),
            Declaration::Release(release) => self.release = *release,
            Declaration::Quorum(kind) => self.quorum = *kind,
            Declaration::RandomDelays => self.delays = Delays::Random,
            Declaration::Wire(wire) => self.wire = *wire,
            Declaration::With(quirk) => self.quirks.push((Plant::With, quirk.value.clone())),
            Declaration::Without(quirk) => self.quirks.push((Plant::Without, quirk.value.clone())),
            Declaration::Set { node, key, value } => {
                let node = node.as_ref().map(|node| node.value);
                self.properties.push(SetProperty {
                    node,
                    key: key.value.clone(),
                    value: value.clone(),
                    span: span.clone(),
                });
            }
        }
    }

    /// Every node, voters first.
    pub fn nodes(&self) -> Vec<NodeId> {
        self.controllers
            .iter()
            .chain(&self.observers)
            .copied()
            .collect()
    }

    /// The release of a tool where a command names none.
    pub fn tool_release(&self, named: Option<Release>) -> Release {
        named.unwrap_or(self.release)
    }

    /// The release that a process runs: the one forced on all, else the one named, else the one of the setting.
    pub fn process_release(&self, named: Option<Release>) -> Release {
        self.forced.or(named).unwrap_or(self.release)
    }

    /// A release's rules with the scenario's quirks.
    pub fn rules(&self, release: Release) -> Rules {
        let declared = self.quirks.iter();
        let rules = declared.fold(release.rules(), |rules, (plant, quirk)| {
            let planted = match plant {
                Plant::With => rules.with(quirk),
                Plant::Without => rules.without(quirk),
            };
            planted.unwrap_or(rules)
        });
        self.forced_quirks.applied(rules.clone()).unwrap_or(rules)
    }

    /// A node's `server.properties`.
    pub fn properties_of(&self, node: NodeId) -> BTreeMap<String, String> {
        // A controller that is not among the static voters may not name them.
        let quorum = if self.observers.contains(&node) {
            QuorumKind::Dynamic
        } else {
            self.quorum
        };
        let mut entries = properties(node, &self.controllers, quorum);
        for property in self.properties_set(node) {
            entries.insert(property.key.clone(), property.value.clone());
        }
        entries
    }

    fn properties_set(&self, node: NodeId) -> impl Iterator<Item = &SetProperty> {
        let all = self.properties.iter();
        all.filter(move |property| property.node.is_none_or(|whose| whose == node))
    }

    /// The declaration that an error in a configuration is about: the one that set the longest key named in it, else
    /// the last one.
    fn blamed(&self, node: NodeId, error: &str) -> Span {
        let named = self.properties_set(node);
        let named = named.filter(|property| error.contains(&property.key));
        // Of those that are equally long, the last one counts.
        let blamed = named.max_by_key(|property| property.key.len());
        blamed.map_or(self.span.clone(), |property| property.span.clone())
    }

    /// A node's `server.properties`, as a release reads them.
    ///
    /// # Errors
    ///
    /// Where Kafka would refuse them.
    pub fn config(&self, node: NodeId, release: Release) -> Result<NodeConfig, Problem> {
        let lines = self.properties_of(node);
        let server = ServerConfig::parse(&self.rules(release), lines).map_err(|error| {
            let error = error.to_string();
            let what = format!("node {node} cannot be configured: {error}");
            Problem::new(self.blamed(node, &error), what)
        })?;
        Ok(NodeConfig::new(server))
    }
}

/// The address of a node's controller listener.
pub fn address(node: NodeId) -> String {
    format!("node-{node}:{PORT}")
}

/// The `server.properties` of a controller, as short as they can be.
pub fn properties(
    node: NodeId,
    controllers: &[NodeId],
    quorum: QuorumKind,
) -> BTreeMap<String, String> {
    let each = |form: fn(NodeId) -> String| {
        let voters: Vec<String> = controllers.iter().map(|id| form(*id)).collect();
        voters.join(",")
    };
    let (voters_key, voters) = match quorum {
        QuorumKind::Static => (
            "controller.quorum.voters",
            each(|id| format!("{id}@{}", address(id))),
        ),
        QuorumKind::Dynamic => ("controller.quorum.bootstrap.servers", each(address)),
    };
    [
        ("process.roles", "controller".to_owned()),
        ("node.id", node.to_string()),
        ("listeners", format!("CONTROLLER://{}", address(node))),
        ("controller.listener.names", "CONTROLLER".to_owned()),
        ("log.dirs", DIRECTORY.to_owned()),
        (voters_key, voters),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into()
}
