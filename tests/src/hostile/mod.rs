//! Inputs as nobody would write them, made out of real ones: each follows from the bytes that a fuzzer gives.
//!
//! [`archive`] (for `load` and `inspect`), [`scenario`] (for `run`), [`schedule`] (for `drive`), [`properties`] (for
//! `rehearse` and `info`). [`Dice`] turns the fuzzer's bytes into choices.

pub mod archive;
mod dice;
pub mod properties;
pub mod scenario;
pub mod schedule;

pub use dice::Dice;
