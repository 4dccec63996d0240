use determinism::{Draws, Rng};
use quorum_controller::Chance;
use records::NodeId;

/// Where a process takes what is random from.
#[derive(Clone, Debug)]
pub struct NodeChance {
    /// Raft's timeouts, and whom it asks first.
    pub raft: Draws,
    /// Where the controller puts replicas, and the ids of topics.
    pub controller: Chance,
    /// The ids of the process and of directories that have none, and how long a registration waits.
    pub process: Rng,
}

impl NodeChance {
    /// Chance from the stream of one process. New topics get the same ids in every process of a node.
    pub fn from_rng(process: Rng, node: NodeId) -> Self {
        NodeChance {
            raft: Draws::from_rng(process.fork("raft")),
            controller: Chance::from_rng(&Rng::from_seed(node.0.unsigned_abs().into())),
            process,
        }
    }
}
