//! Random runs: a profile and a seed in, an outcome out.
//!
//! Deliberately knows nothing of threads, of progress and of the real clock: whoever calls decides how many seeds run
//! at once, and in which order they are told.
//!
//! Every run keeps to a *fault contract*, so that a violation is always the software's fault: only a minority of the
//! voters ever loses what was not synced, a disk is only lost while every other voter holds everything, and after the faults a
//! phase without any must bring an active controller (LIVE-1).
//!
//! Reading order: [`Exploration`] (what is explored, and one seed of it), [`Profile`], `shape` (which cluster a seed
//! draws), `cluster` (machines under a supervisor, watched), `faults` (what goes wrong), [`Situation`] (the nine of profile
//! `quorum`), `staging` (how a quorum comes into one, and out of it), `membership` (who changes the voters), [`Selection`] (what is chosen instead of drawn), `liveness` (the phase without faults), [`SeedOutcome`], [`Workload`] (runs that are timed).
//!
//! ```
//! use releases::Release;
//! use simulator::explore::{Exploration, Profile};
//!
//! let exploration = Exploration::new(Profile::Bootstrap, vec![Release::V4_4_0.rules()]);
//! let outcome = exploration.seed(1);
//! assert_eq!(outcome.findings, []);
//! assert_eq!(outcome.hash, exploration.seed(1).hash);
//! ```

mod cluster;
mod exploration;
mod faults;
mod liveness;
mod membership;
mod outcome;
mod profile;
mod selection;
mod shape;
mod situation;
mod staging;
#[cfg(test)]
mod tampering;
#[cfg(test)]
mod tests;
mod workload;

pub use exploration::{Exploration, ImpossibleSelection};
pub use liveness::{LIVENESS_BOUND, SENTENCE as LIVENESS_SENTENCE};
pub use outcome::{Finding, SeedOutcome};
pub use profile::{Profile, UnknownProfile};
pub use selection::Selection;
pub use situation::{Situation, UnknownSituation};
pub use workload::{Measured, Workload};

pub use crate::scenario::verbs::world::QuorumKind;
