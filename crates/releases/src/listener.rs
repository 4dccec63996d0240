//! Which callbacks a listener gets.

use crate::rule::{behaviours, room};

behaviours! {
    /// The callback by which the zero checkpoint reaches a listener.
    ZeroCheckpointCallback {
        /// `handleLoadSnapshot`, like any other snapshot.
        LoadSnapshot,
        /// `handleLoadBootstrap`.
        LoadBootstrap,
    }
    /// How many bytes of committed batches one `handleCommit` may cover when they are read from disk.
    CommittedReadLimit {
        /// At most 8 MiB.
        EightMebibytes,
        /// Everything up to the high watermark in one segment.
        WholeSegment,
    }
}

room! {
    /// Rules of the listener callbacks.
    ListenerRules, "listener" {
        /// By which callback does the zero checkpoint arrive?
        zero_checkpoint: ZeroCheckpointCallback = LoadSnapshot,
            since V4_3 LoadBootstrap,
            since Kip1170 LoadSnapshot;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// How much does one handleCommit cover?
        committed_read_limit: CommittedReadLimit = EightMebibytes, since V4_3 WholeSegment;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
    }
}
