//! Results that wait for an offset to become stable (`4.4:server-common/…/deferred/DeferredEventQueue.java`).

use std::collections::BTreeMap;

/// What waits, by the offset it waits for.
#[derive(Clone, Debug)]
pub struct DeferredEvents<E> {
    pending: BTreeMap<i64, Vec<E>>,
}

impl<E> Default for DeferredEvents<E> {
    fn default() -> Self {
        DeferredEvents {
            pending: BTreeMap::new(),
        }
    }
}

/// An event was to wait for an offset below one that others wait for already.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a result already waits for offset {highest}: none may be added that waits for the lower offset {offset}"
)]
pub struct OutOfOrder {
    /// The offset that was asked for.
    pub offset: i64,
    /// The highest offset that something waits for.
    pub highest: i64,
}

impl<E> DeferredEvents<E> {
    /// Lets an event wait for `offset`.
    pub fn add(&mut self, offset: i64, event: E) -> Result<(), OutOfOrder> {
        if let Some(highest) = self
            .highest_pending_offset()
            .filter(|highest| offset < *highest)
        {
            return Err(OutOfOrder { offset, highest });
        }
        self.pending.entry(offset).or_default().push(event);
        Ok(())
    }

    /// The events whose offset is at most `offset`, in order.
    pub fn complete_up_to(&mut self, offset: i64) -> Vec<E> {
        let rest = self.pending.split_off(&(offset.saturating_add(1)));
        std::mem::replace(&mut self.pending, rest)
            .into_values()
            .flatten()
            .collect()
    }

    /// All events, to be failed.
    pub fn drain(&mut self) -> Vec<E> {
        std::mem::take(&mut self.pending)
            .into_values()
            .flatten()
            .collect()
    }

    /// The highest offset that something waits for.
    pub fn highest_pending_offset(&self) -> Option<i64> {
        self.pending.last_key_value().map(|(offset, _)| *offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completes_up_to_and_including() {
        let mut events = DeferredEvents::default();
        events.add(3, "a").unwrap();
        events.add(3, "b").unwrap();
        events.add(7, "c").unwrap();
        assert_eq!(
            events.add(6, "d"),
            Err(OutOfOrder {
                offset: 6,
                highest: 7
            })
        );
        assert_eq!(events.complete_up_to(2), Vec::<&str>::new());
        assert_eq!(events.complete_up_to(3), ["a", "b"]);
        assert_eq!(events.highest_pending_offset(), Some(7));
        assert_eq!(events.drain(), ["c"]);
    }
}
