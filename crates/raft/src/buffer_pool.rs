use std::collections::{BTreeMap, VecDeque};

use raft_log::batch::Batch;
use raft_log::checkpoint::BufferStep;

/// The buffers that batches are built in, as far as their reuse shows.
///
/// Kafka gives a batch's buffer back as soon as the batch is in the log, and hands a committed batch to listeners out of
/// that same buffer later. By then a longer batch may stand in it; the leader then cannot read its own batch from memory
/// any more, fails in silence, and the listener is served from the log instead.
///
/// Source: `4.4:raft/…/internals/BatchMemoryPool.java`, `appendBatch` in `4.4:raft/…/KafkaRaftClient.java`.
#[derive(Clone, Debug)]
pub(crate) struct BufferPool {
    free: VecDeque<BufferId>,
    /// By buffer: size of the batch that was built in it last.
    built_bytes: Vec<usize>,
}

/// The place of a buffer in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BufferId(usize);

impl BufferPool {
    /// Free buffers that are kept.
    const MAX_RETAINED: usize = 5;

    pub(crate) fn new() -> Self {
        BufferPool {
            free: VecDeque::new(),
            built_bytes: Vec::new(),
        }
    }

    /// The buffer that has been free longest, or a new one.
    pub(crate) fn take(&mut self) -> BufferId {
        self.free.pop_front().unwrap_or_else(|| {
            self.built_bytes.push(0);
            BufferId(self.built_bytes.len() - 1)
        })
    }

    /// A batch was built in a buffer.
    pub(crate) fn built(&mut self, buffer: BufferId, batch: &Batch) {
        self.built_bytes[buffer.0] = batch.size();
    }

    /// The batches of a checkpoint were built in the same buffers. One that is not released is lost to the pool.
    pub(crate) fn passed_through(&mut self, steps: &[BufferStep]) {
        let mut taken = BTreeMap::new();
        for step in steps {
            match step {
                BufferStep::Taken(batch) => {
                    taken.insert(batch, self.take());
                }
                BufferStep::Built { batch, bytes } => {
                    if let Some(buffer) = taken.get(batch) {
                        self.built_bytes[buffer.0] = *bytes;
                    }
                }
                BufferStep::Released(batch) => {
                    if let Some(buffer) = taken.remove(batch) {
                        self.release(buffer);
                    }
                }
            }
        }
    }

    /// A buffer can be used again.
    pub(crate) fn release(&mut self, buffer: BufferId) {
        if self.free.len() < Self::MAX_RETAINED {
            self.free.push_back(buffer);
        }
    }

    /// Whether a batch that was built in a buffer, perhaps long ago, can still be read from it.
    pub(crate) fn still_reads(&self, buffer: BufferId, batch: &Batch) -> bool {
        self.built_bytes[buffer.0] <= batch.size()
    }
}

#[cfg(test)]
mod tests {
    use raft_log::batch::BatchBuilder;

    use super::*;

    fn batch(records: usize) -> Batch {
        let mut builder = BatchBuilder::data(0, 1, 1);
        for _ in 0..records {
            builder.append_value(&[1, 20, 0, 0]);
        }
        builder.finish()
    }

    #[test]
    fn a_longer_batch_in_the_same_buffer_hides_the_shorter_one() {
        let mut pool = BufferPool::new();
        let first = pool.take();
        pool.built(first, &batch(2));
        pool.release(first);
        assert_eq!(pool.take(), first);
        assert!(pool.still_reads(first, &batch(2)));
        pool.built(first, &batch(1));
        assert!(pool.still_reads(first, &batch(2)));
        pool.built(first, &batch(3));
        assert!(!pool.still_reads(first, &batch(2)));
        assert_ne!(pool.take(), first);
    }

    #[test]
    fn a_checkpoint_turns_the_buffers_round() {
        use BufferStep::{Built, Released, Taken};
        let mut pool = BufferPool::new();
        let (header, data, footer) = (0, 1, 2);
        pool.passed_through(&[
            Taken(header),
            Built {
                batch: header,
                bytes: 90,
            },
            Taken(data),
            Released(header),
            Taken(footer),
            Built {
                batch: data,
                bytes: 200,
            },
            Built {
                batch: footer,
                bytes: 80,
            },
            Released(data),
            Released(footer),
        ]);
        // The footer was built where the header had been.
        let (first, second) = (pool.take(), pool.take());
        assert!(!pool.still_reads(first, &batch(2)));
        assert!(pool.still_reads(second, &batch(2)));
        assert_eq!(pool.built_bytes.len(), 2);
    }
}
