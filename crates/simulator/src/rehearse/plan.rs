use std::collections::BTreeMap;

use determinism::Time;
use node::NodeConfig;
use records::NodeId;
use releases::Release;

use crate::SimDisk;
use crate::run::Quirks;

/// What is to be rehearsed.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The nodes, all of which start in every phase.
    pub nodes: Vec<PlannedNode>,
    /// Who should win the first election, if it can be arranged.
    pub leader: Option<NodeId>,
    /// The phases after the first: which release each node runs then; a node that is not named keeps its last one.
    pub then: Vec<BTreeMap<NodeId, Release>>,
    /// Known bugs that are planted, or mended, in every release.
    pub quirks: Quirks,
    /// Where every draw comes from.
    pub seed: u64,
    /// Simulated time that a phase may take.
    pub phase_limit: Time,
}

/// A node that is to be rehearsed.
#[derive(Clone, Debug)]
pub struct PlannedNode {
    pub config: NodeConfig,
    pub disk: SimDisk,
    /// What it runs in the first phase.
    pub release: Release,
}

impl Plan {
    /// A first start of `nodes`, from seed 1, each phase at most 12 simulated seconds.
    pub fn new(nodes: Vec<PlannedNode>) -> Self {
        Plan {
            nodes,
            leader: None,
            then: Vec::new(),
            quirks: Quirks::default(),
            seed: 1,
            phase_limit: Time::from_secs(12),
        }
    }
}
