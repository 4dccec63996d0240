//! An image written out, as a snapshot of its metadata.version holds it (`4.4:metadata/…/image/MetadataImage.java`).

use records::feature::{Capability, MetadataVersion};
use records::metadata::{VersionedRecord, ZkMigrationStateRecord};
use releases::controller::ZkMigration;

use crate::write_options::WriteOptions;
use crate::{Dialect, MetadataImage};

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
        let options = WriteOptions::of(version, dialect, self.features.is_elr_enabled());
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
