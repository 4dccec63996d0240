//! Files on their way out: renamed to `.deleted` now, removed a while later.

use disk::{Disk, DiskError, path};

use crate::file::remove_if_exists;

/// Suffix of a file that waits to be removed.
pub(super) const DELETED_SUFFIX: &str = ".deleted";

/// The files that wait to be removed, with the times at which they go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Deletions {
    waiting: Vec<Waiting>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Waiting {
    due_ms: i64,
    path: String,
}

impl Deletions {
    /// As [`Self::mark`], where a missing file is no matter.
    pub fn mark_if_exists(
        &mut self,
        disk: &mut dyn Disk,
        dir: &str,
        names: (&str, &str),
        due_ms: i64,
    ) -> Result<(), DiskError> {
        match self.mark(disk, dir, names, due_ms) {
            Err(DiskError::NotFound { .. }) => Ok(()),
            outcome => outcome,
        }
    }

    /// Renames `name` in `dir` to `deleted_name` and has it removed at `due_ms`.
    pub fn mark(
        &mut self,
        disk: &mut dyn Disk,
        dir: &str,
        (name, deleted_name): (&str, &str),
        due_ms: i64,
    ) -> Result<(), DiskError> {
        let to = path::join(dir, deleted_name);
        disk.rename(&path::join(dir, name), &to)?;
        self.waiting.push(Waiting { due_ms, path: to });
        Ok(())
    }

    /// When the next file is due.
    pub fn next_ms(&self) -> Option<i64> {
        self.waiting.iter().map(|waiting| waiting.due_ms).min()
    }

    /// Removes what is due.
    pub fn run(&mut self, disk: &mut dyn Disk, now_ms: i64) -> Result<(), DiskError> {
        let (due, later) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|w| w.due_ms <= now_ms);
        self.waiting = later;
        let due: Vec<Waiting> = due;
        due.iter()
            .try_for_each(|waiting| remove_if_exists(disk, &waiting.path))
    }
}
