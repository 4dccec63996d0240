//! What a new active controller writes first (`4.4:metadata/…/controller/ActivationRecordsGenerator.java`).

use determinism::Time;
use image::MetadataImage;
use image::parts::configs::BROKER;
use records::feature::{
    Capability, ELIGIBLE_LEADER_REPLICAS_VERSION, FeatureTable, MetadataVersion,
};
use records::metadata::{
    AbortTransactionRecord, BeginTransactionRecord, ConfigRecord, EndTransactionRecord,
    VersionedRecord, ZkMigrationStateRecord,
};
use releases::ControllerRules;
use releases::controller::{ElrConfigRecord, ZkMigration, ZkStateRecord};

use crate::bootstrap::{BootstrapMetadata, BootstrapRefusal, BootstrapSource, version_name};
use crate::config::{ControllerConfig, ZkMigrationConfig};
use crate::result::{ControllerResult, Shape};
use crate::zk_migration;

/// Whether the log counted as empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogContent {
    /// It did: the bootstrap records are written.
    Empty,
    /// It did not.
    NotEmpty,
}

/// What one activation decided to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activation {
    pub at: Time,
    /// The epoch that was claimed.
    pub epoch: i32,
    /// Whether the log counted as empty.
    pub log: LogContent,
    /// Where the bootstrap records are from; `None` if none were written.
    pub source: Option<BootstrapSource>,
    /// How many bootstrap records were written.
    pub bootstrap_records: usize,
    /// All records, in order.
    pub records: Vec<VersionedRecord>,
    /// Whether they had to go into one batch.
    pub shape: Shape,
    /// Where the transaction began that was aborted.
    pub aborted_transaction: Option<i64>,
    /// The metadata.version in force, by name.
    pub metadata_version: String,
    /// What the controller says of it in its log.
    pub message: String,
}

/// Why an activation cannot go on. The process ends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActivationRefusal {
    /// A transaction is open that the metadata.version in force does not know.
    #[error(
        "the transaction that began at offset {start} is open, but metadata.version {version} has no transactions"
    )]
    TransactionUnsupported {
        /// Where it began.
        start: i64,
        /// The metadata.version in force, by name.
        version: String,
    },
    /// The level of the bootstrap records.
    #[error(transparent)]
    Bootstrap(#[from] BootstrapRefusal),
    /// A migration from ZooKeeper cannot begin here (3.9).
    #[error("the migration from ZooKeeper is enabled, but {0}")]
    ZkMigration(String),
}

/// What the generator looks at.
pub(crate) struct ActivationInput<'a> {
    pub(crate) now: Time,
    pub(crate) epoch: i32,
    pub(crate) config: &'a ControllerConfig,
    pub(crate) rules: &'a ControllerRules,
    pub(crate) features: &'static FeatureTable,
    pub(crate) bootstrap: &'a BootstrapMetadata,
    pub(crate) log: LogContent,
    pub(crate) transaction_start: Option<i64>,
    /// In force if the log is not empty.
    pub(crate) current_version: Option<MetadataVersion>,
    pub(crate) image: &'a MetadataImage,
}

/// Decides what to write.
pub(crate) fn generate(input: &ActivationInput<'_>) -> Result<Activation, ActivationRefusal> {
    match input.log {
        LogContent::Empty => for_empty_log(input),
        LogContent::NotEmpty => for_log_with_content(input),
    }
}

impl Activation {
    /// The records with their shape, for the write path.
    pub(crate) fn result(&self) -> ControllerResult {
        ControllerResult {
            records: self.records.clone(),
            shape: self.shape,
        }
    }
}

fn abort_record() -> VersionedRecord {
    let reason = Some("Controller failover".to_owned());
    VersionedRecord::new(
        0,
        AbortTransactionRecord {
            reason,
            ..Default::default()
        },
    )
}

fn begin_record() -> VersionedRecord {
    let name = Some("Bootstrap records".to_owned());
    VersionedRecord::new(
        0,
        BeginTransactionRecord {
            name,
            ..Default::default()
        },
    )
}

fn for_empty_log(input: &ActivationInput<'_>) -> Result<Activation, ActivationRefusal> {
    let bootstrap = input.bootstrap;
    let version = bootstrap.metadata_version(input.features)?;
    let name = version_name(input.features, version);
    let transactions = input
        .features
        .supports(version, Capability::MetadataTransactions);
    let count = bootstrap.records().len();
    let content = format!(
        "{count} bootstrap record(s) at metadata.version {name} from {}, {}",
        bootstrap.source().described(),
        if transactions {
            "in a metadata transaction"
        } else {
            "in one atomic batch"
        }
    );
    let mut records = Vec::with_capacity(count + 4);
    let mut message = Vec::new();
    if let Some(start) = input.transaction_start {
        if !transactions {
            return Err(ActivationRefusal::TransactionUnsupported {
                start,
                version: name,
            });
        }
        records.push(abort_record());
        message.push(format!(
            "the bootstrap transaction left open at offset {start} is aborted and written anew: {content}"
        ));
    } else {
        message.push(format!("the log is empty: {content}"));
    }
    if transactions {
        records.push(begin_record());
    }
    records.extend_from_slice(bootstrap.records());
    if let Some(text) = push_zk_state(input, transactions, &name, &mut records)? {
        message.push(text);
    }
    push_elr_config(input, &mut records);
    if transactions {
        records.push(VersionedRecord::new(0, EndTransactionRecord::default()));
    }
    Ok(Activation {
        at: input.now,
        epoch: input.epoch,
        log: LogContent::Empty,
        source: Some(bootstrap.source().clone()),
        bootstrap_records: count,
        records,
        shape: if transactions {
            Shape::MayBeSplit
        } else {
            Shape::Atomic
        },
        aborted_transaction: input.transaction_start,
        metadata_version: name,
        message: message.join("; "),
    })
}

/// 3.9 writes the migration state where there is a transaction, and refuses a migration where there is none.
fn push_zk_state(
    input: &ActivationInput<'_>,
    transactions: bool,
    version: &str,
    records: &mut Vec<VersionedRecord>,
) -> Result<Option<String>, ActivationRefusal> {
    match input.rules.zk_state_record {
        ZkStateRecord::Never => Ok(None),
        ZkStateRecord::InTransaction if transactions => {
            let (zk_migration_state, text) = zk_migration::first_state(input.config.zk_migration);
            let record = ZkMigrationStateRecord {
                zk_migration_state,
                ..Default::default()
            };
            records.push(VersionedRecord::new(0, record));
            Ok(Some(text.to_owned()))
        }
        ZkStateRecord::InTransaction => match input.config.zk_migration {
            ZkMigrationConfig::Disabled => Ok(None),
            ZkMigrationConfig::Enabled => {
                let text = format!("the bootstrap metadata.version {version} does not support it");
                Err(ActivationRefusal::ZkMigration(text))
            }
        },
    }
}

/// With eligible leader replicas, `min.insync.replicas` has to be the same for the whole cluster.
fn push_elr_config(input: &ActivationInput<'_>, records: &mut Vec<VersionedRecord>) {
    match input.rules.elr_config_record {
        ElrConfigRecord::Never => {}
        ElrConfigRecord::WhenElrEnabled => {
            if input
                .bootstrap
                .feature_level(ELIGIBLE_LEADER_REPLICAS_VERSION)
                > 0
            {
                let record = ConfigRecord {
                    resource_type: BROKER,
                    resource_name: String::new(),
                    name: "min.insync.replicas".to_owned(),
                    value: Some(input.config.min_insync_replicas.to_string()),
                    ..Default::default()
                };
                records.push(VersionedRecord::new(0, record));
            }
        }
    }
}

fn for_log_with_content(input: &ActivationInput<'_>) -> Result<Activation, ActivationRefusal> {
    let supports = |capability| {
        input
            .current_version
            .is_some_and(|v| input.features.supports(v, capability))
    };
    let name = input
        .current_version
        .map_or_else(|| "unknown".to_owned(), |v| version_name(input.features, v));
    let mut records = Vec::new();
    let mut message = Vec::new();
    if let Some(start) = input.transaction_start {
        if !supports(Capability::MetadataTransactions) {
            return Err(ActivationRefusal::TransactionUnsupported {
                start,
                version: name,
            });
        }
        message.push(format!(
            "the transaction left open at offset {start} is aborted"
        ));
        records.push(abort_record());
    } else {
        message.push("the log is not empty: no bootstrap records are written".to_owned());
    }
    match input.rules.zk_migration {
        ZkMigration::Gone => {}
        ZkMigration::Supported => {
            let standing = zk_migration::Standing {
                config: input.config.zk_migration,
                features: input.features,
                // 3.9 always has one in force.
                version: input
                    .current_version
                    .unwrap_or(input.features.minimum_supported),
                state: input.image.features().zk_migration_state(),
            };
            let (record, words) = zk_migration::continue_migration(&standing)
                .map_err(ActivationRefusal::ZkMigration)?;
            records.extend(record);
            message.extend(words);
        }
    }
    Ok(Activation {
        at: input.now,
        epoch: input.epoch,
        log: LogContent::NotEmpty,
        source: None,
        bootstrap_records: 0,
        records,
        shape: Shape::Atomic,
        aborted_transaction: input.transaction_start,
        metadata_version: name,
        message: message.join("; "),
    })
}
