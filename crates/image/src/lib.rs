//! Metadata state as a fold of records.
//!
//! [`MetadataImage`] is a persistent value: a standby, the active controller and a broker hold the same type, a clone
//! shares it, a revert takes an earlier one, and a snapshot is one written out. [`Loader`] is the metadata loader of a
//! process, from listener events to published images.
//!
//! Deliberately knows nothing of who leads, of what a controller writes, and of disks: it reads what it is told.
//!
//! Reading order: [`MetadataImage`] (the fold and its hash), [`parts`] (one file each), [`Dialect`] (what a release
//! makes of the same records), [`Delta`] (what was touched), `write` (snapshot records), [`loader`] (catching up,
//! transactions, publishing, faults), [`SnapshotGenerator`] (when a snapshot is due).
//!
//! ```
//! use image::{Delta, Dialect, MetadataImage, feature_record};
//! use releases::Release;
//!
//! let rules = Release::V4_4_0.rules();
//! let dialect = Dialect::of(&rules);
//! let mut image = MetadataImage::empty();
//! image.apply(&feature_record("metadata.version", 33), &dialect, &mut Delta::default())?;
//! let version = image.features().metadata_version().expect("it was just set");
//! assert_eq!(image.snapshot_records(version, &dialect)?, [feature_record("metadata.version", 33)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod delta;
mod dialect;
mod entry_hash;
mod error;
pub mod loader;
mod metadata_image;
pub mod parts;
mod provenance;
mod read;
mod snapshot_generator;
mod write;
mod write_options;

pub use delta::{Delta, Part};
pub use dialect::Dialect;
pub use error::ApplyError;
pub use loader::{FaultPolicy, Loader, LoaderConfig, LoadingFault, Manifest, Publication};
pub use metadata_image::MetadataImage;
pub use parts::features::{feature_record, known_version};
pub use provenance::{Alignment, Provenance};
pub use read::{SnapshotRecords, metadata_records};
pub use snapshot_generator::{
    SnapshotDecision, SnapshotGenerator, SnapshotReason, SnapshotTriggers,
};
pub use write::UnknownMetadataVersion;
