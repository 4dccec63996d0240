//! How replicas elect and replicate.

use crate::rule::{behaviours, room};

behaviours! {
    /// Whether a replica asks for pre-votes before it becomes a candidate.
    PreVote {
        /// It becomes a candidate at once.
        Absent,
        /// It first becomes prospective and asks whether it would get the votes (KIP-996).
        Asked,
    }
    /// How the only voter of a quorum becomes leader.
    SingleVoterStart {
        /// It becomes a candidate at start, and leader at its first poll.
        CandidateAtStart,
        /// It is the leader before its first poll.
        LeaderDuringInitialize,
    }
    /// How many bytes a follower asks for in one fetch.
    FetchLimit {
        /// 8 MiB, fixed.
        EightMebibytes,
        /// `controller.quorum.fetch.max.bytes` and `controller.quorum.fetch.snapshot.max.bytes`, 1 MiB each by default.
        Configured,
    }
    /// Whether a controller can join the voters by itself.
    AutoJoin {
        /// It cannot.
        Absent,
        /// With `controller.quorum.auto.join.enable` an observer controller adds itself.
        Configurable,
    }
    /// Whether a running quorum can be moved from kraft.version 0 to 1.
    KRaftVersionUpgrade {
        /// It cannot.
        Absent,
        /// By a feature update, once all voters are known to support it.
        Online,
    }
    /// Which offsets a snapshot may end at.
    SnapshotAlignment {
        /// Any offset up to the high watermark.
        AnyOffset,
        /// Only the base offset of a batch.
        BatchBoundary,
    }
    /// What a clean close does to the preallocated index files.
    IndexFilesAtClose {
        /// They are cut to their entries.
        Trimmed,
        /// They keep their preallocated size.
        LeftPreallocated,
    }
    /// When a follower hears of a new high watermark.
    HighWatermarkNews {
        /// With the answer to its next fetch, which may wait as long as a fetch may wait.
        WithNextData,
        /// A fetch names the high watermark the follower knows, and is answered when there is a newer one (KIP-1166).
        Pushed,
    }
    /// To whom a leader sends `BeginQuorumEpoch` after its first one.
    BeginQuorumEpochTargets {
        /// To every voter, periodically.
        EveryVoter,
        /// To the voters that have not fetched lately.
        SilentVoters,
    }
}

room! {
    /// Rules of raft.
    RaftRules, "raft" {
        /// Does a replica ask for pre-votes?
        pre_vote: PreVote = [Absent, Asked, Asked, Asked, Asked, Asked, Asked],
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// How does the only voter become leader?
        single_voter_start: SingleVoterStart = [CandidateAtStart, LeaderDuringInitialize, LeaderDuringInitialize,
            LeaderDuringInitialize, LeaderDuringInitialize, LeaderDuringInitialize, LeaderDuringInitialize],
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// How much does a follower ask for in one fetch?
        fetch_limit: FetchLimit = [EightMebibytes, EightMebibytes, EightMebibytes, EightMebibytes, Configured,
            Configured, Configured],
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// Can a controller join the voters by itself?
        auto_join: AutoJoin = [Absent, Absent, Absent, Configurable, Configurable, Configurable, Configurable],
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// Can kraft.version be raised while running?
        kraft_version_upgrade: KRaftVersionUpgrade = [Absent, Absent, Online, Online, Online, Online, Online],
            "raft/src/main/java/org/apache/kafka/raft/LeaderState.java";
        /// Where may a snapshot end?
        snapshot_alignment: SnapshotAlignment = [AnyOffset, BatchBoundary, BatchBoundary, BatchBoundary, BatchBoundary,
            BatchBoundary, BatchBoundary],
            "core/src/main/scala/kafka/raft/KafkaMetadataLog.scala; 4.4:raft/src/main/java/org/apache/kafka/raft/internals/KafkaRaftLog.java";
        /// What happens to the index files at a clean stop?
        index_files_at_close: IndexFilesAtClose = [Trimmed, Trimmed, Trimmed, Trimmed, Trimmed, LeftPreallocated,
            LeftPreallocated],
            "storage/src/main/java/org/apache/kafka/storage/internals/log/AbstractIndex.java (as released in 4.4.0)";
        /// When does a follower hear of a new high watermark?
        high_watermark_news: HighWatermarkNews = [WithNextData, WithNextData, Pushed, Pushed, Pushed, Pushed, Pushed],
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// Whom does a leader keep telling about its epoch?
        begin_quorum_epoch_targets: BeginQuorumEpochTargets = [EveryVoter, EveryVoter, EveryVoter, SilentVoters,
            SilentVoters, SilentVoters, SilentVoters],
            "raft/src/main/java/org/apache/kafka/raft/LeaderState.java";
    }
}
