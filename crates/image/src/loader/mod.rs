//! The metadata loader of a process: from listener events to published images.
//!
//! Reading order: [`Loader`] (queue, catching up, publishing), [`BatchLoader`] (batches and transactions to images),
//! [`Publication`] (what subscribers are told), [`LoadingFault`] (how it ends the process).

mod batch_loader;
mod fault;
mod metadata_loader;
mod publication;

pub use batch_loader::{BatchLoader, TransactionState};
pub use fault::{FaultPolicy, LoadingFault};
pub use metadata_loader::{Loader, LoaderConfig};
pub use publication::{Manifest, Publication};
