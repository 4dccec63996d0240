//! What subscribers of a loader are told.

use crate::{Delta, MetadataImage, Provenance};

/// A new image, and what changed since the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    pub image: MetadataImage,
    /// Up to where it reaches.
    pub provenance: Provenance,
    /// What was touched on the way there.
    pub delta: Delta,
    /// Whether a checkpoint or the log gave it.
    pub manifest: Manifest,
}

/// What an image was made from (`4.4:metadata/…/image/loader/LoaderManifest.java`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manifest {
    /// From batches of the log.
    LogDelta {
        /// How many batches were read to their end.
        batches: usize,
        bytes: u64,
    },
    /// From a snapshot, or as the full state for a new subscriber.
    Snapshot,
}
