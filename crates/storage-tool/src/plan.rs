//! What a call would write, decided before anything is written.

use config::meta_properties::{self, MetaProperties};
use config::{ProcessRole, ServerConfig};
use determinism::java::{HashTable, hash_string};
use disk::{Disk, path};
use raft_log::batch::{BATCH_OVERHEAD, BatchBuilder, MAX_BATCH_SIZE_BYTES};
use raft_log::checkpoint::{BOOTSTRAP_SNAPSHOT_ID, snapshot_file_name};
use raft_log::legacy;
use raft_log::log::METADATA_LOG_DIR_NAME;
use records::feature::{Capability, KRAFT_VERSION, METADATA_VERSION, MetadataVersionInfo};
use records::metadata::VersionedRecord;
use records::{NodeId, Uuid};
use releases::Rules;
use releases::storage::{BootstrapFile, StaticVotersWithDynamicFlag};

use crate::dynamic_voters::DynamicVoters;
use crate::existing::Existing;
use crate::scram::ScramArgument;
use crate::voters_record::voters_record;
use crate::{
    AlreadyFormatted, Draws, FormatError, FormatRequest, QuorumFlag, Refusal, bootstrap_records,
    levels, version,
};

/// What a directory is to the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DirectoryKind {
    Data,
    /// The metadata log of a node that knows no voters but the configured ones.
    Metadata,
    /// The metadata log of a voter of a dynamic quorum.
    DynamicVoter,
    /// The metadata log of a node that is not among the voters it was told of.
    DynamicNonVoter,
}

impl DirectoryKind {
    /// `data directory`, …
    pub fn name(self) -> &'static str {
        match self {
            DirectoryKind::Data => "data directory",
            DirectoryKind::Metadata => "metadata directory",
            DirectoryKind::DynamicVoter => "dynamic metadata voter directory",
            DirectoryKind::DynamicNonVoter => "dynamic metadata directory",
        }
    }
}

/// One directory about to be formatted.
#[derive(Clone, Debug)]
pub struct PlannedDirectory {
    /// Its path as configured.
    pub path: String,
    /// What it is to the node.
    pub kind: DirectoryKind,
    /// What its `meta.properties` will say.
    pub meta: MetaProperties,
}

/// Everything that one call is about to write.
#[derive(Clone, Debug)]
pub struct FormatPlan {
    /// The metadata.version that the cluster starts with.
    pub version: &'static MetadataVersionInfo,
    /// The records that the cluster starts with.
    pub bootstrap_records: Vec<VersionedRecord>,
    /// The directories, in the order in which they are written; none if all are formatted already.
    pub directories: Vec<PlannedDirectory>,
    /// Directories whose `meta.properties` cannot be read, each with the reason; they are left alone.
    pub unreadable: Vec<(String, String)>,
    pub(crate) kraft_version: i16,
    pub(crate) voters: Option<records::control::VotersRecord>,
    pub(crate) bootstrap_file: BootstrapFile,
    pub(crate) is_controller: bool,
}

impl FormatPlan {
    /// The files that are written into one of the directories, by their names within it and in that order.
    pub fn files_of(&self, directory: &str) -> Vec<String> {
        let directory = self
            .directories
            .iter()
            .find(|planned| planned.path == directory);
        directory.map_or_else(Vec::new, |directory| {
            let mut files = Vec::new();
            if self.writes_legacy_file() {
                files.push(legacy::FILE_NAME.to_owned());
            }
            if self.writes_zero_checkpoint(directory) {
                let name = snapshot_file_name(BOOTSTRAP_SNAPSHOT_ID);
                files.push(path::join(METADATA_LOG_DIR_NAME, &name));
            }
            files.push(meta_properties::FILE_NAME.to_owned());
            files
        })
    }

    /// Whether the bootstrap records go into the legacy file.
    pub(crate) fn writes_legacy_file(&self) -> bool {
        match self.bootstrap_file {
            BootstrapFile::LegacyFile => true,
            BootstrapFile::ZeroCheckpoint | BootstrapFile::ZeroCheckpointAndLegacyDeleted => false,
        }
    }

    /// Whether a directory gets a zero checkpoint.
    pub(crate) fn writes_zero_checkpoint(&self, directory: &PlannedDirectory) -> bool {
        let is_metadata = directory.kind != DirectoryKind::Data;
        match self.bootstrap_file {
            BootstrapFile::LegacyFile => is_metadata && self.voters.is_some(),
            BootstrapFile::ZeroCheckpoint | BootstrapFile::ZeroCheckpointAndLegacyDeleted => {
                is_metadata && self.is_controller
            }
        }
    }
}

/// Judges a request, and decides what to write, with the ids that are drawn for it. Nothing is written.
pub fn plan(
    rules: &Rules,
    config: &ServerConfig,
    request: &FormatRequest,
    disk: &mut impl Disk,
    draws: &mut impl Draws,
) -> Result<FormatPlan, FormatError> {
    if config.process_roles.is_empty() {
        return Err(Refusal::NoRoles.into());
    }
    if config.metadata_log_dir.is_empty() {
        return Err(Refusal::NoMetadataDirectory.into());
    }
    // In Kafka's order, so that of several mistakes the same one is named.
    let named = version::by_name(rules, config, request.release_version.as_deref())?;
    let requested = levels::requested(&request.features)?;
    let voters = voters(rules, config, &request.quorum, draws)?;
    let level = requested.get(METADATA_VERSION).copied();
    let version = version::choose(rules, config, named, level)?;
    let levels = levels::effective(rules, config, &request.quorum, version, &requested)?;
    version::check_bootstrap(rules, version)?;
    let mut bootstrap_records = bootstrap_records::of_levels(&levels);
    bootstrap_records.extend(credentials(rules, version, &request.scram, draws)?);
    let is_controller = config.has_role(ProcessRole::Controller);
    check_size(rules, is_controller, &bootstrap_records)?;
    let existing = Existing::read(config, disk)?;
    existing.check(&request.cluster_id, config.node_id)?;
    if let (AlreadyFormatted::Refused, Some(directory)) =
        (request.already_formatted, existing.first_formatted())
    {
        return Err(Refusal::AlreadyFormatted {
            directory: directory.to_owned(),
        }
        .into());
    }
    existing.check_usable()?;
    let directories = directories(config, request, &existing, voters.as_ref(), draws);
    let listener_name = &config.controller_listener_names[0];
    Ok(FormatPlan {
        version,
        bootstrap_records,
        directories,
        unreadable: existing.unreadable,
        kraft_version: levels[KRAFT_VERSION],
        voters: voters.map(|voters| voters_record(&voters, listener_name)),
        bootstrap_file: rules.storage.bootstrap_file,
        is_controller,
    })
}

/// Records that are appended to a checkpoint together must fit into one batch; in the legacy file each must.
fn check_size(
    rules: &Rules,
    is_controller: bool,
    records: &[VersionedRecord],
) -> Result<(), Refusal> {
    let mut sizes = Vec::new();
    for record in records {
        let length = record
            .encoded_len()
            .expect("feature levels and credentials have a version 0");
        sizes.push(BatchBuilder::record_size(sizes.len() as i32, length));
    }
    let together: usize = match rules.storage.bootstrap_file {
        BootstrapFile::LegacyFile => sizes.into_iter().max().unwrap_or(0),
        BootstrapFile::ZeroCheckpoint | BootstrapFile::ZeroCheckpointAndLegacyDeleted
            if is_controller =>
        {
            sizes.into_iter().sum()
        }
        BootstrapFile::ZeroCheckpoint | BootstrapFile::ZeroCheckpointAndLegacyDeleted => 0,
    };
    let found = BATCH_OVERHEAD + together;
    if found > MAX_BATCH_SIZE_BYTES {
        return Err(Refusal::BatchTooLarge {
            found,
            limit: MAX_BATCH_SIZE_BYTES,
        });
    }
    Ok(())
}

fn voters(
    rules: &Rules,
    config: &ServerConfig,
    quorum: &QuorumFlag,
    draws: &mut impl Draws,
) -> Result<Option<DynamicVoters>, Refusal> {
    let flag = match quorum {
        QuorumFlag::Standalone => Some("--standalone"),
        QuorumFlag::InitialControllers(_) => Some("--initial-controllers"),
        QuorumFlag::None | QuorumFlag::NoInitialControllers => None,
    };
    let is_static = !config.quorum_voters.is_empty();
    if let (true, Some(flag)) = (is_static, flag) {
        match rules.storage.static_voters_with_dynamic_flag {
            StaticVotersWithDynamicFlag::Refused => return Err(Refusal::StaticVoters { flag }),
            StaticVotersWithDynamicFlag::Accepted => {}
        }
    }
    let is_controller = config.has_role(ProcessRole::Controller);
    match quorum {
        QuorumFlag::InitialControllers(list) => Ok(Some(list.parse()?)),
        QuorumFlag::Standalone if is_controller => Ok(Some(own_voter(rules, config, draws)?)),
        QuorumFlag::Standalone => Err(Refusal::StandaloneBroker),
        QuorumFlag::None if is_controller && !is_static => Err(Refusal::NoQuorumFlag),
        QuorumFlag::None | QuorumFlag::NoInitialControllers => Ok(None),
    }
}

/// This node as the only voter, reached where its first controller listener is advertised.
fn own_voter(
    rules: &Rules,
    config: &ServerConfig,
    draws: &mut impl Draws,
) -> Result<DynamicVoters, Refusal> {
    let listeners =
        config.effective_advertised_controller_listeners(rules.config.unadvertised_controller);
    let listener = listeners
        .first()
        .expect("a checked controller configuration has a controller listener");
    let host = listener.host.as_deref().unwrap_or("localhost");
    let id = draws.directory_id(&config.metadata_log_dir);
    // Kafka writes the voter down as text, without brackets around an address, and reads it again.
    let text = format!("{}@{host}:{}:{id}", config.node_id, listener.port);
    text.parse().map_err(|_| Refusal::StandaloneAddress {
        host: host.to_owned(),
        port: listener.port,
    })
}

fn credentials(
    rules: &Rules,
    version: &MetadataVersionInfo,
    arguments: &[String],
    draws: &mut impl Draws,
) -> Result<Vec<VersionedRecord>, Refusal> {
    if !arguments.is_empty() && !rules.features.supports(version.version, Capability::Scram) {
        return Err(Refusal::ScramTooOld {
            found: version.name,
        });
    }
    let mut records = Vec::new();
    for argument in arguments {
        records.push(ScramArgument::parse(argument)?.to_record(|| draws.salt()));
    }
    Ok(records)
}

/// The unformatted directories with their ids, in the order in which Kafka's hash maps hand them out; ids are drawn in
/// ascending order of paths.
fn directories(
    config: &ServerConfig,
    request: &FormatRequest,
    existing: &Existing,
    voters: Option<&DynamicVoters>,
    draws: &mut impl Draws,
) -> Vec<PlannedDirectory> {
    let mut planned = Vec::new();
    for path in &existing.unformatted {
        let own = voters.and_then(|voters| voters.get(config.node_id));
        let kind = match (*path == config.metadata_log_dir, voters, own) {
            (false, _, _) => DirectoryKind::Data,
            (true, None, _) => DirectoryKind::Metadata,
            (true, Some(_), Some(_)) => DirectoryKind::DynamicVoter,
            (true, Some(_), None) => DirectoryKind::DynamicNonVoter,
        };
        let id = match (kind, own) {
            (DirectoryKind::DynamicVoter, Some(voter)) => voter.directory_id,
            _ => draws.directory_id(path),
        };
        planned.push(planned_directory(
            path,
            kind,
            &request.cluster_id,
            config.node_id,
            id,
        ));
    }
    in_hash_order(planned, existing)
}

fn planned_directory(
    path: &str,
    kind: DirectoryKind,
    cluster_id: &str,
    node_id: NodeId,
    id: Uuid,
) -> PlannedDirectory {
    PlannedDirectory {
        path: path.to_owned(),
        kind,
        meta: MetaProperties::v1(cluster_id, node_id, id),
    }
}

/// The new directories join the formatted ones in a copied map; those that are new go on into a map made empty.
fn in_hash_order(mut planned: Vec<PlannedDirectory>, existing: &Existing) -> Vec<PlannedDirectory> {
    let formatted = existing.formatted.iter().map(|(path, _)| path.clone());
    let new = planned.iter().map(|directory| directory.path.clone());
    let mut order: Vec<String> = formatted.chain(new).collect();
    HashTable::copy_of_map(existing.formatted.len()).sort(&mut order, |path| hash_string(path));
    order.retain(|path| planned.iter().any(|directory| directory.path == *path));
    HashTable::new().sort(&mut order, |path| hash_string(path));
    planned.sort_by_key(|directory| order.iter().position(|path| *path == directory.path));
    planned
}
