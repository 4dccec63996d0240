//! Where an image comes from.

use records::OffsetAndEpoch;

/// The end of the records that an image was folded from (`4.4:metadata/…/image/MetadataProvenance.java`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The offset of the last record; −1 before any, and for the zero checkpoint.
    pub last_contained_offset: i64,
    pub last_contained_epoch: i32,
    /// When it was appended, in milliseconds since 1970.
    pub last_contained_log_time_ms: i64,
    /// Whether it is the last record of its batch.
    pub alignment: Alignment,
}

/// Whether an image ends where a batch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    BatchAligned,
    /// It ends inside a batch; 4.0+ take no snapshot of it.
    WithinBatch,
}

impl Provenance {
    /// Of the empty image.
    pub const EMPTY: Provenance = Provenance {
        last_contained_offset: -1,
        last_contained_epoch: -1,
        last_contained_log_time_ms: -1,
        alignment: Alignment::WithinBatch,
    };

    /// The id that a snapshot of the image would have: the exclusive end.
    pub fn snapshot_id(&self) -> OffsetAndEpoch {
        OffsetAndEpoch {
            offset: self.last_contained_offset + 1,
            epoch: self.last_contained_epoch,
        }
    }
}
