use std::fmt;

use determinism::Rng;
use node::NodeConfig;
use raft_log::server_config::ServerConfig;
use records::{NodeId, Uuid};
use releases::Rules;
use storage_tool::{FormatRequest, QuorumFlag, SeededDraws};

use super::selection::Selection;
use crate::SimDisk;
use crate::scenario::run::setting::{CLUSTER_ID, address, properties};
use crate::scenario::verbs::world::QuorumKind;
use crate::world::{EPOCH_MS, World};

/// The cluster of a seed: how its nodes learn the voters, and what each runs.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) quorum: QuorumKind,
    pub(super) nodes: Vec<(NodeId, Rules)>,
    root: Rng,
}

impl Shape {
    /// A static or a dynamic quorum of one of these sizes, where nothing else was chosen; each node runs one of
    /// `rules`, and not all the same.
    pub(super) fn drawn(seed: u64, sizes: &[u64], rules: &[Rules], chosen: &Selection) -> Self {
        let root = Rng::from_seed(seed);
        let mut rng = root.fork("shape");
        let drawn = if rng.chance(1, 2) {
            QuorumKind::Static
        } else {
            QuorumKind::Dynamic
        };
        let quorum = chosen.quorum.unwrap_or(drawn);
        let drawn = rng.pick(sizes).copied().unwrap_or(3);
        let size = chosen.voters.unwrap_or(drawn);
        let mut shape = Self::of(root, quorum, size, |_| {
            rng.pick(rules).cloned().expect("some release is explored")
        });
        shape.mix(rules, &mut rng);
        shape
    }

    /// Where several releases are explored, no run is of one alone.
    fn mix(&mut self, rules: &[Rules], rng: &mut Rng) {
        let Some((_, first)) = self.nodes.first() else {
            return;
        };
        let release = first.release;
        let others: Vec<&Rules> = rules.iter().filter(|one| one.release != release).collect();
        let done =
            self.nodes.len() == 1 || self.nodes.iter().any(|(_, one)| one.release != release);
        if done {
            return;
        }
        if let Some(other) = rng.pick(&others) {
            let at = rng.below(self.nodes.len() as u64) as usize;
            self.nodes[at].1 = (*other).clone();
        }
    }

    /// Without a draw: so many nodes of the same rules.
    pub(super) fn plain(seed: u64, quorum: QuorumKind, size: u64, rules: &Rules) -> Self {
        Self::of(Rng::from_seed(seed), quorum, size, |_| rules.clone())
    }

    fn of(
        root: Rng,
        quorum: QuorumKind,
        size: u64,
        mut rules: impl FnMut(NodeId) -> Rules,
    ) -> Self {
        let ids = (1..=size as i32).map(NodeId);
        let nodes = ids.map(|id| (id, rules(id))).collect();
        Shape {
            quorum,
            nodes,
            root,
        }
    }

    fn ids(&self) -> Vec<NodeId> {
        self.nodes.iter().map(|(id, _)| *id).collect()
    }

    /// The world of this shape: every node configured and formatted, none started.
    ///
    /// The oldest release's tool formats, so that everyone understands what it leaves.
    pub(super) fn world(&self, seed: u64) -> World {
        let mut world = World::new(seed);
        for (id, rules) in &self.nodes {
            world.add(self.config(*id), rules.clone());
            let disk = self.formatted(*id, QuorumFlagOf::First);
            if let Some(own) = world.disk_mut(*id) {
                *own = disk;
            }
        }
        world
    }

    /// What somebody puts there who replaces a lost disk: in a dynamic quorum it is another directory, and no voter.
    pub(super) fn replacement(&self, id: NodeId) -> SimDisk {
        self.formatted(id, QuorumFlagOf::Replacement)
    }

    fn config(&self, id: NodeId) -> NodeConfig {
        let server = ServerConfig::parse(properties(id, &self.ids(), self.quorum))
            .expect("every release takes a controller's plain configuration");
        NodeConfig::new(server)
    }

    fn formatted(&self, id: NodeId, which: QuorumFlagOf) -> SimDisk {
        let oldest = self.nodes.iter().map(|(_, rules)| rules);
        let rules = oldest
            .min_by_key(|rules| rules.release)
            .expect("a quorum has a node");
        let (quorum, stream) = match (self.quorum, which) {
            (QuorumKind::Static, QuorumFlagOf::First) => (QuorumFlag::None, "format"),
            (QuorumKind::Static, QuorumFlagOf::Replacement) => (QuorumFlag::None, "replacement"),
            (QuorumKind::Dynamic, QuorumFlagOf::First) => (
                QuorumFlag::InitialControllers(self.initial_controllers()),
                "format",
            ),
            (QuorumKind::Dynamic, QuorumFlagOf::Replacement) => {
                (QuorumFlag::NoInitialControllers, "replacement")
            }
        };
        let request = FormatRequest {
            quorum,
            ..FormatRequest::new(CLUSTER_ID)
        };
        let mut draws = SeededDraws::new(self.root.fork(&format!("{stream} {id}")), EPOCH_MS);
        let mut disk = SimDisk::new();
        let config = self.config(id);
        let plan = storage_tool::plan(rules, config.server(), &request, &mut disk, &mut draws)
            .expect("every release formats a controller's plain configuration");
        plan.write(&mut disk, &mut draws)
            .expect("a disk without faults takes a format");
        disk.settle();
        disk
    }

    /// `ID@HOST:PORT:DIRECTORY,…`
    fn initial_controllers(&self) -> String {
        let ids = self.ids();
        let each = ids
            .iter()
            .map(|id| format!("{id}@{}:{}", address(*id), self.directory_id(*id)));
        each.collect::<Vec<_>>().join(",")
    }

    fn directory_id(&self, id: NodeId) -> Uuid {
        let mut rng = self.root.fork(&format!("directory {id}"));
        loop {
            if let Some(uuid) = Uuid::generate_from(rng.bytes16()) {
                return uuid;
            }
        }
    }
}

/// For whom a disk is formatted.
#[derive(Clone, Copy, Debug)]
enum QuorumFlagOf {
    First,
    Replacement,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quorum = match self.quorum {
            QuorumKind::Static => "static",
            QuorumKind::Dynamic => "dynamic",
        };
        let releases: Vec<String> = self
            .nodes
            .iter()
            .map(|(_, rules)| rules.release.to_string())
            .collect();
        write!(f, "{quorum} quorum of {}", releases.join(" "))
    }
}
