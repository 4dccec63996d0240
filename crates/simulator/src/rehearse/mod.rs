//! Starts, restarts and upgrades on copies of real controller directories.

mod outcome;

pub use outcome::{
    ActivationOutcome, BootstrapSource, NodeOutcome, PhaseEnd, PhaseOutcome, Rehearsal, Verdict,
};
