//! What the quorum controller writes and refuses.

use crate::rule::{behaviours, room};

behaviours! {
    /// How a new active controller decides whether the log is empty, so that the bootstrap records must be written.
    EmptyLogTest {
        /// The log is empty while the state holds no metadata record; a revert takes records out of it again.
        NoRecordInState,
        /// The log is empty until the process has replayed its first metadata record, be it committed or not; nothing
        /// sets that back, not even a revert.
        NoRecordEverReplayed,
        /// The log is empty while metadata.version has no value in the state; a revert takes the value away again.
        MetadataVersionUnknown,
    }
    /// The metadata.version in force before any record names one.
    MetadataVersionBeforeRecords {
        /// 3.0-IV1, the oldest one.
        Oldest,
        /// The newest production one of the release.
        NewestProduction,
        /// None: asking for it is an error.
        Absent,
    }
    /// Whether activation writes the ZooKeeper migration state.
    ZkStateRecord {
        /// In the bootstrap transaction, where there is one.
        InTransaction,
        /// Never.
        Never,
    }
    /// Whether activation checks and reports the ZooKeeper migration.
    ZkMigration {
        /// Refusals, log text and pre-migration mode follow `zookeeper.metadata.migration.enable` and the state record.
        Supported,
        /// There is no such thing.
        Gone,
    }
    /// Whether activation writes `min.insync.replicas` as a cluster-wide config.
    ElrConfigRecord {
        /// Never.
        Never,
        /// If the bootstrap records enable eligible leader replicas.
        WhenElrEnabled,
    }
    /// What a replayed feature record named `kraft.version` does.
    KRaftVersionFeatureRecord {
        /// It is stored like any other feature.
        Stored,
        /// It is skipped: only control records say what kraft.version is.
        Skipped,
    }
    /// How the periodic work of the active controller is arranged.
    PeriodicTasks {
        /// As separate deferred events; a failure is a failure of that event.
        DeferredEvents,
        /// By a task manager; a failed task is counted and tried again, without failover.
        TaskManager,
    }
    /// What becomes of an update of several features of which one is refused.
    FeatureUpdates {
        /// The others are updated; dependencies between features are not looked at.
        EachForItself,
        /// None is updated.
        AllOrNothing,
    }
    /// What an update of kraft.version does.
    KRaftVersionUpdate {
        /// It writes a feature record, which changes nothing.
        AsAnyFeature,
        /// It asks raft, which writes control records.
        ByRaft,
    }
}

room! {
    /// Rules of the quorum controller.
    ControllerRules, "controller" {
        /// How is "the log is empty" decided at activation?
        empty_log_test: EmptyLogTest = NoRecordInState, since V4_1 MetadataVersionUnknown;
            "metadata/src/main/java/org/apache/kafka/controller/QuorumController.java";
        /// Which metadata.version is in force before any record names one?
        metadata_version_before_records: MetadataVersionBeforeRecords = Oldest,
            since V4_0 NewestProduction,
            since V4_1 Absent;
            "metadata/src/main/java/org/apache/kafka/controller/FeatureControlManager.java";
        /// Does activation write the ZooKeeper migration state?
        zk_state_record: ZkStateRecord = InTransaction, since V4_0 Never;
            "metadata/src/main/java/org/apache/kafka/controller/ActivationRecordsGenerator.java";
        /// Is there a ZooKeeper migration at all?
        zk_migration: ZkMigration = Supported, since V4_0 Gone;
            "metadata/src/main/java/org/apache/kafka/controller/ActivationRecordsGenerator.java";
        /// Does activation write min.insync.replicas?
        elr_config_record: ElrConfigRecord = Never, since V4_0 WhenElrEnabled;
            "metadata/src/main/java/org/apache/kafka/controller/ActivationRecordsGenerator.java";
        /// What does a feature record named kraft.version do?
        kraft_version_feature_record: KRaftVersionFeatureRecord = Stored, since V4_0 Skipped;
            "metadata/src/main/java/org/apache/kafka/controller/FeatureControlManager.java";
        /// How is periodic work arranged?
        periodic_tasks: PeriodicTasks = DeferredEvents, since V4_0 TaskManager;
            "metadata/src/main/java/org/apache/kafka/controller/QuorumController.java";
        /// What if one feature of an update is refused?
        feature_updates: FeatureUpdates = EachForItself, since V4_0 AllOrNothing;
            "metadata/src/main/java/org/apache/kafka/controller/FeatureControlManager.java";
        /// What does an update of kraft.version do?
        kraft_version_update: KRaftVersionUpdate = AsAnyFeature, since V4_1 ByRaft;
            "metadata/src/main/java/org/apache/kafka/controller/FeatureControlManager.java";
    }
}
