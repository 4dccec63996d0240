//! Carrying a scenario out over a world.
//!
//! Deliberately knows nothing of files outside the world: what `load` names is read by the caller's loader.
//!
//! Reading order: [`run`](fn@run) and `executor` (statements, what is printed), `setting` (what the world
//! is made of), one file per group of commands (`disk`, `process`, `timing`, `network`, `client` and `write`, `looking`, `judging`), `conditions` and `select`
//! (what is asked of the world), [`outcome`]; [`Session`] (a scenario that is
//! made while it runs); `roles`,
//! `table` and `show` are how things are printed.

pub(crate) mod client;
mod conditions;
mod disk;
mod executor;
mod judging;
mod looking;
mod network;
pub mod outcome;
mod process;
mod roles;
mod select;
mod session;
pub(crate) mod setting;
mod show;
mod table;
#[cfg(test)]
mod tests;
mod timing;
mod write;

pub use executor::{Files, LoadFiles, Options, run};
pub use outcome::{Left, Mismatch, Outcome, Verdict};
pub use session::Session;
