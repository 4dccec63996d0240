//! What batches hold.

use raft_log::batch::Batch;
use records::feature::METADATA_VERSION;
use records::metadata::{MetadataRecord, VersionedRecord};

/// The records of a data batch; those behind one that cannot be read are left out.
pub(crate) fn records(batch: &Batch) -> Vec<VersionedRecord> {
    let values = batch
        .records()
        .map_while(Result::ok)
        .filter_map(|record| record.value);
    values
        .map_while(|value| VersionedRecord::decode(&value).ok())
        .collect()
}

/// Whether a record sets metadata.version.
pub(crate) fn sets_metadata_version(record: &VersionedRecord) -> bool {
    matches!(&record.record, MetadataRecord::FeatureLevel(level) if level.name == METADATA_VERSION)
}
