//! An image written out, as a snapshot of its metadata.version holds it (`4.4:metadata/…/image/MetadataImage.java`).

use records::feature::{Capability, FeatureTable, MetadataVersion};
use records::metadata::{RecordKind, VersionedRecord, ZkMigrationStateRecord, record_version_for};
use releases::controller::ZkMigration;
use releases::loader::ElrInSnapshot;

use crate::{Dialect, MetadataImage};

/// What a metadata.version can hold, for the writers of the parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WriteOptions {
    features: &'static FeatureTable,
    version: MetadataVersion,
    pub(crate) elr: EligibleLeaderReplicas,
}

/// Whether partitions are written with their eligible leader replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EligibleLeaderReplicas {
    Written,
    LeftOut,
}

impl WriteOptions {
    pub(crate) fn can(&self, capability: Capability) -> bool {
        self.features.supports(self.version, capability)
    }

    pub(crate) fn record_version(&self, kind: RecordKind) -> i16 {
        record_version_for(self.features.line, kind, self.version).unwrap_or(0)
    }
}

/// An image cannot be written without a metadata.version that the release knows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the image names no metadata.version, so that it cannot be written")]
pub struct UnknownMetadataVersion;

impl MetadataImage {
    /// The records of a snapshot, in order. `version` is the image's metadata.version or what stands in for it (3.9).
    ///
    /// What that version cannot hold is left out. Entries come in the order of Kafka's maps where that follows from the
    /// entries (features, brokers, controllers, topics, partitions, access control entries), else in ascending order.
    pub fn snapshot_records(
        &self,
        version: MetadataVersion,
        dialect: &Dialect,
    ) -> Result<Vec<VersionedRecord>, UnknownMetadataVersion> {
        dialect
            .features
            .metadata_version(version)
            .ok_or(UnknownMetadataVersion)?;
        let enabled = match dialect.elr_in_snapshot {
            ElrInSnapshot::WithMetadataVersion => true,
            ElrInSnapshot::WithFeature => self.features.is_elr_enabled(),
        };
        // A record version without the fields cannot carry them, whatever the feature says.
        let can_carry = dialect.features.supports(version, Capability::ElrRecords);
        let elr = if enabled && can_carry {
            EligibleLeaderReplicas::Written
        } else {
            EligibleLeaderReplicas::LeftOut
        };
        let options = WriteOptions {
            features: dialect.features,
            version,
            elr,
        };
        let mut out = Vec::new();
        // 3.9:metadata/…/image/FeaturesImage.java writes no feature level below 3.3-IV0.
        if version >= dialect.features.minimum_bootstrap {
            self.features.write(version, &mut out);
        }
        if dialect.zk_migration == ZkMigration::Supported && options.can(Capability::ZkMigration) {
            let zk_migration_state = self.features.zk_migration_state;
            let record = ZkMigrationStateRecord {
                zk_migration_state,
                ..Default::default()
            };
            out.push(VersionedRecord::new(0, record));
        }
        self.cluster.write(&options, &mut out);
        self.topics.write(&options, &mut out);
        self.configs.write(&mut out);
        self.client_quotas.write(&mut out);
        self.producer_ids.write(&mut out);
        self.acls.write(&mut out);
        self.scram.write(&options, &mut out);
        self.delegation_tokens.write(&options, &mut out);
        Ok(out)
    }
}
