//! The disk of a simulated machine: what is written, what is durable, and where it fails.
//!
//! Reading order: [`SimDisk`] (names and contents, written and durable), `operations` (it as a disk), `file` (one file,
//! written and durable) and `content` (its bytes as shared extents), [`DiskFault`] (an operation at which the process dies
//! or is refused).

mod content;
mod fault;
mod file;
mod operations;
mod sim_disk;
#[cfg(test)]
mod tests;

pub use fault::{DiskFault, FaultEffect, NamePattern};
pub use sim_disk::SimDisk;
