//! Known bugs: named deviations that some releases have, and that can be planted into any other.

use crate::bootstrap::LegacyFileLevel;
use crate::config::UnadvertisedController;
use crate::controller::EmptyLogTest;
use crate::raft::{
    CheckQuorum, CommitEpoch, ElectionBackoff, LeaderOutsideVoters, VotersAfterTruncation,
};
use crate::storage::{FormatKRaftVersion, StaticVotersWithDynamicFlag};
use crate::{Release, Rules};

/// A known bug of some releases: it sets one field of the rules to the deviant behaviour.
#[derive(Clone, Copy)]
pub struct Quirk {
    /// Kafka's number for it, `KAFKA-20839`, or a name where it has none.
    pub id: &'static str,
    /// The releases that have it.
    pub affects: &'static [Release],
    /// The field it sets, as `room.field`.
    pub field: &'static str,
    /// What goes wrong, and after what, in plain words.
    pub summary: &'static str,
    /// Where it is to be seen in Kafka.
    pub source: &'static str,
    /// A scenario in the repository that shows it, if there is one yet.
    pub scenario: Option<&'static str>,
    pub(crate) apply: fn(&mut Rules),
}

impl std::fmt::Debug for Quirk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// All quirks, by number.
pub const QUIRKS: &[Quirk] = &[
    Quirk {
        id: "KAFKA-12619",
        affects: &[],
        field: "raft.commit_epoch",
        summary: "A new leader calls records of earlier epochs committed as soon as a majority has them, before it has \
                  one of its own epoch there: another leader may still replace them.",
        source: "mended in 3.0: raft/src/main/java/org/apache/kafka/raft/LeaderState.java",
        scenario: Some("simulations/museum/KAFKA-12619.scenario"),
        apply: |rules| rules.raft.commit_epoch = CommitEpoch::AnyEpoch,
    },
    Quirk {
        id: "KAFKA-15489",
        affects: &[],
        field: "raft.check_quorum",
        summary: "A leader that lost its majority goes on leading its epoch, and the nodes that still reach it stay with it.",
        source: "mended in 3.7: raft/src/main/java/org/apache/kafka/raft/LeaderState.java",
        scenario: Some("simulations/museum/KAFKA-15489.scenario"),
        apply: |rules| rules.raft.check_quorum = CheckQuorum::Unchecked,
    },
    Quirk {
        id: "KAFKA-16144",
        affects: &[],
        field: "raft.check_quorum",
        summary: "The only voter of a quorum resigns again and again, because nobody fetches from it.",
        source: "mended in 3.7: raft/src/main/java/org/apache/kafka/raft/LeaderState.java",
        scenario: Some("simulations/museum/KAFKA-16144.scenario"),
        apply: |rules| rules.raft.check_quorum = CheckQuorum::CheckedByOneVoterToo,
    },
    Quirk {
        id: "KAFKA-16530",
        affects: &[],
        field: "raft.leader_outside_voters",
        summary: "A leader that removed itself still counts its own log towards the majority that commits.",
        source: "mended in 3.9.0: raft/src/main/java/org/apache/kafka/raft/LeaderState.java",
        scenario: Some("simulations/museum/KAFKA-16530.scenario"),
        apply: |rules| rules.raft.leader_outside_voters = LeaderOutsideVoters::Counted,
    },
    Quirk {
        id: "KAFKA-18345",
        affects: &[Release::V3_9_1, Release::V4_0_0],
        field: "raft.election_backoff",
        summary: "After some lost elections every candidate backs off for the same time, the configured longest: they \
                  stand again in step, and split the votes again.",
        source: "3.9.1, 4.0.0:raft/src/main/java/org/apache/kafka/raft/KafkaRaftClient.java",
        scenario: Some("simulations/museum/KAFKA-18345.scenario"),
        apply: |rules| rules.raft.election_backoff = ElectionBackoff::SoonTheSame,
    },
    Quirk {
        id: "KAFKA-19192",
        affects: &[Release::V4_0_0],
        field: "bootstrap.legacy_file_level",
        summary: "A stale bootstrap.checkpoint whose metadata.version is too old ends the server at start, although \
                  the log is not empty and the file would never be used.",
        source: "4.0.0:metadata/src/main/java/org/apache/kafka/metadata/bootstrap/BootstrapMetadata.java",
        scenario: Some("simulations/museum/KAFKA-19192.scenario"),
        apply: |rules| rules.bootstrap.legacy_file_level = LegacyFileLevel::CheckedAtStart,
    },
    Quirk {
        id: "KAFKA-19489",
        affects: &[Release::V3_9_1, Release::V4_0_0, Release::V4_0_1],
        field: "storage.static_voters_with_dynamic_flag",
        summary: "A node with controller.quorum.voters can be formatted with --standalone or \
                  --initial-controllers: of three nodes with the same list, one so formatted and two with \
                  --no-initial-controllers, the one is a quorum of its own and the two are another.",
        source: "core/src/main/scala/kafka/tools/StorageTool.scala of these releases (measured)",
        scenario: Some("simulations/museum/KAFKA-19489.scenario"),
        apply: |rules| {
            rules.storage.static_voters_with_dynamic_flag = StaticVotersWithDynamicFlag::Accepted;
        },
    },
    Quirk {
        id: "KAFKA-19719",
        affects: &[Release::V3_9_1, Release::V4_0_0, Release::V4_0_1],
        field: "storage.kraft_version",
        summary: "A node with controller.quorum.voters cannot be formatted with --no-initial-controllers and a \
                  --release-version before 3.9, because that flag alone makes the formatter choose kraft.version 1.",
        source: "metadata/src/main/java/org/apache/kafka/metadata/storage/Formatter.java of these releases \
                 (measured)",
        scenario: Some("simulations/museum/KAFKA-19719.scenario"),
        apply: |rules| rules.storage.kraft_version = FormatKRaftVersion::WithQuorumFlag,
    },
    Quirk {
        id: "KAFKA-20380",
        affects: &[
            Release::V3_9_1,
            Release::V3_9_2,
            Release::V4_0_0,
            Release::V4_0_1,
            Release::V4_0_2,
            Release::V4_1_1,
            Release::V4_1_2,
            Release::V4_2_0,
        ],
        field: "config.unadvertised_controller",
        summary: "A controller of a static quorum that listens on every address and advertises none is said to be \
                  reached under its machine's own name, which others may not be able to resolve, although \
                  controller.quorum.voters names its address.",
        source: "core/src/main/scala/kafka/server/KafkaConfig.scala of these releases",
        scenario: None,
        apply: |rules| rules.config.unadvertised_controller = UnadvertisedController::AtMachineName,
    },
    Quirk {
        id: "KAFKA-20839",
        affects: &[
            Release::V3_9_1,
            Release::V3_9_2,
            Release::V4_0_0,
            Release::V4_0_1,
            Release::V4_0_2,
        ],
        field: "controller.empty_log_test",
        summary: "A controller that lost leadership before its bootstrap records were committed believes for the rest \
                  of its process that the log is not empty; when it leads again it never writes them, and the log \
                  stays without metadata.version.",
        source: "3.9, 4.0:metadata/src/main/java/org/apache/kafka/controller/QuorumController.java (LogReplayTracker)",
        scenario: Some("simulations/museum/KAFKA-20839.scenario"),
        apply: |rules| rules.controller.empty_log_test = EmptyLogTest::NoRecordEverReplayed,
    },
    Quirk {
        id: "VOTERS-AFTER-TRUNCATION",
        affects: &Release::ALL,
        field: "raft.voters_after_truncation",
        summary: "A replica whose log was cut goes on looking for voters where the log ended before: a voter set that \
                  is written into the gap is never seen by this process, which then counts majorities of the old one, \
                  and, when it leads, changes the old one.",
        source: "raft/src/main/java/org/apache/kafka/raft/internals/KRaftControlRecordStateMachine.java \
                 (truncateNewEntries leaves nextOffset); Kafka's own classes do so: \
                 oracle/schedules/reappended-voters.jsonl",
        scenario: Some("simulations/museum/VOTERS-AFTER-TRUNCATION.scenario"),
        apply: |rules| {
            rules.raft.voters_after_truncation = VotersAfterTruncation::ReadFromTheOldEnd;
        },
    },
];

/// No such quirk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown quirk `{given}`: did you mean {nearest}? Known are {}", QUIRKS.iter().map(|q| q.id).collect::<Vec<_>>().join(", "))]
pub struct UnknownQuirk {
    /// What was asked for.
    pub given: String,
    /// The quirk whose name is nearest to it.
    pub nearest: &'static str,
}

impl Quirk {
    /// The quirk of that name; `kafka-20839` and `20839` are understood too.
    pub fn named(given: &str) -> Result<&'static Quirk, UnknownQuirk> {
        let wanted = given.to_ascii_uppercase();
        let found = QUIRKS
            .iter()
            .find(|quirk| quirk.id == wanted || quirk.id.strip_prefix("KAFKA-") == Some(&wanted));
        found.ok_or_else(|| UnknownQuirk {
            given: given.to_owned(),
            nearest: crate::release::nearest(&wanted, QUIRKS.iter().map(|quirk| quirk.id)),
        })
    }

    /// Whether a release has it by itself.
    pub fn is_in(&self, release: Release) -> bool {
        self.affects.contains(&release)
    }
}
