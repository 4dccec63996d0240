//! When brokers were last heard of: the two ways in which releases keep that.

use determinism::Time;
use determinism::java::{ConcurrentTable, hash_all, hash_long};
use records::NodeId;

/// A broker under one registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BrokerIdAndEpoch {
    pub(crate) id: NodeId,
    pub(crate) epoch: i64,
}

impl BrokerIdAndEpoch {
    /// `Objects.hash(id, epoch)`.
    pub(crate) fn objects_hash(self) -> i32 {
        hash_all([self.id.0, hash_long(self.epoch)])
    }

    /// The hash of a Java record of both.
    pub(crate) fn record_hash(self) -> i32 {
        let id = self.id.0.wrapping_mul(31);
        id.wrapping_add(hash_long(self.epoch))
    }
}

/// Unfenced brokers, in the order in which they were touched (3.9).
#[derive(Clone, Debug)]
pub(crate) struct UnfencedList {
    timeout: Time,
    list: Vec<(NodeId, Time)>,
}

impl UnfencedList {
    pub(crate) fn new(timeout: Time) -> Self {
        UnfencedList {
            timeout,
            list: Vec::new(),
        }
    }

    pub(crate) fn remove(&mut self, id: NodeId) {
        self.list.retain(|(of, _)| *of != id);
    }

    pub(crate) fn push(&mut self, now: Time, id: NodeId) {
        self.list.push((id, now));
    }

    pub(crate) fn has_valid_session(&self, now: Time, id: NodeId) -> bool {
        let found = self.list.iter().find(|(of, _)| *of == id);
        found.is_some_and(|(_, touched)| *touched + self.timeout >= now)
    }

    /// The first moment at which the first session has ended. Kafka looks one moment before that, again and again.
    pub(crate) fn next_end(&self) -> Option<Time> {
        let (_, touched) = self.list.first()?;
        Some(*touched + self.timeout + Time::from_micros(1))
    }

    pub(crate) fn first_ended(&self, now: Time) -> Option<NodeId> {
        let (id, touched) = self.list.first()?;
        (*touched + self.timeout < now).then_some(*id)
    }
}

/// The time of the last heartbeat by broker and epoch (4.0 and later).
#[derive(Clone, Debug)]
pub(crate) struct HeartbeatTimes {
    timeout: Time,
    hash: fn(BrokerIdAndEpoch) -> i32,
    times: ConcurrentTable<(BrokerIdAndEpoch, Time)>,
}

impl HeartbeatTimes {
    pub(crate) fn new(timeout: Time, hash: fn(BrokerIdAndEpoch) -> i32) -> Self {
        HeartbeatTimes {
            timeout,
            hash,
            times: ConcurrentTable::new(),
        }
    }

    pub(crate) fn note(&mut self, now: Time, broker: BrokerIdAndEpoch) {
        match self.times.find_mut(|(of, _)| *of == broker) {
            Some((_, time)) => *time = now,
            None => self.times.insert((self.hash)(broker), (broker, now)),
        }
    }

    fn has_ended(&self, since: Time, now: Time) -> bool {
        since + self.timeout < now
    }

    pub(crate) fn has_valid_session(&self, now: Time, broker: BrokerIdAndEpoch) -> bool {
        let found = self.times.iter().find(|(of, _)| *of == broker);
        found.is_some_and(|(_, since)| !self.has_ended(*since, now))
    }

    /// The first session of the table that has ended.
    pub(crate) fn take_ended(&mut self, now: Time) -> Option<BrokerIdAndEpoch> {
        let has_ended = |(_, since): &&(_, Time)| self.has_ended(*since, now);
        let ended = self.times.iter().find(has_ended)?.0;
        self.times.retain(|(broker, _)| *broker != ended);
        Some(ended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broker(id: i32, epoch: i64) -> BrokerIdAndEpoch {
        BrokerIdAndEpoch {
            id: NodeId(id),
            epoch,
        }
    }

    #[test]
    fn a_session_is_valid_up_to_its_end() {
        let timeout = Time::from_millis(9);
        let mut times = HeartbeatTimes::new(timeout, BrokerIdAndEpoch::record_hash);
        times.note(Time::from_millis(1), broker(11, 5));
        assert!(times.has_valid_session(Time::from_millis(10), broker(11, 5)));
        assert!(!times.has_valid_session(Time::from_millis(10), broker(11, 6)));
        assert_eq!(times.take_ended(Time::from_millis(10)), None);
        assert_eq!(times.take_ended(Time::from_millis(11)), Some(broker(11, 5)));

        let mut list = UnfencedList::new(timeout);
        list.push(Time::from_millis(1), NodeId(11));
        assert!(list.has_valid_session(Time::from_millis(10), NodeId(11)));
        assert_eq!(list.first_ended(Time::from_millis(10)), None);
        assert_eq!(list.first_ended(list.next_end().unwrap()), Some(NodeId(11)));
    }

    /// `Objects.hash(11, 5L)` and `new Pair(11, 5L).hashCode()` of Java 17.
    #[test]
    fn hashes_as_java() {
        assert_eq!(broker(11, 5).objects_hash(), 31 * (31 + 11) + 5);
        assert_eq!(broker(11, 5).record_hash(), 31 * 11 + 5);
        assert_eq!(broker(0, -1).record_hash(), 0);
    }
}
