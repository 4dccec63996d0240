use listener::{CommitSource, Event, LeaderAndEpoch};
use raft_log::batch::Batch;
use records::OffsetAndEpoch;
use records::metadata::VersionedRecord;

/// What passed between a replica and its listener.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// `handleLoadSnapshot`
    LoadSnapshot {
        id: OffsetAndEpoch,
        /// What was read of it so far.
        batches: Vec<ReadBatch>,
    },
    /// `handleLoadBootstrap`
    LoadBootstrap {
        id: OffsetAndEpoch,
        /// What was read of it so far.
        batches: Vec<ReadBatch>,
    },
    /// `handleCommit`
    Commit {
        /// Where it begins.
        base: i64,
        /// Its end, where that is known before it is read.
        last: Option<i64>,
        /// What was read so far.
        batches: Vec<ReadBatch>,
    },
    /// `handleLeaderChange`
    LeaderChange(LeaderAndEpoch),
    BeginShutdown,
    PrepareAppend {
        epoch: i32,
        records: Vec<VersionedRecord>,
        /// The offset of the last of them, or why not.
        outcome: Result<i64, String>,
    },
    SchedulePreparedAppend,
    Resign {
        epoch: i32,
    },
    UpgradeKRaftVersion {
        epoch: i32,
        version: i16,
        /// Whether it was only checked.
        mode: listener::UpgradeMode,
    },
    /// A fault of either.
    Fault {
        /// What ends the process.
        fatal: bool,
        /// Where it happened.
        message: String,
        cause: String,
    },
}

/// A batch that a listener read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadBatch {
    pub base: i64,
    /// Offset of the last record.
    pub last: i64,
    pub epoch: i32,
    /// The types of its metadata records, separated by blanks.
    pub types: String,
}

impl ReadBatch {
    fn of(batch: &Batch) -> Self {
        let records = if batch.is_control() {
            Vec::new()
        } else {
            batch.data_records().unwrap_or_default()
        };
        let types: Vec<&str> = records
            .iter()
            .map(|versioned| versioned.record.type_name())
            .collect();
        ReadBatch {
            base: batch.base_offset(),
            last: batch.last_offset(),
            epoch: batch.leader_epoch(),
            types: types.join(" "),
        }
    }
}

impl Call {
    /// An event, and what its listener will have read once it has handled it.
    pub(super) fn of(event: &Event) -> (Call, Vec<ReadBatch>) {
        match event {
            Event::LoadSnapshot(reader) | Event::LoadBootstrap(reader) => {
                let read = raft_log::batch::read_batches(&reader.file, &reader.bytes, 0)
                    .map_while(Result::ok)
                    .map(|batch| ReadBatch::of(&batch))
                    .collect();
                let (id, batches) = (reader.snapshot_id, Vec::new());
                let call = match event {
                    Event::LoadSnapshot(_) => Call::LoadSnapshot { id, batches },
                    _ => Call::LoadBootstrap { id, batches },
                };
                (call, read)
            }
            Event::Commit(committed) => {
                let call = Call::Commit {
                    base: committed.base_offset,
                    last: match committed.source {
                        CommitSource::Memory => Some(committed.last_offset()),
                        CommitSource::Log => None,
                    },
                    batches: Vec::new(),
                };
                (call, committed.batches.iter().map(ReadBatch::of).collect())
            }
            Event::LeaderChange(leader) => (Call::LeaderChange(*leader), Vec::new()),
            Event::BeginShutdown => (Call::BeginShutdown, Vec::new()),
        }
    }

    /// Its listener has read all of it.
    pub(super) fn read(&mut self, read: Vec<ReadBatch>) {
        if let Call::LoadSnapshot { batches, .. }
        | Call::LoadBootstrap { batches, .. }
        | Call::Commit { batches, .. } = self
        {
            *batches = read;
        }
    }
}
