//! What a disk holds: batches, segments, checkpoints, legacy file, quorum-state.
//!
//! Deliberately knows nothing of quorums, elections or high watermarks, nor of what metadata records mean: it turns
//! bytes into typed values and back, exactly, and keeps the metadata log's directory as Kafka keeps it.
//!
//! Reading order:
//!
//! * [`batch`]: record batches, the unit of the log and of checkpoints.
//! * [`checkpoint`]: snapshots, their names and states; [`legacy`]: `bootstrap.checkpoint`.
//! * [`log`](mod@log): the metadata log of a replica, with recovery, truncation and cleaning.
//! * Small files: [`quorum_state`], [`leader_epochs`], [`partition_metadata`], and [`file`](mod@file), how they are
//!   replaced.
//! * [`file_kind`]: which file is which.
//! * [`Corrupt`]: how every reader reports bytes that are wrong.
//!
//! ```
//! use raft_log::batch::{BatchBuilder, read_batches};
//! let mut builder = BatchBuilder::data(0, 1, 1_700_000_000_000);
//! builder.append_value(&[1, 20, 0, 0]); // a NoOpRecord
//! let batch = builder.finish();
//! let read: Vec<_> = read_batches("0.log", batch.bytes(), 0).collect::<Result<_, _>>()?;
//! assert_eq!(read, [batch]);
//! # Ok::<(), raft_log::Corrupt>(())
//! ```

pub mod batch;
pub mod checkpoint;
mod corrupt;
pub mod file;
pub mod file_kind;
pub mod leader_epochs;
pub mod legacy;
pub mod log;
pub mod partition_metadata;
pub mod quorum_state;
mod text;
mod varint;

pub use corrupt::{Corrupt, Damage};
pub use file::ReadError;
pub use file_kind::FileKind;
pub use text::quoted;
