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

/// The state that a new cluster starts in, and what the log says about it.
pub(crate) fn first_state(config: ZkMigrationConfig) -> (i8, &'static str) {
    match config {
        ZkMigrationConfig::Disabled => (
            NONE,
            "Setting the ZK migration state to NONE since this is a de-novo KRaft cluster.",
        ),
        ZkMigrationConfig::Enabled => (
            PRE_MIGRATION,
            "Putting the controller into pre-migration mode. No metadata updates will be allowed until the ZK metadata \
             has been migrated.",
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
        message.push("No metadata.version feature level record was found in the log.".to_owned());
        message.push(format!("Treating the log as version {name}."));
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
        "Loaded ZK migration state of {}.",
        state_name(state)
    ));
    match state {
        NONE if enabled => {
            let text = "the cluster was created without ZooKeeper".to_owned();
            return Err(ActivationRefusal::ZkMigration(text));
        }
        NONE => message.push("This is expected because this is a de-novo KRaft cluster.".to_owned()),
        PRE_MIGRATION => {
            if !input.features.supports(version, Capability::MetadataTransactions) {
                message.push("Activating pre-migration controller without empty log.".to_owned());
                message.push("There may be a partial migration.".to_owned());
            }
        }
        MIGRATION if enabled => message.push(
            "Staying in ZK migration mode since 'zookeeper.metadata.migration.enable' is still 'true'.".to_owned(),
        ),
        MIGRATION => {
            message.push(
                "Completing the ZK migration since this controller was configured with \
                 'zookeeper.metadata.migration.enable' set to 'false'."
                    .to_owned(),
            );
            let record = ZkMigrationStateRecord { zk_migration_state: POST_MIGRATION, ..Default::default() };
            records.push(VersionedRecord::new(0, record));
        }
        POST_MIGRATION if enabled => message.push(
            "Ignoring 'zookeeper.metadata.migration.enable' value of 'true' since the ZK migration has been completed."
                .to_owned(),
        ),
        POST_MIGRATION => {}
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
