//! Offsets of the controller: what is committed, what is stable, and the states to go back to
//! (`4.4:metadata/…/controller/OffsetControlManager.java`).

use records::OffsetAndEpoch;

use crate::timeline::{Revert, Timeline, TimelineError};

/// What the offset control refuses: each is a bug of the caller or an impossible log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OffsetError {
    /// The controller activates although it is active.
    #[error("the offsets are active already")]
    AlreadyActive,
    /// Deactivated without having been active.
    #[error("the offsets are not active")]
    NotActive,
    /// A negative end of the log.
    #[error("the next write offset {0} is negative")]
    NegativeNextWriteOffset(i64),
    /// A snapshot begins inside another.
    #[error("snapshot {new} begins while {current} is being read")]
    NestedSnapshot {
        /// The one that begins.
        new: OffsetAndEpoch,
        /// The one that is being read.
        current: OffsetAndEpoch,
    },
    /// A snapshot ends that never began.
    #[error("no snapshot is being read")]
    NoSnapshot,
    /// A transaction record in a snapshot.
    #[error("a {0} cannot stand in a snapshot")]
    TransactionInSnapshot(&'static str),
    /// A transaction begins inside another.
    #[error("a transaction begins at {offset} while the one at {open} is open")]
    NestedTransaction {
        /// The offset of the record.
        offset: i64,
        /// Where the open transaction began.
        open: i64,
    },
    /// A transaction ends or is aborted that never began.
    #[error("a {record} at offset {offset} without an open transaction")]
    NoOpenTransaction {
        /// The type of the record.
        record: &'static str,
        offset: i64,
    },
    /// A state to go back to.
    #[error(transparent)]
    Timeline(#[from] TimelineError),
}

/// The offsets of one controller, and its state with the earlier versions it may have to go back to.
///
/// The offset of the open transaction is not part of the state: a revert leaves it alone, in every release.
#[derive(Clone, Debug)]
pub struct OffsetControl<S> {
    timeline: Timeline<S>,
    current_snapshot: Option<OffsetAndEpoch>,
    last_committed_offset: i64,
    last_committed_epoch: i32,
    last_stable_offset: i64,
    transaction_start_offset: Option<i64>,
    next_write_offset: Option<i64>,
}

impl<S: Revert> OffsetControl<S> {
    /// The offsets before anything was read.
    pub fn new(initial: S) -> Self {
        OffsetControl {
            timeline: Timeline::new(initial),
            current_snapshot: None,
            last_committed_offset: -1,
            last_committed_epoch: -1,
            last_stable_offset: -1,
            transaction_start_offset: None,
            next_write_offset: None,
        }
    }

    /// The state as it stands.
    pub fn state(&self) -> &S {
        self.timeline.current()
    }

    /// The state, to apply a record to it.
    pub fn state_mut(&mut self) -> &mut S {
        self.timeline.current_mut()
    }

    /// The earlier states.
    pub fn timeline(&self) -> &Timeline<S> {
        &self.timeline
    }

    /// The last committed data record; −1 before any.
    pub fn last_committed_offset(&self) -> i64 {
        self.last_committed_offset
    }

    /// Its epoch; −1 before any.
    pub fn last_committed_epoch(&self) -> i32 {
        self.last_committed_epoch
    }

    /// Up to where it is safe to read: committed, and outside of an open transaction.
    pub fn last_stable_offset(&self) -> i64 {
        self.last_stable_offset
    }

    /// Where the open transaction began.
    pub fn transaction_start_offset(&self) -> Option<i64> {
        self.transaction_start_offset
    }

    /// Where the active controller writes next.
    pub fn next_write_offset(&self) -> Option<i64> {
        self.next_write_offset
    }

    /// The controller claims leadership: from now on there is always a state at the stable offset to go back to.
    pub fn activate(&mut self, next_write_offset: i64) -> Result<(), OffsetError> {
        if self.next_write_offset.is_some() {
            return Err(OffsetError::AlreadyActive);
        }
        if next_write_offset < 0 {
            return Err(OffsetError::NegativeNextWriteOffset(next_write_offset));
        }
        self.timeline.create_snapshot(self.last_stable_offset)?;
        self.next_write_offset = Some(next_write_offset);
        Ok(())
    }

    /// The controller renounces: the state at the stable offset is taken again.
    pub fn deactivate(&mut self) -> Result<(), OffsetError> {
        if self.next_write_offset.take().is_none() {
            return Err(OffsetError::NotActive);
        }
        Ok(self.timeline.revert_to(self.last_stable_offset)?)
    }

    /// A data batch is committed.
    pub fn handle_commit_batch(&mut self, last_offset: i64, epoch: i32) -> Result<(), OffsetError> {
        self.last_committed_offset = last_offset;
        self.last_committed_epoch = epoch;
        let stable = match self.transaction_start_offset {
            None => last_offset,
            Some(start) => last_offset.min(start - 1),
        };
        if self.last_stable_offset < stable {
            self.last_stable_offset = stable;
            self.timeline.delete_below(stable);
            if self.next_write_offset.is_none() {
                self.timeline.create_snapshot(stable)?;
            }
        }
        Ok(())
    }

    /// The active controller has handed records to raft.
    pub fn handle_schedule_append(&mut self, last_offset: i64) -> Result<(), OffsetError> {
        self.next_write_offset = Some(last_offset + 1);
        Ok(self.timeline.create_snapshot(last_offset)?)
    }

    /// A snapshot replaces everything.
    pub fn begin_load_snapshot(&mut self, id: OffsetAndEpoch) -> Result<(), OffsetError> {
        if let Some(current) = self.current_snapshot {
            return Err(OffsetError::NestedSnapshot { new: id, current });
        }
        self.current_snapshot = Some(id);
        self.timeline.reset();
        self.last_committed_offset = -1;
        self.last_committed_epoch = -1;
        self.last_stable_offset = -1;
        self.transaction_start_offset = None;
        self.next_write_offset = None;
        Ok(())
    }

    /// The snapshot is read. Its *exclusive* end counts as committed and stable, as in Kafka.
    pub fn end_load_snapshot(&mut self) -> Result<(), OffsetError> {
        let id = self
            .current_snapshot
            .take()
            .ok_or(OffsetError::NoSnapshot)?;
        self.timeline.create_snapshot(id.offset)?;
        self.last_committed_offset = id.offset;
        self.last_committed_epoch = id.epoch;
        self.last_stable_offset = id.offset;
        self.transaction_start_offset = None;
        self.next_write_offset = None;
        Ok(())
    }

    /// A transaction begins: the state before it is kept.
    pub fn begin_transaction(&mut self, offset: i64) -> Result<(), OffsetError> {
        if self.current_snapshot.is_some() {
            return Err(OffsetError::TransactionInSnapshot("BeginTransactionRecord"));
        }
        if let Some(open) = self.transaction_start_offset {
            return Err(OffsetError::NestedTransaction { offset, open });
        }
        self.timeline.create_snapshot(offset - 1)?;
        self.transaction_start_offset = Some(offset);
        Ok(())
    }

    /// The open transaction applies.
    pub fn end_transaction(&mut self, offset: i64) -> Result<(), OffsetError> {
        self.close_transaction("EndTransactionRecord", offset)
            .map(|_| ())
    }

    /// The open transaction never was: the state before it is taken again.
    pub fn abort_transaction(&mut self, offset: i64) -> Result<(), OffsetError> {
        let start = self.close_transaction("AbortTransactionRecord", offset)?;
        Ok(self.timeline.revert_to(start - 1)?)
    }

    fn close_transaction(&mut self, record: &'static str, offset: i64) -> Result<i64, OffsetError> {
        if self.current_snapshot.is_some() {
            return Err(OffsetError::TransactionInSnapshot(record));
        }
        self.transaction_start_offset
            .take()
            .ok_or(OffsetError::NoOpenTransaction { record, offset })
    }
}
