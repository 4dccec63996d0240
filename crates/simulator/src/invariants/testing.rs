//! Batches and observations for the invariants' own tests.

use raft_log::batch::{Batch, BatchBuilder};
use records::NodeId;
use records::control::{ControlRecord, Voter, VotersRecord};
use records::metadata::VersionedRecord;
use records::metadata::{
    AbortTransactionRecord, BeginTransactionRecord, EndTransactionRecord, FeatureLevelRecord,
    NoOpRecord,
};

use super::logs::Logs;
use super::{Invariant, Observation, Observed};

pub(super) fn metadata_version(level: i16) -> VersionedRecord {
    let record = FeatureLevelRecord {
        name: "metadata.version".to_owned(),
        feature_level: level,
        ..FeatureLevelRecord::default()
    };
    VersionedRecord::new(0, record)
}

pub(super) fn begin() -> VersionedRecord {
    let name = Some("Bootstrap records".to_owned());
    VersionedRecord::new(
        0,
        BeginTransactionRecord {
            name,
            ..BeginTransactionRecord::default()
        },
    )
}

pub(super) fn end() -> VersionedRecord {
    VersionedRecord::new(0, EndTransactionRecord::default())
}

pub(super) fn abort() -> VersionedRecord {
    VersionedRecord::new(0, AbortTransactionRecord::default())
}

pub(super) fn no_op() -> VersionedRecord {
    VersionedRecord::new(0, NoOpRecord::default())
}

pub(super) fn data(offset: i64, epoch: i32, records: &[VersionedRecord]) -> Batch {
    let mut builder = BatchBuilder::data(offset, epoch, 1_700_000_000_000);
    for record in records {
        let mut value = Vec::new();
        record.encode(&mut value).unwrap();
        builder.append_value(&value);
    }
    builder.finish()
}

/// A control batch that holds a voter set.
pub(super) fn voters(offset: i64, epoch: i32, ids: &[i32]) -> Batch {
    let mut builder = BatchBuilder::control(offset, epoch, 1_700_000_000_000);
    let voter = |id: &i32| Voter {
        voter_id: *id,
        ..Voter::default()
    };
    let record = ControlRecord::KRaftVoters(VotersRecord {
        voters: ids.iter().map(voter).collect(),
        ..VotersRecord::default()
    });
    builder.append_control(&record).unwrap();
    builder.finish()
}

/// An invariant, the logs it looks at, and nodes by number.
pub(super) struct Bench<I> {
    invariant: I,
    logs: Logs,
}

impl<I: Invariant + Default> Bench<I> {
    pub(super) fn new() -> Self {
        Bench {
            invariant: I::default(),
            logs: Logs::default(),
        }
    }

    pub(super) fn see(&mut self, node: i32, what: Observed<'_>) -> Result<(), String> {
        let seen = Observation {
            node: NodeId(node),
            what,
        };
        let committed = self.logs.observe(&seen);
        self.invariant.observe(&self.logs, &seen)?;
        committed.iter().try_for_each(|batch| {
            let seen = Observation {
                node: NodeId(node),
                what: Observed::Committed(batch),
            };
            self.invariant.observe(&self.logs, &seen)
        })
    }
}
