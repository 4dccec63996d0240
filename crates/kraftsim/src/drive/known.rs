use records::feature::{UnstableFeatureVersions, VersionRange};
use releases::Rules;

/// What a schedule is told and answered in terms of.
#[derive(Clone, Debug)]
pub(super) struct ScheduleTerms {
    pub rules: Rules,
    /// Whether its unstable feature versions are enabled.
    pub unstable: UnstableFeatureVersions,
}

impl ScheduleTerms {
    /// All features that the servers around the replicas support, by name.
    pub fn supported_features(&self) -> Vec<(&'static str, VersionRange)> {
        let mut supported: Vec<_> = self
            .rules
            .features
            .supported_features(self.unstable)
            .into_iter()
            .collect();
        supported.sort_by_key(|(name, _)| *name);
        supported
    }
}
