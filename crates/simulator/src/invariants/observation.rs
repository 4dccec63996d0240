//! What a world can be seen doing.

use listener::BrokenContract;
use raft_log::batch::Batch;
use records::metadata::VersionedRecord;
use records::{NodeId, OffsetAndEpoch};
use releases::Rules;
use releases::raft::SnapshotAlignment;

use super::source_kind::SourceKind;

/// Something that happened on one node.
#[derive(Clone, Copy, Debug)]
pub struct Observation<'a> {
    pub node: NodeId,
    pub what: Observed<'a>,
}

/// An event of a node, as invariants are told of it.
#[derive(Clone, Copy, Debug)]
pub enum Observed<'a> {
    /// A process began; what it found on its disk is observed next, as if it happened now.
    Started,
    /// The disk was given other content from outside: what this node promised is void.
    DiskReplaced,
    /// The replica's epoch, when it changed.
    Epoch(i32),
    /// What `quorum-state` says, when it changed.
    Election {
        epoch: i32,
        /// For whom the node voted in it.
        voted: Option<NodeId>,
    },
    /// The replica leads this epoch from now on.
    Leads(i32),
    /// The log gained a batch, at its end.
    Appended(&'a Batch),
    /// The log ends here now; it went further before.
    Truncated(i64),
    /// The log begins here now.
    LogStart(i64),
    /// The high watermark, when it changed.
    HighWatermark(i64),
    /// A batch that no replica's high watermark had covered before; told once, in offset order.
    Committed(&'a Batch),
    /// A controller did its activation.
    Activated(&'a ObservedActivation),
    /// The controller was handed a snapshot that counts as committed, and this is whether it names a metadata.version.
    SnapshotLoaded(SnapshotContent),
    /// A snapshot that counts as committed brought records which no log holds.
    RecordsFromZeroCheckpoint,
    /// A leader's high watermark, when it changed, and the voters that it counts.
    Commits {
        /// The high watermark.
        offset: i64,
        /// The voter set in force on the leader.
        voters: Voters<'a>,
    },
    /// A process went on with this written and not durable.
    NotDurable(&'static str),
    /// A checkpoint that was not there when the process began.
    Checkpoint {
        /// End offset and epoch.
        id: OffsetAndEpoch,
        /// Where the release lets checkpoints end.
        alignment: SnapshotAlignment,
    },
    /// The log start offset or the latest checkpoint, when either changed.
    LogBegins(LogBegin),
    /// What the metadata loader published, when it changed.
    Image(KnownUpTo<'a>),
    /// The controller's stable state, when it changed.
    Stable(KnownUpTo<'a>),
    /// A listener's contract was broken.
    Contract(BrokenContract),
}

/// What matters about a snapshot that was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotContent {
    /// It sets metadata.version.
    WithMetadataVersion,
    /// It does not.
    WithoutMetadataVersion,
}

/// The voters that a leader counts.
#[derive(Clone, Copy, Debug)]
pub struct Voters<'a> {
    /// How many there are.
    pub count: usize,
    /// Those whose machine has the directory that is the voter: all, in a static quorum.
    pub at_home: &'a [NodeId],
}

/// Where a log begins, and its latest checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogBegin {
    /// The log start offset.
    pub start: i64,
    /// The checkpoint with the highest id on the disk.
    pub latest: Option<OffsetAndEpoch>,
}

/// Something that a node knows, and up to where.
#[derive(Clone, Copy, Debug)]
pub struct KnownUpTo<'a> {
    /// The last offset it contains; −1 of nothing.
    pub offset: i64,
    /// The hash of the image.
    pub hash: u64,
    /// The rules of the release that folded it.
    pub rules: &'a Rules,
}

/// What one activation did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedActivation {
    /// The epoch that was claimed.
    pub epoch: i32,
    /// Where the bootstrap records came from.
    pub source: SourceKind,
    /// What stood on this node's disk at that source, as the formatter left it; nothing for a default.
    pub formatted: Vec<VersionedRecord>,
    /// Every record that activation wrote, in order.
    pub written: Vec<VersionedRecord>,
    /// The log end offset after that.
    pub end_offset: i64,
}
