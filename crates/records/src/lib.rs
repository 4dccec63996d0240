//! What the log says: metadata and control records, feature levels, ids; bytes to values and back.
//!
//! Deliberately knows nothing of batches, files and disks (`raft-log`), of what a record does to the state of a
//! cluster (`image`), and of how one release behaves unlike another (`releases`): here are only the shapes and tables
//! of a *line*, a minor release with all its patches.
//!
//! In reading order:
//!
//! * [`Uuid`], [`NodeId`], [`OffsetAndEpoch`], [`ReplicaKey`]: names of things.
//! * [`metadata`]: the records of the metadata log, in every version.
//! * [`control`]: raft's own records.
//! * [`visit`]: any record as a stream of fields with Kafka's names.
//! * [`feature`]: `metadata.version` and the other features, line by line.
//! * [`wire`]: the encodings, and the macro that describes the structs of `metadata` and `control`, and the RPCs of `raft`.
//!
//! ```
//! use records::metadata::{FeatureLevelRecord, MetadataRecord, VersionedRecord};
//!
//! let name = String::from("metadata.version");
//! let record = FeatureLevelRecord { name, feature_level: 21, ..Default::default() };
//! let mut bytes = Vec::new();
//! VersionedRecord::new(0, record).encode(&mut bytes)?;
//! assert_eq!(bytes, b"\x01\x0c\x00\x11metadata.version\x00\x15\x00");
//!
//! let read = VersionedRecord::decode(&bytes)?;
//! assert_eq!(read.record.type_name(), "FEATURE_LEVEL_RECORD");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod control;
mod error;
pub mod feature;
mod float64;
pub mod metadata;
mod node_id;
mod offset_and_epoch;
mod replica_key;
mod uuid;
pub mod visit;
pub mod wire;

pub use error::{DecodeError, EncodeError, TagProblem};
pub use float64::Float64;
pub use node_id::NodeId;
pub use offset_and_epoch::OffsetAndEpoch;
pub use replica_key::ReplicaKey;
pub use uuid::{ParseUuidError, Uuid};
pub use wire::{Exposure, FieldKind, FieldSchema, StructSchema, TaggedField, TaggedFields};
