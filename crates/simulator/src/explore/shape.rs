use std::fmt;

use config::AutoJoin;
use determinism::Rng;
use records::NodeId;
use releases::{Definitions, Release, Rules};

use super::selection::Selection;
use crate::run::action::{Declaration, DiskAction, Format, FormatVoters, Nodes, QuorumKind};
use crate::run::setting::address;
use crate::run::{Action, Quirks, Spanned};
use crate::scenario::Command;

/// The cluster of a seed: how its nodes learn the voters, and what each runs.
#[derive(Clone, Debug)]
pub(super) struct ClusterShape {
    pub(super) quorum: QuorumKind,
    pub(super) nodes: Vec<(NodeId, Rules)>,
    /// The first so many nodes are voters from the beginning.
    voters: usize,
    /// Lines of every node's server.properties.
    settings: Vec<(&'static str, &'static str)>,
    /// Whether controllers that are no voters add themselves, where the release lets them.
    auto_join: AutoJoin,
    quirks: Quirks,
    seed: u64,
}

/// Small checkpoints, often, and little kept: what takes a day elsewhere takes seconds.
const SMALL_CHECKPOINTS: [(&str, &str); 3] = [
    ("metadata.log.max.record.bytes.between.snapshots", "1000"),
    ("metadata.max.retention.bytes", "4000"),
    ("metadata.max.idle.interval.ms", "200"),
];

/// Small segments, in releases that have a key for tests and in those that have none.
const SMALL_SEGMENTS: (&str, &str) = ("internal.metadata.log.segment.bytes", "3000");
const SMALL_SEGMENTS_OF_OLD: [(&str, &str); 2] = [
    ("metadata.log.segment.min.bytes", "3000"),
    ("metadata.log.segment.bytes", "3000"),
];

impl ClusterShape {
    /// A static or a dynamic quorum of one of these sizes, where nothing else was chosen; each node runs one of
    /// `rules`, and not all the same.
    pub(super) fn drawn(
        seed: u64,
        sizes: &[u64],
        (rules, quirks): (&[Rules], &Quirks),
        chosen: &Selection,
    ) -> Self {
        let mut rng = Rng::from_seed(seed).fork("shape");
        let drawn = if rng.chance(1, 2) {
            QuorumKind::Static
        } else {
            QuorumKind::Dynamic
        };
        let quorum = chosen.quorum.unwrap_or(drawn);
        let drawn = rng.pick(sizes).copied().unwrap_or(3);
        let size = chosen.voters.unwrap_or(drawn);
        let mut shape = Self::of(seed, quorum, size, |_| {
            rng.pick(rules).cloned().expect("some release is explored")
        });
        shape.mix(rules, &mut rng);
        shape.quirks = quirks.clone();
        shape
    }

    /// With several releases, every run mixes at least two of them.
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
        Self::of(seed, quorum, size, |_| rules.clone())
    }

    fn of(
        seed: u64,
        quorum: QuorumKind,
        size: u64,
        mut rules: impl FnMut(NodeId) -> Rules,
    ) -> Self {
        let ids = (1..=size as i32).map(NodeId);
        let nodes = ids.map(|id| (id, rules(id))).collect();
        ClusterShape {
            quorum,
            nodes,
            voters: size as usize,
            settings: Vec::new(),
            auto_join: AutoJoin::Disabled,
            quirks: Quirks::default(),
            seed,
        }
    }

    /// With controllers that are no voters beside the drawn ones, and maybe will be.
    pub(super) fn with_observers(mut self, count: u64, rules: &[Rules]) -> Self {
        let mut rng = Rng::from_seed(self.seed).fork("observers");
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
    ///
    /// `rules` are those of the releases that nodes run, or will run.
    pub(super) fn with_drawn_checkpoints(mut self, rules: &[Rules]) -> Self {
        if Rng::from_seed(self.seed).fork("checkpoints").chance(1, 5) {
            self.settings.extend(SMALL_CHECKPOINTS);
            let knows = |rules: &Rules| {
                let definitions = Definitions::of(rules.release);
                definitions.get(SMALL_SEGMENTS.0).is_some()
            };
            if rules.iter().any(knows) {
                self.settings.push(SMALL_SEGMENTS);
            } else {
                self.settings.extend(SMALL_SEGMENTS_OF_OLD);
            }
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

    /// What the world is made of, and how every node is formatted, as commands.
    pub(super) fn preamble(&self) -> Vec<Command> {
        let made = |ids: &[NodeId]| ids.iter().copied().map(Spanned::made).collect();
        let (voters, observers) = self.members();
        let mut declarations = vec![
            Declaration::Seed(self.seed),
            Declaration::Controllers(made(&voters)),
        ];
        // The configurations are for this release: see `SMALL_SEGMENTS_OF_OLD`.
        declarations.extend(self.oldest_release().map(Declaration::Release));
        if !observers.is_empty() {
            declarations.push(Declaration::Observers(made(&observers)));
        }
        declarations.push(Declaration::Quorum(self.quorum));
        declarations.push(Declaration::RandomDelays);
        declarations.extend(self.quirks.declarations());
        declarations.extend(self.properties());
        let declarations = declarations.into_iter().map(Command::Declaration);
        let flag = match self.quorum {
            QuorumKind::Static => None,
            QuorumKind::Dynamic => Some(FormatVoters::InitialControllers),
        };
        let mut formats = vec![self.format(voters, flag)];
        if !observers.is_empty() {
            formats.push(self.format(observers, Some(FormatVoters::NoInitialControllers)));
        }
        let formats = formats.into_iter().map(DiskAction::Format);
        declarations
            .chain(formats.map(|format| Command::Action(Action::Disk(format))))
            .collect()
    }

    /// Voters from the beginning, and the other controllers.
    fn members(&self) -> (Vec<NodeId>, Vec<NodeId>) {
        let mut voters = self.ids();
        let observers = voters.split_off(self.voters);
        (voters, observers)
    }

    /// Lines of `server.properties`.
    fn properties(&self) -> Vec<Declaration> {
        let set = |node: Option<NodeId>, key: &str, value: String| Declaration::Set {
            node: node.map(Spanned::made),
            key: Spanned::made(key.to_owned()),
            value,
        };
        let settings = self.settings.iter();
        let mut lines: Vec<Declaration> = settings
            .map(|(key, value)| set(None, key, (*value).to_owned()))
            .collect();
        let (_, observers) = self.members();
        // An observer up to 4.1 that lost its leader asks nobody but these: the leader has to be among them.
        let servers: Vec<String> = self.ids().into_iter().map(address).collect();
        for id in &observers {
            let key = "controller.quorum.bootstrap.servers";
            lines.push(set(Some(*id), key, servers.join(",")));
        }
        let joiners = match self.quorum {
            QuorumKind::Static => observers,
            QuorumKind::Dynamic => self.ids(),
        };
        if self.auto_join == AutoJoin::Enabled {
            for id in joiners.into_iter().filter(|id| self.may_join(*id)) {
                let key = "controller.quorum.auto.join.enable";
                lines.push(set(Some(id), key, "true".to_owned()));
            }
        }
        lines
    }

    fn may_join(&self, id: NodeId) -> bool {
        let mut rules = self.nodes.iter().filter(|(one, _)| *one == id);
        rules.any(|(_, rules)| rules.raft.auto_join == releases::raft::AutoJoin::Configurable)
    }

    fn oldest_release(&self) -> Option<Release> {
        let releases = self.nodes.iter().map(|(_, rules)| rules.release);
        releases.min()
    }

    /// How nodes are formatted: by the oldest release's tool, so that everyone understands what it leaves.
    pub(super) fn format(&self, ids: Vec<NodeId>, voters: Option<FormatVoters>) -> Format {
        Format {
            nodes: Nodes::some(ids),
            release: self.oldest_release(),
            voters,
            metadata_version: None,
            features: Vec::new(),
            scram: Vec::new(),
            formatted: None,
        }
    }
}

impl fmt::Display for ClusterShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quorum = self.quorum.name();
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
