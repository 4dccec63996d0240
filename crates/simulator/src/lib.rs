//! The world: scheduler, network, faulty disks, clocks, faults, scenarios, rehearsal.
//!
//! Deliberately knows nothing of the command line, of JSON and of the real file system; nothing below it knows that
//! it is simulated.
//!
//! Reading order: [`world`] (machines, network, the order in which things happen), [`SimDisk`] (what is written, what is
//! durable, where it fails), [`Network`] (delays, cuts, drops), [`rehearse`] (a start on copies of real directories),
//! [`observer`] (what happens), [`invariants`] (what must hold), [`scenario`] (text files that say what happens),
//! [`describe`] (what files and records hold, in words), [`explore`] (random runs from a seed), [`drive`] (a world by hand,
//! step by step beside Kafka's own classes).
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
pub mod drive;
pub mod explore;
pub mod invariants;
mod network;
pub mod observer;
pub mod rehearse;
pub mod run;
pub mod scenario;
pub mod world;

pub use crate::disk::{DiskFault, FaultEffect, NamePattern, SimDisk};
pub use crate::network::{Direction, DropRule, Fate, LinkState, Network};
pub use crate::world::{
    ADMINISTRATOR, AdministratorAnswer, Detail, Down, Machine, Question, Wire, World,
};
