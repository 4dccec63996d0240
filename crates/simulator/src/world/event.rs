use std::cmp::Ordering;

use determinism::Time;
use node::Thread;

/// What the scheduler hands out. Small and plain; a message lies in the slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A thread of a process may have something to do.
    Wake {
        machine: u16,
        thread: Thread,
        ticket: u32,
    },
    /// A message reaches a machine.
    Arrive { machine: u16, message: u32 },
    /// A message reaches the administrator.
    Answer { message: u32 },
    /// A process that met a fatal fault is gone.
    Halt { machine: u16, ticket: u32 },
    /// A clean stop has taken too long.
    StopLimit { machine: u16, ticket: u32 },
    /// A paused process goes on.
    Resume { machine: u16, ticket: u32 },
}

/// An event in the queue: first by time, then by a number drawn from the seed, then by age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scheduled {
    pub(super) at: Time,
    pub(super) tie: u32,
    pub(super) number: u64,
    pub(super) event: Event,
}

impl Ord for Scheduled {
    /// Reversed: the heap's greatest is the earliest.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.tie, other.number).cmp(&(self.at, self.tie, self.number))
    }
}

impl PartialOrd for Scheduled {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
