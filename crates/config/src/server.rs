//! What `server.properties` says, as far as a controller quorum is concerned: typed, and checked as a server checks it.

mod error;
mod listeners;
mod number;
mod quorum;
mod settings;
mod validate;

use std::collections::BTreeMap;

use records::NodeId;
use records::feature::UnstableFeatureVersions;

pub use error::ConfigError;
pub use listeners::Listener;
pub use quorum::HostAndPort;
pub use settings::{AutoJoin, LeaderRebalance, MetadataLogSettings, QuorumSettings, TopicSettings};

/// What a process does in the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProcessRole {
    /// It stores partitions.
    Broker,
    /// It can be a voter of the quorum.
    Controller,
}

/// The part of a `server.properties` that matters to a controller quorum.
///
/// A configuration without `process.roles` is one of the ZooKeeper days; it is read, so that a tool can say so, and has
/// no roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerConfig {
    /// `process.roles`, in ascending order; empty in a configuration for ZooKeeper.
    pub process_roles: Vec<ProcessRole>,
    /// `node.id`, or `broker.id` in its stead.
    pub node_id: NodeId,
    /// `log.dirs`, else `log.dir`, as written and in that order.
    pub log_dirs: Vec<String>,
    /// `metadata.log.dir`, else the first of the log directories.
    pub metadata_log_dir: String,
    /// `listeners`, in that order.
    pub listeners: Vec<Listener>,
    /// `advertised.listeners`, if there is such a line.
    pub advertised_listeners: Option<Vec<Listener>>,
    /// `controller.listener.names`, in that order; the first is the default one.
    pub controller_listener_names: Vec<String>,
    /// `controller.quorum.voters`: the static voters in its order; empty in a dynamic quorum.
    pub quorum_voters: Vec<(NodeId, HostAndPort)>,
    /// `controller.quorum.bootstrap.servers`, in that order.
    pub quorum_bootstrap_servers: Vec<HostAndPort>,
    /// Times and sizes of the quorum.
    pub quorum: QuorumSettings,
    /// Segments, snapshots and retention of the metadata log.
    pub metadata_log: MetadataLogSettings,
    /// What a controller decides about topics.
    pub topics: TopicSettings,
    /// `min.insync.replicas`.
    pub min_insync_replicas: i32,
    /// `unstable.feature.versions.enable`.
    pub unstable_feature_versions: UnstableFeatureVersions,
    /// `inter.broker.protocol.version`, if there is such a line; 3.9 alone heeds it.
    pub inter_broker_protocol_version: Option<String>,
    /// `zookeeper.metadata.migration.enable`; 3.9 alone heeds it.
    pub zookeeper_migration: ZookeeperMigration,
    /// All lines, as written; what topics are configured with by default is among them.
    pub lines: BTreeMap<String, String>,
}

/// Whether the controllers are to take over a cluster from ZooKeeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZookeeperMigration {
    /// They are not.
    Disabled,
    /// They are.
    Enabled,
}

/// Where a controller is reached that listens on every address and advertises none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unadvertised {
    /// Under the address that `controller.quorum.voters` gives it, for its first controller listener; else under the
    /// machine's own name.
    AtItsVoterAddress,
    /// Under the machine's own name.
    AtMachineName,
}

/// The lines of a configuration by key; the last line of a key counts.
pub(crate) type Entries = BTreeMap<String, String>;

impl ServerConfig {
    /// The address that `controller.quorum.voters` gives a node.
    pub fn quorum_voter(&self, id: NodeId) -> Option<&HostAndPort> {
        let mut voters = self.quorum_voters.iter();
        voters.find_map(|(voter, address)| (*voter == id).then_some(address))
    }

    /// Reads and checks a configuration; `entries` are the keys and values of the file from top to bottom.
    pub fn parse<K: Into<String>, V: Into<String>>(
        entries: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Self, ConfigError> {
        let entries: Entries = entries
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        let config = Self::read(&entries)?;
        validate::validate(&config, &entries)?;
        Ok(config)
    }

    fn read(entries: &Entries) -> Result<Self, ConfigError> {
        let process_roles = process_roles(entries)?;
        let controller_listener_names = list(entries, "controller.listener.names");
        let protocols =
            listeners::protocol_map(entries, &process_roles, &controller_listener_names)?;
        let log_dirs = log_dirs(entries)?;
        let metadata_log_dir = match entries.get("metadata.log.dir") {
            Some(dir) => dir.trim().to_owned(),
            None => log_dirs[0].clone(),
        };
        let advertised_listeners = match entries.get("advertised.listeners") {
            Some(_) => Some(listeners::parse(
                entries,
                "advertised.listeners",
                &protocols,
            )?),
            None => None,
        };
        Ok(ServerConfig {
            node_id: node_id(entries, &process_roles)?,
            log_dirs,
            metadata_log_dir,
            listeners: listeners::parse(entries, "listeners", &protocols)?,
            advertised_listeners,
            controller_listener_names,
            quorum_voters: quorum::voters(entries)?,
            quorum_bootstrap_servers: quorum::bootstrap_servers(entries)?,
            quorum: QuorumSettings::read(entries)?,
            metadata_log: MetadataLogSettings::read(entries)?,
            topics: TopicSettings::read(entries)?,
            min_insync_replicas: number::int(entries, "min.insync.replicas", 1, 1)?,
            unstable_feature_versions: match number::flag(
                entries,
                "unstable.feature.versions.enable",
            )? {
                number::Flag::Off => UnstableFeatureVersions::Disabled,
                number::Flag::On => UnstableFeatureVersions::Enabled,
            },
            inter_broker_protocol_version: entries.get("inter.broker.protocol.version").cloned(),
            zookeeper_migration: match number::flag(entries, "zookeeper.metadata.migration.enable")?
            {
                number::Flag::Off => ZookeeperMigration::Disabled,
                number::Flag::On => ZookeeperMigration::Enabled,
            },
            process_roles,
            lines: entries.clone(),
        })
    }

    /// Whether `role` is one of the process's roles.
    pub fn has_role(&self, role: ProcessRole) -> bool {
        self.process_roles.contains(&role)
    }

    /// Every directory the process uses: the log directories and the metadata directory, ascending, each once.
    pub fn all_directories(&self) -> Vec<String> {
        let mut directories = self.log_dirs.clone();
        directories.push(self.metadata_log_dir.clone());
        directories.sort();
        directories.dedup();
        directories
    }

    /// The listeners under which other nodes reach this controller, in the order of `controller.listener.names`: the
    /// advertised one; else, if it listens on every address, what `unadvertised` says; else the listener itself. A
    /// missing host means that the machine's own name is looked up.
    pub fn effective_advertised_controller_listeners(
        &self,
        unadvertised: Unadvertised,
    ) -> Vec<Listener> {
        let mut effective = Vec::new();
        for (index, name) in self.controller_listener_names.iter().enumerate() {
            let named = |listener: &&Listener| listener.name.eq_ignore_ascii_case(name);
            let advertised = self
                .advertised_listeners
                .iter()
                .flatten()
                .filter(|l| self.is_controller_listener(l));
            if let Some(listener) = advertised.into_iter().find(named) {
                effective.push(listener.clone());
                continue;
            }
            let Some(listener) = self.controller_listeners().find(named) else {
                continue;
            };
            let own_voter = match unadvertised {
                Unadvertised::AtItsVoterAddress if index == 0 && listener.binds_everywhere() => {
                    self.quorum_voter(self.node_id)
                }
                Unadvertised::AtItsVoterAddress | Unadvertised::AtMachineName => None,
            };
            effective.push(match own_voter {
                Some(address) => Listener {
                    host: Some(address.host.clone()),
                    port: address.port,
                    ..listener.clone()
                },
                None if listener.binds_everywhere() => Listener {
                    host: None,
                    ..listener.clone()
                },
                None => listener.clone(),
            });
        }
        effective
    }

    /// The listeners for controllers among `listeners`.
    pub fn controller_listeners(&self) -> impl Iterator<Item = &Listener> {
        self.listeners
            .iter()
            .filter(|listener| self.is_controller_listener(listener))
    }

    fn is_controller_listener(&self, listener: &Listener) -> bool {
        self.controller_listener_names.contains(&listener.name)
    }
}

/// A comma separated list; blank text is the empty list, blank items are kept out.
pub(crate) fn list(entries: &Entries, key: &str) -> Vec<String> {
    let text = entries.get(key).map_or("", |value| value.trim());
    text.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .map(str::to_owned)
        .collect()
}

fn process_roles(entries: &Entries) -> Result<Vec<ProcessRole>, ConfigError> {
    let mut roles = Vec::new();
    for role in list(entries, "process.roles") {
        roles.push(match role.as_str() {
            "broker" => ProcessRole::Broker,
            "controller" => ProcessRole::Controller,
            _ => return Err(ConfigError::UnknownRole { found: role }),
        });
    }
    roles.sort_unstable();
    roles.dedup();
    Ok(roles)
}

fn node_id(entries: &Entries, roles: &[ProcessRole]) -> Result<NodeId, ConfigError> {
    let read = |key: &'static str| {
        let found = entries.get(key);
        found
            .map(|_| number::int(entries, key, -1, i32::MIN))
            .transpose()
    };
    let (node, broker) = (read("node.id")?, read("broker.id")?);
    if let (Some(node), Some(broker)) = (node, broker)
        && node != broker
    {
        return Err(ConfigError::TwoNodeIds { node, broker });
    }
    match node.or(broker) {
        Some(id) if id < 0 && !roles.is_empty() => Err(ConfigError::Missing { key: "node.id" }),
        None if !roles.is_empty() => Err(ConfigError::Missing { key: "node.id" }),
        id => Ok(NodeId(id.unwrap_or(-1))),
    }
}

fn log_dirs(entries: &Entries) -> Result<Vec<String>, ConfigError> {
    let dirs = if entries.contains_key("log.dirs") {
        list(entries, "log.dirs")
    } else {
        list(entries, "log.dir")
    };
    match (
        dirs.is_empty(),
        entries.contains_key("log.dirs") || entries.contains_key("log.dir"),
    ) {
        (false, _) => Ok(dirs),
        (true, false) => Ok(vec!["/tmp/kafka-logs".to_owned()]),
        (true, true) => Err(ConfigError::NoLogDirectory),
    }
}

#[cfg(test)]
mod tests;
