//! Finalized features (`4.4:metadata/…/image/FeaturesImage.java`, `FeaturesDelta.java`).

use determinism::java::{HashTable, hash_string};
use imbl::OrdMap;
use records::feature::{
    ELIGIBLE_LEADER_REPLICAS_VERSION, FeatureTable, KRAFT_VERSION, METADATA_VERSION,
    MetadataVersion,
};
use records::metadata::{
    FeatureLevelRecord, MetadataRecord, VersionedRecord, ZkMigrationStateRecord,
};
use releases::controller::{KRaftVersionFeatureRecord, ZkMigration};

use crate::{ApplyError, Dialect, entry_hash};

/// The finalized level of every feature, and 3.9's state of the migration away from `ZooKeeper`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeaturesImage {
    pub(crate) metadata_version: Option<MetadataVersion>,
    pub(crate) levels: OrdMap<String, i16>,
    pub(crate) zk_migration_state: i8,
}

impl FeaturesImage {
    /// The finalized metadata.version, if a record named one.
    pub fn metadata_version(&self) -> Option<MetadataVersion> {
        self.metadata_version
    }

    /// The finalized level of a feature other than metadata.version; 0 if it is not finalized.
    pub fn level(&self, name: &str) -> i16 {
        self.levels.get(name).copied().unwrap_or(0)
    }

    /// All finalized features but metadata.version, by name.
    pub fn levels(&self) -> impl Iterator<Item = (&str, i16)> {
        self.levels
            .iter()
            .map(|(name, level)| (name.as_str(), *level))
    }

    /// 3.9's state of the migration: 0 none, 1 pre-migration, 2 migration, 3 post-migration.
    pub fn zk_migration_state(&self) -> i8 {
        self.zk_migration_state
    }

    /// Whether partitions carry eligible leader replicas.
    pub fn is_elr_enabled(&self) -> bool {
        self.level(ELIGIBLE_LEADER_REPLICAS_VERSION) >= 1
    }

    /// The part of the image's hash that the features make.
    pub(crate) fn hash(&self) -> u64 {
        let mut hash = 0;
        replace(
            &mut hash,
            METADATA_VERSION,
            None,
            self.metadata_version.map(|v| v.0),
        );
        replace(
            &mut hash,
            ZK_STATE,
            None,
            some_state(self.zk_migration_state),
        );
        for (name, level) in self.levels() {
            replace(&mut hash, name, None, Some(level));
        }
        hash
    }

    /// Whether nothing is finalized.
    pub fn is_empty(&self) -> bool {
        self.metadata_version.is_none() && self.levels.is_empty() && self.zk_migration_state == 0
    }

    pub(crate) fn apply(
        &mut self,
        record: &FeatureLevelRecord,
        dialect: &Dialect,
        hash: &mut u64,
    ) -> Result<(), ApplyError> {
        if record.name == METADATA_VERSION {
            let version = known_version(dialect.features, record.feature_level)?;
            replace(
                hash,
                METADATA_VERSION,
                self.metadata_version.map(|v| v.0),
                Some(version.0),
            );
            self.metadata_version = Some(version);
            return Ok(());
        }
        match (record.name.as_str(), dialect.kraft_version_record) {
            (KRAFT_VERSION, KRaftVersionFeatureRecord::Skipped) => {}
            (_, _) if record.feature_level == 0 => {
                let old = self.levels.remove(&record.name);
                replace(hash, &record.name, old, None);
            }
            (_, _) => {
                let old = self
                    .levels
                    .insert(record.name.clone(), record.feature_level);
                replace(hash, &record.name, old, Some(record.feature_level));
            }
        }
        Ok(())
    }

    pub(crate) fn apply_zk_state(
        &mut self,
        record: &ZkMigrationStateRecord,
        dialect: &Dialect,
        hash: &mut u64,
    ) -> Result<(), ApplyError> {
        match dialect.zk_migration {
            // 4.0:metadata/…/controller/QuorumController.java keeps the record type only to be able to read it.
            ZkMigration::Gone => Ok(()),
            ZkMigration::Supported => {
                let state = record.zk_migration_state;
                if !(0..=4).contains(&state) {
                    return Err(ApplyError::UnknownValue {
                        record: "ZkMigrationStateRecord",
                        field: "zkMigrationState",
                        value: i64::from(state),
                    });
                }
                replace(
                    hash,
                    ZK_STATE,
                    some_state(self.zk_migration_state),
                    some_state(state),
                );
                self.zk_migration_state = state;
                Ok(())
            }
        }
    }

    /// Feature records as a snapshot holds them: metadata.version first, because it decides how the rest is read.
    pub(crate) fn write(&self, version: MetadataVersion, out: &mut Vec<VersionedRecord>) {
        out.push(feature_record(METADATA_VERSION, version.0));
        // The map of changes, with its 16 buckets, decides in which order names enter the map of the image.
        let mut levels: Vec<_> = self.levels.iter().collect();
        HashTable::new().sort(&mut levels, |(name, _)| hash_string(name));
        HashTable::with_capacity(1).sort(&mut levels, |(name, _)| hash_string(name));
        for (name, level) in levels {
            out.push(feature_record(name, *level));
        }
    }
}

/// The record that finalizes a feature.
pub fn feature_record(name: &str, level: i16) -> VersionedRecord {
    let record = FeatureLevelRecord {
        name: name.to_owned(),
        feature_level: level,
        ..Default::default()
    };
    VersionedRecord {
        version: 0,
        record: MetadataRecord::FeatureLevel(record),
    }
}

/// The metadata.version of a level, if the release knows it.
pub fn known_version(features: &FeatureTable, level: i16) -> Result<MetadataVersion, ApplyError> {
    let version = MetadataVersion(level);
    if features.metadata_version(version).is_some() {
        return Ok(version);
    }
    Err(ApplyError::UnknownMetadataVersion {
        level,
        lowest: features.minimum_supported.0,
        highest: features.latest_testing.0,
    })
}

/// Stands for the migration state among the hashed entries; no feature has this name.
const ZK_STATE: &str = "zookeeper migration state";

fn some_state(state: i8) -> Option<i16> {
    (state != 0).then_some(i16::from(state))
}

fn replace(hash: &mut u64, name: &str, old: Option<i16>, new: Option<i16>) {
    let of = |level: i16| entry_hash::of_parts("feature", &[name.as_bytes(), &level.to_be_bytes()]);
    if let Some(old) = old {
        *hash = hash.wrapping_sub(of(old));
    }
    if let Some(new) = new {
        *hash = hash.wrapping_add(of(new));
    }
}
