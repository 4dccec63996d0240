//! In-memory snapshots of the controller's state, by offset (`4.4:server-common/…/timeline/SnapshotRegistry.java`).
//!
//! Kafka keeps one set of structures and undoes changes; here a state is a persistent value, so a snapshot is the
//! value, and a revert takes it again, with what undoing leaves behind ([`Revert`]).

use std::collections::BTreeMap;

/// What a timeline can hold.
pub trait Revert: Clone {
    /// The earlier state, as it is once all changes since then are undone.
    #[must_use]
    fn reverted_to(&self, earlier: &Self) -> Self;

    /// No state before `earliest` will be taken again.
    fn forget(&mut self, earliest: &Self);
}

/// A state and its earlier versions.
#[derive(Clone, Debug)]
pub struct Timeline<S> {
    initial: S,
    current: S,
    snapshots: BTreeMap<i64, S>,
}

/// What the registry of in-memory snapshots refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimelineError {
    /// A snapshot may not be created before an existing one.
    #[error(
        "an in-memory snapshot at offset {offset} cannot be created: there is one at the later offset {latest}"
    )]
    Behind {
        /// The offset that was asked for.
        offset: i64,
        /// The latest offset that has a snapshot.
        latest: i64,
    },
    /// There is no snapshot to go back to.
    #[error("no in-memory snapshot at offset {offset}; there are {}", known.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
    Missing {
        /// The offset that was asked for.
        offset: i64,
        /// The offsets that have one.
        known: Vec<i64>,
    },
}

impl<S: Revert> Timeline<S> {
    /// A timeline that begins with `initial`, which is also its snapshot at −1.
    pub fn new(initial: S) -> Self {
        let snapshots = BTreeMap::from([(-1, initial.clone())]);
        Timeline {
            current: initial.clone(),
            initial,
            snapshots,
        }
    }

    /// The state as it stands.
    pub fn current(&self) -> &S {
        &self.current
    }

    /// The state, to change it.
    pub fn current_mut(&mut self) -> &mut S {
        &mut self.current
    }

    /// Keeps the present state under `offset`, unless there is a snapshot at that very offset: that one stays as it is.
    pub fn create_snapshot(&mut self, offset: i64) -> Result<(), TimelineError> {
        match self.snapshots.last_key_value() {
            Some((latest, _)) if *latest > offset => Err(TimelineError::Behind {
                offset,
                latest: *latest,
            }),
            Some((latest, _)) if *latest == offset => Ok(()),
            _ => {
                self.snapshots.insert(offset, self.current.clone());
                Ok(())
            }
        }
    }

    /// Goes back to the state at `offset` and forgets all later snapshots.
    pub fn revert_to(&mut self, offset: i64) -> Result<(), TimelineError> {
        let Some(state) = self.snapshots.get(&offset) else {
            return Err(TimelineError::Missing {
                offset,
                known: self.snapshots.keys().copied().collect(),
            });
        };
        self.current = self.current.reverted_to(state);
        self.snapshots.split_off(&(offset + 1));
        Ok(())
    }

    /// The state at `offset`, if there is a snapshot of it.
    pub fn state_at(&self, offset: i64) -> Option<&S> {
        self.snapshots.get(&offset)
    }

    /// Forgets the snapshots below `offset`.
    pub fn delete_below(&mut self, offset: i64) {
        self.snapshots = self.snapshots.split_off(&offset);
        match self.snapshots.first_key_value() {
            Some((_, earliest)) => self.current.forget(earliest),
            None => self.current.forget(&self.current.clone()),
        }
    }

    /// Forgets every snapshot and goes back to the initial state.
    pub fn reset(&mut self) {
        self.snapshots.clear();
        self.current = self.current.reverted_to(&self.initial);
    }

    /// The offsets that have a snapshot, in order.
    pub fn snapshot_offsets(&self) -> impl Iterator<Item = i64> + '_ {
        self.snapshots.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Revert for i64 {
        fn reverted_to(&self, earlier: &Self) -> Self {
            *earlier
        }

        fn forget(&mut self, _: &Self) {}
    }

    impl Revert for &'static str {
        fn reverted_to(&self, earlier: &Self) -> Self {
            earlier
        }

        fn forget(&mut self, _: &Self) {}
    }

    #[test]
    fn a_revert_takes_the_state_and_forgets_later_snapshots() {
        let mut timeline = Timeline::new(0_i64);
        for offset in [4, 6, 9] {
            *timeline.current_mut() = offset * 10;
            timeline.create_snapshot(offset).unwrap();
        }
        assert_eq!(
            timeline.create_snapshot(5),
            Err(TimelineError::Behind {
                offset: 5,
                latest: 9
            })
        );
        timeline.revert_to(6).unwrap();
        assert_eq!(*timeline.current(), 60);
        assert_eq!(timeline.snapshot_offsets().collect::<Vec<_>>(), [-1, 4, 6]);
        assert_eq!(
            timeline.revert_to(9),
            Err(TimelineError::Missing {
                offset: 9,
                known: vec![-1, 4, 6]
            })
        );
    }

    #[test]
    fn a_snapshot_at_a_known_offset_keeps_the_older_content() {
        let mut timeline = Timeline::new("initial");
        *timeline.current_mut() = "first";
        timeline.create_snapshot(3).unwrap();
        *timeline.current_mut() = "second";
        timeline.create_snapshot(3).unwrap();
        timeline.revert_to(3).unwrap();
        assert_eq!(*timeline.current(), "first");
    }

    #[test]
    fn reset_goes_back_to_the_beginning() {
        let mut timeline = Timeline::new(1_i64);
        *timeline.current_mut() = 2;
        timeline.create_snapshot(3).unwrap();
        timeline.delete_below(3);
        assert_eq!(timeline.state_at(-1), None);
        timeline.reset();
        assert_eq!(
            (*timeline.current(), timeline.snapshot_offsets().count()),
            (1, 0)
        );
    }
}
