//! What `server.properties` says, as far as a controller quorum is concerned: typed, and checked as a server checks it.

mod error;
mod limits;
mod listeners;
mod quorum;
mod settings;
mod validate;
mod values;

use std::collections::BTreeMap;

use records::NodeId;
use records::feature::UnstableFeatureVersions;
use releases::config::{
    ControllerListenerNames, DuplicateRoles, UnadvertisedController, ZooKeeperServer,
};
use releases::{Definitions, Release, Rules};

pub use error::ConfigError;
pub use listeners::Listener;
pub use quorum::HostAndPort;
pub use settings::{AutoJoin, LeaderRebalance, MetadataLogSettings, QuorumSettings, TopicSettings};
pub use values::MOST_ITEMS;

use listeners::Ports;
use values::Values;

/// What a process does in the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProcessRole {
    /// It stores partitions.
    Broker,
    /// It can be a voter of the quorum.
    Controller,
}

/// The part of a `server.properties` that matters to a controller quorum, as one release reads it.
///
/// A configuration without `process.roles` is one of the ZooKeeper days; releases that know them read it, so that a tool
/// can say so, and it has no roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerConfig {
    /// The release that reads it.
    pub release: Release,
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
    /// `controller.quorum.voters`: the static voters in the order of Kafka's map of them; empty in a dynamic quorum.
    pub quorum_voters: Vec<(NodeId, HostAndPort)>,
    /// `controller.quorum.bootstrap.servers`, in that order.
    pub quorum_bootstrap_servers: Vec<HostAndPort>,
    /// Times and sizes of the quorum.
    pub quorum: QuorumSettings,
    /// Segments, snapshots and retention of the metadata log.
    pub metadata_log: MetadataLogSettings,
    /// What a controller decides about topics.
    pub topics: TopicSettings,
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
    Enabled,
}

/// The lines of a configuration by key; the last line of a key counts.
pub(crate) type Entries = BTreeMap<String, String>;

impl ServerConfig {
    /// The address that `controller.quorum.voters` gives a node.
    pub fn quorum_voter(&self, id: NodeId) -> Option<&HostAndPort> {
        let mut voters = self.quorum_voters.iter();
        voters.find_map(|(voter, address)| (*voter == id).then_some(address))
    }

    /// Reads and checks a configuration as a release does that starts or formats with it; `entries` are the keys and
    /// values of the file from top to bottom.
    pub fn parse<K: Into<String>, V: Into<String>>(
        rules: &Rules,
        entries: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Self, ConfigError> {
        let lines: Entries = entries
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        let entries = with_synonyms(&lines);
        let values = Values {
            definitions: Definitions::of(rules.release),
            rules: &rules.config,
            entries: entries.as_ref().unwrap_or(&lines),
        };
        let mut config = Self::read(rules, &values).map_err(|error| error.of_lines(&lines))?;
        validate::validate(&config, rules, &values)?;
        config.lines = lines;
        Ok(config)
    }

    /// The same lines as another release reads them.
    pub fn read_by(&self, rules: &Rules) -> Result<ServerConfig, ConfigError> {
        let lines = self.lines.iter();
        ServerConfig::parse(
            rules,
            lines.map(|(key, value)| (key.as_str(), value.as_str())),
        )
    }

    /// In the order of Kafka's constructor, so that of several errors the same one is named.
    fn read(rules: &Rules, values: &Values) -> Result<Self, ConfigError> {
        values.check()?;
        let process_roles = process_roles(values)?;
        values.check_relations(&["offsets.", "group.", "share."])?;
        let protocols = listeners::protocols(values, &process_roles)?;
        let listeners = listeners::parse(values, "listeners", &protocols, Ports::Distinct)?;
        let listeners = listeners.unwrap_or_default();
        let controller_listener_names = list_of_names(values);
        validate::early_start_listeners(values, &listeners)?;
        validate::rebalance_protocols(values, &process_roles)?;
        let node_id = node_id(values, &process_roles)?;
        limits::log_times(values)?;
        let log_dirs = values.list("log.dirs").or_else(|| values.list("log.dir"));
        let log_dirs = log_dirs.unwrap_or_default();
        let Some(first_log_dir) = log_dirs.first() else {
            return Err(ConfigError::NoLogDirectory);
        };
        let metadata_log_dir = values
            .text("metadata.log.dir")
            .unwrap_or(first_log_dir)
            .to_owned();
        limits::log_cleaner(values)?;
        values.check_relations(&["replica."])?;
        let advertised = listeners::parse(values, "advertised.listeners", &protocols, Ports::Any)?;
        let read = "values that are checked are read";
        Ok(ServerConfig {
            release: rules.release,
            node_id,
            metadata_log_dir,
            log_dirs,
            listeners,
            advertised_listeners: advertised,
            controller_listener_names,
            quorum_voters: quorum::voters(values).expect(read),
            quorum_bootstrap_servers: quorum::bootstrap_servers(values).expect(read),
            quorum: QuorumSettings::read(values),
            metadata_log: MetadataLogSettings::read(values),
            topics: TopicSettings::read(values),
            min_insync_replicas: values.int("min.insync.replicas", 1),
            unstable_feature_versions: values.either(
                "unstable.feature.versions.enable",
                UnstableFeatureVersions::Disabled,
                UnstableFeatureVersions::Enabled,
            ),
            inter_broker_protocol_version: values
                .entries
                .get("inter.broker.protocol.version")
                .cloned(),
            zookeeper_migration: values.either(
                "zookeeper.metadata.migration.enable",
                ZookeeperMigration::Disabled,
                ZookeeperMigration::Enabled,
            ),
            process_roles,
            lines: BTreeMap::new(),
        })
    }

    /// Why a process does not start that formatting does not look at.
    pub fn start_problem(&self) -> Option<String> {
        let log = &self.metadata_log;
        if log.segment_bytes < log.segment_min_bytes {
            let (found, least) = (log.segment_bytes, log.segment_min_bytes);
            return Some(format!(
                "metadata.log.segment.bytes={found} is less than metadata.log.segment.min.bytes={least}"
            ));
        }
        let mut times = self.quorum.times().into_iter();
        if let Some((key, value)) = times.find(|(_, value)| *value < 0) {
            return Some(format!("{key}={value} is negative"));
        }
        let mut ports = self.listeners.iter().map(|listener| listener.port);
        let port = ports.find(|port| u16::try_from(*port).is_err())?;
        Some(format!(
            "listeners holds the port {port}, which does not exist"
        ))
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
        unadvertised: UnadvertisedController,
    ) -> Vec<Listener> {
        let mut effective = Vec::new();
        let advertised = self.advertised_listeners.iter().flatten();
        let advertised: Vec<&Listener> = advertised
            .filter(|listener| self.is_controller_listener(listener))
            .collect();
        for (index, name) in self.controller_listener_names.iter().enumerate() {
            let named = |listener: &&Listener| listener.name.eq_ignore_ascii_case(name);
            if let Some(listener) = advertised.iter().copied().find(named) {
                effective.push(listener.clone());
                continue;
            }
            let Some(listener) = self.controller_listeners().find(named) else {
                continue;
            };
            let own_voter = match unadvertised {
                UnadvertisedController::AtItsVoterAddress
                    if index == 0 && listener.binds_everywhere() =>
                {
                    self.quorum_voter(self.node_id)
                }
                UnadvertisedController::AtItsVoterAddress
                | UnadvertisedController::AtMachineName => None,
            };
            effective.push(match own_voter {
                Some(address) => Listener {
                    host: Some(address.host.clone()),
                    port: i32::from(address.port),
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

/// The lines with each of `node.id` and `broker.id` standing in for the other; `None` where nothing is to be added.
fn with_synonyms(lines: &Entries) -> Option<Entries> {
    let (from, to) = match (lines.get("node.id"), lines.get("broker.id")) {
        (Some(id), None) => (id, "broker.id"),
        (None, Some(id)) => (id, "node.id"),
        _ => return None,
    };
    let mut entries = lines.clone();
    entries.insert(to.to_owned(), from.clone());
    Some(entries)
}

/// `controller.listener.names` in that order.
fn list_of_names(values: &Values) -> Vec<String> {
    const KEY: &str = "controller.listener.names";
    match values.rules.controller_listener_names {
        ControllerListenerNames::List => values.list(KEY).unwrap_or_default(),
        ControllerListenerNames::CutAtCommas => {
            // Java's `split` leaves out empty parts at the end.
            let text = values.text(KEY).unwrap_or("").trim_end_matches(',');
            let cut = text.split(',').filter(|_| !text.is_empty());
            cut.map(str::to_owned).collect()
        }
    }
}

fn process_roles(values: &Values) -> Result<Vec<ProcessRole>, ConfigError> {
    let mut roles = Vec::new();
    for found in values.list("process.roles").unwrap_or_default() {
        let role = match found.as_str() {
            "broker" => ProcessRole::Broker,
            _ => ProcessRole::Controller,
        };
        if roles.contains(&role) {
            match values.rules.duplicate_roles {
                DuplicateRoles::Refused => return Err(ConfigError::DuplicateRole { found }),
                DuplicateRoles::Merged => continue,
            }
        }
        roles.push(role);
    }
    roles.sort_unstable();
    Ok(roles)
}

fn node_id(values: &Values, roles: &[ProcessRole]) -> Result<NodeId, ConfigError> {
    let (node, broker) = (values.int("node.id", -1), values.int("broker.id", -1));
    if node != broker {
        return Err(ConfigError::TwoNodeIds { node, broker });
    }
    match values.rules.zookeeper_server {
        ZooKeeperServer::Known => validate::zookeeper_days(values, roles, node)?,
        ZooKeeperServer::Gone => {}
    }
    Ok(NodeId(node))
}

#[cfg(test)]
mod any_lines_tests;
#[cfg(test)]
mod tests;
