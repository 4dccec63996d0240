//! FETCH, at both ends.

use bytes::Bytes;
use raft_log::batch::Batch;
use raft_log::checkpoint::BOOTSTRAP_SNAPSHOT_ID;
use raft_log::log::{LogAppendError, Validity};
use records::{NodeId, OffsetAndEpoch, ReplicaKey};
use releases::raft::{FetchLimit, HighWatermarkNews, SnapshotAlignment};

use super::Replica;
use super::asker::Asker;
use super::shared::{Cx, Shared, leader_endpoint, leader_id_or_sentinel};
use super::waiting_fetch::WaitingFetch;
use crate::message::Response;
use crate::message::{DivergingEpoch, Errors, FetchPartitionResponse, FetchRequest, FetchResponse};
use crate::request_manager::ResponseOutcome;
use crate::role::{EpochState, Follower, Leader};
use crate::snapshot_download::SnapshotDownload;
use crate::{RaftFault, VoterAbility};

/// What a leader gives at most where the request does not decide.
const FIXED_READ_BYTES: u64 = 8 * 1024 * 1024;

impl Replica {
    /// FETCH. `None`: the answer waits.
    pub(super) fn handle_fetch_request(
        &mut self,
        cx: &mut Cx<'_>,
        asker: Asker,
        request: FetchRequest,
    ) -> Result<Option<FetchResponse>, RaftFault> {
        if !self.has_valid_cluster_id(request.cluster_id.as_deref()) {
            return Ok(Some(FetchResponse::failed(Errors::INCONSISTENT_CLUSTER_ID)));
        }
        let makes_sense = request.max_wait_ms >= 0
            && request.fetch_offset >= 0
            && (0..=request.current_leader_epoch).contains(&request.last_fetched_epoch);
        let leader = if makes_sense {
            self.leader_of(request.current_leader_epoch)
        } else {
            Err(Errors::INVALID_REQUEST)
        };
        match leader {
            Ok((leader, shared)) => leader.handle_fetch(shared, cx, asker, request),
            Err(error) => {
                let response = self.shared.empty_fetch_response(&*self.role, &asker, error);
                Ok(Some(response))
            }
        }
    }

    pub(super) fn handle_fetch_response(
        &mut self,
        cx: &mut Cx<'_>,
        response: FetchResponse,
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
        if error != Errors::NONE {
            return Ok(ResponseOutcome::Failed);
        }
        follower.handle_fetched(shared, cx, &partition)
    }
}

impl Leader {
    fn handle_fetch(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        asker: Asker,
        request: FetchRequest,
    ) -> Result<Option<FetchResponse>, RaftFault> {
        let response = self.try_complete_fetch(shared, cx, &asker, &request)?;
        if request.max_wait_ms == 0 || shared.is_worth_an_answer(&request, &response) {
            return Ok(Some(response));
        }
        let deadline_ms = cx.now_ms.saturating_add(i64::from(request.max_wait_ms));
        let threshold = request.fetch_offset;
        shared.waiting_fetches.wait(
            threshold,
            deadline_ms,
            WaitingFetch {
                asker,
                request,
                response,
            },
        );
        Ok(None)
    }

    /// Faults become an answer; Kafka catches every exception here. Those of the disk end the process.
    fn try_complete_fetch(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        asker: &Asker,
        request: &FetchRequest,
    ) -> Result<FetchResponse, RaftFault> {
        match self.complete_fetch(shared, cx, asker, request) {
            Ok(response) => Ok(response),
            Err(fault @ RaftFault::Disk(_)) => Err(fault),
            Err(_) => Ok(shared.empty_fetch_response(self, asker, Errors::UNKNOWN_SERVER_ERROR)),
        }
    }

    fn complete_fetch(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        asker: &Asker,
        request: &FetchRequest,
    ) -> Result<FetchResponse, RaftFault> {
        if let Err(error) = self.check_request(shared, request.current_leader_epoch) {
            return Ok(shared.empty_fetch_response(self, asker, error));
        }
        let newest = shared
            .log
            .latest_snapshot_id()
            .filter(|id| *id != BOOTSTRAP_SNAPSHOT_ID);
        let (validity, place) = match newest {
            // A checkpoint is always the shorter way for a replica that has nothing.
            Some(id) if request.fetch_offset == 0 => (Validity::Snapshot, id),
            _ => {
                let (offset, epoch) = (request.fetch_offset, request.last_fetched_epoch);
                let verdict = shared.log.validate_offset_and_epoch(offset, epoch)?;
                (verdict.validity, verdict.offset_and_epoch)
            }
        };
        let mut response = shared.empty_fetch_response(self, asker, Errors::NONE);
        let (mut records, mut cut) = (Vec::new(), Bytes::new());
        if validity == Validity::Valid {
            let max_bytes = shared.bytes_to_read(request)?;
            (records, cut) = shared.log.read_bytes(request.fetch_offset, max_bytes)?;
            let key = ReplicaKey::new(NodeId(request.replica_id), request.replica_directory_id);
            let reached = match (shared.rules.raft.snapshot_alignment, records.first()) {
                // The log takes a position inside a batch for the batch's base offset.
                (SnapshotAlignment::BatchBoundary, Some(batch)) => batch.base_offset(),
                _ => request.fetch_offset,
            };
            let position = shared.log.position(request.fetch_offset);
            let moved = self.update_replica_state(key, cx.now_ms, reached, position)?;
            if let Some(high_watermark) = moved {
                self.on_high_watermark(shared, cx, high_watermark)?;
            }
        }
        let high_watermark = self.high_watermark().unwrap_or(-1);
        if let Some(partition) = &mut response.partition {
            partition.high_watermark = high_watermark;
            match validity {
                Validity::Valid => (partition.records, partition.cut) = (records, cut),
                Validity::Diverging => {
                    let (epoch, end_offset) = (place.epoch, place.offset);
                    partition.diverging_epoch = Some(DivergingEpoch { epoch, end_offset });
                }
                Validity::Snapshot => partition.snapshot_id = Some(place),
            }
        }
        Ok(response)
    }

    /// Answers the waiting fetches that the log now reaches.
    pub(super) fn complete_fetches_up_to(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        end_offset: i64,
    ) -> Result<(), RaftFault> {
        while let Some(waiting) = shared.waiting_fetches.pop_reached(end_offset) {
            self.answer_waiting_fetch(shared, cx, &waiting)?;
        }
        Ok(())
    }

    /// Answers all waiting fetches: there is a new high watermark to tell.
    pub(super) fn complete_all_fetches(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
    ) -> Result<(), RaftFault> {
        while let Some(waiting) = shared.waiting_fetches.pop_first() {
            self.answer_waiting_fetch(shared, cx, &waiting)?;
        }
        Ok(())
    }

    fn answer_waiting_fetch(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        waiting: &WaitingFetch,
    ) -> Result<(), RaftFault> {
        let response = self.try_complete_fetch(shared, cx, &waiting.asker, &waiting.request)?;
        shared.reply(waiting.asker.token, Response::Fetch(response));
        Ok(())
    }
}

impl Shared {
    fn is_worth_an_answer(&self, request: &FetchRequest, response: &FetchResponse) -> bool {
        let Some(partition) = &response.partition else {
            return true;
        };
        let tells_high_watermark = match self.rules.raft.high_watermark_news {
            HighWatermarkNews::Pushed => request.high_watermark < partition.high_watermark,
            HighWatermarkNews::WithNextData => false,
        };
        partition.error_code != Errors::NONE
            || !partition.records.is_empty()
            || partition.diverging_epoch.is_some()
            || partition.snapshot_id.is_some()
            || tells_high_watermark
    }

    /// How much of the log an answer may hold.
    fn bytes_to_read(&self, request: &FetchRequest) -> Result<u64, RaftFault> {
        match (
            self.rules.raft.fetch_limit,
            u64::try_from(request.max_bytes),
        ) {
            (FetchLimit::EightMebibytes, _) => Ok(FIXED_READ_BYTES),
            (FetchLimit::Configured, Ok(max_bytes)) => Ok(max_bytes),
            // At the end of the log nothing is read (`4.4:storage/…/log/LocalLog.java`).
            (FetchLimit::Configured, Err(_)) if request.fetch_offset == self.log.end_offset() => {
                Ok(0)
            }
            (FetchLimit::Configured, Err(_)) => Err(RaftFault::illegal(format!(
                "a fetch of at most {} bytes",
                request.max_bytes
            ))),
        }
    }

    fn empty_fetch_response(
        &self,
        state: &dyn EpochState,
        asker: &Asker,
        error_code: Errors,
    ) -> FetchResponse {
        let partition = FetchPartitionResponse {
            error_code,
            high_watermark: -1,
            log_start_offset: self.log.start_offset(),
            diverging_epoch: None,
            leader_id: leader_id_or_sentinel(state),
            leader_epoch: state.epoch(),
            snapshot_id: None,
            records: Vec::new(),
            cut: Bytes::new(),
        };
        FetchResponse {
            error_code: Errors::NONE,
            partition: Some(partition),
            node_endpoint: leader_endpoint(state, asker, 17),
        }
    }

    pub(super) fn fail_waiting_fetches(&mut self, state: &dyn EpochState, error: Errors) {
        while let Some(waiting) = self.waiting_fetches.pop_first() {
            let response = self.empty_fetch_response(state, &waiting.asker, error);
            self.reply(waiting.asker.token, Response::Fetch(response));
        }
    }

    /// Answers the fetches whose time is over with what was true when they came.
    pub(super) fn expire_fetches(&mut self, now_ms: i64) {
        while let Some(waiting) = self.waiting_fetches.pop_expired(now_ms) {
            self.reply(waiting.asker.token, Response::Fetch(waiting.response));
        }
    }
}

impl Follower {
    fn handle_fetched(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        partition: &FetchPartitionResponse,
    ) -> Result<ResponseOutcome, RaftFault> {
        if let Some(diverging) = partition.diverging_epoch.filter(|end| end.epoch >= 0) {
            self.truncate_to_diverging(shared, cx, diverging)?;
        } else if let Some(id) = partition.snapshot_id {
            if id.epoch < 0 || id.offset < 0 {
                return Ok(ResponseOutcome::Failed);
            }
            self.begin_fetching_snapshot(shared, cx, id)?;
        } else {
            self.append(shared, cx, &partition.records)?;
            self.on_high_watermark(shared, cx, partition.high_watermark)?;
        }
        self.fetched_successfully(cx.now_ms);
        Ok(ResponseOutcome::Handled)
    }

    /// The leader's log ends an epoch earlier than ours: what is beyond is not committed, and goes.
    ///
    /// Source: `truncateToEndOffset` in `4.4:raft/…/RaftLog.java`.
    fn truncate_to_diverging(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        diverging: DivergingEpoch,
    ) -> Result<(), RaftFault> {
        if self
            .high_watermark
            .is_some_and(|hw| diverging.end_offset < hw)
        {
            return Err(RaftFault::illegal(format!(
                "the leader asks for truncation to {}, below the high watermark {:?}",
                diverging.end_offset, self.high_watermark
            )));
        }
        let to = if diverging.epoch == 0 {
            diverging.end_offset.min(shared.log.end_offset())
        } else {
            let local = shared.log.end_offset_for_epoch(diverging.epoch)?;
            if local.epoch == diverging.epoch {
                local.offset.min(diverging.end_offset)
            } else {
                local.offset
            }
        };
        shared.log.truncate_to(cx.disk, to, cx.now_ms)?;
        tracing::info!(
            epoch = diverging.epoch,
            end_offset = to,
            "truncates its log"
        );
        let rule = shared.rules.raft.voters_after_truncation;
        shared.partition.truncate_new_entries(to, rule);
        Ok(())
    }

    fn begin_fetching_snapshot(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        id: OffsetAndEpoch,
    ) -> Result<(), RaftFault> {
        tracing::info!(epoch = id.epoch, offset = id.offset, "fetches a snapshot");
        let number = shared.next_part_number();
        let writer = shared.log.create_new_snapshot(cx.disk, id, number)?;
        let next = writer.map(|writer| SnapshotDownload {
            snapshot_id: id,
            writer,
        });
        let before = std::mem::replace(&mut self.fetching_snapshot, next);
        if let Some(before) = before {
            before.writer.abandon(cx.disk)?;
        }
        Ok(())
    }

    fn append(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        batches: &[Batch],
    ) -> Result<(), RaftFault> {
        if batches.is_empty() {
            return Ok(());
        }
        let epoch = self.epoch;
        match shared
            .log
            .append_as_follower(cx.disk, batches, epoch, cx.now_ms)
        {
            Ok(()) => {
                let end_offset = shared.log.end_offset();
                tracing::debug!(epoch, end_offset, "appends fetched batches");
            }
            // All of them were of a later epoch: noted by Kafka, and fetched again.
            Err(LogAppendError::Empty) => {}
            Err(error) => return Err(error.into()),
        }
        if shared.is_voter() || shared.config.voter_ability == VoterAbility::CanBecomeVoter {
            // The next fetch tells the leader that this replica has the batches; then they must be durable.
            shared.log.flush(cx.disk)?;
        }
        shared.partition.update_state(&mut shared.log, cx.disk)
    }

    pub(super) fn on_high_watermark(
        &mut self,
        shared: &mut Shared,
        cx: &mut Cx<'_>,
        high_watermark: i64,
    ) -> Result<(), RaftFault> {
        if high_watermark < 0 {
            return Ok(());
        }
        let offset = high_watermark.min(shared.log.end_offset());
        if self.update_high_watermark(offset)? {
            let epoch = self.epoch;
            tracing::debug!(epoch, high_watermark = offset, "hears what is committed");
            shared.log.update_high_watermark(offset);
            shared.update_listeners_progress(cx, offset)?;
        }
        Ok(())
    }
}
