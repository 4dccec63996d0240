use std::collections::VecDeque;

use raft_log::batch::Batch;
use records::{NodeId, OffsetAndEpoch};
use releases::listener::ZeroCheckpointCallback;

use crate::{
    BrokenContract, CommitSource, CommittedBatches, Contract, Event, LeaderAndEpoch, SnapshotReader,
};

/// The id of the zero checkpoint.
const BOOTSTRAP_SNAPSHOT_ID: OffsetAndEpoch = OffsetAndEpoch {
    offset: 0,
    epoch: 0,
};

/// Where one listener stands, and the events it has not taken yet.
///
/// Raft calls the first group of methods, which decide; the listener's side takes events with
/// [`Dispatcher::poll`] and acknowledges a commit with [`Dispatcher::close_reader`].
///
/// Source: `ListenerContext` in `4.4:raft/…/KafkaRaftClient.java`.
#[derive(Clone, Debug)]
pub struct Dispatcher {
    /// One after the last offset the listener acknowledged; −1 before it has been told anything.
    next_offset: i64,
    /// Commits that were sent and not closed, oldest first.
    outstanding: VecDeque<Sent>,
    /// Whether the newest of `outstanding` still decides where the listener is expected to be.
    awaiting_last: bool,
    last_announced: LeaderAndEpoch,
    queue: VecDeque<Event>,
    reading: ReadMode,
    contract: Contract,
}

/// When a listener reads what it is handed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadMode {
    /// On a thread of its own: it tells with [`Dispatcher::close_reader`] that it has read.
    Later,
    /// In the callback itself, as listeners that only record do.
    AtOnce,
}

#[derive(Clone, Copy, Debug)]
struct Sent {
    last_offset: i64,
    source: CommitSource,
}

impl Dispatcher {
    const STARTING_NEXT_OFFSET: i64 = -1;

    /// A listener of replica `local` that has been told nothing.
    pub fn new(local: NodeId) -> Self {
        Dispatcher {
            next_offset: Self::STARTING_NEXT_OFFSET,
            outstanding: VecDeque::new(),
            awaiting_last: false,
            last_announced: LeaderAndEpoch::UNKNOWN,
            queue: VecDeque::new(),
            reading: ReadMode::Later,
            contract: Contract::new(local),
        }
    }

    /// The same listener, reading as said.
    #[must_use]
    pub fn reading(mut self, reading: ReadMode) -> Self {
        self.reading = reading;
        self
    }

    /// When it reads.
    pub fn reads(&self) -> ReadMode {
        self.reading
    }

    /// The offset to send from, or `None` while that depends on how far the listener reads.
    pub fn next_expected_offset(&self) -> Option<i64> {
        if !self.awaiting_last {
            return Some(self.next_offset);
        }
        let last = self.outstanding.back()?;
        (last.source == CommitSource::Memory).then_some(last.last_offset + 1)
    }

    /// One after the last offset the listener acknowledged; −1 before it has been told anything.
    pub fn next_offset(&self) -> i64 {
        self.next_offset
    }

    /// Whether the listener has never been given a position.
    pub fn is_new(&self) -> bool {
        self.next_expected_offset() == Some(Self::STARTING_NEXT_OFFSET)
    }

    /// Hands over a checkpoint; the listener continues at its end offset.
    pub fn load(&mut self, rule: ZeroCheckpointCallback, reader: SnapshotReader) {
        self.next_offset = reader.snapshot_id.offset;
        self.awaiting_last = false;
        let is_zero = reader.snapshot_id == BOOTSTRAP_SNAPSHOT_ID;
        let event = match (rule, is_zero) {
            (ZeroCheckpointCallback::LoadBootstrap, true) => Event::LoadBootstrap(reader),
            (ZeroCheckpointCallback::LoadBootstrap | ZeroCheckpointCallback::LoadSnapshot, _) => {
                Event::LoadSnapshot(reader)
            }
        };
        self.queue.push_back(event);
    }

    /// A new listener of a partition without checkpoint begins at offset 0.
    pub fn begin_at_smallest_offset(&mut self) {
        self.next_offset = 0;
    }

    /// Hands over committed batches read from the log, from `base_offset` on.
    pub fn commit_from_log(&mut self, base_offset: i64, batches: Vec<Batch>) {
        self.commit(CommittedBatches {
            base_offset,
            batches,
            source: CommitSource::Log,
        });
    }

    /// Hands over a committed batch of the leader's own that is still in memory.
    pub fn commit_from_memory(&mut self, batch: Batch) {
        let committed = CommittedBatches {
            base_offset: batch.base_offset(),
            batches: vec![batch],
            source: CommitSource::Memory,
        };
        self.commit(committed);
    }

    fn commit(&mut self, committed: CommittedBatches) {
        self.outstanding.push_back(Sent {
            last_offset: committed.last_offset(),
            source: committed.source,
        });
        self.awaiting_last = true;
        let next_offset = committed.next_offset();
        self.queue.push_back(Event::Commit(committed));
        if self.reading == ReadMode::AtOnce {
            self.close_reader(next_offset);
        }
    }

    /// Announces a leader that is not the local replica, if that is news.
    pub fn leader_changed(&mut self, leader: LeaderAndEpoch) {
        if self.is_news(leader) {
            self.announce(leader, None);
        }
    }

    /// Announces that the local replica leads since `epoch_start_offset`, if that is news and the listener has read
    /// past that offset: it knows then all that was committed before it begins to write.
    pub fn local_leader_changed(&mut self, leader: LeaderAndEpoch, epoch_start_offset: i64) {
        if self.is_news(leader) && self.next_offset > epoch_start_offset {
            self.announce(leader, Some(epoch_start_offset));
        }
    }

    fn is_news(&self, leader: LeaderAndEpoch) -> bool {
        leader != self.last_announced
            && (leader.epoch > self.last_announced.epoch
                || leader.leader.is_some() && self.last_announced.leader.is_none())
    }

    fn announce(&mut self, leader: LeaderAndEpoch, epoch_start_offset: Option<i64>) {
        self.last_announced = leader;
        self.contract
            .announced(leader, epoch_start_offset, self.next_offset);
        self.queue.push_back(Event::LeaderChange(leader));
    }

    /// The next event for the listener.
    pub fn poll(&mut self) -> Option<Event> {
        let event = self.queue.pop_front()?;
        self.contract.observe(&event);
        Some(event)
    }

    /// The listener read a commit up to `next_offset`. True when raft should look at once whether there is more.
    pub fn close_reader(&mut self, next_offset: i64) -> bool {
        let before = self.outstanding.len();
        while self
            .outstanding
            .front()
            .is_some_and(|sent| sent.last_offset < next_offset)
        {
            self.outstanding.pop_front();
        }
        if self.outstanding.len() == before {
            // Closed before its end: its listener will not read on, and is told again from there.
            self.outstanding.pop_front();
        }
        self.next_offset = next_offset;
        let done = self.awaiting_last && self.outstanding.is_empty();
        if done {
            self.awaiting_last = false;
        }
        done
    }

    /// What the contract found wrong, once.
    pub fn take_violation(&mut self) -> Option<BrokenContract> {
        self.contract.take_violation()
    }

    /// The contract, to tell it of what only the owner sees.
    pub fn contract_mut(&mut self) -> &mut Contract {
        &mut self.contract
    }
}
