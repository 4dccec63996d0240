//! How loading fails.

use crate::ApplyError;

/// What a fault of the loader or the controller means for its process (`4.4:core/…/server/SharedServer.scala`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPolicy {
    /// The process ends, as a controller server does.
    EndsProcess,
    /// It is logged, and the thread goes on, as a broker's loader does.
    Logged,
}

/// Metadata could not be loaded or published.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadingFault {
    #[error("cannot load the metadata record at offset {offset}: {reason}")]
    LogRecord {
        offset: i64,
        /// What is wrong with it.
        reason: RecordFault,
    },
    /// A record of a snapshot.
    #[error(
        "cannot load metadata record {index} of the snapshot whose last offset is {last_contained_offset}: {reason}"
    )]
    SnapshotRecord {
        /// Its place among the snapshot's metadata records, from 0.
        index: usize,
        /// The offset of the last record that the snapshot stands for.
        last_contained_offset: i64,
        /// What is wrong with it.
        reason: ApplyError,
    },
    /// A batch that cannot be read.
    #[error("cannot read committed batches; the last image was at offset {image_offset}: {reason}")]
    UnreadableBatch {
        /// The offset of the last published or accumulated image.
        image_offset: i64,
        /// What is wrong with it.
        reason: String,
    },
    /// A snapshot that cannot be read.
    #[error("cannot read the snapshot whose last offset is {last_contained_offset}: {reason}")]
    UnreadableSnapshot {
        /// The offset of the last record that the snapshot stands for.
        last_contained_offset: i64,
        /// What is wrong with it.
        reason: String,
    },
    /// An image without metadata.version was to be published.
    #[error(
        "the metadata up to offset {image_offset} is to be published, but no record in it names a metadata.version"
    )]
    NoMetadataVersion { image_offset: i64 },
}

/// Why the loader refuses a record of the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// It does not fit the image.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// A transaction begins inside another.
    #[error("a transaction begins while one is open")]
    NestedTransaction,
    /// A transaction ends or is aborted that never began.
    #[error("a {0} without an open transaction")]
    NoOpenTransaction(&'static str),
}
