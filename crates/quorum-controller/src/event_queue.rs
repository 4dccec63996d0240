//! The queue of the controller's single thread (`4.4:server-common/…/queue/KafkaEventQueue.java`).

use std::collections::{BTreeMap, VecDeque};

use determinism::Time;

/// Events in the order they run: due deferred ones first, then the line, which can be joined at either end.
///
/// Deferred events carry a tag; scheduling a tag again keeps the earlier of the two deadlines, as the callers of
/// Kafka's queue ask for (`EarliestDeadlineFunction`). No two have the same deadline: in Kafka the later one gets the next
/// nanosecond, so that it is not due at the very moment.
#[derive(Clone, Debug)]
pub struct EventQueue<T, E> {
    line: VecDeque<(Time, E)>,
    deferred: BTreeMap<Deadline, (T, E)>,
    deadlines: BTreeMap<T, Deadline>,
    closed: bool,
}

/// A moment, and by how many nanoseconds it was put off.
type Deadline = (Time, u32);

impl<T, E> Default for EventQueue<T, E> {
    fn default() -> Self {
        EventQueue {
            line: VecDeque::new(),
            deferred: BTreeMap::new(),
            deadlines: BTreeMap::new(),
            closed: false,
        }
    }
}

/// The queue has begun to shut down and takes nothing in: the event that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected<E>(pub E);

impl<T: Ord + Copy, E> EventQueue<T, E> {
    /// Joins the line at its end.
    pub fn append(&mut self, now: Time, event: E) -> Result<(), Rejected<E>> {
        if self.closed {
            return Err(Rejected(event));
        }
        self.line.push_back((now, event));
        Ok(())
    }

    /// Joins the line at its head: the event runs before all that already wait.
    pub fn prepend(&mut self, now: Time, event: E) -> Result<(), Rejected<E>> {
        if self.closed {
            return Err(Rejected(event));
        }
        self.line.push_front((now, event));
        Ok(())
    }

    /// Runs the event at `deadline`, or at the deadline that stands for the tag if that is earlier.
    pub fn schedule(&mut self, tag: T, deadline: Time, event: E) {
        if self.closed {
            return;
        }
        let wanted = (deadline, 0);
        let mut chosen = self
            .deadlines
            .get(&tag)
            .copied()
            .unwrap_or(wanted)
            .min(wanted);
        self.cancel(tag);
        while self.deferred.contains_key(&chosen) {
            chosen.1 += 1;
        }
        self.deferred.insert(chosen, (tag, event));
        self.deadlines.insert(tag, chosen);
    }

    /// Takes a deferred event back.
    pub fn cancel(&mut self, tag: T) {
        if let Some(deadline) = self.deadlines.remove(&tag) {
            self.deferred.remove(&deadline);
        }
    }

    /// Whether a deferred event of that tag waits.
    pub fn is_scheduled(&self, tag: T) -> bool {
        self.deadlines.contains_key(&tag)
    }

    /// When the next event can run: when the head of the line joined it, or the earliest deadline.
    pub fn next_at(&self) -> Option<Time> {
        let line = self.line.front().map(|(at, _)| *at);
        let deferred = self.deferred.first_key_value();
        let deferred = deferred.map(|((deadline, put_off), _)| match put_off {
            0 => *deadline,
            _ => *deadline + Time::from_micros(1),
        });
        line.into_iter().chain(deferred).min()
    }

    /// The next event to run now.
    pub fn pop(&mut self, now: Time) -> Option<E> {
        if let Some(first) = self.deferred.first_entry()
            && *first.key() <= (now, 0)
        {
            let (tag, event) = first.remove();
            self.deadlines.remove(&tag);
            return Some(event);
        }
        self.line.pop_front().map(|(_, event)| event)
    }

    /// Takes nothing in any more and forgets the deferred events; what waits in line still runs.
    pub fn begin_shutdown(&mut self) {
        self.closed = true;
        self.deferred.clear();
        self.deadlines.clear();
    }

    /// How many events wait in line.
    pub fn len(&self) -> usize {
        self.line.len()
    }

    /// Whether nothing waits in line.
    pub fn is_empty(&self) -> bool {
        self.line.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: u64) -> Time {
        Time::from_micros(micros)
    }

    #[test]
    fn due_deferred_then_prepended_then_appended() {
        let mut queue = EventQueue::<u8, &str>::default();
        queue.append(at(1), "appended").unwrap();
        queue.prepend(at(2), "prepended").unwrap();
        queue.schedule(0, at(5), "late");
        queue.schedule(1, at(3), "due");
        assert_eq!(queue.pop(at(3)), Some("due"));
        assert_eq!(queue.pop(at(3)), Some("prepended"));
        assert_eq!(queue.next_at(), Some(at(1)));
        assert_eq!(queue.pop(at(3)), Some("appended"));
        assert_eq!((queue.pop(at(3)), queue.next_at()), (None, Some(at(5))));
    }

    #[test]
    fn the_earlier_deadline_of_a_tag_stays() {
        let mut queue = EventQueue::<u8, &str>::default();
        queue.schedule(0, at(5), "first");
        queue.schedule(0, at(9), "second");
        assert_eq!(queue.next_at(), Some(at(5)));
        queue.cancel(0);
        assert_eq!(queue.next_at(), None);
    }

    #[test]
    fn of_two_events_of_one_deadline_the_second_is_due_a_moment_later() {
        let mut queue = EventQueue::<u8, &str>::default();
        queue.schedule(0, at(5), "first");
        queue.schedule(1, at(5), "second");
        assert_eq!(queue.pop(at(5)), Some("first"));
        assert_eq!((queue.pop(at(5)), queue.next_at()), (None, Some(at(6))));
        assert_eq!(queue.pop(at(6)), Some("second"));
    }

    #[test]
    fn shutdown_rejects_new_events_and_drops_deferred_ones() {
        let mut queue = EventQueue::<u8, &str>::default();
        queue.append(at(1), "in line").unwrap();
        queue.schedule(0, at(1), "deferred");
        queue.begin_shutdown();
        assert_eq!(queue.append(at(2), "new"), Err(Rejected("new")));
        assert_eq!(queue.pop(at(2)), Some("in line"));
        assert_eq!(queue.pop(at(2)), None);
    }
}
