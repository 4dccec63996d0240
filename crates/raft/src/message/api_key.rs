use std::fmt;

use releases::RaftRules;

/// The API of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ApiKey {
    /// 1
    Fetch,
    /// 18
    ApiVersions,
    /// 52
    Vote,
    /// 53
    BeginQuorumEpoch,
    /// 54
    EndQuorumEpoch,
    /// 55
    DescribeQuorum,
    /// 59
    FetchSnapshot,
    /// 80
    AddRaftVoter,
    /// 81
    RemoveRaftVoter,
    /// 82
    UpdateRaftVoter,
}

impl ApiKey {
    /// All of them, by number.
    pub const ALL: [ApiKey; 10] = [
        ApiKey::Fetch,
        ApiKey::ApiVersions,
        ApiKey::Vote,
        ApiKey::BeginQuorumEpoch,
        ApiKey::EndQuorumEpoch,
        ApiKey::DescribeQuorum,
        ApiKey::FetchSnapshot,
        ApiKey::AddRaftVoter,
        ApiKey::RemoveRaftVoter,
        ApiKey::UpdateRaftVoter,
    ];

    /// The number that stands for the API on the wire.
    pub fn code(self) -> i16 {
        [1, 18, 52, 53, 54, 55, 59, 80, 81, 82][self as usize]
    }

    /// Kafka's name in upper case, as the scenario language has it.
    pub fn name(self) -> &'static str {
        [
            "FETCH",
            "API_VERSIONS",
            "VOTE",
            "BEGIN_QUORUM_EPOCH",
            "END_QUORUM_EPOCH",
            "DESCRIBE_QUORUM",
            "FETCH_SNAPSHOT",
            "ADD_RAFT_VOTER",
            "REMOVE_RAFT_VOTER",
            "UPDATE_RAFT_VOTER",
        ][self as usize]
    }

    /// The newest version a release speaks.
    pub fn latest_version(self, rules: &RaftRules) -> i16 {
        let versions = rules.api_versions.versions(self.code());
        *versions
            .expect("releases has a row for each API of raft")
            .end()
    }

    /// The version in which two releases talk.
    pub fn common_version(self, one: &RaftRules, other: &RaftRules) -> i16 {
        self.latest_version(one).min(self.latest_version(other))
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A request says what a version cannot say; the sender is told `UNSUPPORTED_VERSION`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{api} in version {version} cannot say this")]
pub struct UnsupportedVersion {
    pub api: ApiKey,
    pub version: i16,
}
