use std::collections::VecDeque;

use listener::AppendError;
use raft_log::batch::{BATCH_OVERHEAD, Batch, BatchBuilder};
use records::EncodeError;
use records::metadata::VersionedRecord;

use crate::buffer_pool::{BufferId, BufferPool};

/// What the leader of an epoch is about to write: one open batch, and those that are complete.
///
/// An append goes whole into the open batch, or closes it and opens a new one. A control batch always closes it. The
/// linger time begins with the first append; what was prepared and not let go is held back.
///
/// Source: `4.4:raft/…/internals/BatchAccumulator.java`.
#[derive(Clone, Debug)]
pub(crate) struct Accumulator {
    epoch: i32,
    linger_ms: i64,
    max_batch_bytes: usize,
    max_batches: usize,
    next_offset: i64,
    current: Option<OpenBatch>,
    completed: VecDeque<CompletedBatch>,
    /// Batches that reach this offset are held back.
    drain_offset: i64,
    linger_deadline_ms: Option<i64>,
    drain: Drain,
}

/// The batch that appends go into.
#[derive(Clone, Debug)]
struct OpenBatch {
    builder: BatchBuilder,
    buffer: BufferId,
}

/// Whether the next drain still has to close the open batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drain {
    ClosesOpenBatch,
    /// A control batch closed the one before; what was appended since waits for its own linger time.
    AlreadyClosed,
}

/// A batch ready to be written.
#[derive(Clone, Debug)]
pub(crate) struct CompletedBatch {
    pub(crate) batch: Batch,
    pub(crate) origin: BatchOrigin,
    /// What it was built in; given back once it is in the log.
    pub(crate) buffer: BufferId,
}

/// Where a batch came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BatchOrigin {
    /// Data of a listener, which it hears of from memory once committed.
    Listener,
    /// Raft's own control records.
    Control,
}

impl CompletedBatch {
    fn is_drainable(&self, drain_offset: i64) -> bool {
        self.batch.last_offset() < drain_offset
    }
}

impl Accumulator {
    pub(crate) fn new(
        epoch: i32,
        base_offset: i64,
        linger_ms: i32,
        max_batch_bytes: usize,
        max_batches: usize,
    ) -> Self {
        Accumulator {
            epoch,
            linger_ms: i64::from(linger_ms),
            max_batch_bytes,
            max_batches,
            next_offset: base_offset,
            current: None,
            completed: VecDeque::new(),
            drain_offset: i64::MAX,
            linger_deadline_ms: None,
            drain: Drain::ClosesOpenBatch,
        }
    }

    /// Puts the records of one append into the open batch, held back until [`Accumulator::allow_drain`]. Returns the
    /// offset of the last one.
    pub(crate) fn append(
        &mut self,
        now_ms: i64,
        epoch: i32,
        records: &[VersionedRecord],
        buffers: &mut BufferPool,
    ) -> Result<i64, AppendError> {
        if epoch < self.epoch {
            return Err(AppendError::NotLeader { epoch });
        }
        if epoch > self.epoch {
            return Err(AppendError::FutureEpoch {
                epoch,
                current: self.epoch,
            });
        }
        if self.completed.len() >= self.max_batches {
            return Err(AppendError::TooManyBatches {
                waiting: self.completed.len(),
            });
        }
        self.ensure_open(now_ms, buffers);
        let values = encode(records)?;
        self.make_room(now_ms, &values, buffers)?;
        if self.drain_offset == i64::MAX {
            self.drain_offset = self.next_offset;
        }
        let open = self
            .current
            .as_mut()
            .expect("make_room leaves an open batch");
        for value in &values {
            open.builder.append_value(value);
        }
        if self.linger_deadline_ms.is_none() {
            self.linger_deadline_ms = Some(now_ms.saturating_add(self.linger_ms));
        }
        self.next_offset += values.len() as i64;
        Ok(self.next_offset - 1)
    }

    fn ensure_open(&mut self, now_ms: i64, buffers: &mut BufferPool) {
        let (next_offset, epoch) = (self.next_offset, self.epoch);
        self.current.get_or_insert_with(|| OpenBatch {
            builder: BatchBuilder::data(next_offset, epoch, now_ms),
            buffer: buffers.take(),
        });
    }

    /// Leaves an open batch that the values fit into.
    fn make_room(
        &mut self,
        now_ms: i64,
        values: &[Vec<u8>],
        buffers: &mut BufferPool,
    ) -> Result<(), AppendError> {
        let bytes_after = |count: i32| -> usize {
            let indexed = (count..).zip(values);
            indexed
                .map(|(index, value)| BatchBuilder::record_size(index, value.len()))
                .sum()
        };
        let open = self.current.as_ref().map(|open| &open.builder);
        let Some((size, bytes)) = open.map(|open| (open.size(), bytes_after(open.count()))) else {
            return Ok(());
        };
        if self.max_batch_bytes.saturating_sub(size) >= bytes {
            return Ok(());
        }
        if BATCH_OVERHEAD + bytes > self.max_batch_bytes {
            return Err(AppendError::BatchTooLarge {
                bytes: (BATCH_OVERHEAD + bytes) as u64,
                max_bytes: self.max_batch_bytes as u64,
            });
        }
        self.complete_current(buffers);
        self.ensure_open(now_ms, buffers);
        Ok(())
    }

    fn complete_current(&mut self, buffers: &mut BufferPool) {
        if let Some(open) = self.current.take_if(|open| open.builder.count() > 0) {
            let (batch, buffer) = (open.builder.finish(), open.buffer);
            buffers.built(buffer, &batch);
            let origin = BatchOrigin::Listener;
            self.completed.push_back(CompletedBatch {
                batch,
                origin,
                buffer,
            });
        }
    }

    /// Lets go everything that was prepared.
    pub(crate) fn allow_drain(&mut self) {
        self.drain_offset = i64::MAX;
    }

    /// Closes the open batch and adds a control batch that `build` fills. Returns the offset of its last record.
    pub(crate) fn append_control(
        &mut self,
        now_ms: i64,
        buffers: &mut BufferPool,
        build: impl FnOnce(&mut BatchBuilder),
    ) -> i64 {
        let buffer = buffers.take();
        self.finish_current(buffers);
        self.drain = Drain::AlreadyClosed;
        let mut builder = BatchBuilder::control(self.next_offset, self.epoch, now_ms);
        build(&mut builder);
        let batch = builder.finish();
        self.next_offset = batch.last_offset() + 1;
        buffers.built(buffer, &batch);
        let origin = BatchOrigin::Control;
        self.completed.push_back(CompletedBatch {
            batch,
            origin,
            buffer,
        });
        self.next_offset - 1
    }

    fn finish_current(&mut self, buffers: &mut BufferPool) {
        self.complete_current(buffers);
        self.linger_deadline_ms = None;
    }

    /// Milliseconds until there is something to write; 0 for now, `i64::MAX` for nothing in sight.
    pub(crate) fn time_until_drain_ms(&self, now_ms: i64) -> i64 {
        if self
            .completed
            .front()
            .is_some_and(|batch| batch.is_drainable(self.drain_offset))
        {
            return 0;
        }
        self.linger_deadline_ms
            .map_or(i64::MAX, |deadline| (deadline - now_ms).max(0))
    }

    pub(crate) fn needs_drain(&self, now_ms: i64) -> bool {
        self.time_until_drain_ms(now_ms) == 0
    }

    /// Closes the open batch and takes out what is not held back.
    pub(crate) fn drain(&mut self, buffers: &mut BufferPool) -> Vec<CompletedBatch> {
        match std::mem::replace(&mut self.drain, Drain::ClosesOpenBatch) {
            Drain::ClosesOpenBatch => self.finish_current(buffers),
            Drain::AlreadyClosed => {}
        }
        let mut drained = Vec::new();
        while let Some(batch) = self.completed.front() {
            if !batch.is_drainable(self.drain_offset) {
                break;
            }
            drained.extend(self.completed.pop_front());
        }
        drained
    }

    /// Ends with the epoch: what was not written is gone.
    pub(crate) fn close(&mut self, buffers: &mut BufferPool) {
        self.allow_drain();
        for batch in self.drain(buffers) {
            buffers.release(batch.buffer);
        }
    }

    /// Whether no append waits for its linger time.
    pub(crate) fn is_empty(&self) -> bool {
        self.linger_deadline_ms.is_none()
    }
}

fn unwritable(index: usize, error: &EncodeError) -> AppendError {
    let reason = error.to_string();
    match error {
        EncodeError::StringTooLong { .. } | EncodeError::TooLong { .. } => {
            AppendError::TooLong { index, reason }
        }
        _ => AppendError::Unwritable { index, reason },
    }
}

fn encode(records: &[VersionedRecord]) -> Result<Vec<Vec<u8>>, AppendError> {
    let mut values = Vec::with_capacity(records.len());
    for (index, record) in records.iter().enumerate() {
        let mut value = Vec::new();
        record
            .encode(&mut value)
            .map_err(|error| unwritable(index, &error))?;
        values.push(value);
    }
    Ok(values)
}
