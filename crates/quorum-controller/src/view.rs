//! What control managers look at.

use image::MetadataImage;
use records::feature::{Capability, MetadataVersion, VersionRange};
use records::metadata::{RecordKind, record_version_for};
use records::{NodeId, Uuid};
use releases::Rules;
use releases::controller::MetadataVersionBeforeRecords;
use releases::replication::EligibleLeaders;

use crate::config::ControllerConfig;
use crate::control_state::ControlState;
use crate::result::WriteFailure;

/// The directory of a replica whose broker has not said yet where it lies (`DirectoryId.MIGRATING`).
const MIGRATING: Uuid = Uuid::ZERO;
/// The broker chooses a directory (`DirectoryId.UNASSIGNED`).
const UNASSIGNED: Uuid = Uuid::from_bytes([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
/// The directory is gone (`DirectoryId.LOST`).
const LOST: Uuid = Uuid::from_bytes([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);

/// A node that does not know a feature supports level 0 of it (`QuorumFeatures.DISABLED`).
pub(crate) const DISABLED: VersionRange = VersionRange { min: 0, max: 0 };

/// The state of a controller as its control managers see it, own uncommitted records included. A manager takes it with a
/// request, and returns records and an answer.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) config: &'a ControllerConfig,
    pub(crate) rules: &'a Rules,
    pub(crate) state: &'a ControlState,
}

impl<'a> View<'a> {
    pub(crate) fn image(self) -> &'a MetadataImage {
        self.state.image()
    }

    /// The metadata.version in force: the finalized one, or what the release assumes before any.
    pub(crate) fn metadata_version(self) -> Option<MetadataVersion> {
        let finalized = self.image().features().metadata_version();
        finalized.or_else(|| self.assumed_metadata_version())
    }

    pub(crate) fn assumed_metadata_version(self) -> Option<MetadataVersion> {
        match self.rules.controller.metadata_version_before_records {
            MetadataVersionBeforeRecords::Oldest => Some(self.rules.features.minimum_supported),
            MetadataVersionBeforeRecords::NewestProduction => {
                Some(self.rules.features.latest_production)
            }
            MetadataVersionBeforeRecords::Absent => None,
        }
    }

    pub(crate) fn known_version(self) -> Result<MetadataVersion, WriteFailure> {
        self.metadata_version()
            .ok_or_else(|| WriteFailure::Unexpected("the metadata.version is not known".to_owned()))
    }

    pub(crate) fn can(self, capability: Capability) -> bool {
        let version = self.metadata_version();
        version.is_some_and(|version| self.rules.features.supports(version, capability))
    }

    pub(crate) fn record_version(self, kind: RecordKind) -> i16 {
        let version = self.metadata_version();
        version
            .and_then(|version| record_version_for(self.rules.features.line, kind, version))
            .unwrap_or(0)
    }

    /// Whether eligible leader replicas are enabled.
    pub(crate) fn has_eligible_leaders(self) -> bool {
        match self.rules.replication.eligible_leaders {
            EligibleLeaders::Never => false,
            EligibleLeaders::ByFeature => self.image().features().is_elr_enabled(),
        }
    }

    /// Whether a topic has this name, or had it until its id came again under another name.
    pub(crate) fn is_name_taken(self, name: &str) -> bool {
        self.image().topics().named(name).is_some() || self.state.left_names.contains(name)
    }

    /// Whether a broker is neither fenced nor shutting down.
    pub(crate) fn is_in_service(self, broker: i32) -> bool {
        let known = self.image().cluster().broker(NodeId(broker));
        known.is_some_and(|known| !known.fenced && !known.in_controlled_shutdown)
    }

    pub(crate) fn has_online_directory(self, broker: i32, directory: Uuid) -> bool {
        let Some(known) = self.image().cluster().broker(NodeId(broker)) else {
            return false;
        };
        match directory {
            MIGRATING | UNASSIGNED => true,
            LOST => false,
            _ => known.log_dirs.is_empty() || known.log_dirs.contains(&directory),
        }
    }

    /// Where a broker puts a new replica.
    pub(crate) fn default_directory(self, broker: i32) -> Uuid {
        if !self.can(Capability::DirectoryAssignment) {
            return MIGRATING;
        }
        let known = self.image().cluster().broker(NodeId(broker));
        match known.map(|known| known.log_dirs.as_slice()) {
            Some([]) => MIGRATING,
            Some([directory]) => *directory,
            Some(_) | None => UNASSIGNED,
        }
    }

    /// The levels of a feature that this node can run with.
    pub(crate) fn supported_range(self, name: &str) -> VersionRange {
        let supported = self
            .rules
            .features
            .supported_features(self.config.unstable_feature_versions);
        supported
            .into_iter()
            .find(|(feature, _)| *feature == name)
            .map_or(DISABLED, |(_, range)| range)
    }
}
