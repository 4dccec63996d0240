//! What must hold in every world, checked after every event.
//!
//! The world says what it saw happen as [`Observation`]s, one by one; each invariant is told all of them, remembers
//! what it needs, and answers with a [`Violation`] or nothing. Work is in proportion to what happened, not to what
//! there is.
//!
//! | id | file | also known as |
//! |---|---|---|
//! | BOOT-1 | [`metadata_version_first`] | |
//! | BOOT-2 | [`image_ladder`] | |
//! | BOOT-3 | [`bootstrap_as_formatted`] | |
//! | CB-1, CB-2, CB-3 | [`callback_contract`] | `LeaderNeverLoadSnapshot` (CB-2) |
//! | DUR-1 | [`acknowledged_is_durable`] | `CommittedIsDurable` |
//! | FEAT-2 | [`versions_allowed`] | |
//! | LDR-1 | [`single_leader`] | `SingleLeader`, `ElectionSafety`, `NeverTwoLeadersInSameEpoch` |
//! | LDR-2 | [`monotonic_epoch`] | `MonotonicEpoch` |
//! | LOG-1 | [`committed_is_kept`] | `MonotonicHighWatermark`, `LeaderHasAllAckedValues`, `LeaderCompleteness` |
//! | LOG-2 | [`log_matching`] | `LogMatching`, `NoLogDivergence` |
//! | LOG-3 | [`majority_holds`] | `MajorityReachedHighWatermark` |
//! | Q-1 | [`one_voter_change`] | |
//! | SNAP-1, SNAP-2 | [`checkpoints`] | `SnapshotAtLogStart` (SNAP-2) |
//! | SNAP-3 | [`image_ladder`] | `ConsistentCommittedData` |
//! | TXN-1 | [`image_ladder`] | |
//!
//! LDR-3 and LIVE-1 are shown by no event: an agent that waits for something judges them ([`JUDGED`]).
//!
//! DUR-1 leaves one thing out, because Kafka does: what a process finds in its log. The process before it may have
//! died between writing a batch and making it durable; recovery reads the batch and does not sync it
//! (`4.4:storage/…/log/LogSegment.java`, `recover`), and the next fetch tells the leader that it is there.
//! `simulations/quorum/unsynced-tail-*` shows what a power loss then does.
//!
//! Reading order: [`observation`] (what can be seen), [`logs`] (what every replica's log holds, and what is committed),
//! then one file each.

pub mod acknowledged_is_durable;
pub mod bootstrap_as_formatted;
pub mod callback_contract;
mod checkers;
pub mod checkpoints;
pub mod committed_is_kept;
mod content;
pub mod image_ladder;
mod invariant;
mod judged;
mod ladders;
pub mod log_matching;
pub mod logs;
pub mod majority_holds;
pub mod metadata_version_first;
pub mod monotonic_epoch;
pub mod observation;
pub mod one_voter_change;
pub mod single_leader;
mod source_kind;
#[cfg(test)]
mod testing;
pub mod versions_allowed;
mod violation;

pub use checkers::Invariants;
pub(crate) use content::{records, sets_metadata_version};
pub use invariant::Invariant;
pub use judged::{JUDGED, Judged};
pub use observation::{Observation, Observed, ObservedActivation};
pub use source_kind::SourceKind;
pub use violation::Violation;
