//! The world: scheduler, network, faulty disks, clocks, faults, scenarios, rehearsal.
//!
//! Deliberately knows nothing of the command line, of JSON and of the real file system; nothing below it knows that
//! it is simulated.
//!
//! Reading order: [`SimDisk`] (what is written, what is durable, where it fails), [`invariants`] (what must hold),
//! [`scenario`] (text files that say what happens).
//!
//! ```
//! use disk::Disk as _;
//! use simulator::SimDisk;
//! let mut disk = SimDisk::new();
//! disk.create_dir_all("/data")?;
//! disk.create("/data/quorum-state")?;
//! disk.power_loss();
//! assert_eq!(disk.size("/data/quorum-state")?, None, "the name was never synced");
//! # Ok::<(), disk::DiskError>(())
//! ```

pub mod describe;
mod disk;
pub mod invariants;
mod network;
pub mod rehearse;
pub mod scenario;

pub use crate::disk::{DiskFault, FaultEffect, NamePattern, SimDisk};
pub use crate::network::{Direction, DropRule, Fate, LinkState, Network};
