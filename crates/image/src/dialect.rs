//! What a release makes of the same records.

use records::feature::FeatureTable;
use releases::Rules;
use releases::controller::{KRaftVersionFeatureRecord, ZkMigration};
use releases::loader::{ElrInSnapshot, UnnamedListeners};

/// The part of the rules that decides what a record does to an image.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// The feature levels that the release knows.
    pub features: &'static FeatureTable,
    /// What a feature record for kraft.version does.
    pub kraft_version_record: KRaftVersionFeatureRecord,
    /// When partitions in a snapshot carry their eligible leader replicas.
    pub elr_in_snapshot: ElrInSnapshot,
    /// Whether a broker may register a listener without a name.
    pub unnamed_listeners: UnnamedListeners,
    /// Whether the release keeps the state of a migration from ZooKeeper.
    pub zk_migration: ZkMigration,
}

impl Dialect {
    /// The dialect of a release.
    pub fn of(rules: &Rules) -> Self {
        Dialect {
            features: rules.features,
            kraft_version_record: rules.controller.kraft_version_feature_record,
            elr_in_snapshot: rules.loader.elr_in_snapshot,
            unnamed_listeners: rules.loader.unnamed_listeners,
            zk_migration: rules.controller.zk_migration,
        }
    }

    /// Whether the state of a migration from ZooKeeper is kept.
    pub(crate) fn keeps_zk_state(&self) -> bool {
        self.zk_migration == ZkMigration::Supported
    }
}
