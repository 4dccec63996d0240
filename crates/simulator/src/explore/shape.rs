use std::fmt;

use config::{AutoJoin, ServerConfig};
use determinism::Rng;
use node::NodeConfig;
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
    /// What the nodes may run.
    pub(super) releases: Vec<Rules>,
    /// The first so many nodes are voters from the beginning.
    voters: usize,
    /// Lines of every node's server.properties.
    settings: Vec<(&'static str, &'static str)>,
    /// Whether controllers that are no voters add themselves, where the release lets them.
    auto_join: AutoJoin,
    root: Rng,
}

/// Small checkpoints, often; small segments, and little kept: what takes a day elsewhere takes seconds.
const SMALL_CHECKPOINTS: [(&str, &str); 4] = [
    ("metadata.log.max.record.bytes.between.snapshots", "1000"),
    ("internal.metadata.log.segment.bytes", "3000"),
    ("metadata.max.retention.bytes", "4000"),
    ("metadata.max.idle.interval.ms", "200"),
];

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
        shape.releases = rules.to_vec();
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
            releases: Vec::new(),
            voters: size as usize,
            settings: Vec::new(),
            auto_join: AutoJoin::Disabled,
            root,
        }
    }

    /// With controllers that are no voters beside the drawn ones, and maybe will be.
    pub(super) fn with_observers(mut self, count: u64, rules: &[Rules]) -> Self {
        let mut rng = self.root.fork("observers");
        let first = self.nodes.len() as i32 + 1;
        for id in (first..first + count as i32).map(NodeId) {
            let own = rng.pick(rules).cloned();
            self.nodes
                .push((id, own.expect("some release is explored")));
        }
        if rng.chance(1, 2) {
            self.auto_join = AutoJoin::Enabled;
        }
        self
    }

    /// With small checkpoints in some seeds, and logs that begin later for it.
    pub(super) fn with_drawn_checkpoints(mut self) -> Self {
        if self.root.fork("checkpoints").chance(1, 5) {
            self.settings.extend(SMALL_CHECKPOINTS);
        }
        self
    }

    /// Whether it is a voter from the beginning.
    pub(super) fn is_first_voter(&self, id: NodeId) -> bool {
        self.ids()[..self.voters].contains(&id)
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
        let all = self.ids();
        let voters = &all[..self.voters];
        let quorum = if voters.contains(&id) {
            self.quorum
        } else {
            QuorumKind::Dynamic
        };
        // An observer up to 4.1 that lost its leader asks nobody but these: the leader has to be among them.
        let known = match quorum {
            QuorumKind::Static => voters,
            QuorumKind::Dynamic => &all,
        };
        let mut lines = properties(id, known, quorum);
        for (key, value) in &self.settings {
            lines.insert((*key).to_owned(), (*value).to_owned());
        }
        let joins = self.auto_join == AutoJoin::Enabled && quorum == QuorumKind::Dynamic;
        if joins && self.may_join(id) {
            let key = "controller.quorum.auto.join.enable";
            lines.insert(key.to_owned(), "true".to_owned());
        }
        let server = ServerConfig::parse(lines)
            .expect("every release takes a controller's plain configuration");
        NodeConfig::new(server)
    }

    fn may_join(&self, id: NodeId) -> bool {
        let mut rules = self.nodes.iter().filter(|(one, _)| *one == id);
        rules.any(|(_, rules)| rules.raft.auto_join == releases::raft::AutoJoin::Configurable)
    }

    fn formatted(&self, id: NodeId, which: QuorumFlagOf) -> SimDisk {
        let oldest = self.nodes.iter().map(|(_, rules)| rules);
        let rules = oldest
            .min_by_key(|rules| rules.release)
            .expect("a quorum has a node");
        let (quorum, stream) = match (self.quorum, which) {
            (_, QuorumFlagOf::First) if id.0 as usize > self.voters => {
                (QuorumFlag::NoInitialControllers, "format")
            }
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
        let each = ids[..self.voters]
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
        write!(
            f,
            "{quorum} quorum of {}",
            releases[..self.voters].join(" ")
        )?;
        if self.voters < releases.len() {
            let others = releases[self.voters..].join(" ");
            write!(f, " with {others} beside it")?;
        }
        if self.auto_join == AutoJoin::Enabled {
            f.write_str(", auto-join")?;
        }
        if !self.settings.is_empty() {
            f.write_str(", small checkpoints")?;
        }
        Ok(())
    }
}
