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
        /// It becomes a candidate at start whatever it was, and leader by its own vote; one that starts as a candidate
        /// is the leader by then, which is an error.
        CandidateAtStart,
        /// By a pre-vote and a vote of its own before its first poll; one that starts as a candidate by its vote.
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
    /// What becomes of a checkpoint that the log has found by a name, and whose file is not there.
    MissingSnapshot {
        /// The process that reads it ends: it handles another error than the one for a missing file.
        Fails,
        /// The log forgets it.
        Forgotten,
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
    /// Which versions of raft's own RPCs a release speaks.
    RaftApiVersions {
        /// `VOTE` 1, `FETCH` 17, `ADD_RAFT_VOTER` 0: directory ids and endpoints (KIP-853).
        Reconfiguration,
        /// `VOTE` 2 on top: pre-votes (KIP-996).
        PreVote,
        /// `FETCH` 18 on top: the high watermark the follower knows (KIP-1166).
        FetchHighWatermark,
        /// `ADD_RAFT_VOTER` 1 on top: an answer before the change is committed.
        AutoJoin,
        /// `ApiVersions` 5 on top: which cluster and node the client means (KIP-1242).
        CheckedIdentity,
    }
    /// What a candidate does that cannot win, or whose election timed out.
    ElectionLoss {
        /// It backs off in both cases, and then becomes a candidate of the next epoch.
        BacksOff,
        /// It backs off after a rejection and then asks for pre-votes; after a timeout it asks for them at once.
        BacksOffAfterRejection,
        /// It waits for the end of its election timeout and then asks for pre-votes.
        WaitsForTimeout,
    }
    /// How long a candidate backs off after a lost election.
    ElectionBackoff {
        /// A random multiple of 50 ms, more with every loss, up to the configured longest and a random part of 50 ms.
        Jittered,
        /// A random multiple of 100 ms, up to the configured longest, which it soon is every time; a bug.
        SoonTheSame,
    }
    /// Whether a leader gives up when no majority fetches from it.
    CheckQuorum {
        /// It does, unless it is the only voter.
        Checked,
        /// It does, also where it is the only voter, from which nobody fetches; a bug.
        CheckedByOneVoterToo,
        /// It does not; a bug.
        Unchecked,
    }
    /// What a leader may call committed.
    CommitEpoch {
        /// Nothing before a record of its own epoch is on a majority.
        OwnEpochFirst,
        /// Whatever is on a majority, also of earlier epochs alone; a bug.
        AnyEpoch,
    }
    /// Whether a leader that is no voter any more counts towards what is committed.
    LeaderOutsideVoters {
        /// It does not.
        NotCounted,
        /// It does; a bug.
        Counted,
    }
    /// Whether a replica that knows the leader of an epoch still remembers for whom it voted in it.
    VoteMemory {
        /// It does not; the vote is also gone from `quorum-state`.
        ForgottenWithLeader,
        /// It does, for as long as the epoch lasts.
        KeptForEpoch,
    }
    /// What a replica that resigned does when its election timeout is over.
    AfterResignation {
        /// A voter becomes a candidate, an observer becomes unattached in the next epoch.
        VoterBecomesCandidate,
        /// It becomes unattached in the next epoch.
        BecomesUnattached,
    }
    /// When a voter tells the leader its endpoints and kraft.version range.
    UpdateVoter {
        /// Every three fetch timeouts, if its entry in the voter set is out of date.
        WhenOutOfDate,
        /// Every fetch timeout: on kraft.version 1 if its entry is out of date, on 0 once to every leader.
        AlsoToEveryLeader,
    }
    /// How the address of the leader in an answer to `UPDATE_RAFT_VOTER` is read.
    UpdateVoterLeaderAddress {
        /// Only where the answer gives none; a bug.
        WhenAbsent,
        /// Where the answer gives one.
        WhenPresent,
    }
    /// From where a replica goes on looking for voters and kraft.version after its log was cut.
    VotersAfterTruncation {
        /// From the cut.
        ReadFromTheCut,
        /// From where the log ended before; what is written into the gap is never seen; a bug.
        ReadFromTheOldEnd,
    }
    /// What an answer to `FETCH_SNAPSHOT` with an unexpected error does.
    FetchSnapshotError {
        /// The error is not looked at; the checkpoint id of the answer is.
        Overlooked,
        /// The request counts as failed.
        Checked,
    }
    /// How an observer that heard nothing from the leader for a fetch timeout goes on.
    ObserverFetchTimeout {
        /// It asks the bootstrap servers only.
        AsksBootstrapServers,
        /// As before: the leader, or the bootstrap servers while the leader does not answer.
        NoChange,
    }
    /// Whether a voter that follows wakes up for the end of the period of voter updates.
    VoterUpdateWakeup {
        /// It does.
        Counted,
        /// It does not; the end is noticed when something else wakes it.
        NotCounted,
    }
    /// In which order Kafka hands out the items of a set.
    SetOrder {
        /// As a hash table has them, which is by id for small ids.
        OfHashTable,
        /// As an immutable set has them: another order in every process.
        OfImmutableSet,
    }
    /// What the hash of a node is made of, which decides in which order a resigned leader tells the voters.
    NodeHash {
        /// Its address and id.
        AddressAndId,
        /// Also whether it is fenced.
        WithFencing,
    }
    /// When a follower asks the leader after the period of voter updates ended without anything to update.
    UpdateVoterIdle {
        /// It asks the leader even where it waits for an answer or backs off.
        FetchesFromLeader,
        /// As always: the leader, or the bootstrap servers while the leader does not answer.
        FetchesFromBestNode,
    }
}

room! {
    /// Rules of raft.
    RaftRules, "raft" {
        /// Does a replica ask for pre-votes?
        pre_vote: PreVote = Absent, since V4_0 Asked;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// How does the only voter become leader?
        single_voter_start: SingleVoterStart = CandidateAtStart, since V4_0 LeaderDuringInitialize;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// How much does a follower ask for in one fetch?
        fetch_limit: FetchLimit = EightMebibytes, since V4_3 Configured;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// Can a controller join the voters by itself?
        auto_join: AutoJoin = Absent, since V4_2 Configurable;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// Can kraft.version be raised while running?
        kraft_version_upgrade: KRaftVersionUpgrade = Absent, since V4_1 Online;
            "raft/src/main/java/org/apache/kafka/raft/LeaderState.java";
        /// Where may a snapshot end?
        snapshot_alignment: SnapshotAlignment = AnyOffset, since V4_0 BatchBoundary;
            "core/src/main/scala/kafka/raft/KafkaMetadataLog.scala; 4.4:raft/src/main/java/org/apache/kafka/raft/internals/KafkaRaftLog.java";
        /// What becomes of a checkpoint whose file is not there?
        missing_snapshot: MissingSnapshot = Fails, since V4_3 Forgotten;
            "4.2:core/src/main/scala/kafka/raft/KafkaMetadataLog.scala, readSnapshot; 4.3:raft/src/main/java/org/apache/kafka/raft/internals/KafkaRaftLog.java, readSnapshot";
        /// When does a follower hear of a new high watermark?
        high_watermark_news: HighWatermarkNews = WithNextData, since V4_1 Pushed;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// Whom does a leader keep telling about its epoch?
        begin_quorum_epoch_targets: BeginQuorumEpochTargets = EveryVoter, since V4_2 SilentVoters;
            "raft/src/main/java/org/apache/kafka/raft/LeaderState.java";
        /// Which versions of raft's RPCs are spoken?
        api_versions: RaftApiVersions = Reconfiguration,
            since V4_0 PreVote,
            since V4_1 FetchHighWatermark,
            since V4_2 AutoJoin,
            since V4_4 CheckedIdentity;
            "clients/src/main/resources/common/message";
        /// What does a candidate do that cannot win?
        election_loss: ElectionLoss = BacksOff,
            since V4_0 BacksOffAfterRejection,
            since V4_1 WaitsForTimeout;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// How long does it back off after a lost election?
        election_backoff: ElectionBackoff = Jittered;
            "raft/src/main/java/org/apache/kafka/raft/RaftUtil.java";
        /// Does a leader give up that no majority fetches from?
        check_quorum: CheckQuorum = Checked;
            "raft/src/main/java/org/apache/kafka/raft/LeaderState.java";
        /// What may a leader call committed?
        commit_epoch: CommitEpoch = OwnEpochFirst;
            "raft/src/main/java/org/apache/kafka/raft/LeaderState.java";
        /// Does a leader count that is no voter any more?
        leader_outside_voters: LeaderOutsideVoters = NotCounted;
            "raft/src/main/java/org/apache/kafka/raft/LeaderState.java";
        /// Is a vote remembered once the leader is known?
        vote_memory: VoteMemory = ForgottenWithLeader, since V4_0 KeptForEpoch;
            "raft/src/main/java/org/apache/kafka/raft/QuorumState.java";
        /// What follows a resignation?
        after_resignation: AfterResignation = VoterBecomesCandidate, since V4_0 BecomesUnattached;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// When does a voter tell the leader about itself?
        update_voter: UpdateVoter = WhenOutOfDate, since V4_1 AlsoToEveryLeader;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// What does a follower fetch from when there was nothing to update?
        update_voter_idle: UpdateVoterIdle = FetchesFromLeader, since V4_1 FetchesFromBestNode;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// Does the period of voter updates wake a follower?
        voter_update_wakeup: VoterUpdateWakeup = Counted, since V4_2 NotCounted;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// From where does a replica look for voters after its log was cut?
        voters_after_truncation: VotersAfterTruncation = ReadFromTheCut;
            "raft/src/main/java/org/apache/kafka/raft/internals/KRaftControlRecordStateMachine.java";
        /// In which order are the voters that granted written down?
        granting_voters_order: SetOrder = OfHashTable, since V4_0 OfImmutableSet;
            "raft/src/main/java/org/apache/kafka/raft/LeaderState.java";
        /// In which order are the keys of a voter set handed out?
        voter_keys_order: SetOrder = OfHashTable, since V4_4 OfImmutableSet;
            "raft/src/main/java/org/apache/kafka/raft/VoterSet.java";
        /// What is the hash of a node made of?
        node_hash: NodeHash = AddressAndId, since V4_0 WithFencing;
            "clients/src/main/java/org/apache/kafka/common/Node.java";
        /// Is the leader's address in an answer to `UPDATE_RAFT_VOTER` used?
        update_voter_leader_address: UpdateVoterLeaderAddress = WhenAbsent, since V4_1 WhenPresent;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// Is an error in an answer to `FETCH_SNAPSHOT` looked at?
        fetch_snapshot_error: FetchSnapshotError = Overlooked, since V4_1 Checked;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
        /// What does an observer do after a fetch timeout?
        observer_fetch_timeout: ObserverFetchTimeout = AsksBootstrapServers, since V4_2 NoChange;
            "raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java";
    }
}
