//! How brokers and controllers load metadata.

use crate::rule::{behaviours, room};

behaviours! {
    /// What the metadata loader does with the zero checkpoint.
    ZeroCheckpointLoad {
        /// It is loaded like any snapshot.
        LikeAnySnapshot,
        /// It is closed and ignored.
        Ignored,
    }
    /// When the loader has seen a record, without which it publishes nothing.
    RecordSeen {
        /// After any image reset, even by an empty snapshot.
        AnyImageReset,
        /// Once the image is not empty.
        ImageNotEmpty,
    }
    /// Whether the image of the loader knows that it ends at a batch.
    BatchAlignment {
        /// It does not; a snapshot may be taken of any published image.
        NotTracked,
        /// It does; a snapshot is taken of a batch-aligned image only.
        Tracked,
    }
    /// When the counters that trigger a snapshot start again.
    SnapshotCounters {
        /// When a snapshot is scheduled.
        ResetWhenScheduled,
        /// When the work on it starts.
        ResetWhenStarted,
    }
    /// What happens when an image without metadata.version is to be published.
    MissingMetadataVersion {
        /// It is published; a default stands in for it.
        Published,
        /// It is an error.
        Fault,
    }
    /// What happens when a broker registers a listener without a name.
    UnnamedListeners {
        /// Nothing.
        Accepted,
        /// It is an error.
        Refused,
    }
    /// When partitions in a snapshot carry their eligible leader replicas.
    ElrInSnapshot {
        /// From the metadata.version on that has the fields.
        WithMetadataVersion,
        /// While the feature is enabled.
        WithFeature,
    }
}

room! {
    /// Rules of the metadata loader and the snapshot generator.
    LoaderRules, "loader" {
        /// What does the loader do with the zero checkpoint?
        zero_checkpoint: ZeroCheckpointLoad = LikeAnySnapshot, since V4_3 Ignored;
            "metadata/src/main/java/org/apache/kafka/image/loader/MetadataLoader.java";
        /// When has the loader seen a record?
        record_seen: RecordSeen = AnyImageReset, since V4_0 ImageNotEmpty;
            "metadata/src/main/java/org/apache/kafka/image/loader/MetadataLoader.java";
        /// Does an image know whether it ends at a batch?
        batch_alignment: BatchAlignment = NotTracked, since V4_0 Tracked;
            "metadata/src/main/java/org/apache/kafka/image/loader/MetadataBatchLoader.java";
        /// When do the snapshot counters start again?
        snapshot_counters: SnapshotCounters = ResetWhenScheduled, since V4_0 ResetWhenStarted;
            "metadata/src/main/java/org/apache/kafka/image/publisher/SnapshotGenerator.java";
        /// What if an image without metadata.version is to be published?
        missing_metadata_version: MissingMetadataVersion = Published, since V4_0 Fault;
            "metadata/src/main/java/org/apache/kafka/image/loader/MetadataLoader.java";
        /// What if a broker registers a listener without a name?
        unnamed_listeners: UnnamedListeners = Accepted, since V4_1 Refused;
            "metadata/src/main/java/org/apache/kafka/metadata/BrokerRegistration.java";
        /// When do partitions in a snapshot carry their eligible leader replicas?
        elr_in_snapshot: ElrInSnapshot = WithMetadataVersion, since V4_0 WithFeature;
            "metadata/src/main/java/org/apache/kafka/metadata/PartitionRegistration.java";
    }
}
