use records::feature::{Capability, FeatureTable, MetadataVersion};
use records::metadata::{RecordKind, record_version_for};
use releases::loader::ElrInSnapshot;

use crate::Dialect;

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
    /// What `version` can hold; `has_elr` says whether eligible leader replicas are enabled in the image.
    pub(crate) fn of(version: MetadataVersion, dialect: &Dialect, has_elr: bool) -> Self {
        let enabled = match dialect.elr_in_snapshot {
            ElrInSnapshot::WithMetadataVersion => true,
            ElrInSnapshot::WithFeature => has_elr,
        };
        // A record version without the fields cannot carry them, whatever the feature says.
        let can_carry = dialect.features.supports(version, Capability::ElrRecords);
        WriteOptions {
            features: dialect.features,
            version,
            elr: if enabled && can_carry {
                EligibleLeaderReplicas::Written
            } else {
                EligibleLeaderReplicas::LeftOut
            },
        }
    }

    pub(crate) fn can(&self, capability: Capability) -> bool {
        self.features.supports(self.version, capability)
    }

    pub(crate) fn record_version(&self, kind: RecordKind) -> i16 {
        record_version_for(self.features.line, kind, self.version).unwrap_or(0)
    }
}
