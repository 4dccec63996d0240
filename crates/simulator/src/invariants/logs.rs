//! What every replica's log holds, by the identity of its batches, and what is committed.

use std::collections::BTreeMap;

use determinism::Digest;
use raft_log::batch::Batch;
use records::NodeId;

use super::ladders::Ladders;
use super::observation::{Observation, Observed};

/// A batch in a replica's log.
#[derive(Clone, Debug)]
pub struct Held {
    /// The batch; its bytes are shared with the disk.
    pub batch: Batch,
    /// Digest of this batch and of every one before it, back to where the log began.
    pub prefix: u64,
}

/// What the log of a replica holds, as far as invariants look at it.
#[derive(Clone, Debug, Default)]
pub struct ReplicaLog {
    start: i64,
    held: Vec<Held>,
    high_watermark: Option<i64>,
}

impl ReplicaLog {
    /// The offset after the last batch.
    pub fn end_offset(&self) -> i64 {
        self.held
            .last()
            .map_or(self.start, |held| held.batch.next_offset())
    }

    /// Where it begins; a checkpoint stands for what is before.
    pub fn start_offset(&self) -> i64 {
        self.start
    }

    /// The batch that holds `offset`.
    pub fn batch_at(&self, offset: i64) -> Option<&Held> {
        let at = self
            .held
            .partition_point(|held| held.batch.last_offset() < offset);
        self.held
            .get(at)
            .filter(|held| held.batch.base_offset() <= offset)
    }

    /// The offset after the last batch that is not one of these.
    pub fn end_before(&self, is_one: impl Fn(&Batch) -> bool) -> i64 {
        let last = self.held.iter().rev().find(|held| !is_one(&held.batch));
        last.map_or(self.start, |held| held.batch.next_offset())
    }

    /// The last batch.
    pub fn last(&self) -> Option<&Held> {
        self.held.last()
    }

    /// The process's high watermark.
    pub fn high_watermark(&self) -> Option<i64> {
        self.high_watermark
    }

    fn append(&mut self, batch: &Batch) {
        if self.held.is_empty() {
            self.start = batch.base_offset();
        }
        let mut digest = Digest::new();
        digest.write_u64(self.held.last().map_or(0, |held| held.prefix));
        digest.write_u64(identity(batch));
        self.held.push(Held {
            batch: batch.clone(),
            prefix: digest.value(),
        });
    }

    fn truncate(&mut self, end: i64) {
        let keep = self
            .held
            .partition_point(|held| held.batch.last_offset() < end);
        self.held.truncate(keep);
    }

    fn advance_start(&mut self, start: i64) {
        let gone = self
            .held
            .partition_point(|held| held.batch.last_offset() < start);
        self.held.drain(..gone);
        self.start = start;
    }
}

/// What makes two batches the same: where they stand, in which epoch, and what they hold.
pub fn identity(batch: &Batch) -> u64 {
    let mut digest = Digest::new();
    digest.write_i64(batch.base_offset());
    digest.write_i64(batch.last_offset());
    digest.write_i64(i64::from(batch.leader_epoch()));
    digest.write_u64(u64::from(batch.stored_checksum()));
    digest.value()
}

/// Every replica's log, and the batches that are committed.
#[derive(Clone, Debug, Default)]
pub struct Logs {
    replicas: BTreeMap<NodeId, ReplicaLog>,
    committed: Vec<Batch>,
    committed_end: i64,
    ladders: Ladders,
}

impl Logs {
    /// A node's log.
    pub fn of(&self, node: NodeId) -> Option<&ReplicaLog> {
        self.replicas.get(&node)
    }

    /// The batches that a high watermark has covered, in offset order.
    pub fn committed(&self) -> &[Batch] {
        &self.committed
    }

    /// The committed batch that holds `offset`.
    pub fn committed_at(&self, offset: i64) -> Option<&Batch> {
        let at = self
            .committed
            .partition_point(|batch| batch.last_offset() < offset);
        self.committed
            .get(at)
            .filter(|batch| batch.base_offset() <= offset)
    }

    /// One after the last offset that any high watermark has covered.
    pub fn committed_end(&self) -> i64 {
        self.committed_end
    }

    /// The committed log, folded into an image.
    pub(super) fn ladders(&self) -> &Ladders {
        &self.ladders
    }

    /// Takes in what happened; the batches that are committed by it.
    pub(super) fn observe(&mut self, seen: &Observation<'_>) -> Vec<Batch> {
        let log = self.replicas.entry(seen.node).or_default();
        match seen.what {
            Observed::Started | Observed::DiskReplaced => *log = ReplicaLog::default(),
            Observed::Appended(batch) => log.append(batch),
            Observed::Truncated(end) => log.truncate(end),
            Observed::LogStart(start) => log.advance_start(start),
            Observed::HighWatermark(offset) => {
                log.high_watermark = Some(offset);
                let from = self.committed_end;
                let new = log.held.iter().map(|held| &held.batch);
                let new: Vec<Batch> = new
                    .filter(|batch| batch.base_offset() >= from && batch.last_offset() < offset)
                    .cloned()
                    .collect();
                self.committed.extend(new.iter().cloned());
                self.committed_end = self.committed_end.max(offset);
                return new;
            }
            what => self.ladders.observe(&self.committed, &what),
        }
        Vec::new()
    }
}
