//! Starts, restarts and upgrades on copies of real controller directories.
//!
//! Reading order: [`load`] (from a disk into memory), [`Plan`] (what is to be tried), [`rehearse`] (trying it),
//! [`Rehearsal`] (what happened).

mod load;
mod outcome;
mod plan;
mod reasons;
mod run;

pub use load::{LoadedNode, load};
pub use outcome::{
    ActivationOutcome, NodeOutcome, PhaseEnd, PhaseOutcome, PhaseVerdict, Rehearsal,
};
pub use plan::{Plan, PlannedNode};
pub use run::rehearse;
