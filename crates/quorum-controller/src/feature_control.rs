//! Finalized features: what this node supports, and how an administrator changes them
//! (`4.4:metadata/…/controller/FeatureControlManager.java`, `QuorumFeatures.java`).

use std::collections::{BTreeMap, BTreeSet};

use determinism::Time;
use determinism::java::{HashTable, hash_string};
use image::{feature_record, known_version};
use listener::{RaftClient, UpgradeError, UpgradeMode};
use records::NodeId;
use records::feature::{
    Capability, ELIGIBLE_LEADER_REPLICAS_VERSION, KRAFT_VERSION, METADATA_VERSION, MetadataChange,
    MetadataVersion, VersionRange,
};
use records::metadata::{NoOpRecord, VersionedRecord};
use releases::controller::{FeatureUpdates, KRaftVersionUpdate};
use releases::replication::EligibleLeaders;

use crate::bootstrap::version_name;
use crate::config_control::elr_safety_records;
use crate::request::{
    ControllerResponse, Execution, FeatureUpdate, RequestError, UpdateFeatures, UpgradeType,
};
use crate::result::{ControllerResult, RequestResult, WriteFailure};
use crate::view::{DISABLED, View};
use crate::zk_migration;

/// Why a feature stays as it is.
enum NotChanged {
    /// The caller is told so.
    Refused(RequestError),
    /// The whole update fails.
    Failed(WriteFailure),
}

impl From<RequestError> for NotChanged {
    fn from(error: RequestError) -> Self {
        NotChanged::Refused(error)
    }
}

impl FeatureUpdate {
    fn refuse(&self, reason: impl Into<String>) -> RequestError {
        RequestError::InvalidUpdateVersion {
            feature: self.feature.clone(),
            level: self.level,
            reason: reason.into(),
        }
    }
}

pub(crate) fn update_features(
    view: View<'_>,
    now: Time,
    epoch: i32,
    update: &UpdateFeatures,
    raft: &mut impl RaftClient,
) -> Result<(ControllerResult, RequestResult), WriteFailure> {
    let version = view
        .metadata_version()
        .ok_or_else(|| WriteFailure::Unexpected("the metadata.version is not known".to_owned()))?;
    let mut proposed: BTreeMap<String, i16> = view
        .image()
        .features()
        .levels()
        .map(|(name, level)| (name.to_owned(), level))
        .collect();
    proposed.insert(METADATA_VERSION.to_owned(), version.0);
    let updates = in_map_order(&update.updates);
    proposed.extend(updates.iter().map(|of| (of.feature.clone(), of.level)));
    let mut records = Vec::new();
    let mut results = BTreeMap::new();
    for change in &updates {
        let outcome = update_feature(
            view,
            now,
            epoch,
            change,
            &proposed,
            update.execution,
            version,
            raft,
        );
        let result = match outcome {
            Ok(record) => {
                records.extend(record);
                Ok(())
            }
            Err(NotChanged::Refused(error)) => Err(error),
            Err(NotChanged::Failed(failure)) => return Err(failure),
        };
        match (view.rules.controller.feature_updates, result) {
            (FeatureUpdates::AllOrNothing, Err(error)) => {
                // A result like any other, which waits for what is not committed yet.
                return Ok((ControllerResult::atomic(Vec::new()), Err(error)));
            }
            (_, result) => {
                results.insert(change.feature.clone(), result);
            }
        }
    }
    if update.execution == Execution::ValidateOnly {
        records.clear();
    } else if enables_eligible_leaders(view, &updates) {
        let first = elr_safety_records(view)?;
        records.splice(0..0, first);
    }
    let response = match view.rules.controller.feature_updates {
        FeatureUpdates::AllOrNothing => ControllerResponse::FeaturesUpdated,
        FeatureUpdates::EachForItself => ControllerResponse::Features(results),
    };
    Ok((ControllerResult::atomic(records), Ok(response)))
}

fn enables_eligible_leaders(view: View<'_>, updates: &[&FeatureUpdate]) -> bool {
    match view.rules.replication.eligible_leaders {
        EligibleLeaders::Never => false,
        EligibleLeaders::ByFeature => updates
            .iter()
            .any(|of| of.feature == ELIGIBLE_LEADER_REPLICAS_VERSION && of.level > 0),
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "what Kafka's updateFeature looks at, too"
)]
fn update_feature(
    view: View<'_>,
    now: Time,
    epoch: i32,
    change: &FeatureUpdate,
    proposed: &BTreeMap<String, i16>,
    execution: Execution,
    version: MetadataVersion,
    raft: &mut impl RaftClient,
) -> Result<Option<VersionedRecord>, NotChanged> {
    if change.upgrade_type == UpgradeType::Unknown {
        return Err(change.refuse("there is no such upgrade type").into());
    }
    let by_raft = change.feature == KRAFT_VERSION
        && view.rules.controller.kraft_version_update == KRaftVersionUpdate::ByRaft;
    let current = if change.feature == METADATA_VERSION {
        version.0
    } else if by_raft {
        raft.kraft_version()
    } else {
        view.image().features().level(&change.feature)
    };
    if change.level < 0 {
        return Err(change.refuse("a level cannot be negative").into());
    }
    check_everybody_supports(view, change, version)?;
    if change.level < current && change.upgrade_type == UpgradeType::Upgrade {
        return Err(change
            .refuse("a downgrade has to be asked for as one")
            .into());
    }
    if change.level > current && change.upgrade_type != UpgradeType::Upgrade {
        return Err(change
            .refuse("a downgrade cannot go to a newer level")
            .into());
    }
    if change.feature == METADATA_VERSION {
        return Ok(Some(update_metadata_version(view, change, version)?));
    }
    if by_raft {
        return update_kraft_version(now, epoch, change, current, execution, raft);
    }
    if view.rules.controller.feature_updates == FeatureUpdates::AllOrNothing {
        check_dependencies(view, change, proposed)?;
    }
    Ok(Some(feature_record(&change.feature, change.level)))
}

/// Every registered broker and controller has to support a level before it can be finalized.
fn check_everybody_supports(
    view: View<'_>,
    change: &FeatureUpdate,
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
    let own = view.config.node_id;
    check(
        format!("the local controller {own}"),
        view.supported_range(&change.feature),
    )?;
    let cluster = view.image().cluster();
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
    if !view
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
    match view
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
    view: View<'_>,
    change: &FeatureUpdate,
    current: MetadataVersion,
) -> Result<VersionedRecord, RequestError> {
    let features = view.rules.features;
    let wanted =
        known_version(features, change.level).map_err(|error| change.refuse(error.to_string()))?;
    if zk_migration::is_in_progress(view.image().features().zk_migration_state()) {
        return Err(change.refuse("the migration from ZooKeeper is in progress"));
    }
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
            _ => "the downgrade might delete metadata",
        };
        return Err(change.refuse(reason));
    }
    Ok(feature_record(METADATA_VERSION, wanted.0))
}

fn check_dependencies(
    view: View<'_>,
    change: &FeatureUpdate,
    proposed: &BTreeMap<String, i16>,
) -> Result<(), RequestError> {
    let features = view.rules.features;
    let level_of = |name: &str| proposed.get(name).copied();
    let minimum = features.minimum_supported;
    if change.level >= 1 && level_of(METADATA_VERSION).is_none_or(|level| level < minimum.0) {
        return Err(change.refuse(format!("it depends on metadata.version level {minimum}")));
    }
    let level = features
        .feature(&change.feature)
        .and_then(|feature| feature.level(change.level));
    let Some(level) = level else {
        return Err(change.refuse("there is no such level"));
    };
    let unmet = level
        .dependencies
        .iter()
        .find(|(name, needed)| level_of(name).is_none_or(|l| l < *needed));
    match unmet {
        Some((name, needed)) => Err(change.refuse(format!("it depends on {name} level {needed}"))),
        None => Ok(()),
    }
}

/// The updates in the order in which Kafka looks at them, which decides the order of records and which error comes first:
/// that of a hash map that they are put into one by one (`updateFeatures` in `4.4:…/QuorumController.java`, the same on
/// all branches).
fn in_map_order(updates: &[FeatureUpdate]) -> Vec<&FeatureUpdate> {
    let mut kept: Vec<&FeatureUpdate> = Vec::with_capacity(updates.len());
    for update in updates {
        match kept.iter_mut().find(|of| of.feature == update.feature) {
            Some(earlier) => *earlier = update,
            None => kept.push(update),
        }
    }
    HashTable::new().sort(&mut kept, |update| hash_string(&update.feature));
    kept
}

/// kraft.version goes by control records; the `NoOpRecord` gives the caller an offset to wait for.
fn update_kraft_version(
    now: Time,
    epoch: i32,
    change: &FeatureUpdate,
    current: i16,
    execution: Execution,
    raft: &mut impl RaftClient,
) -> Result<Option<VersionedRecord>, NotChanged> {
    if change.upgrade_type == UpgradeType::Upgrade {
        let mode = match execution {
            Execution::Apply => UpgradeMode::Apply,
            Execution::ValidateOnly => UpgradeMode::ValidateOnly,
        };
        let upgraded = raft.upgrade_kraft_version(now, epoch, change.level, mode);
        upgraded.map_err(|error| match error {
            // These two are no answers to the caller: the controller gives up.
            UpgradeError::NotLeader { .. } => NotChanged::Failed(WriteFailure::NotLeader),
            UpgradeError::IllegalState { .. } => {
                NotChanged::Failed(WriteFailure::Unexpected(error.to_string()))
            }
            UpgradeError::Unsupported
            | UpgradeError::FutureEpoch { .. }
            | UpgradeError::Invalid { .. } => change.refuse(error.to_string()).into(),
        })?;
        return Ok(Some(VersionedRecord::new(0, NoOpRecord::default())));
    }
    if change.level == current {
        return Ok(None);
    }
    Err(change.refuse("kraft.version cannot go down").into())
}
