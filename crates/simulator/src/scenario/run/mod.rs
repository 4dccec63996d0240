//! Carrying a scenario out over a world.
//!
//! Deliberately knows nothing of files outside the world: what `load` names is read by the caller's loader.
//!
//! Reading order: [`run`](fn@run) and `executor` (statements), `stage` (what is printed, what waits for its moment, what
//! must never be), `timing` and `write` (what takes time), `looking`, `show` and `table` (how things are printed),
//! [`ScenarioOutcome`]; [`Session`] (a scenario that is made while it runs).

mod executor;
mod looking;
mod outcome;
mod session;
mod show;
mod stage;
mod table;
#[cfg(test)]
mod tests;
mod timing;
mod write;

pub use executor::{LoadFiles, Options, run};
pub use outcome::{Left, Mismatch, ScenarioOutcome, Verdict};
pub use session::Session;

pub use crate::run::Files;
