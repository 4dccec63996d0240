//! FETCH as Kafka's schema has it.

use std::sync::Arc;

use bytes::Bytes;
use records::Uuid;
use records::wire::message;

use super::errors::Errors;

message! {
    /// The fields of FETCH in the versions that raft uses; those of consumers keep their defaults.
    pub struct FetchRequestForm {
        /// The sender's cluster.
        cluster_id: Option<Arc<str>> = ignorable "clusterId", since 12, tag 0;
        replica_id: i32 = "replicaId", since 0 until 14, default -1;
        replica_state: ReplicaStateForm = "replicaState", since 15, tag 1;
        /// How long the answer may wait, in milliseconds.
        max_wait_ms: i32 = "maxWaitMs", since 0;
        /// Left at its default.
        min_bytes: i32 = "minBytes", since 0;
        /// How many bytes of batches the answer may hold.
        max_bytes: i32 = ignorable "maxBytes", since 3, default i32::MAX;
        /// Left at its default.
        isolation_level: i8 = ignorable "isolationLevel", since 4;
        /// Left at its default.
        session_id: i32 = ignorable "sessionId", since 7;
        /// Left at its default.
        session_epoch: i32 = ignorable "sessionEpoch", since 7, default -1;
        /// The metadata log.
        topics: Vec<FetchTopic> = "topics", since 0;
        /// Left at its default.
        forgotten_topics_data: Vec<ForgottenTopicForm> = "forgottenTopicsData", since 7;
        /// Left at its default.
        rack_id: String = ignorable "rackId", since 11;
    }

    /// The replica that fetches (version 15 and later).
    pub struct ReplicaStateForm {
        /// The replica, or −1.
        replica_id: i32 = "replicaId", since 15, default -1;
        /// Left at its default.
        replica_epoch: i64 = "replicaEpoch", since 15, default -1;
    }

    /// The metadata log.
    pub struct FetchTopic {
        /// `__cluster_metadata`.
        name: Arc<str> = ignorable "topic", since 0 until 12;
        id: Uuid = ignorable "topicId", since 13;
        /// Its only partition.
        partitions: Vec<FetchPartition> = "partitions", since 0;
    }

    /// The partition of the metadata log.
    pub struct FetchPartition {
        /// 0.
        index: i32 = "partition", since 0;
        /// The sender's epoch.
        current_leader_epoch: i32 = ignorable "currentLeaderEpoch", since 9, default -1;
        /// The sender's log end offset.
        fetch_offset: i64 = "fetchOffset", since 0;
        /// Epoch of the sender's last record.
        last_fetched_epoch: i32 = "lastFetchedEpoch", since 12, default -1;
        /// Left at its default.
        log_start_offset: i64 = ignorable "logStartOffset", since 5, default -1;
        /// Left at its default.
        partition_max_bytes: i32 = "partitionMaxBytes", since 0;
        /// The sender's directory.
        replica_directory_id: Uuid = ignorable "replicaDirectoryId", since 17, tag 0;
        /// The high watermark the sender knows.
        high_watermark: i64 = ignorable "highWatermark", since 18, default i64::MAX, tag 1;
    }

    /// A topic that a session leaves out.
    pub struct ForgottenTopicForm {
        topic: String = ignorable "topic", since 7 until 12;
        topic_id: Uuid = ignorable "topicId", since 13;
        partitions: Vec<i32> = "partitions", since 7;
    }

    /// Answer to [`super::FetchRequest`].
    pub struct FetchResponseForm {
        /// Left at its default.
        throttle_time_ms: i32 = ignorable "throttleTimeMs", since 1;
        /// Top level error.
        error_code: Errors = ignorable "errorCode", since 7;
        /// Left at its default.
        session_id: i32 = "sessionId", since 7;
        /// The metadata log, or none.
        responses: Vec<FetchResponseTopic> = "responses", since 0;
        /// The leader's endpoint, or none.
        node_endpoints: Vec<FetchEndpointForm> = "nodeEndpoints", since 16, tag 0;
    }

    /// The metadata log.
    pub struct FetchResponseTopic {
        /// `__cluster_metadata`.
        name: Arc<str> = ignorable "topic", since 0 until 12;
        id: Uuid = ignorable "topicId", since 13;
        /// Its only partition.
        partitions: Vec<FetchResponsePartition> = "partitions", since 0;
    }

    /// The partition of a [`super::FetchResponse`].
    pub struct FetchResponsePartition {
        /// 0.
        index: i32 = "partitionIndex", since 0;
        error_code: Errors = "errorCode", since 0;
        /// The leader's high watermark, or −1.
        high_watermark: i64 = "highWatermark", since 0;
        /// Left at its default.
        last_stable_offset: i64 = ignorable "lastStableOffset", since 4, default -1;
        /// The leader's log start offset.
        log_start_offset: i64 = ignorable "logStartOffset", since 5, default -1;
        /// Where the sender must truncate to.
        diverging_epoch: EpochEndOffsetForm = "divergingEpoch", since 12, tag 0;
        /// The leader the receiver knows.
        current_leader: LeaderIdAndEpochForm = "currentLeader", since 12, tag 1;
        /// The checkpoint the sender must fetch.
        snapshot_id: FetchSnapshotIdForm = "snapshotId", since 12, tag 2;
        /// Left at its default.
        aborted_transactions: Option<Vec<AbortedTransactionForm>> = ignorable "abortedTransactions",
            since 4, default Some(Vec::new());
        /// Left at its default.
        preferred_read_replica: i32 = "preferredReadReplica", since 11, default -1;
        records: Option<Bytes> = "records", since 0;
    }

    /// The end of an epoch, or −1 and −1.
    pub struct EpochEndOffsetForm {
        epoch: i32 = "epoch", since 12, default -1;
        end_offset: i64 = "endOffset", since 12, default -1;
    }

    /// A leader, or −1 and −1.
    pub struct LeaderIdAndEpochForm {
        leader_id: i32 = "leaderId", since 12, default -1;
        leader_epoch: i32 = "leaderEpoch", since 12, default -1;
    }

    /// A checkpoint, or −1 and −1.
    pub struct FetchSnapshotIdForm {
        end_offset: i64 = "endOffset", since 0, default -1;
        epoch: i32 = "epoch", since 0, default -1;
    }

    /// A transaction, of which the metadata log has none.
    pub struct AbortedTransactionForm {
        producer_id: i64 = "producerId", since 4;
        first_offset: i64 = "firstOffset", since 4;
    }

    /// Where the leader is reached.
    pub struct FetchEndpointForm {
        node_id: i32 = "nodeId", since 16;
        host: Arc<str> = "host", since 16;
        port: i32 = "port", since 16;
        /// Left at its default.
        rack: Option<String> = "rack", since 16;
    }
}
