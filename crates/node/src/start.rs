use std::sync::Arc;

use config::{MetadataLogSettings, ProcessRole};
use determinism::{Rng, Time};
use disk::{Disk, DiskError, path};
use image::{FaultPolicy, Loader, LoaderConfig};
use listener::{ListenerId, ReadMode};
use quorum_controller::{
    BootstrapMetadata, BootstrapRefusal, Controller, ControllerConfig, LegacyBootstrap,
    RegistrationConfig, RegistrationManager,
};
use raft::{RaftConfig, RaftFault, Replica};
use raft_log::file::read_if_exists;
use raft_log::legacy;
use raft_log::log::{LogConfig, METADATA_LOG_DIR_NAME};
use records::Uuid;
use records::control::ControlRecord;
use releases::Rules;
use releases::bootstrap::LegacyControlRecords;

use crate::config::{UNNAMED_HOST, port_of};
use crate::directories::{self, DirectoryRefusal};
use crate::metadata::Metadata;
use crate::parts::{Listeners, Parts};
use crate::registrar::Registrar;
use crate::snapshots::Snapshots;
use crate::{Node, NodeChance, NodeConfig};

/// What a process is started with.
#[derive(Clone, Debug)]
pub struct NodeStart {
    pub config: Arc<NodeConfig>,
    /// The rules of the release it runs.
    pub rules: Arc<Rules>,
    /// What it is made of.
    pub parts: Parts,
    /// Where it takes what is random from.
    pub chance: NodeChance,
    /// What the wall clock shows at the time zero of the run.
    pub wall_clock: raft::WallClock,
}

/// Why a process did not come up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartError {
    /// It died at a disk operation.
    Crashed,
    Refused(StartRefusal),
    /// It met an endless loop: the words say which.
    Hangs(String),
}

/// What Kafka would not start on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartRefusal {
    /// The configuration asks for something else.
    #[error("{0}")]
    Config(String),
    /// The directories are not this node's, or not formatted.
    #[error(transparent)]
    Directories(#[from] DirectoryRefusal),
    /// `bootstrap.checkpoint` cannot be read.
    #[error("cannot read {path}: {reason}")]
    LegacyFile {
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// The bootstrap records are not for this release.
    #[error(transparent)]
    Bootstrap(#[from] BootstrapRefusal),
    /// The metadata log, its checkpoints or the quorum state cannot be opened.
    #[error("cannot open the metadata log: {0}")]
    Raft(#[source] RaftFault),
    /// The file system refused.
    #[error(transparent)]
    Disk(DiskError),
}

impl From<StartRefusal> for StartError {
    fn from(refusal: StartRefusal) -> Self {
        StartError::Refused(refusal)
    }
}

impl From<DiskError> for StartError {
    fn from(error: DiskError) -> Self {
        match error {
            DiskError::Crash => StartError::Crashed,
            other => StartError::Refused(StartRefusal::Disk(other)),
        }
    }
}

impl From<directories::DirectoriesError> for StartError {
    fn from(error: directories::DirectoriesError) -> Self {
        match error {
            directories::DirectoriesError::Refused(refusal) => {
                StartRefusal::Directories(refusal).into()
            }
            directories::DirectoriesError::Disk(error) => error.into(),
        }
    }
}

impl Node {
    /// Brings a process up on a disk, in the order of Kafka: directories, bootstrap records, raft, loader, controller.
    ///
    /// Source: `4.4:core/…/server/KafkaRaftServer.scala`, `SharedServer.scala`, `ControllerServer.scala`.
    pub fn start(start: NodeStart, now: Time, disk: &mut impl Disk) -> Result<Node, StartError> {
        let NodeStart {
            config,
            rules,
            parts,
            chance,
            wall_clock,
        } = start;
        let rng = chance.process;
        let config = read_by_release(config, &rules)?;
        let server = config.server();
        if let Some(problem) = server.start_problem() {
            return Err(StartRefusal::Config(problem).into());
        }
        if !server.has_role(ProcessRole::Controller) {
            return Err(StartRefusal::Config(
                "process.roles does not contain controller".to_owned(),
            )
            .into());
        }
        let date = config::java_date(wall_clock.millis(now));
        let found = directories::open(server, &date, rng.fork("directory ids"), disk)?;
        let bootstrap = bootstrap_metadata(&config, &rules, disk)?;
        let partition_dir = path::join(&server.metadata_log_dir, METADATA_LOG_DIR_NAME);
        disk.create_dir_all(&partition_dir)?;
        let raft_config = RaftConfig {
            clock: wall_clock,
            cluster_id: found.cluster_id.as_str().into(),
            ..raft_config(&config, found.metadata_directory_id, &partition_dir)
        };
        let replica = Replica::open(raft_config, &rules, now, chance.raft, disk);
        let mut replica = replica.map_err(|error| match error {
            RaftFault::Disk(error) => StartError::from(error),
            endless @ RaftFault::EndlessRead { .. } => StartError::Hangs(endless.to_string()),
            other => StartRefusal::Raft(other).into(),
        })?;
        let metadata = match parts {
            Parts::Server => {
                let listener = replica.register(ReadMode::Later);
                Some(metadata(&config, &rules, &rng, listener, now))
            }
            Parts::Controller { .. } | Parts::Recorder => None,
        };
        let controller = match parts {
            Parts::Server | Parts::Controller { .. } => {
                let listener = replica.register(ReadMode::Later);
                let config = ControllerConfig {
                    background_work: parts.background_work(),
                    fatal_faults: parts.fatal_faults(),
                    ..controller_config(&config, listener)
                };
                let controller = Controller::new(config, (*rules).clone(), bootstrap);
                Some(controller.with_chance(chance.controller))
            }
            Parts::Recorder => {
                replica.register(ReadMode::AtOnce);
                None
            }
        };
        let listeners = Listeners {
            metadata,
            controller,
        };
        Ok(Node::new(config, rules, replica, parts, listeners))
    }
}

fn metadata(
    config: &NodeConfig,
    rules: &Rules,
    rng: &Rng,
    listener: ListenerId,
    now: Time,
) -> Metadata {
    let loader = LoaderConfig {
        listener,
        fault_policy: FaultPolicy::EndsProcess,
    };
    let mut loader = Loader::new(loader, rules);
    loader.install_publishers(now);
    let incarnation = new_incarnation(rng.fork("incarnation"));
    let registration = registration_config(config, rules, incarnation);
    let manager = RegistrationManager::new(registration, rules, rng.fork("registration"));
    Metadata {
        loader,
        registrar: Registrar::new(manager, now),
        snapshots: Snapshots::new(now, &config.server().metadata_log, rules),
    }
}

/// The configuration as the release reads it that is about to start.
fn read_by_release(
    config: Arc<NodeConfig>,
    rules: &Rules,
) -> Result<Arc<NodeConfig>, StartRefusal> {
    if config.server().release == rules.release {
        return Ok(config);
    }
    let config = config.read_by(rules);
    let config = config.map_err(|error| StartRefusal::Config(error.to_string()))?;
    Ok(Arc::new(config))
}

/// The bootstrap records that a process comes up with, as its release reads them.
pub fn bootstrap_metadata(
    config: &NodeConfig,
    rules: &Rules,
    disk: &mut impl Disk,
) -> Result<BootstrapMetadata, StartError> {
    let server = config.server();
    let path = path::join(&server.metadata_log_dir, legacy::FILE_NAME);
    let unreadable = |reason: String| StartRefusal::LegacyFile {
        path: path.clone(),
        reason,
    };
    let legacy = match read_if_exists(disk, &path)? {
        None => None,
        Some(bytes) => {
            let file = legacy::LegacyFile::parse(&path, &bytes)
                .map_err(|corrupt| unreadable(corrupt.to_string()))?;
            if let Some(record) = file
                .control_records()
                .find(|record| !is_accepted(record, rules))
            {
                return Err(unreadable(format!(
                    "it holds a control record {}",
                    record.type_name()
                ))
                .into());
            }
            Some(LegacyBootstrap {
                records: file.records().cloned().collect(),
                path: path.clone(),
            })
        }
    };
    let configured = server.inter_broker_protocol_version.as_deref();
    Ok(BootstrapMetadata::at_start(rules, legacy, configured).map_err(StartRefusal::Bootstrap)?)
}

fn is_accepted(record: &ControlRecord, rules: &Rules) -> bool {
    match (rules.bootstrap.legacy_control_records, record) {
        (LegacyControlRecords::AlsoVoters, _) => true,
        (LegacyControlRecords::WithoutVoters, record) => !matches!(
            record,
            ControlRecord::KRaftVersion(_) | ControlRecord::KRaftVoters(_)
        ),
    }
}

/// What raft is told of a node's configuration; its clock and its cluster are the caller's to set.
pub fn raft_config(config: &NodeConfig, directory_id: Uuid, partition_dir: &str) -> RaftConfig {
    let server = config.server();
    let address = |at: &config::HostAndPort| raft::Address::new(&at.host, at.port);
    let quorum = &server.quorum;
    let voters = server.quorum_voters.iter();
    RaftConfig {
        static_voters: voters.map(|(id, at)| (*id, address(at))).collect(),
        bootstrap_servers: server
            .quorum_bootstrap_servers
            .iter()
            .map(address)
            .collect(),
        listener_name: config.controller_listener(),
        local_listeners: config.endpoints().clone(),
        auto_join: match quorum.auto_join {
            config::AutoJoin::Disabled => raft::AutoJoinSetting::Disabled,
            config::AutoJoin::Enabled => raft::AutoJoinSetting::Enabled,
        },
        election_timeout_ms: quorum.election_timeout_ms,
        election_backoff_max_ms: quorum.election_backoff_max_ms,
        fetch_timeout_ms: quorum.fetch_timeout_ms,
        request_timeout_ms: quorum.request_timeout_ms,
        retry_backoff_ms: quorum.retry_backoff_ms,
        append_linger_ms: quorum.append_linger_ms,
        fetch_max_bytes: quorum.fetch_max_bytes,
        fetch_snapshot_max_bytes: quorum.fetch_snapshot_max_bytes,
        log: log_config(&server.metadata_log),
        ..RaftConfig::defaults(server.node_id, directory_id, partition_dir)
    }
}

fn log_config(settings: &MetadataLogSettings) -> LogConfig {
    LogConfig {
        segment_bytes: u64::from(settings.segment_bytes.unsigned_abs()),
        segment_ms: settings.segment_ms,
        retention_bytes: settings.max_retention_bytes,
        retention_ms: settings.max_retention_ms,
        ..LogConfig::default()
    }
}

/// What the quorum controller is told of a node's configuration.
pub fn controller_config(config: &NodeConfig, listener: ListenerId) -> ControllerConfig {
    let server = config.server();
    let voters = server.quorum_voters.iter().map(|(id, _)| *id).collect();
    let idle = server.metadata_log.max_idle_interval_ms;
    ControllerConfig {
        max_idle_interval: (idle > 0).then(|| Time::from_millis(idle.unsigned_abs().into())),
        min_insync_replicas: server.min_insync_replicas.unsigned_abs(),
        unstable_feature_versions: config.server().unstable_feature_versions,
        zk_migration: match server.zookeeper_migration {
            config::ZookeeperMigration::Disabled => quorum_controller::ZkMigrationConfig::Disabled,
            config::ZookeeperMigration::Enabled => quorum_controller::ZkMigrationConfig::Enabled,
        },
        session_timeout: Time::from_millis(
            server
                .quorum
                .broker_session_timeout_ms
                .max(0)
                .unsigned_abs()
                .into(),
        ),
        leader_imbalance_check_interval: match server.topics.auto_leader_rebalance {
            config::LeaderRebalance::Disabled => None,
            config::LeaderRebalance::Enabled => {
                let seconds = server.topics.leader_imbalance_check_interval_seconds;
                Some(Time::from_millis(
                    seconds.unsigned_abs().saturating_mul(1000),
                ))
            }
        },
        default_replication_factor: server.topics.default_replication_factor,
        default_partitions: server.topics.num_partitions,
        static_config: server.lines.clone(),
        ..ControllerConfig::new(server.node_id, listener, voters)
    }
}

fn registration_config(
    config: &NodeConfig,
    rules: &Rules,
    incarnation_id: Uuid,
) -> RegistrationConfig {
    let unadvertised = rules.config.unadvertised_controller;
    let listeners = config
        .server()
        .effective_advertised_controller_listeners(unadvertised);
    RegistrationConfig {
        node_id: config.node_id(),
        incarnation_id,
        endpoints: listeners
            .into_iter()
            .map(|listener| quorum_controller::Endpoint {
                port: port_of(&listener),
                security_protocol: security_protocol_id(listener.security_protocol),
                host: listener.host.unwrap_or_else(|| UNNAMED_HOST.to_owned()),
                name: listener.name,
            })
            .collect(),
        unstable_feature_versions: config.server().unstable_feature_versions,
        zk_migration_ready: false,
    }
}

/// 4.4:clients/…/common/security/auth/SecurityProtocol.java
fn security_protocol_id(name: &str) -> i16 {
    match name {
        "SSL" => 1,
        "SASL_PLAINTEXT" => 2,
        "SASL_SSL" => 3,
        _ => 0,
    }
}

fn new_incarnation(mut rng: Rng) -> Uuid {
    loop {
        if let Some(id) = Uuid::generate_from(rng.bytes16()) {
            return id;
        }
    }
}

#[cfg(test)]
mod tests {
    use config::ServerConfig;
    use releases::Release;

    use super::*;

    /// KAFKA-20380: a voter that listens on every address registers under the address that the static voters give it, or
    /// under its machine's own name.
    #[test]
    fn kafka_20380_where_a_voter_registers() {
        let server = ServerConfig::parse(
            &Release::V4_4_0.rules(),
            [
                ("process.roles", "controller"),
                ("node.id", "1"),
                ("listeners", "CONTROLLER://:9093"),
                ("controller.listener.names", "CONTROLLER"),
                ("controller.quorum.voters", "1@first:9093,2@second:9093"),
                ("log.dirs", "/data"),
            ],
        );
        let config = NodeConfig::new(server.expect("a configuration"));
        for (release, host) in [(Release::V4_2_0, UNNAMED_HOST), (Release::V4_2_1, "first")] {
            let registered = registration_config(&config, &release.rules(), Uuid::ZERO);
            assert_eq!(registered.endpoints[0].host, host, "{release}");
        }
    }
}
