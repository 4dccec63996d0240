//! Where the bootstrap records of a node come from.

use crate::rule::{behaviours, room};

behaviours! {
    /// The bootstrap records of a node that holds no bootstrap file.
    DefaultSource {
        /// It has the server's `inter.broker.protocol.version`, which always has a value; below 3.3-IV0 it is
        /// raised to that.
        Configured,
        /// It has the newest production metadata.version of the release, and no other feature.
        NewestProduction,
    }
    /// When the metadata.version level inside `bootstrap.checkpoint` must be one that the release knows.
    LegacyFileLevel {
        /// At start, even if the file will never be used.
        CheckedAtStart,
        /// When activation uses the file.
        CheckedAtActivation,
    }
    /// Which control records may stand in `bootstrap.checkpoint`.
    LegacyControlRecords {
        /// Leader change, snapshot header and footer; another ends the server at start.
        WithoutVoters,
        /// kraft.version and voters, too: a zero checkpoint under that name can be read.
        AlsoVoters,
    }
    /// What the controller does with the metadata records of the zero checkpoint.
    ZeroCheckpointUse {
        /// They are replayed as committed state, like any snapshot; nothing of them is written to the log.
        CommittedState,
        /// They are lost: the checkpoint is closed unread.
        Discarded,
        /// If there is at least one, they replace the bootstrap records read at start.
        ReplacesSource,
        /// They are the bootstrap records; the legacy file is used only if there are none, and a warning is written
        /// if both have some.
        IsBootstrap,
    }
}

room! {
    /// Rules of the bootstrap source.
    BootstrapRules, "bootstrap" {
        /// Which bootstrap records has a node without any bootstrap file?
        default_source: DefaultSource = Configured, since V4_0 NewestProduction;
            "metadata/src/main/java/org/apache/kafka/metadata/bootstrap/BootstrapDirectory.java";
        /// When must the metadata.version of the legacy file be a known one?
        legacy_file_level: LegacyFileLevel = CheckedAtStart, since V4_0 CheckedAtActivation;
            "metadata/src/main/java/org/apache/kafka/metadata/bootstrap/BootstrapMetadata.java";
        /// Which control records are accepted in the legacy file?
        legacy_control_records: LegacyControlRecords = WithoutVoters, since V4_4 AlsoVoters;
            "metadata/src/main/java/org/apache/kafka/metadata/util/BatchFileReader.java";
        /// What becomes of the metadata records in the zero checkpoint?
        zero_checkpoint: ZeroCheckpointUse = CommittedState,
            since V4_3 Discarded,
            since V4_4 ReplacesSource,
            since Kip1170 IsBootstrap;
            "metadata/src/main/java/org/apache/kafka/controller/QuorumController.java";
    }
}
