//! `FETCH_SNAPSHOT`, at both ends (KIP-630).

use bytes::Bytes;
use records::{NodeId, OffsetAndEpoch, ReplicaKey};
use releases::raft::FetchSnapshotError;
use releases::raft::VotersAfterTruncation;

use super::Replica;
use super::asker::Asker;
use super::shared::{Cx, Shared, leader_endpoint, leader_id_or_sentinel};
use crate::RaftFault;
use crate::message::{
    Errors, FetchSnapshotPartitionResponse, FetchSnapshotRequest, FetchSnapshotResponse,
};
use crate::request_manager::ResponseOutcome;
use crate::role::{EpochState, Follower, Leader};
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
        match self.leader_of(request.current_leader_epoch) {
            Ok((leader, shared)) => leader.handle_fetch_snapshot(shared, cx, asker, request),
            Err(error) => Ok(fetch_snapshot_error(&*self.role, asker, error)),
        }
    }

    pub(super) fn handle_fetch_snapshot_response(
        &mut self,
        cx: &mut Cx<'_>,
        response: FetchSnapshotResponse,
    ) -> Result<ResponseOutcome, RaftFault> {
        if response.error_code != Errors::NONE {
            return Self::handle_top_level_error(response.error_code);
        }
        let Some(partition) = response.partition else {
            return Ok(ResponseOutcome::Failed);
        };
        let endpoint = response.node_endpoint.as_ref();
        let news = self
            .shared
            .leader_news(partition.leader_id, partition.leader_epoch, endpoint);
        let error = partition.error_code;
        if let Some(outcome) = self.maybe_handle_common_response(cx, error, &news)? {
            return Ok(outcome);
        }
        let (follower, shared) = self.follower_mut()?;
        follower.handle_fetched_snapshot(shared, cx, &partition)
    }
}

fn fetch_snapshot_error(
    state: &dyn EpochState,
    asker: &Asker,
    error_code: Errors,
) -> FetchSnapshotResponse {
    let partition = FetchSnapshotPartitionResponse {
        error_code,
        snapshot_id: NO_SNAPSHOT,
        leader_id: leader_id_or_sentinel(state),
        leader_epoch: state.epoch(),
        size: 0,
        position: 0,
        unaligned_records: Bytes::new(),
    };
    FetchSnapshotResponse {
        error_code: Errors::NONE,
        partition: Some(partition),
        node_endpoint: leader_endpoint(state, asker, 1),
    }
}

impl Leader {
    fn handle_fetch_snapshot(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        asker: &Asker,
        request: &FetchSnapshotRequest,
    ) -> Result<FetchSnapshotResponse, RaftFault> {
        let is_replicated = request.snapshot_id != BOOTSTRAP_SNAPSHOT_ID;
        let checkpoint = shared.log.read_snapshot(cx.disk, request.snapshot_id)?;
        let Some(checkpoint) = checkpoint.filter(|_| is_replicated) else {
            return Ok(fetch_snapshot_error(
                self,
                asker,
                Errors::SNAPSHOT_NOT_FOUND,
            ));
        };
        let size = checkpoint.size() as i64;
        if !(0..size).contains(&request.position) {
            return Ok(fetch_snapshot_error(
                self,
                asker,
                Errors::POSITION_OUT_OF_RANGE,
            ));
        }
        let max_bytes = u64::try_from(request.max_bytes).unwrap_or(0);
        let piece = checkpoint.slice(request.position as u64, max_bytes);
        let key = ReplicaKey::new(NodeId(request.replica_id), request.replica_directory_id);
        self.update_check_quorum(key, cx.now_ms)?;
        let mut response = fetch_snapshot_error(self, asker, Errors::NONE);
        if let Some(partition) = &mut response.partition {
            partition.snapshot_id = request.snapshot_id;
            partition.size = size;
            partition.position = request.position;
            partition.unaligned_records = piece;
        }
        Ok(response)
    }
}

impl Follower {
    fn handle_fetched_snapshot(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        partition: &FetchSnapshotPartitionResponse,
    ) -> Result<ResponseOutcome, RaftFault> {
        let error = partition.error_code;
        let id = partition.snapshot_id;
        if error == Errors::SNAPSHOT_NOT_FOUND || id.offset < 0 || id.epoch < 0 {
            // The leader has cleaned it away meanwhile: fetch again, and hear of a newer one.
            let download = self.fetching_snapshot.take();
            self.fetched_successfully(cx.now_ms);
            if let Some(download) = download {
                download.writer.abandon(cx.disk)?;
            }
            return Ok(ResponseOutcome::Handled);
        }
        let checked = shared.rules.raft.fetch_snapshot_error == FetchSnapshotError::Checked;
        if checked && error != Errors::NONE {
            return Ok(ResponseOutcome::Failed);
        }
        self.take_snapshot_piece(shared, cx, partition)?;
        self.fetched_successfully(cx.now_ms);
        Ok(ResponseOutcome::Handled)
    }

    fn take_snapshot_piece(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        piece: &FetchSnapshotPartitionResponse,
    ) -> Result<(), RaftFault> {
        let Some(download) = &mut self.fetching_snapshot else {
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
            let download = self.fetching_snapshot.take();
            self.replace_log_by_snapshot(shared, cx, download)?;
        }
        Ok(())
    }

    fn replace_log_by_snapshot(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        download: Option<crate::snapshot_download::SnapshotDownload>,
    ) -> Result<(), RaftFault> {
        let Some(download) = download else {
            return Ok(());
        };
        download.writer.freeze(cx.disk)?;
        shared.log.on_snapshot_frozen(download.snapshot_id);
        let truncated = shared
            .log
            .truncate_fully_to_latest_snapshot(cx.disk, cx.now_ms)?;
        if truncated == Truncated::No {
            return Err(RaftFault::illegal(format!(
                "checkpoint {} does not replace the log, which ends at {}",
                download.snapshot_id,
                shared.end_of_log()?
            )));
        }
        let rule = shared.rules.raft.voters_after_truncation;
        if rule == VotersAfterTruncation::ReadFromTheCut {
            shared.partition.truncate_new_entries(0, rule);
        }
        shared.partition.update_state(&mut shared.log, cx.disk)?;
        self.on_high_watermark(shared, cx, shared.log.high_watermark())
    }
}
