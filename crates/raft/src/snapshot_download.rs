use records::OffsetAndEpoch;

/// A checkpoint that a follower fetches piece by piece.
#[derive(Clone, Debug)]
pub(crate) struct SnapshotDownload {
    pub(crate) snapshot_id: OffsetAndEpoch,
    pub(crate) writer: raft_log::checkpoint::RawSnapshotWriter,
}
