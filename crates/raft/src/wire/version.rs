use releases::RaftRules;
use releases::raft::RaftApiVersions;

use super::walk::Spare;
use super::{Api, Kind, Message};
use crate::message::{ApiKey, Request, UnsupportedVersion};

/// The field of `AddRaftVoterRequest` that the library lacks.
pub(super) const ACK_WHEN_COMMITTED: &str = "ackWhenCommitted";

/// The version in which a sender and a receiver talk: the newest that both speak, if there is one.
///
/// Source: `latestUsableVersion` in `4.4:clients/…/NodeApiVersions.java`.
pub fn version_for(api: Api, sender: &RaftRules, receiver: &RaftRules) -> Option<i16> {
    let of = |rules: &RaftRules| rules.api_versions.versions(api.code());
    let (one, other) = (of(sender)?, of(receiver)?);
    let version = (*one.end()).min(*other.end());
    (one.contains(&version) && other.contains(&version)).then_some(version)
}

/// Whether any release speaks a version.
pub(super) fn exists(api: Api, version: i16) -> bool {
    RaftApiVersions::versions_of_any(api.code()).is_some_and(|range| range.contains(&version))
}

/// The version nearest to one that the library has. It begins at Fetch 4, and ends at `AddRaftVoter` 0 and `ApiVersions` 4.
pub(super) fn in_library(kind: Kind, version: i16) -> i16 {
    match kind.api {
        Api::Raft(ApiKey::Fetch) => version.max(4),
        Api::Raft(ApiKey::AddRaftVoter) => version.min(0),
        Api::Raft(ApiKey::ApiVersions) => version.min(4),
        Api::Raft(_) | Api::ControllerRegistration => version,
    }
}

/// Values of fields that only one of a version and the library's nearest has, where they are not zeros.
pub(super) fn defaults() -> Spare {
    Spare::default()
        // Fetch 0 to 2 know no limit.
        .with("maxBytes", &i32::MAX.to_be_bytes())
        // ApiVersions 5: no node is meant, and no cluster.
        .with("nodeId", &(-1_i32).to_be_bytes())
        .with(ACK_WHEN_COMMITTED, &[1])
}

/// What a message has that the library lacks.
pub(super) fn spare_of(message: &Message) -> Spare {
    match message {
        Message::Request(Request::AddRaftVoter(request)) => {
            defaults().with(ACK_WHEN_COMMITTED, &[u8::from(request.ack_when_committed)])
        }
        _ => defaults(),
    }
}

/// Refuses what Kafka's schemas do not let a version leave out.
pub(super) fn check_sayable(message: &Message, version: i16) -> Result<(), UnsupportedVersion> {
    let refused = match message {
        Message::Request(Request::Vote(vote)) => version < 2 && vote.pre_vote,
        Message::Request(Request::AddRaftVoter(add)) => version < 1 && !add.ack_when_committed,
        _ => false,
    };
    match message {
        Message::Request(request) if refused => Err(UnsupportedVersion {
            api: request.api(),
            version,
        }),
        _ => Ok(()),
    }
}
