//! The records a new cluster starts with: feature levels, then credentials.

use records::feature::{KRAFT_VERSION, METADATA_VERSION};
use records::metadata::{FeatureLevelRecord, VersionedRecord};

use crate::levels::Levels;

/// `metadata.version`, then every other feature above level 0 by ascending name. kraft.version is not among them: it
/// stands in control records.
pub(crate) fn of_levels(levels: &Levels) -> Vec<VersionedRecord> {
    let others = levels
        .iter()
        .filter(|(name, level)| *name != METADATA_VERSION && *name != KRAFT_VERSION && **level > 0);
    let version = levels.get_key_value(METADATA_VERSION);
    version
        .into_iter()
        .chain(others)
        .map(|(name, level)| feature_level(name, *level))
        .collect()
}

fn feature_level(name: &str, level: i16) -> VersionedRecord {
    let record = FeatureLevelRecord {
        name: name.to_owned(),
        feature_level: level,
        ..FeatureLevelRecord::default()
    };
    VersionedRecord::new(0, record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_version_comes_first_and_kraft_version_not_at_all() {
        let levels = [
            ("kraft.version", 1),
            ("metadata.version", 21),
            ("group.version", 1),
            ("share.version", 0),
        ];
        let levels: Levels = levels
            .iter()
            .map(|(name, level)| ((*name).to_owned(), *level))
            .collect();
        assert_eq!(
            of_levels(&levels),
            [
                feature_level("metadata.version", 21),
                feature_level("group.version", 1)
            ]
        );
    }
}
