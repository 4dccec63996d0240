//! Random runs: a profile and a seed in, an outcome out.
//!
//! Deliberately knows nothing of threads, of progress and of the real clock: the caller decides how many seeds run
//! at once, and in which order they are told.
//!
//! Every run keeps to a *fault contract*, so that a violation is always the software's fault: only a minority of the
//! voters ever loses what was not synced, a disk is only lost while every other voter holds everything, and after the faults a
//! phase without any must bring an active controller (LIVE-1).
//!
//! Reading order: [`Exploration`] (what is explored, and one seed of it), [`Profile`], `shape` (which cluster a seed
//! draws), `director` (who decides what happens, by actions), `faults` (what goes wrong), `cluster` (a run with its director),
//! [`Situation`] (the ten of profile `quorum`), `staging` (how a quorum comes into one, and out of it), `membership` (who changes the voters), [`Selection`] (what is chosen instead of drawn), `liveness` (the phase without faults), [`SeedOutcome`], [`Workload`] (runs that are timed).
//!
//! ```
//! use releases::Release;
//! use simulator::explore::{Exploration, Profile, Quirks};
//!
//! let exploration = Exploration::new(Profile::Bootstrap, &[Release::V4_4_0], Quirks::default())?;
//! let outcome = exploration.seed(1);
//! assert_eq!(outcome.violations, []);
//! assert_eq!(outcome.hash, exploration.seed(1).hash);
//! # Ok::<(), releases::UnknownQuirk>(())
//! ```

mod administration;
mod cluster;
mod director;
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
pub use liveness::LIVENESS_BOUND;
pub use outcome::SeedOutcome;
pub use profile::{Profile, UnknownProfile};
pub use selection::Selection;
pub use situation::{Situation, UnknownSituation};
pub use workload::{Measured, Workload};

pub use crate::run::Quirks;
pub use crate::run::action::QuorumKind;
