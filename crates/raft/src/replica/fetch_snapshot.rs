//! `FETCH_SNAPSHOT`, at both ends (KIP-630).

use bytes::Bytes;
use records::{NodeId, OffsetAndEpoch, ReplicaKey};
use releases::raft::FetchSnapshotError;
use releases::raft::VotersAfterTruncation;

use super::inbound::Asker;
use super::{Cx, Replica};
use crate::RaftFault;
use crate::message::{
    Errors, FetchSnapshotPartitionResponse, FetchSnapshotRequest, FetchSnapshotResponse,
};
use crate::request_manager::Outcome;
use crate::role::State;
use raft_log::checkpoint::BOOTSTRAP_SNAPSHOT_ID;
use raft_log::log::Truncated;

const NO_SNAPSHOT: OffsetAndEpoch = OffsetAndEpoch {
    offset: -1,
    epoch: -1,
};

impl Replica {
    pub(super) fn handle_fetch_snapshot_request(
        &mut self,
        cx: &mut Cx<'_>,
        asker: &Asker,
        request: &FetchSnapshotRequest,
    ) -> Result<FetchSnapshotResponse, RaftFault> {
        if !self.has_valid_cluster_id(request.cluster_id.as_deref()) {
            return Ok(FetchSnapshotResponse::failed(
                Errors::INCONSISTENT_CLUSTER_ID,
            ));
        }
        if let Some(error) = self.validate_leader_only_request(request.current_leader_epoch) {
            return Ok(self.fetch_snapshot_error(asker, error));
        }
        let is_replicated = request.snapshot_id != BOOTSTRAP_SNAPSHOT_ID;
        let checkpoint = self.log.read_snapshot(cx.disk, request.snapshot_id)?;
        let Some(checkpoint) = checkpoint.filter(|_| is_replicated) else {
            return Ok(self.fetch_snapshot_error(asker, Errors::SNAPSHOT_NOT_FOUND));
        };
        let size = checkpoint.size() as i64;
        if !(0..size).contains(&request.position) {
            return Ok(self.fetch_snapshot_error(asker, Errors::POSITION_OUT_OF_RANGE));
        }
        let max_bytes = u64::try_from(request.max_bytes).unwrap_or(0);
        let piece = checkpoint.slice(request.position as u64, max_bytes);
        let key = ReplicaKey::new(NodeId(request.replica_id), request.replica_directory_id);
        if let State::Leader(leader) = &mut self.state {
            leader.update_check_quorum(key, cx.now_ms)?;
        }
        let mut response = self.fetch_snapshot_error(asker, Errors::NONE);
        if let Some(partition) = &mut response.partition {
            partition.snapshot_id = request.snapshot_id;
            partition.size = size;
            partition.position = request.position;
            partition.unaligned_records = piece;
        }
        Ok(response)
    }

    fn fetch_snapshot_error(&self, asker: &Asker, error_code: Errors) -> FetchSnapshotResponse {
        let partition = FetchSnapshotPartitionResponse {
            error_code,
            snapshot_id: NO_SNAPSHOT,
            leader_id: self.leader_id_or_sentinel(),
            leader_epoch: self.state.epoch(),
            size: 0,
            position: 0,
            unaligned_records: Bytes::new(),
        };
        FetchSnapshotResponse {
            error_code: Errors::NONE,
            partition: Some(partition),
            node_endpoint: self.leader_endpoint(asker, 1),
        }
    }

    pub(super) fn handle_fetch_snapshot_response(
        &mut self,
        cx: &mut Cx<'_>,
        response: FetchSnapshotResponse,
    ) -> Result<Outcome, RaftFault> {
        if response.error_code != Errors::NONE {
            return Self::handle_top_level_error(response.error_code);
        }
        let Some(partition) = response.partition else {
            return Ok(Outcome::Failed);
        };
        let endpoint = response.node_endpoint.as_ref();
        let news = self.leader_news(partition.leader_id, partition.leader_epoch, endpoint);
        let error = partition.error_code;
        if let Some(outcome) = self.maybe_handle_common_response(cx, error, &news)? {
            return Ok(outcome);
        }
        let id = partition.snapshot_id;
        if error == Errors::SNAPSHOT_NOT_FOUND || id.offset < 0 || id.epoch < 0 {
            // The leader has cleaned it away meanwhile: fetch again, and hear of a newer one.
            let follower = self.follower_mut()?;
            let download = follower.fetching_snapshot.take();
            follower.fetched_successfully(cx.now_ms);
            if let Some(download) = download {
                download.writer.abandon(cx.disk)?;
            }
            return Ok(Outcome::Handled);
        }
        let checked = self.rules.raft.fetch_snapshot_error == FetchSnapshotError::Checked;
        if checked && error != Errors::NONE {
            return Ok(Outcome::Failed);
        }
        self.take_snapshot_piece(cx, &partition)?;
        self.follower_mut()?.fetched_successfully(cx.now_ms);
        Ok(Outcome::Handled)
    }

    fn take_snapshot_piece(
        &mut self,
        cx: &mut Cx<'_>,
        piece: &FetchSnapshotPartitionResponse,
    ) -> Result<(), RaftFault> {
        let follower = self.follower_mut()?;
        let Some(download) = &mut follower.fetching_snapshot else {
            return Err(RaftFault::illegal(
                "a piece of a checkpoint that was not asked for",
            ));
        };
        if download.snapshot_id != piece.snapshot_id {
            return Err(RaftFault::illegal(format!(
                "a piece of checkpoint {}, expected was {}",
                piece.snapshot_id, download.snapshot_id
            )));
        }
        if download.writer.size() as i64 != piece.position {
            return Err(RaftFault::illegal(format!(
                "a piece of checkpoint {} at byte {}, expected was byte {}",
                piece.snapshot_id,
                piece.position,
                download.writer.size()
            )));
        }
        download.writer.append(cx.disk, &piece.unaligned_records)?;
        if download.writer.size() as i64 == piece.size {
            let download = follower.fetching_snapshot.take();
            self.replace_log_by_snapshot(cx, download)?;
        }
        Ok(())
    }

    fn replace_log_by_snapshot(
        &mut self,
        cx: &mut Cx<'_>,
        download: Option<crate::snapshot_download::SnapshotDownload>,
    ) -> Result<(), RaftFault> {
        let Some(download) = download else {
            return Ok(());
        };
        download.writer.freeze(cx.disk)?;
        self.log.on_snapshot_frozen(download.snapshot_id);
        let truncated = self
            .log
            .truncate_fully_to_latest_snapshot(cx.disk, cx.now_ms)?;
        if truncated == Truncated::No {
            return Err(RaftFault::illegal(format!(
                "checkpoint {} does not replace the log, which ends at {}",
                download.snapshot_id,
                self.end_of_log()?
            )));
        }
        let rule = self.rules.raft.voters_after_truncation;
        if rule == VotersAfterTruncation::ReadFromTheCut {
            self.partition.truncate_new_entries(0, rule);
        }
        self.partition.update_state(&mut self.log, cx.disk)?;
        self.update_follower_high_watermark(cx, self.log.high_watermark())
    }
}
