//! The disk of a simulated machine: what is written, what is durable, and where it fails.
//!
//! Reading order: [`SimDisk`] (names and contents, written and durable), `content` (a file as shared extents),
//! [`DiskFault`] (an operation at which the process dies or is refused).

mod content;
mod fault;
mod sim_disk;

pub use fault::{DiskFault, FaultEffect, NamePattern};
pub use sim_disk::SimDisk;
