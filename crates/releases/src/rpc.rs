//! Which versions of raft's RPCs, and of those around it, a release speaks.

use std::ops::RangeInclusive;

use crate::raft::RaftApiVersions;

/// An API and the range of each behaviour in the order of [`RaftApiVersions`]. Versions that a release calls unstable
/// are not in it.
struct Row {
    api_key: i16,
    ranges: [(i16, i16); 5],
}

/// Source: `clients/src/main/resources/common/message` of each branch, `validVersions` without `latestVersionUnstable`.
const ROWS: [Row; 11] = [
    // Fetch
    row(1, [(0, 17), (4, 17), (4, 18), (4, 18), (4, 18)]),
    // ApiVersions
    row(18, [(0, 4), (0, 4), (0, 4), (0, 4), (0, 5)]),
    // Vote
    row(52, [(0, 1), (0, 2), (0, 2), (0, 2), (0, 2)]),
    // BeginQuorumEpoch
    row(53, [(0, 1); 5]),
    // EndQuorumEpoch
    row(54, [(0, 1); 5]),
    // DescribeQuorum
    row(55, [(0, 2); 5]),
    // FetchSnapshot
    row(59, [(0, 1); 5]),
    // ControllerRegistration
    row(70, [(0, 0); 5]),
    // AddRaftVoter
    row(80, [(0, 0), (0, 0), (0, 0), (0, 1), (0, 1)]),
    // RemoveRaftVoter
    row(81, [(0, 0); 5]),
    // UpdateRaftVoter
    row(82, [(0, 0); 5]),
];

const fn row(api_key: i16, ranges: [(i16, i16); 5]) -> Row {
    Row { api_key, ranges }
}

impl RaftApiVersions {
    /// The versions of an API, by Kafka's number of it; `None` for one that is not in the table.
    pub fn versions(self, api_key: i16) -> Option<RangeInclusive<i16>> {
        let row = ROWS.iter().find(|row| row.api_key == api_key)?;
        let (min, max) = row.ranges[self as usize];
        Some(min..=max)
    }

    /// The versions of an API that any release speaks.
    pub fn versions_of_any(api_key: i16) -> Option<RangeInclusive<i16>> {
        let row = ROWS.iter().find(|row| row.api_key == api_key)?;
        let min = row.ranges.iter().map(|range| range.0).min()?;
        let max = row.ranges.iter().map(|range| range.1).max()?;
        Some(min..=max)
    }
}
