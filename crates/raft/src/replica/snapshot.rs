//! Checkpoints that a listener makes of what is committed (KIP-630).

use determinism::Time;
use disk::{Disk, DiskError};
use raft_log::checkpoint::{KRaftRecords, SnapshotWriter, SnapshotWriterError};
use raft_log::log::{IsNeeded, SnapshotError};
use records::control::KRaftVersionRecord;
use records::{EncodeError, OffsetAndEpoch};
use releases::raft::SnapshotAlignment;

use super::Replica;
use crate::partition_state::is_reconfig_supported;
use crate::{VoterSet, control_batch};

/// Why a checkpoint cannot be begun.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CreateSnapshotError {
    /// Its id is not one of the committed log.
    #[error(transparent)]
    Id(SnapshotError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// It would end inside a batch (4.0+): a follower could not go on from there.
    #[error("cannot create a checkpoint {id}: the batch with that offset begins at {base_offset}")]
    InsideBatch {
        /// The id asked for.
        id: OffsetAndEpoch,
        /// Where the batch begins.
        base_offset: i64,
    },
    /// Its kraft.version is 0, and there are voters in the log (`4.4:raft/…/snapshot/RecordsSnapshotWriter.java`).
    #[error("the voters {0} are not expected while kraft.version is 0")]
    UnexpectedVoters(VoterSet),
    /// Its control records cannot be written.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl From<SnapshotError> for CreateSnapshotError {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::Disk(error) => error.into(),
            other => CreateSnapshotError::Id(other),
        }
    }
}

impl Replica {
    /// Begins a checkpoint: write records with [`SnapshotWriter::append`], then hand it to
    /// [`Replica::freeze_snapshot`]. `None` where it exists already, or would end before the log starts.
    pub fn create_snapshot(
        &mut self,
        now: Time,
        disk: &mut dyn Disk,
        id: OffsetAndEpoch,
        last_contained_log_timestamp: i64,
    ) -> Result<Option<SnapshotWriter>, CreateSnapshotError> {
        if self.shared.log.check_new_snapshot(id)? == IsNeeded::No {
            return Ok(None);
        }
        match (
            self.shared.rules.raft.snapshot_alignment,
            self.base_offset_of_batch_with(id.offset),
        ) {
            (SnapshotAlignment::BatchBoundary, Some(base_offset)) if base_offset != id.offset => {
                return Err(CreateSnapshotError::InsideBatch { id, base_offset });
            }
            _ => {}
        }
        let number = self.shared.next_part_number();
        let Some(raw) = self.shared.log.create_new_snapshot(disk, id, number)? else {
            return Ok(None);
        };
        // Where these are refused, the `.part` file stays.
        let quorum = self.kraft_records_at(id.offset - 1)?;
        let now_ms = self.shared.config.clock.millis(now);
        let writer = SnapshotWriter::new(raw, last_contained_log_timestamp, quorum, now_ms)?;
        Ok(Some(writer))
    }

    /// Base offset of the committed batch that holds an offset; none at the high watermark and beyond.
    fn base_offset_of_batch_with(&self, offset: i64) -> Option<i64> {
        let batches = self.shared.log.read_committed(offset, 1).ok()?;
        batches.first().map(raft_log::batch::Batch::base_offset)
    }

    /// kraft.version and voters in force at an offset.
    fn kraft_records_at(&self, offset: i64) -> Result<KRaftRecords, CreateSnapshotError> {
        let version = self.shared.partition.kraft_version_at(offset);
        let voters = self.shared.partition.voter_set_at(offset);
        if !is_reconfig_supported(version) {
            return match voters {
                None => Ok(KRaftRecords::Absent),
                Some(voters) => Err(CreateSnapshotError::UnexpectedVoters(voters.clone())),
            };
        }
        Ok(KRaftRecords::Present {
            version: KRaftVersionRecord {
                kraft_version: version,
                ..Default::default()
            },
            voters: voters.map(control_batch::voters_record),
        })
    }

    /// Ends a checkpoint: durable, read-only, under its name, and known to the log.
    pub fn freeze_snapshot(
        &mut self,
        now: Time,
        disk: &mut dyn Disk,
        writer: SnapshotWriter,
    ) -> Result<(), SnapshotWriterError> {
        let id = writer.id();
        let frozen = writer.freeze(disk, self.shared.config.clock.millis(now))?;
        self.shared.buffers.passed_through(&frozen.buffer_steps);
        self.shared.partition.truncate_old_entries(id.offset);
        self.shared.log.on_snapshot_frozen(id);
        Ok(())
    }
}
