use releases::RaftRules;
use releases::raft::RaftApiVersions;

use super::api::Api;

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
