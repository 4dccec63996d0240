//! How the active controller looks after brokers, topics and partitions.

use crate::rule::{behaviours, room};

behaviours! {
    /// How the active controller notices that a broker's session has ended.
    SessionTracking {
        /// By a list of the unfenced brokers, sorted by when each was last touched; a check is scheduled for the end of
        /// the first session.
        UnfencedBrokers,
        /// By the time of the last heartbeat of every broker and epoch, fenced or not, noted before the request is
        /// queued; a periodic task looks for ended sessions eight times per session timeout.
        HeartbeatTimes,
    }
    /// Whose sessions begin with the activation of a controller.
    SessionsAtActivation {
        /// Those of all registered brokers, so that a broker that is fenced already is fenced again when nothing is
        /// heard of it.
        AllBrokers,
        /// Those of the brokers that are not fenced.
        UnfencedBrokers,
    }
    /// What becomes of the partitions of a broker that registers as a new process.
    NewIncarnation {
        /// With eligible leader replicas in the metadata.version, its replicas are taken as lost in an unclean
        /// shutdown; else nothing happens.
        UncleanWithElrRecords,
        /// With eligible leader replicas enabled and no word of a clean shutdown, its replicas are taken as lost; else it
        /// leaves the in-sync replicas as if it had been fenced.
        ByShutdown,
    }
    /// What a node may be called that has a configuration of its own.
    ConfiguredNodeNames {
        /// Anything.
        Any,
        /// By its id: a controller that replays the first configuration of another name ends.
        NodeIds,
    }
    /// Whether partitions have eligible leader replicas.
    EligibleLeaders {
        /// Never.
        Never,
        /// When the feature is enabled.
        ByFeature,
    }
    /// What the assignment of replicas to log directories does to eligible leader replicas.
    EligibleLeadersAtAssignment {
        /// It clears them, because the change of the partition is not told that they are enabled.
        Cleared,
        /// It keeps them.
        Kept,
    }
    /// When the last known leader of a partition without in-sync and eligible replicas is elected.
    LastKnownLeader {
        /// Always, even if it is fenced.
        EvenIfFenced,
        /// When it is alive.
        WhenAlive,
    }
    /// When the last known leader of a partition is noted, and forgotten.
    LastKnownLeaderNote {
        /// Noted when the in-sync replicas become none; forgotten whenever the partition changes and has a leader.
        WithInSyncReplicas,
        /// Noted when the leader becomes none for the first time; forgotten when one is elected.
        WithLeader,
    }
    /// When a reassignment is complete.
    ReassignmentEnd {
        /// When all replicas of the target are in sync.
        AllInSync,
        /// When all added replicas are in sync; if the replication factor goes down, when all of the target are.
        AddedInSync,
    }
    /// How a pair or triple is hashed, which decides in what order partitions and sessions are looked at.
    KeyHash {
        /// `Objects.hash` of its parts.
        ObjectsHash,
        /// As a Java record.
        RecordHash,
    }
    /// Whether a value of a configuration may be longer than 32 767 characters.
    LongConfigValues {
        /// The record of it cannot be written.
        Accepted,
        /// It is refused.
        Refused,
    }
    /// Which nodes can be configured by name.
    ConfigurableNodes {
        /// Brokers that are registered, and the controllers of `controller.quorum.voters`.
        BrokersAndVoters,
        /// Controllers that are registered, too.
        RegisteredControllersToo,
    }
    /// Whether `cordoned.log.dirs` means something.
    CordonedLogDirs {
        /// It is a configuration like any other.
        Unknown,
        /// It needs its metadata.version, and a controller only takes directories out of it.
        Checked,
    }
}

room! {
    /// Rules of brokers, topics and partitions.
    ReplicationRules, "replication" {
        /// How is the end of a broker's session noticed?
        session_tracking: SessionTracking = UnfencedBrokers, since V4_0 HeartbeatTimes;
            "metadata/src/main/java/org/apache/kafka/controller/BrokerHeartbeatManager.java";
        /// Whose sessions begin with an activation?
        sessions_at_activation: SessionsAtActivation = UnfencedBrokers,
            since V4_0 AllBrokers,
            since V4_1 UnfencedBrokers;
            "metadata/src/main/java/org/apache/kafka/controller/ClusterControlManager.java";
        /// How is a key of a broker and its epoch hashed?
        session_hash: KeyHash = ObjectsHash, since V4_2 RecordHash;
            "metadata/src/main/java/org/apache/kafka/controller/BrokerIdAndEpoch.java";
        /// How is a key of a topic and a partition hashed?
        partition_hash: KeyHash = ObjectsHash, since V4_1 RecordHash;
            "server-common/src/main/java/org/apache/kafka/server/common/TopicIdPartition.java";
        /// What becomes of the partitions of a broker that comes back as a new process?
        new_incarnation: NewIncarnation = UncleanWithElrRecords, since V4_0 ByShutdown;
            "metadata/src/main/java/org/apache/kafka/controller/ReplicationControlManager.java";
        /// Are there eligible leader replicas?
        eligible_leaders: EligibleLeaders = Never, since V4_0 ByFeature;
            "metadata/src/main/java/org/apache/kafka/controller/ReplicationControlManager.java";
        /// What becomes of eligible leader replicas when a replica is assigned to a log directory?
        eligible_leaders_at_assignment: EligibleLeadersAtAssignment = Cleared, since V4_3 Kept;
            "metadata/src/main/java/org/apache/kafka/controller/ReplicationControlManager.java";
        /// When is the last known leader elected?
        last_known_leader: LastKnownLeader = EvenIfFenced, since V4_1 WhenAlive;
            "metadata/src/main/java/org/apache/kafka/controller/PartitionChangeBuilder.java";
        /// When is the last known leader noted?
        last_known_leader_note: LastKnownLeaderNote = WithInSyncReplicas, since V4_1 WithLeader;
            "metadata/src/main/java/org/apache/kafka/controller/PartitionChangeBuilder.java";
        /// When is a reassignment complete?
        reassignment_end: ReassignmentEnd = AllInSync, since V4_3 AddedInSync;
            "metadata/src/main/java/org/apache/kafka/controller/PartitionReassignmentReplicas.java";
        /// May the value of a configuration be very long?
        long_config_values: LongConfigValues = Accepted, since V4_1 Refused;
            "metadata/src/main/java/org/apache/kafka/controller/ConfigurationControlManager.java";
        /// Which nodes can be configured by name?
        configurable_nodes: ConfigurableNodes = BrokersAndVoters,
            since V4_3 RegisteredControllersToo;
            "metadata/src/main/java/org/apache/kafka/controller/QuorumController.java";
        /// Under which names can the log hold configurations of nodes?
        configured_node_names: ConfiguredNodeNames = Any, since V4_0 NodeIds;
            "metadata/src/main/java/org/apache/kafka/controller/ConfigurationControlManager.java";
        /// Does cordoned.log.dirs mean something?
        cordoned_log_dirs: CordonedLogDirs = Unknown, since V4_3 Checked;
            "metadata/src/main/java/org/apache/kafka/controller/ConfigurationControlManager.java";
    }
}
