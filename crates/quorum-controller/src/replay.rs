//! A record into the controller's state (`QuorumController.replay`, `FeatureControlManager.replay`).

use image::Delta;
use records::metadata::{FeatureLevelRecord, MetadataRecord, VersionedRecord};

use crate::controller::Controller;
use crate::fault::ReplayError;

impl Controller {
    /// Replays a record that stands at `offset`; for a record of a snapshot that is the last offset it stands for.
    pub(crate) fn replay(
        &mut self,
        record: &VersionedRecord,
        offset: i64,
    ) -> Result<(), ReplayError> {
        self.has_ever_replayed = true;
        match &record.record {
            MetadataRecord::BeginTransaction(_) => {
                return Ok(self.offsets.begin_transaction(offset)?);
            }
            MetadataRecord::EndTransaction(_) => {
                return Ok(self.offsets.end_transaction(offset)?);
            }
            MetadataRecord::AbortTransaction(_) => {
                return Ok(self.offsets.abort_transaction(offset)?);
            }
            MetadataRecord::FeatureLevel(feature) => self.check_supported(feature)?,
            _ => {}
        }
        let dialect = self.dialect;
        self.offsets
            .state_mut()
            .apply(record, &dialect, &mut Delta::default())?;
        Ok(())
    }

    /// A level that this node does not support ends the process: it could not keep its promises.
    fn check_supported(&self, feature: &FeatureLevelRecord) -> Result<(), ReplayError> {
        let range = self.supported_range(&feature.name);
        if range.contains(feature.feature_level) {
            return Ok(());
        }
        Err(ReplayError::UnsupportedFeatureLevel {
            name: feature.name.clone(),
            level: feature.feature_level,
            min: range.min,
            max: range.max,
        })
    }
}
