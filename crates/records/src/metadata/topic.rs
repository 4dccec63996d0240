//! Topics and partitions.

use crate::Uuid;
use crate::wire::message;

message! {
    /// A topic exists.
    pub struct TopicRecord {
        name: String = "name", since 0;
        topic_id: Uuid = "topicId", since 0;
    }

    /// A topic is gone, its partitions and configuration with it.
    pub struct RemoveTopicRecord {
        topic_id: Uuid = "topicId", since 0;
    }

    /// The full state of a partition.
    pub struct PartitionRecord {
        /// Its number within the topic.
        partition_id: i32 = "partitionId", since 0, default -1;
        topic_id: Uuid = "topicId", since 0;
        /// Brokers that hold it, preferred leader first.
        replicas: Vec<i32> = "replicas", since 0;
        /// Those in sync.
        isr: Vec<i32> = "isr", since 0;
        /// Those on their way out.
        removing_replicas: Vec<i32> = "removingReplicas", since 0;
        /// Those on their way in.
        adding_replicas: Vec<i32> = "addingReplicas", since 0;
        /// The leader; -1 for none.
        leader: i32 = "leader", since 0, default -1;
        /// 1 while it recovers from an unclean election.
        leader_recovery_state: i8 = "leaderRecoveryState", since 0, tag 0;
        leader_epoch: i32 = "leaderEpoch", since 0, default -1;
        /// Counts every change.
        partition_epoch: i32 = "partitionEpoch", since 0, default -1;
        /// Log directory of each replica, in their order.
        directories: Vec<Uuid> = "directories", since 1;
        /// Replicas that may lead though out of sync; `None` for none.
        eligible_leader_replicas: Option<Vec<i32>> = "eligibleLeaderReplicas", since 2, default None, tag 1;
        /// The last of them that were; `None` for none.
        last_known_elr: Option<Vec<i32>> = "lastKnownElr", since 2, default None, tag 2;
    }

    /// What changed in a partition; everything left out stays.
    pub struct PartitionChangeRecord {
        /// Its number within the topic.
        partition_id: i32 = "partitionId", since 0, default -1;
        topic_id: Uuid = "topicId", since 0;
        /// `None` for no change.
        isr: Option<Vec<i32>> = "isr", since 0, default None, tag 0;
        /// -2 for no change, -1 for no leader.
        leader: i32 = "leader", since 0, default -2, tag 1;
        /// `None` for no change.
        replicas: Option<Vec<i32>> = "replicas", since 0, default None, tag 2;
        /// `None` for no change.
        removing_replicas: Option<Vec<i32>> = "removingReplicas", since 0, default None, tag 3;
        /// `None` for no change.
        adding_replicas: Option<Vec<i32>> = "addingReplicas", since 0, default None, tag 4;
        /// -1 for no change.
        leader_recovery_state: i8 = "leaderRecoveryState", since 0, default -1, tag 5;
        /// `None` for no change.
        directories: Option<Vec<Uuid>> = "directories", since 1, default None, tag 8;
        /// `None` for no change.
        eligible_leader_replicas: Option<Vec<i32>> = "eligibleLeaderReplicas", since 2, default None, tag 6;
        /// `None` for no change.
        last_known_elr: Option<Vec<i32>> = "lastKnownElr", since 2, default None, tag 7;
    }

    /// All eligible leader replicas of a topic are forgotten.
    pub struct ClearElrRecord {
        /// The topic; empty for all of them.
        topic_name: String = "topicName", since 0;
    }
}
