//! What a release's storage tool does.

use crate::rule::{behaviours, room};

behaviours! {
    /// Where the storage tool puts the bootstrap records.
    BootstrapFile {
        /// They go into `bootstrap.checkpoint` of every log directory of every role; a zero checkpoint is written
        /// for a dynamic quorum with known voters only, and holds control records alone.
        LegacyFile,
        /// They go into the zero checkpoint of the metadata directory of a controller, next to the control records;
        /// nothing is written anywhere else, and an old `bootstrap.checkpoint` is left alone.
        ZeroCheckpoint,
        /// They go into the zero checkpoint of the metadata directory of a controller; an old
        /// `bootstrap.checkpoint` is deleted.
        ZeroCheckpointAndLegacyDeleted,
    }
    /// The metadata.version when neither `--release-version` nor `--feature metadata.version` is given.
    DefaultReleaseVersion {
        /// It takes `inter.broker.protocol.version` if that is set, else the newest production version (the newest
        /// at all if unstable features are on).
        InterBrokerProtocolOrNewest,
        /// It takes the newest production version (the newest at all if unstable features are on).
        Newest,
    }
    /// What happens to a `--release-version` that the tool does not know.
    UnknownReleaseVersion {
        /// The tool fails with an exception that names the value, and on 4.0 and 4.1 the range.
        Unexpected,
        /// It is refused with a list of the supported versions; one that is not stable is unknown too.
        RefusedWithList,
    }
    /// Which commands the tool has besides `format`, `info` and `random-uuid`.
    ToolCommands {
        /// It has no others.
        Basic,
        /// It has `version-mapping` and `feature-dependencies`.
        WithFeatureTables,
    }
    /// Whether the tool prints the bootstrap records that it writes.
    BootstrapListing {
        /// It does not.
        Silent,
        /// It prints each feature record and that SCRAM credentials are written.
        Printed,
    }
    /// Whether a node with `controller.quorum.voters` may be formatted with `--standalone` or
    /// `--initial-controllers`.
    StaticVotersWithDynamicFlag {
        /// It may not.
        Refused,
        /// It may; nodes of one cluster id can then form two quorums.
        Accepted,
    }
    /// What makes the formatter think of kraft.version 1.
    FormatKRaftVersion {
        /// Where `controller.quorum.voters` is empty, whatever the metadata.version.
        WithoutStaticVoters,
        /// Where one of `--standalone`, `--initial-controllers` and `--no-initial-controllers` is given, even with
        /// static voters; it then needs metadata.version 3.9-IV0, and an older `--release-version` is refused.
        WithQuorumFlag,
    }
}

room! {
    /// Rules of the storage tool.
    StorageRules, "storage" {
        /// Where does the storage tool put the bootstrap records?
        bootstrap_file: BootstrapFile = LegacyFile,
            since V4_4 ZeroCheckpoint,
            since Kip1170 ZeroCheckpointAndLegacyDeleted;
            "metadata/src/main/java/org/apache/kafka/metadata/storage/Formatter.java";
        /// Which metadata.version does it take when none is asked for?
        default_release_version: DefaultReleaseVersion = InterBrokerProtocolOrNewest,
            since V4_0 Newest;
            "core/src/main/scala/kafka/tools/StorageTool.scala";
        /// What happens to a release version that it does not know?
        unknown_release_version: UnknownReleaseVersion = Unexpected, since V4_2 RefusedWithList;
            "core/src/main/scala/kafka/tools/StorageTool.scala";
        /// Which commands does it have besides format, info and random-uuid?
        commands: ToolCommands = Basic, since V4_0 WithFeatureTables;
            "core/src/main/scala/kafka/tools/StorageTool.scala";
        /// Does it print the bootstrap records that it writes?
        bootstrap_listing: BootstrapListing = Silent, since V4_2 Printed;
            "metadata/src/main/java/org/apache/kafka/metadata/storage/Formatter.java";
        /// May a node with static voters be formatted as part of a dynamic quorum?
        static_voters_with_dynamic_flag: StaticVotersWithDynamicFlag = Refused;
            "core/src/main/scala/kafka/tools/StorageTool.scala";
        /// When does it format for kraft.version 1?
        kraft_version: FormatKRaftVersion = WithoutStaticVoters;
            "metadata/src/main/java/org/apache/kafka/metadata/storage/Formatter.java";
    }
}
