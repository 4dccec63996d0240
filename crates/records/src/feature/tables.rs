//! The data of [`FeatureTable`], one table per line.
//!
//! Source: `…:server-common/src/main/java/org/apache/kafka/server/common/{MetadataVersion,Feature,*Version}.java` of
//! each branch. The classes of 3.9.1 and 3.9.2, of 4.0.0, 4.0.1 and 4.0.2, and of 4.1.1 and 4.1.2 are the same but for
//! one thing: in 3.9.1, 4.0.0 and 4.0.1 level 1 of kraft.version depends on metadata.version 3.9-IV0. That went away
//! with KAFKA-19719, and is a matter of its quirk.

use super::feature_table::{Feature, FeatureLevel, FeatureTable};
use super::metadata_version::MetadataChange::{self, Changed};
use super::{
    ELIGIBLE_LEADER_REPLICAS_VERSION, GROUP_VERSION, KRAFT_VERSION, Line, METADATA_VERSION,
    MetadataVersion, MetadataVersionInfo, SHARE_VERSION, STREAMS_VERSION, TRANSACTION_VERSION,
};

impl FeatureTable {
    /// The table of `line`.
    pub fn of(line: Line) -> &'static FeatureTable {
        [&V3_9, &V4_0, &V4_1, &V4_2, &V4_3, &V4_4][line as usize]
    }
}

const fn mv(
    level: i16,
    name: &'static str,
    changes_metadata: MetadataChange,
    replica_fetch_version: i16,
    list_offsets_version: i16,
) -> MetadataVersionInfo {
    MetadataVersionInfo {
        version: MetadataVersion(level),
        name,
        changes_metadata,
        replica_fetch_version,
        list_offsets_version,
    }
}

const SAME: MetadataChange = MetadataChange::None;

/// Every level since 3.0-IV1, as the newest line describes it.
const LEVELS: [MetadataVersionInfo; 34] = [
    mv(1, "3.0-IV1", Changed, 12, 7),
    mv(2, "3.1-IV0", SAME, 13, 7),
    mv(3, "3.2-IV0", Changed, 13, 7),
    mv(4, "3.3-IV0", SAME, 13, 7),
    mv(5, "3.3-IV1", Changed, 13, 7),
    mv(6, "3.3-IV2", Changed, 13, 7),
    mv(7, "3.3-IV3", Changed, 13, 7),
    mv(8, "3.4-IV0", Changed, 13, 7),
    mv(9, "3.5-IV0", SAME, 14, 8),
    mv(10, "3.5-IV1", SAME, 15, 8),
    mv(11, "3.5-IV2", Changed, 15, 8),
    mv(12, "3.6-IV0", SAME, 15, 8),
    mv(13, "3.6-IV1", Changed, 15, 8),
    mv(14, "3.6-IV2", Changed, 15, 8),
    mv(15, "3.7-IV0", Changed, 15, 8),
    mv(16, "3.7-IV1", SAME, 15, 8),
    mv(17, "3.7-IV2", Changed, 15, 8),
    mv(18, "3.7-IV3", SAME, 15, 8),
    mv(19, "3.7-IV4", SAME, 16, 8),
    mv(20, "3.8-IV0", SAME, 16, 8),
    mv(21, "3.9-IV0", SAME, 17, 9),
    mv(22, "4.0-IV0", SAME, 17, 9),
    mv(23, "4.0-IV1", Changed, 17, 9),
    mv(24, "4.0-IV2", SAME, 17, 9),
    mv(25, "4.0-IV3", SAME, 17, 10),
    mv(26, "4.1-IV0", SAME, 17, 10),
    mv(27, "4.1-IV1", SAME, 18, 10),
    mv(28, "4.2-IV0", SAME, 18, 10),
    mv(29, "4.2-IV1", SAME, 18, 11),
    mv(30, "4.3-IV0", Changed, 18, 11),
    mv(31, "4.4-IV0", SAME, 18, 11),
    mv(32, "4.4-IV1", Changed, 18, 11),
    mv(33, "4.4-IV2", Changed, 18, 11),
    mv(34, "4.5-IV0", SAME, 18, 11),
];

/// `N` levels from `first` on.
const fn levels<const N: usize>(first: i16) -> [MetadataVersionInfo; N] {
    let mut taken = [LEVELS[0]; N];
    let mut index = 0;
    while index < N {
        taken[index] = LEVELS[first as usize - 1 + index];
        index += 1;
    }
    taken
}

/// `levels` with one of them as a line had it while it was unstable.
const fn with<const N: usize>(
    levels: [MetadataVersionInfo; N],
    level: MetadataVersionInfo,
) -> [MetadataVersionInfo; N] {
    let mut changed = levels;
    changed[(level.version.0 - levels[0].version.0) as usize] = level;
    changed
}

const fn level(level: i16, name: &'static str, bootstrap_metadata_version: i16) -> FeatureLevel {
    FeatureLevel {
        level,
        name,
        bootstrap_metadata_version: MetadataVersion(bootstrap_metadata_version),
        dependencies: &[],
    }
}

const fn feature(
    name: &'static str,
    latest_production: i16,
    levels: &'static [FeatureLevel],
) -> Feature {
    Feature {
        name,
        levels,
        latest_production,
    }
}

/// Lowest level of `metadata.version` of 3.9, at which every feature's level 0 became its default.
const MINIMUM_3_9: i16 = 1;
/// The same of 4.0 and later.
const MINIMUM_4: i16 = 7;

static KRAFT_LEVELS: [FeatureLevel; 2] = [
    level(0, "KRAFT_VERSION_0", MINIMUM_4),
    level(1, "KRAFT_VERSION_1", 21),
];
static TRANSACTION_LEVELS: [FeatureLevel; 3] = [
    level(0, "TV_0", MINIMUM_4),
    level(1, "TV_1", 24),
    level(2, "TV_2", 24),
];
static GROUP_LEVELS: [FeatureLevel; 2] = [level(0, "GV_0", MINIMUM_4), level(1, "GV_1", 22)];
static ELR_LEVELS: [FeatureLevel; 2] = [
    level(0, "ELRV_0", MINIMUM_4),
    FeatureLevel {
        dependencies: &[(METADATA_VERSION, 23)],
        ..level(1, "ELRV_1", 26)
    },
];
static SHARE_LEVELS: [FeatureLevel; 2] = [level(0, "SV_0", MINIMUM_4), level(1, "SV_1", 28)];
static SHARE_LEVELS_4_4: [FeatureLevel; 3] = [
    level(0, "SV_0", MINIMUM_4),
    level(1, "SV_1", 28),
    level(2, "SV_2", 31),
];
static STREAMS_LEVELS: [FeatureLevel; 2] = [level(0, "SV_0", MINIMUM_4), level(1, "SV_1", 29)];

const KRAFT: Feature = feature(KRAFT_VERSION, 1, &KRAFT_LEVELS);
const TRANSACTION: Feature = feature(TRANSACTION_VERSION, 2, &TRANSACTION_LEVELS);
const GROUP: Feature = feature(GROUP_VERSION, 1, &GROUP_LEVELS);
const ELR: Feature = feature(ELIGIBLE_LEADER_REPLICAS_VERSION, 1, &ELR_LEVELS);
const SHARE: Feature = feature(SHARE_VERSION, 1, &SHARE_LEVELS);
const STREAMS: Feature = feature(STREAMS_VERSION, 1, &STREAMS_LEVELS);

static V3_9: FeatureTable = FeatureTable {
    line: Line::V3_9,
    metadata_versions: &METADATA_VERSIONS_3_9,
    latest_production: MetadataVersion(21),
    latest_testing: MetadataVersion(23),
    minimum_supported: MetadataVersion(1),
    minimum_bootstrap: MetadataVersion(4),
    features: &FEATURES_3_9,
};
static METADATA_VERSIONS_3_9: [MetadataVersionInfo; 23] = with(
    with(levels(1), mv(22, "4.0-IV0", Changed, 17, 9)),
    mv(23, "4.0-IV1", SAME, 17, 9),
);
static FEATURES_3_9: [Feature; 2] = [
    feature(
        KRAFT_VERSION,
        1,
        &[
            level(0, "KRAFT_VERSION_0", MINIMUM_3_9),
            level(1, "KRAFT_VERSION_1", 21),
        ],
    ),
    feature(
        TRANSACTION_VERSION,
        0,
        &[
            level(0, "TV_0", MINIMUM_3_9),
            level(1, "TV_1", 22),
            level(2, "TV_2", 22),
        ],
    ),
];

static V4_0: FeatureTable = FeatureTable {
    line: Line::V4_0,
    metadata_versions: &METADATA_VERSIONS_4_0,
    latest_production: MetadataVersion(25),
    latest_testing: MetadataVersion(26),
    minimum_supported: MetadataVersion(7),
    minimum_bootstrap: MetadataVersion(7),
    features: &FEATURES_4_0,
};
static METADATA_VERSIONS_4_0: [MetadataVersionInfo; 20] = levels(7);
static FEATURES_4_0: [Feature; 4] = [KRAFT, TRANSACTION, GROUP, ELR];

static V4_1: FeatureTable = FeatureTable {
    line: Line::V4_1,
    metadata_versions: &METADATA_VERSIONS_4_1,
    latest_production: MetadataVersion(27),
    latest_testing: MetadataVersion(29),
    minimum_supported: MetadataVersion(7),
    minimum_bootstrap: MetadataVersion(7),
    features: &FEATURES_4_1,
};
static METADATA_VERSIONS_4_1: [MetadataVersionInfo; 23] =
    with(levels(7), mv(29, "4.2-IV1", SAME, 18, 10));
static FEATURES_4_1: [Feature; 6] = [
    KRAFT,
    TRANSACTION,
    GROUP,
    ELR,
    SHARE,
    feature(STREAMS_VERSION, 0, &STREAMS_LEVELS),
];

static V4_2: FeatureTable = FeatureTable {
    line: Line::V4_2,
    metadata_versions: &METADATA_VERSIONS_4_2,
    latest_production: MetadataVersion(29),
    latest_testing: MetadataVersion(30),
    minimum_supported: MetadataVersion(7),
    minimum_bootstrap: MetadataVersion(7),
    features: &FEATURES_4_2,
};
static METADATA_VERSIONS_4_2: [MetadataVersionInfo; 24] =
    with(levels(7), mv(30, "4.3-IV0", SAME, 18, 11));
static FEATURES_4_2: [Feature; 6] = [KRAFT, TRANSACTION, GROUP, ELR, SHARE, STREAMS];

static V4_3: FeatureTable = FeatureTable {
    line: Line::V4_3,
    metadata_versions: &METADATA_VERSIONS_4_3,
    latest_production: MetadataVersion(30),
    latest_testing: MetadataVersion(31),
    minimum_supported: MetadataVersion(7),
    minimum_bootstrap: MetadataVersion(7),
    features: &FEATURES_4_2,
};
static METADATA_VERSIONS_4_3: [MetadataVersionInfo; 25] = levels(7);

static V4_4: FeatureTable = FeatureTable {
    line: Line::V4_4,
    metadata_versions: &METADATA_VERSIONS_4_4,
    latest_production: MetadataVersion(33),
    latest_testing: MetadataVersion(34),
    minimum_supported: MetadataVersion(7),
    minimum_bootstrap: MetadataVersion(7),
    features: &FEATURES_4_4,
};
static METADATA_VERSIONS_4_4: [MetadataVersionInfo; 28] = levels(7);
static FEATURES_4_4: [Feature; 6] = [
    KRAFT,
    TRANSACTION,
    GROUP,
    ELR,
    feature(SHARE_VERSION, 2, &SHARE_LEVELS_4_4),
    STREAMS,
];
