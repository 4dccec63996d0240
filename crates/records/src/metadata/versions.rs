//! Which versions of a record each line of releases knows, and which it writes at a metadata.version.

use super::RecordKind;
use crate::feature::{Line, MetadataVersion};

/// The versions of `kind` that the schemas of `line` describe, lowest and highest; `None` if the line does not know
/// the record at all: reading it ends the process.
///
/// Source: `…:metadata/src/main/resources/common/metadata/*.json` of each branch.
pub fn valid_versions(line: Line, kind: RecordKind) -> Option<(i16, i16)> {
    let highest = match kind {
        RecordKind::RegisterBroker => match line {
            Line::V3_9 | Line::V4_0 | Line::V4_1 | Line::V4_2 => 3,
            Line::V4_3 | Line::V4_4 => 4,
        },
        RecordKind::BrokerRegistrationChange => match line {
            Line::V3_9 | Line::V4_0 | Line::V4_1 | Line::V4_2 => 2,
            Line::V4_3 | Line::V4_4 => 3,
        },
        RecordKind::Partition | RecordKind::PartitionChange => 2,
        RecordKind::ClearElr if line == Line::V3_9 => return None,
        RecordKind::UnregisterController if line != Line::V4_4 => return None,
        _ => 0,
    };
    Some((0, highest))
}

/// From which metadata.version on `line` writes which version of a record.
struct Written {
    kind: RecordKind,
    lines: &'static [Line],
    /// (first metadata.version, version written), ascending.
    since: &'static [(i16, i16)],
    /// First metadata.version at which the record is no longer written.
    until: Option<i16>,
}

const fn written(
    kind: RecordKind,
    lines: &'static [Line],
    since: &'static [(i16, i16)],
) -> Written {
    Written {
        kind,
        lines,
        since,
        until: None,
    }
}

const V3_9: &[Line] = &[Line::V3_9];
const ALL: &[Line] = &Line::ALL;
const FROM_4_0: &[Line] = &[Line::V4_0, Line::V4_1, Line::V4_2, Line::V4_3, Line::V4_4];
const UP_TO_4_2: &[Line] = &[Line::V3_9, Line::V4_0, Line::V4_1, Line::V4_2];
const FROM_4_3: &[Line] = &[Line::V4_3, Line::V4_4];

/// A row per record and group of lines; a record absent for a line is never written by it.
#[rustfmt::skip]
const WRITTEN: &[Written] = &[
    written(RecordKind::RegisterBroker, UP_TO_4_2, &[(1, 0), (7, 1), (8, 2), (17, 3)]),
    written(RecordKind::RegisterBroker, FROM_4_3, &[(1, 0), (7, 1), (8, 2), (17, 3), (30, 4)]),
    written(RecordKind::UnregisterBroker, ALL, &[(1, 0)]),
    written(RecordKind::RegisterController, ALL, &[(15, 0)]),
    written(RecordKind::UnregisterController, &[Line::V4_4], &[(33, 0)]),
    written(RecordKind::Topic, ALL, &[(1, 0)]),
    written(RecordKind::RemoveTopic, ALL, &[(1, 0)]),
    // 3.9 had the level that 4.0 calls 4.0-IV1 one lower.
    written(RecordKind::Partition, V3_9, &[(1, 0), (17, 1), (22, 2)]),
    written(RecordKind::Partition, FROM_4_0, &[(1, 0), (17, 1), (23, 2)]),
    written(RecordKind::PartitionChange, V3_9, &[(1, 0), (17, 1), (22, 2)]),
    written(RecordKind::PartitionChange, FROM_4_0, &[(1, 0), (17, 1), (23, 2)]),
    // The version follows the change; this is the highest that may be written.
    written(RecordKind::BrokerRegistrationChange, UP_TO_4_2, &[(6, 0), (7, 1), (17, 2)]),
    written(RecordKind::BrokerRegistrationChange, FROM_4_3, &[(6, 0), (7, 1), (17, 2), (30, 3)]),
    Written { kind: RecordKind::FenceBroker, lines: V3_9, since: &[(1, 0)], until: Some(6) },
    Written { kind: RecordKind::UnfenceBroker, lines: V3_9, since: &[(1, 0)], until: Some(6) },
    written(RecordKind::FeatureLevel, ALL, &[(4, 0)]),
    written(RecordKind::Config, ALL, &[(1, 0)]),
    written(RecordKind::ClientQuota, ALL, &[(1, 0)]),
    written(RecordKind::ProducerIds, ALL, &[(1, 0)]),
    written(RecordKind::AccessControlEntry, ALL, &[(1, 0)]),
    written(RecordKind::RemoveAccessControlEntry, ALL, &[(1, 0)]),
    written(RecordKind::NoOp, ALL, &[(5, 0)]),
    written(RecordKind::ZkMigrationState, V3_9, &[(8, 0)]),
    written(RecordKind::UserScramCredential, ALL, &[(11, 0)]),
    written(RecordKind::RemoveUserScramCredential, ALL, &[(11, 0)]),
    written(RecordKind::BeginTransaction, ALL, &[(13, 0)]),
    written(RecordKind::EndTransaction, ALL, &[(13, 0)]),
    written(RecordKind::AbortTransaction, ALL, &[(13, 0)]),
    written(RecordKind::DelegationToken, ALL, &[(14, 0)]),
    written(RecordKind::RemoveDelegationToken, ALL, &[(14, 0)]),
    written(RecordKind::ClearElr, FROM_4_0, &[(23, 0)]),
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
        .find(|row| row.kind == kind && row.lines.contains(&line))?;
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
