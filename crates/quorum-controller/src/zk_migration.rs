//! What is left of the migration from ZooKeeper in 3.9's activation
//! (`3.9:metadata/…/controller/ActivationRecordsGenerator.java`).

use records::feature::Capability;
use records::metadata::{VersionedRecord, ZkMigrationStateRecord};

use crate::activation::{ActivationInput, ActivationRefusal};
use crate::config::ZkMigrationConfig;

/// A cluster that never was one of ZooKeeper, or has not decided.
const NONE: i8 = 0;
/// Waiting for the data of ZooKeeper.
pub(crate) const PRE_MIGRATION: i8 = 1;
/// Both are written.
const MIGRATION: i8 = 2;
/// Done.
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

/// What an activation over a log with content does about the migration.
pub(crate) fn check_log_with_content(
    input: &ActivationInput<'_>,
    version_name: &str,
    records: &mut Vec<VersionedRecord>,
    message: &mut Vec<String>,
) -> Result<(), ActivationRefusal> {
    let oldest = input.features.minimum_supported;
    // 3.9 always has one in force.
    let version = input.current_version.unwrap_or(oldest);
    if version == oldest {
        let name = crate::bootstrap::version_name(input.features, oldest);
        message.push(format!(
            "the log names no metadata.version and is read as {name}"
        ));
    }
    let enabled = input.config.zk_migration == ZkMigrationConfig::Enabled;
    if !input.features.supports(version, Capability::ZkMigration) {
        if enabled {
            let text = format!(
                "the cluster is at metadata.version {version_name}, which does not support it"
            );
            return Err(ActivationRefusal::ZkMigration(text));
        }
        return Ok(());
    }
    let state = input.image.features().zk_migration_state();
    message.push(format!(
        "the ZooKeeper migration state is {}",
        state_name(state)
    ));
    match state {
        NONE if enabled => {
            let text = "the cluster was created without ZooKeeper".to_owned();
            return Err(ActivationRefusal::ZkMigration(text));
        }
        PRE_MIGRATION => {
            if !input
                .features
                .supports(version, Capability::MetadataTransactions)
            {
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
            let record = ZkMigrationStateRecord {
                zk_migration_state: POST_MIGRATION,
                ..Default::default()
            };
            records.push(VersionedRecord::new(0, record));
        }
        POST_MIGRATION if enabled => message.push(
            "zookeeper.metadata.migration.enable has no effect, since the migration is completed"
                .to_owned(),
        ),
        NONE | POST_MIGRATION => {}
        other => {
            let text = format!("the migration is in state {other}, which activation does not know");
            return Err(ActivationRefusal::ZkMigration(text));
        }
    }
    Ok(())
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
