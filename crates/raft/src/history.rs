use std::collections::BTreeMap;

/// Values by the offset from which they are in force, as control records of the log set them.
///
/// Source: `4.4:raft/…/internals/TreeMapLogHistory.java`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogHistory<T>(BTreeMap<i64, T>);

impl<T> Default for LogHistory<T> {
    fn default() -> Self {
        LogHistory(BTreeMap::new())
    }
}

/// A value out of order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfOrder {
    pub(crate) offset: i64,
    pub(crate) last_offset: i64,
}

impl<T> LogHistory<T> {
    /// Adds the value in force from `offset` on: −1 for what stands in the zero checkpoint, else a record's offset,
    /// after every offset so far.
    pub(crate) fn add_at(&mut self, offset: i64, value: T) -> Result<(), OutOfOrder> {
        let last_offset = self.0.last_key_value().map_or(-2, |(offset, _)| *offset);
        if offset <= last_offset {
            return Err(OutOfOrder {
                offset,
                last_offset,
            });
        }
        self.0.insert(offset, value);
        Ok(())
    }

    pub(crate) fn value_at_or_before(&self, offset: i64) -> Option<&T> {
        self.0.range(..=offset).next_back().map(|(_, value)| value)
    }

    pub(crate) fn last(&self) -> Option<(i64, &T)> {
        self.0
            .last_key_value()
            .map(|(offset, value)| (*offset, value))
    }

    /// Forgets what stands at `end_offset` or after it: the log was truncated there.
    pub(crate) fn truncate_new_entries(&mut self, end_offset: i64) {
        while self
            .0
            .last_key_value()
            .is_some_and(|(offset, _)| *offset >= end_offset)
        {
            self.0.pop_last();
        }
    }

    /// Keeps one entry at or before `start_offset`: what was in force there.
    pub(crate) fn truncate_old_entries(&mut self, start_offset: i64) {
        while self.0.range(..=start_offset).count() > 1 {
            self.0.pop_first();
        }
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::LogHistory;

    proptest! {
        /// Against a plain list of (offset, value).
        #[test]
        fn equals_a_list(
            steps in proptest::collection::vec((0..4_u8, -1..40_i64), 0..60),
            asked in -2..45_i64,
        ) {
            let mut history = LogHistory::default();
            let mut list: Vec<(i64, usize)> = Vec::new();
            for (i, (kind, offset)) in steps.into_iter().enumerate() {
                match kind {
                    0 | 1 => {
                        let fits = list.last().is_none_or(|(last, _)| offset > *last);
                        prop_assert_eq!(history.add_at(offset, i).is_ok(), fits);
                        if fits {
                            list.push((offset, i));
                        }
                    }
                    2 => {
                        history.truncate_new_entries(offset);
                        list.retain(|(at, _)| *at < offset);
                    }
                    _ => {
                        history.truncate_old_entries(offset);
                        let keep_from = list.iter().rposition(|(at, _)| *at <= offset).unwrap_or(0);
                        list.drain(..keep_from);
                    }
                }
                prop_assert_eq!(history.last().map(|(at, v)| (at, *v)), list.last().copied());
                let expected = list.iter().rev().find(|(at, _)| *at <= asked).map(|(_, v)| *v);
                prop_assert_eq!(history.value_at_or_before(asked).copied(), expected);
            }
        }
    }
}
