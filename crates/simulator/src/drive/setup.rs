use std::collections::BTreeMap;

use records::NodeId;
use releases::Rules;

use crate::run::action::QuorumKind;

/// What a run is set up with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The release that all nodes run.
    pub rules: Rules,
    /// The controllers that are voters from the beginning, ascending.
    pub nodes: Vec<NodeId>,
    /// Controllers that are not.
    pub observers: Vec<NodeId>,
    /// Static or dynamic.
    pub quorum: QuorumKind,
    /// All chance follows from it.
    pub seed: i64,
    /// Lines of every node's configuration.
    pub properties: BTreeMap<String, String>,
    /// Further lines for one node.
    pub node_properties: BTreeMap<NodeId, BTreeMap<String, String>>,
    /// What the first draws of a node are to be.
    pub draws: BTreeMap<NodeId, Vec<i32>>,
    /// `--release-version` of the formatter.
    pub release_version: Option<String>,
    /// `--feature` of the formatter, each `NAME=LEVEL`.
    pub features: Vec<String>,
    pub cluster_id: String,
    /// What the clock shows first, in milliseconds since 1970.
    pub clock_ms: i64,
    /// Whether the nodes are started at once.
    pub start: StartKind,
    /// What listens to the replicas.
    pub listener: ListenerKind,
    /// Whether answers hold what changed.
    pub trace: Trace,
}

/// When nodes come up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartKind {
    /// With the setup.
    AtOnce,
    /// When each is restarted.
    WhenTold,
}

/// What listens to a replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListenerKind {
    /// A quorum controller.
    Controller,
    /// Something that reads what it is told and writes nothing.
    Recorder,
}

/// Whether every answer holds the state of the nodes whose state changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace {
    Changes,
    /// It does not.
    Off,
}

impl Setup {
    /// What Kafka's driver takes for a cluster when nothing else is said.
    pub const CLUSTER_ID: &str = "a3JhZnRzaW0tb3JhY2xlMQ";

    /// A setup with the driver's defaults.
    pub fn new(rules: Rules, nodes: Vec<NodeId>) -> Self {
        Setup {
            rules,
            nodes,
            observers: Vec::new(),
            quorum: QuorumKind::Static,
            seed: 1,
            properties: BTreeMap::new(),
            node_properties: BTreeMap::new(),
            draws: BTreeMap::new(),
            release_version: None,
            features: Vec::new(),
            cluster_id: Self::CLUSTER_ID.to_owned(),
            clock_ms: 1_700_000_000_000,
            start: StartKind::AtOnce,
            listener: ListenerKind::Controller,
            trace: Trace::Off,
        }
    }

    /// Voters and observers, ascending.
    pub fn all_nodes(&self) -> Vec<NodeId> {
        let mut all = [self.nodes.as_slice(), &self.observers].concat();
        all.sort_unstable();
        all.dedup();
        all
    }
}
