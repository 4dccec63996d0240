//! What control records say.

use crate::Uuid;
use crate::wire::message;

message! {
    /// A leader begins its epoch.
    pub struct LeaderChangeMessage {
        /// Version of this message, 0 or 1; every release writes 0.
        version: i16 = beside "version", since 0;
        leader_id: i32 = "leaderId", since 0;
        /// The voters of the epoch.
        voters: Vec<LeaderChangeVoter> = "voters", since 0;
        /// Those that voted for the leader, itself included.
        granting_voters: Vec<LeaderChangeVoter> = "grantingVoters", since 0;
    }

    /// A voter, as a leader change names it.
    pub struct LeaderChangeVoter {
        voter_id: i32 = "voterId", since 0;
        /// Its metadata log directory.
        voter_directory_id: Uuid = "voterDirectoryId", since 1;
    }

    /// Opens a checkpoint.
    pub struct SnapshotHeaderRecord {
        /// Version of this message.
        version: i16 = beside "version", since 0;
        /// Append time of the last record in it, in ms; 0 in `bootstrap.checkpoint`.
        last_contained_log_timestamp: i64 = "lastContainedLogTimestamp", since 0;
    }

    /// Closes a checkpoint.
    pub struct SnapshotFooterRecord {
        /// Version of this message.
        version: i16 = beside "version", since 0;
    }

    /// The finalized kraft.version.
    pub struct KRaftVersionRecord {
        /// Version of this message.
        version: i16 = beside "version", since 0;
        /// 0 static voters, 1 voters in the log.
        kraft_version: i16 = "kRaftVersion", since 0;
    }

    /// The voter set from here on.
    pub struct VotersRecord {
        /// Version of this message.
        version: i16 = beside "version", since 0;
        voters: Vec<Voter> = "voters", since 0;
    }

    /// A voter, as a voter set names it.
    pub struct Voter {
        voter_id: i32 = "voterId", since 0;
        /// Its metadata log directory; zero if it is not known.
        voter_directory_id: Uuid = "voterDirectoryId", since 0;
        /// Its listeners, the default one first.
        endpoints: Vec<VoterEndpoint> = "endpoints", since 0;
        /// The levels of kraft.version its software supports.
        kraft_version_feature: KRaftVersionFeature = "kRaftVersionFeature", since 0;
    }

    /// A listener of a voter.
    pub struct VoterEndpoint {
        name: String = "name", since 0;
        /// Host name or address.
        host: String = "host", since 0;
        port: u16 = "port", since 0;
    }

    /// The levels of kraft.version that a voter supports.
    pub struct KRaftVersionFeature {
        min_supported_version: i16 = "minSupportedVersion", since 0;
        max_supported_version: i16 = "maxSupportedVersion", since 0;
    }
}
