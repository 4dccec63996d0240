//! All rules of one release, with the quirks that are on.

use std::collections::BTreeMap;

use records::feature::FeatureTable;

use crate::{
    BootstrapRules, ConfigRules, ControllerRules, ListenerRules, LoaderRules, QUIRKS, Quirk,
    RaftRules, Release, ReplicationRules, RuleRow, RuleSet, StorageRules, UnknownQuirk,
};

/// What a release does, room by room. Read at the start of a process, and fixed for its life.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The release that these rules belong to.
    pub release: Release,
    /// Metadata versions and features that the release knows.
    pub features: &'static FeatureTable,
    /// How a configuration is read.
    pub config: ConfigRules,
    /// Rules of the storage tool.
    pub storage: StorageRules,
    /// Where bootstrap records come from.
    pub bootstrap: BootstrapRules,
    /// Elections, replication, files of raft.
    pub raft: RaftRules,
    /// Callbacks.
    pub listener: ListenerRules,
    /// The quorum controller.
    pub controller: ControllerRules,
    /// Brokers, topics and partitions.
    pub replication: ReplicationRules,
    /// The metadata loader and the snapshot generator.
    pub loader: LoaderRules,
    quirks: BTreeMap<&'static str, &'static Quirk>,
}

impl Rules {
    /// The rules of a rule set with no quirk on; `release` is the one they will be called by.
    fn plain(release: Release, rule_set: RuleSet) -> Self {
        Rules {
            release,
            features: FeatureTable::of(rule_set.line()),
            config: ConfigRules::of(rule_set),
            storage: StorageRules::of(rule_set),
            bootstrap: BootstrapRules::of(rule_set),
            raft: RaftRules::of(rule_set),
            listener: ListenerRules::of(rule_set),
            controller: ControllerRules::of(rule_set),
            replication: ReplicationRules::of(rule_set),
            loader: LoaderRules::of(rule_set),
            quirks: BTreeMap::new(),
        }
    }

    /// The rules of a release, its own quirks on.
    pub fn of(release: Release) -> Self {
        let own = QUIRKS
            .iter()
            .filter(|quirk| quirk.is_in(release))
            .map(|quirk| (quirk.id, quirk))
            .collect();
        Self::plain(release, release.rule_set()).rebuilt(own)
    }

    fn rebuilt(&self, quirks: BTreeMap<&'static str, &'static Quirk>) -> Self {
        let mut rules = Self::plain(self.release, self.release.rule_set());
        for quirk in quirks.values() {
            (quirk.apply)(&mut rules);
        }
        rules.quirks = quirks;
        rules
    }

    /// The same rules with a quirk planted; nothing if it is on already.
    pub fn with(&self, quirk: &str) -> Result<Self, UnknownQuirk> {
        let quirk = Quirk::named(quirk)?;
        let mut quirks = self.quirks.clone();
        quirks.insert(quirk.id, quirk);
        Ok(self.rebuilt(quirks))
    }

    /// The same rules with a quirk mended; nothing if it is not on.
    pub fn without(&self, quirk: &str) -> Result<Self, UnknownQuirk> {
        let mut quirks = self.quirks.clone();
        quirks.remove(Quirk::named(quirk)?.id);
        Ok(self.rebuilt(quirks))
    }

    /// The quirks that are on, by number.
    pub fn quirks(&self) -> impl Iterator<Item = &'static Quirk> + '_ {
        self.quirks.values().copied()
    }

    /// Every rule with the behaviour in force, room by room.
    pub fn rows(&self) -> Vec<RuleRow> {
        [
            self.config.rows(),
            self.storage.rows(),
            self.bootstrap.rows(),
            self.raft.rows(),
            self.listener.rows(),
            self.controller.rows(),
            self.replication.rows(),
            self.loader.rows(),
        ]
        .concat()
    }
}

impl Release {
    /// The rules of this release, its own quirks on.
    pub fn rules(self) -> Rules {
        Rules::of(self)
    }
}
