//! What is left of the migration from ZooKeeper in 3.9's activation
//! (`3.9:metadata/…/controller/ActivationRecordsGenerator.java`).

use records::feature::{Capability, FeatureTable, MetadataVersion};
use records::metadata::{VersionedRecord, ZkMigrationStateRecord};

use crate::bootstrap::version_name;
use crate::config::ZkMigrationConfig;

/// A cluster that never was one of ZooKeeper, or has not decided.
const NONE: i8 = 0;
/// Waiting for the data of ZooKeeper.
pub(crate) const PRE_MIGRATION: i8 = 1;
/// Both are written.
const MIGRATION: i8 = 2;
/// The migration from ZooKeeper is complete.
const POST_MIGRATION: i8 = 3;

/// Whether the data of ZooKeeper is being taken over.
pub(crate) fn is_in_progress(state: i8) -> bool {
    matches!(state, PRE_MIGRATION | MIGRATION)
}

/// The state that a new cluster starts in, and what the log says about it.
pub(crate) fn first_state(config: ZkMigrationConfig) -> (i8, &'static str) {
    match config {
        ZkMigrationConfig::Disabled => (
            NONE,
            "the ZooKeeper migration state NONE is written, as for any new cluster",
        ),
        ZkMigrationConfig::Enabled => (
            PRE_MIGRATION,
            "pre-migration mode: until ZooKeeper's metadata has been taken over, nothing else may be written",
        ),
    }
}

/// Where a cluster stands whose log is not empty.
pub(crate) struct Standing {
    pub(crate) config: ZkMigrationConfig,
    pub(crate) features: &'static FeatureTable,
    /// The metadata.version in force.
    pub(crate) version: MetadataVersion,
    /// The state of the migration in the log.
    pub(crate) state: i8,
}

/// What an activation over a log with content writes because of the migration, and says of it in its log; or why it cannot
/// go on.
pub(crate) fn continue_migration(
    standing: &Standing,
) -> Result<(Option<VersionedRecord>, Vec<String>), String> {
    let Standing {
        config,
        features,
        version,
        state,
    } = *standing;
    let name = version_name(features, version);
    let mut message = Vec::new();
    if version == features.minimum_supported {
        message.push(format!(
            "the log names no metadata.version and is read as {name}"
        ));
    }
    let enabled = config == ZkMigrationConfig::Enabled;
    if !features.supports(version, Capability::ZkMigration) {
        return if enabled {
            Err(format!(
                "the cluster is at metadata.version {name}, which does not support it"
            ))
        } else {
            Ok((None, message))
        };
    }
    message.push(format!(
        "the ZooKeeper migration state is {}",
        state_name(state)
    ));
    let mut record = None;
    match state {
        NONE if enabled => return Err("the cluster was created without ZooKeeper".to_owned()),
        PRE_MIGRATION => {
            if !features.supports(version, Capability::MetadataTransactions) {
                message.push(
                    "the log is not empty before the migration: part of one may stand in it"
                        .to_owned(),
                );
            }
        }
        MIGRATION if enabled => message.push(
            "the migration goes on, since zookeeper.metadata.migration.enable is true".to_owned(),
        ),
        MIGRATION => {
            message.push(
                "the migration is completed, since zookeeper.metadata.migration.enable is false"
                    .to_owned(),
            );
            let completed = ZkMigrationStateRecord {
                zk_migration_state: POST_MIGRATION,
                ..Default::default()
            };
            record = Some(VersionedRecord::new(0, completed));
        }
        POST_MIGRATION if enabled => message.push(
            "zookeeper.metadata.migration.enable has no effect, since the migration is completed"
                .to_owned(),
        ),
        NONE | POST_MIGRATION => {}
        other => {
            return Err(format!(
                "the migration is in state {other}, which activation does not know"
            ));
        }
    }
    Ok((record, message))
}

fn state_name(state: i8) -> &'static str {
    match state {
        NONE => "NONE",
        PRE_MIGRATION => "PRE_MIGRATION",
        MIGRATION => "MIGRATION",
        POST_MIGRATION => "POST_MIGRATION",
        _ => "ZK",
    }
}
