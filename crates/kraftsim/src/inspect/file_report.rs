//! What one file holds.

use bytes::Bytes;
use config::meta_properties::MetaProperties;
use config::properties::Properties;
use raft_log::batch::Batch;
use raft_log::leader_epochs::EpochEntry;
use raft_log::partition_metadata::PartitionMetadata;
use raft_log::quorum_state::QuorumStateFile;
use raft_log::{Corrupt, FileKind};

/// What a file holds, as far as it can be read.
#[derive(Clone, Debug)]
pub enum Content {
    Batches(Vec<BatchAt>),
    QuorumState(QuorumStateFile),
    /// `leader-epoch-checkpoint`
    Epochs(Vec<EpochEntry>),
    PartitionMetadata(PartitionMetadata),
    MetaProperties(MetaProperties),
    Properties(Properties),
    /// Text as it is.
    Text(String),
    /// Nothing that can be shown.
    None,
}

/// A batch and where it stands.
#[derive(Clone, Debug)]
pub struct BatchAt {
    /// Position of its first byte.
    pub position: u64,
    pub batch: Batch,
    /// Whether its bytes have the checksum that it carries.
    pub checksum_holds: bool,
}

/// What `inspect` tells about a file: its kind, its content and its damage.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// Path within the source.
    pub path: String,
    /// What it is.
    pub kind: FileKind,
    /// Size in bytes.
    pub size: u64,
    /// Its bytes; nothing where they were not read.
    pub bytes: Option<Bytes>,
    /// What it holds.
    pub content: Content,
    /// Where it is not what it should be.
    pub damage: Vec<Corrupt>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}
