//! Finalized features: what this node supports, and how an administrator changes them
//! (`4.4:metadata/…/controller/FeatureControlManager.java`, `QuorumFeatures.java`).

use std::collections::{BTreeMap, BTreeSet};

use determinism::Time;
use image::{feature_record, known_version};
use listener::{RaftClient, UpgradeMode};
use records::NodeId;
use records::feature::{
    Capability, ELIGIBLE_LEADER_REPLICAS_VERSION, KRAFT_VERSION, METADATA_VERSION, MetadataChange,
    MetadataVersion, VersionRange,
};
use records::metadata::{NoOpRecord, VersionedRecord};
use releases::controller::{FeatureUpdates, KRaftVersionUpdate};
use releases::replication::EligibleLeaders;

use crate::bootstrap::version_name;
use crate::controller::Controller;
use crate::request::{Execution, RequestError, Response, UpdateFeatures, UpgradeType};
use crate::result::ControllerResult;
use crate::write_path::{Answer, WriteFailure};

/// A node that does not know a feature supports level 0 of it (`QuorumFeatures.DISABLED`).
const DISABLED: VersionRange = VersionRange { min: 0, max: 0 };

/// One feature of an update.
struct Change<'a> {
    feature: &'a str,
    level: i16,
    upgrade_type: UpgradeType,
}

impl Change<'_> {
    fn refuse(&self, reason: impl Into<String>) -> RequestError {
        RequestError::InvalidUpdateVersion {
            feature: self.feature.to_owned(),
            level: self.level,
            reason: reason.into(),
        }
    }
}

impl Controller {
    /// The levels of a feature that this node can run with.
    pub fn supported_range(&self, name: &str) -> VersionRange {
        let supported = self
            .rules
            .features
            .supported_features(self.config.unstable_feature_versions);
        supported
            .into_iter()
            .find(|(feature, _)| *feature == name)
            .map_or(DISABLED, |(_, range)| range)
    }

    pub(crate) fn update_features(
        &mut self,
        now: Time,
        epoch: i32,
        update: &UpdateFeatures,
        raft: &mut impl RaftClient,
    ) -> Result<(ControllerResult, Answer), WriteFailure> {
        let version = self.metadata_version().ok_or_else(|| {
            WriteFailure::Unexpected("the metadata.version is not known".to_owned())
        })?;
        let mut proposed: BTreeMap<String, i16> = self
            .image()
            .features()
            .levels()
            .map(|(name, level)| (name.to_owned(), level))
            .collect();
        proposed.insert(METADATA_VERSION.to_owned(), version.0);
        proposed.extend(
            update
                .updates
                .iter()
                .map(|(name, (level, _))| (name.clone(), *level)),
        );
        let mut records = Vec::new();
        let mut results = BTreeMap::new();
        for (feature, (level, upgrade_type)) in &update.updates {
            let change = Change {
                feature,
                level: *level,
                upgrade_type: *upgrade_type,
            };
            let outcome = self.update_feature(
                now,
                epoch,
                &change,
                &proposed,
                update.execution,
                version,
                raft,
            );
            let result = outcome.map(|record| records.extend(record));
            match (self.rules.controller.feature_updates, result) {
                (FeatureUpdates::AllOrNothing, Err(error)) => {
                    // A result like any other, which waits for what is not committed yet.
                    return Ok((ControllerResult::atomic(Vec::new()), Err(error)));
                }
                (_, result) => {
                    results.insert(feature.clone(), result);
                }
            }
        }
        if update.execution == Execution::ValidateOnly {
            records.clear();
        } else if self.enables_eligible_leaders(update) {
            let first = self.elr_safety_records();
            records.splice(0..0, first);
        }
        let response = match self.rules.controller.feature_updates {
            FeatureUpdates::AllOrNothing => Response::FeaturesUpdated,
            FeatureUpdates::EachForItself => Response::Features(results),
        };
        Ok((ControllerResult::atomic(records), Ok(response)))
    }

    fn enables_eligible_leaders(&self, update: &UpdateFeatures) -> bool {
        let wanted = update.updates.get(ELIGIBLE_LEADER_REPLICAS_VERSION);
        match self.rules.replication.eligible_leaders {
            EligibleLeaders::Never => false,
            EligibleLeaders::ByFeature => wanted.is_some_and(|(level, _)| *level > 0),
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "what Kafka's updateFeature looks at, too"
    )]
    fn update_feature(
        &self,
        now: Time,
        epoch: i32,
        change: &Change<'_>,
        proposed: &BTreeMap<String, i16>,
        execution: Execution,
        version: MetadataVersion,
        raft: &mut impl RaftClient,
    ) -> Result<Option<VersionedRecord>, RequestError> {
        let by_raft = change.feature == KRAFT_VERSION
            && self.rules.controller.kraft_version_update == KRaftVersionUpdate::ByRaft;
        let current = if change.feature == METADATA_VERSION {
            version.0
        } else if by_raft {
            raft.kraft_version()
        } else {
            self.image().features().level(change.feature)
        };
        if change.level < 0 {
            return Err(change.refuse("a level cannot be negative"));
        }
        self.check_everybody_supports(change, version)?;
        if change.level < current && change.upgrade_type == UpgradeType::Upgrade {
            return Err(change.refuse("a downgrade has to be asked for as one"));
        }
        if change.level > current && change.upgrade_type != UpgradeType::Upgrade {
            return Err(change.refuse("a downgrade cannot go to a newer level"));
        }
        if change.feature == METADATA_VERSION {
            return self.update_metadata_version(change, version).map(Some);
        }
        if by_raft {
            return update_kraft_version(now, epoch, change, current, execution, raft);
        }
        if self.rules.controller.feature_updates == FeatureUpdates::AllOrNothing {
            self.check_dependencies(change, proposed)?;
        }
        Ok(Some(feature_record(change.feature, change.level)))
    }

    /// Every registered broker and controller has to support a level before it can be finalized.
    fn check_everybody_supports(
        &self,
        change: &Change<'_>,
        version: MetadataVersion,
    ) -> Result<(), RequestError> {
        let check = |who: String, range: VersionRange| {
            if range.contains(change.level) {
                return Ok(());
            }
            if range.max == 0 {
                return Err(change.refuse(format!("{who} does not support this feature")));
            }
            Err(change.refuse(format!(
                "{who} supports levels {} to {} only",
                range.min, range.max
            )))
        };
        let own = self.config.node_id;
        check(
            format!("the local controller {own}"),
            self.supported_range(change.feature),
        )?;
        let cluster = self.image().cluster();
        for broker in cluster.brokers() {
            let found = broker
                .features
                .iter()
                .find(|feature| feature.name == change.feature);
            let range = found.map_or(DISABLED, |feature| VersionRange {
                min: feature.min_supported_version,
                max: feature.max_supported_version,
            });
            check(format!("broker {}", broker.broker_id), range)?;
        }
        if !self
            .rules
            .features
            .supports(version, Capability::ControllerRegistration)
        {
            return Ok(());
        }
        let mut found_controllers = BTreeSet::from([own]);
        for controller in cluster
            .controllers()
            .filter(|controller| controller.controller_id != own.0)
        {
            let found = controller
                .features
                .iter()
                .find(|feature| feature.name == change.feature);
            let range = found.map_or(DISABLED, |feature| VersionRange {
                min: feature.min_supported_version,
                max: feature.max_supported_version,
            });
            check(format!("controller {}", controller.controller_id), range)?;
            found_controllers.insert(NodeId(controller.controller_id));
        }
        match self
            .config
            .quorum_node_ids
            .iter()
            .find(|id| !found_controllers.contains(id))
        {
            Some(id) => Err(change.refuse(format!(
                "controller {id} has not registered, and may not support it"
            ))),
            None => Ok(()),
        }
    }

    fn update_metadata_version(
        &self,
        change: &Change<'_>,
        current: MetadataVersion,
    ) -> Result<VersionedRecord, RequestError> {
        let features = self.rules.features;
        let wanted = known_version(features, change.level)
            .map_err(|error| change.refuse(error.to_string()))?;
        let minimum = features.minimum_bootstrap;
        if wanted < minimum {
            let reason = format!(
                "the oldest metadata.version that may be set is {}",
                version_name(features, minimum)
            );
            return Err(change.refuse(reason));
        }
        let loses_metadata = features
            .metadata_versions
            .iter()
            .filter(|info| info.version > wanted && info.version <= current)
            .any(|info| info.changes_metadata == MetadataChange::Changed);
        if loses_metadata {
            let reason = match change.upgrade_type {
                UpgradeType::UnsafeDowngrade => "a downgrade that loses metadata is not supported",
                UpgradeType::Upgrade | UpgradeType::SafeDowngrade => {
                    "the downgrade might delete metadata"
                }
            };
            return Err(change.refuse(reason));
        }
        Ok(feature_record(METADATA_VERSION, wanted.0))
    }

    fn check_dependencies(
        &self,
        change: &Change<'_>,
        proposed: &BTreeMap<String, i16>,
    ) -> Result<(), RequestError> {
        let features = self.rules.features;
        let level_of = |name: &str| proposed.get(name).copied();
        let minimum = features.minimum_supported;
        if change.level >= 1 && level_of(METADATA_VERSION).is_none_or(|level| level < minimum.0) {
            return Err(change.refuse(format!("it depends on metadata.version level {minimum}")));
        }
        let level = features
            .feature(change.feature)
            .and_then(|feature| feature.level(change.level));
        let Some(level) = level else {
            return Err(change.refuse("there is no such level"));
        };
        let unmet = level
            .dependencies
            .iter()
            .find(|(name, needed)| level_of(name).is_none_or(|l| l < *needed));
        match unmet {
            Some((name, needed)) => {
                Err(change.refuse(format!("it depends on {name} level {needed}")))
            }
            None => Ok(()),
        }
    }
}

/// kraft.version goes by control records; the `NoOpRecord` gives the caller an offset to wait for.
fn update_kraft_version(
    now: Time,
    epoch: i32,
    change: &Change<'_>,
    current: i16,
    execution: Execution,
    raft: &mut impl RaftClient,
) -> Result<Option<VersionedRecord>, RequestError> {
    if change.upgrade_type == UpgradeType::Upgrade {
        let mode = match execution {
            Execution::Apply => UpgradeMode::Apply,
            Execution::ValidateOnly => UpgradeMode::ValidateOnly,
        };
        raft.upgrade_kraft_version(now, epoch, change.level, mode)
            .map_err(|error| change.refuse(error.to_string()))?;
        return Ok(Some(VersionedRecord::new(0, NoOpRecord::default())));
    }
    if change.level == current {
        return Ok(None);
    }
    Err(change.refuse("kraft.version cannot go down"))
}
