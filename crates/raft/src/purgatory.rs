use std::collections::BTreeMap;

/// Things that wait until an offset is passed, or until their time is over.
///
/// Source: `4.4:raft/…/internals/ThresholdPurgatory.java`.
#[derive(Clone, Debug)]
pub(crate) struct Purgatory<T> {
    waiting: BTreeMap<(i64, u64), Waiting<T>>,
    last_id: u64,
}

#[derive(Clone, Debug)]
struct Waiting<T> {
    deadline_ms: i64,
    value: T,
}

impl<T> Default for Purgatory<T> {
    fn default() -> Self {
        Purgatory {
            waiting: BTreeMap::new(),
            last_id: 0,
        }
    }
}

impl<T> Purgatory<T> {
    /// Waits until an offset of `threshold` or more is reported.
    pub(crate) fn wait(&mut self, threshold: i64, deadline_ms: i64, value: T) {
        self.last_id += 1;
        self.waiting
            .insert((threshold, self.last_id), Waiting { deadline_ms, value });
    }

    /// Takes out the first one that waits for `offset` or less.
    pub(crate) fn pop_reached(&mut self, offset: i64) -> Option<T> {
        let (key, _) = self.waiting.first_key_value()?;
        if key.0 > offset {
            return None;
        }
        self.pop_first()
    }

    /// Takes out the first one. One by one, because finishing one may finish others.
    pub(crate) fn pop_first(&mut self) -> Option<T> {
        self.waiting.pop_first().map(|(_, waiting)| waiting.value)
    }

    /// Takes out one whose time is over, the earliest first.
    pub(crate) fn pop_expired(&mut self, now_ms: i64) -> Option<T> {
        let key = *self
            .waiting
            .iter()
            .filter(|(_, waiting)| waiting.deadline_ms <= now_ms)
            .min_by_key(|(key, waiting)| (waiting.deadline_ms, key.1))?
            .0;
        self.waiting.remove(&key).map(|waiting| waiting.value)
    }

    /// When the first one's time is over.
    pub(crate) fn next_deadline_ms(&self) -> Option<i64> {
        self.waiting
            .values()
            .map(|waiting| waiting.deadline_ms)
            .min()
    }
}
