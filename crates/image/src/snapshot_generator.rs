//! When a process writes a snapshot of its metadata (`4.4:metadata/…/image/publisher/SnapshotGenerator.java`).

use determinism::Time;
use releases::LoaderRules;
use releases::loader::{BatchAlignment, SnapshotCounters};

use crate::{Alignment, Manifest, Publication};

/// The limits of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotTriggers {
    /// `metadata.log.max.record.bytes.between.snapshots`.
    pub max_bytes_between_snapshots: u64,
    /// `metadata.log.max.snapshot.interval.ms`; `None` for 0, which is never.
    pub max_interval: Option<Time>,
}

/// Why a snapshot is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotReason {
    /// So many bytes were published since the last one.
    Bytes,
    /// So much time has passed since the last one.
    Interval,
}

/// What becomes of a snapshot that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotDecision {
    /// None is due.
    NotDue,
    /// It is to be written. The caller says when the work starts and ends.
    Schedule(SnapshotReason),
    /// The one before is not written yet.
    StillWriting(SnapshotReason),
    /// A fault or the shutdown has switched snapshots off.
    Disabled(SnapshotReason),
    /// The image ends inside a batch.
    NotBatchAligned(SnapshotReason),
}

/// Counts what was published since the last snapshot, and decides.
#[derive(Clone, Debug)]
pub struct SnapshotGenerator {
    triggers: SnapshotTriggers,
    rules: LoaderRules,
    bytes_since: u64,
    last_at: Time,
    writing: bool,
    disabled: bool,
}

impl SnapshotGenerator {
    /// A generator that starts to count now.
    pub fn new(now: Time, triggers: SnapshotTriggers, rules: &LoaderRules) -> Self {
        let rules = rules.clone();
        SnapshotGenerator {
            triggers,
            rules,
            bytes_since: 0,
            last_at: now,
            writing: false,
            disabled: false,
        }
    }

    /// Counts a publication and decides whether a snapshot of its image is to be written.
    pub fn on_publication(&mut self, now: Time, publication: &Publication) -> SnapshotDecision {
        let Manifest::LogDelta { bytes, .. } = publication.manifest else {
            self.reset(now);
            return SnapshotDecision::NotDue;
        };
        self.bytes_since += bytes;
        let elapsed = now - self.last_at;
        let reason = if self.bytes_since >= self.triggers.max_bytes_between_snapshots {
            SnapshotReason::Bytes
        } else if self
            .triggers
            .max_interval
            .is_some_and(|interval| elapsed >= interval)
        {
            SnapshotReason::Interval
        } else {
            return SnapshotDecision::NotDue;
        };
        self.decide(now, reason, publication.provenance.alignment)
    }

    fn decide(
        &mut self,
        now: Time,
        reason: SnapshotReason,
        alignment: Alignment,
    ) -> SnapshotDecision {
        if self.writing {
            return SnapshotDecision::StillWriting(reason);
        }
        if self.rules.snapshot_counters == SnapshotCounters::ResetWhenScheduled {
            self.reset(now);
        }
        if self.disabled {
            return SnapshotDecision::Disabled(reason);
        }
        if self.rules.batch_alignment == BatchAlignment::Tracked
            && alignment == Alignment::WithinBatch
        {
            return SnapshotDecision::NotBatchAligned(reason);
        }
        self.writing = true;
        SnapshotDecision::Schedule(reason)
    }

    /// The generator's thread takes the scheduled snapshot up.
    pub fn writing_started(&mut self, now: Time) {
        if self.rules.snapshot_counters == SnapshotCounters::ResetWhenStarted {
            self.reset(now);
        }
    }

    /// The scheduled snapshot is written, or given up.
    pub fn writing_ended(&mut self) {
        self.writing = false;
    }

    /// Switches snapshots off for the rest of the process: after a fault, or at shutdown.
    pub fn disable(&mut self) {
        self.disabled = true;
    }

    fn reset(&mut self, now: Time) {
        self.bytes_since = 0;
        self.last_at = now;
    }
}
