//! Which versions of a record each line of releases knows, and which it writes at a metadata.version.

use super::RecordKind;
use crate::feature::{Line, MetadataVersion};

/// The highest version of a record in the schemas, since a line. A record that is not named here has version 0 in every
/// line; one that is named is unknown to the lines before its first row.
///
/// Source: `…:metadata/src/main/resources/common/metadata/*.json` of each branch.
const HIGHEST: &[(RecordKind, Line, i16)] = &[
    (RecordKind::RegisterBroker, Line::V3_9, 3),
    (RecordKind::RegisterBroker, Line::V4_3, 4),
    (RecordKind::BrokerRegistrationChange, Line::V3_9, 2),
    (RecordKind::BrokerRegistrationChange, Line::V4_3, 3),
    (RecordKind::Partition, Line::V3_9, 2),
    (RecordKind::PartitionChange, Line::V3_9, 2),
    (RecordKind::ClearElr, Line::V4_0, 0),
    (RecordKind::UnregisterController, Line::V4_4, 0),
];

/// The versions of `kind` that the schemas of `line` describe, lowest and highest; `None` if the line does not know
/// the record at all: reading it ends the process.
pub fn valid_versions(line: Line, kind: RecordKind) -> Option<(i16, i16)> {
    let mut rows = HIGHEST
        .iter()
        .filter(|(named, ..)| *named == kind)
        .peekable();
    if rows.peek().is_none() {
        return Some((0, 0));
    }
    let (.., highest) = rows.rfind(|(_, since, _)| *since <= line)?;
    Some((0, *highest))
}

/// From which metadata.version on a line writes which version of a record.
struct Written {
    kind: RecordKind,
    /// The first line that writes it so, up to the line of the record's next row.
    line: Line,
    /// (first metadata.version, version written), ascending; empty: the record is not written any more.
    since: &'static [(i16, i16)],
    /// First metadata.version at which the record is no longer written.
    until: Option<i16>,
}

const fn written(kind: RecordKind, line: Line, since: &'static [(i16, i16)]) -> Written {
    Written {
        kind,
        line,
        since,
        until: None,
    }
}

/// A row per record and line at which something changes, ascending; a record is not written before its first row.
#[rustfmt::skip]
const WRITTEN: &[Written] = &[
    written(RecordKind::RegisterBroker, Line::V3_9, &[(1, 0), (7, 1), (8, 2), (17, 3)]),
    written(RecordKind::RegisterBroker, Line::V4_3, &[(1, 0), (7, 1), (8, 2), (17, 3), (30, 4)]),
    written(RecordKind::UnregisterBroker, Line::V3_9, &[(1, 0)]),
    written(RecordKind::RegisterController, Line::V3_9, &[(15, 0)]),
    written(RecordKind::UnregisterController, Line::V4_4, &[(33, 0)]),
    written(RecordKind::Topic, Line::V3_9, &[(1, 0)]),
    written(RecordKind::RemoveTopic, Line::V3_9, &[(1, 0)]),
    // 3.9 had the level that 4.0 calls 4.0-IV1 one lower.
    written(RecordKind::Partition, Line::V3_9, &[(1, 0), (17, 1), (22, 2)]),
    written(RecordKind::Partition, Line::V4_0, &[(1, 0), (17, 1), (23, 2)]),
    written(RecordKind::PartitionChange, Line::V3_9, &[(1, 0), (17, 1), (22, 2)]),
    written(RecordKind::PartitionChange, Line::V4_0, &[(1, 0), (17, 1), (23, 2)]),
    // The version follows the change; this is the highest that may be written.
    written(RecordKind::BrokerRegistrationChange, Line::V3_9, &[(6, 0), (7, 1), (17, 2)]),
    written(RecordKind::BrokerRegistrationChange, Line::V4_3, &[(6, 0), (7, 1), (17, 2), (30, 3)]),
    Written { kind: RecordKind::FenceBroker, line: Line::V3_9, since: &[(1, 0)], until: Some(6) },
    written(RecordKind::FenceBroker, Line::V4_0, &[]),
    Written { kind: RecordKind::UnfenceBroker, line: Line::V3_9, since: &[(1, 0)], until: Some(6) },
    written(RecordKind::UnfenceBroker, Line::V4_0, &[]),
    written(RecordKind::FeatureLevel, Line::V3_9, &[(4, 0)]),
    written(RecordKind::Config, Line::V3_9, &[(1, 0)]),
    written(RecordKind::ClientQuota, Line::V3_9, &[(1, 0)]),
    written(RecordKind::ProducerIds, Line::V3_9, &[(1, 0)]),
    written(RecordKind::AccessControlEntry, Line::V3_9, &[(1, 0)]),
    written(RecordKind::RemoveAccessControlEntry, Line::V3_9, &[(1, 0)]),
    written(RecordKind::NoOp, Line::V3_9, &[(5, 0)]),
    written(RecordKind::ZkMigrationState, Line::V3_9, &[(8, 0)]),
    written(RecordKind::ZkMigrationState, Line::V4_0, &[]),
    written(RecordKind::UserScramCredential, Line::V3_9, &[(11, 0)]),
    written(RecordKind::RemoveUserScramCredential, Line::V3_9, &[(11, 0)]),
    written(RecordKind::BeginTransaction, Line::V3_9, &[(13, 0)]),
    written(RecordKind::EndTransaction, Line::V3_9, &[(13, 0)]),
    written(RecordKind::AbortTransaction, Line::V3_9, &[(13, 0)]),
    written(RecordKind::DelegationToken, Line::V3_9, &[(14, 0)]),
    written(RecordKind::RemoveDelegationToken, Line::V3_9, &[(14, 0)]),
    written(RecordKind::ClearElr, Line::V4_0, &[(23, 0)]),
];

/// The version of `kind` that a controller of `line` writes at `metadata_version`, or `None` if it writes none.
///
/// Of [`RecordKind::BrokerRegistrationChange`] it is the highest one: there the version follows the change, 0 for
/// fencing, 1 for a shutdown, 2 for log directories, 3 for cordoned ones.
pub fn record_version_for(
    line: Line,
    kind: RecordKind,
    metadata_version: MetadataVersion,
) -> Option<i16> {
    let row = WRITTEN
        .iter()
        .rfind(|row| row.kind == kind && row.line <= line)?;
    if row.until.is_some_and(|until| metadata_version.0 >= until) {
        return None;
    }
    let since = row
        .since
        .iter()
        .rev()
        .find(|(since, _)| metadata_version.0 >= *since);
    since.map(|(_, version)| *version)
}
