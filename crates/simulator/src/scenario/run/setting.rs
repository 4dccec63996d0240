//! What the world commands say, as configurations and rules.

use std::collections::BTreeMap;

use config::ServerConfig;
use node::NodeConfig;
use records::NodeId;
use releases::{Release, Rules};

use super::executor::Options;
use crate::scenario::command::Command;
use crate::scenario::document::Scenario;
use crate::scenario::problem::Problem;
use crate::scenario::span::Span;
use crate::scenario::verbs::disk::{Disk, FormatVoters};
use crate::scenario::verbs::world::{QuorumKind, World};
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
    /// All chance.
    pub seed: u64,
    /// The voters.
    pub controllers: Vec<NodeId>,
    /// Controllers that are not voters.
    pub observers: Vec<NodeId>,
    /// How nodes learn the voters.
    pub quorum: QuorumKind,
    /// Whether each message takes its own time.
    pub delays: Delays,
    /// Whether messages pass through real bytes.
    pub wire: Wire,
    /// What runs where nothing is named.
    release: Release,
    /// What runs everywhere, whatever the scenario says.
    forced: Option<Release>,
    quirks: Vec<(Plant, String)>,
    forced_quirks: Vec<(Plant, String)>,
    /// Where the last line stands that configures the nodes.
    pub(super) span: Span,
    properties: Vec<(Option<NodeId>, String, String)>,
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

impl Setting {
    /// What a scenario says of its world before anything happens.
    pub fn of(scenario: &Scenario, options: &Options) -> Self {
        let mut setting = Setting {
            seed: 1,
            controllers: Vec::new(),
            observers: Vec::new(),
            quorum: implied_quorum(scenario),
            delays: Delays::Fixed,
            wire: Wire::Off,
            release: Release::V4_4_0,
            forced: options.release,
            quirks: Vec::new(),
            forced_quirks: forced_quirks(options),
            span: 0..0,
            properties: Vec::new(),
        };
        for statement in scenario.statements() {
            match &statement.command.value {
                Command::World(world) => {
                    setting.take(world);
                    if matches!(
                        world,
                        World::Controllers(_) | World::Observers(_) | World::Set { .. }
                    ) {
                        setting.span = statement.command.span.clone();
                    }
                }
                _ => break,
            }
        }
        setting.wire = options.wire.unwrap_or(setting.wire);
        setting
    }

    /// Takes in one more world command.
    pub fn take(&mut self, world: &World) {
        let ids = |nodes: &[crate::scenario::Spanned<NodeId>]| {
            nodes.iter().map(|node| node.value).collect()
        };
        match world {
            World::Title(_) | World::Shows(_) => {}
            World::Seed(seed) => self.seed = *seed,
            World::Controllers(nodes) => self.controllers = ids(nodes),
            World::Observers(nodes) => self.observers = ids(nodes),
            World::Release(release) => self.release = *release,
            World::Quorum(kind) => self.quorum = *kind,
            World::RandomDelays => self.delays = Delays::Random,
            World::Wire(wire) => self.wire = *wire,
            World::With(quirk) => self.quirks.push((Plant::With, quirk.value.clone())),
            World::Without(quirk) => self.quirks.push((Plant::Without, quirk.value.clone())),
            World::Set { node, key, value } => {
                let node = node.as_ref().map(|node| node.value);
                self.properties.push((node, key.clone(), value.clone()));
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

    /// The release of a process.
    pub fn process_release(&self, named: Option<Release>) -> Release {
        self.forced.or(named).unwrap_or(self.release)
    }

    /// A release's rules with the scenario's quirks.
    pub fn rules(&self, release: Release) -> Rules {
        self.quirks.iter().chain(&self.forced_quirks).fold(
            release.rules(),
            |rules, (plant, quirk)| {
                let planted = match plant {
                    Plant::With => rules.with(quirk),
                    Plant::Without => rules.without(quirk),
                };
                planted.unwrap_or(rules)
            },
        )
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
        for (whose, key, value) in &self.properties {
            if whose.is_none_or(|whose| whose == node) {
                entries.insert(key.clone(), value.clone());
            }
        }
        entries
    }

    /// A node's `server.properties`, read; `span` is where an error in them shows.
    pub fn config(&self, node: NodeId, span: &Span) -> Result<NodeConfig, Problem> {
        let server = ServerConfig::parse(self.properties_of(node)).map_err(|error| {
            Problem::new(
                span.clone(),
                format!("node {node} cannot be configured: {error}"),
            )
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

/// Without `quorum`, the quorum is dynamic if some directory is formatted for one.
fn implied_quorum(scenario: &Scenario) -> QuorumKind {
    let dynamic = scenario.all_statements().into_iter().any(|statement| {
        let Command::Disk(Disk::Format(format)) = &statement.command.value else {
            return false;
        };
        matches!(
            format.voters,
            Some(FormatVoters::Standalone | FormatVoters::InitialControllers)
        )
    });
    if dynamic {
        QuorumKind::Dynamic
    } else {
        QuorumKind::Static
    }
}

fn forced_quirks(options: &Options) -> Vec<(Plant, String)> {
    let with = options
        .with
        .iter()
        .map(|quirk| (Plant::With, quirk.clone()));
    let without = options
        .without
        .iter()
        .map(|quirk| (Plant::Without, quirk.clone()));
    with.chain(without).collect()
}
